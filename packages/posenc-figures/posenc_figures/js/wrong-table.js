/* A table with a mistake: choose the mistake and a cell, and see which formula filled it. Or let a
   mistake be hidden, and open as few cells as you can until you know it. */
import { clamp, define, handle, needsWhite, range, set, signed, svg, text } from "./parts.js";

const SIZE = 8; // rows, and columns
const even = (column) => column - (column % 2);
const of = (column) => (column % 2 ? "cos" : "sin");
// An entry: how it is computed in words, and its value.
const power = (name, position, top, { base = 10_000, unit = "" } = {}) => {
  const angle = position / base ** (top / SIZE);
  return {
    formula: `${name}(${text(position, 0)}${unit} / ${base}^(${top}/${SIZE}))`,
    value: Math[name](unit ? (angle * Math.PI) / 180 : angle),
  };
};
const right = (row, column) => power(of(column), row, even(column));
const MISTAKES = {
  "odd-denominators": (row, column) => power(of(column), row, column),
  "doubled-exponent": (row, column) => power(of(column), row, 2 * even(column)),
  "shifted-index": (row, column) => power(of(column), row, even(column) + 2),
  "wrong-base": (row, column) => power(of(column), row, even(column), { base: 1000 }),
  degrees: (row, column) => power(of(column), row, even(column), { unit: "°" }),
  "sine-everywhere": (row, column) => power("sin", row, even(column)),
  "cosine-everywhere": (row, column) => power("cos", row, even(column)),
  "negated-angle": (row, column) => power(of(column), -row, even(column)),
  "position-parity": (row, column) => power(of(row), row, column),
  "one-based-positions": (row, column) => right(row + 1, column),
  "reversed-positions": (row, column) => right(SIZE - 1 - row, column),
  transposed: (row, column) => right(column, row),
  "cosine-first": (row, column) => right(row, column ^ 1),
  "halves-layout": (row, column) => right(row, 2 * (column % 4) + (column >> 2)),
};

define("wrong-table", { mistake: "odd-denominators", row: 3, column: 1 }, (figure) => {
  const { narrow } = figure;
  const [left, top, wide, high] = narrow ? [22, 26, 41, 32] : [30, 26, 48, 33];
  const across = SIZE * wide;
  const bottom = top + SIZE * high;
  const checks = figure.data?.checks ?? [];
  const words = narrow ? { x: 175, y: bottom + 34 } : { x: 530, y: top + 60 };
  const lampsAt = narrow ? bottom + 190 : bottom + 34;
  const end = checks.length ? lampsAt + 34 : narrow ? lampsAt - 30 : bottom + 8;
  const drawing = figure.stage(narrow ? 350 : 640, end);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  const at = (row, column) => ({ x: left + column * wide, y: top + row * high });
  const boxes = range(SIZE * SIZE).map((cell) => {
    const { x, y } = at(Math.floor(cell / SIZE), cell % SIZE);
    return {
      rect: add("rect", { x, y, width: wide, height: high }),
      ring: add("rect", {
        x: x + 2,
        y: y + 2,
        width: wide - 4,
        height: high - 4,
        class: "f-wrong",
      }),
      value: add("text", { x: x + wide / 2, y: y + high / 2 + 5 }),
    };
  });
  for (const one of range(SIZE)) {
    add("text", { x: left - 8, y: at(one, 0).y + high / 2 + 5, class: "f-end" }, String(one));
    add("text", { x: at(0, one).x + wide / 2, y: top - 8, class: "f-muted" }, String(one));
  }
  const mark = add("rect", { width: wide, height: high, class: "f-cell-mark" });
  const grid = add("rect", { x: left, y: top, width: across, height: across, class: "f-grid" });
  set(grid, { height: SIZE * high });
  const lines = range(6).map((line) =>
    add("text", {
      ...{ x: words.x, y: words.y + (narrow ? 22 : 26) * line + (line > 2 ? 12 : 0) },
      class: line % 3 ? "" : "f-muted",
    }),
  );
  const lamps = checks.map((check, one) => {
    const [gap, first] = narrow ? [50, 25] : [60, 48];
    const group = add("g", { transform: `translate(${first + one * gap} ${lampsAt})` });
    const bulb = group.appendChild(svg("circle", { r: 11 }));
    const sign = group.appendChild(svg("text", { y: 5 }));
    group.append(svg("text", { y: 28, class: narrow ? "f-tiny" : "" }, check));
    return { bulb, sign };
  });
  let hidden; // the game: which mistake, the cells that are open, and what was said of a guess
  const open = () => {
    if (!hidden || hidden.found) return;
    hidden.cells.add(figure.state.row * SIZE + figure.state.column);
    hidden.reply = "";
    figure.set({});
  };
  grid.addEventListener("click", open);
  grid.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open();
  });
  const show = handle(grid, {
    label: "cell of the table",
    ...{ min: 0, max: SIZE * SIZE - 1, page: SIZE, columns: SIZE },
    change: (cell) => figure.set({ row: Math.floor(cell / SIZE), column: cell % SIZE }),
    along: ({ x, y }) =>
      SIZE * clamp(Math.floor((y - top) / high), 0, SIZE - 1) +
      clamp(Math.floor((x - left) / wide), 0, SIZE - 1),
    words: (cell) => `position ${Math.floor(cell / SIZE)}, column ${cell % SIZE}`,
  });
  const chips = Object.keys(MISTAKES).map((name) => {
    const chip = figure.button(name, () => {
      if (!hidden || hidden.found) hidden = undefined;
      else {
        hidden.found = name === hidden.name;
        hidden.reply = hidden.found ? `Found with ${hidden.cells.size} cells. ` : `Not ${name}. `;
        if (!hidden.found) return figure.set({});
      }
      return figure.set({ mistake: name });
    });
    return [name, chip];
  });
  const game = figure.button("find a hidden mistake", () => {
    const names = Object.keys(MISTAKES);
    const playing = hidden && !hidden.found;
    const name = names[Math.floor(Math.random() * names.length)];
    hidden = playing ? undefined : { name, cells: new Set(), reply: "" };
    figure.set({});
  });
  return ({ mistake, row, column }) => {
    const playing = Boolean(hidden && !hidden.found);
    const wrong = MISTAKES[playing ? hidden.name : mistake] ?? right;
    const differs = (r, c) => text(wrong(r, c).value) !== text(right(r, c).value);
    let count = 0;
    for (const [cell, { rect, ring, value }] of boxes.entries()) {
      const place = [Math.floor(cell / SIZE), cell % SIZE];
      const shut = playing && !hidden.cells.has(cell);
      const { value: number } = wrong(...place);
      count += differs(...place);
      rect.style.fill = shut ? "var(--f-surface)" : signed(number);
      value.textContent = shut ? "" : text(number);
      value.classList.toggle("f-on-dark", needsWhite(number));
      ring.style.display = !shut && differs(...place) ? "" : "none";
    }
    set(mark, at(row, column));
    show(row * SIZE + column);
    const shut = playing && !hidden.cells.has(row * SIZE + column);
    const [used, due] = [wrong(row, column), right(row, column)];
    const equals = playing ? (shut ? "?" : text(used.value, 4)) : `= ${text(used.value, 4)}`;
    const said = ["in this table", playing ? "" : used.formula, equals, "should be", due.formula];
    for (const [line, sentence] of [...said, `= ${text(due.value, 4)}`].entries())
      lines[line].textContent = sentence;
    const caught = figure.data?.caught[mistake] ?? [];
    for (const [one, { bulb, sign }] of lamps.entries()) {
      const fails = playing ? null : caught[one];
      set(bulb, { class: fails ? "f-unseen" : fails === false ? "f-tip" : "f-dark-lamp" });
      set(sign, { class: fails === null ? "f-muted" : "f-sign" });
      sign.textContent = fails ? "✗" : fails === false ? "✓" : "?";
    }
    for (const [name, chip] of chips) chip.ariaPressed = String(!playing && name === mistake);
    game.textContent = playing ? "give up" : "find a hidden mistake";
    const failing = checks.filter((_, one) => caught[one]);
    const where = `position ${row}, column ${column}`;
    figure.say(
      playing
        ? `${hidden.reply}A mistake is hidden: open cells and choose its name. ${hidden.cells.size} open; ${where} ${shut ? "is shut" : `holds ${text(used.value)} for ${text(due.value)}`}.`
        : `${hidden?.reply ?? ""}${mistake}: ${where} is ${used.formula} = ${text(used.value, 4)} where ${text(due.value, 4)} is right; ${count} of ${SIZE * SIZE} cells differ${failing.length ? `; caught by ${failing.join(", ")}` : ""}.`,
    );
  };
});
