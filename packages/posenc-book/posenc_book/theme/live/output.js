// The output of a cell that was run, in place of the output that the page came with.
import { make } from "./dom.js";

const PLOTLY = "application/vnd.plotly.v1+json";
const TOUCH = "application/vnd.posenc.figure+json";
const size = (characters) =>
  characters < 1e6
    ? `${Math.ceil(characters / 1000)} thousand`
    : `${(characters / 1e6).toFixed(1)} million`;

export class Output {
  // `authors` is the output that the page came with, or null; ours is inserted after `after`.
  constructor(authors, after) {
    this.authors = authors;
    const figures = [
      ...(authors?.querySelectorAll("img:not(.still img, .only-dark), .plot") ?? []),
    ];
    this.alts = figures.map((figure) => figure.alt ?? figure.getAttribute("aria-label"));
    this.frames = figures.map((figure) => figure.closest("figure"));
    this.ids = this.frames.map((frame) => frame?.id);
    const className = "cell_output live-output docutils container";
    this.element = make("div", { className, hidden: true });
    (authors ?? after).after(this.element);
    this.seen = [];
  }

  // A tick stands beside the last line of the code.
  place(source) {
    const end = source.trimEnd().split("\n").at(-1).length;
    for (const element of [this.authors, this.element]) {
      element?.querySelector(":scope > .tick")?.style.setProperty("--end", end);
    }
  }

  // What was printed or said, without figures and tracebacks.
  words() {
    const words = ({ stream, verdict, text, data }) =>
      stream === "stdout" || verdict ? text : data?.["text/plain"];
    return this.seen.map(words).join("").trim();
  }

  // What only says True is a tick, as on the page at rest.
  tick() {
    const isTrue = this.words() === "True";
    this.element.classList.toggle("says-true", isTrue);
    if (!isTrue) return;
    const prints = make("span", { className: "visually-hidden", textContent: "prints " });
    this.element.prepend(make("span", { className: "tick" }, prints));
    this.place(this.source);
  }

  // Keep what is shown until the next output comes.
  expect({ edited, source }) {
    this.edited = edited;
    this.source = source;
    this.fresh = true;
    this.seen = [];
  }

  begin() {
    if (!this.fresh) return;
    this.fresh = false;
    const before = this.element.hidden ? this.authors : this.element;
    this.element.style.minHeight = `${before?.offsetHeight ?? 0}px`;
    this.element.replaceChildren();
    this.element.classList.remove("says-true");
    if (this.authors) this.authors.hidden = true;
    this.element.hidden = false;
    this.drawing = [];
    this.figures = 0;
  }

  show(output) {
    this.begin();
    this.seen.push(output);
    this[output.kind](output);
  }

  async end() {
    this.begin();
    await Promise.allSettled(this.drawing);
    this.element.style.minHeight = "";
    this.tick();
    this.element.hidden = !this.element.hasChildNodes();
  }

  // No more output will come; if none has, what was shown before stays.
  abandon() {
    if (!this.fresh) this.end();
  }

  // Put the author's output back.
  restore() {
    this.element.replaceChildren();
    for (const [at, frame] of this.frames.entries()) if (frame) frame.id = this.ids[at];
    this.element.hidden = true;
    if (this.authors) this.authors.hidden = false;
  }

  // A block that looks like those of the page.
  block(kind) {
    const pre = make("pre", { tabIndex: -1 });
    const className = `output ${kind} highlight-myst-ansi notranslate`;
    this.element.append(make("div", { className }, make("div", { className: "highlight" }, pre)));
    return pre;
  }

  stream({ stream, text }) {
    if (this.element.lastElementChild?.dataset.stream !== stream) {
      this.block(stream === "stdout" ? "stream" : "stderr");
    }
    const { lastElementChild: last } = this.element;
    last.dataset.stream = stream;
    last.querySelector("pre").append(text);
  }

  "left-out"({ characters }) {
    this.element.querySelector(".live-left-out")?.remove();
    const many = size(characters);
    const textContent = `That is as much as a page can show: ${many} characters were left out.`;
    this.element.append(make("p", { className: "live-left-out", textContent }));
  }

  error({ text, hint }) {
    this.block("live-error").append(text);
    if (hint) this.element.append(make("p", { className: "live-hint", textContent: hint }));
  }

  display({ data }) {
    const { [PLOTLY]: plotly, "text/html": innerHTML } = data;
    const className = "output text_html";
    if (plotly) this.plotly(JSON.parse(plotly));
    else if (data[TOUCH]) this.touch(JSON.parse(data[TOUCH]));
    else if (innerHTML) this.element.append(make("div", { className, innerHTML }));
    else if (data["image/png"]) this.picture(data["image/png"], data.scale);
    else this.block("text_plain").append(data["text/plain"]);
  }

  alt() {
    const alt = this.alts[this.figures++];
    if (!alt) {
      return "A figure that this cell has drawn, for which the author wrote no description.";
    }
    return this.edited ? `Drawn by a cell that you have edited; before, it was this: ${alt}` : alt;
  }

  // Show a figure with the author's caption, which links lead to.
  frame(figure) {
    const frame = this.frames[this.figures - 1];
    const caption = frame?.querySelector("figcaption").cloneNode(true);
    frame?.removeAttribute("id");
    const { className } = frame ?? {};
    const id = this.ids[this.figures - 1];
    this.element.append(frame ? make("figure", { className, id }, figure, caption) : figure);
  }

  picture(png, scale = 1) {
    const image = make("img", { alt: this.alt(), src: `data:image/png;base64,${png}` });
    this.frame(image);
    this.drawing.push(
      image.decode().then(() => {
        image.width = Math.round(image.naturalWidth / scale);
      }),
    );
  }

  // A figure to touch; its script may not be on this page yet.
  touch({ kind, state, data }) {
    const plot = make("div", { className: "plot" });
    plot.setAttribute("aria-label", this.alt());
    const textContent = JSON.stringify(data);
    const script = make("script", { type: "application/json", textContent });
    const figure = make(
      "div",
      { className: "figure" },
      make("div", { className: "f-body" }, plot),
      script,
    );
    Object.assign(figure.dataset, { kind, state: JSON.stringify(state) });
    this.frame(figure);
    const begin = () => window.courseTouch.draw[kind](figure);
    if (window.courseTouch?.draw[kind]) return begin();
    const from = `${document.documentElement.dataset.content_root}_static/touch`;
    const loading = make("script", { src: `${from}/${kind}.js`, async: false });
    if (!window.courseParts)
      document.head.append(make("script", { src: `${from}/parts.js`, async: false }));
    this.drawing.push(
      new Promise((resolve) => {
        loading.onload = () => resolve(figure.dataset.drawn || begin());
        loading.onerror = resolve;
      }),
    );
    document.head.append(loading);
  }

  plotly({ data, layout, frames = [] }) {
    const { template, ...rest } = layout;
    const plot = make("div", { className: "plot" });
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", this.alt());
    plot.style.minHeight = `${rest.height ?? 420}px`;
    const textContent = JSON.stringify({ data, layout: rest, frames });
    const script = make("script", { type: "application/json", textContent });
    const figure = make("div", { className: "figure" }, plot, script);
    this.frame(figure);
    this.drawing.push(window.courseFigures.draw(figure));
  }
}
