/* The search page, where Sphinx's search finds pages: of a word's chapter first, with an excerpt as
   one would read it. It runs between Sphinx's script and the index (see search.html). */
(() => {
  "use strict";
  // The glossary says which chapter a word's subject is (see glossary.py).
  const subjects = JSON.parse(document.currentScript.dataset.subjects);
  const asked = new URLSearchParams(location.search).get("q") ?? "";
  const query = asked.trim().toLowerCase().replace(/\s+/g, " ");
  const known = Object.keys(subjects).find((term) => `${term} `.startsWith(`${query} `));
  // A heading that has the whole question comes before pages that have its words.
  const asks = (title) => query.includes(" ") && title.toLowerCase().includes(query);
  Scorer.score = ([page, title, anchor, , score]) =>
    score + (page === subjects[known] && !anchor ? 100 : 0) + (anchor && asks(title) ? 50 : 0);

  // What a page says; a formula is in it three times: to be seen, to be read aloud, as its source.
  const unread = [
    ...["h1", ".place", ".opening", ".frontispiece", ".headerlink", ".noprint"],
    ...[".visually-hidden", ".katex-html", "annotation", "noscript", "script", "style"],
  ];
  const textOf = (html, anchor, ...less) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const named = anchor ? page.getElementById(anchor.slice(1)) : null;
    const part = named?.matches("dt") ? named.nextElementSibling : named;
    const whole = part ?? page.querySelector("article");
    for (const node of whole?.querySelectorAll([...unread, ...less]) ?? []) node.remove();
    return whole?.textContent.replace(/\s+/g, " ").trim() ?? "";
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
