/* Far positions on the dial of one pair, with the angle counted in several ways beside the exact
   one.

   Data: names (of the ways), and powers [{exact (an angle), angles, off (in degrees)}]. */
import { clamp, define, dial, set, svg, text } from "./parts.js";

const NONE = { names: [""], powers: [{ exact: 0, angles: [0], off: [0] }] };

define("far-hands", { power: 26 }, (figure) => {
  const { names, powers } = figure.data ?? NONE;
  const { narrow } = figure;
  const [width, r, size] = narrow ? [350, 48, "f-tiny"] : [640, 84, ""];
  const pitch = width / names.length;
  const drawing = figure.stage(width, 2 * r + 64);
  const dials = names.map((name, at) => {
    const { group, hand } = dial(r);
    const exact = hand("f-hand f-exact", r - 2);
    const counted = hand("f-hand f-counted", r - 2);
    const off = svg("text", { y: r + 48, class: size });
    set(group, { transform: `translate(${(at + 0.5) * pitch} ${r + 6})` });
    group.append(svg("text", { y: r + 28, class: "f-method" }, name), off);
    drawing.append(group);
    return { exact, counted, off };
  });
  const last = powers.length - 1;
  figure.slider("power", { label: "position 2 to the power", min: 0, max: last });
  return (state) => {
    const power = clamp(Math.round(state.power), 0, last);
    const now = powers[power];
    const off = now.off.map((degrees) => `${text(degrees, 1)}° off`);
    dials.forEach((one, at) => {
      one.exact.turn(now.exact);
      one.counted.turn(now.angles[at]);
      one.off.textContent = off[at];
    });
    const read = names.map((name, at) => `${name} ${off[at]}`);
    figure.say(`position 2 to the power ${power}: ${read.join(", ")}.`);
  };
});
