/* Names to sort by a number that is hidden: drag them, then show the numbers and compare.

   Data: names, values (what each costs), least and most (the ends of its spread), unit, and axis (a
   label). */
import { clamp, define, handle, range, set, sum, svg, text } from "./parts.js";

const ROW = 34;
const NONE = { names: ["", " "], values: [0, 1], least: [0, 1], most: [0, 1], unit: "", axis: "" };

define("sort-the-ladder", { order: "", shown: false }, (figure) => {
  const { names, values, least, most, unit, axis } = figure.data ?? NONE;
  const many = names.length;
  const { narrow } = figure;
  const [width, card] = narrow ? [350, 206] : [640, 262];
  const drawing = figure.stage(width, ROW * many + 26);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  // The order in a link is believed only if it has each name once.
  const ordered = () => {
    const given = figure.state.order.split(",").map(Number);
    return range(many).every((one) => given.includes(one)) && given.length === many
      ? given
      : range(many);
  };
  const right = range(many).sort((a, b) => values[a] - values[b]);
  const [from, to] = [card + 16, width - 52];
  const x = (value) => from + (Math.max(0, value) / Math.max(...most)) * (to - from);
  const foot = add("text", { x: width - 4, y: ROW * many + 18, class: "f-end f-muted" });
  const cards = names.map((name, at) => {
    const group = add("g", { class: "f-card" });
    group.append(
      svg("rect", { x: 4, y: 3, width: card - 4, height: ROW - 6, rx: 4 }),
      svg("text", { x: 16, y: ROW / 2 + 5, class: "f-start" }, name),
    );
    const bar = svg("rect", { x: from, y: 9, height: ROW - 18, class: "f-bar" });
    const spread = svg("line", { y1: ROW / 2, y2: ROW / 2, class: "f-axis" });
    const number = svg("text", { y: ROW / 2 + 5, class: "f-start" });
    const cost = add("g", {}, bar, spread, number);
    const show = handle(group, {
      label: name,
      ...{ min: 0, max: many - 1, columns: 1, page: many },
      change: (rank) => {
        const others = ordered().filter((one) => one !== at);
        others.splice(rank, 0, at);
        figure.set({ order: others.join(",") });
      },
      along: (point) => clamp(Math.floor(point.y / ROW), 0, many - 1),
      words: (rank) => `${rank + 1} of ${many}`,
    });
    return { group, cost, bar, spread, number, show };
  });
  figure.toggle("shown", { label: "show what they cost" });
  return ({ shown }) => {
    const order = ordered();
    order.forEach((at, rank) => {
      const { group, cost, bar, spread, number, show } = cards[at];
      for (const part of [group, cost]) set(part, { transform: `translate(0 ${rank * ROW})` });
      set(cost, { visibility: shown ? "visible" : "hidden" });
      set(bar, { width: x(values[at]) - from });
      set(spread, { x1: x(least[at]), x2: x(most[at]) });
      set(number, { x: x(most[at]) + 6 });
      number.textContent = text(values[at]);
      show(rank);
    });
    foot.textContent = shown ? axis : "";
    const placed = sum(order.map((at, rank) => Number(right[rank] === at)));
    figure.say(
      shown
        ? `${placed} of ${many} stand where they belong. From the least to the most: ` +
            `${right.map((at) => `${names[at]} ${text(values[at])}`).join(", ")} ${unit}.`
        : `From the least to the most, you say: ${order.map((at) => names[at]).join(", ")}.`,
    );
  };
});
