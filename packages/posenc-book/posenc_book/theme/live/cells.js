// Make the cells of a page live: each can be edited, and run in the reader's own browser.
// This is all that a page loads until a reader asks for more.
import { Cell } from "./cell.js";
import { make } from "./dom.js";
import { Edits } from "./edits.js";
import { Python } from "./python.js";
import { RunAll } from "./run_all.js";

const script = document.currentScript;
const { notebook, version, needs } = script.dataset;
const { search: build } = new URL(script.src); // all our files have to come from the same build
const root = new URL(".", script.src).href;
const inputs = [...document.querySelectorAll("div.cell .cell_input:has(pre)")];
const line = document.querySelector(".live-start");

const download = () => {
  const link = document.querySelector("a.btn-download-source-button");
  const textContent = "download the notebook";
  return link ? make("a", { href: link.href, textContent, download: "" }) : textContent;
};
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

const reason = () => {
  if (needs) {
    return `The cells of this page need ${needs}, which a browser can't run: to try them, `;
  }
  if (location.protocol === "file:") {
    return (
      "Cells can be run where this page comes from a web server, but not from a file: " +
      "to run them here, "
    );
  }
  if (!window.Worker || !window.WebAssembly) {
    return "This browser can't run Python, so the cells can't be run here: to run them, ";
  }
  return "";
};

class Page {
  constructor() {
    this.edits = new Edits(notebook, version);
    const folder = notebook.replace(/^notebooks\//, "").replace(/\/?[^/]*$/, "");
    this.python = new Python(`${root}worker.mjs${build}`, folder, this);
    this.speaker = make("div", { className: "visually-hidden", role: "status" });
    document.querySelector("main, body").append(this.speaker);
    const counts = { "": 0, A: 0 };
    this.cells = inputs.map((input) => {
      const kind = input.closest(".answer") ? "A" : "";
      counts[kind] += 1;
      return new Cell(input, kind ? `A${counts.A}` : counts[kind], this);
    });
    this.runsAll = new RunAll(line, this);
    for (const cell of this.cells) {
      const edit = this.edits.read(cell.key);
      if (edit !== null && edit !== undefined) cell.set(edit);
      this.warmOnIntent(cell.buttons.run, cell);
    }
    this.warmOnIntent(this.runsAll.button, this.cells[0]);
    this.revealOnTap();
  }

  // Announce something to screen readers: seldom, and briefly.
  speak(words) {
    this.speaker.textContent = words;
  }

  // What the buttons do.

  // Run a cell, but first those above that it may build on and that have not run.
  run(cell) {
    if (cell.busy) return;
    const first = this.above(cell).filter((one) => !this.hasRun(one));
    for (const one of first) this.start(one, "all");
    this.start(cell, "alone", first);
  }

  // `how` is "all" if the reader asked for more than this cell.
  start(cell, how, first = []) {
    cell.first = first;
    cell.mark();
    cell.element.dataset.ran = how;
    this.python.run(cell);
  }

  // The cells above that a cell may build on. Nothing outside a fold needs what is inside. A
  // solution would define the reader's answer, so what is in a room runs for that room alone; and
  // there a check is asked for, or not.
  above(cell) {
    const above = this.cells.slice(0, this.cells.indexOf(cell));
    return above.filter(({ room, checks, further }) =>
      room ? room === cell.room && !checks : cell.further || !further,
    );
  }

  // Whether a cell has run as it stands. What a reader has stopped is not tried again.
  hasRun({ busy, ranIn, ranAs, stopped, source }) {
    const isDone = ranIn === this.python.generation && ranAs === source;
    return busy || isDone || stopped === source;
  }

  runAbove(cell) {
    for (const above of this.above(cell)) this.start(above, "all");
  }

  stop() {
    const [running, ...waiting] = this.python.end();
    if (!running) return;
    running.output.abandon();
    running.stopped = running.source;
    this.runsAll.onStopped(running);
    this.settle(
      running,
      "Stopped. Python was restarted: the next cell begins with those above it.",
    );
    for (const cell of waiting) {
      this.settle(cell, "This cell did not run: Python was restarted.");
    }
    this.speak(running.note.textContent);
  }

  reset(cell) {
    cell.close();
    cell.set(cell.authors);
    cell.output.restore();
    cell.ran = false;
    cell.say();
    cell.show();
    this.changed(cell);
  }

  changed(cell) {
    this.edits.write(cell.key, cell.edited ? cell.source : null);
  }

  editor() {
    return import(`${root}editor.mjs${build}`);
  }

  // What Python reports.

  doing() {
    return this.python.ready ? "Running" : "Starting Python";
  }

  onStarted(cell) {
    cell.busy = true;
    cell.ran = true;
    cell.ranAs = cell.source;
    cell.output.expect(cell);
    const starting = make("progress", { ariaLabel: "Starting Python" });
    this.onProgress(cell, this.doing(), this.python.ready ? "" : starting);
    cell.show();
  }

  onProgress(cell, words, bar = "") {
    cell.say(words, bar);
    this.runsAll.onProgress(cell, words);
    for (const { first, note } of this.python.queue) {
      const at = first.indexOf(cell) + 1;
      const counted = `Running ${at} of ${first.length} above first`;
      if (at) note.textContent = words === "Running" ? counted : words;
    }
  }

  onLoading(cell, bytes) {
    const what = this.python.ready ? "what the cell imports" : "Python";
    if (this.loading !== what) {
      this.speak(`Loading ${what}.`);
      this.bar = make("progress", { ariaLabel: `Loading ${what}` });
    }
    this.loading = what;
    this.bar.max = Math.max(this.bar.max, bytes);
    this.bar.value = this.bar.max - bytes;
    if (!bytes) this.bar.removeAttribute("value"); // how long it starts for is not known
    const words = bytes ? `Loading ${what}: ${megabytes(bytes)} left` : this.doing();
    this.onProgress(cell, words, this.bar);
  }

  onRunning(cell) {
    this.loading = "";
    cell.ranIn = this.python.generation;
    const { room } = cell;
    const other = room?.matches(".answer") ? room.nextElementSibling : room?.previousElementSibling;
    // An answer and its solution define the same names.
    for (const one of this.cells) if (other && one.room === other) one.ranIn = undefined;
    this.onProgress(cell, "Running");
  }

  onQueued(cell) {
    cell.busy = true;
    cell.say("Waiting");
    cell.show();
  }

  onOutput(cell, output) {
    cell.output.show(output);
    if (output.kind !== "error") return;
    cell.mark(output.line);
    cell.failure = output.line ? `${output.name} in line ${output.line}` : output.name;
  }

  onFinished(cell, fine) {
    const { length } = cell.first;
    const ran = length ? `Ran ${length === 1 ? "one cell" : `${length} cells`} above first.` : "";
    const reply = cell.checks ? cell.output.words() : "";
    const failure = fine || reply ? "" : cell.failure;
    this.settle(cell, `${ran} ${failure}`.trim());
    if (!fine) cell.unfold();
    if (fine && cell.checks && cell.room?.matches(".answer")) this.edits.passed(cell.key);
    this.runsAll.onFinished(cell, fine);
    if (reply) this.speak(reply);
    else if (!fine) this.speak(`Cell ${cell.number}: ${cell.failure}`);
    else if (!this.python.queue.length) this.speak(`Cell ${cell.number} has run.`); // the last one
    cell.output.end().then(() => {
      cell.element.dispatchEvent(new CustomEvent("live-ran", { detail: cell.output.seen }));
    });
  }

  onSkipped(cell, failed) {
    this.settle(cell, "Did not run, because ", this.runsAll.link(failed), " failed.");
  }

  onCrashed(cells, { refused, reason: why }) {
    const words = refused
      ? [`Python could not be started: ${why}. Press Run to try again, or `, download(), "."]
      : [`Python stopped unexpectedly (${why}). `, "It starts afresh with the next cell."];
    cells[0]?.output.abandon();
    if (cells.length) this.runsAll.onStopped(cells[0], why);
    for (const cell of cells) {
      this.settle(cell, ...words.map((part) => part.cloneNode?.(true) ?? part));
    }
    if (cells.length) this.speak(cells[0].note.textContent);
  }

  settle(cell, ...words) {
    cell.busy = false;
    cell.say(...words);
    cell.show();
  }

  // Python may start early: when a reader is about to run a cell.

  wanted(cell) {
    const sources = [...this.above(cell), cell].map(({ source }) => source);
    if (!navigator.connection?.saveData) this.python.warm(sources.join("\n"));
  }

  warmOnIntent(button, cell) {
    let waiting;
    const come = () => {
      waiting = setTimeout(() => this.wanted(cell), 300);
    };
    const go = () => clearTimeout(waiting);
    for (const kind of ["pointerenter", "focus"]) button.addEventListener(kind, come);
    for (const kind of ["pointerleave", "blur"]) button.addEventListener(kind, go);
  }

  // A finger has nothing to hover with: a tap on a cell shows its buttons, the next one edits it.

  revealOnTap() {
    let finger = false;
    addEventListener("pointerdown", ({ pointerType }) => {
      finger = pointerType === "touch";
    });
    this.reveals = ({ input }) => finger && !input.matches(".live-tapped");
    document.addEventListener("click", ({ target }) => {
      const element = target.closest("div.cell");
      for (const cell of this.cells) {
        cell.input.classList.toggle("live-tapped", finger && cell.element === element);
      }
    });
  }
}

const absent = reason();
if (line && absent) {
  document.documentElement.classList.add("live-absent");
  line.replaceChildren(make("p", { className: "live-absence" }, absent, download(), "."));
} else if (line) new Page();
