/* RoPE on one pair of columns: a query and a key, each rotated by its own position. Move both, and
   the wedge between them keeps its angle, and the score its value. With position vectors added
   instead, both change. */
import {
  angleAt,
  apart,
  cells,
  clamp,
  define,
  dial,
  frequencies,
  handle,
  map,
  normals,
  painter,
  path,
  range,
  set,
  sum,
  svg,
  text,
  wedge,
} from "./parts.js";

const PLACES = 24;
const COLUMNS = 16;
const PAIR = 1; // the pair that the dial shows
const METHODS = { rotate: "rotate: RoPE", add: "add position vectors" };

// One token: its embedding, and the matrices that make a query and a key of it.
const normal = normals(7);
const embedding = range(COLUMNS).map(normal);
const [toQuery, toKey] = range(2).map(() =>
  range(COLUMNS).map(() => range(COLUMNS).map(() => normal() / Math.sqrt(COLUMNS))),
);
const times = (matrix, vector) =>
  matrix.map((row) => sum(row.map((entry, at) => entry * vector[at])));
const dot = (a, b) => sum(a.map((entry, at) => entry * b[at]));
const omegas = frequencies(COLUMNS);
const rotated = (vector, position) =>
  vector.map((x, column) => {
    const angle = omegas[column >> 1] * position;
    const other = vector[column ^ 1];
    return x * Math.cos(angle) + (column % 2 ? 1 : -1) * other * Math.sin(angle);
  });
const told = (position) =>
  embedding.map(
    (x, column) => x + Math[column % 2 ? "cos" : "sin"](omegas[column >> 1] * position),
  );
// By method: pair 1 of the query and of the key of the token at each position, and all scores. A
// notebook may have computed them.
const own = () => {
  const rows = {
    rotate: range(PLACES).map((at) => [
      rotated(times(toQuery, embedding), at),
      rotated(times(toKey, embedding), at),
    ]),
    add: range(PLACES).map((at) => [times(toQuery, told(at)), times(toKey, told(at))]),
  };
  const found = {};
  for (const [name, vectors] of Object.entries(rows)) {
    const part = (which) => vectors.map((both) => both[which].slice(2 * PAIR, 2 * PAIR + 2));
    const score = ([query], [, key]) => dot(query, key) / Math.sqrt(COLUMNS);
    const scores = vectors.map((first) => vectors.map((second) => score(first, second)));
    found[name] = { query: part(0), key: part(1), scores };
  }
  return found;
};

define("rotary-plane", { query: 12, key: 5, method: "rotate" }, (figure) => {
  const { narrow } = figure;
  const found = figure.data ?? own();
  const most = Math.max(
    ...Object.keys(METHODS)
      .flatMap((name) => found[name].scores.flat())
      .map(Math.abs),
  );
  const drawing = figure.stage(...(narrow ? [350, 504] : [640, 420]));
  const add = (tag, attributes, ...children) =>
    drawing.appendChild(svg(tag, attributes, ...children));
  const note = (atX, atY, words, kind = "") =>
    add("text", { x: atX, y: atY, class: `f-muted ${kind}` }, words);

  // The dial.
  const r = narrow ? 96 : 130;
  const centre = narrow ? { x: 175, y: 102 } : { x: 156, y: 150 };
  const { group, hand } = dial(r);
  set(group, { transform: `translate(${centre.x} ${centre.y})` });
  const pie = group.appendChild(svg("path", { class: "f-wedge" }));
  const angle = group.appendChild(svg("text", { class: "f-big" }));
  note(0, 14, `pair ${PAIR}`, "f-start");

  // The ruler.
  const [left, right, y] = narrow ? [18, 332, 250] : [18, 294, 350];
  const x = (place) => left + (place / (PLACES - 1)) * (right - left);
  add("line", { x1: left, x2: right, y1: y, y2: y, class: "f-axis" });
  for (const place of range(PLACES))
    add("line", { x1: x(place), x2: x(place), y1: y - 4, y2: y + 4, class: "f-axis" });
  const bar = add("rect", { y: y - 15, height: 30, class: "f-bar" });

  // Scores by offset: their mean along each diagonal of the map, and the least and the most.
  const chart = narrow
    ? { left: 6, right: 160, top: 338, bottom: 476 }
    : { left: 344, right: 632, top: 30, bottom: 140 };
  const across = (offset) =>
    chart.left + ((offset + PLACES - 1) / (2 * PLACES - 2)) * (chart.right - chart.left);
  const height = (score) =>
    (chart.top + chart.bottom) / 2 - (score / most) * ((chart.bottom - chart.top) / 2);
  note(
    chart.left,
    chart.top - 16,
    narrow ? "score by offset" : "score, by offset of the key",
    "f-start",
  );
  add("line", { x1: chart.left, x2: chart.right, y1: height(0), y2: height(0), class: "f-mesh" });
  add("line", { x1: across(0), x2: across(0), y1: chart.top, y2: chart.bottom, class: "f-mesh" });
  note(chart.left, chart.bottom + 20, narrow ? "before" : `${PLACES - 1} before`, "f-start");
  note(chart.right, chart.bottom + 20, narrow ? "after" : `${PLACES - 1} after`, "f-end");
  const band = add("path", { class: "f-wedge" });
  const curve = add("path", { class: "f-curve" });
  const ball = add("circle", { r: 7, class: "f-ball" });

  // The map of all scores.
  const size = narrow ? 156 : 208;
  const at = narrow ? { x: 190, y: 330 } : { x: 384, y: 208 };
  const cell = size / PLACES;
  const grid = drawing.appendChild(map({ ...at, width: size, height: size }));
  note(at.x, at.y - 10, narrow ? "query ↓  key →" : "all scores: query ↓, key →", "f-start");
  const diagonal = add("path", { class: "f-diagonal" });
  const spot = add("rect", { width: cell + 4, height: cell + 4, class: "f-mark" });

  const alongRuler = (point) => ((point.x - left) / (right - left)) * (PLACES - 1);
  // Of the places within half a turn or so, the one whose hand points there.
  const alongDial = (name) => (point, now) => {
    const angles = found[figure.state.method][name].map((entries) => Math.atan2(...entries));
    const wanted = angleAt(point, centre);
    const miss = (place) => Math.abs(apart(angles[place], wanted));
    const near = range(PLACES).filter((place) => Math.abs(place - now) <= 4);
    return near.reduce((best, place) => (miss(place) < miss(best) - 1e-9 ? place : best), now);
  };
  let held; // where the bar was taken
  bar.addEventListener("pointerdown", () => {
    held = undefined;
  });
  const common = { min: 0, max: PLACES - 1, page: 5, words: (place) => `position ${place}` };
  const shifted = (to) => {
    const offset = figure.state.key - figure.state.query;
    const query = clamp(to, Math.max(0, -offset), PLACES - 1 - Math.max(0, offset));
    return { query, key: query + offset };
  };
  figure.leads("query", shifted);
  const showBoth = handle(bar, {
    ...common,
    label: "query and key",
    change: (to) => figure.set(shifted(to)),
    along: (point, now) => {
      held ??= now - alongRuler(point);
      return held + alongRuler(point);
    },
  });
  const ends = ["key", "query"].map((name) => {
    const kind = name === "key" ? "f-that" : "f-this";
    const token = add("circle", { cy: y, r: 14, class: `f-token ${kind}` });
    const words = add("text", { y: name === "key" ? y + 34 : y - 24 });
    const pointer = hand(`f-hand ${kind}`);
    const tip = group.appendChild(svg("circle", { r: 18, class: `f-grip ${kind}` }));
    const change = (place) => figure.set({ [name]: place });
    const shows = [
      handle(token, { ...common, label: `${name} on the ruler`, change, along: alongRuler }),
      handle(tip, { ...common, label: `hand of the ${name}`, change, along: alongDial(name) }),
    ];
    return { name, token, words, pointer, tip, shows };
  });
  drawing.append(group);
  figure.choice("method", { label: "positions told by", options: METHODS });

  let painted;
  return (state) => {
    const [query, key] = [state.query, state.key].map((place) =>
      clamp(Math.round(place), 0, PLACES - 1),
    );
    const method = state.method in METHODS ? state.method : "rotate";
    const offset = key - query;
    const { scores } = found[method];
    const { paint, key: theme } = painter(figure.root);
    if (painted !== `${method} ${theme}`) {
      painted = `${method} ${theme}`;
      const colour = (row, column) => paint(scores[row][column] / most);
      set(grid, { href: cells(PLACES, PLACES, colour) });
    }
    const angles = {};
    for (const { name, token, words, pointer, tip, shows } of ends) {
      const place = name === "key" ? key : query;
      angles[name] = Math.atan2(...found[method][name][place]);
      pointer.turn(angles[name]);
      set(tip, { cx: r * Math.sin(angles[name]), cy: -r * Math.cos(angles[name]) });
      set(token, { cx: x(place) });
      set(words, { x: clamp(x(place), left + 14, right - 20) });
      words.textContent = `${name} ${place}`;
      for (const show of shows) show(place);
    }
    showBoth(query);
    set(bar, { x: Math.min(x(query), x(key)) - 14, width: Math.abs(x(query) - x(key)) + 28 });
    const between = apart(angles.key, angles.query);
    const middle = angles.key + between / 2;
    set(pie, { d: wedge(0.55 * r, angles.key, angles.key + between) });
    const away = Math.abs(between) < 0.6 ? -0.35 * r : 0.75 * r; // or behind them
    set(angle, { x: away * Math.sin(middle), y: 6 - away * Math.cos(middle) });
    angle.textContent = `${text(Math.abs((between * 180) / Math.PI), 0)}°`;

    const rowsOf = (far) => range(PLACES).filter((row) => row + far >= 0 && row + far < PLACES);
    const alongOf = (far) => rowsOf(far).map((row) => scores[row][row + far]);
    const offsets = range(2 * PLACES - 1).map((far) => far - PLACES + 1);
    const line = (pick) => offsets.map((far) => [across(far), height(pick(alongOf(far)))]);
    const [lower, upper] = [Math.min, Math.max].map((pick) => line((values) => pick(...values)));
    set(band, { d: `${path([...lower, ...upper.reverse()])}Z` });
    set(curve, { d: path(line((values) => sum(values) / values.length)) });
    set(ball, { cx: across(offset), cy: height(scores[query][key]) });
    const stair = (row, up) => [
      [at.x + (row + offset + up) * cell, at.y + row * cell],
      [at.x + (row + offset + up) * cell, at.y + (row + 1) * cell],
    ];
    const rows = rowsOf(offset);
    const outline = [
      ...rows.flatMap((row) => stair(row, 1)),
      ...[...rows].reverse().flatMap((row) => stair(row, 0).reverse()),
    ];
    set(diagonal, { d: `${path(outline)}Z` });
    set(spot, { x: at.x + key * cell - 2, y: at.y + query * cell - 2 });

    const along = alongOf(offset);
    const [least, largest] = [Math.min(...along), Math.max(...along)];
    const where =
      offset === 0
        ? "at the query"
        : `${Math.abs(offset)} ${offset < 0 ? "before" : "after"} the query`;
    figure.say(
      `query at ${query}, key at ${key}: ${angle.textContent} between the hands, score ${text(scores[query][key])}. ${
        largest - least < 1e-3
          ? `Both are the same wherever the key is ${where}.`
          : `Scores with the key ${where} range from ${text(least)} to ${text(largest)}.`
      }`,
    );
  };
});
