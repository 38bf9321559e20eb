/* Six dials, one for each pair of a table with twelve columns, over the row that they make. Drag any
   hand: all others follow, for they all show one position. */
import {
  define,
  dial,
  frequencies,
  handle,
  needsWhite,
  range,
  set,
  signed,
  svg,
  text,
  turning,
} from "./parts.js";

const PAIRS = 6;
const RADIUS = 44;
const LAST = 200;
const TRAIL = 3; // positions before, whose hands are still to be seen

define("dials", { position: 3, base: 10_000 }, (figure) => {
  const columns = figure.narrow ? 3 : PAIRS;
  const [width, height] = [figure.narrow ? 116 : 106, 174];
  const drawing = figure.stage(columns * width, (PAIRS / columns) * height);
  const dials = range(PAIRS).map((i) => {
    const [left, top] = [(i % columns) * width, Math.floor(i / columns) * height];
    const centre = { x: left + width / 2, y: top + 70 };
    const { group, hand } = dial(RADIUS);
    set(group, { transform: `translate(${centre.x} ${centre.y})` });
    const part = (tag, attributes, ...children) =>
      group.appendChild(svg(tag, attributes, ...children));
    part("text", { y: -RADIUS - 10, class: "f-muted" }, `pair ${i}`);
    part("path", { d: `M${-RADIUS} 0H${RADIUS}M0 ${-RADIUS}V${RADIUS}`, class: "f-mesh" });
    const trail = range(TRAIL).map((ago) => {
      const past = hand("f-hand f-past");
      set(past.line, { opacity: 0.26 - 0.08 * ago });
      return past;
    });
    const box = part("path", { class: "f-drop" });
    const shadows = ["f-sine", "f-cosine"].map((kind) =>
      part("line", { class: `f-shadow ${kind}` }),
    );
    const pointer = hand();
    const tip = part("circle", { r: 5, class: "f-tip" });
    const grip = part("circle", { r: 20, class: "f-grip" });
    const entries = ["sine", "cosine"].map((kind, at) => {
      const x = (at - 1) * (width / 2);
      const middle = { x: x + width / 4, class: "f-value" };
      const entry = {
        rect: part("rect", { x: x + 0.5, y: 54, width: width / 2 - 1, height: 24 }),
        value: part("text", { ...middle, y: 71 }),
      };
      part("rect", {
        x: x + 0.5,
        y: 79,
        width: width / 2 - 1,
        height: 4,
        class: `f-foot f-${kind}`,
      });
      if (i === 0) part("text", { x: middle.x, y: 98, class: `f-${kind}` }, kind);
      return entry;
    });
    drawing.append(group);
    const show = handle(grip, {
      label: `hand of pair ${i}`,
      ...{ min: 0, max: LAST, page: 10 },
      change: (position) => figure.set({ position }),
      words: (position) => `position ${position}`,
      along: turning(centre, () => frequencies(2 * PAIRS, figure.state.base)[i]),
    });
    return { trail, box, shadows, pointer, tip, grip, entries, show };
  });
  figure.leads("position");
  figure.slider("position", { min: 0, max: LAST });
  return ({ position, base }) => {
    for (const [i, omega] of frequencies(2 * PAIRS, base).entries()) {
      const { trail, box, shadows, pointer, tip, grip, entries, show } = dials[i];
      const values = [Math.sin(omega * position), Math.cos(omega * position)];
      const [x, y] = [RADIUS * values[0], -RADIUS * values[1]];
      for (const [ago, past] of trail.entries()) past.turn(omega * Math.max(0, position - ago - 1));
      pointer.turn(omega * position);
      for (const end of [tip, grip]) set(end, { cx: x, cy: y });
      set(shadows[0], { x2: x });
      set(shadows[1], { y2: y });
      set(box, { d: `M${x.toFixed(1)} 0V${y.toFixed(1)}H0` });
      for (const [at, number] of values.entries()) {
        const { rect, value } = entries[at];
        rect.style.fill = signed(number);
        value.textContent = text(number);
        value.classList.toggle("f-on-dark", needsWhite(number));
      }
      show(position);
    }
    const shown = dials.map(({ entries }) => entries.map(({ value }) => value.textContent));
    figure.say(
      `position ${position}; the first hand is at (${shown[0].join(", ")}), the last at (${shown.at(-1).join(", ")}).`,
    );
  };
});
