/* One screen to play with positions: two methods side by side, each with its table, its scores by
   distance, and what a head that looks three positions back attends to. Drag the row. */
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
const GRIP = 40; // height of what a finger can hold of the row
const NAMES = { sinusoid: "sinusoidal table", rope: "RoPE", alibi: "ALiBi", none: "no positions" };
const TITLES = {
  sinusoid: "sinusoidal table",
  rope: "RoPE: angles",
  alibi: "ALiBi: added to scores",
  none: "no positions",
};
const ACROSS = { sinusoid: "columns", rope: "pairs", alibi: "keys", none: "columns" };
const rotates = (method) => method === "sinusoid" || method === "rope";

// What two positions at a distance score, if word vectors are equal: at most 1. ALiBi's is a bias.
const kernel = ({ columns, base, factor, slope }, method) => {
  const omegas = frequencies(columns, base).map((omega) => omega / factor);
  const mean = (distance) => sum(omegas.map((omega) => Math.cos(omega * distance))) / omegas.length;
  return {
    sinusoid: mean,
    rope: mean,
    alibi: (distance) => -slope * Math.abs(distance),
    none: () => 0,
  }[method];
};

// The entries of what a method adds or does, -1 to 1, and how many there are for each position.
const table = (state, method) => {
  const { columns, base, start, factor, length } = state;
  const omegas = frequencies(columns, base);
  const angle = (at, pair) => (omegas[pair] * (at + start)) / factor;
  const score = kernel(state, method);
  const most = Math.max(1, -score(length - 1));
  return {
    sinusoid: [columns, (at, column) => Math[column % 2 ? "cos" : "sin"](angle(at, column >> 1))],
    rope: [columns / 2, (at, pair) => ((angle(at, pair) / Math.PI + 1) % 2) - 1],
    alibi: [length, (at, key) => score(at - key) / most],
    none: [columns, () => 0],
  }[method];
};

// The weights of a query for itself and all before it. A head looks back by rotating its query by
// three positions, where rotations are to be had; 16 is how sure of itself it is.
const weights = (state, method) => {
  const score = kernel(state, method);
  const [shift, scale] = rotates(method) ? [BACK, 16] : [0, 1];
  return softmax(range(state.row + 1).map((key) => scale * score(state.row - key - shift)));
};

const say = ({ row, start }, method, shares) => {
  const best = shares.indexOf(Math.max(...shares));
  const who = `${NAMES[method]}: position ${whole(row + start)} attends`;
  if (Math.max(...shares) - Math.min(...shares) < 1e-9)
    return `${who} to all alike, with ${text(shares[0], 3)} each.`;
  const whom = row === best ? "itself" : `the one ${row - best} back`;
  const wanted =
    row - best === BACK ? "" : `; the one ${BACK} back gets ${text(shares[row - BACK] ?? 0)}`;
  return `${who} most to ${whom}, with ${text(shares[best])}${wanted}.`;
};

define(
  "playground",
  {
    method: "sinusoid",
    beside: "alibi",
    length: 32,
    columns: 32,
    base: 10_000,
    start: 0,
    factor: 1,
    slope: 0.25,
    row: 20,
  },
  (figure) => {
    const [width, margin, full] = figure.narrow ? [138, 34, 350] : [276, 40, 640];
    const heights = figure.narrow ? [138, 90, 90] : [240, 140, 140];
    const tops = heights.map((_, at) => 24 + sum(heights.slice(0, at)) + 60 * at);
    const drawing = figure.stage(full, tops[2] + heights[2] + 30);
    // A panel with its title, and names at the ends of its axes: top, bottom, left and right.
    const panel = (left, at) => {
      const group = svg("g", { transform: `translate(${left} ${tops[at]})` });
      const [title, top, bottom, from, to] = [
        [0, -8, "f-start"],
        [-6, 11, "f-end f-muted"],
        [-6, heights[at], "f-end f-muted"],
        [0, heights[at] + 17, "f-start f-muted"],
        [width, heights[at] + 17, "f-end f-muted"],
      ].map(([x, y, name]) => group.appendChild(svg("text", { x, y, class: name })));
      drawing.append(group);
      const write = (...words) => {
        for (const [each, one] of [title, top, bottom, from, to].entries())
          one.textContent = words[each];
      };
      return { group, write };
    };
    const side = (left) => {
      const [entries, curve, bars] = range(3).map((at) => panel(left, at));
      const image = entries.group.appendChild(map({ width, height: heights[0] }));
      const mark = entries.group.appendChild(svg("rect", { width, class: "f-mark" }));
      const zero = curve.group.appendChild(svg("path", { class: "f-axis" }));
      const line = curve.group.appendChild(svg("path", { class: "f-curve" }));
      const columns = bars.group.appendChild(svg("g"));
      return { entries, curve, bars, image, mark, zero, line, columns };
    };
    const sides = { method: side(margin), beside: side(full - width) };
    const grip = drawing.appendChild(
      svg("rect", { x: margin, width: full - margin, height: GRIP, class: "f-grip" }),
    );
    const show = handle(grip, {
      label: "row",
      ...{ min: 0, max: 127, page: 8 },
      change: (row) => figure.set({ row: clamp(row, 0, figure.state.length - 1) }),
      along: ({ y }) => ((y - tops[0]) / heights[0]) * figure.state.length - 0.5,
      words: (row) => `position ${row + figure.state.start}`,
    });
    figure.menu("method", { options: NAMES });
    figure.menu("beside", { options: NAMES });
    figure.slider("length", { min: 8, max: 128 });
    figure.slider("columns", { min: 4, max: 128, step: 4 });
    const bases = [10, 100, 10_000, 500_000, 1_000_000].map((base) => [base, whole(base)]);
    const rotated = [
      figure.menu("base", { options: Object.fromEntries(bases) }),
      figure.slider("start", {
        label: "first position",
        min: 0,
        max: 5000,
        step: 50,
        words: whole,
      }),
      figure.slider("factor", { label: "divided by", min: 1, max: 16 }),
    ];
    const shown = (slope) => text(slope, 4);
    const sloped = figure.slider("slope", { min: 0, max: 1, step: 0.0625, words: shown });
    return (given) => {
      const state = { ...given, row: clamp(given.row, 0, given.length - 1) };
      const { length, start, row } = state;
      const [ground, up, down] = ["--f-ground", "--f-positive", "--f-negative"].map((name) =>
        rgb(figure.root, name),
      );
      const paint = (value) => mixed(ground, value < 0 ? down : up, clamp(Math.abs(value), 0, 1));
      const methods = Object.keys(sides).map((key) => state[key]);
      const shares = methods.map((method) => weights(state, method));
      const most = Math.max(...shares.flat());
      const ceiling = [0.05, 0.1, 0.2, 0.5, 1].find((one) => one >= most - 1e-9);
      for (const [at, parts] of Object.values(sides).entries()) {
        const method = methods[at];
        const [across, entry] = table(state, method);
        set(parts.image, {
          href: cells(length, across, (key, column) => paint(entry(key, column))),
        });
        const high = heights[0] / length;
        set(parts.mark, { y: row * high - 2, height: high + 4 });
        const last = String(across - 1);
        parts.entries.write(
          TITLES[method],
          whole(start),
          whole(start + length - 1),
          "0",
          `${last}, ${ACROSS[method]}`,
        );

        const score = kernel(state, method);
        const [low, top] = method === "alibi" ? [Math.min(-1, score(length - 1)), 0] : [-1, 1];
        const y = (value) => (heights[1] * (top - value)) / (top - low);
        set(parts.zero, { d: `M0 0V${heights[1]}M0 ${y(0)}H${width}` });
        const points = range(length).map((far) => [(far / (length - 1)) * width, y(score(far))]);
        set(parts.line, { d: path(points) });
        parts.curve.write(
          "score by distance",
          text(top, 0),
          text(low, Number.isInteger(low) ? 0 : 2),
          "0",
          String(length - 1),
        );

        const wide = width / length;
        parts.columns.replaceChildren(
          svg("path", { d: `M0 0V${heights[2]}H${width}`, class: "f-axis" }),
          ...shares[at].map((share, key) => {
            const tall = (heights[2] * share) / ceiling;
            const place = { x: key * wide, y: heights[2] - tall, width: Math.max(wide - 1, 1) };
            const name = row - key === BACK ? "f-wanted" : "f-other";
            return svg("rect", { ...place, height: tall, class: name });
          }),
        );
        parts.bars.write(
          `weights of position ${row + start}`,
          String(ceiling),
          "0",
          whole(start),
          whole(start + length - 1),
        );
      }
      set(grip, { y: tops[0] + ((row + 0.5) * heights[0]) / length - GRIP / 2 });
      show(row);
      figure.say(methods.map((method, at) => say(state, method, shares[at])).join(" "));
      for (const input of rotated) input.parentElement.hidden = !methods.some(rotates);
      sloped.parentElement.hidden = !methods.includes("alibi");
    };
  },
);
