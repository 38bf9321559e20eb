/* A vector of eight columns, rotated by its position in each of the two layouts. Choose a column:
   its partner is beside it in one, and half a vector away in the other. Drag the position. */
import {
  clamp,
  define,
  frequencies,
  handle,
  needsWhite,
  range,
  set,
  signed,
  svg,
  text,
} from "./parts.js";

const VECTOR = [1, 0.2, -0.6, 0.8, 0.4, -1, 0.6, -0.2];
const D = VECTOR.length;
const LAST = 30;
const OMEGAS = frequencies(D);
// For each layout the partner of a column, and its pair.
const LAYOUTS = {
  interleaved: (column) => [column ^ 1, column >> 1],
  halves: (column) => [(column + D / 2) % D, column % (D / 2)],
};
const rotated = (partnerOf, position) =>
  VECTOR.map((x, column) => {
    const [partner, pair] = partnerOf(column);
    const angle = OMEGAS[pair] * position;
    return x * Math.cos(angle) + (partner < column ? 1 : -1) * VECTOR[partner] * Math.sin(angle);
  });

define("partners", { column: 1, position: 5 }, (figure) => {
  const [width, left, cell] = figure.narrow ? [350, 6, 42] : [640, 112, 64];
  const tall = 36;
  const tops = figure.narrow ? [30, 134, 236] : [14, 96, 196];
  const ruler = tops[2] + tall + 44;
  const drawing = figure.stage(width, ruler + 34);
  const add = (tag, attributes, ...children) =>
    drawing.appendChild(svg(tag, attributes, ...children));
  const middle = (column) => left + (column + 0.5) * cell;
  const rows = ["as it was", ...Object.keys(LAYOUTS)].map((name, at) => {
    const y = tops[at];
    const place = figure.narrow
      ? { x: left, y: y - (at ? 30 : 8), class: "f-start" }
      : { x: left - 12, y: y + 23, class: "f-end" };
    add("text", place, name);
    const boxes = range(D).map((column) => ({
      box: add("rect", { x: left + column * cell, y, width: cell - 2, height: tall }),
      value: add("text", { x: middle(column) - 1, y: y + 23 }),
    }));
    return { y, boxes, partnerOf: LAYOUTS[name] };
  });
  const links = rows.slice(1).map(({ y, partnerOf }) =>
    range(D)
      .filter((column) => partnerOf(column)[0] > column)
      .map((column) => {
        const [from, to] = [middle(column), middle(partnerOf(column)[0])];
        const up = Math.min(22, 12 + (to - from) / 20);
        const d = `M${from} ${y - 2}C${from} ${y - up} ${to} ${y - up} ${to} ${y - 2}`;
        return { column, line: add("path", { d, class: "f-link" }) };
      }),
  );
  const marks = rows.map(() =>
    range(2).map(() => add("rect", { width: cell - 2, height: tall, class: "f-cell-mark" })),
  );
  for (const column of range(D)) {
    add(
      "text",
      { x: middle(column) - 1, y: tops[0] + tall + 15, class: "f-tiny f-muted" },
      String(column),
    );
  }
  const grip = add("rect", {
    x: left,
    y: tops[0],
    width: D * cell,
    height: tops[2] + tall - tops[0],
    class: "f-grid",
  });
  const showColumn = handle(grip, {
    label: "column",
    ...{ min: 0, max: D - 1, columns: D },
    change: (column) => figure.set({ column }),
    along: (point) => Math.floor((point.x - left) / cell),
    words: (column) => `column ${column}`,
  });
  const x = (position) => left + 12 + (position / LAST) * (D * cell - 26);
  add("line", { x1: x(0), x2: x(LAST), y1: ruler, y2: ruler, class: "f-axis" });
  for (const at of range(7).map((tick) => 5 * tick)) {
    add("line", { x1: x(at), x2: x(at), y1: ruler, y2: ruler + 5, class: "f-axis" });
    add("text", { x: x(at), y: ruler + 28, class: "f-muted" }, String(at));
  }
  add(
    "text",
    figure.narrow
      ? { x: left, y: ruler - 22, class: "f-start" }
      : { x: left - 12, y: ruler + 5, class: "f-end" },
    "position",
  );
  const knob = add("circle", { cy: ruler, r: 12, class: "f-pull" });
  const showPosition = handle(knob, {
    label: "position",
    ...{ min: 0, max: LAST, page: 5 },
    change: (position) => figure.set({ position }),
    along: (point) => ((point.x - x(0)) / (x(LAST) - x(0))) * LAST,
    words: (position) => `position ${position}`,
  });
  return (state) => {
    const column = clamp(Math.round(state.column), 0, D - 1);
    const position = clamp(Math.round(state.position), 0, LAST);
    const told = rows.map(({ y, boxes, partnerOf }, at) => {
      const values = partnerOf ? rotated(partnerOf, position) : VECTOR;
      boxes.forEach(({ box, value }, one) => {
        set(box, { fill: signed(values[one] / 1.6) });
        set(value, { class: needsWhite(values[one] / 1.6) ? "f-on-dark" : "f-ink" });
        value.textContent = text(values[one]);
      });
      const partner = partnerOf ? partnerOf(column)[0] : column;
      [column, partner].forEach((one, which) => {
        set(marks[at][which], { x: left + one * cell, y });
      });
      return values[column];
    });
    links.forEach((row, at) => {
      const [partner] = rows[at + 1].partnerOf(column);
      for (const link of row) {
        const mine = link.column === Math.min(column, partner);
        set(link.line, { class: mine ? "f-link f-chosen" : "f-link" });
      }
    });
    set(knob, { cx: x(position) });
    showColumn(column);
    showPosition(position);
    const words = Object.entries(LAYOUTS).map(([name, partnerOf], at) => {
      const [partner, pair] = partnerOf(column);
      return `in ${name} with column ${partner}, by ${text(OMEGAS[pair] * position)} radians, to ${text(told[at + 1])}`;
    });
    figure.say(`Column ${column} at position ${position} is rotated ${words.join("; ")}.`);
  };
});
