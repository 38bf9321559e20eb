/* Formulas and tables that are wider than the paper get smaller until they fit. */
() => {
  document.querySelectorAll(".katex-display > .katex, table").forEach((box) => {
    const room = box.parentElement.getBoundingClientRect().width;
    const inside = box.matches("table") ? box : box.querySelector(".katex-html");
    const wide = Math.max(...[...inside.querySelectorAll(".base"), inside].map((part) => part.getBoundingClientRect().width));
    if (wide > room) box.style.fontSize = `${(100 * parseFloat(getComputedStyle(box).fontSize) / parseFloat(getComputedStyle(box.parentElement).fontSize)) * (room / wide) * 0.99}%`;
  });
}
