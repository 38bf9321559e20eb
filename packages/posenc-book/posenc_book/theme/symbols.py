"""What the letters of formulas mean: the rows of *Read the symbols*, for a script of pages."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

PAGE = "book/notation.html"  # which a fork may leave out
TABLE = re.compile(r'<table class="symbols.*?</table>', re.S)
ROW = re.compile(r"<tr[^>]*><td>(.*?)</td>\s*<td>(.*?)</td>\s*<td>(.*?)</td>\s*</tr>", re.S)
FREE = "have no fixed meaning"
CODE = re.compile(r"<code[^>]*>(.*?)</code>", re.S)
LINK = re.compile(r"</?(?:a|p)\b[^>]*>")
WHERE = re.compile(r"<p>in (?:<a[^>]*>.*?</a>(?: and )?)+: ", re.S)
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
    table = TABLE.search(page)
    found = []
    for letters, code, meaning in ROW.findall(table[0] if table else ""):
        if FREE in meaning:
            continue
        codes = [re.sub(r"<[^>]*>", "", one) for one in CODE.findall(code)]
        names = [unescape(one).partition("(")[0] for one in codes]
        where = WHERE.match(meaning)
        written = LINK.sub("", letters)
        shown = f"; in code <code>{'</code>, <code>'.join(codes)}</code>" if codes else ""
        found.append(
            {
                "letters": written,
                "names": ["" if len(one) < 2 or one in DOUBTFUL else one for one in names],
                "says": f"<span>{written}: {LINK.sub('', meaning)}{shown}</span>",
                "only": re.findall(r'href="[^"]*?([\w-]+\.html)', where[0]) if where else [],
            }
        )
    return found
