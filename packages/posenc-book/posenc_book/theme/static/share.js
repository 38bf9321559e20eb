/* Behind the caption of each figure with a handle: a link to it, and what to paste to frame it. A
   figure to touch is linked to as it is now: what differs from how it was, its address says after
   the question mark, as in #fig-name?position=3. */
import { all, make } from "../live/dom.js";

const root = document.documentElement.dataset.content_root;
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
    const { query: state } = figure.dataset;
    return new URL(`${page}#${mark}${state ? `?${state}` : ""}`, location.href).href;
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
}
