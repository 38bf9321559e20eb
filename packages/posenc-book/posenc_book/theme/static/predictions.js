/* Predictions that count: what gives one away stays covered until its reader has chosen an answer.
   Choices are the dropdowns that the page came with, and stay what they are. */
import { all, kept, make } from "../live/dom.js";

const page = location.pathname.replace(/.*\/|\.html$/g, "");

// A choice is kept by its chapter and section; else it lasts until the page is left.
const keep = (key, choice) => kept((store) => store.setItem(key, choice));

// These give it away: the first output after the box, those that follow it cell by cell, and the
// paragraph below the last, which says the same in words.
const cells = all("div.cell");
const outputOf = (cell) => cell.querySelector(".cell_output:not(.live-output)");
const isBelow = (box, cell) => box.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_FOLLOWING;
const givingAway = (box) => {
  const found = [];
  let next = cells.find((cell) => isBelow(box, cell) && outputOf(cell));
  for (; next?.matches("div.cell"); next = next.nextElementSibling) {
    if (outputOf(next)) found.push(outputOf(next));
  }
  if (next?.matches("p")) found.push(next);
  return found;
};

// One bar stands where the first of them would; they take no room, and are not seen, found or
// reached.
const waiting = (targets) => {
  const outputs = targets.filter((target) => target.matches(".cell_output")).length;
  const sentence = outputs < targets.length;
  const parts = outputs === 1 ? "One output" : `${outputs} outputs`;
  const wait = outputs === 1 && !sentence ? "waits" : "wait";
  return `${parts}${sentence ? " and a sentence" : ""} ${wait} for your answer`;
};
const cover = (targets, press) => {
  const button = make("button", { type: "button" }, "Show me");
  const words = make("span");
  const lid = make("div", { className: "cover" }, button, words);
  const left = new Set(targets);
  const say = () => {
    words.textContent = waiting([...left]);
    button.setAttribute("aria-label", `Show me: ${words.textContent}`);
  };
  const lift = (target) => {
    target.classList.remove("covered");
    left.delete(target);
    if (![...left].some((one) => one.matches(".cell_output"))) {
      for (const one of left) one.classList.remove("covered");
      lid.remove();
    } else say();
  };
  button.addEventListener("click", () => {
    press();
    targets[0].tabIndex = -1; // the button that had the focus is gone
    targets[0].focus({ preventScroll: true });
  });
  say();
  targets[0].before(lid);
  for (const target of targets) target.classList.add("covered");
  return lift;
};

const mark = (answer) => {
  const note = make("span", { className: "visually-hidden" }, " (your choice)");
  answer.querySelector(".sd-summary-text").append(note);
  answer.classList.add("chosen");
};

// What was foreseen is counted where a chapter takes stock, and kept for the end of the path.
const asked = [];
const stock = document.getElementById("take-stock");
const tally = make("p", { className: "tally" });
const takeStock = () => {
  const decided = asked.filter((one) => "foreseen" in one);
  const open = asked.filter((one) => !("foreseen" in one || one.further)).length;
  const foreseen = decided.filter((one) => one.foreseen).length;
  if (!stock || !decided.length) return;
  const left = open ? ` (${open} still open)` : "";
  tally.textContent = `You foresaw ${foreseen} of ${decided.length + open}${left}.`;
  stock.append(tally);
  keep(`foreseen/${page}`, `${foreseen}/${decided.length}`);
  dispatchEvent(new Event("course-kept"));
};

for (const box of all(".admonition.tip")) {
  const answers = all(":scope > details", box);
  if (!answers.length) continue;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", `${box.firstElementChild.textContent}: choose an answer`);
  const key = `predict/${page}/${box.closest("section").id}`;
  for (const answer of answers) {
    const yes = /^\s*Yes/.test(answer.querySelector(".sd-card-body").textContent);
    answer.classList.add(yes ? "right" : "wrong");
  }
  let choice = kept((store) => store.getItem(key)) ?? null;
  const one = { further: Boolean(box.closest("details.further")) };
  asked.push(one);
  const decide = () => {
    if (answers[choice]) mark(answers[choice]);
    one.foreseen = answers[choice]?.matches(".right") ?? false;
    takeStock();
  };
  const targets = choice === null ? givingAway(box) : [];
  let lift;
  const choose = (what) => {
    if (choice !== null) return;
    choice = what;
    keep(key, what);
    for (const target of targets) lift(target);
    decide();
  };
  if (choice !== null) decide();
  else {
    lift = cover(targets, () => choose("none"));
    // A reader who has run this very cell has seen what it shows.
    for (const target of targets) {
      const cell = target.closest("div.cell");
      cell?.addEventListener("live-ran", () => cell.dataset.ran === "all" || lift(target));
    }
  }
  // The first answer that is opened counts. (Paper, or a search, opens them without a click.)
  for (const [at, answer] of answers.entries()) {
    answer.querySelector("summary").addEventListener("click", () => choose(at));
  }
}
