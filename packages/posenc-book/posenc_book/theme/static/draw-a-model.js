// The page "Draw a model's positions": one model or two, which the address names.
import { Asking } from "../live/ask.js";
import { make } from "../live/dom.js";
import { portrait, spanOf } from "../live/model.js";

const script = document.currentScript;
const form = document.getElementById("draw-a-model");
const answer = document.getElementById("answer");
const data = JSON.parse(document.getElementById("model-drawings").textContent);
const [model, beside, config, file] = ["model", "beside", "config", "config-file"].map((id) =>
  document.getElementById(id),
);
const stop = form.querySelector("[data-stop]");
const still = form.querySelector("[role=status]");
const asking = new Asking(script, (words) => {
  still.textContent = words;
  stop.hidden = !asking.busy;
});
const absence = Asking.absence(script);
const LONGEST = 4000; // of a configuration that an address carries
const FIRST = "gemma3_text";

// Pictures are as wide as there is room when they are drawn, so that their letters are not scaled.
const show = (models) => {
  answer.hidden = false;
  answer.classList.toggle("two", models.length > 1);
  const parts = models.map(([title]) => make("section", {}, make("h2", {}, title)));
  answer.replaceChildren(...parts);
  const span = spanOf(models.map(([, drawing]) => drawing));
  for (const [at, [, drawing]] of models.entries())
    parts[at].append(...portrait(drawing, parts[at].clientWidth, span));
};
const fail = (title, words) => {
  answer.hidden = false;
  answer.classList.remove("two");
  answer.replaceChildren(make("h2", {}, title), make("p", {}, words));
};

// What is drawn of a configuration: a pair of a title and a drawing, or nothing.
const read = async (text) => {
  if (absence) {
    const command = "On the command line, posenc-clinic config.json says the same";
    fail("Not here", `No file is read here, because ${absence}. ${command} in words.`);
    return [];
  }
  const question = JSON.stringify(JSON.stringify([{ text }]));
  try {
    const found = await asking.ask(`from live.check_yours import answer\nanswer(${question})`);
    if (found.kind === "config")
      return [[found.drawing.type || "Your configuration", found.drawing]];
    const what = "This is no configuration in JSON: paste the text of a config.json.";
    fail("It could not be read", found.said ?? what);
  } catch ({ message }) {
    if (message) fail("Stopped", message);
  }
  return [];
};

// The address carries what is drawn.
const asked = () => new URLSearchParams(location.hash.slice(1));
const known = (name) => (Object.hasOwn(data.types, name) ? [[name, data.types[name]]] : []);
const draw = async (given) => {
  const [other, text] = ["with", "config"].map((key) => given.get(key) ?? "");
  const name = given.get("model") ?? (text ? "" : FIRST);
  [model.value, beside.value, config.value] = [name, other, text];
  const first = text ? await read(text) : known(name);
  const missing = [name, other].filter((one) => one && !known(one).length);
  still.textContent = missing.length ? `No type is called ${missing.join(" or ")}.` : "";
  if (!first.length) return;
  const models = [...first, ...known(other)];
  show(models);
  const said = `Drawn: ${models.map(([title]) => title).join(" and ")}.`;
  if (asked().size && !missing.length) still.textContent = said;
};

// So the browser's back button leads to what was before.
const choose = (text) => {
  const next = new URLSearchParams(text ? { config: text } : { model: model.value.trim() });
  if (beside.value.trim()) next.set("with", beside.value.trim());
  const before = location.href;
  if (!(next.get("config")?.length > LONGEST)) location.hash = next;
  if (location.href === before) draw(next);
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  choose(document.activeElement !== model && config.value.trim());
});
for (const input of [model, beside])
  input.addEventListener("change", () => choose(input === beside && config.value.trim()));
for (const chip of form.querySelectorAll("[data-model]")) {
  chip.addEventListener("click", () => {
    model.value = chip.dataset.model;
    choose();
  });
}
file.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  if (chosen.size > 1e6) {
    still.textContent = "This file is too large for a configuration.";
    return;
  }
  config.value = await chosen.text();
  choose(config.value.trim());
});
stop.addEventListener("click", () => asking.stop("Python was stopped."));
form.querySelector(".tool-paste").addEventListener("toggle", () => {
  if (!absence) asking.warm();
});
for (const element of form.querySelectorAll("[disabled]")) element.disabled = false;

addEventListener("hashchange", () => draw(asked()));
draw(asked());
