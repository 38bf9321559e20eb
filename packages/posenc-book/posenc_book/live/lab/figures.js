/* A JupyterLab extension that draws figures as pages do: Plotly's with their plotly.js, loaded for
   the first figure, and their template, in JupyterLab's colours; those to touch with the pages'
   scripts, because this JupyterLab runs none out of an output. JupyterLab looks for it in
   window._JUPYTERLAB["posenc-figures"]. */
(() => {
  "use strict";
  const MIME = "application/vnd.plotly.v1+json";
  const TOUCH = "application/vnd.posenc.figure+json";
  const here = document.querySelector("script[src*='_static/figures.js']").src;
  let shared;

  const element = (name, properties) => Object.assign(document.createElement(name), properties);
  const touch = (place, { kind, state, data }) => {
    const from = new URL("touch/", here);
    const href = new URL("figures.css", from).href;
    if (!document.querySelector(`link[href="${href}"]`)) {
      document.head.append(element("link", { rel: "stylesheet", href }));
    }
    const figure = element("div", { className: "figure" });
    Object.assign(figure.dataset, { kind, state: JSON.stringify(state) });
    const body = element("div", { className: "f-body" });
    const plot = element("div", { className: "plot", ariaLabel: kind });
    const numbers = element("script", {
      type: "application/json",
      textContent: JSON.stringify(data),
    });
    body.append(plot);
    figure.append(body, numbers);
    place.append(figure);
    const begin = () => figure.dataset.drawn || window.courseTouch.draw[kind](figure);
    // In this order, though not while the page is read.
    const load = (name, more) =>
      document.head.append(element("script", { src: new URL(name, from), async: false, ...more }));
    if (!window.courseParts) load("parts.js");
    if (window.courseTouch?.draw[kind]) begin();
    else load(`${kind}.js`, { onload: begin });
  };

  const extension = (Widget) => {
    class Figure extends Widget {
      async renderModel(model) {
        if (model.data[TOUCH]) {
          touch(this.node, model.data[TOUCH]);
          return;
        }
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
    const rendererFactory = {
      safe: true,
      mimeTypes: [MIME, TOUCH],
      createRenderer: () => new Figure(),
    };
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
