// A note beside words of a page: one box, below them or above, and never wider than the page.
export const makeNote = (root) => {
  const note = document.createElement("div");
  note.className = "source-note";
  note.hidden = true;
  root.append(note);
  return note;
};

export const placeNote = (note, rects) => {
  if (!note.offsetParent) return; // on paper
  const { width, height } = note.getBoundingClientRect();
  const { left, top } = note.offsetParent.getBoundingClientRect();
  const last = rects.at(-1);
  const isBelow = last.bottom + height + 12 < innerHeight;
  const y = isBelow ? last.bottom + 6 : rects[0].top - height - 6;
  const { right } = note.parentElement.getBoundingClientRect();
  const x = Math.min(isBelow ? last.left : rects[0].left, right - width - 8);
  note.style.left = `${Math.max(x, 8) - left}px`;
  note.style.top = `${y - top}px`;
};
