/* Formulas and tables that are wider than the paper get smaller until they fit. What is too wide
   even so is returned, by the words it begins with. */
() => {
  document.querySelectorAll(".katex-display > .katex, table").forEach((box) => {
    const room = box.parentElement.getBoundingClientRect().width;
    const inside = box.matches("table") ? box : box.querySelector(".katex-html");
    const wide = Math.max(...[...inside.querySelectorAll(".base"), inside].map((part) => part.getBoundingClientRect().width));
    if (wide > room) box.style.fontSize = `${(100 * parseFloat(getComputedStyle(box).fontSize) / parseFloat(getComputedStyle(box.parentElement).fontSize)) * (room / wide) * 0.99}%`;
  });
  const edge = document.documentElement.clientWidth + 1;
  const parts = [...document.querySelectorAll("p, pre, table, img, li, .katex .base, h1, h2, h3, h4")];
  return parts.filter((part) => part.getBoundingClientRect().right > edge).map((part) => (part.alt ?? part.textContent).slice(0, 60));
}
