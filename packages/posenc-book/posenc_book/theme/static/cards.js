/* Cards: whether a reader knew the answer is kept in the browser, for that reader alone. The cards
   are the dropdowns that the page came with, and stay what they are. */
import { all, kept, make } from "../live/dom.js";

const cards = all("details.card");
const page = location.pathname.replace(/.*\/|\.html$/g, "");
const keyOf = (at) => `card/${page}/${at}`;
const KNEW = "I knew it";
const NOT_YET = "Not yet";

const choices = cards.map((_, at) => kept((store) => store.getItem(keyOf(at))));
// Where a browser keeps nothing, choices last until the page is left.
const where = kept(() => true) ? "kept in this browser only" : "kept until you leave this page";

const makeButton = (textContent, action) => {
  const button = make("button", { type: "button", textContent });
  button.addEventListener("click", action);
  return button;
};

// Above the cards: how many are known, and a way to forget it.
const said = make("span", { role: "status", ariaLive: "polite" });
const forget = makeButton("Forget", () => {
  choices.fill(null);
  for (const at of cards.keys()) kept((store) => store.removeItem(keyOf(at)));
  show();
  said.textContent = "Forgotten.";
  cards[0].querySelector("summary").focus(); // the button that had the focus is gone
});
const line = make("p", { className: "cards-known noprint" }, said, forget);

// In each card, below its answer: two buttons.
const parts = cards.map((card, at) => {
  const choose = ({ target }) => {
    choices[at] = target.textContent;
    kept((store) => store.setItem(keyOf(at), choices[at]));
    show();
  };
  const buttons = [KNEW, NOT_YET].map((label) => makeButton(label, choose));
  card.append(make("p", { className: "card-choice noprint" }, ...buttons));
  const note = make("span", { className: "visually-hidden" });
  card.querySelector(".sd-summary-text").append(note);
  return { card, buttons, note };
});

const show = () => {
  for (const [at, { card, buttons, note }] of parts.entries()) {
    card.classList.toggle("known", choices[at] === KNEW);
    note.textContent = choices[at] === KNEW ? " (known)" : "";
    for (const button of buttons) button.ariaPressed = button.textContent === choices[at];
  }
  const known = choices.filter((choice) => choice === KNEW).length;
  forget.hidden = !choices.some(Boolean);
  said.textContent = forget.hidden ? "" : `${known} of ${cards.length} known; ${where}.`;
};
show();
cards[0].before(line);
