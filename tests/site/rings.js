// The elements whose focus ring is missing, not in the accent colour, or hard to see. One of each
// kind is tried. A ring is an outline or a box shadow that comes with the focus, around an element
// or one that contains it.
(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) =>
    rgb(colour)
      .slice(0, 3)
      .map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (one, other) => {
    const [less, more] = [light(one), light(other)].sort((a, b) => a - b);
    return (more + 0.05) / (less + 0.05);
  };
  const ground = (element) => {
    for (let box = element; box; box = box.parentElement) {
      const { backgroundColor } = getComputedStyle(box);
      if (rgb(backgroundColor)[3] === 255) return backgroundColor;
    }
    return "white";
  };
  const rings = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
    const outline = outlineStyle === "auto" ? "auto" : outlineColor;
    const outlines = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 ? [outline] : [];
    const isRing = (shadow) => !/inset|none/.test(shadow) && / 0px 0px 0px [2-9]/.test(shadow);
    const shadows = boxShadow.split(/,(?![^(]*\))/).filter(isRing);
    return [...outlines, ...shadows.map((shadow) => shadow.match(/^\s*(.*?\)|\S+)/)[1])];
  };

  const accent = Object.assign(document.createElement("i"), {
    style: "color: var(--pst-color-accent)",
  });
  document.body.append(accent);
  const wanted = `${rgb(getComputedStyle(accent).color)}`;
  accent.remove();
  const looks = ({ localName, classList, parentElement }) =>
    `${[localName, ...[...classList].sort()].join(".")} in ${parentElement.className}`;
  const focusable = "a[href], button, input, select, summary, [tabindex='0'], .cm-content";
  const can = [...document.querySelectorAll(focusable)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => !element.closest("[inert], :disabled"));
  const kinds = new Map(can.map((element) => [looks(element), element]));
  const found = [];
  for (const [name, element] of kinds) {
    const around = [element];
    while (around.length < 4 && around.at(-1).parentElement)
      around.push(around.at(-1).parentElement);
    document.activeElement.blur();
    const before = around.map(rings);
    element.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== element) found.push(`${name}: can't be focused`);
    const come = around.flatMap((box, at) => {
      const fresh = rings(box).filter((ring) => !before[at].includes(ring));
      return fresh.map((ring) => [ring, box]);
    });
    if (!come.length) found.push(`${name}: no ring`);
    for (const [ring, box] of come) {
      const on = ground(box.parentElement ?? box);
      if (ring === "auto" || `${rgb(ring)}` !== wanted) {
        found.push(`${name}: a ring of another colour, ${ring}`);
      } else if (contrast(ring, on) < 3) found.push(`${name}: a ring that is hard to see on ${on}`);
    }
  }
  document.activeElement.blur();
  return { tried: kinds.size, found };
})();
