// What axe finds, with all that can be opened open: by all its rules, or by those of colours alone.
async (colours) => {
  const closed = [...document.querySelectorAll("details:not([open])")];
  for (const details of closed) details.open = true;

  // Contrast takes axe most of its time, and code and formulas are most of a page. A block in
  // which every letter has the colours, size and weight of one before needs no second look.
  const seen = new Set();
  const ground = (node) => {
    const { backgroundColor } = getComputedStyle(node);
    return backgroundColor === "rgba(0, 0, 0, 0)" && node.parentElement
      ? ground(node.parentElement)
      : backgroundColor;
  };
  for (const block of document.querySelectorAll(".highlight, .katex-html")) {
    if (!block.checkVisibility()) continue;
    const before = seen.size;
    const behind = ground(block);
    for (const node of [block, ...block.querySelectorAll("*")]) {
      const { color, fontSize, fontWeight, opacity, backgroundColor } = getComputedStyle(node);
      seen.add([color, fontSize, fontWeight, opacity, backgroundColor, behind].join());
    }
    block.toggleAttribute("data-seen", seen.size === before);
  }

  const run = async (context, options) => {
    const { violations } = await axe.run(context, {
      preload: false,
      resultTypes: ["violations"],
      ...options,
    });
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
  };
  const unseen = { exclude: ["[data-seen]"] };
  const found = colours
    ? await run(unseen, { runOnly: ["color-contrast", "link-in-text-block"] })
    : [
        ...(await run(unseen, { runOnly: ["color-contrast"] })),
        ...(await run(document, { rules: { "color-contrast": { enabled: false } } })),
      ];
  for (const details of closed) details.open = false;
  return found;
};
