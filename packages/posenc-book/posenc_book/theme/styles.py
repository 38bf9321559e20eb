"""Make one small stylesheet of ours, of KaTeX's and of Pygments'; extensions' own are left out."""

import posixpath
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from pygments.formatters import HtmlFormatter
from sphinx.application import Sphinx

from posenc_book import assets
from posenc_book.cache_keys import cached
from posenc_book.images import look
from posenc_book.images.render import SHEETS

NAME = "site.css"


def write(app: Sphinx) -> None:
    """Write the stylesheet for all pages."""
    static = Path(app.outdir) / "_static"
    (static / "pygments.css").write_text(highlighting(), "utf-8")
    whole = "\n".join(_rebase_urls(static / name, static) for name in (*SHEETS, look.STYLE))
    style = cached(app, NAME, whole, lambda: minify(Path(app.srcdir), whole))
    (static / NAME).write_bytes(style)


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
