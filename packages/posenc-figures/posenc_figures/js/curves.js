/* Curves that a notebook has computed, for each step of a parameter, with their names at their ends.
   Move the parameter, and a ruler along the curves, which reads them.

   Data: parameter, steps (their names), menu (in place of a slider), digits, words (a sentence for
   each step), marks [{x, name}], x {label, range, log, ticks, values}, and panels [{y (a label),
   range, log, ticks, lines}]. A line has a name, a color such as "C5", dash ("dashed", "dotted"),
   dots ("dots", "rings") or bars, quiet if its values say nothing, and x and y, or xs and ys with a
   list for each step. */
import { clamp, define, handle, path, range, set, svg, text, whole } from "./parts.js";

const ROW = 16; // a line of a name
const NONE = { x: {}, panels: [{ lines: [{ name: "", y: [0, 1] }] }] };

// Round values that divide a range into a few parts.
const ticksOf = (low, high, wanted) => {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((one) => one * power >= rough - 1e-9) * power;
  return range(40)
    .map((at) => (Math.ceil(low / step - 1e-9) + at) * step)
    .filter((tick) => tick <= high + 1e-9 * step);
};
const plain = (value) => {
  if (Math.abs(value) >= 1000) return whole(value);
  const short = Number(value.toPrecision(4));
  return (short && Math.abs(short) < 1e-3 ? short.toExponential() : String(short)).replace(
    "-",
    "−",
  );
};

// A name in lines of at most so many letters.
const broken = (name, most) => {
  const lines = [];
  for (const word of name.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length && longer.length <= most) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
};
// Where names stand that would stand at these heights, if none may lie on another.
const spread = (wanted, rows, low, most) => {
  const order = range(wanted.length).sort((one, other) => wanted[one] - wanted[other]);
  const places = [];
  let free = low;
  for (const one of order) {
    places[one] = Math.max(free, wanted[one] - (rows[one] * ROW) / 2);
    free = places[one] + rows[one] * ROW;
  }
  free = most;
  for (const one of order.reverse()) {
    places[one] = Math.min(places[one], free - rows[one] * ROW);
    free = places[one];
  }
  return places;
};

define("curves", { step: 0, at: 0, alone: "" }, (figure) => {
  const { x: along, panels, steps = [""], parameter, marks = [], digits } = figure.data ?? NONE;
  const { narrow } = figure;
  const said = (value) => (digits === undefined ? plain(value) : text(value, digits));
  const all = panels.flatMap(({ lines }) => lines);
  // A line is one for all steps, or has one for each.
  const of = (line, name, step) => {
    const given = line[`${name}s`]?.[step] ?? line[name];
    return given ?? (name === "x" ? (along.values ?? of(line, "y", step).map((_, at) => at)) : []);
  };
  const names = all.map(({ name }) => broken(name, narrow ? 12 : 15));
  const [width, left] = narrow ? [350, 40] : [640, 52];
  const longest = Math.max(...names.flat().map(({ length }) => length));
  const right = width - 26 - 6.8 * longest;
  const high = (narrow ? 200 : 250) * [1, 0.7, 0.5, 0.5][panels.length - 1];
  const top = 24;
  const pitch = high + 40; // from panel to panel
  const drawing = figure.stage(width, top + panels.length * pitch + 8);
  const add = (tag, attributes, ...children) =>
    drawing.appendChild(svg(tag, attributes, ...children));
  const every = (name) => all.flatMap((line) => steps.flatMap((_, step) => of(line, name, step)));
  const edges = (given, values) => given ?? [Math.min(...values), Math.max(...values)];
  const gradeOf = ({ log }) => (log ? Math.log10 : (value) => value);
  const grade = gradeOf(along);
  const [from, to] = edges(
    along.range,
    every("x").filter((one) => !along.log || one > 0),
  ).map(grade);
  const inside = (value) => grade(value) >= from - 1e-9 && grade(value) <= to + 1e-9;
  const x = (value) => left + ((grade(value) - from) / (to - from)) * (right - left);
  const marksOf = ({ ticks, log }, low, most, wanted) =>
    ticks ?? ticksOf(low, most, wanted).map((tick) => (log ? 10 ** tick : tick));
  const xTicks = marksOf(along, from, to, narrow ? 4 : 7);
  const bottom = top + panels.length * pitch - 40;
  let count = 0;
  const drawn = panels.map((frame, panel) => {
    const { y: label, range: given, lines } = frame;
    const level = gradeOf(frame);
    const above = top + panel * pitch;
    const values = lines.flatMap((line) => steps.flatMap((_, step) => of(line, "y", step)));
    const [low, most] = edges(
      given,
      values.filter((one) => one !== null),
    ).map(level);
    const y = (value) => above + ((most - level(value)) / (most - low)) * high;
    for (const tick of marksOf(frame, low, most, 4)) {
      add("line", { x1: left, x2: right, y1: y(tick), y2: y(tick), class: "f-mesh" });
      add("text", { x: left - 6, y: y(tick) + 4, class: "f-end f-muted" }, plain(tick));
    }
    for (const [at, { x: value, name = "" }] of marks.entries()) {
      add("line", { x1: x(value), x2: x(value), y1: above, y2: above + high, class: "f-cursor" });
      const place = { x: x(value) + 4, y: above + high - 5 - (narrow ? ROW * at : 0) };
      if (!panel) add("text", { ...place, class: "f-start f-muted f-outlined" }, name);
    }
    if (label) add("text", { x: left, y: above - 8, class: "f-start f-muted" }, label);
    const curves = lines.map((line) => {
      const group = add("g", { class: `f-panel f-${line.color ?? ""}` });
      const stroke = line.bars ? "bars" : (line.dash ?? "solid");
      const curve = group.appendChild(svg("path", { class: `f-curve f-${stroke}` }));
      const kind = line.dots === "rings" ? "f-ring" : "f-dots";
      const dots = group.appendChild(svg("path", { class: kind }));
      const spot = group.appendChild(svg("circle", { r: 5, class: "f-spot" }));
      const named = panels.length > 1 && lines.length > 1 && label !== line.name ? label : "";
      const rows = names[count++];
      const leader = group.appendChild(svg("path", { class: `f-curve f-leader f-${line.dash}` }));
      const name = group.appendChild(svg("g"));
      for (const [row, words] of rows.entries())
        name.append(svg("text", { y: ROW * row + 13, class: "f-start f-name" }, words));
      return { line, named, group, curve, dots, spot, y, rows: rows.length, leader, name };
    });
    return { curves, above };
  });
  for (const tick of xTicks.filter(inside)) {
    add("text", { x: x(tick), y: bottom + 17, class: "f-muted" }, plain(tick));
  }
  add("text", { x: right, y: bottom + 36, class: "f-end" }, along.label ?? "");
  const ruler = add("line", { y1: top, y2: bottom, class: "f-cursor" });
  const grip = add("rect", {
    x: left - 8,
    y: top,
    width: right - left + 16,
    height: bottom - top,
    class: "f-grid",
  });
  // The ruler stops where a curve has a point.
  const stopsOf = steps.map((_, step) => {
    const places = new Set(all.flatMap((line) => of(line, "x", step)));
    return [...places].filter(inside).sort((a, b) => a - b);
  });
  const stops = (step) => stopsOf[step];
  const last = Math.max(...steps.map((_, step) => stops(step).length)) - 1;
  const now = () => clamp(Math.round(figure.state.step), 0, steps.length - 1);
  const nearest = (values, wanted) =>
    values.reduce(
      (best, one, at) =>
        Math.abs(x(one) - wanted) < Math.abs(x(values[best]) - wanted) ? at : best,
      0,
    );
  const show = handle(grip, {
    label: along.label ?? "place",
    ...{ min: 0, max: last, columns: last + 1 },
    change: (at) => figure.set({ at }),
    along: (point) => nearest(stops(now()), point.x),
    words: (at) => plain(stops(now())[Math.min(at, stops(now()).length - 1)]),
  });
  const listed = Object.fromEntries(steps.map((name, step) => [step, name]));
  if (steps.length > 1 && figure.data.menu)
    figure.menu("step", { label: parameter, options: listed });
  else if (steps.length > 1) {
    figure.slider("step", {
      label: parameter,
      min: 0,
      max: steps.length - 1,
      words: (step) => steps[step],
    });
  }
  if (all.length > 4) {
    const options = Object.fromEntries(all.map(({ name }) => [name, name]));
    figure.menu("alone", { label: "show", options: { "": "all", ...options } });
  }
  const trace = ({ line, curve, dots, y }, step) => {
    const [xs, ys] = [of(line, "x", step), of(line, "y", step)];
    const points = xs.flatMap((spotted, i) =>
      typeof ys[i] === "number" && inside(spotted) ? [[x(spotted), y(ys[i])]] : [],
    );
    const each = (end) =>
      points.map(([px, py]) => `M${px.toFixed(1)} ${py.toFixed(1)}${end}`).join("");
    if (line.bars) set(curve, { d: each(`V${y(0).toFixed(1)}`) });
    else if (line.dots === "rings")
      set(dots, { d: each("m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0") });
    else if (line.dots) set(dots, { d: each("h0") });
    else set(curve, { d: path(points) });
    return points.reduce((end, one) => (one[0] > end[0] ? one : end), points[0] ?? [right, bottom]);
  };
  // All curves of a panel, and their names at their ends.
  const tracePanel = ({ curves, above }, step) => {
    const ends = curves.map((one) => trace(one, step));
    const heights = ends.map(([, end]) => end);
    const rows = curves.map((one) => one.rows);
    const places = spread(heights, rows, above - ROW / 2, above + high + ROW / 2);
    for (const [at, { leader, name }] of curves.entries()) {
      set(name, { transform: `translate(${(right + 24).toFixed(1)} ${places[at].toFixed(1)})` });
      set(leader, { d: path([ends[at], [right + 20, places[at] + (rows[at] * ROW) / 2]]) });
    }
  };
  let traced; // the step whose curves are drawn: the ruler leaves them alone
  return ({ at, alone }) => {
    const step = now();
    if (traced !== step) for (const panel of drawn) tracePanel(panel, step);
    traced = step;
    const stop = stops(step)[clamp(Math.round(at), 0, stops(step).length - 1)];
    const curves = drawn.flatMap((panel) => panel.curves);
    const read = curves.map(({ line, named, group, spot, y }) => {
      const [xs, ys] = [of(line, "x", step), of(line, "y", step)];
      const place = nearest(xs, x(stop));
      const value = Math.abs(x(xs[place]) - x(stop)) < 1 ? ys[place] : null;
      const known = value !== null && value !== undefined;
      set(spot, {
        visibility: known ? "visible" : "hidden",
        ...(known && { cx: x(xs[place]), cy: y(value) }),
      });
      const faded = alone !== "" && alone !== line.name;
      set(group, { opacity: faded ? 0.2 : 1 });
      if (!known || faded || line.quiet) return "";
      return `${named === "" ? "" : `${named}, `}${line.name} ${said(value)}`;
    });
    set(ruler, { x1: x(stop), x2: x(stop) });
    show(clamp(Math.round(at), 0, last));
    const setting = steps.length > 1 ? `${parameter} ${steps[step]}, ` : "";
    const more = figure.data?.words?.[step];
    figure.say(
      `${setting}${along.label ?? "at"} ${plain(stop)}: ${read.filter(Boolean).join("; ")}.${more ? ` ${more}` : ""}`,
    );
  };
});
