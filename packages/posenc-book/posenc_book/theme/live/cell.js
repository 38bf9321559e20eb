// One cell of a page: its code, its buttons, and its status.
import { make } from "./dom.js";
import { Output } from "./output.js";

const own = (element, name) => element.querySelector(`:scope > ${name}`);

export class Cell {
  // `page` handles the buttons; the number of a cell that is not the notebook's begins with A.
  constructor(input, number, page) {
    Object.assign(this, { input, number, page });
    this.element = input.closest("div.cell");
    this.room = input.closest(".answer, details.solution");
    this.checks = this.element.matches(".check");
    this.further = Boolean(input.closest("details.further"));
    this.key = this.room?.matches(".answer") ? this.element.id : number;
    this.pre = input.querySelector("pre");
    this.code = this.pre.parentElement;
    this.authors = this.pre.textContent.replace(/\n$/, "");
    this.markup = this.pre.innerHTML;
    this.source = this.authors;
    this.fold = input.closest("details.fold");
    this.bar = make("div", { className: "live-bar", role: "toolbar", ariaLabel: `Cell ${number}` });
    this.output = new Output(own(this.element, ".cell_output:not(.live-output)"), input);
    this.buttons = {
      run: this.button("Run", "Run", () => page.run(this)),
      above: this.button("Run all above", "Run all above", () => page.runAbove(this)),
      stop: this.button("Stop", "Stop", () => page.stop(this)),
      edit: this.button("Edit", "Edit", () => this.edit()),
      reset: this.button("Reset", "Reset", () => page.reset(this)),
    };
    this.note = make("span", { className: "live-note" });
    const name = make("span", { className: "live-number", textContent: `Cell ${number}` });
    const copy = this.code.querySelector(".copybtn") ?? "";
    if (copy) copy.tabIndex = -1; // one of a toolbar's, as page.js has it if that comes later
    this.bar.append(this.note, ...Object.values(this.buttons), name, copy);
    input.append(this.bar);
    this.bar.addEventListener("keydown", (event) => this.step(event));
    this.bar.addEventListener("focusin", ({ target }) => this.stopAt(target));
    this.pre.addEventListener("click", (event) => {
      if (getSelection().isCollapsed && !page.reveals(this)) this.edit(event);
    });
    this.show();
  }

  button(text, name, action) {
    const button = make("button", { type: "button", className: "live-button", onclick: action });
    button.textContent = text;
    button.setAttribute("aria-label", `${name} cell ${this.number}`);
    return button;
  }

  get edited() {
    return this.source !== this.authors;
  }

  // Show only the buttons that make sense now.
  show() {
    const { run, above, stop, reset } = this.buttons;
    const focused = this.bar.contains(document.activeElement);
    run.hidden = this.busy;
    stop.hidden = !this.busy;
    above.hidden = this.number === 1 || this.busy;
    reset.hidden = this.busy || !(this.edited || this.ran);
    this.input.classList.toggle("live-busy", Boolean(this.busy));
    this.input.classList.toggle("live-edited", this.edited);
    const main = this.busy ? stop : run;
    if (focused && document.activeElement.hidden) main.focus({ preventScroll: true });
    this.stopAt(focused ? document.activeElement : main);
  }

  // The buttons are one stop for the Tab key; arrows lead from one to the next.
  stopAt(button) {
    for (const one of this.bar.querySelectorAll("button")) one.tabIndex = one === button ? 0 : -1;
  }

  step(event) {
    const shown = [...this.bar.querySelectorAll("button:not([hidden])")];
    const at = shown.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    shown.at(to % shown.length).focus();
  }

  set(source) {
    this.source = source;
    if (source === this.authors) this.pre.innerHTML = this.markup;
    else this.pre.textContent = source;
    this.output.place(source);
    this.mark();
    this.show();
  }

  // Open the editor, with the cursor where the reader clicked.
  async edit(event) {
    this.unfold();
    this.page.wanted(this);
    try {
      const { open } = await this.page.editor();
      this.editor ??= open({
        parent: this.code,
        source: this.source,
        name: `Code of cell ${this.number}. Escape leaves it.`,
        change: (source) => {
          this.set(source);
          this.page.changed(this);
        },
        run: () => this.page.run(this),
        leave: () => this.buttons.run.focus(),
      });
      this.code.classList.add("live-editing");
      this.editor.focus(event);
    } catch (error) {
      console.error(error);
      this.say(
        "The editor did not load. " +
          "You can run the cell as it is, or download the notebook to change it.",
      );
    }
  }

  close() {
    this.editor?.close();
    this.editor = undefined;
    this.code.classList.remove("live-editing");
  }

  unfold() {
    if (this.fold) this.fold.open = true;
  }

  // Mark the line on which the cell failed; without a line, remove the mark.
  mark(line) {
    this.code.querySelector(".live-mark")?.remove();
    this.editor?.mark(line);
    if (!line) return;
    const { lineHeight, paddingTop } = getComputedStyle(this.pre);
    const mark = make("span", { className: "live-mark" });
    mark.style.top = `calc(${paddingTop} + ${line - 1} * ${lineHeight})`;
    mark.style.height = lineHeight;
    this.code.append(mark);
  }

  // What passes is said among the buttons, where it moves nothing; what stays, on its own line.
  say(...words) {
    this.note.replaceChildren(...words);
    if (this.busy) this.bar.prepend(this.note);
    else this.input.append(this.note);
  }
}
