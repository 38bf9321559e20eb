/* Run a deck with reveal.js, in the theme that the reader chose for the site. figures.js draws
   figures when their slide comes near. With ?print-pdf they become pictures first, because
   reveal.js then splits the slides into pages. */
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const printing = /print-pdf/.test(location.search);
  if (/receiver/.test(location.search)) root.dataset.preview = ""; // in the speaker's window

  // Light, dark, or as the system has it: the same choice as on the pages (see page.js).
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const setTheme = (mode) => {
    root.dataset.mode = mode;
    root.dataset.theme = mode === "auto" ? (dark.matches ? "dark" : "light") : mode;
  };
  const toggleTheme = () => {
    setTheme(root.dataset.theme === "dark" ? "light" : "dark");
    try {
      localStorage.setItem("mode", root.dataset.mode);
    } catch {
      /* then it lasts for this page only */
    }
  };
  if (printing) {
    root.dataset.theme = "light"; // for paper
  } else {
    dark.addEventListener("change", () => setTheme(root.dataset.mode));
    addEventListener("storage", ({ key, newValue }) => {
      if (key === "mode") setTheme(newValue ?? "auto");
    });
  }

  // Keys go to the focused element: arrows to a handle, Enter and space to a button or an answer.
  // PageUp and PageDown, which clickers send, turn slides all the same; Escape returns the arrows
  // to the slides.
  const handles = "input, select";
  const buttons = "a, button, summary";
  document.addEventListener(
    "keydown",
    (event) => {
      const at = document.activeElement;
      if (!at.matches(handles) || !["PageUp", "PageDown", "Escape"].includes(event.key)) return;
      at.blur();
      if (event.key === "Escape") event.stopImmediatePropagation();
    },
    true,
  );
  const keyboardCondition = ({ key }) => {
    const at = document.activeElement ?? document.body;
    return !at.matches(handles) && !(at.matches(buttons) && ["Enter", " "].includes(key));
  };

  // Scaled to a phone in portrait, letters would have 8 pixels. In a narrow window a slide is
  // therefore as large as the window, has its own font sizes (see deck.css), and scrolls.
  const narrow = matchMedia("(max-width: 767.98px)");
  const size = () => {
    const own = narrow.matches && !printing && !("preview" in root.dataset);
    root.toggleAttribute("data-narrow", own);
    return own ? { width: "100%", height: "100%" } : { width: 1280, height: 720 };
  };
  document.addEventListener(
    "keydown",
    (event) => {
      if (!("narrow" in root.dataset) || !keyboardCondition(event) || Reveal.isOverview()) return;
      const down = { ArrowDown: 80, ArrowUp: -80 }[event.key];
      if (!down) return;
      Reveal.getCurrentSlide().querySelector(".slide").scrollBy({ top: down });
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

  const pause = () => new Promise((resolve) => setTimeout(resolve, 30));
  const until = async (holds) => {
    while (!holds()) await pause();
  };
  const toPicture = async (figure) => {
    await until(() => figure.dataset.drawn);
    if (figure.dataset.drawn !== "yes") return; // then it shows its alt text
    const plot = figure.querySelector(".plot");
    const picture = Object.assign(new Image(), { className: "drawn" });
    picture.alt = plot.getAttribute("aria-label");
    picture.style.height = `${plot.clientHeight}px`;
    picture.src = await courseFigures.picture(figure);
    await picture.decode();
    figure.replaceWith(picture);
  };
  const toPaper = async () => {
    for (const section of all(".slides > section")) {
      const figures = all(".figure[data-bundle]", section);
      section.classList.toggle("drawing", figures.length > 0);
      for (const figure of figures) await toPicture(figure);
      section.classList.remove("drawing");
    }
    await Promise.all(all(".slides img").map((picture) => picture.decode().catch(() => {})));
  };

  const begin = async () => {
    for (const controls of all(".figure .controls")) controls.dataset.preventSwipe = "";
    for (const figure of all("div.figure")) figure.dataset.fit = ""; // it takes the room there is
    // Of the answers to choose from, one is open at a time.
    all(".slide").forEach((slide, at) => {
      for (const answer of all("details", slide)) answer.name = `choice-${at}`;
    });
    if (printing) await toPaper();
    const paged = new Promise((resolve) => {
      Reveal.on("pdf-ready", resolve);
    });
    await Reveal.initialize({
      ...size(),
      margin: 0,
      center: false,
      controls: false,
      slideNumber: "c/t",
      hash: true,
      transition: "none",
      backgroundTransition: "none",
      scrollActivationWidth: null,
      pdfMaxPagesPerSlide: 1,
      pdfSeparateFragments: false,
      keyboardCondition,
      plugins: [RevealNotes],
    });
    if (printing) await paged;
    narrow.addEventListener("change", () => {
      Reveal.configure(size());
      for (const figure of all(".figure[data-bundle][data-drawn]")) courseFigures.draw(figure);
    });
    // With the role "application", screen readers would not read the slides.
    document.querySelector(".reveal").removeAttribute("role");
    Reveal.addKeyBinding({ keyCode: 68, key: "D", description: "Light or dark" }, toggleTheme);
    document.querySelector(".colours").addEventListener("click", toggleTheme);
    const speak = () => Reveal.getPlugin("notes").open();
    document.querySelector(".speaker").addEventListener("click", speak);
    root.dataset.deck = "ready";
  };
  begin();
})();
