// The page "Check yours": what a reader pastes or drops is diagnosed, or compared with another.
import { Asking } from "../live/ask.js";
import { make } from "../live/dom.js";
import { heatMap } from "../live/heat_map.js";
import { portrait } from "../live/model.js";

const script = document.currentScript;
const form = document.getElementById("check-yours");
const answer = document.getElementById("answer");
const [first, second] = ["a", "b"].map((side) => ({
  side: document.getElementById(`side-${side}`),
  text: document.getElementById(`check-${side}`),
  file: document.getElementById(`check-${side}-file`),
}));
const LONGEST = 4000; // of a configuration that an address carries
const control = (name) => form.querySelector(`[data-${name}]`);
const stop = control("stop");
const compare = control("compare");
const still = form.querySelector("[role=status]");

const asking = new Asking(script, (words) => {
  still.textContent = words;
  stop.hidden = !asking.busy;
});

const code = (text) =>
  make("code", { textContent: text, className: text.length < 24 ? "tool-short" : "" });
// Words in which code stands between backticks.
const rich = (words) => words.split(/`([^`]*)`/).map((part, at) => (at % 2 ? code(part) : part));
const paragraph = (className, ...words) =>
  make("p", { className }, ...words.flatMap((one) => (one.append ? one : rich(one))));

// Show an answer: focus goes to its heading, from which a screen reader reads on.
const show = (title, verdict, ...parts) => {
  const heading = make("h2", { tabIndex: -1, id: "verdict" }, ...[title].flat());
  answer.replaceChildren(heading, ...parts.filter(Boolean));
  answer.dataset.verdict = verdict;
  answer.hidden = false;
  answer.scrollIntoView({ block: "nearest" });
  heading.focus({ preventScroll: true });
  const { top } = heading.getBoundingClientRect();
  if (top < 0 || top > 0.6 * innerHeight) heading.scrollIntoView({ block: "start" });
};

// A title, which leads to what else is said of the mistake.
const titled = ({ mistake, title, case: treated }) => {
  const words = rich(title);
  return treated ? [make("a", { href: `mistakes.html#mistake-${mistake}` }, ...words)] : words;
};

const fold = (...parts) => {
  const shown = parts.filter(Boolean);
  if (!shown.length) return null;
  return make("details", { className: "tool-why" }, make("summary", {}, "Why"), ...shown);
};

const sentence = (words, lead) =>
  words && paragraph("", ...(lead ? [make("em", { textContent: `${lead} ` })] : []), words);

// What to do, and the rest folded; an only finding is named by the verdict.
const finding = (one, { named, mended, doubt }) => {
  const { convention, evidence, why, remedy } = one;
  const heading = make("h3", {}, ...titled(one));
  if (convention) heading.append(make("small", {}, " · a convention, and no mistake"));
  const todo = sentence(remedy, "What to do.");
  return make(
    "section",
    { className: "tool-finding" },
    ...(named ? [] : [heading]),
    ...(mended ? [] : [todo]),
    fold(sentence(evidence), sentence(why, "Why it matters."), mended && todo, sentence(doubt)),
  );
};

const mend = (changes) => {
  if (!changes.length) return null;
  const lines = changes.flatMap(({ line, before, after }) => [
    make("dt", {}, `Line ${line}`),
    make("dd", {}, make("del", {}, code(before)), make("ins", {}, code(after))),
  ]);
  const which = changes.length > 1 ? "these lines" : "this line";
  const tried = "the changed code was run and diagnosed";
  const promise = `Change ${which}, and the table is right: ${tried}.`;
  return make(
    "section",
    { className: "tool-mend" },
    paragraph("", promise),
    make("dl", {}, ...lines),
  );
};

// The other things that the code defines, or the file holds.
const menu = ({ names, choice }) => {
  if (!names?.length) return null;
  const select = make("select", { id: "which" });
  if (!choice) select.append(make("option", { value: "", textContent: "choose one" }));
  for (const name of names) select.append(make("option", { textContent: name, value: name }));
  select.value = choice ?? "";
  select.onchange = () => check(select.value);
  const label = make("label", { htmlFor: "which", textContent: "Diagnosed here: " });
  return paragraph("tool-menu noprint", label, select);
};

const report = (one, { alone, named, mended }) => {
  const { name, title, facts, said, findings, doubt, picture } = one;
  const last = findings.at(-1);
  return make(
    "section",
    { className: "tool-report" },
    ...[
      !alone && make("h3", {}, code(name), ": ", ...rich(title)),
      ...said.map((words) => sentence(words)),
      ...findings.map((each) =>
        finding(each, { named: each === named, mended, doubt: each === last && doubt }),
      ),
      paragraph("tool-facts", facts),
      picture && heatMap(picture),
    ].filter(Boolean),
  );
};

const kinds = {
  diagnosis({ verdict, reports, warnings, mend: changes, ...rest }) {
    const [{ title, findings }] = reports;
    const alone = reports.length === 1;
    const mistakes = verdict === "wrong" ? findings.filter((one) => !one.convention) : [];
    let heading = rich(alone ? title : title.split(":")[0]);
    if (mistakes.length === 1) heading = ["Wrong: ", ...titled(mistakes[0])];
    else if (mistakes.length) heading = [`Wrong: ${mistakes.length} mistakes`];
    const named = findings.length === 1 && mistakes[0];
    show(
      heading,
      verdict,
      menu(rest),
      mend(changes),
      ...warnings.map((words) => paragraph("", `Warning: ${words}`)),
      ...reports.map((one) => report(one, { alone, named, mended: changes.length > 0 })),
    );
  },
  comparison({ same, said, traits, picture }) {
    const row = (cell, [name, ...two]) =>
      make("tr", {}, make("th", {}, name), ...two.map((each) => make(cell, {}, ...rich(each))));
    const rows = traits.map((trait) => row("td", trait));
    const table = make("table", {}, row("th", ["what differs", "first", "second"]), ...rows);
    const parts = [...said.map((words) => sentence(words)), traits.length && table];
    show(same ? "The same" : "Different", same ? "right" : "unknown", ...parts, heatMap(picture));
  },
  async config({ drawing }) {
    const config = (await first.file.files[0]?.text()) ?? first.text.value;
    const short = config.length < LONGEST;
    const href = `draw-a-model.html${short ? `#config=${encodeURIComponent(config)}` : ""}`;
    const link = make("a", { href }, "Draw it beside another model");
    show(`A configuration${drawing.type ? ` of ${drawing.type}` : ""}`, "unknown");
    answer.append(...portrait(drawing, answer.clientWidth - 20), paragraph("", link));
  },
  choose({ said, names }) {
    show("Which table?", "unknown", sentence(said), menu({ names }));
  },
  error({ said, line, code: failed, hint }) {
    const where = line ? [`Line ${line}: `, code(failed)] : [];
    show(
      "It could not be read",
      "error",
      paragraph("tool-error", said),
      line && paragraph("", ...where),
      hint && paragraph("", hint),
    );
  },
};

// What one side holds: a file, if one is chosen, and otherwise text.
const held = ({ text, file }, at, choice) => {
  const [chosen] = file.files;
  if (!chosen) return { question: { text: text.value, choice } };
  // Python sees the name's end alone, and each side's file under a name of its own.
  const end = chosen.name.match(/\.\w+$/)?.[0].toLowerCase() ?? "";
  const given = new File([chosen], `${at}${end}`);
  return { question: { file: `/given/${given.name}`, choice }, given };
};

const check = async (choice = "") => {
  const sides = second.side.hidden ? [first] : [first, second];
  const parts = sides.map((side, at) => held(side, "ab"[at], at ? "" : choice));
  const given = parts.map((part) => part.given).filter(Boolean);
  const question = JSON.stringify(JSON.stringify(parts.map((part) => part.question)));
  const call = `from live.check_yours import answer\nanswer(${question})`;
  try {
    const found = await asking.ask(call, given.length ? given : undefined);
    kinds[found.kind](found);
  } catch ({ message }) {
    if (message) show("Stopped", "error", paragraph("", message));
  }
};

const EXAMPLES = {
  doubled: [
    `def positional_encoding(length, d_model):
    table = np.zeros((length, d_model))
    for pos in range(length):
        for i in range(0, d_model, 2):
            angle = pos / 10000 ** (2 * i / d_model)
            table[pos, i] = np.sin(angle)
            table[pos, i + 1] = np.cos(angle)
    return table`,
  ],
  odd: [
    `def positional_encoding(length, d_model):
    pos = np.arange(length)[:, np.newaxis]
    column = np.arange(d_model)
    angles = pos / 10000 ** (column / d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles`,
  ],
  right: [
    Array.from({ length: 12 }, (_row, position) =>
      Array.from({ length: 8 }, (_column, column) => {
        const angle = position / 10000 ** ((2 * Math.floor(column / 2)) / 8);
        return (column % 2 ? Math.cos(angle) : Math.sin(angle)).toFixed(4);
      }).join(", "),
    ).join("\n"),
  ],
  rope: [
    `def rope_cache(length, head_dim, base=500000.0):
    omega = base ** (-np.arange(0, head_dim, 2) / head_dim)
    angles = np.outer(np.arange(length), omega)
    return np.cos(angles), np.sin(angles)`,
  ],
  two: [
    `def interleaved(length, d_model):
    angles = np.outer(np.arange(length), 10000 ** (-np.arange(0, d_model, 2) / d_model))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, d_model)`,
    `def halves(length, d_model):
    angles = np.outer(np.arange(length), 10000 ** (-np.arange(0, d_model, 2) / d_model))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)`,
  ],
};

const pair = (open) => {
  second.side.hidden = !open;
  compare.setAttribute("aria-expanded", open);
  compare.textContent = open ? "Leave the second out" : "Compare with a second";
  form.querySelector("[type=submit]").textContent = open ? "Compare" : "Check";
};

const load = (texts) => {
  for (const [at, side] of [first, second].entries()) {
    side.text.value = texts[at] ?? "";
    side.file.value = "";
  }
  pair(texts.length > 1);
  check();
};

const begin = () => {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  stop.onclick = () => asking.stop("Python was stopped. It starts afresh with the next check.");
  compare.onclick = () => {
    pair(second.side.hidden);
    if (!second.side.hidden) second.text.focus();
  };
  for (const chip of form.querySelectorAll("[data-example]")) {
    chip.onclick = () => load(EXAMPLES[chip.dataset.example]);
  }
  for (const side of [first, second]) {
    side.text.addEventListener("input", () => {
      side.file.value = "";
    });
    side.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    side.file.addEventListener("change", () => {
      if (!side.file.files.length) return;
      side.text.value = "";
      if (side === first && second.side.hidden) check();
    });
    side.side.addEventListener("dragover", (event) => {
      event.preventDefault();
      side.side.classList.add("tool-over");
    });
    side.side.addEventListener("dragleave", () => side.side.classList.remove("tool-over"));
    side.side.addEventListener("drop", (event) => {
      side.side.classList.remove("tool-over");
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      side.file.files = event.dataTransfer.files;
      side.file.dispatchEvent(new Event("change"));
    });
  }
  for (const element of form.querySelectorAll("[disabled]")) element.disabled = false;
  asking.warmOnIntent(form);
};

const absence = Asking.absence(script);
if (absence) {
  form.hidden = true;
  document
    .getElementById("check-else")
    .prepend(`Nothing can be checked on this page, because ${absence}. `);
} else begin();
