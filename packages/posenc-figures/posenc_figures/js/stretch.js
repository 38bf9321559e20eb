/* A ring for each pair of a head, closed as far as the pair turns within the trained length: a pair
   that comes full circle knows all angles. Stretch the text by hand, and angles that are new turn
   red. */
import { clamp, define, frequencies, handle, range, set, svg, text, whole } from "./parts.js";

const COLUMNS = 128;
const TRAINED = 4096;
const MOST = 16;
const NAMES = {
  none: "no remedy",
  linear: "position interpolation",
  ntk: "NTK-aware",
  "by-parts": "by parts",
  yarn: "YaRN's ramp",
  llama3: "Llama 3",
};
const turnsIn = (length, omega) => (length * omega) / (2 * Math.PI);

// By what each frequency is multiplied, as posenc.scale_frequencies has it.
const kept = (omegas, base, factor, method) => {
  const last = omegas.length - 1;
  if (method === "none") return omegas.map(() => 1);
  if (method === "linear") return omegas.map(() => 1 / factor);
  if (method === "ntk") return omegas.map((_, i) => factor ** (-i / last));
  const fast = method === "llama3" ? 4 : 32;
  const pairAt = (turns) =>
    (COLUMNS * Math.log(TRAINED / (2 * Math.PI * turns))) / (2 * Math.log(base));
  const [low, high] = [
    Math.max(0, Math.floor(pairAt(fast))),
    Math.min(COLUMNS - 1, Math.ceil(pairAt(1))),
  ];
  return omegas.map((omega, i) => {
    const share =
      method === "yarn" ? 1 - (i - low) / (high - low) : (turnsIn(TRAINED, omega) - 1) / (fast - 1);
    const own = clamp(share, 0, 1);
    return own + (1 - own) / factor;
  });
};

define("stretch", { factor: 4, method: "none", base: 10_000 }, (figure) => {
  const [width, across, left, right] = figure.narrow ? [350, 8, 10, 340] : [640, 16, 60, 580];
  const [pitch, row, top, r] = [width / across, 52, 100, 15];
  const bottom = top + (COLUMNS / 2 / across) * row;
  const drawing = figure.stage(width, bottom);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  // The text, as long as it is pulled.
  const reach = (factor) => left + (Math.log2(factor) / Math.log2(MOST)) * (right - left - 90) + 90;
  add("line", { x1: left, x2: reach(1), y1: 34, y2: 34, class: "f-text" });
  const longer = add("line", { x1: reach(1), y1: 34, y2: 34, class: "f-text f-new" });
  add("text", { x: left, y: 56, class: "f-start f-muted" }, `trained: ${whole(TRAINED)}`);
  const length = add("text", { y: 12, class: "f-end" });
  const end = add("rect", { y: 20, width: 24, height: 28, rx: 4, class: "f-pull" });
  const rings = range(COLUMNS / 2).map((i) => {
    const [x, y] = [((i % across) + 0.5) * pitch, top + Math.floor(i / across) * row];
    const turned = `rotate(-90 ${x} ${y})`; // dashes begin at the top
    add("circle", { cx: x, cy: y, r, class: "f-rim" });
    const arcs = ["f-arc", "f-arc f-new"].map((kind) =>
      add("circle", { cx: x, cy: y, r, pathLength: 1, transform: turned, class: kind }),
    );
    if (i % across === 0) add("text", { x, y: y + 5, class: "f-tiny" }, String(i));
    const speed = add("rect", { x: x - r, y: y + r + 6, height: 4, class: "f-other" });
    return { arcs, speed };
  });
  const show = handle(end, {
    label: "length of the text, in tokens",
    ...{ min: 1, max: MOST, step: 0.5, page: 2 },
    change: (factor) => figure.set({ factor }),
    along: ({ x: at }) => MOST ** ((at - left - 90) / (right - left - 90)),
    words: (factor) => `${whole(factor * TRAINED)} tokens`,
  });
  figure.menu("method", { label: "remedy", options: NAMES });
  figure.menu("base", {
    options: Object.fromEntries([10_000, 500_000, 1_000_000].map((base) => [base, whole(base)])),
  });
  return ({ factor, method, base }) => {
    const omegas = frequencies(COLUMNS, base);
    const shares = kept(omegas, base, factor, method);
    let fresh = 0;
    rings.forEach(({ arcs, speed }, i) => {
      const known = Math.min(1, turnsIn(TRAINED, omegas[i]));
      const reached = Math.min(1, turnsIn(factor * TRAINED, omegas[i] * shares[i]));
      const more = reached - known > 1e-9 ? reached - known : 0;
      fresh += more > 0;
      set(arcs[0], { "stroke-dasharray": `${known.toFixed(4)} 1` });
      set(arcs[1], {
        "stroke-dasharray": `${more.toFixed(4)} 1`,
        "stroke-dashoffset": (-known).toFixed(4),
      });
      set(speed, { width: method === "none" ? 0 : 2 * r * shares[i] });
    });
    set(longer, { x2: reach(factor) });
    set(end, { x: reach(factor) - 12 });
    set(length, { x: clamp(reach(factor), left + 100, right) });
    length.textContent = `${whole(factor * TRAINED)} tokens`;
    show(factor);
    const slow = Math.min(...shares);
    const cost =
      slow < 1
        ? ` The slowest pair keeps ${text(shares.at(-1), 3)} of its speed, the fastest ${text(shares[0], 3)}.`
        : "";
    figure.say(
      `${whole(factor * TRAINED)} tokens, ${NAMES[method]}: ${fresh} of ${omegas.length} pairs meet angles that training never showed.${cost}`,
    );
  };
});
