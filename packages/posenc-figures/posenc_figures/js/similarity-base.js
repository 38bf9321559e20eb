/* Similarity by offset, and the straight line that it follows on a logarithmic axis. Drag the end of
   the line: it is where the base puts it. */
import { define, frequencies, handle, path, range, set, sum, svg, text, whole } from "./parts.js";

const GAMMA = 0.5772156649015329; // Euler's
const FAR = 5; // the axis ends at offset 10 ** FAR
const spots = [...new Set(range(191).map((at) => Math.round(10 ** ((at / 190) * FAR))))];

define("similarity-base", { base: 10_000, columns: 512 }, (figure) => {
  const { narrow } = figure;
  const [width, left, right] = narrow ? [350, 40, 340] : [640, 44, 624];
  const [top, bottom, low] = [20, 270, -0.6];
  const drawing = figure.stage(width, bottom + 46);
  const add = (tag, attributes, ...children) =>
    drawing.appendChild(svg(tag, attributes, ...children));
  const x = (k) => left + (Math.log10(k) / FAR) * (right - left);
  const y = (g) => top + ((1 - g) / (1 - low)) * (bottom - top);
  for (const g of [1, 0.5, 0, -0.5]) {
    add("line", { x1: left, x2: right, y1: y(g), y2: y(g), class: g ? "f-mesh" : "f-axis" });
    add("text", { x: left - 6, y: y(g) + 5, class: "f-end f-muted" }, text(g, 1));
  }
  for (const power of range(FAR + 1)) {
    const anchor = power === FAR ? "f-end f-muted" : "f-muted";
    add("text", { x: x(10 ** power), y: bottom + 18, class: anchor }, whole(10 ** power));
  }
  add("text", { x: right, y: bottom + 38, class: "f-end" }, "offset k");
  const dots = spots.map((k) => add("circle", { cx: x(k), r: 2.5, class: "f-known" }));
  const line = add("path", { class: "f-curve f-straight" });
  const end = add("circle", { cy: y(0), r: 13, class: "f-pull" });
  const title = add("text", { y: y(0) - 26 });
  const bases = range(13).map((at) => (at % 2 ? 3 : 1) * 10 ** (1 + Math.floor(at / 2))); // to 10^7
  const reached = bases.filter((base) => base * Math.exp(-GAMMA) <= 10 ** FAR);
  const nearest = (k) =>
    reached.reduce(
      (best, base, at) =>
        Math.abs(Math.log(base) - GAMMA - Math.log(k)) <
        Math.abs(Math.log(reached[best]) - GAMMA - Math.log(k))
          ? at
          : best,
      0,
    );
  const show = handle(end, {
    label: "base, by where the line ends",
    ...{ min: 0, max: reached.length - 1, page: 2 },
    change: (at) => figure.set({ base: reached[at] }),
    along: (point) => nearest(10 ** (((point.x - left) / (right - left)) * FAR)),
    words: (at) => `base ${whole(reached[at])}`,
  });
  figure.menu("columns", { options: { 16: "16", 64: "64", 512: "512" } });
  return ({ base, columns }) => {
    const omegas = frequencies(columns, base);
    const g = (k) => sum(omegas.map((omega) => Math.cos(omega * k))) / omegas.length;
    for (const [at, k] of spots.entries()) {
      const value = g(k);
      set(dots[at], { cy: y(value) });
    }
    const zero = base * Math.exp(-GAMMA);
    const one = Math.exp(-GAMMA);
    set(line, {
      d: path([
        [x(1), y(1 - (0 - Math.log(one)) / Math.log(base))],
        [x(zero), y(0)],
      ]),
    });
    set(end, { cx: x(zero) });
    set(title, { x: Math.min(x(zero), right - 50) });
    title.textContent = `base ${whole(base)}`;
    show(Math.max(0, reached.indexOf(base)));
    figure.say(
      `base ${whole(base)}, ${columns} columns: the line reaches 0 near offset ${whole(zero)}, and g(1) is ${text(g(1), 3)}.`,
    );
  };
});
