/* What the figures that readers touch are made of: SVG, handles, controls, a state that a link can
   carry. A module of a figure calls define(kind, state, draw); draw(figure) builds its parts once
   and returns the function that shows a state. The same module runs on a page, on a slide and in
   JupyterLab. */
const NAMESPACE = "http://www.w3.org/2000/svg";
const NARROW = 480; // of the column, in CSS pixels

// ---- elements

export const svg = (name, attributes = {}, ...children) => {
  const node = document.createElementNS(NAMESPACE, name);
  set(node, attributes);
  node.append(...children);
  return node;
};

export const html = (name, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
};

// Attributes of an SVG element; numbers are rounded to what can be seen.
export const set = (node, attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, typeof value === "number" ? Math.round(value * 100) / 100 : value);
  }
  return node;
};

// ---- numbers

export const range = (count) => Array.from({ length: count }, (_, at) => at);
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
export const sum = (values) => values.reduce((total, value) => total + value, 0);

// A number as text, with a minus sign in place of a hyphen.
export const text = (value, digits = 2) => {
  const rounded = value.toFixed(digits);
  return (Number(rounded) === 0 ? rounded.replace("-", "") : rounded).replace("-", "−");
};

// Whole numbers with commas, as in the course's prose.
export const whole = (value) => {
  const digits = String(Math.round(Math.abs(value)));
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, ",");
  return (value < 0 ? "−" : "") + grouped;
};

// The frequencies of a table with d columns: base ** (-2 i / d) for each pair i.
export const frequencies = (d, base = 10_000) => range(d / 2).map((i) => base ** ((-2 * i) / d));

export const softmax = (scores) => {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const total = sum(powers);
  return powers.map((power) => power / total);
};

// Normal random numbers that are the same on every machine.
export const normals = (seed) => {
  let at = seed >>> 0;
  const uniform = () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
};

// ---- colours

// Of a signed value in -1 … 1; zero is the ground of the page.
export const signed = (value) => {
  const end = value < 0 ? "negative" : "positive";
  return `color-mix(in srgb, var(--f-${end}) ${Math.round(100 * Math.min(1, Math.abs(value)))}%, var(--f-ground))`;
};
// Whether letters on that colour have to be white to be read, on a light page.
export const needsWhite = (value) => (value < 0 ? value < -0.7 : value > 0.85);
// Of an amount in 0 … 1.
export const amount = (value, colour = "var(--f-ink)") =>
  `color-mix(in srgb, ${colour} ${Math.round(100 * clamp(value, 0, 1))}%, var(--f-ground))`;

// Draw a map of many cells: an image with a pixel for each, as an SVG element that can be resized.
// colour(row, column) gives [red, green, blue], each 0 … 255, and may add how opaque it is.
export const cells = (rows, columns, colour) => {
  const canvas = html("canvas", { width: columns, height: rows });
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(columns, rows);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at += 4) {
      const [red, green, blue, alpha = 255] = colour(row, column);
      pixels.data.set([red, green, blue, alpha], at);
    }
  }
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
};
// The image of cells(), in a box of the drawing.
export const map = (box) => svg("image", { ...box, preserveAspectRatio: "none", class: "f-map" });

// The colour of a custom property, as [red, green, blue]; forced colours would make them all one.
export const rgb = (within, name) => {
  const probe = within.appendChild(html("span", { hidden: true }));
  Object.assign(probe.style, { color: `var(${name})`, forcedColorAdjust: "none" });
  const found = getComputedStyle(probe)
    .color.match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);
  probe.remove();
  return found;
};
// In steps of a hundredth, which can't be told apart and compress well.
export const mixed = (from, to, share) => {
  const step = Math.round(100 * share) / 100;
  return from.map((part, at) => part + (to[at] - part) * step);
};

// The function that paints signed values in -1 … 1 for cells(), and the key of its colours, which a
// theme has for itself.
export const painter = (within) => {
  const ends = ["--f-ground", "--f-positive", "--f-negative"].map((name) => rgb(within, name));
  const paint = (value) => mixed(ends[0], ends[value < 0 ? 2 : 1], Math.min(1, Math.abs(value)));
  return { paint, key: String(ends) };
};

// ---- components

// A dial: a rim, and hands whose angle is counted clockwise from the top, so that the tip of a hand
// at angle a is at (sin a, cos a). Returns the group; turn(angle) moves a hand.
export const dial = (r) => {
  const group = svg("g", { class: "f-dial" }, svg("circle", { r, class: "f-rim" }));
  const hand = (kind = "f-hand", length = r) => {
    const line = group.appendChild(svg("line", { class: kind }));
    return {
      line,
      turn: (angle) => set(line, { x2: length * Math.sin(angle), y2: -length * Math.cos(angle) }),
    };
  };
  return { group, hand };
};

// The angle of a point seen from a centre, counted clockwise from the top, in 0 … 2 pi.
export const angleAt = (point, centre) => {
  const angle = Math.atan2(point.x - centre.x, centre.y - point.y);
  return angle < 0 ? angle + 2 * Math.PI : angle;
};

// The angle between two directions, the short way: -pi … pi.
export const apart = (from, to) => {
  const turn = 2 * Math.PI;
  return ((((to - from) % turn) + 1.5 * turn) % turn) - turn / 2;
};

// How a hand is dragged: to the nearest value, from where it stands, at which it points there. It
// makes speed() radians a step.
export const turning = (centre, speed) => (point, now) =>
  now + apart(speed() * now, angleAt(point, centre)) / speed();

// The path of a wedge between two angles, at the origin.
export const wedge = (r, from, to) => {
  const at = (angle) => `${(r * Math.sin(angle)).toFixed(2)} ${(-r * Math.cos(angle)).toFixed(2)}`;
  const large = Math.abs(to - from) % (2 * Math.PI) > Math.PI ? 1 : 0;
  return `M0 0L${at(from)}A${r} ${r} 0 ${large} ${to > from ? 1 : 0} ${at(to)}Z`;
};

// The path through points [x, y].
export const path = (points) =>
  points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

// ---- handles

// Let a part of a drawing be dragged and moved by keys. `along(point)` says which value a point of
// the drawing stands for. show(value) tells the handle what it stands at. With `columns` the values
// count the cells of a grid, row by row; a press goes to its cell, and arrows go up and down, too.
export const handle = (
  node,
  { label, min, max, step = 1, page = 10 * step, along, change, words, columns },
) => {
  const drawing = () => node.ownerSVGElement;
  const tidy = (wanted) => clamp(Math.round(wanted / step) * step, min, max);
  let value = min;
  set(node, { tabindex: 0, role: "slider", "aria-label": label });
  set(node, {
    "aria-valuemin": min,
    "aria-valuemax": max,
    class: `${node.getAttribute("class") ?? ""} f-handle`,
  });
  const keys = {
    ...{ ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step },
    ...{ PageUp: page, PageDown: -page, Home: -Infinity, End: Infinity },
    ...(columns && { ArrowUp: -columns, ArrowDown: columns }),
  };
  node.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = value + keys[event.key];
    const beyond = columns && Number.isFinite(next) && (next < min || next > max);
    change(beyond ? value : tidy(next));
  });
  const pointAt = ({ clientX, clientY }) =>
    new DOMPoint(clientX, clientY).matrixTransform(drawing().getScreenCTM().inverse());
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    node.focus({ preventScroll: true });
    node.classList.add("f-held");
    const move = (moved) => change(tidy(along(pointAt(moved), value)));
    const end = () => {
      node.classList.remove("f-held");
      node.removeEventListener("pointermove", move);
    };
    node.addEventListener("pointermove", move);
    if (columns) move(event);
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
      node.addEventListener(name, end, { once: true });
    }
  });
  // Chromium asks touch-action of the whole drawing only, and would scroll under the finger.
  const stay = (event) => {
    if (getComputedStyle(event.target).touchAction === "none") event.preventDefault();
  };
  node.addEventListener("touchstart", stay, { passive: false });
  return (shown) => {
    value = shown;
    set(node, {
      "aria-valuenow": String(shown),
      "aria-valuetext": words ? words(shown) : String(shown),
    });
  };
};

// ---- a figure on its page

const still = matchMedia("(prefers-reduced-motion: reduce)");
window.courseTouch ??= { draw: {}, figures: new Set() };
const kinds = window.courseTouch;

class Figure {
  constructor(root, state) {
    this.root = root;
    this.body = root.querySelector(".f-body");
    this.plot = root.querySelector(".plot");
    this.defaults = { follows: false, ...state };
    this.state = { ...this.defaults, ...this.given(), ...this.linked() };
    // Numbers that the notebook has computed.
    const numbers = root.querySelector("script[type='application/json']");
    this.data = JSON.parse(numbers?.textContent ?? "null");
    this.first = this.plot.getAttribute("aria-label");
    this.words = html("p", { className: "f-words" });
    this.words.ariaLive = "polite"; // as a status, it would be read even where it is empty
    this.back = html("button", { type: "button", className: "f-back", textContent: "↺" });
    this.back.ariaLabel = this.back.title = "Put back";
    this.back.addEventListener("click", () => {
      this.set({ ...this.defaults, ...this.given() });
      this.focus(); // the button goes
    });
    this.says = html("div", { className: "f-says" }, this.words, this.back);
  }

  get name() {
    return this.root.closest("figure")?.id ?? "";
  }

  // Of the same type as the default, or not at all.
  known(pairs) {
    const found = {};
    for (const [key, value] of pairs) {
      if (!(key in this.defaults)) continue;
      const wanted = typeof this.defaults[key];
      if (wanted === "number" && (value === "" || !Number.isFinite(Number(value)))) continue;
      found[key] =
        wanted === "number"
          ? Number(value)
          : wanted === "boolean"
            ? value === true || value === "true"
            : String(value);
    }
    return found;
  }

  given() {
    return this.known(Object.entries(JSON.parse(this.root.dataset.state ?? "{}")));
  }

  // What the address says of this figure: #fig-name?key=value&...
  linked() {
    const [, name, query] = location.hash.match(/^#([\w-]+)\?(.*)$/) ?? [];
    return name && name === this.name ? this.known(new URLSearchParams(query)) : {};
  }

  // What a link has to say to show this state (see share.js of the book).
  get query() {
    const begins = { ...this.defaults, ...this.given() };
    const changed = Object.entries(this.state).filter(([key, value]) => value !== begins[key]);
    return new URLSearchParams(changed).toString();
  }

  // Show a state in which something has changed.
  set(changes) {
    const before = this.state[this.key];
    this.words.ariaLive = "polite";
    this.change(changes);
    if (!this.state.follows || this.state[this.key] === before) return;
    kinds.position = this.state[this.key];
    for (const other of kinds.figures) if (other !== this) other.follow();
  }

  change(changes) {
    Object.assign(this.state, changes);
    this.show(this.state);
    this.root.dataset.query = this.query;
  }

  // Figures of a page that follow show one position: it is this entry of the state, and to() says
  // what changes when another figure has moved it.
  leads(key, to = (position) => ({ [key]: position })) {
    Object.assign(this, { key, to });
  }

  follow() {
    if (!this.state.follows || kinds.position === undefined) return;
    this.words.ariaLive = "off"; // one figure at a time is read aloud, that which is moved
    this.change(this.to(kinds.position, this.state));
  }

  // What is to be seen now, in words: under the figure, and in place of its alt text.
  say(words) {
    if (this.words.textContent !== words) this.words.textContent = words;
    this.plot.setAttribute("aria-label", `${this.first} Now: ${words}`);
  }

  // A drawing as wide as the column, in units of its own.
  stage(width, height) {
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
    this.plot.append(drawing);
    return drawing;
  }

  get bar() {
    let bar = this.body.querySelector(":scope > .controls");
    if (!bar) {
      bar = html("div", { className: "controls" });
      this.body.append(bar);
    }
    return bar;
  }

  label(name, input, ...more) {
    const label = html("label", {}, `${name} `, input, ...more);
    this.bar.append(label);
    return label;
  }

  // Each control is tied to an entry of the state; the function it returns shows that entry.
  slider(key, { label = key, min, max, step = 1, words = String }) {
    const input = html("input", { type: "range", min, max, step });
    const shown = html("output");
    this.label(label, input, " ", shown);
    input.addEventListener("input", () => this.set({ [key]: Number(input.value) }));
    this.shown.push((state) => {
      input.value = state[key];
      shown.textContent = input.ariaValueText = words(state[key]);
    });
    return input;
  }

  menu(key, { label = key, options }) {
    const select = html("select");
    for (const [value, words] of Object.entries(options)) select.add(new Option(words, value));
    this.label(label, select);
    select.addEventListener("change", () => this.set(this.known([[key, select.value]])));
    this.shown.push((state) => {
      select.value = String(state[key]);
    });
    return select;
  }

  // Two or three ways, side by side.
  choice(key, { label = key, options }) {
    const group = html("div", { className: "f-choice" });
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    this.bar.append(group);
    for (const [value, words] of Object.entries(options)) {
      const button = this.button(words, () => this.set({ [key]: value }));
      group.append(button);
      this.shown.push((state) => button.setAttribute("aria-pressed", state[key] === value));
    }
  }

  toggle(key, { label = key }) {
    const input = html("input", { type: "checkbox" });
    const box = this.label("", input);
    box.append(label);
    input.addEventListener("change", () => this.set({ [key]: input.checked }));
    this.shown.push((state) => {
      input.checked = state[key];
    });
    return input;
  }

  button(words, press) {
    const button = html("button", { type: "button", textContent: words });
    button.addEventListener("click", press);
    this.bar.append(button);
    return button;
  }

  // Show each step on the way from 0 to 1, or the end alone if motion isn't wanted.
  animate(step, milliseconds = 400) {
    const run = {};
    this.running = run;
    if (still.matches) {
      step(1);
      return;
    }
    const begin = performance.now();
    const frame = (now) => {
      if (this.running !== run) return; // another one has begun
      const share = clamp((now - begin) / milliseconds, 0, 1);
      step(share * share * (3 - 2 * share));
      if (share < 1) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  focus() {
    const first = this.body.querySelector("[tabindex], input, select, button:not(.f-back)");
    first?.focus({ preventScroll: true });
  }

  draw(build) {
    const focused = this.body.contains(document.activeElement);
    this.narrow = this.root.clientWidth > 0 && this.root.clientWidth < NARROW;
    this.running = undefined;
    this.shown = [];
    this.plot.replaceChildren();
    this.body.replaceChildren(this.plot, this.says);
    this.plot.setAttribute("role", "group");
    const update = build(this);
    this.show = (state) => {
      update(state);
      for (const show of this.shown) show(state);
      this.back.disabled = this.query === "";
    };
    this.show(this.state);
    if (focused) this.focus();
    this.root.dataset.drawn = "yes";
  }
}

// Draw the figures of a kind on this page, each when it comes near, and those that come later.
export const define = (kind, state, build) => {
  const begin = (root) => {
    const figure = new Figure(root, state);
    kinds.figures.add(figure);
    figure.draw(build);
    figure.follow();
    new ResizeObserver(() => {
      const { clientWidth: width } = root;
      if (width && width < NARROW !== figure.narrow) figure.draw(build);
    }).observe(root);
    addEventListener("hashchange", () => {
      const linked = figure.linked();
      if (Object.keys(linked).length)
        figure.set({ ...figure.defaults, ...figure.given(), ...linked });
    });
    return figure;
  };
  kinds.draw[kind] = begin;
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
        near.unobserve(target);
        if (!target.dataset.drawn) begin(target);
      }
    },
    { rootMargin: "400px" },
  );
  const all = document.querySelectorAll(`.figure[data-kind="${kind}"]:not([data-drawn])`);
  for (const root of all) near.observe(root);
};

// Once for all kinds: colours of maps follow the theme, and a link leads to the figure it names.
if (!kinds.watching) {
  kinds.watching = new MutationObserver(() => {
    for (const figure of kinds.figures) {
      if (figure.root.isConnected) figure.show(figure.state);
      else kinds.figures.delete(figure);
    }
  });
  kinds.watching.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const lead = () => {
    const [, name] = location.hash.match(/^#([\w-]+)\?/) ?? [];
    if (name) document.getElementById(name)?.scrollIntoView();
  };
  addEventListener("hashchange", lead);
  lead();
}
