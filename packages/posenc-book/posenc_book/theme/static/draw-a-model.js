// The page "Draw a model's positions": its layers as strips, and the turns of their pairs.
import { Asking } from "../live/ask.js";
import { make, shape } from "../live/dom.js";

const script = document.currentScript;
const form = document.getElementById("draw-a-model");
const answer = document.getElementById("answer");
const data = JSON.parse(document.getElementById("model-drawings").textContent);
const [model, config, file] = ["model", "config", "config-file"].map((id) =>
  document.getElementById(id),
);
const stop = form.querySelector("[data-stop]");
const still = form.querySelector("[role=status]");
const asking = new Asking(script, (words) => {
  still.textContent = words;
  stop.hidden = !asking.busy;
});
const absence = Asking.absence(script);

// Pictures are as wide as there is room when they are drawn, so that their text is not scaled.
const room = () => Math.min(720, Math.max(280, form.clientWidth - 24));
const whole = (value) => value.toLocaleString("en");
const number = (value) => value.toLocaleString("en", { maximumSignificantDigits: 3 });
const isNone = ({ name }) => /^no |^none|^not /.test(name);
const describe = ({ name, window, rope }) =>
  [
    name,
    window && `of ${whole(window)} tokens`,
    rope && `base ${whole(rope.base)}`,
    rope && rope.scaling !== "default" && `scaled by ${rope.scaling}`,
  ]
    .filter(Boolean)
    .join(", ");
// "0 to 4, 6 to 10 and 12": the layers of a kind.
const listed = (layers, letter) => {
  const runs = [];
  for (const [at, one] of [...layers].entries()) {
    if (one !== letter) continue;
    if (runs.at(-1)?.[1] === at - 1) runs.at(-1)[1] = at;
    else runs.push([at, at]);
  }
  const words = runs.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  const last = words.length > 1 ? ` and ${words.pop()}` : "";
  return `${words.join(", ")}${last}`;
};

// Colours go to the kinds that tell positions; what is without has the page's.
const classes = (kinds) => {
  let next = 0;
  return kinds.map((kind) => (isNone(kind) ? "kind-none" : `kind-${next++ % 4}`));
};
// Patterns for those who see no colours: windows are half as high.
const layerShape = (kind, className, x, width) => {
  const half = kind.window ? 24 : 0;
  return shape("rect", { x, y: half, width, height: 48 - half, class: `model-layer ${className}` });
};

const strips = ({ layers, kinds }) => {
  const across = room();
  const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const names = classes(kinds);
  const width = Math.min(across / layers.length, 48);
  const said = kinds
    .map((kind, at) => `layers ${listed(layers, letters[at])}: ${describe(kind)}`)
    .join("; ");
  const svg = shape("svg", {
    viewBox: `0 -2 ${across} 72`,
    role: "img",
    "aria-label": `${layers.length} layers. ${said}.`,
  });
  for (const [at, letter] of [...layers].entries()) {
    const kind = letters.indexOf(letter);
    svg.append(layerShape(kinds[kind], names[kind], at * width, width));
  }
  const last = layers.length - 1;
  svg.append(shape("text", { x: 0, y: 66 }, "layer 0"));
  if (last > 3) {
    svg.append(
      shape("text", { x: (last + 1) * width, y: 66, "text-anchor": "end" }, `layer ${last}`),
    );
  }
  const list = make("ul", { className: "model-kinds" });
  for (const [at, kind] of kinds.entries()) {
    const key = shape("svg", {
      viewBox: "0 0 32 48",
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    key.append(layerShape(kind, names[at], 0, 32));
    const where = listed(layers, letters[at]);
    const words = `${describe(kind)}: ${where.includes(" ") ? "layers" : "layer"} ${where}`;
    list.append(make("li", {}, key, words));
  }
  const low = kinds.some(({ window }) => window) ? "A low strip attends to part of the text." : "";
  return make("figure", { className: "model" }, svg, list, make("figcaption", {}, low));
};

// The speed of each pair before scaling and after it, in radians a token.
const speeds = ({ base, pairs, omega }) => {
  const before = Array.from({ length: pairs }, (_, i) => base ** (-i / pairs));
  return { before, after: omega ?? before };
};

const chart = ({ kinds, length }) => {
  const across = room();
  const names = classes(kinds);
  const ropes = [];
  for (const [at, { name, rope }] of kinds.entries()) {
    const like = ropes.find((one) => JSON.stringify(one.rope) === JSON.stringify(rope));
    if (like) like.name = `${like.name} and ${name}`;
    else if (rope) ropes.push({ name, rope, at });
  }
  if (!ropes.length || !length) return null;
  const turns = (omega) => (omega * length) / (2 * Math.PI);
  const all = ropes.flatMap(({ rope }) => {
    const { before, after } = speeds(rope);
    return [...before, ...after].filter(Boolean).map(turns);
  });
  const top = Math.ceil(Math.log10(Math.max(...all)));
  const bottom = Math.floor(Math.log10(Math.min(...all, 0.5)));
  const most = Math.max(...ropes.map(({ rope }) => rope.pairs));
  const [left, height] = [58, 250];
  const x = (pair) => left + 6 + ((across - left - 12) * pair) / Math.max(1, most - 1);
  const y = (value) => 12 + (height * (top - Math.log10(value))) / (top - bottom);
  const svg = shape("svg", { viewBox: `0 0 ${across} ${height + 56}`, role: "img" });
  for (let at = bottom; at <= top; at += 1) {
    const name = at < 0 ? `1/${number(10 ** -at)}` : number(10 ** at);
    svg.append(
      shape("line", { x1: left, x2: left - 5, y1: y(10 ** at), y2: y(10 ** at), class: "axis" }),
      shape("text", { x: left - 9, y: y(10 ** at) + 4, "text-anchor": "end" }, name),
    );
  }
  const foot = height + 12;
  svg.append(
    shape("path", { d: `M${left} 12V${foot}H${across}`, class: "axis" }),
    shape("line", { x1: left, x2: across, y1: y(1), y2: y(1), class: "limit" }),
    shape("text", { x: left + 6, y: y(1) + 15 }, `one turn in ${whole(length)} tokens`),
    shape("text", { x: left, y: foot + 18 }, "pair 0, the fastest"),
    shape("text", { x: across, y: foot + 18, "text-anchor": "end" }, `pair ${most - 1}`),
    shape(
      "text",
      { x: 0, y: foot + 38 },
      "turns within the trained length, on a logarithmic scale",
    ),
  );
  const said = [];
  for (const { rope, name, at } of ropes) {
    const { before, after } = speeds(rope);
    const dots = (omegas, className, r) => {
      for (const [pair, omega] of omegas.entries()) {
        if (omega)
          svg.append(shape("circle", { cx: x(pair), cy: y(turns(omega)), r, class: className }));
      }
    };
    const dotted = names[at].replace("kind", "dots");
    if (rope.omega) dots(before, `${dotted} before`, 3);
    dots(after, dotted, 3);
    const moving = after.filter(Boolean);
    const round = moving.filter((omega) => turns(omega) >= 1).length;
    const slowest = turns(moving.at(-1));
    const idle = after.length - moving.length;
    let words =
      `${name}, base ${whole(rope.base)}: ` +
      `pair 0 makes ${number(turns(after[0]))} turns, the slowest ${number(slowest)}; ` +
      `${round} of ${after.length} pairs make one or more.`;
    if (idle) words += ` ${idle} stand still.`;
    if (rope.omega && rope.scaling !== "proportional") {
      const slowed = after.filter((omega, pair) => omega < 0.999 * before[pair]).length;
      const unscaled = number(turns(before.at(-1)));
      words +=
        ` Scaling by ${rope.scaling}, factor ${number(rope.factor)}, slows ${slowed} pairs down: ` +
        `before it, the slowest made ${unscaled} turns.`;
    }
    if (rope.original && rope.original !== length) {
      words += ` The model was first trained with ${whole(rope.original)} tokens.`;
      const mark = y(length / rope.original);
      if (mark > 12 && mark < foot) {
        svg.append(
          shape("line", { x1: left, x2: across, y1: mark, y2: mark, class: "limit" }),
          shape(
            "text",
            { x: left + 6, y: mark - 5 },
            `one turn in ${whole(rope.original)} tokens, before scaling`,
          ),
        );
      }
    }
    said.push(words);
  }
  svg.setAttribute("aria-label", said.join(" "));
  const hollow = ropes.some(({ rope }) => rope.omega) ? "Hollow dots are as before scaling. " : "";
  return make(
    "figure",
    { className: "model" },
    svg,
    make("figcaption", {}, hollow + said.join(" ")),
  );
};

const show = (title, ...parts) => {
  const heading = make("h2", { textContent: title, tabIndex: -1 });
  answer.replaceChildren(heading, ...parts.filter(Boolean));
  answer.hidden = false;
  heading.focus({ preventScroll: true });
  const { top } = heading.getBoundingClientRect();
  if (top < 0 || top > 0.6 * innerHeight) heading.scrollIntoView({ block: "start" });
};

const draw = (drawing, title, note) => {
  const notes = drawing.said.map((words) => make("p", {}, words));
  show(title, strips(drawing), chart(drawing), ...notes, make("p", {}, note));
};

// The address carries what is drawn, without an entry in the browser's history.
const keep = (hash) => history.replaceState(null, "", hash);

const choose = (name) => {
  const drawing = data.types[name];
  if (!drawing) return false;
  model.value = name;
  keep(`#model=${encodeURIComponent(name)}`);
  draw(drawing, name, `These are the defaults of ${data.library}.`);
  return true;
};

const read = async (text) => {
  if (absence) {
    show(
      "Not here",
      make(
        "p",
        {},
        `No file is read here, because ${absence}. On the command line, ` +
          "posenc-clinic config.json says the same in words.",
      ),
    );
    return;
  }
  const question = JSON.stringify(JSON.stringify([{ text }]));
  try {
    const found = await asking.ask(`from live.check_yours import answer\nanswer(${question})`);
    if (found.kind !== "config") {
      const said =
        found.said ?? "This is no configuration in JSON: paste the text of a config.json.";
      show("It could not be read", make("p", {}, said));
      return;
    }
    const short = text.length < 4000;
    keep(short ? `#config=${encodeURIComponent(text)}` : location.pathname);
    const note = short ? "The address of this page now carries this configuration." : "";
    draw(found.drawing, found.drawing.type || "Your configuration", note);
  } catch ({ message }) {
    if (message) show("Stopped", make("p", {}, message));
  }
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (document.activeElement !== model) read(config.value.trim());
});
model.addEventListener("change", () => {
  const name = model.value.trim();
  if (name && !choose(name)) still.textContent = `No type is called ${name}.`;
  else still.textContent = "";
});
for (const chip of form.querySelectorAll("[data-model]")) {
  chip.onclick = () => choose(chip.dataset.model);
}
file.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  if (chosen.size > 1e6) {
    still.textContent = "This file is too large for a configuration.";
    return;
  }
  config.value = await chosen.text();
  read(config.value.trim());
});
stop.onclick = () => asking.stop("Python was stopped.");
form.querySelector(".tool-paste").addEventListener("toggle", () => {
  if (!absence) asking.warm();
});
for (const element of form.querySelectorAll("[disabled]")) element.disabled = false;

const follow = () => {
  const [, kind, value] = location.hash.match(/^#(model|config)=(.*)$/) ?? [];
  try {
    if (kind === "model") choose(decodeURIComponent(value));
    if (kind === "config") {
      config.value = decodeURIComponent(value);
      form.querySelector(".tool-paste").open = true;
      read(config.value);
    }
  } catch {
    still.textContent = "The address is damaged.";
  }
};
addEventListener("hashchange", follow);
follow();
