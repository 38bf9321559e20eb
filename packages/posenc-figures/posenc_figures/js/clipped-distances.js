/* Offsets between the words of a sentence, and a clip: all pairs in a hatched corner share one
   label. Drag the edge of the band, or a row's and a column's word. */
import { clamp, define, handle, path, range, set, svg, text } from "./parts.js";

const WORDS = "the black cat sat on the couch and the brown dog slept on the rug";

define("clipped-distances", { clip: 4, query: 9, key: 5 }, (figure) => {
  const words = figure.data?.words ?? WORDS.split(" ");
  const n = words.length;
  const [width, left, top] = figure.narrow ? [350, 46, 56] : [640, 130, 60];
  const cell = Math.floor(Math.min((width - left - 4) / n, 30));
  const drawing = figure.stage(width, top + n * cell + 6);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  const size = figure.narrow ? "f-tiny" : "";
  const pairs = range(n).flatMap((t) => range(n).map((s) => ({ t, s, k: s - t })));
  const grid = add("g");
  const row = grid.appendChild(
    svg("rect", { x: left, width: n * cell, height: cell, class: "f-line-of f-this" }),
  );
  const column = grid.appendChild(
    svg("rect", { y: top, width: cell, height: n * cell, class: "f-line-of f-that" }),
  );
  const corners = [1, -1].map(() => grid.appendChild(svg("path", { class: "f-hatch" })));
  const cells = pairs.map(({ t, s, k }) => {
    const shown = svg(
      "text",
      { x: left + (s + 0.5) * cell, y: top + (t + 0.5) * cell + 5, class: size },
      text(k, 0),
    );
    grid.append(shown);
    return { t, s, k, shown };
  });
  const now = grid.appendChild(svg("rect", { width: cell, height: cell, class: "f-mark" }));
  const names = [1, -1].map(() => grid.appendChild(svg("text", { class: `${size} f-outlined` })));
  const area = add("rect", { x: left, y: top, width: n * cell, height: n * cell, class: "f-grip" });
  const pointed = ({ clientX, clientY }) => {
    const at = new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM().inverse());
    const placeOf = (along) => clamp(Math.floor(along / cell), 0, n - 1);
    figure.set({ query: placeOf(at.y - top), key: placeOf(at.x - left) });
  };
  area.addEventListener("pointerdown", pointed);
  area.addEventListener("pointermove", (event) => event.pointerType === "mouse" && pointed(event));
  // The words: one stands out in the row of the query, one in the column of the key.
  const written = ["query", "key"].map((role) => {
    const across = role === "key";
    const all = words.map((word, at) =>
      add(
        "text",
        {
          transform: across
            ? `translate(${left + (at + 0.5) * cell + 5} ${top - 8}) rotate(-90)`
            : `translate(${left - 8} ${top + (at + 0.5) * cell + 5})`,
          class: `${size} f-muted ${across ? "f-start" : "f-end"}`,
        },
        word,
      ),
    );
    const grip = add("rect", {
      ...(across
        ? { y: 0, width: Math.max(cell, 24), height: top - 2 }
        : {
            x: figure.narrow ? 0 : left - 66,
            width: figure.narrow ? 44 : 64,
            height: Math.max(cell, 24),
          }),
      class: `f-word ${across ? "f-that" : "f-this"}`,
    });
    const show = handle(grip, {
      label: across ? "key, the word of the column" : "query, the word of the row",
      ...{ min: 0, max: n - 1, page: 4 },
      change: (place) => figure.set({ [role]: place }),
      along: ({ x, y }) => (across ? x - left : y - top) / cell - 0.5,
      words: (place) => `“${words[place]}”, position ${place}`,
    });
    return (place) => {
      all.forEach((one, at) => {
        one.classList.toggle("f-muted", at !== place);
      });
      const start = (across ? left : top) + (place + 0.5) * cell - Math.max(cell, 24) / 2;
      set(grip, { [across ? "x" : "y"]: start });
      show(place);
    };
  });
  const edge = add("g");
  const [wide, line] = ["f-reach", "f-edge"].map((kind) =>
    edge.appendChild(svg("path", { class: kind })),
  );
  const knob = edge.appendChild(svg("circle", { r: 10, class: "f-pull" }));
  const showClip = handle(edge, {
    label: "clip: the edge of the band",
    ...{ min: 1, max: n - 1, page: 4 },
    change: (clip) => figure.set({ clip }),
    along: ({ x, y }) => Math.abs(x - left - (y - top)) / cell + 0.5,
    words: (clip) => `clip ${clip}`,
  });
  // Between offsets clip - 1 and clip: stairs above the diagonal, and below it the same, mirrored.
  const stairs = (clip, mirrored) => {
    const points = range(n - clip + 1).flatMap((t) => [
      [t, t + clip],
      [t + 1, t + clip],
    ]);
    points.pop();
    const on = points.map(([t, s]) => (mirrored ? [t, s] : [s, t]));
    return path(on.map(([x, y]) => [left + x * cell, top + y * cell]));
  };
  const hatch = (side, clip) =>
    cells
      .filter(({ k }) => side * k >= clip)
      .flatMap(({ t, s }) => {
        const at = (x, y) =>
          `${left + (s + (side > 0 ? x : 1 - x)) * cell} ${top + (t + y) * cell}`;
        return [
          [0, 1, 1, 0],
          [0, 0.5, 0.5, 0],
          [0.5, 1, 1, 0.5],
        ].map(([a, b, c, d]) => `M${at(a, b)}L${at(c, d)}`);
      })
      .join("");
  return (state) => {
    const clip = clamp(state.clip, 1, n - 1);
    const [query, key] = [clamp(state.query, 0, n - 1), clamp(state.key, 0, n - 1)];
    for (const { k, shown } of cells) {
      set(shown, { display: Math.abs(k) < clip ? "inline" : "none" });
    }
    [1, -1].forEach((side, at) => {
      set(corners[at], { d: hatch(side, clip) });
      const depth = (n - clip) / 3; // the middle of the corner's triangle
      const [near, far] = [left + cell * depth, left + cell * (n - depth)];
      set(names[at], { x: side > 0 ? far : near, y: top - left + (side > 0 ? near : far) + 5 });
      const roomy = n - clip > 5;
      names[at].textContent = text(side * clip, 0) + (roomy ? [" or more", " or less"][at] : "");
    });
    for (const one of [wide, line]) set(one, { d: stairs(clip, false) + stairs(clip, true) });
    const middle = Math.floor((n - clip) / 2);
    set(knob, { cx: left + (middle + clip) * cell + 4, cy: top + middle * cell - 4 });
    set(now, { x: left + key * cell, y: top + query * cell });
    set(row, { y: top + query * cell });
    set(column, { x: left + key * cell });
    written[0](query);
    written[1](key);
    showClip(clip);
    const label = clamp(key - query, -clip, clip);
    const sharing = cells.filter(({ k }) => clamp(k, -clip, clip) === label);
    const offsets = new Set(sharing.map(({ k }) => k)).size;
    figure.say(
      `clip ${clip}: query “${words[query]}” (${query}), key “${words[key]}” (${key}), offset ${text(key - query, 0)}: label ${label + clip} of 0 to ${2 * clip}, ${offsets > 1 ? `which ${offsets} offsets share` : "which no other offset has"}.`,
    );
  };
});
