/* JupyterLab follows the system's colours; where the course's reader has chosen others (see
   page.js), it is told that the system has those. */
(() => {
  const mode = localStorage.getItem("mode");
  if (mode !== "light" && mode !== "dark") return;
  const ask = window.matchMedia.bind(window);
  window.matchMedia = (query) =>
    ask(/prefers-color-scheme/.test(query) ? (query.includes(mode) ? "all" : "not all") : query);
})();
