/* Four kinds of position vectors, and which of six wishes each of them grants to a sentence that
   grows under a handle. The picture has its last positions; nothing but the vectors decides. */
import {
  cells,
  clamp,
  define,
  handle,
  map,
  mixed,
  range,
  rgb,
  set,
  sum,
  svg,
  text,
} from "./parts.js";

const COLUMNS = 16;
const SHOWN = 15;
const [LEAST, MOST] = [3, 128];
const FAR = range(21).map((power) => 2 ** power); // past a million
const KINDS = {
  integers: (pos) => range(COLUMNS).map(() => pos),
  fractions: (pos, n) => range(COLUMNS).map(() => pos / n),
  flags: (pos) => range(COLUMNS).map((j) => Number(pos === j)),
  bits: (pos) => range(COLUMNS).map((j) => Math.floor(pos / 2 ** j) % 2),
};
const table = (kind, positions, n) => positions.map((pos) => KINDS[kind](pos, n));
const apart = (a, b) => {
  let squares = 0;
  for (let j = 0; j < COLUMNS; j++) squares += (a[j] - b[j]) ** 2;
  return Math.sqrt(squares);
};
const code = (row) => row.map((entry) => Math.round(100 * entry)).join();
const distinct = (rows) => new Set(rows.map(code)).size === rows.length;
// The least and the largest distance of vectors that are k positions apart.
const spread = (rows, k) => {
  let [least, most] = [Infinity, 0];
  for (let at = k; at < rows.length; at++) {
    const gap = apart(rows[at], rows[at - k]);
    if (gap < least) least = gap;
    if (gap > most) most = gap;
  }
  return [least, most];
};
const same = (spreads) =>
  Math.max(...spreads.map(([, most]) => most)) - Math.min(...spreads.map(([least]) => least)) <
  1e-9;

// A wish is a test of the rows of a sentence of n words, and of the same sentence without its last.
const WISHES = {
  bounded: ({ rows }) => rows.flat().every((entry) => Math.abs(entry) <= 1),
  unique: ({ rows }) => distinct(rows),
  "same step": ({ rows, before }) =>
    [1, 2, 3, 4].every((k) => before.length <= k || same([spread(rows, k), spread(before, k)])),
  "near similar": ({ rows }) => {
    const nearest = range(rows.length - 2).map((at) => spread(rows, at + 2)[0]);
    return spread(rows, 1)[1] < Math.min(...nearest);
  },
  "goes on": ({ kind }) => once(kind, FAR),
  cheap: ({ kind }) => once(kind, range(1000)),
};
// Whether positions get different vectors, which no sentence's length decides.
const known = new Map();
const once = (kind, positions) => {
  const key = `${kind} ${positions.length}`;
  if (!known.has(key)) known.set(key, distinct(table(kind, positions, positions.at(-1) + 1)));
  return known.get(key);
};
const verdicts = (kind, n) => {
  const [rows, before] = [n, n - 1].map((count) => table(kind, range(count), count));
  return Object.values(WISHES).map((wish) => wish({ kind, rows, before }));
};
// Where the last positions of a sentence show what is wrong: [words, first row, last row].
const flaw = (kind, n, first, rows) => {
  if (kind === "integers") {
    const from = Math.max(2, first);
    return from < n ? [`up to ${n - 1}`, from - first, rows.length] : ["", 0, 0];
  }
  if (kind === "fractions") return [`a step: ${text(1 / n, 3)}`, rows.length - 2, rows.length];
  if (kind === "flags") {
    const empty = rows.findIndex((row) => sum(row) === 0);
    if (empty < 0) return [`all ${text(Math.SQRT2)} apart`, 0, 0];
    const twin = empty + 1 < rows.length || first > COLUMNS;
    return [twin ? "all the same" : "no flag left", empty, rows.length];
  }
  const flips = rows.slice(1).map((row, before) => apart(row, rows[before]) ** 2);
  const worst = flips.indexOf(Math.max(...flips));
  const at = first + worst;
  return [`${at} to ${at + 1}: ${Math.round(flips[worst])} flips`, worst, worst + 2];
};

define("wishes", { words: 15 }, (figure) => {
  const sentence = figure.data?.words ?? [];
  const [width, left] = figure.narrow ? [350, 78] : [640, 140];
  const [top, row, lamps] = [86, 15, 356];
  const pitch = (width - left) / 4;
  const drawing = figure.stage(width, lamps + 6 * 26);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  const size = figure.narrow ? "f-tiny" : "";
  // The sentence: a line that grows with the power of its length.
  const [from, to] = [left + 8, width - 20];
  const x = (n) => from + (Math.log(n / LEAST) / Math.log(MOST / LEAST)) * (to - from);
  add("line", { x1: from, x2: to, y1: 30, y2: 30, class: "f-rim" });
  const line = add("line", { x1: from, y1: 30, y2: 30, class: "f-text" });
  const length = add("text", { x: left - 12, y: 35, class: "f-end f-big" });
  const knob = add("circle", { cy: 30, r: 13, class: "f-pull" });
  const names = range(SHOWN).map((at) =>
    add("text", { x: left - 12, y: top + at * row + 12, class: `${size} f-end f-muted` }),
  );
  const kinds = Object.keys(KINDS).map((kind, at) => {
    const start = left + at * pitch;
    add("text", { x: start + (pitch - 14) / 2, y: top - 10 }, kind);
    const picture = map({ x: start, y: top, width: pitch - 14, height: SHOWN * row });
    drawing.append(picture);
    const frame = add("rect", { x: start - 2, width: pitch - 10, class: "f-flaw" });
    const words = add("text", {
      x: start + (pitch - 14) / 2,
      y: top + SHOWN * row + 16,
      class: `${size} f-flawed`,
    });
    const lit = Object.keys(WISHES).map((_, wish) => {
      const group = add("g", {
        transform: `translate(${start + (pitch - 14) / 2} ${lamps + wish * 26 + 8})`,
      });
      group.append(svg("circle", { r: 9 }), svg("path", { class: "f-sign" }));
      return group;
    });
    return { kind, picture, frame, words, lit };
  });
  Object.keys(WISHES).forEach((wish, at) => {
    add("text", { x: left - 12, y: lamps + at * 26 + 13, class: "f-end" }, wish);
  });
  const show = handle(knob, {
    label: "words of the sentence",
    ...{ min: LEAST, max: MOST, page: 10 },
    change: (words) => figure.set({ words }),
    along: (point) => LEAST * (MOST / LEAST) ** ((point.x - from) / (to - from)),
    words: (words) => `${words} words`,
  });
  return (state) => {
    const n = clamp(Math.round(state.words), LEAST, MOST);
    const first = Math.max(0, n - SHOWN);
    const count = Math.min(n, SHOWN);
    length.textContent = figure.narrow ? `n = ${n}` : `${n} words`;
    set(line, { x2: x(n) });
    set(knob, { cx: x(n) });
    names.forEach((name, at) => {
      const position = first + at;
      const word = figure.narrow ? "" : (sentence[position] ?? "");
      name.textContent = at < count ? `${word} ${position}`.trim() : "";
    });
    const colours = ["--f-ground", "--f-positive", "--f-danger"].map((name) =>
      rgb(figure.root, name),
    );
    const over = mixed(colours[0], colours[2], 0.35);
    const granted = kinds.map(({ kind, picture, frame, words, lit }) => {
      const entries = table(
        kind,
        range(count).map((at) => first + at),
        n,
      );
      const colour = (value) => (value > 1 ? over : mixed(colours[0], colours[1], value));
      set(picture, { href: cells(SHOWN, COLUMNS, (t, j) => colour(entries[t]?.[j] ?? 0)) });
      const [what, begin, end] = flaw(kind, n, first, entries);
      words.textContent = what;
      set(frame, { y: top + begin * row - 1.5, height: Math.max(0, (end - begin) * row + 2) });
      set(frame, { display: end > begin ? "inline" : "none" });
      const found = verdicts(kind, n);
      found.forEach((yes, at) => {
        set(lit[at], { class: yes ? "f-lamp f-yes" : "f-lamp" });
        set(lit[at].lastChild, { d: yes ? "M-4.5 0l3 3.5l6 -7" : "M-3 -3l6 6m0 -6l-6 6" });
      });
      return `${kind} ${sum(found.map(Number))}`;
    });
    show(n);
    figure.say(`${n} words. Wishes granted, of six: ${granted.join(", ")}.`);
  };
});
