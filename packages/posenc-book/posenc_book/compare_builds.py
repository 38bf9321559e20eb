"""Compare what readers get from two builds: `python -m posenc_book.compare_builds OLD NEW`.

OLD and NEW are `_build` folders. Compared are the text, links, ids and pictures of each page and
each deck, the cells of the learner's edition, and the text of the PDF; looks are not. It prints a
diff for each page that differs, and exits with 1 if one does.
"""

import argparse
import difflib
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bs4 import BeautifulSoup
from pypdf import PdfReader

# Tags that begin a new line of text; other tags are within one.
BLOCKS = (
    *("p", "h1", "h2", "h3", "h4", "li", "dt", "dd", "tr", "td", "th", "pre", "figcaption"),
    *("div", "section", "nav", "header", "footer", "aside", "button", "summary", "option"),
)
# JupyterLab's own pages, and the runtime of live cells.
OTHERS = ("lite/", "live/")


def describe(file: Path) -> list[str]:
    """The lines that stand for a page, a notebook or a PDF, without its looks."""
    match file.suffix:
        case ".html":
            return _page(file.read_text("utf-8"))
        case ".ipynb":
            cells = json.loads(file.read_text("utf-8"))["cells"]
            return "\n".join(f"[{c['cell_type']}] {''.join(c['source'])}" for c in cells).split(
                "\n"
            )
        case _:
            pages = PdfReader(file).pages
            return "\n".join(page.extract_text() for page in pages).split("\n")


def _page(text: str) -> list[str]:
    soup = BeautifulSoup(text, "html.parser")
    lines = [f"id {tag['id']}" for tag in soup.select("[id]")]
    for link in soup.select("a[href]"):
        lines.append(f"link {link['href']} {' '.join(link.get_text().split())}")
    for image in soup.select("img"):
        named = {key: image.get(key) for key in ("alt", "width", "height")}
        lines.append(f"picture {json.dumps(named, ensure_ascii=False)}")
    lines += [f"figure {tag['data-bundle']}" for tag in soup.select("[data-bundle]")]
    for tag in soup.select("script, style, svg, annotation"):
        tag.decompose()
    for tag in soup.select(",".join(BLOCKS)):
        tag.insert(0, "\n")
        tag.append("\n")
    words = (" ".join(line.split()) for line in soup.get_text().split("\n"))
    return [*sorted(set(lines)), *filter(None, words)]


def names(build: Path) -> set[str]:
    """The pages, decks, notebooks of the edition and PDF of a build, by path."""
    found = {path.relative_to(build).as_posix() for path in build.glob("html/**/*.html")}
    found |= {path.relative_to(build).as_posix() for path in build.glob("learn/**/*.ipynb")}
    found |= {path.relative_to(build).as_posix() for path in build.glob("html/*.pdf")}
    return {name for name in found if not name.removeprefix("html/").startswith(OTHERS)}


def compare(task: tuple[Path, Path, str]) -> list[str]:
    """The diff of one file of two builds; empty if readers get the same."""
    old, new, name = task
    for folder in (old, new):
        if not (folder / name).is_file():
            return [f"{name} is not in {folder}"]
    before, after = describe(old / name), describe(new / name)
    return list(difflib.unified_diff(before, after, f"old/{name}", f"new/{name}", "", "", 0, ""))


def differences(old: Path, new: Path) -> Iterator[list[str]]:
    """Yield the diff of each file that differs."""
    tasks = [(old, new, name) for name in sorted(names(old) | names(new))]
    with ProcessPoolExecutor() as pool:
        yield from filter(None, pool.map(compare, tasks))


def main(arguments: list[str] | None = None) -> int:
    """Print the differences between two builds; return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m posenc_book.compare_builds")
    parser.add_argument("old", type=Path, help="the `_build` folder of the build before")
    parser.add_argument("new", type=Path, help="the `_build` folder of the build after")
    options = parser.parse_args(arguments)
    for folder in (options.old, options.new):
        if not (folder / "html/index.html").is_file():
            parser.error(f"{folder} holds no site: run `make book` there first")
    found = list(differences(options.old, options.new))
    print(*("\n".join(diff) for diff in found), sep="\n\n")
    count = len(names(options.old) | names(options.new))
    print(f"{len(found)} of {count} pages, notebooks and documents differ", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
