/* Heat maps that a notebook has computed, for each step of a parameter. Press a cell: its value is
   read in all maps of that size.

   Data: parameter, steps (their names), menu (in place of a slider), digits, words (a sentence for
   each step), stacked, lamps {title, names, lit (a list for each step)}, and panels [{title, tables
   (one for each step, or one for all; null is empty), range, outlined [[row, column]]}]. What says
   how rows and columns are called stands in a panel or beside them: rows and columns (a noun),
   row_names and column_names (a list, or a list for each entry of the menu row_menu or
   column_menu), and numbers, which are written into the cells. */
import {
  cells,
  clamp,
  define,
  handle,
  map,
  mixed,
  needsWhite,
  range,
  rgb,
  set,
  svg,
  text,
} from "./parts.js";

const LETTER = 6.8; // how wide one is
const KEY = 48; // how wide the strip of all colours is
const longest = (ways) =>
  Math.max(...Object.values(ways).flatMap((all) => all.map((one) => one.length)));
const chosen = (ways, key) => ways[key] ?? Object.values(ways)[0];

// A panel with what all have in common, and the names of its rows and columns: numbers, a list, or a
// list for each entry of a menu.
const complete = (data, own) => {
  const panel = { range: [-1, 1], outlined: [], title: "", rows: "", columns: "", ...data, ...own };
  const [down, across] = [panel.tables[0].length, panel.tables[0][0].length];
  const ways = (given, many) =>
    given && !Array.isArray(given) ? given : { "": given ?? range(many).map(String) };
  const names = [ways(panel.row_names, down), ways(panel.column_names, across)];
  return { ...panel, across, down, names };
};
const shared = (panel, other, which) =>
  JSON.stringify(panel.names[which]) === JSON.stringify(other?.names[which]);

define("maps", { step: 0, panel: 0, row: 0, column: 0, rows: "", columns: "" }, (figure) => {
  const data = figure.data ?? { panels: [{ tables: [[[0]]] }] };
  const { steps = [""], parameter, digits = 2, lamps } = data;
  const { narrow } = figure;
  const panels = data.panels.map((own) => complete(data, own));
  const [width, line, size] = narrow ? [350, 13, "f-tiny"] : [640, 15, ""];
  const stacked = narrow || data.stacked;
  const drawing = figure.stage(width, 10);
  const add = (name, attributes, words = "") => drawing.appendChild(svg(name, attributes, words));
  const write = (left, base, kind, words = "") =>
    add("text", { x: left, y: base, class: `${size} ${kind}` }, words);
  const called = (panel, place) =>
    [panel.rows, panel.columns]
      .map((what, which) => {
        const name = chosen(panel.names[which], figure.state[which ? "columns" : "rows"])[
          place[which]
        ];
        return /^\d/.test(name) ? `${what} ${name}`.trim() : name;
      })
      .join(", ");
  const margins = panels.map((panel, at) =>
    !stacked && shared(panel, panels[at - 1], 0)
      ? 20
      : Math.max(26, LETTER * longest(panel.names[0]) + 10),
  );
  const free = stacked ? Math.max(...margins) : margins.reduce((total, one) => total + one);
  const room = (width - free - 8) / (stacked ? 1 : panels.length);
  let [x, y, bottom, end] = [stacked ? free : margins[0], 24, 0, 0];
  const views = panels.map((panel, at) => {
    const { across, down, names, numbers } = panel;
    const most = across === down ? 400 : narrow ? 220 : 300;
    const wide = Math.min(room, across === down ? most : room) / across;
    const least = panel.row_names ? line : 4;
    const tall = numbers ? 30 : clamp(wide, least, Math.max(least, most / down));
    const box = { x, y, width: wide * across, height: tall * down };
    const place = (row, column) => ({ x: box.x + column * wide, y: box.y + row * tall });
    const of = (one) => [Math.floor(one / across), one % across];
    const cell = { width: wide, height: tall };
    const [right, under] = [x + box.width, y + box.height];
    write(x, y - 8, "f-start f-method", panel.title);
    let key;
    if (String(panels[at - 1]?.range) !== String(panel.range)) {
      key = drawing.appendChild(map({ x: right - KEY - 12, y: y - 18, width: KEY, height: 10 }));
      write(right - KEY - 16, y - 8, "f-end f-muted", text(panel.range[0], 0));
      write(right, y - 8, "f-end f-muted", text(panel.range[1], 0));
    }
    const image = drawing.appendChild(map(box));
    add("rect", { ...box, class: "f-plain" });
    for (const one of panel.outlined) add("rect", { ...place(...one), ...cell, class: "f-pair" });
    const written = range(numbers ? across * down : 0).map((one) => {
      const corner = place(...of(one));
      return write(corner.x + wide / 2, corner.y + tall / 2 + 4.5, "");
    });
    // Names of some rows and columns, where maps beside or above each other don't share them.
    const some = (many, pitch, needed, draw) => {
      const every = [1, 2, 4, 5, 8, 10, 16, 20, 32].find((n) => n * pitch >= needed) ?? many;
      return range(many)
        .filter((one) => one % every === 0)
        .map((one) => [one, draw(one)]);
    };
    const first = stacked || !shared(panel, panels[at - 1], 0);
    const last = !stacked || !shared(panel, panels[at + 1], 1);
    const labels = [
      some(first ? down : 0, tall, line, (row) =>
        write(box.x - 6, place(row, 0).y + tall / 2 + 4.5, "f-end f-muted"),
      ),
      some(last ? across : 0, wide, longest(names[1]) * LETTER + 6, (column) =>
        write(place(0, column).x + wide / 2, under + line + 1, "f-muted"),
      ),
    ];
    const named = stacked ? !shared(panel, panels[at + 1], 0) : first;
    const foot = under + (last ? 2 * line + 3 : named && panel.rows ? line + 3 : 4);
    if (last) write(right, foot, "f-end", panel.columns && `${panel.columns} →`);
    if (named) write(x, foot, "f-start", panel.rows && `${panel.rows} ↓`);
    const mark = add("rect", { ...cell, class: "f-cell-mark" });
    const show = handle(add("rect", { ...box, class: "f-grid" }), {
      label: panel.title || "map",
      ...{ min: 0, max: across * down - 1, page: 5 * across, columns: across },
      change: (one) => figure.set({ panel: at, row: of(one)[0], column: of(one)[1] }),
      along: (point) =>
        clamp(Math.floor((point.y - box.y) / tall), 0, down - 1) * across +
        clamp(Math.floor((point.x - box.x) / wide), 0, across - 1),
      words: (one) => called(panel, of(one)),
    });
    bottom = Math.max(bottom, foot + 6);
    end = Math.max(end, right + 8);
    [x, y] = stacked ? [x, bottom + 26] : [right + (margins[at + 1] ?? 0), y];
    return { ...panel, key, image, written, labels, mark, show, place };
  });
  const bulbs = (lamps?.names ?? []).map((name, at) => {
    const centre = (at + 0.5) * (width / lamps.names.length);
    write(centre, bottom + 68, "", name);
    const bulb = add("circle", { cx: centre, cy: bottom + 42, r: 10 });
    return { bulb, sign: add("text", { x: centre, y: bottom + 47, class: "f-sign" }) };
  });
  if (lamps) write(0, bottom + 20, "f-start f-method", lamps.title);
  const height = bottom + (lamps ? 76 : 0);
  set(drawing, { viewBox: `${Math.min(0, (end - width) / 2)} 0 ${width} ${height}`, height });
  const listed = Object.fromEntries(steps.map((name, at) => [at, name]));
  const limits = { min: 0, max: steps.length - 1, words: (at) => steps[at] };
  if (data.menu) figure.menu("step", { label: parameter, options: listed });
  else if (steps.length > 1) figure.slider("step", { label: parameter, ...limits });
  [
    ["rows", data.row_menu],
    ["columns", data.column_menu],
  ].forEach(([key, label], which) => {
    const options = Object.fromEntries(Object.keys(views[0].names[which]).map((one) => [one, one]));
    if (label) figure.menu(key, { label, options });
  });
  return (state) => {
    const step = clamp(Math.round(state.step), 0, steps.length - 1);
    const panel = views[state.panel] ?? views[0];
    const row = clamp(Math.round(state.row), 0, panel.down - 1);
    const column = clamp(Math.round(state.column), 0, panel.across - 1);
    const [ground, up, below, none] = ["ground", "positive", "negative", "line"].map((name) =>
      rgb(figure.root, `--f-${name}`),
    );
    const read = [];
    for (const view of views) {
      const { tables, down, across, written, names } = view;
      const table = tables[step] ?? tables[0];
      const high = view.range[1];
      const colour = (value) =>
        value === null
          ? mixed(ground, none, 0.5)
          : mixed(ground, value < 0 ? below : up, Math.min(1, Math.abs(value) / high));
      set(view.image, { href: cells(down, across, (r, c) => colour(table[r][c])) });
      const [low] = view.range;
      if (view.key)
        set(view.key, {
          href: cells(1, KEY, (_, c) => colour(low + (c / (KEY - 1)) * (high - low))),
        });
      const numbers = table.flat();
      written.forEach((words, one) => {
        const value = numbers[one];
        words.textContent = value === null ? "?" : text(value, digits);
        words.classList.toggle("f-on-dark", needsWhite(value / high));
      });
      [state.rows, state.columns].forEach((key, which) => {
        for (const [at, words] of view.labels[which])
          words.textContent = chosen(names[which], key)[at];
      });
      const alike = down === panel.down && across === panel.across;
      set(view.mark, { visibility: alike ? "visible" : "hidden", ...view.place(row, column) });
      view.show(alike ? row * across + column : 0);
      const here = alike ? table[row][column] : undefined;
      const entry = here === null ? "empty" : alike && text(here, digits);
      if (alike) read.push(`${view.title} ${entry}`.trim());
    }
    bulbs.forEach(({ bulb, sign }, at) => {
      set(bulb, { class: lamps.lit[step][at] ? "f-tip" : "f-dark-lamp" });
      sign.textContent = lamps.lit[step][at] ? "✓" : "";
    });
    const setting = steps.length > 1 ? `${data.menu ? "" : parameter} ${steps[step]}, ` : "";
    const more = data.words?.[step] ?? "";
    figure.say(`${setting}${called(panel, [row, column])}: ${read.join("; ")}. ${more}`.trim());
  };
});
