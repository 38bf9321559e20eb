// A table as a heat map, beside the right one and the difference where there is any.
import { make, shape } from "./dom.js";

const STEPS = 24; // colours on either side of zero
const colour = (step, signed) => {
  const sign = step < 0 ? "negative" : "positive";
  const hue = signed ? `var(--map-${sign})` : "var(--pst-color-text-base)";
  const share = Math.round((100 * Math.abs(step)) / STEPS);
  return `color-mix(in srgb, ${hue} ${share}%, var(--map-zero))`;
};

// One path for all entries of a colour: a table has thousands of entries.
const squares = (values, signed) => {
  const paths = new Map();
  for (const [row, entries] of values.entries()) {
    for (const [column, value] of entries.entries()) {
      let step = value === null ? "none" : Math.round(STEPS * value);
      if (!signed && value > 0) step = Math.max(step, 4); // what is off is seen, however little
      paths.set(step, `${paths.get(step) ?? ""}M${column} ${row}h1v1h-1z`);
    }
  }
  return [...paths].map(([step, d]) => {
    const path = shape("path", { d, class: step === "none" ? "heat-none" : "" });
    if (step !== "none") path.style.fill = colour(step, signed);
    return path;
  });
};

export const heatMap = ({ rows, columns, maps, said }) => {
  const drawn = maps.map(({ name, values, seen }, at) => {
    const map = shape(
      "svg",
      {
        viewBox: `0 0 ${columns} ${rows}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": seen,
        class: "heat-map",
      },
      ...squares(values, at < 2),
    );
    map.style.setProperty("--across", columns);
    map.style.setProperty("--down", rows);
    const label = make("span", { textContent: name, ariaHidden: "true" });
    return make("div", {}, ...(maps.length > 1 ? [label] : []), map);
  });
  const row = make("div", { className: "heat-maps" }, ...drawn);
  return make("figure", { className: "heat" }, row, make("figcaption", {}, said));
};
