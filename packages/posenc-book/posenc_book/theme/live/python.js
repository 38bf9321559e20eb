// The page's side of its one Python: a worker that starts when first needed, and a queue of cells.

export class Python {
  // `address` of worker.mjs, `folder` of the notebook; `listener` has a method for each event. A
  // cell may have files, as `given`.
  constructor(address, folder, listener) {
    Object.assign(this, { address, folder, listener, queue: [], generation: 0 });
  }

  // Load what a cell imports, without running it, and modules of our own.
  warm(source, modules = []) {
    if (!this.worker) this.post("warm", { source, modules });
  }

  run(cell) {
    if (this.queue.includes(cell)) return;
    this.queue.push(cell);
    if (this.queue.length === 1) this.next();
    else this.listener.onQueued(cell);
  }

  next() {
    const [cell] = this.queue;
    if (!cell) return;
    this.listener.onStarted(cell);
    const { number, source, element, given } = cell;
    const width = element.clientWidth;
    this.post("run", { cell: number, source, given, ratio: devicePixelRatio, width });
  }

  post(kind, more) {
    if (!this.worker) {
      this.worker = new Worker(this.address, { type: "module" });
      this.worker.onmessage = ({ data }) => this.answer(data);
      this.worker.onerror = (event) => {
        event.preventDefault();
        this.answer({
          kind: "broken",
          refused: true,
          reason: event.message || "worker.mjs did not arrive",
        });
      };
    }
    this.worker.postMessage({ kind, folder: this.folder, ...more });
  }

  answer({ kind, ...what }) {
    const [cell] = this.queue;
    if (kind === "broken") {
      const cells = this.end();
      this.listener.onCrashed(cells, what);
    } else if (kind === "done") {
      this.queue.shift();
      this.listener.onFinished(cell, what.fine);
      if (!what.fine)
        for (const skipped of this.queue.splice(0)) this.listener.onSkipped(skipped, cell);
      this.next();
    } else if (kind === "loading") {
      if (cell) this.listener.onLoading(cell, what.bytes);
    } else if (kind === "output") this.listener.onOutput(cell, what.output);
    else {
      this.ready = true;
      if (kind === "began") this.listener.onRunning(cell);
    }
  }

  // Terminate Python; the next cell gets a new one, with no names defined.
  end() {
    this.worker?.terminate();
    this.worker = undefined;
    this.ready = false;
    this.generation += 1;
    return this.queue.splice(0);
  }
}
