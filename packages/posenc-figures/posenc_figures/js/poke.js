/* The table of ten positions in six columns: choose a cell and see what it is made of. */
import {
  clamp,
  define,
  dial,
  frequencies,
  handle,
  needsWhite,
  range,
  set,
  signed,
  svg,
  text,
} from "./parts.js";

const ROWS = 10;
const COLUMNS = 6;
const FUNCTIONS = ["sin", "cos"];
const KINDS = ["f-sine", "f-cosine"];

define("poke", { row: 3, column: 2, base: 10_000 }, (figure) => {
  const { narrow } = figure;
  const [left, top, wide, high, r] = narrow ? [22, 50, 54, 30, 54] : [30, 50, 62, 31, 74];
  const [right, bottom] = [left + COLUMNS * wide, top + ROWS * high];
  const centre = narrow ? { x: 68, y: bottom + 76 } : { x: 528, y: 216 };
  const drawing = figure.stage(narrow ? 350 : 640, narrow ? bottom + 140 : bottom + 6);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  const middle = (column) => left + (column + 0.5) * wide;
  const boxes = range(ROWS).map((row) =>
    range(COLUMNS).map((column) => {
      const at = { x: left + column * wide, y: top + row * high };
      return {
        rect: add("rect", { ...at, width: wide, height: high }),
        value: add("text", { x: middle(column), y: at.y + high / 2 + 5 }),
      };
    }),
  );
  const rowNames = range(ROWS).map((row) =>
    add("text", { x: left - 8, y: top + (row + 0.5) * high + 5, class: "f-end" }, String(row)),
  );
  add("text", { x: left - 2, y: top - 8, class: "f-end f-muted" }, "pos");
  const names = range(COLUMNS).map((column) =>
    add(
      "text",
      { x: middle(column), y: top - 8, class: KINDS[column % 2] },
      `${FUNCTIONS[column % 2]} ${column}`,
    ),
  );
  const denominators = range(COLUMNS / 2).map((pair) =>
    add("text", { x: left + (2 * pair + 1) * wide, y: top - 30 }),
  );
  for (const pair of [1, 2]) {
    const x = left + 2 * pair * wide;
    add("line", { x1: x, x2: x, y1: top, y2: bottom, class: "f-pair" });
  }
  const alongRow = add("rect", { x: left, width: right - left, height: high, class: "f-hover" });
  const alongColumn = add("rect", { y: top, width: wide, height: bottom - top, class: "f-hover" });
  const mark = add("rect", { width: wide, height: high, class: "f-cell-mark" });
  const grid = add("rect", {
    ...{ x: left, y: top, width: right - left, height: bottom - top },
    class: "f-grid",
  });
  const lines = range(3).map((line) =>
    add("text", {
      ...(narrow
        ? { x: 146, y: bottom + 46 + 26 * line, class: "f-start" }
        : { x: centre.x, y: top + 8 + 26 * line }),
    }),
  );
  lines[0].classList.add("f-big");
  const { group, hand } = dial(r);
  set(group, { transform: `translate(${centre.x} ${narrow ? centre.y : centre.y + 6})` });
  const shadows = KINDS.map((kind) =>
    group.appendChild(svg("line", { class: `f-shadow ${kind}` })),
  );
  const pointer = hand();
  drawing.append(group);
  const both = KINDS.map((kind, at) =>
    add("text", {
      ...(narrow
        ? { x: 146 + 106 * at, y: bottom + 128, class: `${kind} f-start` }
        : { x: centre.x, y: bottom - 22 + 22 * at, class: kind }),
    }),
  );
  const cellAt = ({ x, y }) => ({
    row: clamp(Math.floor((y - top) / high), 0, ROWS - 1),
    column: clamp(Math.floor((x - left) / wide), 0, COLUMNS - 1),
  });
  const place = (cell) => {
    set(alongRow, { y: top + cell.row * high });
    set(alongColumn, { x: left + cell.column * wide });
    for (const [row, name] of rowNames.entries()) name.classList.toggle("f-lit", row === cell.row);
    for (const [column, name] of names.entries())
      name.classList.toggle("f-lit", column === cell.column);
    for (const [pair, name] of denominators.entries())
      name.classList.toggle("f-lit", pair === cell.column >> 1);
  };
  grid.addEventListener("pointermove", ({ clientX, clientY }) =>
    place(cellAt(new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM().inverse()))),
  );
  grid.addEventListener("pointerleave", () => place(figure.state));
  const show = handle(grid, {
    label: "cell of the table",
    ...{ min: 0, max: ROWS * COLUMNS - 1, page: COLUMNS, columns: COLUMNS },
    change: (cell) => figure.set({ row: Math.floor(cell / COLUMNS), column: cell % COLUMNS }),
    along: (point) => {
      const { row, column } = cellAt(point);
      return row * COLUMNS + column;
    },
    words: (cell) => `position ${Math.floor(cell / COLUMNS)}, column ${cell % COLUMNS}`,
  });
  return ({ row, column, base }) => {
    const omegas = frequencies(COLUMNS, base);
    const entry = (at, j) => Math[FUNCTIONS[j % 2]](at * omegas[j >> 1]);
    for (const [at, line] of boxes.entries()) {
      for (const [j, { rect, value }] of line.entries()) {
        rect.style.fill = signed(entry(at, j));
        value.textContent = text(entry(at, j), 4);
        value.classList.toggle("f-on-dark", needsWhite(entry(at, j)));
      }
    }
    const divisor = (at) => (at ? text(1 / omegas[at], 4) : "1");
    for (const [at, name] of denominators.entries()) name.textContent = `÷ ${divisor(at)}`;
    const pair = column >> 1;
    const angle = row * omegas[pair];
    place({ row, column });
    set(mark, { x: left + column * wide, y: top + row * high });
    pointer.turn(angle);
    set(shadows[0], { x2: r * Math.sin(angle) });
    set(shadows[1], { y2: -r * Math.cos(angle) });
    const name = FUNCTIONS[column % 2];
    const result = text(entry(row, column), 4);
    const formula = `${name}(${row} / ${divisor(pair)})`;
    lines[0].textContent = `${formula} = ${result}`;
    lines[1].textContent = `the angle is ${text(angle, 4)} radians`;
    lines[2].textContent = `${divisor(pair)} = ${base}^(${2 * pair}/${COLUMNS})`;
    both[0].textContent = `sine ${text(Math.sin(angle), 4)}`;
    both[1].textContent = `cosine ${text(Math.cos(angle), 4)}`;
    show(row * COLUMNS + column);
    figure.say(
      `position ${row}, column ${column}: ${formula} = ${result}, the ${column % 2 ? "cosine" : "sine"} of pair ${pair}'s angle, ${text(angle, 4)}.`,
    );
  };
});
