/* The bits of a position, and the waves that keep their rhythm. One handle rounds the square waves
   off into sines, another moves the position, as does each hand: a bit tells which half of its face
   a hand is in, the sine how far. */
import { define, dial, handle, path, range, set, svg, text, turning } from "./parts.js";

const BITS = 4;
const LAST = 16;
// Where a wave is drawn within half a turn, in turns: closer together where it may jump.
const AT = [0, 0.002, 0.01, 0.03, 0.07, 0.12, 0.18, 0.25, 0.32, 0.38, 0.43, 0.47, 0.49, 0.498];
const R = 29;

// Between the square wave and the sine of its rhythm: at 0 the one, at 1 the other, exactly. In
// between, the sine of a hand on a face that is flattened to that share of its height.
const between = (turns, share) => {
  if (share === 0) return turns % 1 < 0.5 ? 1 : -1;
  const [sine, cosine] = [Math.sin(2 * Math.PI * turns), Math.cos(2 * Math.PI * turns)];
  return sine / Math.hypot(sine, share * cosine);
};

define("bits-become-dials", { rounding: 0, position: 7 }, (figure) => {
  const [width, left, right] = figure.narrow ? [350, 46, 276] : [640, 64, 540];
  const [top, row, swing] = [74, 74, 24];
  const height = top + BITS * row + 8;
  const drawing = figure.stage(width, height);
  const x = (position) => left + (position / LAST) * (right - left);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  const positions = {
    ...{ min: 0, max: LAST - 1, page: 4 },
    change: (position) => figure.set({ position }),
    words: (position) => `position ${position}`,
  };
  const rows = range(BITS).map((bit) => {
    const y = top + bit * row + row / 2;
    const period = 2 ** (bit + 1);
    add("text", { x: 0, y: y + 5, class: "f-start" }, `bit ${bit}`);
    for (const value of [0, 1]) {
      const at = y - (1 - 2 * value) * swing + 5; // 0 stands for the right half of a face, and is up
      add("text", { x: left - 8, y: at, class: "f-end f-muted" }, String(value));
    }
    add("line", { x1: left, x2: right, y1: y, y2: y, class: "f-rim" });
    const jumps = range(2 ** (BITS - bit)).flatMap((half) => {
      const [from, to] = [x((half * period) / 2), x(((half + 1) * period) / 2)];
      const at = y - (half % 2 ? -swing : swing);
      return [
        [from, at],
        [to, at],
      ];
    });
    add("path", { d: path(jumps), class: "f-rhythm" });
    const wave = add("path", { class: "f-curve f-sine" });
    const dots = range(LAST).map((position) =>
      add("circle", { cx: x(position), r: 2.5, class: "f-dot" }),
    );
    const now = add("circle", { r: 6, class: "f-now" });
    const { group, hand } = dial(R);
    const centre = { x: (right + width) / 2 + 8, y };
    set(group, { transform: `translate(${centre.x} ${y})` });
    const fog = group.appendChild(svg("path", { class: "f-wedge" }));
    const shadow = group.appendChild(svg("line", { class: "f-shadow f-sine" }));
    const pointer = hand();
    const tip = group.appendChild(svg("circle", { r: 15, class: "f-grip" }));
    drawing.append(group);
    const show = handle(tip, {
      label: `hand of bit ${bit}`,
      ...positions,
      along: turning(centre, () => (2 * Math.PI) / period),
    });
    return { y, period, wave, dots, now, fog, shadow, pointer, tip, show };
  });
  const cursor = add("line", { y1: top, y2: height - 8, class: "f-cursor" });
  const grip = add("rect", { width: 28, height: height - top - 8, y: top, class: "f-grip" });
  const ends = [left + 60, right - 64];
  add("line", { x1: ends[0], x2: ends[1], y1: 26, y2: 26, class: "f-axis" });
  add("text", { x: ends[0] - 22, y: 31, class: "f-end" }, "bits");
  add("text", { x: ends[1] + 22, y: 31, class: "f-start" }, "waves");
  const place = add("text", { y: top - 8 });
  const knob = add("circle", { cy: 26, r: 13, class: "f-pull" });
  const showRounding = handle(knob, {
    label: "from bits to waves",
    ...{ min: 0, max: 1, step: 0.05, page: 0.25 },
    change: (rounding) => figure.set({ rounding }),
    along: (point) => (point.x - ends[0]) / (ends[1] - ends[0]),
    words: (rounding) => `${Math.round(100 * rounding)} % rounded`,
  });
  figure.leads("position", (at) => ({ position: at % LAST }));
  const showPosition = handle(grip, {
    label: "position",
    ...positions,
    along: (point) => ((point.x - left) / (right - left)) * LAST,
  });
  return ({ rounding, position }) => {
    const codes = rows.map(({ y, period, wave, dots, now, fog, shadow, pointer, tip, show }) => {
      const value = (at) => between(at / period, rounding);
      set(wave, {
        d: path(
          range((2 * LAST) / period)
            .flatMap((half) => AT.map((turns) => (half / 2 + turns) * period))
            .map((at) => [x(at), y - swing * value(at)]),
        ),
      });
      for (const [at, dot] of dots.entries()) set(dot, { cy: y - swing * value(at) });
      set(now, { cx: x(position), cy: y - swing * value(position) });
      const angle = (2 * Math.PI * position) / period;
      pointer.turn(angle);
      set(tip, { cx: R * Math.sin(angle), cy: -R * Math.cos(angle) });
      set(shadow, { x2: R * Math.sin(angle) });
      shadow.style.opacity = rounding;
      const bit = Math.floor((2 * position) / period) % 2;
      set(fog, { d: `M0 ${-R}A${R} ${R} 0 0 ${1 - bit} 0 ${R}Z`, opacity: 1 - rounding });
      show(position);
      return { bit, sine: value(position) };
    });
    set(cursor, { x1: x(position), x2: x(position) });
    set(grip, { x: x(position) - 14 });
    set(knob, { cx: ends[0] + rounding * (ends[1] - ends[0]) });
    place.textContent = `position ${position}`;
    set(place, { x: Math.min(x(position), right - 30) });
    showRounding(rounding);
    showPosition(position);
    const bits = codes.map(({ bit }) => bit).join(", ");
    const next = rows.map(({ period }) => Math.floor((2 * (position + 1)) / period) % 2);
    const flips = codes.filter(({ bit }, at) => bit !== next[at]).length;
    figure.say(
      rounding === 0
        ? `position ${position}: bits ${bits}, the fastest first; on the next step ${flips} of them ${flips === 1 ? "flips" : "flip"}.`
        : `position ${position}: bits ${bits} became ${codes.map(({ sine }) => text(sine)).join(", ")}${rounding === 1 ? ", the sines of the four hands" : ""}.`,
    );
  };
});
