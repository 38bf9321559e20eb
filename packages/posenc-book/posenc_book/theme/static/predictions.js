/* Predictions that count: what gives one away stays covered until its reader has chosen an answer.
   Choices are the dropdowns that the page came with, and stay what they are. */
(() => {
  "use strict";
  const { predict } = document.currentScript.dataset; // the title of a prediction
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const page = location.pathname.replace(/.*\/|\.html$/g, "");

  // A choice is kept by its chapter and section, where the browser keeps anything.
  const keep = (key, choice) => {
    try {
      localStorage.setItem(key, choice);
    } catch {
      /* it then lasts until the page is left */
    }
  };
  const recall = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  // These give it away: the first output after the box, those that follow it cell by cell, and the
  // paragraph below the last, which says the same in words.
  const cells = all("div.cell");
  const outputOf = (cell) => cell.querySelector(".cell_output:not(.live-output)");
  const isBelow = (box, cell) =>
    box.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_FOLLOWING;
  const givingAway = (box) => {
    const found = [];
    let next = cells.find((cell) => isBelow(box, cell) && outputOf(cell));
    for (; next?.matches("div.cell"); next = next.nextElementSibling) {
      if (outputOf(next)) found.push(outputOf(next));
    }
    if (next?.matches("p")) found.push(next);
    return found;
  };

  // A cover lies in the room of what it covers, which stays there without being seen, found or
  // reached. That of a paragraph is bare, since it lies below another.
  const cover = (target, press) => {
    const lid = document.createElement("div");
    lid.className = "cover";
    if (target.matches(".cell_output")) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: "Show me" });
      button.setAttribute("aria-label", "Show me the output");
      button.addEventListener("click", () => {
        press();
        target.tabIndex = -1; // the button that had the focus is gone
        target.focus({ preventScroll: true });
      });
      lid.append("Choose an answer above, or", button);
    }
    target.append(lid);
    target.classList.add("covered");
    return () => {
      lid.remove();
      target.classList.remove("covered");
    };
  };

  const mark = (answer) => {
    const note = document.createElement("span");
    Object.assign(note, { className: "visually-hidden", textContent: " (your choice)" });
    answer.querySelector(".sd-summary-text").append(note);
    answer.classList.add("chosen");
  };

  // Paper has the replies at its end: each below its question and choice, which also stay in the
  // box.
  const boxes = [];
  const element = (name, ...children) => {
    const made = document.createElement(name);
    made.append(...children);
    return made;
  };
  const moveReply = (answer, list) => {
    const choice = answer.querySelector(".sd-summary-text").cloneNode(true);
    const item = element("li", element("strong", ...choice.childNodes), answer.lastElementChild);
    list.append(item);
    return () => answer.append(item.lastElementChild);
  };
  let restore = [];
  addEventListener("beforeprint", () => {
    const end = element("section", element("h2", "Answers to the predictions"));
    end.className = "answers";
    restore = [() => end.remove()];
    for (const [box, answers] of boxes) {
      const list = element("ul");
      const note = element("p", "The answers stand at the end.");
      box.append(note);
      restore.unshift(() => note.remove(), ...answers.map((answer) => moveReply(answer, list)));
      end.append(box.querySelector("p:not(.admonition-title)").cloneNode(true), list);
    }
    document.querySelector("article").append(end);
  });
  addEventListener("afterprint", () => {
    for (const undo of restore.splice(0)) undo();
  });

  for (const box of all(".admonition.tip")) {
    const answers = all(":scope > details", box);
    if (!answers.length || box.firstElementChild.textContent !== predict) continue;
    boxes.push([box, answers]);
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `${predict}: choose an answer`);
    const key = `predict/${page}/${box.closest("section").id}`;
    let choice = recall(key);
    let lids = [];
    const choose = (what) => {
      if (choice !== null) return;
      choice = what;
      keep(key, what);
      for (const lift of lids) lift();
      if (answers[what]) mark(answers[what]);
    };
    if (answers[choice]) mark(answers[choice]);
    if (choice === null) {
      lids = givingAway(box).map((target) => {
        const lift = cover(target, () => choose("none"));
        // A reader who has run this very cell has seen what it shows.
        const cell = target.closest("div.cell");
        cell?.addEventListener("live-ran", () => cell.dataset.ran === "all" || lift());
        return lift;
      });
    }
    // The first answer that is opened counts. (Paper, or a search, opens them without a click.)
    for (const [at, answer] of answers.entries()) {
      answer.querySelector("summary").addEventListener("click", () => choose(at));
    }
  }
})();
