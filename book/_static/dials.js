/* The dials of the welcome page: hands of the six pairs of a model with twelve columns. */
(() => {
  "use strict";
  const figure = document.getElementById("dials");
  const svg = figure.querySelector("svg");
  const draw = (kind, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return svg.appendChild(node);
  };
  const colour = (value) => {
    const end = value < 0 ? "negative" : "positive";
    return `color-mix(in srgb, var(--map-${end}) ${100 * Math.abs(value)}%, var(--map-zero))`;
  };
  const pairs = 6;
  const radius = 44;
  const inRow = svg.clientWidth < 480 ? 3 : 6;
  svg.setAttribute("viewBox", `0 0 ${inRow * 104} ${(pairs / inRow) * 150}`);
  const dials = Array.from({ length: pairs }, (_, i) => {
    const x = 52 + (i % inRow) * 104;
    const y = 50 + Math.floor(i / inRow) * 150;
    const cell = { y: y + 54, width: 44, height: 18 };
    draw("circle", { cx: x, cy: y, r: radius, class: "rim" });
    return {
      x,
      y,
      omega: 10000 ** ((-2 * i) / (2 * pairs)),
      hand: draw("line", { x1: x, y1: y, class: "hand" }),
      cells: [x - 44, x].map((left) => draw("rect", { x: left, ...cell })),
      texts: [x - 22, x + 22].map((middle) => draw("text", { x: middle, y: y + 92 })),
    };
  });

  const input = document.createElement("input");
  Object.assign(input, { type: "range", min: 0, max: 200, defaultValue: 3 });
  const shown = document.createElement("output");
  const label = document.createElement("label");
  label.append("position ", input, " ", shown);
  const bar = document.createElement("div");
  bar.className = "controls";
  bar.append(label);
  figure.append(bar);

  const turn = () => {
    const position = Number(input.value);
    shown.textContent = position;
    for (const { x, y, omega, hand, cells, texts } of dials) {
      const tip = [Math.sin(omega * position), Math.cos(omega * position)];
      hand.setAttribute("x2", x + radius * tip[0]);
      hand.setAttribute("y2", y - radius * tip[1]);
      tip.forEach((value, at) => {
        cells[at].style.fill = colour(value);
        texts[at].textContent = value.toFixed(2);
      });
    }
  };
  input.addEventListener("input", turn);
  turn();
  figure.dataset.drawn = "yes";
})();
