/* Behind the caption of each figure with a handle: a link to it as it is now, and what to paste to
   frame it. The state of a figure is what its address says after the question mark:
   #fig-name?position=3. */
import { all, make } from "../live/dom.js";

const root = document.documentElement.dataset.content_root;
const controls = (figure) =>
  all(".controls label", figure).map((label) => [
    label.firstChild.textContent.trim(),
    label.querySelector("input, select"),
  ]);
// Of a figure to touch, what differs from how it was; of another, where its handles are.
const query = (figure) => {
  if ("kind" in figure.dataset) return figure.dataset.query ?? "";
  const moved = controls(figure).filter(([, one]) => one?.dataset.moved);
  const value = (one) => one.selectedOptions?.[0].text ?? one.ariaValueText;
  return new URLSearchParams(moved.map(([name, one]) => [name, value(one)])).toString();
};
// The first sentence of its caption, or of what it shows (as in embed.py).
const titleOf = (frame) => {
  const caption = frame.querySelector(".caption-text")?.cloneNode(true);
  for (const twice of caption?.querySelectorAll(".katex-html, annotation") ?? []) twice.remove();
  const text = caption?.textContent ?? frame.querySelector(".plot").ariaLabel;
  return text.split(/(?<=[.?:]) /)[0].replace(/[.:]$/, "");
};
const copy = async (button, text) => {
  await window.courseCopy(text); // see page.js
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = button.dataset.says;
  }, 2000);
};
const add = (place, says, text) => {
  const button = make("button", { type: "button" }, says);
  button.dataset.says = says;
  button.addEventListener("click", () => copy(button, text()));
  place.append(button);
};
for (const frame of all("figure[id^='fig-']")) {
  const figure = frame.querySelector(".figure[data-kind], .figure[data-bundle]:has(.controls)");
  if (!figure) continue;
  const place = make("span", { className: "share noprint" });
  const link = (page, mark) => {
    const state = query(figure);
    return new URL(`${page}#${mark}${state && `?${state}`}`, location.href).href;
  };
  add(place, "Copy link", () => link("", frame.id));
  add(place, "Embed", () => {
    const address = link(`${root}embed/${frame.id}.html`, frame.id).replaceAll("&", "&amp;");
    const height = Math.ceil(frame.offsetHeight) + 60;
    const title = titleOf(frame).replaceAll('"', "&quot;");
    const size = `width="100%" height="${height}"`;
    return `<iframe src="${address}" title="${title}" ${size} loading="lazy"></iframe>`;
  });
  (frame.querySelector("figcaption > p:last-of-type") ?? frame).append(place);
  figure.addEventListener("input", ({ target }) => {
    target.dataset.moved = "yes";
  });
}
