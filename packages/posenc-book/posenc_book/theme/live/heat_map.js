// A table as a heat map: the colours of signed values, and a line around what is off.
import { make, shape } from "./dom.js";

const STEPS = 24; // colours on either side of zero
const colour = (step) =>
  `color-mix(in srgb, var(--map-${step < 0 ? "negative" : "positive"}) ` +
  `${Math.round((100 * Math.abs(step)) / STEPS)}%, var(--map-zero))`;
const show = (value) => (value === null ? "not a number" : `${value}`.replace("-", "−"));
const count = (many, one, more = `${one}s`) =>
  `${many.toLocaleString("en")} ${many === 1 ? one : more}`;

// One path for all entries of a colour: a table has thousands of entries.
const squares = ({ values, most }) => {
  const paths = new Map();
  for (const [row, entries] of values.entries()) {
    for (const [column, value] of entries.entries()) {
      const step = value === null ? "none" : Math.round((STEPS * value) / most);
      paths.set(step, `${paths.get(step) ?? ""}M${column} ${row}h1v1h-1z`);
    }
  }
  return [...paths].map(([step, d]) => {
    const path = shape("path", { d, class: step === "none" ? "heat-none" : "" });
    if (step !== "none") path.style.fill = colour(step);
    return path;
  });
};

// The edges between entries that are off and those that are not.
const outline = (off) => {
  const at = (row, column) => off[row]?.[column] ?? 0;
  let d = "";
  for (const [row, entries] of off.entries()) {
    for (const [column, one] of entries.entries()) {
      if (!one) continue;
      if (!at(row - 1, column)) d += `M${column} ${row}h1`;
      if (!at(row + 1, column)) d += `M${column} ${row + 1}h1`;
      if (!at(row, column - 1)) d += `M${column} ${row}v1`;
      if (!at(row, column + 1)) d += `M${column + 1} ${row}v1`;
    }
  }
  return d;
};

// What the picture shows, in words; `theirs` is what the other value of an entry is called.
const words = ({ shape: [n, d], off, count: many, first }, theirs) => {
  if (!off) return "No entry is marked, because nothing tells what this table should be.";
  if (!many) return "No entry is off.";
  const listed = first.map(
    ([row, column, value, right]) =>
      `row ${row}, column ${column}: ${show(value)}, ${theirs} ${show(right)}`,
  );
  const which = many > first.length ? "the first" : "these";
  const of = `${many.toLocaleString("en")} of ${count(n * d, "entry", "entries")} are off`;
  return `${of}; ${which}: ${listed.join("; ")}.`;
};

export const heatMap = (picture, right, theirs = "where this belongs:") => {
  const {
    shape: [n, d],
    rows,
    columns,
    values,
    off,
    count: many,
  } = picture;
  const said = right && !off ? "No entry is off." : words(picture, theirs);
  const map = shape("svg", {
    viewBox: `0 0 ${columns.length} ${rows.length}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": `A heat map of the table, ${n} rows by ${d} columns. ${said}`,
    class: "heat-map",
  });
  map.style.setProperty("--across", columns.length);
  map.style.setProperty("--down", rows.length);
  map.append(...squares({ ...picture, values }));
  if (off && many) {
    for (const name of ["heat-halo", "heat-off"]) {
      map.append(shape("path", { d: outline(off), class: name }));
    }
  }
  const parts = [];
  if (rows.length < n) parts.push(`rows ${rows[0]} to ${rows.at(-1)} of ${n}`);
  if (columns.length < d) {
    parts.push(`${columns.length} of ${d} columns, in pairs from the fastest to the slowest`);
  }
  const marked = off && many ? " A line surrounds what is off." : "";
  const shown = parts.length ? ` Drawn are ${parts.join(", and ")}.` : "";
  const caption = make("figcaption", {
    textContent:
      `${n} rows, the positions, by ${d} columns; red is negative, blue positive.` +
      `${marked}${shown} ${said}`,
  });
  return make("figure", { className: "heat" }, map, caption);
};
