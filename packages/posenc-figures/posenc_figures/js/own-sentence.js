/* A sentence of the reader's own in one layer of attention: drag a word, and its row, its column and
   its output travel with it, unchanged. With positions told, they change. */
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
  const [normal, columns] = [normals(2017), 8];
  const matrix = () =>
    range(columns).map(() => range(columns).map(() => normal() / columns ** 0.25));
  return { words: {}, matrices: range(3).map(matrix) };
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
  { sentence: "the cat sat on the mat", order: "", positions: false },
  (figure) => {
    const [width, left] = figure.narrow ? [350, 78] : [640, 110];
    const strip = figure.narrow ? 64 : 110;
    const across = width - left - strip - 16;
    const { words: given, matrices } = figure.data ?? own();
    const columns = matrices[0].length;
    const drawing = figure.stage(width, across);
    const layer = drawing.appendChild(svg("g"));
    const heading = (x, words) =>
      drawing.appendChild(svg("text", { x, y: 14, class: "f-muted" }, words));
    heading(
      left + across / 2,
      figure.narrow ? "attends to" : "each row attends to the words above its columns",
    );
    heading(width - strip / 2, "output");
    const field = html("input", { type: "text", maxLength: 90, className: "f-sentence" });
    figure.label("sentence", field);
    field.addEventListener("change", () => figure.set({ sentence: field.value, order: "" }));
    const orderOf = ({ sentence, order }) => {
      const count = wordsOf(sentence).length;
      const wanted = order.split("-").map(Number);
      const whole =
        wanted.length === count &&
        new Set(wanted).size === count &&
        wanted.every((at) => at >= 0 && at < count);
      return order && whole ? wanted : range(count);
    };
    let parts = [];
    let shown = { sentence: undefined };
    const move = (word, place) => {
      const order = orderOf(figure.state).filter((at) => at !== word);
      order.splice(place, 0, word);
      figure.set({ order: order.join("-") });
    };
    // Cards, cells and outputs, one set for each word as it was typed.
    // Rows are high enough for a finger, and no higher than a short sentence needs.
    const tallOf = (words) => clamp(across / words.length, 26, 48);
    const cut = (word) => (word.length > 9 ? `${word.slice(0, 8)}…` : word);
    let top = 0;
    const build = (words) => {
      layer.replaceChildren();
      const [cell, tall] = [across / words.length, tallOf(words)];
      const longest = Math.max(...words.map((word) => cut(word).length));
      top = 34 + Math.ceil((cell < 20 ? 6.5 : 5.5) * longest); // they stand aslant, or upright
      const height = top + tall * words.length + 8;
      set(drawing, { viewBox: `0 0 ${width} ${height}`, height });
      parts = words.map((word, at) => {
        const row = layer.appendChild(svg("g"));
        const cells = words.map(() =>
          row.appendChild(svg("rect", { width: cell - 1, height: tall - 1 })),
        );
        const output = range(columns).map((column) =>
          row.appendChild(
            svg("rect", {
              x: left + across + 10 + (column * strip) / columns,
              width: strip / columns - 1,
              height: tall - 1,
            }),
          ),
        );
        const shorter = cut(word);
        const kind = cell < 20 ? "f-start f-tiny" : "f-start";
        const above = layer.appendChild(svg("text", { class: kind }, shorter));
        const card = layer.appendChild(
          svg(
            "g",
            { class: "f-card" },
            svg("rect", { x: 0, width: left - 8, height: Math.min(tall - 2, 30), rx: 4 }),
            svg("text", { x: (left - 8) / 2, y: Math.min(tall - 2, 30) / 2 + 5 }, shorter),
          ),
        );
        const show = handle(card, {
          label: `word “${word}”`,
          ...{ min: 0, max: words.length - 1, page: 3 },
          change: (place) => move(at, place),
          along: ({ y }) => (y - top) / tall - 0.5,
          words: (place) => `position ${place}`,
        });
        return { row, cells, output, above, card, show };
      });
    };
    const put = (places, cell, tall) => {
      parts.forEach(({ row, cells, above, card }, word) => {
        const y = top + places[word] * tall;
        set(row, { transform: `translate(0 ${y.toFixed(2)})` });
        for (const [other, rect] of cells.entries()) set(rect, { x: left + places[other] * cell });
        set(above, {
          transform: `translate(${(left + (places[word] + 0.5) * cell + (cell < 20 ? 4 : 0)).toFixed(2)} ${top - 6}) rotate(${cell < 20 ? -90 : -50})`,
        });
        set(card, { transform: `translate(0 ${(y + Math.max(0, (tall - 32) / 2)).toFixed(2)})` });
      });
    };
    const shuffle = () => {
      const order = orderOf(figure.state);
      for (let at = order.length - 1; at > 0; at--) {
        const other = Math.floor(Math.random() * (at + 1));
        [order[at], order[other]] = [order[other], order[at]];
      }
      figure.set({ order: order.join("-") });
    };
    figure.button("Shuffle", shuffle);
    figure.toggle("positions", { label: " add a vector for each position" });
    return (state) => {
      const typed = wordsOf(state.sentence);
      const words = typed.length ? typed : ["…"];
      const order = orderOf({ ...state, sentence: words.join(" ") });
      const anew = words.join(" ") !== shown.sentence;
      if (anew) build(words);
      if (document.activeElement !== field) field.value = state.sentence;
      field.size = clamp(state.sentence.length, 16, 70);
      const told = (word, position) => {
        const name = words[word].toLowerCase();
        const vector = given[name] ?? vectorOf(name, columns);
        if (!state.positions) return vector;
        const at = vectorOf(`position ${position}`, columns);
        return vector.map((entry, column) => entry + at[column]);
      };
      const first = attention(
        matrices,
        words.map((_, word) => told(word, word)),
      );
      const now = attention(matrices, order.map(told));
      const places = words.map((_, word) => order.indexOf(word));
      let worst = 0;
      parts.forEach(({ cells, output, show }, word) => {
        cells.forEach((rect, other) => {
          rect.style.fill = amount(Math.sqrt(now.weights[places[word]][places[other]]));
        });
        output.forEach((rect, column) => {
          const value = now.outputs[places[word]][column];
          worst = Math.max(worst, Math.abs(value - first.outputs[word][column]));
          const end = value < 0 ? "--f-negative" : "--f-positive";
          rect.style.fill = amount(clamp(Math.abs(value) / 1.6, 0, 1), `var(${end})`);
        });
        show(places[word]);
      });
      const from = anew ? places : shown.places;
      shown = { sentence: words.join(" "), places };
      figure.animate((share) => {
        const on = places.map((to, word) => from[word] + (to - from[word]) * share);
        put(on, across / words.length, tallOf(words));
      });
      const sentence = order.map((word) => words[word]).join(" ");
      const moved = order.some((word, at) => word !== at);
      const outputs = !moved
        ? "Move a word to see what happens to the outputs"
        : worst < 1e-12
          ? "Every word has the output that it had before"
          : `Outputs changed by up to ${text(worst)}`;
      figure.say(`“${sentence}”, positions ${state.positions ? "added" : "not told"}. ${outputs}.`);
    };
  },
);
