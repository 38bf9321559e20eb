/* What a notebook has measured, by position, in one panel for each method, with the others in grey
   behind. Press a panel: its method is drawn in all of them, and each says its value there.

   Data: blocks (names of positions), trained (how many of them training reached), unit, and methods
   [{name, color, runs, tuned}], where runs and tuned have a list for each training. */
import { clamp, define, handle, path, range, set, sum, svg, text } from "./parts.js";

const HEIGHT = 116; // of a panel
const GAP = 44; // below it
const HEAD = 20;
const NONE = { unit: "", trained: 1, blocks: ["0", "1"], methods: [{ name: "", runs: [[0, 1]] }] };

const mean = (runs) => runs[0].map((_, at) => sum(runs.map((run) => run[at])) / runs.length);

define("small-multiples", { method: 0, block: 0, across: 4 }, (figure) => {
  const { blocks, trained, unit, methods } = figure.data ?? NONE;
  const across = figure.narrow ? 2 : figure.state.across;
  const [width, left] = [figure.narrow ? 350 : 640, 26];
  const rows = Math.ceil(methods.length / across);
  const wide = (width - left) / across;
  const drawing = figure.stage(width, HEAD + rows * (HEIGHT + GAP) - 22);
  const add = (tag, attributes, ...children) =>
    drawing.appendChild(svg(tag, attributes, ...children));
  const means = methods.map(({ runs }) => mean(runs));
  const all = methods.flatMap(({ runs, tuned = [] }) => [...runs, ...tuned]).flat();
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const step = high - low > 1.5 ? 1 : 0.5;
  const ticks = range(9)
    .map((at) => (Math.ceil(low / step) + at) * step)
    .filter((tick) => tick <= high);
  const box = (at) => ({
    x: left + (at % across) * wide,
    y: HEAD + Math.floor(at / across) * (HEIGHT + GAP),
  });
  const inner = wide - (figure.narrow ? 12 : 16);
  const x = (block) => 6 + (block / (blocks.length - 1)) * (inner - 12);
  const y = (value) => 8 + ((high - value) / (high - low)) * (HEIGHT - 16);
  const line = (values) => path(values.map((value, at) => [x(at), y(value)]));
  const panels = methods.map(({ name, color, runs, tuned }, at) => {
    const { x: from, y: down } = box(at);
    const group = add("g", {
      transform: `translate(${from} ${down})`,
      class: `f-panel f-${color}`,
    });
    const put = (tag, attributes, ...children) =>
      group.appendChild(svg(tag, attributes, ...children));
    put("rect", { width: x(trained - 0.5), height: HEIGHT, class: "f-seen" });
    put("rect", { width: inner, height: HEIGHT, class: "f-plain" });
    if (at === 0) put("text", { x: 5, y: 15, class: "f-start f-tiny f-muted" }, "trained");
    for (const tick of ticks) {
      put("line", { x1: 0, x2: inner, y1: y(tick), y2: y(tick), class: "f-mesh" });
      if (at % across === 0) {
        const words = text(tick, step < 1 ? 1 : 0);
        put("text", { x: -5, y: y(tick) + 4, class: "f-end f-muted" }, words);
      }
    }
    means.forEach((values, other) => {
      if (other !== at) put("path", { d: line(values), class: "f-axis f-behind" });
    });
    const chosen = put("path", { class: "f-axis f-compared" });
    if (runs.length > 1) {
      for (const run of runs) put("path", { d: line(run), class: "f-curve f-run" });
    }
    if (tuned) put("path", { d: line(mean(tuned)), class: "f-curve f-tuned" });
    put("path", { d: line(means[at]), class: "f-curve" });
    const ruler = put("line", { y1: 0, y2: HEIGHT, class: "f-cursor" });
    const spot = put("circle", { r: 4.5, class: "f-spot" });
    const frame = put("rect", { width: inner, height: HEIGHT, class: "f-cell-mark" });
    put("text", { x: 0, y: -6, class: "f-start f-method" }, name);
    const value = put("text", { x: inner, y: -6, class: "f-end" });
    const where = put("text", { x: inner, y: HEIGHT + 16, class: "f-muted" });
    return { chosen, ruler, spot, frame, value, where };
  });
  const grip = add("rect", {
    x: left,
    y: HEAD,
    width: width - left,
    height: rows * (HEIGHT + GAP) - GAP,
    class: "f-grid",
  });
  const parts = (at) => [Math.floor(at / blocks.length), at % blocks.length];
  const said = (method, block) => text(means[method][block]);
  const show = handle(grip, {
    label: "method and positions",
    ...{ min: 0, max: methods.length * blocks.length - 1, columns: across * blocks.length },
    change: (at) => {
      const [method, block] = parts(at);
      figure.set({ method, block });
    },
    along: (point) => {
      const column = clamp(Math.floor((point.x - left) / wide), 0, across - 1);
      const row = clamp(Math.floor((point.y - HEAD) / (HEIGHT + GAP)), 0, rows - 1);
      const method = Math.min(row * across + column, methods.length - 1);
      const at = (point.x - box(method).x - 6) / (inner - 12);
      return (
        method * blocks.length + clamp(Math.round(at * (blocks.length - 1)), 0, blocks.length - 1)
      );
    },
    words: (at) => {
      const [method, block] = parts(at);
      return `${methods[method].name}, positions ${blocks[block]}: ${said(method, block)}`;
    },
  });
  return (state) => {
    const method = clamp(Math.round(state.method), 0, methods.length - 1);
    const block = clamp(Math.round(state.block), 0, blocks.length - 1);
    panels.forEach((panel, at) => {
      set(panel.chosen, { d: at === method ? "" : line(means[method]) });
      set(panel.ruler, { x1: x(block), x2: x(block) });
      set(panel.spot, { cx: x(block), cy: y(means[at][block]) });
      set(panel.frame, { visibility: at === method ? "visible" : "hidden" });
      panel.value.textContent = said(at, block);
      set(panel.where, { x: clamp(x(block), 32, inner - 32) });
      panel.where.textContent = at + across < methods.length ? "" : blocks[block];
    });
    show(method * blocks.length + block);
    const { name, tuned } = methods[method];
    const also = tuned ? `, and ${text(mean(tuned)[block])} when tuned` : "";
    const change = means[method][block] - means[method][trained - 1];
    const since =
      block < trained
        ? "which training reached"
        : `${text(Math.abs(change))} ${change < 0 ? "less" : "more"} than at ${blocks[trained - 1]}, where training ended`;
    figure.say(
      `${name}, positions ${blocks[block]}: ${said(method, block)} ${unit}${also}, ${since}.`,
    );
  };
});
