/* The pairs of a head, by the turns that each makes within a text; stretch the text by hand. A pair
   that came full circle in training knows all angles; others meet new ones in a longer text. */
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
  const [width, left, right] = figure.narrow ? [350, 10, 340] : [640, 60, 580];
  const [top, middle, bottom] = [72, 262, 372];
  const drawing = figure.stage(width, bottom + 34);
  const [least, most] = [-2.2, 4.1]; // of the turns, as powers of ten
  const x = (turns) =>
    left + ((clamp(Math.log10(turns), least, most) - least) / (most - least)) * (right - left);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  add("rect", { x: x(1), y: top, width: right - x(1), height: middle - top, class: "f-seen" });
  add(
    "text",
    { x: (x(1) + right) / 2, y: top + 18, class: "f-muted" },
    figure.narrow ? "full circle" : "came full circle in the text",
  );
  add("line", { x1: left, x2: right, y1: middle, y2: middle, class: "f-axis" });
  for (const power of range(6).map((at) => at - 2)) {
    add("line", {
      x1: x(10 ** power),
      x2: x(10 ** power),
      y1: middle,
      y2: middle + 5,
      class: "f-axis",
    });
    add(
      "text",
      { x: x(10 ** power), y: middle + 20, class: "f-muted" },
      power < 0 ? text(10 ** power, -power) : whole(10 ** power),
    );
  }
  add("text", { x: right, y: middle + 40, class: "f-end" }, "turns within the text");
  // The text, as long as it is pulled.
  const reach = (factor) => left + (Math.log2(factor) / Math.log2(MOST)) * (right - left - 90) + 90;
  const trained = add("line", { x1: left, x2: reach(1), y1: 34, y2: 34, class: "f-text" });
  const longer = add("line", { x1: reach(1), y1: 34, y2: 34, class: "f-text f-new" });
  add("text", { x: left, y: 56, class: "f-start f-muted" }, `trained: ${whole(TRAINED)}`);
  const length = add("text", { y: 12, class: "f-end" });
  const end = add("rect", { y: 20, width: 24, height: 28, rx: 4, class: "f-pull" });
  const omega = add("g", {});
  const dots = range(COLUMNS / 2).map((i) =>
    omega.appendChild(
      svg("circle", { r: 4, cy: top + 30 + (i / (COLUMNS / 2 - 1)) * (middle - top - 40) }),
    ),
  );
  const slowed = range(COLUMNS / 2).map((i) =>
    add("rect", {
      x: left + (i / (COLUMNS / 2)) * (right - left),
      width: (right - left) / (COLUMNS / 2) - 1,
      class: "f-other",
    }),
  );
  add("line", { x1: left, x2: right, y1: bottom, y2: bottom, class: "f-axis" });
  add(
    "text",
    { x: left, y: bottom + 18, class: "f-start" },
    figure.narrow ? "pair 0" : "pair 0: how much of its speed each pair keeps",
  );
  add("text", { x: right, y: bottom + 18, class: "f-end" }, "pair 63");
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
    omegas.forEach((speed, i) => {
      const before = Math.min(1, turnsIn(TRAINED, speed));
      const after = turnsIn(factor * TRAINED, speed * shares[i]);
      const isNew = Math.min(1, after) - before > 1e-9;
      fresh += isNew;
      set(dots[i], { cx: x(after), class: isNew ? "f-unseen" : "f-known" });
      const height = 50 * shares[i];
      set(slowed[i], { y: bottom - height, height });
    });
    set(longer, { x2: reach(factor) });
    set(trained, { x2: reach(1) });
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
