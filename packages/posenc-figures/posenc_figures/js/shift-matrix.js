/* The matrix that moves position vectors of six columns on by k positions, and the dials that its
   blocks turn. Drag k, or any hand. */
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
  wedge,
} from "./parts.js";

const COLUMNS = 6;
const MOST = 10; // positions, either way
const spoken = (offset) => `k = ${text(offset, offset % 1 ? 1 : 0)}`;
const TURN = 2 * Math.PI;
const ZEROS = COLUMNS ** 2 - 2 * COLUMNS; // outside the blocks

define("shift-matrix", { offset: 3 }, (figure) => {
  const { narrow } = figure;
  const omegas = frequencies(COLUMNS);
  const [size, r, digits] = narrow ? [52, 40, 2] : [60, 46, 3];
  const [left, top] = narrow ? [36, 46] : [56, 46];
  const matrix = COLUMNS * size;
  const ruler = { y: top + matrix + (narrow ? 202 : 52), left: 20 };
  ruler.right = (narrow ? 350 : 640) - ruler.left;
  const drawing = figure.stage(narrow ? 350 : 640, ruler.y + 34);
  const add = (tag, attributes, ...children) =>
    drawing.appendChild(svg(tag, attributes, ...children));
  add("text", { x: left + matrix / 2, y: 14, class: "f-muted" }, "column j of p(t)");
  const aside = { x: 0, y: 0, transform: `translate(12 ${top + matrix / 2}) rotate(-90)` };
  add("text", { ...aside, class: "f-muted" }, "column j of p(t + k)");
  for (const j of range(COLUMNS)) {
    const middle = (j + 0.5) * size;
    add("text", { x: left + middle, y: top - 8, class: "f-muted" }, String(j));
    add("text", { x: left - 8, y: top + middle + 5, class: "f-end f-muted" }, String(j));
  }
  for (const row of range(COLUMNS)) {
    for (const column of range(COLUMNS)) {
      if (row >> 1 === column >> 1) continue;
      const at = { x: left + column * size + 1, y: top + row * size + 1 };
      add("rect", { ...at, width: size - 2, height: size - 2, class: "f-empty" });
    }
  }
  const pairs = omegas.map((omega, i) => {
    const group = add("g", { class: "f-pair-of" });
    const part = (tag, attributes, ...children) =>
      group.appendChild(svg(tag, attributes, ...children));
    const corner = { x: left + 2 * i * size, y: top + 2 * i * size };
    const centre = narrow
      ? { x: 60 + i * 115, y: top + matrix + 62 }
      : { x: left + matrix + 72, y: corner.y + size };
    if (!narrow) {
      part("line", {
        x1: left + matrix,
        x2: centre.x - r,
        y1: centre.y,
        y2: centre.y,
        class: "f-lead",
      });
    }
    const entries = [0, 1, 2, 3].map((at) => {
      const [x, y] = [corner.x + (at % 2) * size, corner.y + (at >> 1) * size];
      return {
        rect: part("rect", { x: x + 1, y: y + 1, width: size - 2, height: size - 2 }),
        value: part("text", { x: x + size / 2, y: y + size / 2 + 5, class: "f-value" }),
      };
    });
    part("rect", { ...corner, width: 2 * size, height: 2 * size, class: "f-mark f-lit" });
    const { group: face, hand } = dial(r);
    set(face, { transform: `translate(${centre.x} ${centre.y})` });
    const pie = face.appendChild(svg("path", { class: "f-wedge" }));
    hand("f-hand f-that").turn(0);
    const pointer = hand("f-hand f-this");
    const grip = face.appendChild(svg("circle", { r: 16, class: "f-grip f-this" }));
    group.append(face);
    const beside = narrow ? { x: centre.x, y: centre.y + r + 27 } : { x: centre.x + r + 14 };
    const words = { ...beside, y: beside.y ?? centre.y - 4, class: narrow ? "" : "f-start" };
    part("text", words, `pair ${i}`);
    const angle = part("text", { ...words, y: words.y + 20, class: `${words.class} f-muted` });
    const tell = handle(grip, {
      label: `hand of pair ${i}`,
      ...{ min: -MOST, max: MOST, step: 0.5, page: 2 },
      change: (offset) => figure.set({ offset }),
      along: turning(centre, () => omega),
      words: spoken,
    });
    return { omega, entries, pie, pointer, grip, angle, tell };
  });
  const x = (offset) => ruler.left + ((offset + MOST) / (2 * MOST)) * (ruler.right - ruler.left);
  add("line", { x1: ruler.left, x2: ruler.right, y1: ruler.y, y2: ruler.y, class: "f-axis" });
  for (const offset of range(5).map((at) => (at - 2) * (MOST / 2))) {
    const at = { x1: x(offset), x2: x(offset), y1: ruler.y, y2: ruler.y + 6 };
    add("line", { ...at, class: "f-axis" });
    add("text", { x: x(offset), y: ruler.y + 30, class: "f-muted" }, text(offset, 0));
  }
  const name = add("text", { y: ruler.y - 22, class: "f-big" });
  const knob = add("circle", { cy: ruler.y, r: 14, class: "f-pull" });
  const show = handle(knob, {
    label: "offset k",
    ...{ min: -MOST, max: MOST, step: 0.5, page: 2 },
    change: (offset) => figure.set({ offset }),
    along: (point) => ((point.x - ruler.left) / (ruler.right - ruler.left)) * 2 * MOST - MOST,
    words: spoken,
  });
  return ({ offset }) => {
    for (const { omega, entries, pie, pointer, grip, angle, tell } of pairs) {
      const turned = omega * offset;
      const [sine, cosine] = [Math.sin(turned), Math.cos(turned)];
      for (const [at, number] of [cosine, sine, -sine, cosine].entries()) {
        const { rect, value } = entries[at];
        rect.style.fill = signed(number);
        value.textContent = text(number, digits);
        value.classList.toggle("f-on-dark", needsWhite(number));
      }
      set(pie, { d: wedge(0.6 * r, 0, turned % TURN) });
      pointer.turn(turned);
      set(grip, { cx: r * sine, cy: -r * cosine });
      angle.textContent = `${text(turned, 3)} rad`;
      tell(offset);
    }
    set(knob, { cx: x(offset) });
    set(name, { x: Math.min(Math.max(x(offset), 44), ruler.right - 24) });
    name.textContent = spoken(offset);
    show(offset);
    const angles = pairs.map(({ angle }) => angle.textContent.replace(" rad", ""));
    figure.say(
      `${spoken(offset)}: the blocks rotate their pairs by ${angles.join(", ")} radians, at every position t; the other ${ZEROS} entries stay zero.`,
    );
  };
});
