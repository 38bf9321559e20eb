/* The dials of the welcome page: hands of the six pairs of a model with twelve columns. The build
   leaves them in the page as they are at rest. */
(() => {
  "use strict";
  const figure = document.getElementById("dials");
  const plot = figure.querySelector(".plot");
  const draw = (within, kind, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return within.appendChild(node);
  };
  const colour = (value) => {
    const end = value < 0 ? "negative" : "positive";
    const share = Math.round(100 * Math.abs(value));
    return `color-mix(in srgb, var(--map-${end}) ${share}%, var(--map-zero))`;
  };
  const pairs = 6;
  const radius = 44;
  const cell = { y: 54, width: 44, height: 18 };
  plot.replaceChildren();
  const dials = Array.from({ length: pairs }, (_, i) => {
    const svg = draw(plot, "svg", { viewBox: "-52 -50 104 150" });
    draw(svg, "circle", { r: radius, class: "rim" });
    return {
      omega: 10000 ** ((-2 * i) / (2 * pairs)),
      hand: draw(svg, "line", { class: "hand" }),
      cells: [-44, 0].map((x) => draw(svg, "rect", { x, ...cell })),
      texts: [-22, 22].map((x) => draw(svg, "text", { x, y: 92 })),
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
    for (const { omega, hand, cells, texts } of dials) {
      const tip = [Math.sin(omega * position), Math.cos(omega * position)];
      hand.setAttribute("x2", (radius * tip[0]).toFixed(2));
      hand.setAttribute("y2", (-radius * tip[1]).toFixed(2));
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
