// A reader's edits, kept in localStorage by notebook, version and cell. A browser may refuse to
// keep anything; then edits last as long as the page.

const attempt = (action) => {
  try {
    return action();
  } catch {
    return undefined;
  }
};

export class Edits {
  constructor(notebook, version) {
    this.prefix = `live/${notebook}/`;
    this.version = `${version}/`;
    this.chapter = notebook.replace(/.*\//, "");
    // Edits of an older version of the page would not fit this one.
    const isOld = (key) => key.startsWith(this.prefix) && !key.startsWith(this.key(""));
    attempt(() => {
      for (const key of Object.keys(localStorage).filter(isOld)) localStorage.removeItem(key);
    });
  }

  key(cell) {
    return `${this.prefix}${this.version}${cell}`;
  }

  read(cell) {
    return attempt(() => localStorage.getItem(this.key(cell)));
  }

  // `source` is null if the cell is as the author wrote it.
  write(cell, source) {
    attempt(() => {
      if (source === null) localStorage.removeItem(this.key(cell));
      else localStorage.setItem(this.key(cell), source);
    });
  }
  // An answer has passed its check.
  passed(cell) {
    attempt(() => localStorage.setItem(`passed/${this.chapter}/${cell}`, ""));
    dispatchEvent(new Event("course-kept"));
  }
}
