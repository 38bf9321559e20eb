/* The table of model types: a field that leaves only the rows with all its words, and headings that
   sort. Without this script the table is whole, in alphabetical order. */
(() => {
  "use strict";
  const table = document.querySelector("table.census");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const make = (name, properties) => Object.assign(document.createElement(name), properties);

  const field = make("input", { type: "search", id: "census-words" });
  const label = make("label", { htmlFor: field.id, textContent: "Find types with these words: " });
  const said = make("span", { role: "status" });
  const line = make("p", { className: "census-search noprint" });
  line.append(label, field, said);
  table.parentElement.before(line);
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    const left = rows.filter((row) => !row.hidden).length;
    said.textContent = ` ${left} of ${rows.length} types`;
  };
  field.value = new URLSearchParams(location.search).get("q") ?? ""; // as chapters link to it
  field.addEventListener("input", show);
  show();

  // Numbers sort by size, with what has none last; a second press turns the order round.
  const toNumber = (text) => Number.parseFloat(text.replace(/,/g, ""));
  for (const [at, head] of [...table.tHead.rows[0].cells].entries()) {
    const button = make("button", { type: "button", textContent: head.textContent });
    button.addEventListener("click", () => {
      const sign = head.ariaSort === "ascending" ? -1 : 1;
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
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
      body.append(...rows.sort(compare));
    });
    head.replaceChildren(button);
  }
})();
