/* RoPE on one pair of columns: a query and a key, each rotated by its own position. Move both, and
   the wedge between them keeps its angle, and the score its value. With positions added instead,
   as in the sinusoidal table, the score changes. */
import {
  angleAt,
  cells,
  clamp,
  define,
  dial,
  frequencies,
  handle,
  map,
  mixed,
  normals,
  path,
  range,
  rgb,
  set,
  sum,
  svg,
  text,
  wedge,
} from "./parts.js";

const PLACES = 24;
const COLUMNS = 16;
const PAIR = 1; // the pair that the dial shows
const TURN = 2 * Math.PI;

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
  const found = { omega: omegas[PAIR] };
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
  const most = ({ scores }) => Math.max(...scores.flat().map(Math.abs));
  const drawing = figure.stage(narrow ? 350 : 640, narrow ? 640 : 420);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  const r = 104;
  const centre = narrow ? { x: 175, y: 124 } : { x: 160, y: 128 };
  const { group, hand } = dial(r);
  set(group, { transform: `translate(${centre.x} ${centre.y})` });
  const pie = group.appendChild(svg("path", { class: "f-wedge" }));
  const hands = { key: hand("f-hand f-that"), query: hand("f-hand f-this") };
  const tips = { key: "f-that", query: "f-this" };
  for (const [name, kind] of Object.entries(tips))
    tips[name] = group.appendChild(svg("circle", { r: 18, class: `f-grip ${kind}` }));
  const angle = group.appendChild(svg("text", { class: "f-big" }));
  drawing.append(group);
  // The ruler.
  const [left, right, y] = narrow ? [16, 334, 284] : [16, 306, 300];
  const x = (place) => left + (place / (PLACES - 1)) * (right - left);
  for (const place of range(PLACES))
    add("line", { x1: x(place), x2: x(place), y1: y - 4, y2: y + 4, class: "f-axis" });
  add("line", { x1: left, x2: right, y1: y, y2: y, class: "f-axis" });
  const bar = add("rect", { y: y - 14, height: 28, class: "f-bar" });
  const tokens = {
    key: add("circle", { cy: y, r: 13, class: "f-token f-that" }),
    query: add("circle", { cy: y, r: 13, class: "f-token f-this" }),
  };
  const names = { key: add("text", { y: y + 32 }), query: add("text", { y: y - 20 }) };
  // The map of all scores, and the touched diagonal.
  const size = narrow ? 240 : 264;
  const at = narrow ? { x: 60, y: 352 } : { x: 360, y: 40 };
  const image = add("image", {});
  image.replaceWith(map({ ...at, width: size, height: size }));
  const grid = drawing.querySelector("image");
  const cell = size / PLACES;
  const diagonal = add("path", { class: "f-diagonal" });
  const spot = add("rect", { width: cell, height: cell, class: "f-mark" });
  add("text", { x: at.x + size / 2, y: at.y - 10 }, "scores: query down, key across");
  const [low, high] = narrow ? [0, 0] : [at.y + size + 20, at.y + size + 90];
  const curve = narrow ? null : add("path", { class: "f-curve" });
  const ball = narrow ? null : add("circle", { r: 6, class: "f-ball" });
  if (!narrow) {
    add("line", {
      x1: at.x,
      x2: at.x + size,
      y1: (low + high) / 2,
      y2: (low + high) / 2,
      class: "f-rim",
    });
    add(
      "text",
      { x: at.x + size / 2, y: high + 22, class: "f-muted" },
      "score along the outlined diagonal",
    );
  }
  const both = (to) => {
    const { query, key } = figure.state;
    const offset = query - key;
    const moved = clamp(to, Math.max(0, -offset), PLACES - 1 - Math.max(0, offset));
    figure.set({ key: moved, query: moved + offset });
  };
  const alongRuler = (point) => ((point.x - left) / (right - left)) * (PLACES - 1);
  const alongDial = (name) => (point, now) => {
    const shown = Math.atan2(...found[figure.state.method][name][now]);
    const turn = (((angleAt(point, centre) - shown) % TURN) + TURN) % TURN;
    return now - (turn > Math.PI ? turn - TURN : turn) / found.omega;
  };
  const common = { min: 0, max: PLACES - 1, page: 5, words: (place) => `position ${place}` };
  const shows = [];
  let from;
  bar.addEventListener("pointerdown", () => {
    from = undefined;
  });
  const alongBar = (point, now) => {
    from ??= { at: alongRuler(point), now };
    return from.now + alongRuler(point) - from.at;
  };
  shows.push([
    () => figure.state.key,
    handle(bar, { ...common, label: "both", change: both, along: alongBar }),
  ]);
  for (const name of ["key", "query"]) {
    const change = (place) => figure.set({ [name]: place });
    shows.push([
      () => figure.state[name],
      handle(tokens[name], { ...common, label: `${name} on the ruler`, change, along: alongRuler }),
    ]);
    shows.push([
      () => figure.state[name],
      handle(tips[name], {
        ...common,
        label: `hand of the ${name}`,
        change,
        along: alongDial(name),
      }),
    ]);
  }
  figure.menu("method", {
    label: "tell positions",
    options: { rotate: "rotate queries and keys (RoPE)", add: "add position vectors" },
  });
  return ({ query, key, method }) => {
    const [ground, up, down] = ["--f-ground", "--f-positive", "--f-negative"].map((name) =>
      rgb(figure.root, name),
    );
    const { scores } = found[method];
    const largest = most(found[method]);
    set(grid, {
      href: cells(PLACES, PLACES, (row, column) => {
        const share = scores[row][column] / largest;
        return mixed(ground, share < 0 ? down : up, Math.abs(share));
      }),
    });
    const angles = {};
    for (const [name, place] of Object.entries({ query, key })) {
      angles[name] = Math.atan2(...found[method][name][place]);
      const length = r;
      const tip = { x: length * Math.sin(angles[name]), y: -length * Math.cos(angles[name]) };
      set(hands[name].line, { x2: tip.x, y2: tip.y });
      set(tips[name], { cx: tip.x, cy: tip.y });
      set(tokens[name], { cx: x(place) });
      set(names[name], { x: clamp(x(place), left + 24, right - 24) });
      names[name].textContent = `${name} ${place}`;
    }
    const apart = ((((angles.query - angles.key) % TURN) + 3 * Math.PI) % TURN) - Math.PI;
    set(pie, { d: wedge(r * 0.5, angles.key, angles.key + apart) });
    const middle = angles.key + apart / 2;
    set(angle, { x: 0.72 * r * Math.sin(middle), y: 5 - 0.72 * r * Math.cos(middle) });
    angle.textContent = `${text(Math.abs((apart * 180) / Math.PI), 0)}°`;
    set(bar, { x: Math.min(x(query), x(key)), width: Math.max(1, Math.abs(x(query) - x(key))) });
    const offset = query - key;
    const line = range(PLACES).filter((place) => place - offset >= 0 && place - offset < PLACES);
    const corner = (row, column) => [at.x + column * cell, at.y + row * cell];
    const outline = [];
    for (const row of line) outline.push(corner(row, row - offset), corner(row, row - offset + 1));
    for (const row of [...line].reverse())
      outline.push(corner(row + 1, row - offset + 1), corner(row + 1, row - offset));
    set(diagonal, { d: `${path(outline)}Z` });
    const [spotX, spotY] = corner(query, key);
    set(spot, { x: spotX, y: spotY });
    if (curve) {
      const height = (value) => (low + high) / 2 - (value / largest) * ((high - low) / 2);
      set(curve, {
        d: path(line.map((row) => [at.x + (row + 0.5) * cell, height(scores[row][row - offset])])),
      });
      set(ball, { cx: at.x + (query + 0.5) * cell, cy: height(scores[query][key]) });
    }
    for (const [value, show] of shows) show(value());
    const along = line.map((row) => scores[row][row - offset]);
    const spread = Math.max(...along) - Math.min(...along);
    const where = `query at ${query}, key at ${key}: score ${text(scores[query][key])}`;
    figure.say(
      spread < 1e-3
        ? `${where}. The offset is ${text(offset, 0)}, and wherever both go together, the score stays.`
        : `${where}. At the same offset, ${text(offset, 0)}, scores differ by up to ${text(spread)}.`,
    );
  };
});
