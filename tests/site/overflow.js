// What does not fit on its slide, and by how many pixels, in height or in width.
(() => {
  const found = [];
  for (const [at, section] of document.querySelectorAll(".slides > section").entries()) {
    const { display, visibility } = section.style;
    const hidden = section.hidden;
    Object.assign(section, { hidden: false });
    Object.assign(section.style, { display: "block", visibility: "visible" });
    const body = section.querySelector(".body");
    const title = section.querySelector("h1, h2")?.textContent ?? "";
    const say = (px, way, what) =>
      found.push({ slide: at + 1, title, px: Math.ceil(px), way, what });
    const room = section.querySelector(".slide").getBoundingClientRect();
    const measure = (what) => {
      const inside = body.scrollHeight - body.clientHeight;
      // The body of a title slide has no box; its slide leaves 64 of 720 pixels for the bar.
      const bottoms = [...body.children].map((one) => one.getBoundingClientRect().bottom);
      const below = Math.max(...bottoms) - room.bottom + (64 / 720) * room.height;
      const over = getComputedStyle(body).display === "contents" ? below : inside;
      if (over > 0.5) say(over, "high", what);
    };
    const answers = [...body.querySelectorAll("details")];
    if (answers.length === 0) measure("all of it");
    for (const answer of answers) {
      answer.open = true; // which closes the others
      measure(`with the answer "${answer.querySelector("summary").textContent.trim()}" open`);
      answer.open = false;
    }
    for (const part of body.querySelectorAll("*")) {
      if (part.closest(".katex, svg, .plot, details")) continue;
      if (part.closest(".visually-hidden, .says-true > .output")) continue; // for screen readers
      const clips = getComputedStyle(part).overflowX !== "visible";
      const scrolls = clips ? part.scrollWidth - part.clientWidth : 0;
      const beyond = part.getBoundingClientRect().right - room.right;
      const words = part.textContent.trim().slice(0, 40);
      const name = `${[part.localName, ...part.classList].join(".")}: ${words}`;
      if (scrolls > 0) say(scrolls, "wide", name);
      else if (beyond > 1) say(beyond, "wide", name);
    }
    Object.assign(section.style, { display, visibility });
    section.hidden = hidden;
  }
  return found;
})();
