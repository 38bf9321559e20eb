// The line above the first cell: it runs all cells in order but those of exercises, says how far
// they are, and can stop.
import { make } from "./dom.js";

export class RunAll {
  // `element` comes with the page: a button, and a sentence that gives way to what is said here.
  constructor(element, page) {
    this.page = page;
    this.cells = page.cells.filter((cell) => !cell.room);
    this.button = element.querySelector("button");
    this.name = this.button.textContent;
    this.sentence = element.querySelector("p");
    this.says = make("p", { className: "live-progress" });
    this.sentence.after(this.says);
    this.button.disabled = false;
    this.set(false);
    this.button.onclick = () => (this.running ? page.stop() : this.run());
  }

  run() {
    this.set(true);
    this.say("Starting");
    for (const cell of this.cells) this.page.start(cell, "all");
  }

  set(running) {
    this.running = running;
    this.button.textContent = running ? "Stop" : this.name;
    this.button.toggleAttribute("data-runs", !running);
  }

  // Words take the place of the sentence, and its room.
  say(...words) {
    this.says.replaceChildren(...words);
    this.sentence.classList.toggle("live-hushed", words.length > 0);
  }

  // A cell is at work, or waits for what it needs.
  onProgress(cell, words) {
    if (!this.running) return;
    const still = words === "Running" ? "" : `. ${words}`;
    this.say(`${this.cells.indexOf(cell) + 1} of ${this.cells.length}${still}`);
  }

  onFinished(cell, fine) {
    if (!this.running) return;
    if (!fine) this.leave("Stopped at ", this.link(cell), `: ${cell.failure}`);
    else if (cell === this.cells.at(-1)) {
      const left = this.cells.length < this.page.cells.length ? " outside exercises" : "";
      this.leave(`All ${this.cells.length} cells${left} have run.`);
    }
  }

  onStopped(cell, why) {
    if (this.running) this.leave("Stopped at ", this.link(cell), why ? `: ${why}` : ".");
  }

  leave(...words) {
    this.set(false);
    this.say(...words);
  }

  link({ element, number }) {
    return make("a", { href: `#${element.id}`, textContent: `cell ${number}` });
  }
}
