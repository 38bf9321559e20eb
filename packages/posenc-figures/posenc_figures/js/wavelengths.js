/* The wavelengths of all pairs of a table, each a dot on a logarithmic axis. Drag the open circle,
   where the pairs would end and never do: its height is the base. Drag the text's length, too. */
import { clamp, define, frequencies, handle, path, range, set, svg, text, whole } from "./parts.js";

const DECADES = 8;
const TURN = 2 * Math.PI;

// Bases and lengths of two digits, ten of them a decade.
const rounded = (power) => Number((10 ** power).toPrecision(2));

define("wavelengths", { base: 10_000, columns: 12, length: 50 }, (figure) => {
  const { narrow } = figure;
  const [width, height] = narrow ? [350, 350] : [640, 380];
  const [left, right, top, bottom] = narrow
    ? [80, width - 4, 32, height - 42]
    : [80, width - 110, 32, height - 46];
  const drawing = figure.stage(width, height);
  const add = (tag, attributes, ...children) =>
    drawing.appendChild(svg(tag, attributes, ...children));
  const y = (positions) => bottom - (Math.log10(positions) / DECADES) * (bottom - top);
  const powerAt = (point) => ((bottom - point.y) / (bottom - top)) * DECADES;
  const x = (share) => left + 14 + share * (right - left - 28);
  const shade = add("rect", { x: left, width: right - left, class: "f-seen" });
  for (const decade of range(DECADES + 1)) {
    const at = y(10 ** decade);
    add("line", { x1: left, x2: right, y1: at, y2: at, class: "f-mesh" });
    if (decade % 2 === 0) {
      const words = whole(10 ** decade);
      const shown = words.replace(",000,000", " million");
      add("text", { x: left - 8, y: at + 5, class: "f-end f-muted" }, shown);
    }
  }
  add("text", { x: 0, y: 13, class: "f-start f-muted" }, "positions for one rotation");
  add("text", { x: (left + right) / 2, y: bottom + 34, class: "f-muted" }, "pair i");
  const ends = ["0", ""].map((words, at) =>
    add("text", { x: x(at), y: bottom + 18, class: "f-muted" }, words),
  );
  const line = add("path", { class: "f-curve f-thin" });
  const dots = drawing.appendChild(svg("g"));
  const slowest = add("text", { class: narrow ? "f-end" : "f-start" });
  const fastest = add("text", { class: "f-start" }, text(TURN));
  const reach = add("line", { x1: left, x2: right, class: "f-cursor" });
  const length = add("text", {});
  const band = add("rect", { x: left, width: right - left, height: 28, class: "f-grip" });
  const out = add("text", { class: narrow ? "f-end f-muted" : "f-start f-muted" });
  const end = add("circle", { cx: x(1), r: 11, class: "f-pull" });
  const showBase = handle(end, {
    label: "base",
    ...{ min: 1, max: 7, step: 0.1, page: 1 },
    change: (power) => figure.set({ base: rounded(power) }),
    along: (point) => powerAt(point) - Math.log10(TURN),
    words: (power) => `base ${whole(rounded(power))}`,
  });
  const showLength = handle(band, {
    label: "length of a text",
    ...{ min: 1, max: 6, step: 0.1, page: 1 },
    change: (power) => figure.set({ length: rounded(power) }),
    along: powerAt,
    words: (power) => `${whole(rounded(power))} positions`,
  });
  figure.menu("columns", { options: { 12: "12", 128: "128", 512: "512" } });
  return (state) => {
    const { base, length: positions } = state;
    const columns = 2 * clamp(Math.round(state.columns / 2), 1, 512);
    const waves = frequencies(columns, base).map((omega) => TURN / omega);
    const points = waves.map((wave, i) => [x(i / waves.length), y(wave)]);
    const r = columns > 200 ? 1.5 : columns > 20 ? 3 : 6;
    dots.replaceChildren(
      ...points.map(([cx, cy], i) =>
        set(svg("circle"), { cx, cy, r, class: waves[i] <= positions ? "f-known" : "f-later" }),
      ),
    );
    set(line, { d: path([...points, [x(1), y(TURN * base)]]) });
    set(end, { cy: y(TURN * base) });
    const [[, first], last] = [points[0], points.at(-1)];
    set(fastest, { x: x(0) + 10, y: first + 18 });
    set(slowest, { x: narrow ? last[0] - 12 : x(1) + 20, y: narrow ? last[1] - 8 : last[1] + 5 });
    slowest.textContent = columns > 20 && narrow ? "" : whole(waves.at(-1));
    set(out, { x: narrow ? x(1) - 18 : x(1) + 20, y: y(TURN * base) - 12 });
    out.textContent = `left out: ${whole(TURN * base)}`;
    set(reach, { y1: y(positions), y2: y(positions) });
    set(shade, { y: y(positions), height: bottom - y(positions) });
    set(band, { y: y(positions) - 14 });
    const above = positions > TURN * base; // and there the dots leave room on the left
    const [place, lower] = above ? [left + 8, -8] : [right - 8, 18];
    set(length, { x: place, y: y(positions) + lower, class: above ? "f-start" : "f-end" });
    length.textContent = `${narrow ? "" : "a text of "}${whole(positions)} positions`;
    ends[1].textContent = String(waves.length);
    showBase(Math.log10(base));
    showLength(Math.log10(positions));
    const within = waves.filter((wave) => wave <= positions).length;
    figure.say(
      `base ${whole(base)}, ${columns} columns: wavelengths from ${text(waves[0])} to ${whole(waves.at(-1))} positions; ${within} of ${waves.length} pairs ${within === 1 ? "completes" : "complete"} a rotation within ${whole(positions)}.`,
    );
  };
});
