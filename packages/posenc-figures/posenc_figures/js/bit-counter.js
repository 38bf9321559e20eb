/* A counter of five bits, and how many of them each step flips. Flip a bit, or drag the counter. */
import { define, handle, range, set, sum, svg } from "./parts.js";

const BITS = 5;
const LAST = 2 ** BITS - 1;
const bitsOf = (position) => range(BITS).map((j) => Math.floor(position / 2 ** j) % 2);
const flipsTo = (position) =>
  position === 0 ? [] : range(BITS).filter((j) => bitsOf(position)[j] !== bitsOf(position - 1)[j]);

define("bit-counter", { position: 8 }, (figure) => {
  const [width, left, cell] = figure.narrow ? [350, 84, 50] : [640, 150, 80];
  const [tall, above, now] = [44, 24, 96]; // a row's height, and where the two rows begin
  const [ground, unit] = [272, 15]; // of the bars below
  const drawing = figure.stage(width, ground + 46);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  const box = { width: cell - 8, height: tall, rx: 4 };
  for (const j of range(BITS)) {
    add(
      "text",
      { x: left + (j + 0.5) * cell - 4, y: 14, class: "f-muted" },
      `column ${j}`.slice(figure.narrow ? 7 : 0),
    );
  }
  if (figure.narrow) add("text", { x: left - 14, y: 14, class: "f-end f-muted" }, "column");
  const names = [above, now].map((y, at) =>
    add("text", { x: left - 14, y: y + tall / 2 + 5, class: `f-end ${at ? "f-big" : "f-muted"}` }),
  );
  const before = range(BITS).map((j) => {
    const x = left + j * cell;
    const rect = add("rect", { ...box, x, y: above, class: "f-bit f-past" });
    return { rect, shown: add("text", { x: x + box.width / 2, y: above + tall / 2 + 5 }) };
  });
  const switches = range(BITS).map((j) => {
    const x = left + j * cell;
    const arrow = add("path", {
      d: `M${x + box.width / 2} ${above + tall + 4}v16m-5 -6l5 7l5 -7`,
      class: "f-flip",
    });
    const rect = svg("rect", { ...box, x, y: now, class: "f-bit" });
    const shown = svg("text", { x: x + box.width / 2, y: now + tall / 2 + 6, class: "f-big" });
    const whole = add("g", { tabindex: 0, role: "switch", "aria-label": `bit ${j}` }, rect, shown);
    set(whole, { class: "f-switch" });
    const flip = () => {
      const { position } = figure.state;
      figure.set({ position: position + (bitsOf(position)[j] ? -1 : 1) * 2 ** j });
    };
    whole.addEventListener("click", flip);
    whole.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      flip();
    });
    return { arrow, rect, shown, whole };
  });
  // A bar for each step, as high as it flips bits.
  const pitch = (width - 24) / (LAST + 1);
  const x = (position) => 12 + (position + 0.5) * pitch;
  add("text", { x: 12, y: now + tall + 30, class: "f-start f-muted" }, "bits that each step flips");
  const bars = range(LAST + 1).map((position) => {
    const height = unit * flipsTo(position).length;
    return add("rect", {
      x: x(position) - 0.35 * pitch,
      width: 0.7 * pitch,
      y: ground - height,
      height,
    });
  });
  add("line", { x1: 12, x2: width - 12, y1: ground, y2: ground, class: "f-axis" });
  for (const position of range(LAST + 1).filter((at) => at % 4 === 0)) {
    add("text", { x: x(position), y: ground + 38, class: "f-muted" }, String(position));
  }
  const knob = add("circle", { cy: ground + 11, r: 12, class: "f-pull" });
  const show = handle(knob, {
    label: "position",
    ...{ min: 0, max: LAST, page: 8 },
    change: (position) => figure.set({ position }),
    along: (point) => (point.x - 12) / pitch - 0.5,
    words: (position) => `position ${position}`,
  });
  return ({ position }) => {
    const [bits, flipped] = [bitsOf(position), flipsTo(position)];
    names[0].textContent = position
      ? `${figure.narrow ? "from" : "from position"} ${position - 1}`
      : "";
    names[1].textContent = figure.narrow ? `to ${position}` : `to position ${position}`;
    const old = position ? bitsOf(position - 1) : bits.map(() => undefined);
    switches.forEach(({ arrow, rect, shown, whole }, j) => {
      set(before[j].rect, { "data-on": old[j] ?? "", display: position ? "inline" : "none" });
      before[j].shown.textContent = old[j] ?? "";
      set(before[j].shown, { class: old[j] ? "f-on" : "" });
      shown.textContent = bits[j];
      set(shown, { class: `f-big ${bits[j] ? "f-on" : ""}` });
      set(rect, { "data-on": bits[j], "data-flipped": flipped.includes(j) });
      set(arrow, { display: flipped.includes(j) ? "inline" : "none" });
      set(whole, { "aria-checked": String(bits[j] === 1) });
    });
    bars.forEach((bar, at) => {
      set(bar, { class: at === position ? "f-step f-chosen" : "f-step" });
    });
    set(knob, { cx: x(position) });
    show(position);
    const count = flipped.length;
    const ones = sum(bits);
    figure.say(
      `position ${position} has ${ones === 1 ? "1 bit" : `${ones} bits`} on: ${bits.join(", ")}, the ones first.${
        position
          ? ` The step from ${position - 1} ${count === 1 ? "flips 1 bit" : `flips ${count} bits`}.`
          : ""
      }`,
    );
  };
});
