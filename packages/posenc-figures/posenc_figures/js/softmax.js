/* One row of attention: scores, the weights that softmax makes of them, and the mean of the values.
   Drag a score: its weight grows, and all the others shrink. */
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
  softmax,
  sum,
  svg,
  text,
} from "./parts.js";

const MOST = 4; // of a score
const STEPS = 2 * MOST * 10 + 1;
const ROW = 20;
const TOP = 24;
const NONE = { query: "", words: ["", ""], scores: [0, 1], values: [[0], [1]] };

define("softmax", { word: 0, scores: "", less: false }, (figure) => {
  const { query, words, scores: own, values } = figure.data ?? NONE;
  const [width, zero, unit, weighed, heavy, strips] = figure.narrow
    ? [350, 112, 15, 184, 84, 274]
    : [640, 190, 28, 330, 150, 500];
  const rows = words.length;
  const bottom = TOP + rows * ROW;
  const wide = width - strips - 4;
  const drawing = figure.stage(width, bottom + 42);
  const add = (tag, attributes, ...children) =>
    drawing.appendChild(svg(tag, attributes, ...children));
  for (const [x, name] of [
    [zero, "score"],
    [weighed + heavy / 2, "weight"],
    [strips + wide / 2, "value"],
  ]) {
    add("text", { x, y: 14, class: "f-muted" }, name);
  }
  const band = add("rect", { x: 0, width, height: ROW, class: "f-band" });
  const lines = words.map((word, at) => {
    const y = TOP + at * ROW;
    add("text", { x: zero - MOST * unit - 6, y: y + 15, class: "f-end" }, word);
    return {
      score: add("rect", { y: y + 3, height: ROW - 6, class: "f-score" }),
      weight: add("rect", { x: weighed, y: y + 3, height: ROW - 6, class: "f-tip" }),
      share: add("text", { y: y + 15, class: "f-start" }),
    };
  });
  add("line", { x1: zero, x2: zero, y1: TOP, y2: bottom, class: "f-axis" });
  const valued = add("g", {}, map({ x: strips, y: TOP, width: wide, height: rows * ROW }));
  const output = map({ x: strips, y: bottom + 14, width: wide, height: ROW });
  drawing.append(output);
  add("text", { x: strips - 10, y: bottom + 29, class: "f-end" }, `output of “${query}”`);
  const end = add("circle", { r: 6, class: "f-pull" });
  const grip = add("rect", {
    x: 0,
    y: TOP,
    width: zero + MOST * unit,
    height: rows * ROW,
    class: "f-grid",
  });
  const parts = (at) => [Math.floor(at / STEPS), ((at % STEPS) - MOST * 10) / 10];
  const current = ({ scores }) => {
    const given = scores.split(",").map(Number);
    return given.length === rows && given.every(Number.isFinite) ? given : own;
  };
  const stepOf = (score) => clamp(Math.round((score + MOST) * 10), 0, STEPS - 1);
  const show = handle(grip, {
    label: "word, and its score",
    ...{ min: 0, max: rows * STEPS - 1, columns: STEPS },
    change: (at) => {
      const { word, ...state } = figure.state;
      const before = current(state);
      const [chosen, score] = parts(at);
      // Up and down go to another word, and leave its score as it is.
      const moved = chosen !== word && !grip.classList.contains("f-held");
      const after = before.map((one, row) => (row === chosen && !moved ? score : one));
      figure.set({ word: chosen, scores: after.join() });
    },
    along: (point) => {
      const row = clamp(Math.floor((point.y - TOP) / ROW), 0, rows - 1);
      return row * STEPS + stepOf((point.x - zero) / unit);
    },
    words: (at) => `${words[parts(at)[0]]}, score ${text(parts(at)[1], 1)}`,
  });
  figure.toggle("less", { label: "less the largest score" });
  return (state) => {
    const word = clamp(Math.round(state.word), 0, rows - 1);
    const scores = current(state);
    const weights = softmax(scores);
    const less = state.less ? Math.max(...scores) : 0;
    const [ground, up, down] = ["--f-ground", "--f-positive", "--f-negative"].map((name) =>
      rgb(figure.root, name),
    );
    const ink = (value) => mixed(ground, value < 0 ? down : up, clamp(Math.abs(value) / 2, 0, 1));
    const mean = range(values[0].length).map((column) =>
      sum(values.map((row, at) => weights[at] * row[column])),
    );
    set(valued.firstChild, { href: cells(rows, mean.length, (row, at) => ink(values[row][at])) });
    set(output, { href: cells(1, mean.length, (_, at) => ink(mean[at])) });
    lines.forEach(({ score, weight, share }, at) => {
      const length = clamp(scores[at] - less, -MOST, MOST) * unit;
      set(score, { x: zero + Math.min(0, length), width: Math.abs(length) });
      set(weight, { width: weights[at] * heavy });
      set(share, { x: weighed + weights[at] * heavy + 5 });
      share.textContent = text(weights[at]);
    });
    set(band, { y: TOP + word * ROW });
    const length = clamp(scores[word] - less, -MOST, MOST) * unit;
    set(end, { cx: zero + length, cy: TOP + (word + 0.5) * ROW });
    show(word * STEPS + stepOf(scores[word]));
    const powers = scores.map((score) => Math.exp(score - less));
    figure.say(
      `“${query}” and “${words[word]}”: score ${text(scores[word] - less)}, whose exponential is ${text(powers[word])} of ${text(sum(powers))} in all, a weight of ${text(weights[word])}.`,
    );
  };
});
