/* What a letter of a formula means, and where else it stands. A pointer that rests on it, or the
   arrow keys in a displayed formula, light it in all formulas of the page, and its names in code.
   Its meaning is a row of "Read the symbols", which the build writes before this script. */
import { all, make } from "../live/dom.js";
import { makeNote, placeNote } from "../note.js";

const root = document.querySelector("article") ?? document.body;
const CODE = ".cell_input :is(pre, .cm-content)";
const DISPLAYED = ".katex-display";
const textsIn = function* (box) {
  const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) yield walk.currentNode;
};
const rangeOf = (node, start, end) => {
  const range = new Range();
  range.setStart(node, start);
  range.setEnd(node, end);
  return range;
};

// The letters of a formula, each with its index and prime. KaTeX sets neighbours as one text, and
// words as letters. A letter under an accent is another one; an index of W, U, d is its name.
const NAMED = /[WUd]$/;
const lettersOf = (formula) => {
  const html = formula.querySelector(".katex-html");
  const whole = html.textContent.replace(/PE|pos|place|model/g, (word) => " ".repeat(word.length));
  const found = [];
  let start = 0;
  for (const node of textsIn(html)) {
    const box = node.parentElement;
    const text = whole.slice(start, start + node.length);
    const before = whole[start - 1] ?? ",";
    start += node.length;
    const isUpright = box.matches(".mathrm") && node.length === 1;
    const isItalic = box.matches(".mathnormal");
    if (!box.matches(".mord") || box.closest(".accent, .text")) continue;
    if (NAMED.test(box.closest(".msupsub")?.previousElementSibling?.textContent ?? "")) continue;
    for (const { 0: letter, index: at } of text.matchAll(
      isItalic || isUpright ? /\S/g : /[Α-Ωℓ]/g,
    )) {
      const after = at === node.length - 1 ? box.nextElementSibling : null;
      const scripts = after?.matches(".msupsub") ? after : null;
      const index = scripts?.querySelector(":scope > .vlist-t2 > .vlist-r > .vlist > span");
      const name = (isUpright ? "upright " : "") + letter;
      const below = index ? `_${index.textContent}` : "";
      const key = name + (below && (NAMED.test(name) ? below : "_"));
      const exact = name + below + (scripts?.textContent.includes("′") ? "′" : "");
      const spot = rangeOf(node, at, at + 1);
      const range = spot.cloneRange();
      if (index) range.setEndAfter(scripts);
      found.push({ key, exact, name, box, spot, range, index, begins: !at && before === "," });
    }
  }
  return found;
};

// Where names stand in code, but for strings and comments.
const placesOf = (names) => {
  const either = names.map((name) => name.replace(/[.[\]]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<![\\w.])(?:${either})(?!\\w)`, "g");
  const nodes = names.length ? all(CODE, root).flatMap((code) => [...textsIn(code)]) : [];
  return nodes
    .filter(({ parentElement }) => !/^[sc].?$/.test(parentElement.className))
    .flatMap((node) =>
      [...node.data.matchAll(pattern)].map(({ 0: name, index }) =>
        rangeOf(node, index, index + name.length),
      ),
    );
};

// What the letters of formulas mean, by key. In a row, one name is of all letters.
const formulas = new Map(all(".katex", root).map((formula) => [formula, lettersOf(formula)]));
const letters = [...formulas.values()].flat();
const known = new Map();
for (const row of globalThis.courseSymbols) {
  if (row.only.length && !row.only.some((page) => location.pathname.endsWith(`/${page}`))) continue;
  const cell = make("p", { innerHTML: row.letters });
  const own = all(".katex", cell)
    .flatMap(lettersOf)
    .filter(({ begins }) => begins);
  for (const [at, { key, name }] of own.entries()) {
    const isEach = own.length > 1 && row.names.length > 1;
    const names = (isEach ? row.names.slice(at, at + 1) : row.names).filter(Boolean);
    known.set(key, { id: `${name} ${names} ${row.says}`, names, says: row.says });
  }
}

// What is lit, and the note beside it -----------------------------------------------------------

let note;
let soon;
const hide = () => {
  clearTimeout(soon);
  CSS.highlights?.delete("symbol");
  root.classList.remove("lit");
  if (note) note.hidden = true;
};
const show = ({ id, names = [], says }, spot) => {
  const isSame = ({ key, exact }) => (known.get(key)?.id ?? exact) === id;
  const alike = letters.filter(isSame).map(({ range }) => range);
  CSS.highlights?.set("symbol", new Highlight(...alike, ...placesOf(names)));
  root.classList.add("lit");
  note ??= makeNote(root);
  note.hidden = !says;
  note.innerHTML = says ?? "";
  const rect = spot.getBoundingClientRect();
  const around = spot.startContainer.parentElement.closest(DISPLAYED)?.getBoundingClientRect();
  const { top, bottom } = around ?? rect; // so that all of a displayed formula stays in sight
  placeNote(note, [{ left: rect.left, top, bottom }]);
};

// What a pointer rests on: the letter itself or its index.
const look = (target, x, y) => {
  // Boxes of a formula that are empty lie over letters, so that the target says little.
  const off = (range) => {
    const rects = [...(range?.getClientRects() ?? [])];
    const over = rects.filter(({ left, right }) => left <= x && x < right);
    const at = over.find(({ top, bottom }) => top <= y && y < bottom);
    return at ? Math.abs(y - (at.top + at.bottom) / 2) : Infinity;
  };
  const isHere = (range) => off(range) < Infinity;
  const [letter] = (formulas.get(target.closest(".katex")) ?? [])
    .filter(({ spot, index }) => isHere(spot) || isHere(index))
    .sort((one, other) => off(one.spot) - off(other.spot));
  if (letter) show(known.get(letter.key) ?? { id: letter.exact }, letter.spot);
  else hide();
};
document.addEventListener("pointermove", ({ target, clientX, clientY, pointerType, buttons }) => {
  clearTimeout(soon);
  if (pointerType === "touch" || buttons || note?.contains(target)) return;
  if (target.closest(".katex:not(a *)")) {
    soon = setTimeout(() => look(target, clientX, clientY), 150);
  } else if (root.matches(".lit") && !document.activeElement.matches(DISPLAYED)) {
    soon = setTimeout(hide, 250);
  }
});

// A displayed formula is one stop of the keyboard; arrows go from letter to letter.
let step = 0;
let status;
const go = (formula) => {
  const stops = new Map();
  for (const letter of formulas.get(formula.querySelector(".katex"))) {
    const meaning = known.get(letter.key);
    if (meaning && !stops.has(meaning.id)) stops.set(meaning.id, { meaning, ...letter });
  }
  const x = (stop) => stop.spot.getBoundingClientRect().left;
  const ordered = [...stops.values()].sort((one, other) => x(one) - x(other));
  step = Math.max(0, Math.min(step, ordered.length - 1));
  if (!ordered.length || document.activeElement !== formula) return;
  const { meaning, box, spot } = ordered[step];
  box.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  show(meaning, spot);
  status.replaceChildren(...note.cloneNode(true).childNodes);
};
root.addEventListener("focusin", ({ target }) => {
  if (!target.matches(`${DISPLAYED}:focus-visible`)) return;
  status ??= make("div", { className: "visually-hidden symbol-said", role: "status" });
  document.body.append(status);
  step = 0;
  go(target);
});
root.addEventListener("focusout", ({ target }) => {
  if (target.matches(DISPLAYED)) hide();
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return; // the browser's, such as back
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by && event.target.matches(`${DISPLAYED}[tabindex]`) && status) {
    event.preventDefault();
    step += by;
    go(event.target);
  } else if (root.matches(".lit")) hide();
});
addEventListener("beforeprint", hide);
