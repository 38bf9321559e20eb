"""Make one small stylesheet of ours, of KaTeX's and of Pygments'; extensions' own are left out.

Of KaTeX's rules, which are for all that formulas may have, pages get those for what theirs have.
"""

import posixpath
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from pygments.formatters import HtmlFormatter
from sphinx.application import Sphinx

from posenc_book import assets
from posenc_book.cache_keys import cached
from posenc_book.images import look
from posenc_book.images.render import KATEX, SHEETS

NAME = "site.css"
CLASSES = re.compile(r'class="([^"]*)"')
CLASS = re.compile(r"\.([a-z][\w-]*)", re.I)
RULE = re.compile(r"(?<=})([^{}@]+)({[^{}]*})")


def write(app: Sphinx) -> None:
    """Write the stylesheet for all pages."""
    static = Path(app.outdir) / "_static"
    (static / "pygments.css").write_text(highlighting(), "utf-8")
    sheets = {name: _rebase_urls(static / name, static) for name in (*SHEETS, look.STYLE)}
    pages = (page.read_text("utf-8") for page in Path(app.outdir).rglob("*.html"))
    shown = set(" ".join(names for page in pages for names in {*CLASSES.findall(page)}).split())
    whole = "\n".join((sheets | {KATEX: needed(sheets[KATEX], shown)}).values())
    style = cached(app, NAME, whole, lambda: minify(Path(app.srcdir), whole))
    (static / NAME).write_bytes(style)


def needed(sheet: str, shown: set[str]) -> str:
    """The rules of a stylesheet for these classes, without those for others."""

    def cut(rule: re.Match[str]) -> str:
        kept = [one for one in rule[1].split(",") if {*CLASS.findall(one)} <= shown]
        return f"{','.join(kept)}{rule[2]}" if kept else ""

    return RULE.sub(cut, sheet)


def highlighting() -> str:
    """The colours of code, in both themes."""
    return "\n".join(
        HtmlFormatter(style=f"a11y-high-contrast-{theme}").get_style_defs(
            f'html[data-theme="{theme}"] .highlight'
        )
        for theme in ("light", "dark")
    )


def _rebase_urls(sheet: Path, static: Path) -> str:
    """The text of a stylesheet, its addresses relative to the new place."""
    text = re.sub(r"@import[^;]+;", "", sheet.read_text("utf-8"))
    text = re.sub(r",\s*url\([^)]*\.(woff|ttf)\b[^)]*\)\s*format\([^)]*\)", "", text)  # not served
    folder = sheet.parent.relative_to(static)

    def move(match: re.Match[str]) -> str:
        address = match[1].strip("\"'")
        if address.startswith(("data:", "#")):
            return match[0]
        return f"url({posixpath.normpath((folder / address).as_posix())})"

    return re.sub(r"url\(((?:\"[^\"]*\"|'[^']*'|[^)'\"]*))\)", move, text)


def minify(root: Path, style: str) -> bytes:
    """A stylesheet without what browsers don't need."""
    with TemporaryDirectory() as folder:
        sheet = Path(folder) / "all.css"
        sheet.write_text(style, "utf-8")
        assets.esbuild(root, sheet, sheet.with_suffix(".min.css"), "--external:*")
        return sheet.with_suffix(".min.css").read_bytes()
