"""Print the book: `python -m posenc_book.paper` writes _build/html/posenc-course.pdf."""

import argparse
import io
import json
import re
import sys
from pathlib import Path

from playwright.sync_api import Error

from posenc_book.images.browser import opened
from posenc_book.paper import MANIFEST, download
from posenc_book.paper.pdf_metadata import finish, page_numbers
from posenc_book.paper.printer import HERE, PaperError, Printer
from posenc_book.paper.single_page import Document, Joiner


def main(arguments: list[str]) -> int:
    """Print the book and link to it from the site; return 1 if that fails."""
    parser = argparse.ArgumentParser(prog="python -m posenc_book.paper", description=__doc__)
    parser.add_argument("site", nargs="?", type=Path, default=Path("_build/html"))
    site = parser.parse_args(arguments).site
    try:
        print(f"The book is printed: {make(site)}.")
    except PaperError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        print(f"The book can't be printed: {error.strerror or error}{where}.", file=sys.stderr)
        return 1
    return 0


def make(site: Path) -> str:
    """Print the book of a built site into its folder; return the PDF's path and size."""
    try:
        manifest = dict(json.loads((site.parent / MANIFEST).read_text("utf-8")))
    except (OSError, ValueError):
        raise PaperError(f"There is no site in {site} to print: run `make book` first.") from None
    document = Joiner(site, manifest).document((HERE / "book.html").read_text("utf-8"))
    try:
        with opened() as browser:
            printer = Printer(browser, site)
            printer.draw(document.figures, lambda words: print(words, flush=True))
            pdf = _print(printer, document)
    except RuntimeError as error:  # there is no browser
        raise PaperError(str(error)) from None
    except Error as error:
        why = error.message.strip().partition("\n")[0]
        raise PaperError(f"The browser failed while printing the book: {why}.") from None
    bound = finish(pdf, manifest)
    target = site / download.PDF
    fresh = target.with_name(f".{target.name}.new")
    try:
        fresh.write_bytes(bound)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
    download.update(site, manifest["made_of"])
    return f"{target} ({len(bound) / 1e6:.1f} MB)"


def _print(printer: Printer, document: Document) -> bytes:
    """Print twice: the first time finds the pages on which chapters begin."""
    first, missing = printer.print(document.text)
    if missing:
        raise PaperError(f"The book needs {missing[0]}, which the site does not have.")
    for words in printer.too_wide:
        print(f"This is wider than the page, and is cut off: {words!r}.", file=sys.stderr)
    pages = page_numbers(io.BytesIO(first), document.anchors)

    def number(match: re.Match[str]) -> str:
        return f"{match[1]}{pages.get(match[2], '')}"

    text = re.sub(r'(<span class="page" data-of="([^"]+)">)', number, document.text)
    return printer.print(text)[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
