// What axe finds with all <details> open: by all its rules, or by those about colours alone.
async ({ colours, known }) => {
  const closed = [...document.querySelectorAll("details:not([open])")];
  for (const details of closed) details.open = true;
  // The page hears of it in tasks of their own.
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

  // Text whose colour, background, size and weight axe has seen before, here or on another page,
  // is not checked again: `known` lists what it has seen.
  const seen = new Set(known);
  let fresh = false;
  const mark = (node, behind) => {
    const { color, fontSize, fontWeight, opacity, backgroundColor, display } =
      getComputedStyle(node);
    if (display === "none") return;
    const solid = backgroundColor.startsWith("rgb(");
    const ground = `${solid ? "" : behind}${backgroundColor}${opacity === "1" ? "" : opacity}`;
    const around = node.localName === "a" ? getComputedStyle(node.parentElement).color : "";
    const look = [color, fontSize, fontWeight, ground, around].join(" ");
    const own =
      node.localName === "a" ? [node] : [...node.childNodes].filter((child) => child.data);
    const unseen = own.some((child) => child.textContent.trim()) && !seen.has(look);
    node.toggleAttribute("data-fresh", unseen);
    if (unseen) {
      fresh = true;
      seen.add(look);
    }
    for (const child of node.children) mark(child, ground);
  };
  mark(document.body, "");

  const rules = [
    { id: "color-contrast", selector: "[data-fresh]" },
    { id: "link-in-text-block", selector: "a[href][data-fresh]" },
  ];
  axe.configure({ rules });
  const given = { preload: false, resultTypes: ["violations"] };
  if (colours) given.runOnly = rules.map(({ id }) => id);
  const { violations } = fresh || !colours ? await axe.run(given) : { violations: [] };
  for (const details of closed) details.open = false;
  const found = violations.map(({ id, nodes }) => [
    id,
    nodes.map(({ html }) => html.slice(0, 200)),
  ]);
  return { found, seen: [...seen] };
};
