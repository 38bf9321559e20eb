/* What every page does for its reader: colours, search, sidebars, a menu, code to copy, and the
   place in the chapter that is being read. The page's first lines choose the colours. */
import { all, kept, make } from "../live/dom.js";

const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const onClick = (selector, action) => {
  for (const button of all(selector)) button.addEventListener("click", action);
};

// Light, dark, or as the system has it: the choice is kept, where the browser keeps anything.
const dark = matchMedia("(prefers-color-scheme: dark)");
const colour = (mode) => {
  root.dataset.mode = mode;
  root.dataset.theme = mode === "auto" ? (dark.matches ? "dark" : "light") : mode;
};
dark.addEventListener("change", () => colour(root.dataset.mode));
onClick(".theme-switch-button", () => {
  const modes = dark.matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
  colour(modes[(modes.indexOf(root.dataset.mode) + 1) % modes.length]);
  kept((store) => store.setItem("mode", root.dataset.mode));
});

// A dialog closes by a click outside of it, and by Escape, which a search field keeps to itself
// in WebKit, and in Chromium while there is text in it.
const closable = (box) => {
  box.addEventListener("click", ({ clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    if (x < left || x > right || y < top || y > bottom) box.close();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    box.close();
  });
};

// The search field of the page that has one, else the dialog with one. What finds is loaded then.
const dialog = byId("pst-search-dialog");
const field = document.querySelector("main form.bd-search input");
const { src } = document.currentScript;
const load = () => {
  if (!document.querySelector("script[src*='/search.js']"))
    document.head.append(make("script", { src: src.replace("page.js", "search.js") }));
};
if (field) {
  field.addEventListener("focus", load, { once: true });
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  if (field.value) load();
}
const search = () => {
  load();
  if (field) field.focus();
  else if (dialog.open) dialog.close();
  else dialog.showModal();
};
const mac = /Mac|iPhone|iPad/.test(navigator.platform);
if (mac) for (const key of all(".kbd-shortcut__modifier:first-child")) key.textContent = "⌘";
onClick(".search-button__button", search);
closable(dialog);
addEventListener("keydown", (event) => {
  const command = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!command || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k") return;
  event.preventDefault();
  search();
});

// A sidebar is moved into a dialog while a narrow page shows it; a wide one hides the first.
const move = (from, to) => {
  to.append(...from.childNodes);
  to.classList.add(...from.classList);
  from.removeAttribute("class");
};
for (const side of ["primary", "secondary"]) {
  const button = document.querySelector(`.${side}-toggle`);
  const bar = byId(`pst-${side}-sidebar`);
  const modal = byId(`pst-${side}-sidebar-modal`);
  if (!button || !bar || !modal) continue;
  button.addEventListener("click", () => {
    if (side === "primary" && matchMedia("(min-width: 992px)").matches) {
      bar.classList.toggle("pst-sidebar-hidden");
    } else {
      move(bar, modal);
      modal.showModal();
    }
  });
  closable(modal);
  modal.addEventListener("close", () => move(modal, bar));
  modal.addEventListener("click", ({ target }) => {
    if (target.closest("a[href^='#'], .close-sidebar")) modal.close();
  });
}

// The list of chapters stays where it was, or shows the one that is open.
const sidebar = byId("pst-primary-sidebar");
if (sidebar) {
  const key = "sidebar-scroll-top";
  const current = all(".current > a.current", sidebar).pop();
  requestAnimationFrame(() => {
    try {
      const top = current ? current.getBoundingClientRect().top : 0;
      sidebar.scrollTop =
        sessionStorage.getItem(key) ?? (top > innerHeight / 2 ? top - innerHeight / 4 : 0);
      addEventListener("pagehide", () => sessionStorage.setItem(key, sidebar.scrollTop));
    } catch {
      /* it then begins at the top */
    }
  });
}

// Menus open by click and by keyboard, and close by Escape, a choice, or a click elsewhere.
for (const button of all("[data-bs-toggle='dropdown']")) {
  const menu = button.nextElementSibling;
  const items = () => all("a, button", menu);
  const open = (now) => {
    menu.classList.toggle("show", now);
    button.setAttribute("aria-expanded", now);
  };
  const isOpen = () => menu.classList.contains("show");
  button.addEventListener("click", () => open(!isOpen()));
  document.addEventListener("click", ({ target }) => {
    if (isOpen() && !button.contains(target)) open(false);
  });
  // A click need not leave the focus on a button.
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !isOpen()) return;
    open(false);
    button.focus();
  });
  button.parentElement.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      open(true);
      const at = items().indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      items()[(at + items().length) % items().length].focus();
    }
  });
}

// What paper shows is drawn and loaded before it is printed: figures, pictures, and the letters
// of formulas in what is still closed. The browser's own menu can't be made to wait: there a
// figure that is not drawn is told in words, and is there when the page is printed again.
let gathered;
const gather = () => {
  const pictures = all("img:not(.only-dark)"); // paper is light
  for (const picture of pictures) picture.loading = "eager";
  gathered ??= Promise.allSettled([
    window.courseFigures?.drawAll(),
    ...pictures.map((picture) => picture.decode()),
    ...[...document.fonts].map((face) => face.load()),
  ]);
  return gathered;
};
const printAll = async () => {
  const note = make("p", { className: "preparing", role: "status" });
  document.body.append(note);
  note.textContent = "Drawing all figures, then printing …";
  await gather();
  note.remove();
  print();
};
onClick(".btn-download-pdf-button", printAll);
addEventListener("keydown", (event) => {
  const command = mac ? event.metaKey : event.ctrlKey;
  if (!command || event.shiftKey || event.altKey || event.key.toLowerCase() !== "p") return;
  if (gathered) return;
  event.preventDefault();
  printAll();
});

// Code is copied from a button in its corner, which comes when the code is near: to add all at
// once would lay out the whole page anew.
const said = make("p", { className: "visually-hidden", role: "status" });
document.body.append(said);
const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // a page that came without https has no clipboard
    const area = make("textarea", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  said.textContent = "Copied.";
  setTimeout(() => said.replaceChildren(), 2000); // the next one is told again
};
window.courseCopy = copyText;
const addCopy = (code) => {
  const icon = make("i");
  const button = make("button", { type: "button", className: "copybtn" }, icon);
  const say = (label, name) => {
    button.title = label;
    button.setAttribute("aria-label", label);
    icon.className = `fa-solid ${name}`;
    button.classList.toggle("success", name === "fa-check");
  };
  say("Copy", "fa-copy");
  button.addEventListener("click", async () => {
    await copyText(code.textContent.replace(/\n$/, ""));
    say("Copied", "fa-check");
    setTimeout(say, 2000, "Copy", "fa-copy");
  });
  const bar = code.closest(".cell_input")?.querySelector(".live-bar"); // see ../live/cell.js
  if (bar) {
    button.tabIndex = -1; // one of a toolbar's
    bar.append(button);
  } else code.after(button);
};
const near = new IntersectionObserver(
  (entries) => {
    for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
      near.unobserve(target);
      addCopy(target);
    }
  },
  { rootMargin: "400px" },
);
for (const code of all("div.highlight > pre")) near.observe(code);

// The contents say which section is read: the last that began above the middle of the window.
const named = ({ hash }) => byId(decodeURIComponent(hash.slice(1)));
const links = new Map(all(".page-toc a[href^='#']").map((link) => [named(link), link]));
links.delete(null);
// So does the bar above, once the title is out of sight.
const here = make("p", { className: "here", ariaHidden: true });
document.querySelector(".header-article-items__start")?.append(here);
const heading = document.querySelector("h1")?.cloneNode(true);
heading?.querySelector(".headerlink")?.remove();
const title = heading?.textContent.trim() ?? document.title;
const hasBegun = (section) => section.getBoundingClientRect().top < innerHeight * 0.4;
const mark = () => {
  const current = [...links.keys()].findLast(hasBegun);
  const words = links.get(current)?.textContent;
  here.textContent = words ? `${title} · ${words}` : title;
  for (const [section, link] of links) {
    for (const node of [link, link.parentElement]) {
      node.classList.toggle("active", section === current);
    }
  }
};
const spy = new IntersectionObserver(mark, { rootMargin: "0px 0px -60%" });
for (const section of links.keys()) spy.observe(section);

// In the margin, where they stand beside the text, they give way to notes and to what is wide.
const contents = byId("pst-secondary-sidebar");
let giveWay;
const watchMargin = () => {
  giveWay?.disconnect();
  const { left, bottom } = (contents.lastElementChild ?? contents).getBoundingClientRect();
  const there = new Set();
  giveWay = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        if (isIntersecting && boundingClientRect.right > left) there.add(target);
        else there.delete(target);
      }
      contents.classList.toggle("taken", there.size > 0);
    },
    { rootMargin: `0px 0px ${Math.min(0, bottom - innerHeight)}px` },
  );
  for (const one of all(".wide, .aside")) giveWay.observe(one);
};
if (contents) {
  watchMargin();
  addEventListener("resize", watchMargin);
}

// The bar above a page shows an edge once the page is scrolled.
const edge = document.querySelector(".sbt-scroll-pixel-helper");
const scrolled = new IntersectionObserver(([{ boundingClientRect }]) => {
  document.body.classList.toggle("scrolled", boundingClientRect.y < 0);
});
if (edge) scrolled.observe(edge);

// What scrolls by itself can be reached, and scrolled, by keyboard. What is closed is laid out
// only when it opens, and asked then.
const scrolls = (box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
const reach = (within = document) => {
  const open = (box) => !box.closest("details:not([open])");
  const boxes = all("pre, .cell_output > .output", within)
    .filter(open)
    .map((box) => [box, scrolls(box)]);
  for (const [box, scrolling] of boxes) {
    if (scrolling) box.setAttribute("tabindex", 0);
    else box.removeAttribute("tabindex");
  }
};
let soon;
const reachSoon = () => {
  clearTimeout(soon);
  soon = setTimeout(reach, 300);
};
addEventListener("resize", reachSoon);
addEventListener("toggle", ({ target }) => reach(target), true);
new MutationObserver(reachSoon).observe(byId("main-content"), { subtree: true, childList: true });
addEventListener("load", () => reach());

// A page that was opened as a file has no server for JupyterLab.
if (location.protocol === "file:") for (const link of all(".open-in-lab")) link.remove();

// A link into something closed opens it, and paper shows all but the code that draws figures.
const show = () => {
  let box = named(location)?.closest("details");
  while (box) {
    box.open = true;
    box = box.parentElement.closest("details");
  }
};
addEventListener("hashchange", show);
show();
let closed = [];
addEventListener("beforeprint", () => {
  closed = all("details:not([open], .fold)");
  for (const box of closed) box.open = true;
  root.dataset.theme = "light"; // ink is dark
  gather();
});
addEventListener("afterprint", () => {
  for (const box of closed) box.open = false;
  colour(root.dataset.mode);
});
