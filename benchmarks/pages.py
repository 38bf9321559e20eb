"""Measure what each page costs a reader on a phone, beside a stock Jupyter Book of the same pages.

Both books are built here and served compressed; Lighthouse visits each page of both, with its
mobile settings. It gives the scores, and the bytes that a page transfers until it is at rest.
What either book asks of other hosts is out of reach, and not counted.

    python benchmarks/pages.py                  # builds both: half an hour
    python benchmarks/pages.py OURS [STOCK]     # takes sites that are built
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import yaml
from books import ROOT, build, copy_book, serve

from posenc_book.images.browser import FLAGS, NAMES
from posenc_book.theme.assets import NODE, fetch

RESULTS = ROOT / "_build/benchmarks"
KINDS = {
    "Document": "html",
    "Stylesheet": "css",
    "Script": "js",
    "Font": "fonts",
    "Image": "images",
    "Fetch": "json",
    "XHR": "json",
}


def course_pages():
    """Return the pages that the table of contents names, and those that Sphinx adds."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [toc["root"], *files, "search", "genindex", "prf-prf"]


def stock_book(folder):
    """Copy the course's pages with what a Jupyter Book comes with, and nothing of our own."""
    for name in ("book", "notebooks"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("_*"))
    shutil.copy(ROOT / "_toc.yml", folder)
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    del config["html"]["favicon"], config["execute"]["stderr_output"]
    sphinx = config["sphinx"]
    ours = ("posenc_book", "sphinxcontrib.katex")
    sphinx["extra_extensions"] = [name for name in sphinx["extra_extensions"] if name not in ours]
    for name in ("html_static_path", "templates_path", "html_math_renderer", "nitpicky"):
        del sphinx["config"][name]
    (folder / "_config.yml").write_text(yaml.safe_dump(config))


def lighthouse():
    """Return the command that runs Lighthouse, which is fetched into a folder of its own."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "benchmarks" / name, RESULTS)
    return [str(NODE), str(fetch(RESULTS) / "lighthouse/cli/index.js")]


def visit(command, url):
    """Return the scores of a page and the bytes it transfers, by kind."""
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        sys.exit("No browser was found: install Chromium or Chrome, then try again.")
    alone = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    flags = " ".join(["--headless=new", *FLAGS, f"'{alone}'"])
    done = subprocess.run(
        [*command, url, "--output=json", "--quiet", f"--chrome-flags={flags}",
         "--only-categories=performance,accessibility"],
        env=os.environ | {"CHROME_PATH": browser}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"Lighthouse could not read {url}: {done.stderr[-2000:]}")
    report = json.loads(done.stdout)
    sizes = Counter()
    for request in report["audits"]["network-requests"]["details"]["items"]:
        kind = KINDS.get(request.get("resourceType"), "other")
        sizes[kind] += request.get("transferSize", 0)
    timings = {
        name: round(report["audits"][name]["numericValue"], 3)
        for name in ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time",
                     "cumulative-layout-shift")
    }  # fmt: skip
    faults = [
        audit["id"] for audit in report["audits"].values()
        if audit["scoreDisplayMode"] == "binary" and audit["score"] == 0
    ]  # fmt: skip
    return {
        **{name: round(100 * (of["score"] or 0)) for name, of in report["categories"].items()},
        "bytes": {"all": sum(sizes.values()), **sizes},
        **timings,
        "faults": faults,
    }


def main(arguments):
    """Build what is not built, visit every page of both books, and store what was seen."""
    sites = [Path(argument) for argument in arguments]
    only = os.environ.get("PAGES", "").split()
    pages = [page for page in course_pages() if not only or any(word in page for word in only)]
    command = lighthouse()
    result = {}
    with tempfile.TemporaryDirectory() as place:
        if not sites:
            ours = copy_book(Path(place, "ours"))
            print("building the course ...", flush=True)
            build(ours)
            sites.append(ours / "_build/html")
        if len(sites) == 1 and not arguments:
            stock = Path(place, "stock")
            stock.mkdir()
            stock_book(stock)
            print("building the stock book ...", flush=True)
            build(stock, PLOTLY_RENDERER="notebook")
            sites.append(stock / "_build/html")
        urls = [serve(site) for site in sites]
        print(f"{'page':50} performance accessibility  KB      of stock")
        for page in pages:
            seen = [visit(command, f"{url}{page}.html") for url in urls]
            row = dict(zip(("ours", "stock"), seen, strict=False))
            if len(seen) > 1:
                row["bytes / stock"] = seen[0]["bytes"]["all"] / seen[1]["bytes"]["all"]
            result[page] = row
            scores = "  ".join(f"{one['performance']:3}/{one['accessibility']:3}" for one in seen)
            weights = "  ".join(f"{one['bytes']['all'] / 1000:6.0f}" for one in seen)
            share = f"{row.get('bytes / stock', 0):.3f}"
            print(f"{page:50} {scores}   {weights}   {share}", flush=True)
    for measure in ("performance", "accessibility"):
        worst = min(row["ours"][measure] for row in result.values())
        middle = statistics.median(row["ours"][measure] for row in result.values())
        print(f"{measure}: {worst} at worst, {middle} in the middle")
    (RESULTS / "pages.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
