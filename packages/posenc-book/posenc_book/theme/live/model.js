// What a model does with positions: a sentence, a strip for each kind of layers, and the turns of
// the pairs. A drawing is what posenc_clinic makes of a configuration.
import { make, shape } from "./dom.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ORDINALS = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
const NAMES = {
  learned: "learned positions",
  sinusoidal: "sinusoidal positions",
  "other relative": "relative positions",
  convolution: "a convolution",
  "T5 buckets": "T5's buckets of distances",
  ALiBi: "ALiBi's biases",
  "none found": "no positions that were found in its code",
  "not known here": "positions that are not known here",
};
const HEIGHT = 240; // of the chart, without what is written around it
const LEFT = 52;

const whole = (value) => value.toLocaleString("en");
const named = ({ name }) =>
  name
    .split(" or ")
    .map((one) => NAMES[one] ?? one)
    .join(" or ")
    .replace(/ positions(?= or .*positions)/g, "");

// The kinds of layers with the places of their layers, the rarest first.
const grouped = ({ layers, kinds }) =>
  kinds
    .map((kind, at) => {
      const places = [...layers].flatMap((letter, place) => (letter === LETTERS[at] ? place : []));
      return { ...kind, places };
    })
    .sort((a, b) => a.places.length - b.places.length);

// The speeds of a rope's pairs in radians a token: before scaling and after it.
const speeds = ({ base, pairs, omega }) => {
  const before = Array.from({ length: pairs }, (_, i) => base ** (-i / pairs));
  return { before, after: omega ?? before };
};
const scaled = ({ scaling }) => !/default|axial|proportional/.test(scaling);
const turnsIn = (length) => (omega) => (omega * length) / (2 * Math.PI);
const slowest = (rope) => speeds(rope).after.findLast(Boolean);

// "Every sixth layer", "2 of 24 layers".
const who = ({ places }, count) => {
  if (places.length === count) return count > 1 ? `All ${count} layers` : "The layer";
  if (places.length === 1) return `Layer ${places[0]} alone`;
  const step = places[1] - places[0];
  const even = places.every((place, at) => place === places[0] + at * step);
  const all = places[0] < step && places.at(-1) + step >= count;
  return even && all && ORDINALS[step - 2]
    ? `Every ${ORDINALS[step - 2]} layer`
    : `${places.length} of ${count} layers`;
};

// How fast a rope is as a whole: the speed of its middle pair.
const pace = (rope) => speeds(rope).after[rope.pairs >> 1];

const part = ({ name, window }) =>
  `${/chunks/.test(name) ? "chunks" : "a window"} of ${whole(window)} tokens`;

// What layers of a kind do, with the verbs of one layer or of several.
const does = ({ name, window, rope, ...kind }, paces, one) => {
  const verb = (plural) => (one ? ({ have: "has" }[plural] ?? `${plural}s`) : plural);
  if (name === "no attention") return `${verb("have")} no attention`;
  const seen = `${verb("see")} ${window ? part({ name, window }) : "everything"}`;
  if (!rope) return `${seen} and ${verb("have")} ${named({ name, ...kind })}`;
  if (paces.size > 1)
    return `${seen} and ${verb("turn")} ${pace(rope) === Math.min(...paces) ? "slowly" : "fast"}`;
  const axes = rope.axes > 1 ? " by the rows and columns of a picture" : "";
  return `${seen} and ${verb("rotate")}${axes}`;
};

// What the picture shows, in one sentence.
export const sentence = (drawing) => {
  const kinds = grouped(drawing);
  const { layers, length } = drawing;
  const [{ rope, name }] = kinds;
  if (kinds.length === 1 && !rope && name !== "no attention")
    return `No layer rotates: the model has ${named(kinds[0])}.`;
  const paces = new Set(kinds.flatMap((kind) => (kind.rope ? pace(kind.rope) : [])));
  const parts = kinds.map((kind, at) => {
    const subject = at && at === kinds.length - 1 ? "the others" : who(kind, layers.length);
    const words = does(kind, paces, /^(Every|Layer|The layer)/.test(subject));
    return `${at ? subject.replace(/^[EL]/, (letter) => letter.toLowerCase()) : subject} ${words}`;
  });
  if (kinds.length === 1 && rope?.axes === 1 && length) {
    const round = speeds(rope).after.filter((omega) => turnsIn(length)(omega) >= 1).length;
    const within = `within ${whole(length)} tokens`;
    parts.push(`${round} of ${rope.pairs} pairs make a full turn ${within}`);
  }
  const alike = kinds.length > 1 && paces.size === 1 && kinds.every((kind) => kind.rope);
  return alike
    ? `${parts.join("; ").replace(/ and rotates?/g, "")}; all rotate alike.`
    : `${parts.join("; ")}.`;
};

const label = ({ name, window, rope, places }) =>
  [
    `${places.length} ${places.length > 1 ? "layers" : "layer"}`,
    window && part({ name, window }).replace("a ", ""),
    rope ? `RoPE, base ${whole(rope.base)}` : named({ name }),
    rope && scaled(rope) && `scaled by ${rope.scaling}`,
    rope?.omega?.includes(0) && `${rope.omega.filter((omega) => !omega).length} pairs stand still`,
  ]
    .filter(Boolean)
    .join(", ");

// Colours go to ropes, so that kinds that rotate alike have the same one.
const coloured = (kinds) => {
  const known = [...new Set(kinds.flatMap(({ rope }) => (rope ? JSON.stringify(rope) : [])))];
  return kinds.map((kind) => {
    const at = known.indexOf(JSON.stringify(kind.rope));
    return { ...kind, colour: at < 0 ? "kind-none" : `kind-${at % 4}` };
  });
};

// A strip for each kind, in which its layers are filled.
const strips = (kinds, count, room) => {
  const width = room / count;
  return kinds.flatMap((kind) => {
    const strip = shape("svg", { viewBox: `0 0 ${room} 22`, "aria-hidden": "true" });
    strip.append(shape("path", { d: `M0 21H${room}`, class: "axis" }));
    for (const place of kind.places) {
      const low = kind.window ? 8 : 0; // for those who see no colours
      const box = { x: place * width, y: low, width, height: 21 - low };
      strip.append(shape("rect", { ...box, class: `model-layer ${kind.colour}` }));
    }
    return [make("p", {}, label(kind)), strip];
  });
};

// The ropes of a drawing, each once.
const ropes = (kinds) =>
  kinds.filter(
    ({ rope, colour }, at) => rope && kinds.findIndex((one) => one.colour === colour) === at,
  );

// The powers of ten between which all turns of these drawings lie.
export const spanOf = (drawings) => {
  const all = drawings.flatMap(({ kinds, length }) =>
    kinds
      .filter(({ rope }) => rope && length)
      .flatMap(({ rope }) => Object.values(speeds(rope)).flat())
      .filter(Boolean)
      .map(turnsIn(length)),
  );
  return [
    Math.floor(Math.log10(Math.min(...all, 0.5))),
    Math.ceil(Math.log10(Math.max(...all, 10))),
  ];
};

const chart = (kinds, length, room, [bottom, top]) => {
  const drawn = ropes(kinds);
  if (!drawn.length || !length) return null;
  const turns = turnsIn(length);
  const most = Math.max(...drawn.map(({ rope }) => rope.pairs));
  const foot = HEIGHT + 24;
  const x = (pair) => LEFT + 6 + ((room - LEFT - 12) * pair) / Math.max(1, most - 1);
  const y = (value) => 24 + (HEIGHT * (top - Math.log10(value))) / (top - bottom);
  const svg = shape("svg", { viewBox: `0 0 ${room} ${foot + 22}`, role: "img" });
  const write = (at, down, words, end) =>
    svg.append(shape("text", { x: at, y: down, "text-anchor": end ? "end" : "start" }, words));
  const line = (value, words) => {
    if (value < 10 ** bottom || value > 10 ** top) return;
    svg.append(shape("path", { d: `M${LEFT} ${y(value)}H${room}`, class: "limit" }));
    write(LEFT + 6, y(value) + 15, words);
  };
  for (let at = bottom; at <= top; at += 1) {
    write(LEFT - 8, y(10 ** at) + 4, at < 0 ? `1/${whole(10 ** -at)}` : whole(10 ** at), true);
  }
  svg.append(shape("path", { d: `M${LEFT} 24V${foot}H${room}`, class: "axis" }));
  write(0, 12, `turns of each pair in ${whole(length)} tokens`);
  line(1, "one turn");
  write(LEFT, foot + 18, "pair 0");
  write(room, foot + 18, `pair ${most - 1}`, true);
  for (const [at, { rope, colour }] of drawn.entries()) {
    const { before, after } = speeds(rope);
    const dots = (omegas, className) => {
      for (const [pair, omega] of omegas.entries()) {
        const place = { cx: x(pair), cy: y(turns(omega)), r: 3 };
        if (omega) svg.append(shape("circle", { ...place, class: className }));
      }
    };
    // Names stand on the side of the curve on which no other is.
    const name = (omegas, share, words, below) => {
      const pair = Math.round(share * (omegas.findLastIndex(Boolean) || 0));
      const [across, down] = [x(pair), y(turns(omegas[pair]))];
      write(across + (below ? -8 : 8), down + (below ? 16 : -6), words, below);
    };
    const both = rope.omega && scaled(rope);
    if (both) {
      dots(before, `${colour} before`);
      name(before, 0.8, "before scaling");
    }
    dots(after, colour);
    const lower = both || drawn.some((one) => slowest(one.rope) > slowest(rope));
    if (drawn.length > 1) name(after, 0.6 + 0.1 * at, `base ${whole(rope.base)}`, lower);
    else if (both) name(after, 0.6, `scaled by ${rope.scaling}`, true);
    if (rope.original && rope.original !== length)
      line(length / rope.original, `one turn in ${whole(rope.original)} tokens`);
  }
  const bases = drawn.map(({ rope }) => whole(rope.base)).join(" and ");
  const about = `Turns of each pair in ${whole(length)} tokens, which fall from pair 0 on`;
  svg.setAttribute("aria-label", `${about}; base ${bases}. In numbers below.`);
  return svg;
};

// The parts of a model's portrait, which is as wide as there is room.
export const portrait = (drawing, room, span = spanOf([drawing])) => {
  const kinds = coloured(grouped(drawing));
  const count = drawing.layers.length;
  const [warnings, rest] = [true, false].map((which) =>
    drawing.said.filter((words) => words.startsWith("Warning") === which),
  );
  const paragraphs = (lines) => lines.map((words) => make("p", {}, words));
  return [
    make("p", { className: "model-said" }, sentence(drawing)),
    ...paragraphs(warnings),
    make(
      "figure",
      { className: "model" },
      ...strips(kinds, count, room),
      make("p", { className: "model-ends" }, "layer 0", make("span", {}, `layer ${count - 1}`)),
      ...[chart(kinds, drawing.length, room, span)].filter(Boolean),
    ),
    make("details", {}, make("summary", {}, "In numbers"), ...paragraphs(rest)),
  ];
};
