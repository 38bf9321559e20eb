/* The table as a map of cells, one pixel a cell, and a lens that enlarges some of them: drag it. */
import {
  angleAt,
  cells,
  clamp,
  define,
  dial,
  frequencies,
  handle,
  map,
  needsWhite,
  painter,
  range,
  set,
  signed,
  svg,
  text,
  whole,
} from "./parts.js";

define("lens", { rows: 50, columns: 512, base: 10_000, row: 12, column: 40 }, (figure) => {
  const { narrow } = figure;
  const { rows, columns } = figure.state;
  const wide = Math.min(narrow ? 4 : 8, columns);
  const high = Math.min(narrow ? 5 : 6, rows);
  const [width, left] = narrow ? [350, 28] : [640, 36];
  const across = width - left - 2;
  const down = clamp((across * rows) / columns, 150, 230);
  const top = 20;
  const under = top + down + 56;
  const cell = { width: (narrow ? width : width - 150) / wide, height: 30 };
  const bottom = under + high * cell.height;
  const drawing = figure.stage(width, bottom + (narrow ? 140 : 8));
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  const table = drawing.appendChild(map({ x: left, y: top, width: across, height: down }));
  // Where the screen has fewer pixels than the table has columns, every other pair, or third, is drawn.
  const every = Math.ceil(columns / (across * devicePixelRatio));
  const drawn = 2 * Math.ceil(columns / 2 / every);
  const some = every > 1 ? `; drawn is one pair of ${every}` : "";
  add("text", { x: left, y: 13, class: "f-start f-muted" }, `column 0 … ${columns - 1}${some}`);
  add("text", { x: left - 6, y: top + 12, class: "f-end f-muted" }, "0");
  add("text", { x: left - 6, y: top + down, class: "f-end f-muted" }, String(rows - 1));
  const frame = add("rect", {
    width: Math.max((wide / columns) * across, 12),
    height: Math.max((high / rows) * down, 12),
    class: "f-mark f-lens",
  });
  const grip = add("rect", { width: 44, height: 44, class: "f-grip" });
  const upDown = add("rect", { x: 0, width: left - 4, height: 28, rx: 4, class: "f-pull f-side" });
  const title = add("text", { x: 0, y: under - 26, class: "f-start" });
  const boxes = range(high).map((row) =>
    range(wide).map((column) => {
      const at = { x: column * cell.width, y: under + row * cell.height };
      return {
        rect: add("rect", { ...at, width: cell.width - 1, height: cell.height - 1 }),
        value: add("text", { x: at.x + cell.width / 2, y: at.y + 20, class: "f-value" }),
      };
    }),
  );
  const names = range(wide).map((column) =>
    add("text", { x: (column + 0.5) * cell.width, y: under - 6, class: "f-muted" }),
  );
  const centre = narrow
    ? { x: 175, y: bottom + 64 }
    : { x: width - 66, y: under + high * cell.height - 66 };
  const { group, hand } = dial(54);
  set(group, { transform: `translate(${centre.x} ${centre.y})` });
  const shadows = ["sine", "cosine"].map((kind) =>
    group.appendChild(svg("line", { class: `f-shadow f-${kind}` })),
  );
  const pointer = hand();
  const tip = group.appendChild(svg("circle", { r: 16, class: "f-grip" }));
  drawing.append(group);
  const most = { row: rows - high, column: columns - wide };
  const showColumn = handle(grip, {
    label: "lens, across",
    ...{ min: 0, max: most.column, step: 2, page: 16 },
    change: (column) => figure.set({ column }),
    along: (point) => {
      const row = clamp(Math.round(((point.y - top) / down) * rows - high / 2), 0, most.row);
      if (row !== figure.state.row) figure.set({ row });
      return ((point.x - left) / across) * columns - wide / 2;
    },
    words: (column) => `columns ${column} to ${column + wide - 1}`,
  });
  const showRow = handle(upDown, {
    label: "lens, down",
    ...{ min: 0, max: most.row, page: 5 },
    change: (row) => figure.set({ row }),
    along: (point) => ((point.y - top) / down) * rows - high / 2,
    words: (row) => `positions ${row} to ${row + high - 1}`,
  });
  figure.leads("row");
  const omegas = frequencies(columns, figure.state.base);
  const entry = (row, column) => Math[column % 2 ? "cos" : "sin"](omegas[column >> 1] * row);
  const showTip = handle(tip, {
    label: "hand of the pair, by which the lens goes down",
    ...{ min: 0, max: most.row, page: 5 },
    change: (row) => figure.set({ row }),
    along: (point, now) => {
      const omega = omegas[clamp(figure.state.column, 0, most.column) >> 1];
      const turn =
        (((angleAt(point, centre) - omega * now) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
      return now + (turn > Math.PI ? turn - 2 * Math.PI : turn) / omega;
    },
    words: (row) => `position ${row}`,
  });
  let painted;
  return (state) => {
    const row = clamp(Math.round(state.row), 0, most.row);
    const column = 2 * Math.floor(clamp(state.column, 0, most.column) / 2);
    const { paint, key } = painter(figure.root);
    if (painted !== key) {
      painted = key;
      const colour = (r, j) => paint(entry(r, 2 * every * (j >> 1) + (j % 2)));
      set(table, { href: cells(rows, drawn, colour) });
    }
    const at = { x: left + (column / columns) * across, y: top + (row / rows) * down };
    set(frame, at);
    const middle = {
      x: at.x + ((wide / columns) * across) / 2,
      y: at.y + ((high / rows) * down) / 2,
    };
    set(grip, { x: middle.x - 22, y: middle.y - 22 });
    set(upDown, { y: clamp(middle.y - 14, top, top + down - 28) });
    title.textContent = `positions ${row} to ${row + high - 1}, columns ${column} to ${column + wide - 1}`;
    for (const [r, line] of boxes.entries()) {
      for (const [c, { rect, value }] of line.entries()) {
        const number = entry(row + r, column + c);
        rect.style.fill = signed(number);
        value.textContent = text(number);
        value.classList.toggle("f-on-dark", needsWhite(number));
      }
    }
    for (const [c, name] of names.entries())
      name.textContent = `${(column + c) % 2 ? "cos" : "sin"} ${(column + c) >> 1}`;
    const omega = omegas[column >> 1];
    pointer.turn(omega * row);
    set(tip, { cx: 54 * Math.sin(omega * row), cy: -54 * Math.cos(omega * row) });
    set(shadows[0], { x2: 54 * Math.sin(omega * row) });
    set(shadows[1], { y2: -54 * Math.cos(omega * row) });
    showColumn(column);
    showRow(row);
    showTip(row);
    const turn = (2 * Math.PI) / omega;
    figure.say(
      `position ${row}, pair ${column >> 1}: sine ${text(entry(row, column))}, cosine ${text(entry(row, column + 1))}; this pair needs ${turn < 100 ? text(turn, 1) : whole(turn)} positions for a turn.`,
    );
  };
});
