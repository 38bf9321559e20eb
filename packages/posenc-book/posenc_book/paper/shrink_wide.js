/* Shrink formulas and tables that are wider than the page. Return the first words of whatever is
   still too wide. */
() => {
  const width = (part) => part.getBoundingClientRect().width;
  const fontSize = (part) => parseFloat(getComputedStyle(part).fontSize);
  for (const box of document.querySelectorAll(".katex-display > .katex, table")) {
    const room = width(box.parentElement);
    const inside = box.matches("table") ? box : box.querySelector(".katex-html");
    const wide = Math.max(...[...inside.querySelectorAll(".base"), inside].map(width));
    const percent = (100 * fontSize(box)) / fontSize(box.parentElement);
    if (wide > room) box.style.fontSize = `${percent * (room / wide) * 0.99}%`;
  }
  const edge = document.documentElement.clientWidth + 1;
  const parts = document.querySelectorAll("p, pre, table, img, li, .katex .base, h1, h2, h3, h4");
  return [...parts]
    .filter((part) => part.getBoundingClientRect().right > edge)
    .map((part) => (part.alt ?? part.textContent).slice(0, 60));
};
