/* One pair of columns as a dial, with a hand for each of two positions. Drag either, or both at
   once: the wedge between them depends on how far apart they are, and on nothing else, as two more
   dials show that start elsewhere. */
import { clamp, define, dial, handle, range, set, svg, text, turning, wedge } from "./parts.js";

const LAST = 40;
const STARTS = [0, 500]; // of the two more dials

define("shift-wedge", { position: 5, offset: 8, frequency: 0.15 }, (figure) => {
  const r = 96;
  const width = figure.narrow ? 350 : 640;
  const drawing = figure.stage(width, 330);
  const centre = { x: width / 2, y: 118 };
  const { group, hand } = dial(r);
  set(group, { transform: `translate(${centre.x} ${centre.y})` });
  const pie = group.appendChild(svg("path", { class: "f-wedge" }));
  const hands = [hand("f-hand f-that"), hand("f-hand f-this")];
  const tips = hands.map((_, at) =>
    group.appendChild(svg("circle", { r: 16, class: `f-grip ${at ? "f-this" : "f-that"}` })),
  );
  const angle = group.appendChild(svg("text", { class: "f-big" }));
  const names = ["t", "t + k"].map((words) => group.appendChild(svg("text", {}, words)));
  drawing.append(group);
  const small = figure.narrow ? 34 : 52;
  const others = STARTS.map((start, at) => {
    const { group: face, hand: pointer } = dial(small);
    const across = figure.narrow ? small + 4 : 90;
    set(face, { transform: `translate(${at ? width - across : across} ${centre.y + 40})` });
    face.append(svg("text", { y: small + 20, class: "f-muted" }, `t = ${start}`));
    const slice = face.appendChild(svg("path", { class: "f-wedge" }));
    drawing.append(face);
    return { start, slice, both: [pointer("f-hand f-that"), pointer("f-hand f-this")] };
  });
  const [left, right, y] = [14, width - 14, 268];
  const x = (position) => left + (position / LAST) * (right - left);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  add("line", { x1: left, x2: right, y1: y, y2: y, class: "f-axis" });
  for (const position of range(LAST / 10 + 1).map((at) => 10 * at)) {
    add("line", { x1: x(position), x2: x(position), y1: y, y2: y + 5, class: "f-axis" });
    add("text", { x: x(position), y: y + 44, class: "f-muted" }, String(position));
  }
  const bar = add("rect", { y: y - 16, height: 32, class: "f-bar" });
  const tokens = ["f-that", "f-this"].map((kind) =>
    add("circle", { cy: y, r: 14, class: `f-token ${kind}` }),
  );
  const labels = ["t", "t + k"].map((words) => add("text", { y: y - 22 }, words));
  const shifted = (to) => {
    const { offset } = figure.state;
    return { position: clamp(to, Math.max(0, -offset), LAST - Math.max(0, offset)) };
  };
  figure.leads("position", shifted);
  const move = {
    first: (to) => {
      const other = figure.state.position + figure.state.offset;
      figure.set({ position: to, offset: other - to });
    },
    second: (to) => figure.set({ offset: to - figure.state.position }),
    both: (to) => figure.set(shifted(to)),
  };
  const alongDial = turning(centre, () => figure.state.frequency);
  const alongRuler = (point) => ((point.x - left) / (right - left)) * LAST;
  const common = { min: 0, max: LAST, page: 5, words: (position) => `position ${position}` };
  const shown = [
    [tips[0], "hand of position t", move.first, alongDial],
    [tips[1], "hand of position t + k", move.second, alongDial],
    [bar, "both positions", move.both, undefined],
    [tokens[0], "position t", move.first, alongRuler],
    [tokens[1], "position t + k", move.second, alongRuler],
  ].map(([node, label, change, along]) => {
    let from;
    const alongBar = (point, now) => {
      from ??= { at: alongRuler(point), now };
      return from.now + alongRuler(point) - from.at;
    };
    node.addEventListener("pointerdown", () => {
      from = undefined;
    });
    return handle(node, { ...common, label, change, along: along ?? alongBar });
  });
  return ({ position, offset, frequency }) => {
    const places = [position, position + offset];
    places.forEach((place, at) => {
      hands[at].turn(frequency * place);
      set(tokens[at], { cx: x(place) });
      const [sine, cosine] = [Math.sin(frequency * place), Math.cos(frequency * place)];
      set(names[at], { x: 1.23 * r * sine, y: 5 - 1.14 * r * cosine });
      set(tips[at], { cx: r * sine, cy: -r * cosine });
      const close = Math.abs(x(offset) - x(0)) < 36;
      const outer = places[1 - at] > place ? "f-end" : "f-start";
      set(labels[at], { x: x(place), class: close && offset !== 0 ? outer : "" });
    });
    labels[1].textContent = offset === 0 ? "" : "t + k";
    set(pie, { d: wedge(r * 0.6, frequency * places[0], frequency * places[1]) });
    const between = frequency * (places[0] + offset / 2);
    const away = Math.abs(frequency * offset) < 0.6 ? -0.4 * r : 0.78 * r; // or behind them
    set(angle, { x: away * Math.sin(between), y: 5 - away * Math.cos(between) });
    angle.textContent = text(frequency * offset);
    const crowded = figure.narrow || Math.abs(Math.sin((frequency * offset) / 2)) < 0.12;
    names[0].textContent = crowded ? "" : "t";
    names[1].textContent = crowded ? "" : "t + k";
    for (const { start, slice, both } of others) {
      const [from, to] = [frequency * start, frequency * (start + offset)];
      both[0].turn(from);
      both[1].turn(to);
      set(slice, { d: wedge(small * 0.6, from, to) });
    }
    const [from, to] = [Math.min(...places), Math.max(...places)];
    set(bar, { x: x(from), width: Math.max(x(to) - x(from), 1) });
    for (const [at, show] of shown.entries())
      show(at === 2 ? position : places[at % 3 === 0 ? 0 : 1]);
    figure.say(
      `t = ${position}, k = ${text(offset, 0)}: the hands are ${text(frequency * offset)} radians apart, as for every other t with this k.`,
    );
  };
});
