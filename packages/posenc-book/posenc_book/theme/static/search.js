/*! With MiniSearch by Luca Ongaro, under the MIT licence: see minisearch/LICENSE.txt. */
/* The search: sections of all pages, as one types. page.js loads it once a reader searches; it then
   loads what the pages say (see ../search.py), and makes the index. */
import MiniSearch from "minisearch";
import { make } from "../live/dom.js";

// The groups of results in order, and what a result of each is worth.
const KINDS = {
  chapter: ["In chapters", 1],
  question: ["Questions", 1.1],
  term: ["Glossary", 0.9],
  mistake: ["Mistakes", 0.9],
  model: ["Models", 0.4],
  page: ["Other pages", 0.5],
};
const FIELDS = { head: 3, title: 1, text: 1, code: 0.6 };
// Words that say nothing about a subject.
const UNSAID = new Set(
  `a after an and are as at be before but by can could did do does for from get had has have how i
  if in into is it its make my not of on or our per should so than that the their them then there
  these they this those to two us use used using vs was we were what which why will with would you
  your`.split(/\s+/),
);

const WORD = /\d{1,3}(?:,\d{3})+|[\p{L}\p{N}√]+/gu;
const wordsOf = (text) => text.match(WORD) ?? [];
const fold = (word) => {
  const low = word.toLowerCase().replaceAll(",", "");
  if (UNSAID.has(low)) return null;
  if (/^pos(ition(al|s|ally)?)?$/.test(low)) return "position";
  return low.length > 3 ? low.replace(/(?<=.{6})al$|(?<=..)(?:ings?|ies|es|ed|s|e)$/, "") : low;
};
const termsOf = (text) => wordsOf(text).map(fold).filter(Boolean);
// What nearly all sections here have counts little.
const GENERAL = new Set(["position", "encoding", "embedding"].map(fold));
const worth = (term) => (GENERAL.has(term) ? 0.1 : 1);
const sum = (terms) => terms.reduce((total, term) => total + worth(term), 0);
const alike = (term) => (GENERAL.has(term) ? "position" : term);

const makeIndex = async (pages) => {
  const stored = ["page", "anchor", "title", "kind", "head", "text"];
  const fields = Object.keys(FIELDS);
  const index = new MiniSearch({
    fields,
    storeFields: stored,
    tokenize: wordsOf,
    processTerm: fold,
  });
  const names = []; // short, and in full
  let id = 0;
  for (const [page, parts] of Object.entries(pages)) {
    const title = parts.find(([, anchor]) => !anchor)[2];
    const sections = parts.map(([kind, anchor, head, text, code]) => {
      return { id: id++, page, anchor, title, kind, head, text, code };
    });
    for (const { kind, head } of sections) {
      const [short, full] = head.split(": ");
      if (kind === "term" && full) names.push([termsOf(short), termsOf(full).map(alike)]);
    }
    await index.addAllAsync(sections, { chunkSize: 100 });
  }
  return { index, names };
};

// Any word counts, a rare one most, and more in headings; then, how many of the words are there,
// and whether they are all that the section is called. Of a page, two places stand before others.
const find = ({ index, names }, query) => {
  let asked = termsOf(query);
  // What the glossary has a short name for, is called by that.
  for (const [short, full] of names) {
    const rest = asked.filter((term) => !full.includes(alike(term)));
    if (full.every((term) => asked.some((one) => alike(one) === term))) asked = [...rest, ...short];
  }
  const found = index.search(asked.join(" "), {
    tokenize: (terms) => terms.split(" "),
    processTerm: (term) => term,
    boost: FIELDS,
    boostTerm: worth,
    boostDocument: (_id, _term, { kind }) => KINDS[kind][1],
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 5 ? 0.2 : 0),
    weights: { prefix: 0.3, fuzzy: 0.1 },
  });
  for (const one of found) {
    const name = termsOf(one.head.split(":")[0]);
    const isNamed = name.length && name.every((term) => asked.includes(term));
    one.score *= (sum(one.queryTerms) / sum(asked)) ** 2 * (isNamed ? 2 : 1);
  }
  found.sort((one, other) => other.score - one.score);
  const places = {};
  for (const one of found) {
    places[one.page] = (places[one.page] ?? 0) + 1;
    one.late = places[one.page] > 2;
  }
  const good = found.filter(({ score }) => score > found[0].score / 20);
  return [...good.filter(({ late }) => !late), ...good.filter(({ late }) => late)];
};

// A text with the words marked that were found.
const marked = (text, terms) => {
  const parts = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!terms.has(fold(word))) continue;
    parts.push(text.slice(from, index), make("mark", { textContent: word }));
    from = index + word.length;
  }
  return [...parts, text.slice(from)];
};
// The passage with most of the words, from where its sentence begins if that is near.
const passage = (text, terms) => {
  const hits = [...text.matchAll(WORD)]
    .map(({ 0: word, index }) => [index, fold(word)])
    .filter(([, term]) => terms.has(term));
  const near = ([at]) => hits.filter(([place]) => place >= at && place < at + 150);
  const count = (hit) => new Set(near(hit).map(([, term]) => term)).size;
  let best = hits[0] ?? [0];
  for (const hit of hits) if (count(hit) > count(best)) best = hit;
  const before = text.slice(0, best[0]);
  const sentence = before.search(/(?<=[.?!] )[^.?!]{0,80}$/u);
  const start =
    best[0] < 80 ? 0 : sentence < 0 ? before.lastIndexOf(" ", best[0] - 40) + 1 : sentence;
  const end = start + 220 < text.length ? text.lastIndexOf(" ", start + 220) : text.length;
  return `${start ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
};

const { content_root: root } = document.documentElement.dataset;
const show = ({ page, anchor, title, head, text, terms }) => {
  const found = new Set(terms);
  const link = make(
    "a",
    { href: `${root}${page}.html${anchor && `#${anchor}`}` },
    ...marked(head, found),
  );
  const where =
    head === title ? "" : make("span", { className: "where", textContent: title.split(":")[0] });
  const said = make("p", { className: "context" }, ...marked(passage(text, found), found));
  return make("li", {}, link, where, said);
};
// The three best, and then the others by what they are.
const groups = (found, most) => {
  const rest = Object.entries(KINDS).map(([kind, [name]]) => {
    return [name, found.slice(3).filter((one) => one.kind === kind)];
  });
  return [["Best", found.slice(0, 3)], ...rest]
    .filter(([, those]) => those.length)
    .flatMap(([name, those]) => [
      make("h2", { textContent: name }),
      make("ul", {}, ...those.slice(0, most).map(show)),
    ]);
};

const { src } = document.currentScript;
const ready = new Promise((resolve, reject) => {
  const script = make("script", { src: src.replace("search.js", "sections.js"), onerror: reject });
  script.onload = () => resolve(makeIndex(window.courseSections));
  document.head.append(script);
});

for (const finder of document.querySelectorAll(".finder")) {
  const [form, said, results] = finder.children;
  const inDialog = finder.closest("dialog");
  const update = async () => {
    const query = form.q.value.trim();
    if (query === finder.dataset.asked) return;
    finder.dataset.asked = query;
    said.textContent = query && "Reading the index …";
    const found = termsOf(query).length ? find(await ready, query) : [];
    if (query !== finder.dataset.asked) return; // more was typed meanwhile
    said.textContent = found.length
      ? `${found.length} ${found.length === 1 ? "section" : "sections"}, the best first`
      : query && "Nothing here has these words. Check how they are spelled, or try others.";
    results.replaceChildren(...groups(found, inDialog ? 3 : 10));
    finder.dataset.found = query;
    // A page that was opened from a disk keeps its address.
    if (!inDialog && location.protocol !== "file:")
      history.replaceState(null, "", query ? `?q=${encodeURIComponent(query)}` : location.pathname);
  };
  form.q.addEventListener("input", update);
  // Down from the field to the first result, and up from there to the field.
  finder.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stops = [form.q, ...results.querySelectorAll("a")];
    stops[stops.indexOf(document.activeElement) + step]?.focus();
  });
  update();
}
