/* The search page, where Sphinx's search finds pages: of a word's chapter first, with an excerpt as
   one would read it. It runs between Sphinx's script and the index (see search.html). */
(() => {
  "use strict";
  // The glossary and search.yml say which page a word's subject is (see glossary.py).
  const subjects = JSON.parse(document.currentScript.dataset.subjects);
  const plain = (text) =>
    text
      .toLowerCase()
      .replace(/[\s\-_?.]+/g, " ")
      .trim();
  const query = plain(new URLSearchParams(location.search).get("q") ?? "");
  // The page of the term that was typed or begun, or else of the longest term within the question.
  const terms = Object.keys(subjects);
  const typed =
    terms.find((term) => plain(term) === query) ??
    terms.find((term) => query && plain(term).startsWith(`${query} `));
  const within = terms.filter((term) => ` ${query} `.includes(` ${plain(term)} `));
  within.sort((one, other) => other.length - one.length);
  const known = subjects[typed ?? within[0]];
  const worth = typed ? 200 : 40;
  // A heading that has the whole question comes before pages that have its words, and a page whose
  // title has them before one whose text does. The change log and the index have all words.
  const typedWords = query.split(" ");
  const titled = (title) => typedWords.every((word) => ` ${plain(title)}`.includes(` ${word}`));
  const asks = (title) => query.includes(" ") && plain(title).includes(query);
  Scorer.score = ([page, title, anchor, , score]) =>
    score +
    (page === known && !anchor ? worth : 0) +
    (anchor && asks(title) ? 50 : 0) +
    (!anchor && titled(title) ? 20 : 0) -
    (/book\/(changes|reference)/.test(page) ? 20 : 0);
  // The page that is about a word need not have all words of the question.
  const performed = Search._performSearch;
  Search._performSearch = (...given) => {
    const results = performed(...given);
    const at = Search._index.docnames.indexOf(known);
    if (at < 0 || results.some(([page, , anchor]) => page === known && !anchor)) return results;
    const missing = [known, Search._index.titles[at], "", null, worth, Search._index.filenames[at]];
    return [...results, missing].sort((one, other) => one[4] - other[4]);
  };

  // A formula in one line, as one would type it, from what is there to be read aloud.
  const whole = (text) => (/^(\([^()]*\)|[\p{L}\p{N}.√]*)$/u.test(text) ? text : `(${text})`);
  const raised = (base, power) => base + (power === "′" ? power : `^${whole(power)}`);
  const script = (base, index) => `${base}_${whole(index)}`;
  const scripts = (base, index, power) => raised(script(base, index), power);
  const FORMS = {
    mfrac: (over, under) => `${whole(over)}/${whole(under)}`,
    ...{ msup: raised, msub: script, munder: script, msubsup: scripts, munderover: scripts },
    msqrt: (...inside) => `√${whole(inside.join(""))}`,
    mtr: (...entries) => `${entries.join(" ")} `,
  };
  // Words stand apart, and so does what follows an index or a power.
  const APART = /(?<=[_^][\p{L}\p{N}]+)\n(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])\n(?=\p{L}{2})/u;
  const beside = (text, part) => `${text}\n${part}`.replace(APART, " ").replace("\n", "");
  const inLine = (node) => {
    if (!node.children.length) return node.textContent.replace("\u2061", " ");
    const parts = [...node.children].map(inLine);
    return FORMS[node.localName]?.(...parts) ?? parts.reduce(beside);
  };

  // What a page says; a formula is in it three times: to be seen, to be read aloud, as its source.
  const unread = [
    ...["h1", ".place", ".opening", ".frontispiece", ".headerlink", ".noprint"],
    ...[".visually-hidden", ".katex-html", "annotation", "noscript", "script", "style"],
    ...["svg", "nav", ".plot", ".controls", ".contents", ".toctree-wrapper", "button"],
  ];
  const textOf = (html, anchor, ...less) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const named = anchor ? page.getElementById(anchor.slice(1)) : null;
    const part = named?.matches("dt") ? named.nextElementSibling : named;
    const shown = part ?? page.querySelector("article");
    for (const node of shown?.querySelectorAll([...unread, ...less]) ?? []) node.remove();
    for (const formula of shown?.querySelectorAll("math") ?? [])
      formula.replaceWith(inLine(formula));
    for (const block of shown?.querySelectorAll("dt, dd, li, p, pre, td, th, div.math") ?? [])
      block.append(" ");
    return shown?.textContent.replace(/\s+/g, " ").trim() ?? "";
  };

  // From the sentence that has one of the words, or from a little before the word; from code only
  // where no sentence has any.
  Search.makeSearchSummary = (html, words, anchor) => {
    const wanted = [...words].map((word) => word.replace(/[^\p{L}\p{N}_]/gu, "\\$&")).join("|");
    const has = new RegExp(`(?<![\\p{L}\\p{N}])(?:${wanted})`, "iu");
    const prose = textOf(html, anchor, "pre");
    const text = has.test(prose) ? prose : textOf(html, anchor);
    if (!text) return null;
    const at = Math.max(text.search(has), 0);
    const near = text.slice(Math.max(at - 120, 0), at);
    const sentence = near.search(/(?<=[.?!] )[^.?!]*$/u);
    const skipped = at < 120 ? 0 : sentence < 0 ? near.indexOf(" ") + 1 : sentence;
    const start = at - near.length + skipped;
    const end = start + 240 < text.length ? text.lastIndexOf(" ", start + 240) : text.length;
    const shown = document.createElement("p");
    shown.className = "context";
    shown.textContent =
      (start ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
    return shown;
  };

  const none = [
    "Your search did not match any documents. Please make sure that all words are spelled",
    "correctly and that you've selected enough categories.",
  ];
  Documentation.TRANSLATIONS[none.join(" ")] =
    "No page has all of these words. Check how they are spelled, or search for fewer of them.";
})();
