/* Where the core path ends: how much of it its reader foresaw and has checked, as far as this
   browser remembers (see predictions.js and ../live/edits.js). */
import { kept } from "../live/dom.js";

const place = document.querySelector(".arrived .so-far");
const chapters = document.querySelector(".arrived").dataset.chapters.split(" ");
const say = () => {
  let [foreseen, asked, passed] = [0, 0, 0];
  for (const [key, value] of kept(Object.entries) ?? []) {
    const [kind, chapter] = key.split("/");
    if (!chapters.includes(chapter)) continue;
    if (kind === "passed") passed += 1;
    if (kind !== "foreseen") continue;
    const [right, decided] = value.split("/").map(Number);
    foreseen += right;
    asked += decided;
  }
  const parts = [];
  if (asked) parts.push(`foresaw ${foreseen} of ${asked} outcomes`);
  if (passed) parts.push(`passed ${passed === 1 ? "one check" : `${passed} checks`}`);
  place.textContent = `On the way you ${parts.join(" and ")}.`;
  place.hidden = !parts.length;
};
say();
addEventListener("course-kept", say);
