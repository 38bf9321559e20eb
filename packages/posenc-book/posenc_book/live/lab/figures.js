/* A JupyterLab extension that draws Plotly figures as pages do: with their plotly.js, loaded for
   the first figure, and their template, in JupyterLab's colours. JupyterLab looks for it in
   window._JUPYTERLAB["posenc-figures"]. */
(() => {
  "use strict";
  const MIME = "application/vnd.plotly.v1+json";
  let shared;

  const extension = (Widget) => {
    class Figure extends Widget {
      async renderModel(model) {
        const { data, layout, frames = [] } = structuredClone(model.data[MIME]);
        const Plotly = await window.courseFigures.load("full");
        const shown = { ...layout, template: window.courseFigures.template() };
        const config = { responsive: true, displaylogo: false };
        await Plotly.newPlot(this.node, { data, layout: shown, frames, config });
      }

      onResize() {
        if (this.node.data) window.Plotly.Plots.resize(this.node);
      }

      dispose() {
        window.Plotly?.purge(this.node);
        super.dispose();
      }
    }
    const rendererFactory = { safe: true, mimeTypes: [MIME], createRenderer: () => new Figure() };
    return { id: "posenc-figures:figures", rendererFactory, rank: 0, dataType: "json" };
  };

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["posenc-figures"] = {
    init: (modules) => {
      shared = modules;
    },
    get: async () => {
      const [widgets] = Object.values(shared["@lumino/widgets"]);
      const { Widget } = (await widgets.get())();
      return () => ({ __esModule: true, default: extension(Widget) });
    },
  };
})();
