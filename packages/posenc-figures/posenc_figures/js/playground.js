/* One screen to play with positions: the table of a method, how alike its positions are, and what a
   head that looks three positions back attends to. Drag the row. */
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
  softmax,
  sum,
  svg,
  text,
  whole,
} from "./parts.js";

const BACK = 3;
const CURVE = 140;
const NAMES = { sinusoid: "sinusoidal table", rope: "RoPE", alibi: "ALiBi", none: "no positions" };

// What two positions at a distance score, if word vectors are equal: at most 1. ALiBi's is a bias.
const kernel = ({ method, columns, base, factor, slope }) => {
  const omegas = frequencies(columns, base).map((omega) => omega / factor);
  const mean = (distance) => sum(omegas.map((omega) => Math.cos(omega * distance))) / omegas.length;
  return {
    sinusoid: mean,
    rope: mean,
    alibi: (distance) => -slope * Math.abs(distance),
    none: () => 0,
  }[method];
};

// The weights of a query for itself and all before it. A head looks back by rotating its query by
// three positions, where rotations are to be had; 16 is how sure of itself it is.
const weights = (state) => {
  const score = kernel(state);
  const rotates = state.method === "sinusoid" || state.method === "rope";
  const [shift, scale] = rotates ? [BACK, 16] : [0, 1];
  return softmax(range(state.row + 1).map((key) => scale * score(state.row - key - shift)));
};

define(
  "playground",
  {
    method: "sinusoid",
    length: 32,
    columns: 32,
    base: 10_000,
    start: 0,
    factor: 1,
    slope: 0.25,
    row: 20,
  },
  (figure) => {
    const size = figure.narrow ? 340 : 304;
    const tall = 210; // of the maps; of curves it is CURVE
    const drawing = figure.narrow
      ? figure.stage(350, 2 * (tall + 40) + 2 * (CURVE + 60))
      : figure.stage(640, tall + CURVE + 104);
    const tops = figure.narrow
      ? [0, tall + 40, 2 * (tall + 40), 2 * (tall + 40) + CURVE + 60]
      : [0, 0, tall + 48, tall + 48];
    const panel = (at, words) => {
      const [x, y] = [figure.narrow ? 5 : (at % 2) * 334, tops[at] + 24];
      const group = drawing.appendChild(svg("g", { transform: `translate(${x} ${y})` }));
      const title = group.appendChild(svg("text", { x: 0, y: -8, class: "f-start" }, words));
      return { group, title, x, y };
    };
    const [table, alike, curve, bars] = ["", "how alike positions are", "by distance", ""].map(
      (words, at) => panel(at, words),
    );
    const height = tall;
    const image = table.group.appendChild(map({ width: size, height }));
    const likeness = alike.group.appendChild(map({ width: size, height }));
    const marks = [table, alike].map(({ group }) =>
      group.appendChild(svg("rect", { width: size, class: "f-mark" })),
    );
    const line = curve.group.appendChild(svg("path", { class: "f-curve" }));
    const zero = curve.group.appendChild(svg("line", { x2: size, class: "f-axis" }));
    const ends = [0, size].map((x) =>
      curve.group.appendChild(
        svg("text", { x, y: CURVE + 18, class: x ? "f-end f-muted" : "f-start f-muted" }),
      ),
    );
    const heights = bars.group.appendChild(svg("g"));
    const names = [
      svg("text", { y: CURVE + 18, class: "f-muted f-start" }),
      svg("text", { x: size, y: CURVE + 18, class: "f-muted f-end" }),
    ];
    bars.group.append(...names);
    const show = handle(marks[0], {
      label: "row",
      ...{ min: 0, max: 127, page: 8 },
      change: (row) => figure.set({ row: clamp(row, 0, figure.state.length - 1) }),
      along: ({ y }) => ((y - table.y) / height) * figure.state.length - 0.5,
      words: (row) => `position ${row + figure.state.start}`,
    });
    figure.menu("method", { options: NAMES });
    figure.slider("length", { min: 8, max: 128 });
    figure.slider("columns", { min: 4, max: 128, step: 4 });
    figure.menu("base", {
      options: Object.fromEntries(
        [10, 100, 10_000, 500_000, 1_000_000].map((base) => [base, whole(base)]),
      ),
    });
    const rotated = [
      figure.slider("start", {
        label: "first position",
        max: 5000,
        step: 50,
        words: whole,
        min: 0,
      }),
      figure.slider("factor", { label: "divided by", min: 1, max: 16 }),
    ];
    const sloped = figure.slider("slope", {
      min: 0,
      max: 1,
      step: 0.0625,
      words: (slope) => text(slope, 4),
    });
    return (given) => {
      const state = { ...given, row: clamp(given.row, 0, given.length - 1) };
      const { method, length, columns, base, start, factor, row } = state;
      const [ground, up, down] = ["--f-ground", "--f-positive", "--f-negative"].map((name) =>
        rgb(figure.root, name),
      );
      const paint = (value) => mixed(ground, value < 0 ? down : up, clamp(Math.abs(value), 0, 1));
      const omegas = frequencies(columns, base);
      const score = kernel(state);
      const most = Math.max(1, Math.abs(score(length - 1)));
      alike.title.textContent =
        method === "alibi" ? "for each query and key" : "how alike positions are";
      const entry = {
        sinusoid: (at, column) =>
          Math[column % 2 ? "cos" : "sin"]((omegas[column >> 1] * (at + start)) / factor),
        alibi: (at, key) => score(at - key) / most,
        none: () => 0,
      };
      entry.rope = entry.sinusoid;
      const wide = method === "alibi" ? length : columns;
      set(image, { href: cells(length, wide, (at, column) => paint(entry[method](at, column))) });
      table.title.textContent = {
        sinusoid: "the table",
        rope: "sines and cosines of the rotations",
        alibi: "what is subtracted from scores",
        none: "nothing is added",
      }[method];
      set(likeness, {
        href: cells(length, length, (at, other) => paint(score(at - other) / most)),
      });
      for (const mark of marks)
        set(mark, { y: (row / length) * height - 2, height: height / length + 4 });
      set(zero, { y1: CURVE / 2, y2: CURVE / 2 });
      set(line, {
        d: path(
          range(length).map((at) => [
            (at / (length - 1)) * size,
            CURVE / 2 - ((CURVE / 2 - 6) * score(at)) / most,
          ]),
        ),
      });
      ends[0].textContent = "0";
      ends[1].textContent = `${length - 1} positions apart`;
      const shares = weights(state);
      const width = size / length;
      const best = shares.indexOf(Math.max(...shares));
      heights.replaceChildren(
        ...shares.map((share, key) =>
          svg("rect", {
            x: key * width,
            y: CURVE - CURVE * share,
            width: Math.max(width - 1, 1),
            height: CURVE * share,
            class: row - key === BACK ? "f-wanted" : "f-other",
          }),
        ),
      );
      bars.title.textContent = `where position ${row + start} attends, if it looks ${BACK} back`;
      names[0].textContent = String(start);
      names[1].textContent = String(start + length - 1);
      show(row);
      const back = row - best;
      const even = Math.max(...shares) - Math.min(...shares) < 1e-9;
      const who = `${NAMES[method]}: position ${whole(row + start)} attends`;
      const wanted =
        best === row - BACK ? "" : `; the one ${BACK} back gets ${text(shares[row - BACK] ?? 0)}`;
      const whom = back ? `the one ${back} back` : "itself";
      figure.say(
        even
          ? `${who} to all alike, with ${text(shares[0], 3)} each.`
          : `${who} most to ${whom}, with ${text(shares[best])}${wanted}.`,
      );
      for (const input of rotated) input.parentElement.hidden = !/sinusoid|rope/.test(method);
      sloped.parentElement.hidden = method !== "alibi";
    };
  },
);
