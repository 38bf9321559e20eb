"""What the letters of formulas mean: the rows of *Read the symbols*, for a script of pages."""

import json
from html import escape
from itertools import takewhile
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

PAGE = "book/notation.html"  # which a fork may leave out
FREE = "have no fixed meaning"
# Names that in code are also another thing: where a sequence starts, and Matplotlib's.
DOUBTFUL = {"offset", "axes"}


def write(app: Sphinx) -> None:
    """Write the rows before the script that shows them: a page on a disk can load no data."""
    page, script = Path(app.outdir) / PAGE, Path(app.outdir) / "_static/symbols-lit.js"
    rows = json.dumps(read(page.read_text("utf-8") if page.is_file() else ""), ensure_ascii=False)
    script.write_text(f"courseSymbols={rows};{script.read_text('utf-8')}", "utf-8")


def read(page: str) -> list[dict[str, Any]]:
    """The rows of a page: letters, their names to look for, what is said, and the only chapters.

    A name of one letter is none to look for: readers find it, and code uses it for other things.
    """
    found = []
    for row in BeautifulSoup(page, "html.parser").select("table.symbols tr:has(td)"):
        cells: Any = row.find_all("td", recursive=False)
        letters, code, meaning = cells
        if FREE in meaning.get_text():
            continue
        # "In chapter 11 and chapter 19: ..." begins the meaning of a letter that only they have.
        begins = takewhile(lambda part: part in ("in ", " and ") or part.name == "a", meaning.p)
        only = [str(part["href"]).rpartition("/")[2] for part in begins if isinstance(part, Tag)]
        codes = [one.get_text() for one in code.find_all("code")]
        names = [one.partition("(")[0] for one in codes]
        for link in row.select("a, p"):
            link.unwrap()
        written = letters.decode_contents()
        listed = ", ".join(f"<code>{escape(one)}</code>" for one in codes)
        shown = f"; in code {listed}" if codes else ""
        found.append(
            {
                "letters": written,
                "names": ["" if len(one) < 2 or one in DOUBTFUL else one for one in names],
                "says": f"<span>{written}: {meaning.decode_contents()}{shown}</span>",
                "only": only,
            }
        )
    return found
