// Ask the page's Python a question at a time, with a limit of time and a way to stop.
import { Python } from "./python.js";

const LIMIT = 30; // seconds that an answer may take, once Python runs
export const PACKAGES = "import numpy, posenc, posenc_clinic";

export class Asking {
  // `script` names the site's folder and build; `tell` gets what is going on, or nothing.
  constructor(script, tell) {
    const { search } = new URL(script.src);
    this.python = new Python(new URL(`../live/worker.mjs${search}`, script.src).href, "", this);
    this.tell = tell;
  }

  // Why no question can be asked here, or "".
  static absence(script) {
    if (location.protocol === "file:") return "opened from a file, a page can't run Python";
    if (!window.Worker || !window.WebAssembly) return "this browser can't run Python";
    return script.dataset.live === undefined ? "this copy of the site has no Python" : "";
  }

  warm() {
    this.python.warm(PACKAGES, ["live.check_yours"]);
  }

  // Have Python start when a reader comes to a form, and not when they scroll past it.
  warmOnIntent(form) {
    if (navigator.connection?.saveData) return;
    for (const kind of ["pointerenter", "focusin", "dragenter"])
      form.addEventListener(kind, ({ pointerType }) => pointerType !== "touch" && this.warm());
  }

  // What `call` returns, which is Python that begins with its imports; `given` are files.
  ask(call, given) {
    this.stop("");
    const question = { number: "question", source: `${PACKAGES}\n${call}`, given };
    question.element = document.body;
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.python.run(question);
    });
  }

  get busy() {
    return Boolean(this.settle);
  }

  stop(why) {
    if (!this.settle) return;
    this.python.end();
    this.fail(why);
    this.warm();
  }

  end(kind, what) {
    clearTimeout(this.timer);
    const settle = this.settle;
    this.settle = undefined;
    this.tell("");
    settle?.[kind](what);
  }

  fail(why) {
    this.end("reject", new Error(why));
  }

  // What Python reports.

  onStarted() {
    this.tell(this.python.ready ? "Looking" : "Starting Python");
  }

  onLoading(_, bytes) {
    this.tell(bytes ? `Loading Python: ${(bytes / 1e6).toFixed(1)} MB left` : "Starting Python");
  }

  onRunning() {
    this.tell("Looking");
    this.timer = setTimeout(() => this.stop(`It took more than ${LIMIT} seconds.`), 1000 * LIMIT);
  }

  onOutput(_, output) {
    if (output.kind === "display") this.answer = output.data["application/json"] ?? this.answer;
    if (output.kind === "error") this.failure = output.text;
  }

  onFinished(_, fine) {
    const { answer, failure } = this;
    this.answer = this.failure = undefined;
    if (fine && answer) this.end("resolve", JSON.parse(answer));
    else this.fail(`Python could not answer: ${failure?.trim().split("\n").at(-1) ?? "it ended"}`);
  }

  onCrashed(_, { refused, reason }) {
    this.fail(refused ? `Python could not be started: ${reason}.` : `Python stopped: ${reason}.`);
  }
}
