/* A picture cut into patches, and a veil over each: the less its position vector resembles that of
   the chosen patch, the thicker. Drag the patch over the picture. If the axes have columns of their
   own, what stays clear is a cross; if they are added, it is two spots, mirror images; a notebook
   that has drawn waves at random gives their similarities, and they make a round spot. */
import {
  cells,
  clamp,
  define,
  frequencies,
  handle,
  map,
  range,
  rgb,
  set,
  sum,
  svg,
  text,
} from "./parts.js";

const SIDE = 14;
const COLUMNS = 768;
const LEAST = 0.7; // where the veil hides a patch
const RULER = 5; // patches, at which drawn waves are half as similar
// g by offset, for the columns of one axis and for all of them.
const [half, full] = [COLUMNS / 2, COLUMNS].map((columns) => {
  const omegas = frequencies(columns);
  return range(SIDE).map((k) => sum(omegas.map((omega) => Math.cos(omega * k))) / omegas.length);
});
const alike = {
  side: (a, b) => (half[Math.abs(a.y - b.y)] + half[Math.abs(a.x - b.x)]) / 2,
  added: (a, b) => {
    const g = (k) => full[Math.abs(k)];
    const product = g(a.y - b.y) + g(a.x - b.x) + g(a.y - b.x) + g(a.x - b.y);
    return product / (2 * Math.sqrt((1 + g(a.y - a.x)) * (1 + g(b.y - b.x))));
  },
};
const patches = range(SIDE ** 2).map((at) => ({ y: Math.floor(at / SIDE), x: at % SIDE }));
const named = ({ y, x }) => `(${y}, ${x})`;

// In patches, from the top left.
const SCENE = [
  ["rect", { width: SIDE, height: SIDE, class: "f-sky" }],
  ["circle", { cx: 10.6, cy: 2.6, r: 1.4, class: "f-sun" }],
  ["path", { d: "M0 8.6C2 5.4 4 5.2 6.6 8.2C9 4.6 11.6 4.8 14 7.4V14H0Z", class: "f-far" }],
  ["path", { d: "M0 10.4C4 8.4 8 9 14 11.2V14H0Z", class: "f-hill" }],
  ["rect", { x: 2.7, y: 7.4, width: 0.6, height: 3, class: "f-trunk" }],
  ["circle", { cx: 3, cy: 6.3, r: 1.8, class: "f-crown" }],
  ["rect", { x: 8.5, y: 8.8, width: 2.8, height: 2.1, class: "f-wall" }],
  ["path", { d: "M8 8.9L9.9 7.2L11.8 8.9Z", class: "f-roof" }],
  ["rect", { x: 9.5, y: 9.6, width: 0.8, height: 1.3, class: "f-roof" }],
];

define("patches", { row: 3, column: 7, way: "side" }, (figure) => {
  const { narrow, data } = figure;
  const ways = { ...alike };
  if (data) ways.drawn = (a, b) => data[b.y - a.y + SIDE - 1][b.x - a.x + SIDE - 1];
  const cell = narrow ? 22 : 30;
  const size = cell * SIDE;
  const [left, top] = narrow ? [34, 22] : [84, 22];
  const drawing = figure.stage(narrow ? 350 : 640, top + size + (narrow ? 84 : 26));
  const add = (tag, attributes, ...children) =>
    drawing.appendChild(svg(tag, attributes, ...children));
  const note = (x, y, words, kind = "") => add("text", { x, y, class: `f-muted ${kind}` }, words);
  // A mark that is seen on any colour.
  const mark = (tag, attributes) =>
    ["f-halo", "f-cell-mark"].map((kind) => add(tag, { ...attributes, class: kind }));

  const scene = add("g", { transform: `translate(${left} ${top}) scale(${cell})` });
  for (const [tag, attributes] of SCENE) scene.append(svg(tag, attributes));
  const veil = drawing.appendChild(map({ x: left, y: top, width: size, height: size }));
  const cuts = range(SIDE + 1).map((at) => at * cell);
  const lines = cuts.map((at) => `M${left + at} ${top}v${size}M${left} ${top + at}h${size}`);
  add("path", { d: lines.join(""), class: "f-cut" });
  note(left - 8, top + cell / 2 + 5, narrow ? "0" : "row 0", "f-end");
  note(left - 8, top + size - cell / 2 + 5, String(SIDE - 1), "f-end");
  note(left, top + size + 18, "column 0", "f-start");
  note(left + size - cell / 2, top + size + 18, String(SIDE - 1));

  // The key to the veil.
  const key = narrow
    ? { x: left + 90, y: top + size + 40, width: 170, height: 16 }
    : { x: left + size + 30, y: top + 40, width: 20, height: 210 };
  add("rect", { ...key, class: "f-sky" });
  const strip = drawing.appendChild(map(key));
  note(...(narrow ? [left, key.y + 13] : [key.x, top + 20]), "similarity", "f-start");
  const tick = (value, words) => {
    const share = (value - LEAST) / (1 - LEAST);
    if (narrow) note(key.x + share * key.width, key.y + 34, words);
    else note(key.x + 28, key.y + (1 - share) * key.height + 5, words, "f-start");
  };
  for (const value of [0.8, 0.9, 1]) tick(value, String(value));
  tick(LEAST, `${LEAST} or less`);

  const mirror = add("path", {
    class: "f-diagonal f-dashed",
    d: `M${left} ${top}l${size} ${size}`,
  });
  const ruler = add("path", { class: "f-diagonal f-dashed" });
  const away = add("text", { class: "f-outlined" }, `${RULER} patches away`);
  const ring = mark("circle", { r: 0.72 * cell });
  const same = add("text", { class: "f-outlined" }, "same vector");
  const frame = mark("rect", { width: cell, height: cell });
  const grip = svg("rect", { width: cell, height: cell, class: "f-patch" });
  const whole = svg("rect", { x: left, y: top, width: size, height: size, class: "f-grid" });
  const place = (from) => clamp(Math.floor(from / cell), 0, SIDE - 1);
  const show = handle(add("g", { class: "f-picture" }, whole, grip), {
    label: "the patch",
    ...{ min: 0, max: SIDE ** 2 - 1, page: 5 * SIDE, columns: SIDE },
    change: (at) => figure.set({ row: patches[at].y, column: patches[at].x }),
    along: (point) => place(point.y - top) * SIDE + place(point.x - left),
    words: (at) => `row ${patches[at].y}, column ${patches[at].x}`,
  });
  figure.choice("way", {
    label: "columns of the two axes",
    options: { side: "side by side", added: "added", ...(data && { drawn: "drawn waves" }) },
  });

  return (state) => {
    const way = state.way in ways ? state.way : "side";
    const here = { y: place(state.row * cell), x: place(state.column * cell) };
    const twin = { y: here.x, x: here.y };
    const mirrored = way === "added" && twin.y !== here.y;
    const ground = rgb(figure.root, "--f-ground");
    const veiled = (value) => [...ground, 240 * clamp((1 - value) / (1 - LEAST), 0, 1)];
    const values = patches.map((there) => ways[way](here, there));
    set(veil, { href: cells(SIDE, SIDE, (y, x) => veiled(values[y * SIDE + x])) });
    const steps = range(31).map((at) => veiled(LEAST + ((1 - LEAST) * at) / 30));
    set(strip, {
      href: narrow ? cells(1, 31, (_, at) => steps[at]) : cells(31, 1, (at) => steps[30 - at]),
    });
    const corner = { x: left + here.x * cell, y: top + here.y * cell };
    for (const one of [...frame, grip]) set(one, corner);
    const circled = data && way !== "added";
    if (circled) {
      let pen = "M";
      const arcs = range(361).map((at) => {
        const angle = (at * Math.PI) / 180;
        const x = corner.x + cell * (0.5 + RULER * Math.cos(angle));
        const y = corner.y + cell * (0.5 + RULER * Math.sin(angle));
        const within = x >= left && x <= left + size && y >= top && y <= top + size;
        const move = within ? `${pen}${x.toFixed(1)} ${y.toFixed(1)}` : "";
        pen = within ? "L" : "M";
        return move;
      });
      set(ruler, { d: arcs.join("") });
      const beyond = here.y < SIDE / 2 ? RULER * cell + 18 : -RULER * cell - 6;
      const x = clamp(corner.x + cell / 2, left + 52, left + size - 52);
      set(away, { x, y: corner.y + cell / 2 + beyond });
    }
    for (const one of [ruler, away]) one.style.display = circled ? "" : "none";
    const middle = { x: left + (twin.x + 0.5) * cell, y: top + (twin.y + 0.5) * cell };
    for (const one of ring) set(one, { cx: middle.x, cy: middle.y });
    const beside = middle.y + (twin.y < here.y ? -0.9 * cell : 0.9 * cell + 11);
    set(same, { x: clamp(middle.x, left + 42, left + size - 42), y: beside });
    for (const one of [...ring, same]) one.style.display = mirrored ? "" : "none";
    mirror.style.display = way === "added" ? "" : "none";
    show(here.y * SIDE + here.x);

    const least = Math.min(...values);
    const far = `similarity falls to ${text(least)}, at ${named(patches[values.indexOf(least)])}`;
    const vectors = mirrored
      ? `${named(twin)} has the same vector`
      : "no other patch has the same vector";
    figure.say(`patch ${named(here)}: ${vectors}; ${far}.`);
  };
});
