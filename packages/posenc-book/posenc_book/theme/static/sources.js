/* Where each number in the text comes from: the line that printed it is highlighted, or quoted in a
   note where it is out of sight; and what a word means, in the same note. Each is a link that the
   page came with, and stays one. */
import { all, make } from "../live/dom.js";
import { makeNote, placeNote } from "../note.js";

const root = document.querySelector("article") ?? document.body;
const linkAt = (target) => target.closest?.("a.source, a.term");

// The title of a number would lie on our note: it becomes what is read aloud after the number.
for (const link of all("a.source, a[title]:has(> .std-term)", root)) {
  if (!link.matches(".source")) link.classList.add("term");
  link.setAttribute("aria-description", link.title);
  link.removeAttribute("title");
}

// The Tab key stops at the first number of a paragraph; arrow keys go on to the others.
const held = all("a.source", root);
const blocks = held.map((link) => link.closest("p, li, td, figcaption"));
for (const [at, link] of held.entries()) if (blocks[at] === blocks[at - 1]) link.tabIndex = -1;
root.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const next = step && held[held.indexOf(event.target) + step];
  if (!next || !event.target.matches("a.source")) return;
  event.preventDefault();
  next.focus();
});

// Lines and ranges of text ----------------------------------------------------------------------

const rangeOf = (box, start, end) => {
  const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const range = new Range();
  for (let at = 0, node = walk.nextNode(); node; node = walk.nextNode()) {
    if (start >= at && start <= at + node.length) range.setStart(node, start - at);
    if (end > at && end <= at + node.length) range.setEnd(node, end - at);
    at += node.length;
  }
  return range;
};
const linesOf = (output) =>
  [...(output?.querySelectorAll("pre") ?? [])].flatMap((pre) => {
    let at = 0;
    return pre.textContent.split("\n").map((text) => {
      const start = at;
      at += text.length + 1;
      return { pre, text, start };
    });
  });

// The place of a number in a line, as claims.py reads it; -1 if it isn't there.
const placeOf = (written, { text }) => {
  const escaped = written.replace(/[.+]/g, "\\$&");
  const number = new RegExp(`(?<![\\w.]|\\d,)${escaped}(?!\\.\\d|e[+-]?\\d|[\\w,]*\\d)`);
  return text.replace(/(\d)x(?=\d)/g, "$1×").search(number);
};

// What a number stands on -----------------------------------------------------------------------

// Lines of a cell: the first with all numbers, or else the first with each. Where the cell was run
// again they are quoted only.
const printed = (cell, numbers) => {
  const output = cell.querySelector(".cell_output:not(.live-output)");
  const every = linesOf(output);
  const has = (line) => (number) => placeOf(number, line) >= 0;
  const whole = every.find((line) => numbers.every(has(line)));
  const each = numbers.map((number) => every.find((line) => has(line)(number)));
  const lines = [...new Set(whole ? [whole] : each)].filter(Boolean);
  const parts = lines.map((line) => {
    const { pre, start, text } = line;
    const found = numbers.map((number) => [placeOf(number, line), number]);
    const marks = found.filter(([at]) => at >= 0);
    return {
      line: rangeOf(pre, start, start + text.length),
      numbers: marks.map(([at, { length }]) => rangeOf(pre, start + at, start + at + length)),
    };
  });
  if (output?.closest(".covered")) return { parts, quote: "", after: "is covered" };
  return { parts, quote: lines.map(({ text }) => text.trim()).join("\n") };
};
const whole = (element) => {
  const line = new Range();
  line.selectNodeContents(element);
  return { parts: [{ line, numbers: [line] }] };
};
const sourceOf = (link) => {
  const { line, written } = link.dataset;
  if (line) return { parts: [], quote: line };
  const place = link.getAttribute("href");
  if (!place.startsWith("#")) {
    let block = link.parentElement;
    const cites = (one) => one.querySelector(`.bibtex-citation a[href="${CSS.escape(place)}"]`);
    while (block !== root && !cites(block)) block = block.parentElement;
    const citation = cites(block);
    return citation ? whole(citation.closest(".bibtex-citation")) : { parts: [] };
  }
  const target = document.getElementById(place.slice(1));
  if (target.matches("li")) return { ...whole(target), quote: target.textContent };
  const source = printed(target, written?.split(" ") ?? [link.textContent.trim()]);
  const closed = target.closest("details.solution:not([open])");
  return closed ? { ...source, quote: "", after: "is in a solution" } : source;
};

// A range is seen if nothing lies on it and it is scrolled into view.
const isSeen = (range) => {
  const { left, top, width, height } = range.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  const { commonAncestorContainer: box } = range;
  return width > 0 && (box.nodeType === Node.TEXT_NODE ? box.parentNode : box).contains(there);
};
const highlights = CSS.highlights; // of which a browser may know nothing
const paint = (parts) => {
  highlights?.set("source-line", new Highlight(...parts.map(({ line }) => line)));
  highlights?.set("source-number", new Highlight(...parts.flatMap(({ numbers }) => numbers)));
};

// The note beside a number, one at a time -------------------------------------------------------

const note = makeNote(root);
let current = null;
let soon;

const place = (link) => placeNote(note, [...link.getClientRects()]);
const hide = () => {
  clearTimeout(soon);
  highlights?.delete("source-line");
  highlights?.delete("source-number");
  note.hidden = true;
  current?.classList.remove("shown");
  current = null;
};
const look = () => {
  if (current.matches(".term")) {
    note.replaceChildren(current.getAttribute("aria-description"));
    note.hidden = false;
    place(current);
    return;
  }
  const { parts, quote, after } = sourceOf(current);
  paint(parts);
  const ranges = parts.flatMap(({ numbers }) => numbers);
  note.hidden = highlights && ranges.length && !after && ranges.every(isSeen);
  if (note.hidden) return;
  const goal = make("a", {}, current.getAttribute("aria-description"));
  Object.assign(goal, { href: current.getAttribute("href"), tabIndex: -1 });
  const words = [after ? `, which ${after}` : "", quote ? make("code", {}, quote) : ""];
  note.replaceChildren(goal, ...words);
  place(current);
};
const show = (link) => {
  if (link === current) return;
  hide();
  current = link;
  link.classList.add("shown");
  look();
};
const wait = (action, time) => {
  clearTimeout(soon);
  soon = setTimeout(action, time);
};

// Follow a link within the page to the line itself, and leave that highlighted.
const follow = (link) => {
  hide();
  if (link.matches(".term") || !link.getAttribute("href").startsWith("#")) return;
  setTimeout(() => {
    const target = document.getElementById(link.hash.slice(1));
    for (let box = target; box; box = box.parentElement.closest("details")) box.open = true;
    const { parts } = sourceOf(link);
    paint(parts);
    const range = parts[0]?.numbers[0];
    if (range && !isSeen(range)) {
      const { top } = range.getBoundingClientRect();
      if (top) scrollBy({ top: top - innerHeight / 2, behavior: "instant" });
    }
  });
};

// A mouse shows it in passing, the keyboard where it stops, a finger by a first tap.
let kind = "";
document.addEventListener("pointerover", ({ target, pointerType }) => {
  if (pointerType === "touch") return;
  const link = linkAt(target);
  if (link) wait(() => show(link), 120);
  else if (note.contains(target)) clearTimeout(soon);
  else if (current && current !== document.activeElement) wait(hide, 250);
  else clearTimeout(soon);
});
root.addEventListener("focusin", ({ target }) => {
  if (linkAt(target) && target.matches(":focus-visible")) wait(() => show(target), 0);
});
root.addEventListener("focusout", ({ target }) => {
  if (target === current) hide();
});
document.addEventListener("pointerdown", ({ target, pointerType }) => {
  kind = pointerType;
  if (!linkAt(target) && !note.contains(target)) hide();
});
root.addEventListener("click", (event) => {
  const link = note.contains(event.target)
    ? event.target.closest("a") && current
    : linkAt(event.target);
  const isTap = kind === "touch";
  kind = "";
  if (!link) return;
  if (isTap && link !== current) {
    event.preventDefault();
    show(link);
  } else if (!event.ctrlKey && !event.metaKey && !event.shiftKey) follow(link);
});
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") hide();
});
addEventListener("resize", hide);
document.addEventListener("scrollend", () => current && look());
addEventListener("beforeprint", hide);
