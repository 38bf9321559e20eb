/* Letters of formulas say what they mean, and light up with their names in code: symbols-lit.js
   does it, and comes when a pointer is over a formula, or the keyboard at one. */
import { all, make } from "../live/dom.js";

const address = document.currentScript.src.replace("symbols.js", "symbols-lit.js");
for (const formula of all("article .katex-display:has(.mathnormal)")) {
  formula.tabIndex = 0;
  formula.setAttribute("role", "group");
  formula.setAttribute("aria-label", "Formula; arrow keys say what its letters mean");
}
let script;
let last;
const come = (event) => {
  if (!event.target.closest?.("article :is(.katex, .katex-display)")) return;
  last = event;
  if (script) return;
  script = make("script", { src: address });
  script.addEventListener("load", () => {
    for (const kind of KINDS) document.removeEventListener(kind, come);
    last.target.dispatchEvent(new last.constructor(last.type, last)); // which came too early
  });
  document.head.append(script);
};
const KINDS = ["pointermove", "focusin"];
for (const kind of KINDS) document.addEventListener(kind, come);
