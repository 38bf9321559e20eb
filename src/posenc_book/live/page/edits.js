// What a reader has changed, kept in this browser: for each notebook, its version and the cell.
// A browser may refuse to keep anything; then edits last as long as the page.

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
    // Edits of a page as it was before would not fit what it is now.
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

  // `source` is null where nothing differs from what the author wrote.
  write(cell, source) {
    attempt(() => {
      if (source === null) localStorage.removeItem(this.key(cell));
      else localStorage.setItem(this.key(cell), source);
    });
  }
}
