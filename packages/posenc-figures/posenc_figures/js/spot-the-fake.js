/* Ten heat maps of tables, some of them wrong: mark those, and be told why. The notebook computes the
   tables (in hundredths), whether each is wrong, and a sentence about it. A clock runs if wanted. */
import { cells, clamp, define, handle, html, map, painter, range, set, svg } from "./parts.js";

const ACROSS = 5;
const SECONDS = 120;

define("spot-the-fake", { map: 1, marked: "", checked: false }, (figure) => {
  const { narrow } = figure;
  const tables = figure.data ?? [];
  const fakes = tables.filter((one) => one.wrong).length;
  const [width, wide, high, gap] = narrow ? [350, 62, 52, 10] : [640, 116, 92, 15];
  const large = { x: 0, y: 0, width, height: narrow ? 230 : 280 };
  const top = large.height + 24;
  const down = Math.ceil(tables.length / ACROSS);
  const line = high + 26;
  const drawing = figure.stage(width, top + down * line);
  const add = (name, attributes, ...children) =>
    drawing.appendChild(svg(name, attributes, ...children));
  const enlarged = drawing.appendChild(map(large));
  const at = (one) => ({
    x: (one % ACROSS) * (wide + gap),
    y: top + Math.floor(one / ACROSS) * line,
  });
  const stamps = tables.map((_, one) => {
    const place = at(one);
    return {
      image: drawing.appendChild(map({ ...place, width: wide, height: high })),
      frame: add("rect", { ...place, width: wide, height: high }),
      name: add("text", { x: place.x + wide / 2, y: place.y + high + 17 }),
    };
  });
  const mark = add("rect", { width: wide + 6, height: high + 6, rx: 3, class: "f-cell-mark" });
  const all = { x: 0, y: top, width, height: down * line };
  const choose = (one) => figure.set({ map: clamp(one, 0, tables.length - 1) + 1 });
  const grid = add("rect", { ...all, class: "f-grid" });
  const show = handle(grid, {
    label: "heat map",
    ...{ min: 0, max: tables.length - 1, page: ACROSS, columns: ACROSS },
    change: choose,
    along: ({ x, y }) =>
      ACROSS * clamp(Math.floor((y - top) / line), 0, down - 1) +
      clamp(Math.floor(x / (wide + gap)), 0, ACROSS - 1),
    words: (one) => `heat map ${one + 1}`,
  });
  const has = (marked, one) => marked.split(" ").includes(String(one));
  const toggle = () => {
    const { map: one, marked, checked } = figure.state;
    if (checked) return;
    const others = marked.split(" ").filter((name) => name && name !== String(one));
    figure.set({ marked: (has(marked, one) ? others : [...others, one]).join(" ") });
  };
  grid.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle();
  });
  const wrong = figure.button("this one is wrong", toggle);
  const check = figure.button("check my answers", () => {
    stop();
    figure.set(figure.state.checked ? { checked: false, marked: "", map: 1 } : { checked: true });
  });
  const clock = figure.button("two minutes", () => {
    if (clock.running) stop();
    else {
      const end = performance.now() + 1000 * SECONDS;
      const tick = () => {
        const left = Math.ceil((end - performance.now()) / 1000);
        shown.textContent = `${left} s`;
        if (left > 0 && figure.root.isConnected) return;
        stop();
        figure.set({ checked: true });
      };
      clock.running = setInterval(tick, 250);
      clock.textContent = "stop the clock";
      tick();
    }
  });
  const shown = html("output");
  clock.after(shown);
  const stop = () => {
    clearInterval(clock.running);
    clock.running = undefined;
    clock.textContent = "two minutes";
    shown.textContent = "";
  };
  let painted;
  let images = [];
  return ({ map: chosen, marked, checked }) => {
    const { paint, key } = painter(figure.root);
    if (painted !== key) {
      painted = key;
      images = tables.map(({ table }) =>
        cells(table.length, table[0].length, (row, column) => paint(table[row][column] / 100)),
      );
      for (const [one, { image }] of stamps.entries()) set(image, { href: images[one] });
    }
    const one = clamp(chosen, 1, Math.max(1, tables.length));
    const answered = range(tables.length).map(
      (index) => has(marked, index + 1) === tables[index].wrong,
    );
    for (const [index, { frame, name }] of stamps.entries()) {
      const accused = has(marked, index + 1);
      const fake = checked ? tables[index].wrong : accused;
      set(frame, { class: fake ? "f-wrong" : checked ? "f-good" : "f-plain" });
      const sign = checked ? (answered[index] ? " ✓" : " ✗") : accused ? " wrong" : "";
      name.textContent = `${index + 1}${sign}`;
      name.classList.toggle("f-lit", accused && !checked);
    }
    if (!tables.length) return;
    set(enlarged, { href: images[one - 1] });
    const place = at(one - 1);
    set(mark, { x: place.x - 3, y: place.y - 3 });
    show(one - 1);
    wrong.ariaPressed = String(has(marked, one));
    wrong.disabled = checked;
    check.textContent = checked ? "again" : "check my answers";
    const count = marked.split(" ").filter(Boolean).length;
    const score = answered.filter(Boolean).length;
    figure.say(
      checked
        ? `${score} of ${tables.length} answers are right. Heat map ${one}, ${tables[one - 1].why}`
        : `heat map ${one}; you have marked ${count} as wrong, and ${fakes} of the ${tables.length} are.`,
    );
  };
});
