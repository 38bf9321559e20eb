/* One sentence in two orders, each through the same layer of attention. A line leads from every word
   to its output, and the two outputs of a word stand side by side: they are equal, until the layer
   is told positions. Drag a word on the right; of a word that is chosen, the lines show what it
   attends to. */
import {
  amount,
  clamp,
  define,
  handle,
  html,
  normals,
  range,
  set,
  softmax,
  sum,
  svg,
  text,
} from "./parts.js";

const MOST = 15; // words
const SAME = 1e-12; // of outputs that differ by rounding
const dot = (a, b) => sum(a.map((entry, at) => entry * b[at]));
const times = (matrix, vector) => matrix.map((row) => dot(row, vector));
// The layer: vectors of words, and the matrices of queries, keys and values. A notebook may give its
// own; the same word always has the same vector, and one that is not given is made of its letters.
const vectorOf = (word, columns) => {
  const normal = normals(
    [...word].reduce((seed, letter) => (seed * 31 + letter.codePointAt(0)) >>> 0, 7),
  );
  return range(columns).map(normal);
};
const own = () => {
  // Of this seed, and with queries twice as long, the outputs of "dog bites man" look different.
  const [normal, columns] = [normals(22), 8];
  const matrix = (scale) =>
    range(columns).map(() => range(columns).map(() => (scale * normal()) / columns ** 0.25));
  return { words: {}, matrices: [2, 1, 1].map(matrix) };
};
const attention = (matrices, vectors) => {
  const [queries, keys, values] = matrices.map((matrix) =>
    vectors.map((vector) => times(matrix, vector)),
  );
  const root = Math.sqrt(matrices[0].length);
  const weights = queries.map((query) => softmax(keys.map((key) => dot(query, key) / root)));
  const outputs = weights.map((row) =>
    values[0].map((_, column) =>
      dot(
        row,
        values.map((value) => value[column]),
      ),
    ),
  );
  return { weights, outputs };
};
const wordsOf = (sentence) => sentence.trim().split(/\s+/).filter(Boolean).slice(0, MOST);

define(
  "own-sentence",
  { sentence: "dog bites man", order: "", positions: false, word: -1 },
  (figure) => {
    const [width, wide, strip, gap] = figure.narrow ? [350, 74, 52, 26] : [640, 96, 112, 44];
    const [top, middle] = [36, width / 2];
    const { words: given, matrices } = figure.data ?? own();
    const columns = matrices[0].length;
    const drawing = figure.stage(width, top);
    const titles = [0, width].map((x) =>
      drawing.appendChild(svg("text", { x, y: 16, class: `f-big ${x ? "f-end" : "f-start"}` })),
    );
    drawing.append(svg("text", { x: middle, y: 16, class: "f-muted" }, "outputs"));
    const layer = drawing.appendChild(svg("g"));
    const orderOf = ({ order }, count) => {
      const wanted = order.split("-").map(Number);
      const whole = String([...wanted].sort((a, b) => a - b)) === String(range(count));
      return whole ? wanted : range(count).reverse();
    };
    let [words, tall, parts, numbers, held] = [[], 0, [], []];
    // The words come as they were typed, and those on the right change places before one's eyes.
    let places = figure.root.dataset.drawn ? undefined : range(MOST);
    const y = (place) => top + (place + 0.5) * tall;
    const move = (word, place) => {
      const order = orderOf(figure.state, words.length).filter((at) => at !== word);
      order.splice(place, 0, word);
      figure.set({ order: order.join("-") });
    };
    const choose = (word) => figure.set({ word: figure.state.word === word ? -1 : word });
    // On either side a word has a card, a line, and a strip of colours, which is its output.
    const build = () => {
      layer.replaceChildren();
      // Rows are high enough for a finger, and no higher than a short sentence needs.
      tall = clamp(400 / words.length, 26, 48);
      const height = top + tall * words.length + 4;
      set(drawing, { viewBox: `0 0 ${width} ${height}`, height });
      const add = (name, attributes, ...children) =>
        layer.appendChild(svg(name, attributes, ...children));
      const lines = words.map(() => [0, 1].map(() => add("path", { class: "f-flow" })));
      parts = words.map((word, at) => {
        const shorter = word.length > 9 ? `${word.slice(0, 8)}…` : word;
        const card = { y: 3 - tall / 2, width: wide, height: tall - 6, rx: 4 };
        const name = { x: wide / 2 + 3, y: 5 };
        const cards = [0, 1].map(() =>
          add("g", { class: "f-card" }, svg("rect", card), svg("text", name, shorter)),
        );
        const cell = { y: y(at) - tall / 2 + 2, width: strip / columns - 0.5, height: tall - 4 };
        const outputs = [middle - gap / 2 - strip, middle + gap / 2].map((left) =>
          range(columns).map((one) => add("rect", { x: left + (one * strip) / columns, ...cell })),
        );
        const sign = add("text", { x: middle, y: y(at) + 7 });
        const show = handle(cards[1], {
          label: `word “${word}”`,
          ...{ min: 0, max: words.length - 1, page: 3 },
          change: (place) => move(at, place),
          along: (point) => (point.y - top) / tall - 0.5,
          words: (place) => `position ${place}`,
        });
        for (const one of cards) {
          one.addEventListener("pointerdown", () => {
            held = figure.state.order;
          });
          one.addEventListener("click", () => held === figure.state.order && choose(at));
        }
        cards[1].addEventListener("keydown", ({ key }) => key === "Enter" && choose(at));
        return { cards, outputs, lines: lines[at], sign, show };
      });
      numbers = range(2 * words.length).map((at) => {
        const place = { x: at % 2 ? width - wide + 5 : 5, y: y(at >> 1) + 5 };
        return add("text", { ...place, class: "f-start f-tiny f-muted" });
      });
    };
    // Lines lead from each word to its output, or from all to the output of the one that is chosen.
    const put = (now, chosen) => {
      parts.forEach(({ cards, lines }, word) => {
        [wide, width - wide].forEach((from, side) => {
          const to = middle + (side ? 1 : -1) * (gap / 2 + strip);
          const [begins, ends] = [y(side ? now[word] : word), y(chosen ?? word)];
          const half = (from + to) / 2;
          set(cards[side], { transform: `translate(${side ? from : 0} ${begins.toFixed(2)})` });
          set(lines[side], {
            d: `M${from} ${begins}C${half} ${begins} ${half} ${ends} ${to} ${ends}`,
          });
        });
      });
    };
    figure.toggle("positions", { label: " add a position to each word" });
    const field = html("input", { type: "text", maxLength: 90, className: "f-sentence" });
    figure.label("your own sentence", field);
    let typing;
    field.addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(() => figure.set({ sentence: field.value, order: "", word: -1 }), 150);
    });
    return (state) => {
      if (document.activeElement !== field) field.value = state.sentence;
      const typed = wordsOf(state.sentence);
      const anew = String(typed) !== String(words);
      if (anew || !parts.length) {
        if (parts.length) places = undefined;
        words = typed.length ? typed : ["…"];
        build();
      }
      const order = orderOf(state, words.length);
      const now = words.map((_, word) => order.indexOf(word));
      const chosen = state.word in words ? state.word : undefined;
      const told = (word, position) => {
        const name = words[word].toLowerCase();
        const vector = Object.hasOwn(given, name) ? given[name] : vectorOf(name, columns);
        if (!state.positions) return vector;
        const at = vectorOf(`position ${position}`, columns);
        return vector.map((entry, column) => entry + at[column]);
      };
      const sides = [range(words.length), now].map((at, side) => {
        const { weights, outputs } = attention(matrices, (side ? order : at).map(told));
        // By word, wherever it stands.
        return {
          weights: at.map((row) => at.map((column) => weights[row][column])),
          outputs: at.map((row) => outputs[row]),
        };
      });
      let worst = 0;
      parts.forEach(({ cards, outputs, lines, sign, show }, word) => {
        const pair = sides.map((side) => side.outputs[word]);
        const off = Math.max(...pair[0].map((one, column) => Math.abs(one - pair[1][column])));
        worst = Math.max(worst, off);
        sign.textContent = off < SAME ? "=" : "≠";
        set(sign, { class: `f-big ${off < SAME ? "f-same" : "f-flawed"}` });
        sides.forEach(({ weights }, side) => {
          outputs[side].forEach((rect, column) => {
            const value = pair[side][column];
            const end = value < 0 ? "--f-negative" : "--f-positive";
            rect.style.fill = amount(Math.abs(value) / 2, `var(${end})`);
          });
          lines[side].style.strokeWidth =
            chosen === undefined ? 1.5 : 0.5 + 12 * weights[chosen][word];
          cards[side].classList.toggle("f-chosen", word === chosen);
        });
        show(now[word]);
      });
      for (const [at, number] of numbers.entries()) {
        number.textContent = state.positions ? at >> 1 : "";
      }
      const said = [words, order.map((word) => words[word])].map((one) => one.join(" "));
      const short = said[0].length < (figure.narrow ? 15 : 27);
      titles.forEach((title, side) => {
        title.textContent = short ? said[side] : ["as typed", "in another order"][side];
      });
      const from = places ?? now;
      places = now;
      const step = (share) => now.map((to, word) => from[word] + (to - from[word]) * share);
      figure.animate((share) => put(step(share), chosen), figure.root.dataset.drawn ? 400 : 1500);
      const where = short ? `in “${said[0]}” and in “${said[1]}”` : "in both orders";
      const found =
        worst < SAME
          ? `every word has the same output ${where}`
          : `the outputs of a word ${where} differ by up to ${text(worst)}`;
      const best = sides[0].weights[chosen]?.indexOf(Math.max(...sides[0].weights[chosen]));
      const [left, right] = sides.map(({ weights }) => text(weights[chosen]?.[best] ?? 0));
      figure.say(
        `${state.positions ? "With" : "Without"} positions, ${found}.${
          best === undefined
            ? ""
            : ` On the left “${words[chosen]}” gives “${words[best]}” the weight ${left}, on the right ${right}.`
        }`,
      );
    };
  },
);
