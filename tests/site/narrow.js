// What reads badly on slides of a narrow window: small letters, what reaches over the right edge, and
// what lies on something else.
(() => {
  const found = [];
  document.querySelectorAll(".slides > section").forEach((section, at) => {
    const before = [section.hidden, section.style.cssText];
    section.hidden = false;
    section.style.cssText = "display: block; visibility: visible";
    const say = (what, part) => found.push(`slide ${at + 1}: ${what}: ${part.localName}.${[...part.classList].join(".")} ${part.textContent.trim().slice(0, 40)}`);
    const slide = section.querySelector(".slide");
    if (slide.scrollWidth > slide.clientWidth) say("scrolls sideways", slide);
    slide.querySelectorAll("*").forEach((part) => {
      if (!part.checkVisibility() || part.closest(".katex, svg, script")) return;
      const box = part.getBoundingClientRect();
      const frame = part.parentElement.closest("pre, table, .katex-display"); // these scroll by themselves
      if (!frame && box.right > innerWidth + 1) say("too wide", part);
      const writes = [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      if (writes && parseFloat(getComputedStyle(part).fontSize) < 12) say("small letters", part);
    });
    const blocks = [slide.querySelector("h1, h2"), ...slide.querySelectorAll(".body > :not(.fragment), .fragment > *")]
      .filter((block) => block && getComputedStyle(block).display !== "none");
    blocks.slice(1).forEach((block, above) => {
      if (block.getBoundingClientRect().top < blocks[above].getBoundingClientRect().bottom - 1) say("lies on what is above", block);
    });
    [section.hidden, section.style.cssText] = before;
  });
  const parts = [...document.querySelectorAll(".bar > a, .bar > button, .turn > button, .slide-number")].filter((part) => part.checkVisibility());
  const ends = parts.map((part) => part.getBoundingClientRect()).sort((one, other) => one.left - other.left);
  ends.forEach(({ left, right }, at) => {
    if (left < (ends[at - 1]?.right ?? 0) || right > innerWidth) found.push(`bar: part ${at + 1} from ${left} to ${right}`);
  });
  return found;
})()
