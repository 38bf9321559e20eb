/* Six dials, one for each pair of a table with twelve columns. Drag any hand: all others follow, for
   they all show one position. */
import {
  angleAt,
  define,
  dial,
  frequencies,
  handle,
  range,
  set,
  signed,
  svg,
  text,
} from "./parts.js";

const PAIRS = 6;
const RADIUS = 44;
const LAST = 200;

define("dials", { position: 3, base: 10_000 }, (figure) => {
  const columns = figure.narrow ? 3 : PAIRS;
  const drawing = figure.stage(columns * 106, (PAIRS / columns) * 154);
  const dials = range(PAIRS).map((i) => {
    const centre = { x: (i % columns) * 106 + 53, y: Math.floor(i / columns) * 154 + 50 };
    const { group, hand } = dial(RADIUS);
    set(group, { transform: `translate(${centre.x} ${centre.y})` });
    const shadows = [
      svg("line", { class: "f-shadow f-sine" }),
      svg("line", { class: "f-shadow f-cosine" }),
    ];
    group.append(...shadows);
    const pointer = hand();
    const grip = group.appendChild(svg("circle", { r: 14, class: "f-grip" }));
    const rects = [-44, 0].map((x) =>
      group.appendChild(svg("rect", { x, y: 54, width: 44, height: 18 })),
    );
    const texts = ["f-sine", "f-cosine"].map((kind, at) =>
      group.appendChild(svg("text", { x: at ? 22 : -22, y: 92, class: kind })),
    );
    drawing.append(group);
    const one = { pointer, grip, shadows, rects, texts };
    const omegaOf = () => frequencies(2 * PAIRS, figure.state.base)[i];
    one.show = handle(grip, {
      label: `hand of pair ${i}`,
      ...{ min: 0, max: LAST, page: 10 },
      change: (position) => figure.set({ position }),
      words: (position) => `position ${position}`,
      // The nearest position at which this hand points there, in steps that it can show.
      along: (point, now) => {
        const omega = omegaOf();
        const angle = angleAt(point, centre);
        const turn = ((angle - omega * now) % (2 * Math.PI)) + 2 * Math.PI;
        const short = turn % (2 * Math.PI);
        return now + (short > Math.PI ? short - 2 * Math.PI : short) / omega;
      },
    });
    return one;
  });
  figure.slider("position", { min: 0, max: LAST });
  return ({ position, base }) => {
    for (const [i, omega] of frequencies(2 * PAIRS, base).entries()) {
      const { pointer, grip, shadows, rects, texts, show } = dials[i];
      const tip = [Math.sin(omega * position), Math.cos(omega * position)];
      pointer.turn(omega * position);
      set(grip, { cx: RADIUS * tip[0], cy: -RADIUS * tip[1] });
      set(shadows[0], { x2: RADIUS * tip[0] });
      set(shadows[1], { y2: -RADIUS * tip[1] });
      tip.forEach((value, at) => {
        rects[at].style.fill = signed(value);
        texts[at].textContent = text(value);
      });
      show(position);
    }
    const values = dials.map(({ texts }) => `(${texts[0].textContent}, ${texts[1].textContent})`);
    figure.say(
      `position ${position}; the first hand is at ${values[0]}, the last at ${values.at(-1)}.`,
    );
  };
});
