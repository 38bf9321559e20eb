/* A JupyterLab extension that draws Plotly figures with the pages' own plotly.js, loaded for the
   first figure. JupyterLab looks for it in window._JUPYTERLAB["posenc-figures"]. */
(() => {
  "use strict";
  const MIME = "application/vnd.plotly.v1+json";
  const address = new URL("../../../_static/plotly/full.js", document.currentScript.src);
  let shared;
  let loading;

  const load = () =>
    (loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = () => resolve(window.Plotly);
      script.onerror = () => {
        loading = undefined; // so that running the cell again tries again
        reject(new Error(`${address} did not load, so the figure can't be drawn.`));
      };
      document.head.append(script);
    }));

  // Figures look as on pages, with JupyterLab's background and text colours.
  const coloured = ({ template, ...layout }) => {
    const style = getComputedStyle(document.body);
    const variable = (name) => style.getPropertyValue(name).trim();
    const color = variable("--jp-content-font-color1");
    const line = variable("--jp-border-color2");
    const muted = variable("--jp-content-font-color2");
    const width = Number(variable("--figure-axis"));
    const axis = {
      ...{ showgrid: false, zeroline: false, showline: true, ticks: "outside" },
      ...{ linecolor: muted, tickcolor: muted, linewidth: width, tickwidth: width },
    };
    const scene = { gridcolor: line, backgroundcolor: "transparent" };
    const curve = {
      line: { width: Number(variable("--figure-line")) },
      marker: { size: Number(variable("--figure-marker")) },
    };
    return {
      ...layout,
      template: {
        layout: {
          paper_bgcolor: "transparent",
          plot_bgcolor: "transparent",
          font: { color, size: Number(variable("--figure-text")) },
          colorway: variable("--series").split(", "),
          xaxis: axis,
          yaxis: axis,
          scene: { xaxis: scene, yaxis: scene, zaxis: scene },
        },
        data: { scatter: [curve] },
      },
    };
  };

  const extension = (Widget) => {
    class Figure extends Widget {
      async renderModel(model) {
        const { data, layout, frames } = structuredClone(model.data[MIME]);
        const plotly = await load();
        const spec = { data, layout: coloured(layout ?? {}), frames: frames ?? [] };
        const config = { responsive: true, displaylogo: false };
        await plotly.newPlot(this.node, { ...spec, config });
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
