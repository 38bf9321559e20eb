/* A field that leaves only those entries of a page with all its words, which the address keeps; for
   a table of them, headings that sort. Without this script all entries are there. */
import { all, make } from "../live/dom.js";

const line = document.querySelector(".filter");
const [field, said] = [line.querySelector("input"), line.querySelector("[role=status]")];
const more = document.querySelector(".filter-more");
const table = document.querySelector("table.census");
const heads = [...(table?.tHead.rows[0].cells ?? [])];
const entries = all(line.dataset.entries);
const texts = new Map(entries.map((entry) => [entry, entry.textContent.toLowerCase()]));
const parts = all("article > section > section").filter((part) =>
  entries.some((entry) => part.contains(entry)),
);
let most = Number(more?.dataset.first ?? Infinity); // of entries that are shown at once

const show = () => {
  const words = field.value.toLowerCase().split(/\s+/);
  const has = (entry) => words.every((word) => texts.get(entry).includes(word));
  const found = entries.filter(has);
  const shown = new Set(found.slice(0, most));
  const target = document.getElementById(location.hash.slice(1));
  const named = entries.find((entry) => entry.contains(target)); // by the address
  if (named && !field.value) shown.add(named);
  for (const entry of entries) entry.hidden = !shown.has(entry);
  for (const part of parts) part.hidden = ![...shown].some((entry) => part.contains(entry));
  for (const [at, head] of heads.entries()) {
    head.hidden = ![...shown].some((row) => row.cells[at].textContent);
    for (const row of shown) row.cells[at].hidden = head.hidden;
  }
  said.textContent = `${found.length} of ${entries.length} ${line.dataset.noun}`;
  if (!more) return;
  more.hidden = shown.size === found.length;
  more.textContent = `Show all ${found.length}`;
};
more?.addEventListener("click", () => {
  most = Infinity;
  show();
  field.focus({ preventScroll: true });
});

field.addEventListener("input", () => {
  show();
  if (location.protocol === "file:") return; // whose address can't be changed
  const query = field.value && `?${new URLSearchParams({ q: field.value })}`;
  history.replaceState(null, "", location.pathname + query);
});
addEventListener("hashchange", show);
field.value = new URLSearchParams(location.search).get("q") ?? "";
show();

// Numbers sort by size, with what has none last; a second press turns the order round.
const toNumber = (text) => Number.parseFloat(text.replace(/,/g, ""));
for (const [at, head] of heads.entries()) {
  const button = make("button", { type: "button" }, ...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    const sign = head.ariaSort === "ascending" ? -1 : 1;
    for (const other of heads) other.ariaSort = null;
    head.ariaSort = sign > 0 ? "ascending" : "descending";
    const textOf = (row) => row.cells[at].textContent;
    const compare = (a, b) => {
      const [x, y] = [toNumber(textOf(a)), toNumber(textOf(b))];
      if (Number.isNaN(x) || Number.isNaN(y)) {
        if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
        return sign * textOf(a).localeCompare(textOf(b));
      }
      return sign * (x - y);
    };
    table.tBodies[0].append(...entries.sort(compare));
    show();
  });
}
