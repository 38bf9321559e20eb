// What reads badly on slides in a narrow window: small text, overlaps, and what extends beyond the
// right edge.
(() => {
  const found = [];
  for (const [at, section] of document.querySelectorAll(".slides > section").entries()) {
    const before = [section.hidden, section.style.cssText];
    section.hidden = false;
    section.style.cssText = "display: block; visibility: visible";
    const say = (what, part) => {
      const name = [part.localName, ...part.classList].join(".");
      found.push(`slide ${at + 1}: ${what}: ${name} ${part.textContent.trim().slice(0, 40)}`);
    };
    const slide = section.querySelector(".slide");
    if (slide.scrollWidth > slide.clientWidth) say("scrolls sideways", slide);
    for (const part of slide.querySelectorAll("*")) {
      if (!part.checkVisibility() || part.closest(".katex, svg, script")) continue;
      const scrolls = part.parentElement.closest("pre, table, .katex-display");
      const { right } = part.getBoundingClientRect();
      if (!scrolls && right > innerWidth + 1) say("too wide", part);
      const isText = ({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim();
      const writes = [...part.childNodes].some(isText);
      if (writes && parseFloat(getComputedStyle(part).fontSize) < 12) say("small letters", part);
    }
    const steps = slide.querySelectorAll(".body > :not(.fragment), .fragment > *");
    const blocks = [slide.querySelector("h1, h2"), ...steps].filter(
      (block) => block && getComputedStyle(block).display !== "none",
    );
    for (const [above, block] of blocks.slice(1).entries()) {
      const { bottom } = blocks[above].getBoundingClientRect();
      if (block.getBoundingClientRect().top < bottom - 1) say("lies on what is above", block);
    }
    [section.hidden, section.style.cssText] = before;
  }
  const bar = document.querySelectorAll(".bar > a, .bar > button, .turn > button, .slide-number");
  const ends = [...bar]
    .filter((part) => part.checkVisibility())
    .map((part) => part.getBoundingClientRect())
    .sort((one, other) => one.left - other.left);
  for (const [at, { left, right }] of ends.entries()) {
    const overlaps = left < (ends[at - 1]?.right ?? 0);
    if (overlaps || right > innerWidth) found.push(`bar: part ${at + 1} from ${left} to ${right}`);
  }
  return found;
})();
