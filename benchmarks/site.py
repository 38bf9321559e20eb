"""Measure what a page costs its reader and a build its author, as ratios in one run.

The baseline is a stock Jupyter Book with the same figures, built here as well, with Plotly's
`notebook` renderer. What either asks of other hosts is blocked and not counted.
"""

import functools
import gzip
import http.server
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from pathlib import Path

import nbformat
from playwright.sync_api import sync_playwright

from posenc_book.browser import launch

ROOT = Path(__file__).parents[1]
BOOK = shutil.which("jupyter-book", path=sysconfig.get_path("scripts"))
CHAPTERS = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix()
    for path in ROOT.glob("notebooks/*/[0-9]*.ipynb")
)
LEFT_OUT = (".git", ".venv", "_build", "node_modules", "*_cache", "__pycache__", ".hypothesis")

BASELINE = """
import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots
import posenc
column = np.arange(128)
angles = np.arange(64)[:, None] * posenc.frequencies(128)[column // 2]
---
fig = make_subplots(rows=1, cols=2, specs=[[{"type": "surface"}, {"type": "surface"}]])
fig.add_trace(go.Surface(z=np.sin(angles)), row=1, col=1)
fig.add_trace(go.Surface(z=np.cos(angles)), row=1, col=2)
fig
---
go.Figure(go.Surface(z=posenc.sinusoidal(64, 128)))
---
go.Figure(go.Heatmap(z=posenc.sinusoidal(50, 128)))
---
go.Figure([go.Scatter(y=posenc.sinusoidal([t], 128)[0]) for t in (0, 10, 25)])
"""


def build(folder, renderer):
    """Build the book in a folder and return the seconds that took."""
    start = time.perf_counter()
    environment = dict(os.environ, PLOTLY_RENDERER=renderer)
    done = subprocess.run(
        [BOOK, "build", folder], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return time.perf_counter() - start


def stock_book(folder):
    """Write the baseline: one notebook with the figures, and nothing configured."""
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_markdown_cell("# The same figures")]
    notebook.cells += [nbformat.v4.new_code_cell(cell) for cell in BASELINE.split("---")]
    nbformat.write(notebook, folder / "figures.ipynb")
    (folder / "_config.yml").write_text("title: Baseline\n")
    (folder / "_toc.yml").write_text("format: jb-book\nroot: figures\n")


def weigh(browser, url):
    """Return the gzipped bytes of all that a page transfers, at rest and scrolled to its end."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    home = "/".join(url.split("/", 3)[:3])
    tab.route("**/*", lambda r: r.continue_() if r.request.url.startswith(home) else r.abort())
    bodies = {}
    tab.on("response", lambda response: bodies.setdefault(response.url, response))

    def total():
        tab.wait_for_timeout(1500)
        return sum(len(gzip.compress(body.body(), 6)) for body in bodies.values() if body.ok)

    tab.goto(url)
    tab.wait_for_load_state("load")
    at_rest = total()
    for top in range(0, tab.evaluate("document.documentElement.scrollHeight"), 600):
        tab.evaluate("top => scrollTo(0, top)", top)
        tab.wait_for_timeout(60)
    tab.wait_for_timeout(3000)
    scrolled = total()
    tab.close()
    return at_rest, scrolled


def serve(site):
    """Serve a folder on a free port and return its address."""
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(quiet, directory=site)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def main():
    """Build both books, weigh their pages, time the builds and the notebooks' tests."""
    result = {}
    with tempfile.TemporaryDirectory() as place:
        stock, ours = Path(place, "stock"), Path(place, "ours")
        stock.mkdir()
        shutil.copytree(ROOT, ours, ignore=shutil.ignore_patterns(*LEFT_OUT))
        if (ROOT / "node_modules").is_dir():
            shutil.copytree(ROOT / "node_modules", ours / "node_modules")
        stock_book(stock)
        print("building the baseline ...", flush=True)
        build(stock, "notebook")
        print("building the course, cold ...", flush=True)
        cold = build(ours, "plotly_mimetype")
        print("building it after an edit to one notebook, and after none ...", flush=True)
        edited = ours / f"{CHAPTERS[0]}.ipynb"
        notebook = nbformat.read(edited, as_version=4)
        notebook.cells[-2].source += "\n\nOne sentence more."
        notebook.cells.append(nbformat.v4.new_code_cell("print('one cell more')"))
        nbformat.write(notebook, edited)
        warm, same = (build(ours, "plotly_mimetype") for _ in range(2))
        result["build, s"] = {"cold": cold, "one notebook edited": warm, "nothing changed": same}
        result["build after an edit / cold"] = warm / cold

        print("weighing pages ...", flush=True)
        with sync_playwright() as playwright:
            browser = launch(playwright.chromium)
            base = weigh(browser, serve(stock / "_build/html") + "figures.html")
            url = serve(ours / "_build/html")
            pages = ["book/welcome", *CHAPTERS]
            for name, weights in [("baseline", base)] + [
                (page, weigh(browser, f"{url}{page}.html")) for page in pages
            ]:
                result[f"{name}, KB gzip at rest / scrolled"] = [w / 1000 for w in weights]
                result[f"{name} / baseline, at rest / scrolled"] = [
                    mine / its for mine, its in zip(weights, base, strict=True)
                ]
            browser.close()

    print("running the notebooks' tests ...", flush=True)
    start = time.perf_counter()
    command = ["-m", "pytest", "-q", "-n", "2", *(f"{name}.ipynb" for name in CHAPTERS)]
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True, capture_output=True)
    result["notebooks under nbval on 2 workers, s"] = time.perf_counter() - start

    for name, value in result.items():
        print(f"{name:75}", json.dumps(value, default=float) if isinstance(value, dict) else value)
    target = ROOT / "_build/benchmarks/site.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
