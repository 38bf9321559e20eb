// The elements whose focus ring is missing, or not in the accent colour. One of each kind is tried.
// A ring is an outline that comes with the focus, around an element or one that contains it.
(() => {
  const accent = Object.assign(document.createElement("i"), {
    style: "color: var(--pst-color-accent)",
  });
  document.body.append(accent);
  const wanted = getComputedStyle(accent).color;
  accent.remove();
  const hasRing = (element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle === "solid" && parseFloat(outlineWidth) >= 2 && outlineColor === wanted;
  };
  const looks = ({ localName, classList, parentElement }) =>
    `${[localName, ...[...classList].sort()].join(".")} in ${parentElement.className}`;
  const focusable = "a[href], button, input, select, summary, [tabindex='0'], .cm-content";
  const can = [...document.querySelectorAll(focusable)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => !element.closest("[inert], :disabled"));
  const kinds = new Map(can.map((element) => [looks(element), element]));
  const found = [];
  for (const [name, element] of kinds) {
    document.activeElement.blur();
    const around = [element];
    while (around.length < 4 && around.at(-1).parentElement)
      around.push(around.at(-1).parentElement);
    const unringed = around.filter((box) => !hasRing(box));
    element.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== element) found.push(`${name}: can't be focused`);
    else if (!unringed.some(hasRing)) found.push(`${name}: no ring`);
  }
  document.activeElement.blur();
  return { tried: kinds.size, found };
})();
