/* Draw each figure when it comes near, from the JSON beside it, in the colours of the page.
   Plotly's own sliders and menus can't be reached by keyboard, so each becomes a native control.
   A page that adds a figure later calls courseFigures.draw(figure): the promise is kept when the
   figure says in data-drawn whether it worked. Drawing again starts afresh. A figure with data-fit,
   on a slide, is as high as its place; courseFigures.picture(figure) promises one for paper, and
   courseFigures.drawAll() draws all that a page shows, near or not. JupyterLab draws its own
   figures, with courseFigures.load and courseFigures.template. */
import { all, make } from "../live/dom.js";

const { src: here } = document.currentScript;
const run = (address) =>
  new Promise((resolve, reject) => {
    const onerror = () => reject(new Error(`${address} did not load`));
    document.head.append(make("script", { src: address, onload: resolve, onerror }));
  });
const loading = {};
const load = (bundle) => {
  loading[bundle] ??= run(new URL(`plotly/${bundle}.js`, here))
    .then(() => window.Plotly)
    .catch((error) => {
      delete loading[bundle]; // a reader whose network comes back can try again
      throw error;
    });
  return loading[bundle];
};

// A large figure stands in a file of its own, which hands it over here.
const taken = {};
const take = (figure) => {
  taken[document.currentScript.src] = figure;
};
const read = async ({ dataset: { file }, textContent }) => {
  if (!file) return JSON.parse(textContent);
  const address = new URL(`figures/${file}`, here).href;
  if (!(address in taken)) await run(address);
  return structuredClone(taken[address]);
};

const figuresOfPage = () => all(".figure[data-bundle]");
const figures = figuresOfPage();

const template = () => {
  const style = getComputedStyle(document.body);
  const variable = (name) => style.getPropertyValue(name).trim();
  const text = variable("--pst-color-text-base");
  const muted = variable("--pst-color-text-muted");
  const line = variable("--pst-color-border");
  const surface = variable("--pst-color-surface");
  const size = Number(variable("--figure-text"));
  const width = Number(variable("--figure-axis"));
  const axis = {
    ...{ showgrid: false, zeroline: false, automargin: true },
    ...{ showline: true, ticks: "outside" },
    ...{ linecolor: muted, tickcolor: muted, linewidth: width, tickwidth: width },
  };
  const wall = { gridcolor: line, backgroundcolor: surface, showbackground: true };
  const curve = {
    line: { width: Number(variable("--figure-line")) },
    marker: { size: Number(variable("--figure-marker")) },
  };
  return {
    layout: {
      paper_bgcolor: "transparent",
      plot_bgcolor: "transparent",
      font: { color: text, family: variable("--font-interface"), size },
      margin: { l: 56, r: 16, t: 24, b: 48 },
      colorway: variable("--series").split(", "),
      hoverlabel: { bgcolor: surface, font: { color: text } },
      xaxis: axis,
      yaxis: axis,
      scene: { xaxis: wall, yaxis: wall, zaxis: wall },
    },
    data: { scatter: [curve] },
  };
};

// Figures name the colours of the light page. On the dark one a series has another colour, and
// what else there is keeps its hue while its brightness is mirrored (see recolour.py).
const brush = document.createElement("canvas").getContext("2d");
const parts = (colour) => {
  brush.fillStyle = colour;
  const code = brush.fillStyle; // hexadecimal, or with an opacity in decimal numbers
  const hex = code.match(/\w\w/g);
  return code.startsWith("#") ? hex.map((one) => Number.parseInt(one, 16)) : code.match(/[\d.]+/g);
};
const values = (name) => getComputedStyle(document.body).getPropertyValue(name).trim().split(", ");
const translator = () => {
  if (document.documentElement.dataset.theme !== "dark") return (colour) => colour;
  const [named, shown] = ["--series-named", "--series"].map(values);
  const [page, ink, zero] = ["--pst-color-background", "--pst-color-text-base", "--zero-named"].map(
    (name) => parts(values(name)[0]),
  );
  return (colour) => {
    if (!CSS.supports("color", colour)) return colour; // the name of a map
    const at = named.indexOf(colour.toLowerCase());
    if (at >= 0) return shown[at];
    const [red, green, blue, opacity = 1] = parts(colour);
    const shade = [red, green, blue].map((one, i) => Math.min(one / zero[i], 1));
    const grey = 0.2126 * shade[0] + 0.7152 * shade[1] + 0.0722 * shade[2];
    const plain = red === green && green === blue;
    const mirrored = shade.map((one, i) => {
      const light = plain ? (1 - grey) ** 0.7 : 0.9 * (1 - grey) + 1.3 * (one - grey);
      return Math.round(Math.min(Math.max(page[i] + light * (ink[i] - page[i]), 0), 255));
    });
    return `rgba(${mirrored}, ${opacity})`;
  };
};
const inTheme = (part, colour = translator(), key = "") => {
  if (typeof part === "string") return /colou?r(s|scale|way)?$/.test(key) ? colour(part) : part;
  if (Array.isArray(part)) {
    // The map of amounts has no zero, and stays as it is.
    const amounts = key === "colorscale" && part[0]?.[1] === values("--amounts-named")[0];
    // The signed one has the page in its middle; mirrored, it would be brown in between.
    const signed = key === "colorscale" && /rgb\(64, ?0, ?75\)/.test(part[0]?.[1]);
    if (signed && document.documentElement.dataset.theme === "dark") {
      const stops = ["--map-negative", "--pst-color-background", "--map-positive"];
      return stops.map((name, at) => [at / 2, values(name)[0]]);
    }
    return typeof part.at(-1) === "number" || amounts
      ? part.map((one) => structuredClone(one))
      : part.map((one) => inTheme(one, colour, key));
  }
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part);
  return Object.fromEntries(entries.map(([name, one]) => [name, inTheme(one, colour, name)]));
};

// On a page a drag turns a surface, or scrolls if it is a finger's, and leaves axes alone: it
// would zoom a figure until nothing is left of it. JupyterLab has buttons that put this right.
const held = () => {
  const { data, layout } = template();
  const { xaxis, yaxis, scene } = layout;
  layout.dragmode = false;
  scene.dragmode = matchMedia("(pointer: coarse)").matches ? false : "turntable";
  for (const axis of [xaxis, yaxis]) axis.fixedrange = true;
  return { data, layout };
};

const control = (figure, text, element) => {
  const label = make("label", {}, `${text} `, element);
  let bar = figure.querySelector(".controls");
  if (!bar) {
    bar = make("div", { className: "controls" });
    figure.querySelector(".plot").after(bar);
  }
  bar.append(label);
  return label;
};
const range = (max, defaultValue) =>
  make("input", { type: "range", min: 0, max, step: 1, defaultValue });

const addSlider = (figure, slider, apply) => {
  const input = range(slider.steps.length - 1, slider.active ?? 0);
  const shown = make("output");
  const show = () => {
    const step = slider.steps[input.value];
    shown.textContent = input.ariaValueText = step.label;
    return step;
  };
  input.addEventListener("input", () => apply(show()));
  const name = (slider.currentvalue?.prefix ?? "").replace(/[:=\s]+$/, "") || "handle";
  control(figure, name, input).append(" ", shown);
  show();
};
const addMenu = (figure, menu, apply) => {
  const select = make("select");
  for (const [at, button] of menu.buttons.entries()) select.add(new Option(button.label, at));
  select.value = menu.active ?? 0;
  select.addEventListener("change", () => apply(menu.buttons[select.value]));
  control(figure, menu.name || "show", select);
};
const addTurn = (figure, turn) => {
  const input = range(72, 0);
  input.addEventListener("input", () => turn((input.value * 5 * Math.PI) / 180));
  control(figure, "turn", input);
};

// On a phone, surfaces that stand side by side are put above each other.
const stack = (layout, scenes) => {
  const count = scenes.length;
  for (const [at, scene] of scenes.entries()) {
    const top = 1 - at / count;
    layout[scene].domain = { x: [0, 1], y: [top - 0.95 / count, top - 0.05 / count] };
    Object.assign(layout.annotations?.[at] ?? {}, { x: 0.5, y: top, yanchor: "top" });
  }
  layout.height *= count;
};

// Where the eye of a surface's camera is, from farther away or from another side.
const scaled = ({ x, y, z }, by) => ({ x: x * by, y: y * by, z: z * by });
const turned = ({ x, y, z }, angle) => {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos, z };
};

// What an author wrote small to save room is read from the last row.
const enlarge = (part) => {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value !== "object" || value === null) continue;
    if (typeof value[0] === "number" || value[0]?.length) continue; // numbers, or rows of them
    if (/font$/.test(key) && value.size < 15) value.size = 15;
    enlarge(value);
  }
};

// Of these traces Plotly says only where to get WebGL, if the browser has none.
const inDepth = /gl$|3d$|^(cone|isosurface|parcoords|splom|streamtube|surface|volume)$/;
let webgl;
const canDraw = (data) => {
  if (!data.some(({ type = "" }) => inDepth.test(type))) return true;
  webgl ??= Boolean(document.createElement("canvas").getContext("webgl"));
  return webgl;
};

// The picture that the build has put in the place of a figure goes when that is drawn.
const stillOf = (plot) => all(":scope > .still", plot);

// Under the picture of a figure that is not drawn: why. Without one, what there would be to see.
const describe = (figure, why) => {
  figure.dataset.drawn = "failed";
  const plot = figure.querySelector(".plot");
  const words = make("p", { className: "undrawn" });
  const shows = `It shows: ${plot.getAttribute("aria-label")}`;
  words.textContent = `${why} ${stillOf(plot).length ? "Its picture does not move." : shows}`;
  plot.after(words);
};

// What is on the page: each plot with the function that draws it in new colours.
const drawn = new Map();
const forget = (plot) => {
  drawn.get(plot)?.Plotly.purge(plot);
  drawn.delete(plot);
};
const forgetRemoved = () => {
  for (const plot of drawn.keys()) if (!plot.isConnected) forget(plot);
};

// A figure is drawn as wide as its column, of which paper, be it A4 or Letter, has this much; one
// that is higher than this would leave half of a page empty.
const paper = { width: 640, height: 280 };
let printing = false;
const fitPaper = (plot) => {
  const { style, clientWidth: width, clientHeight: height, parentElement: figure } = plot;
  if ("fit" in figure.dataset) return; // a slide is as wide on paper as it is elsewhere
  style.width = `${width}px`;
  style.zoom = Math.min(1, paper.width / width, paper.height / height);
};

const drawNow = async (figure) => {
  forgetRemoved();
  const plot = figure.querySelector(".plot");
  forget(plot);
  plot.replaceChildren(...stillOf(plot));
  figure.querySelector(".undrawn")?.remove();
  delete figure.dataset.drawn;
  const { data, layout = {}, frames } = await read(figure.querySelector("script"));
  if (!canDraw(data)) {
    describe(figure, "This figure needs WebGL, which this browser lacks or has turned off.");
    return;
  }
  const { sliders = [], updatemenus = [], width, height = 420, ...rest } = layout;
  rest.height = height;
  if ("fit" in figure.dataset) {
    rest.height = plot.clientHeight;
    enlarge({ data, rest });
  }
  const Plotly = await load(figure.dataset.bundle ?? "full"); // of a reader's own, all
  const { size, family } = template().layout.font;
  await document.fonts.load(`${size}px ${family}`).catch(() => {}); // Plotly measures letters
  const scenes = Object.keys(rest).filter((key) => /^scene\d*$/.test(key));
  let eyes = scenes.map((scene) => ({ x: 1.25, y: 1.25, z: 1.25, ...rest[scene].camera?.eye }));
  if (plot.clientWidth < 480 && scenes.length > 1) stack(rest, scenes);
  else if (plot.clientWidth < 480) eyes = eyes.map((eye) => scaled(eye, 1.5));
  for (const [at, scene] of scenes.entries()) {
    rest[scene].camera = { ...rest[scene].camera, eye: eyes[at] };
  }
  const config = { responsive: true, displayModeBar: false };
  const shown = () => ({ ...inTheme(rest), template: held(), uirevision: "kept" });
  await Plotly.newPlot(plot, { data: inTheme(data), layout: shown(), frames, config });
  // The plot has a text of its own. (It is gone again if its slide is.)
  plot.querySelector(".plot-container")?.setAttribute("aria-hidden", "true");
  const set = new Map(); // the step that each handle is at
  const apply = (handle, step) => {
    set.delete(handle);
    set.set(handle, step);
    const { method = "restyle", args = [] } = step;
    if (method !== "skip") Plotly[method](plot, ...inTheme(args));
  };
  const recolour = () => {
    const fresh = shown();
    for (const scene of scenes) fresh[scene].camera = plot.layout[scene].camera;
    Plotly.react(plot, inTheme(data), fresh);
    for (const [handle, step] of [...set]) apply(handle, step);
  };
  drawn.set(plot, { Plotly, recolour });
  figure.querySelector(".controls")?.remove(); // the room that was kept for them, or the old ones
  for (const menu of updatemenus) addMenu(figure, menu, (step) => apply(menu, step));
  for (const slider of sliders) addSlider(figure, slider, (step) => apply(slider, step));
  if (scenes.length) {
    addTurn(figure, (angle) => {
      const moved = scenes.map((scene, at) => [`${scene}.camera.eye`, turned(eyes[at], angle)]);
      Plotly.relayout(plot, Object.fromEntries(moved));
    });
  }
  if (printing) fitPaper(plot); // browsers may wait for what they load, and then print
  figure.dataset.drawn = "yes";
};
const fail = (figure, error) => {
  describe(figure, "This figure could not be drawn.");
  console.error(error);
};

// One drawing of a figure at a time: the next one waits.
const turns = new WeakMap();
const draw = (figure) => {
  const after = turns.get(figure) ?? Promise.resolve();
  const drawing = after.then(() => drawNow(figure)).catch((error) => fail(figure, error));
  turns.set(figure, drawing);
  return drawing;
};
const drawAll = () => {
  const visible = figuresOfPage().filter((figure) => figure.offsetParent);
  for (const figure of visible) near.unobserve(figure);
  return Promise.all(visible.map((figure) => turns.get(figure) ?? draw(figure)));
};
const picture = (figure) => {
  const plot = figure.querySelector(".plot");
  const { clientWidth: width, clientHeight: height } = plot;
  const format = plot.querySelector("canvas") ? "png" : "svg"; // lines stay lines where they can
  return drawn.get(plot).Plotly.toImage(plot, { format, width, height, scale: 2 });
};
window.courseFigures = { draw, drawAll, load, picture, take, template };

const near = new IntersectionObserver(
  (entries) => {
    for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
      near.unobserve(target);
      draw(target);
    }
  },
  { rootMargin: "400px" },
);
for (const figure of figures) near.observe(figure);

const recolour = () => {
  forgetRemoved();
  for (const plot of drawn.values()) plot.recolour();
};
const theme = new MutationObserver(recolour);
theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
addEventListener("beforeprint", () => {
  printing = true;
  if (theme.takeRecords().length) recolour(); // page.js has just made the page light
  for (const plot of drawn.keys()) fitPaper(plot);
});
addEventListener("afterprint", () => {
  printing = false;
  for (const { style } of drawn.keys()) Object.assign(style, { width: "", zoom: "" });
});
