// A reader's edits, kept in localStorage by notebook, version and cell. A browser may refuse to
// keep anything; then edits last as long as the page.

import { kept } from "./dom.js";

export class Edits {
  constructor(notebook, version) {
    this.prefix = `live/${notebook}/`;
    this.version = `${version}/`;
    this.chapter = notebook.replace(/.*\//, "");
    // Edits of an older version of the page would not fit this one.
    const isOld = (key) => key.startsWith(this.prefix) && !key.startsWith(this.key(""));
    kept((store) => {
      for (const key of Object.keys(store).filter(isOld)) store.removeItem(key);
    });
  }

  key(cell) {
    return `${this.prefix}${this.version}${cell}`;
  }

  read(cell) {
    return kept((store) => store.getItem(this.key(cell)));
  }

  // `source` is null if the cell is as the author wrote it.
  write(cell, source) {
    kept((store) => {
      if (source === null) store.removeItem(this.key(cell));
      else store.setItem(this.key(cell), source);
    });
  }
  // An answer has passed its check.
  passed(cell) {
    kept((store) => store.setItem(`passed/${this.chapter}/${cell}`, ""));
    dispatchEvent(new Event("course-kept"));
  }
}
