// What does not fit on its slide: how far it reaches below, or to the right, and what it is.
(() => {
  const found = [];
  document.querySelectorAll(".slides > section").forEach((section, at) => {
    const { display, visibility } = section.style;
    const hidden = section.hidden;
    Object.assign(section, { hidden: false });
    Object.assign(section.style, { display: "block", visibility: "visible" });
    const body = section.querySelector(".body");
    const title = section.querySelector("h1, h2")?.textContent ?? "";
    const say = (px, way, what) => found.push({ slide: at + 1, title, px: Math.ceil(px), way, what });
    const measure = (what) => {
      const over = body.scrollHeight - body.clientHeight;
      if (over > 0) say(over, "high", what);
    };
    const answers = [...body.querySelectorAll("details")];
    if (answers.length === 0) measure("all of it");
    answers.forEach((answer) => {
      answer.open = true; // which closes the others
      measure(`with the answer "${answer.querySelector("summary").textContent.trim()}" open`);
      answer.open = false;
    });
    const room = section.querySelector(".slide").getBoundingClientRect();
    body.querySelectorAll("*").forEach((part) => {
      if (part.closest(".katex, svg, .plot, details")) return;
      const scrolls = getComputedStyle(part).overflowX !== "visible" && part.scrollWidth - part.clientWidth;
      const name = `${part.localName}.${[...part.classList].join(".")}: ${part.textContent.trim().slice(0, 40)}`;
      if (scrolls > 0) say(scrolls, "wide", name);
      else if (part.getBoundingClientRect().right > room.right + 1) say(part.getBoundingClientRect().right - room.right, "wide", name);
    });
    Object.assign(section.style, { display, visibility });
    section.hidden = hidden;
  });
  return found;
})()
