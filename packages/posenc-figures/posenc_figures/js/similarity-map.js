/* How alike any two positions are, in a wide table and in a narrow one. Press a cell: its diagonal
   has one value from end to end. */
import {
  cells,
  clamp,
  define,
  frequencies,
  handle,
  map,
  mixed,
  path,
  range,
  rgb,
  set,
  sum,
  svg,
  text,
} from "./parts.js";

const PLACES = 50;
const WIDTHS = [512, 64];
const likeness = WIDTHS.map((columns) => {
  const omegas = frequencies(columns);
  return range(PLACES).map((k) => sum(omegas.map((omega) => Math.cos(omega * k))) / omegas.length);
});
const LEAST = 0.4; // where the map has no colour

define("similarity-map", { row: 20, column: 12 }, (figure) => {
  const { narrow } = figure;
  const size = narrow ? 300 : 280;
  const drawing = figure.stage(narrow ? 350 : 640, narrow ? 2 * (size + 62) : size + 62);
  const cell = size / PLACES;
  const maps = WIDTHS.map((columns, at) => {
    const [left, top] = narrow ? [34, at * (size + 62) + 26] : [34 + at * 316, 26];
    const add = (name, attributes, ...children) =>
      drawing.appendChild(svg(name, attributes, ...children));
    const image = drawing.appendChild(map({ x: left, y: top, width: size, height: size }));
    add("text", { x: left + size / 2, y: top - 8 }, `${columns} columns`);
    for (const place of [0, PLACES - 1]) {
      add(
        "text",
        { x: left - 6, y: top + place * cell + 10, class: "f-end f-muted" },
        String(place),
      );
    }
    add("text", { x: left, y: top + size + 18, class: "f-start f-muted" }, "position");
    const value = add("text", { x: left + size, y: top + size + 18, class: "f-end f-big" });
    const diagonal = add("path", { class: "f-diagonal" });
    const spot = add("rect", { width: cell, height: cell, class: "f-cell-mark" });
    const grid = add("rect", { x: left, y: top, width: size, height: size, class: "f-grid" });
    const place = (from) => clamp(Math.floor(from / cell), 0, PLACES - 1);
    const show = handle(grid, {
      label: `two positions, with ${columns} columns`,
      ...{ min: 0, max: PLACES ** 2 - 1, page: 5 * PLACES, columns: PLACES },
      change: (at_) => figure.set({ row: Math.floor(at_ / PLACES), column: at_ % PLACES }),
      along: (point) => place(point.y - top) * PLACES + place(point.x - left),
      words: (at_) => `positions ${Math.floor(at_ / PLACES)} and ${at_ % PLACES}`,
    });
    return { left, top, image, value, diagonal, spot, show };
  });
  let painted;
  return ({ row, column }) => {
    const [ground, up] = ["--f-ground", "--f-positive"].map((name) => rgb(figure.root, name));
    const offset = column - row;
    const anew = painted !== String([ground, up]);
    painted = String([ground, up]);
    maps.forEach(({ left, top, image, value, diagonal, spot, show }, at) => {
      const share = (k) => clamp((likeness[at][Math.abs(k)] - LEAST) / (1 - LEAST), 0, 1);
      if (anew) {
        set(image, { href: cells(PLACES, PLACES, (r, c) => mixed(ground, up, share(c - r))) });
      }
      const first = Math.max(0, -offset);
      const last = PLACES - 1 - Math.max(0, offset);
      const corner = (r, c) => [left + c * cell, top + r * cell];
      const outline = [
        ...[corner(first, first + offset), corner(first, first + offset + 1)],
        ...[corner(last, last + offset + 1), corner(last + 1, last + offset + 1)],
        ...[corner(last + 1, last + offset), corner(first + 1, first + offset)],
      ];
      set(diagonal, { d: `${path(outline)}Z` });
      const [x, y] = corner(row, column);
      set(spot, { x, y });
      value.textContent = text(likeness[at][Math.abs(offset)], 4);
      show(row * PLACES + column);
    });
    const values = likeness.map(
      (curve, at) => `${text(curve[Math.abs(offset)], 4)} with ${WIDTHS[at]} columns`,
    );
    figure.say(
      `positions ${row} and ${column}, ${Math.abs(offset)} apart: similarity ${values.join(", ")}, as anywhere on the outlined diagonals.`,
    );
  };
});
