"""Make one small stylesheet of ours, of KaTeX's and of Pygments'; the theme's are left out.

PurgeCSS keeps a rule if each name that it asks for, of an element, a class, an id or an
attribute, stands in a page or in a script that pages run, for scripts set states.
"""

import hashlib
import posixpath
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.application import Sphinx

from posenc_book.cache_keys import cached
from posenc_book.theme import assets, look

# In the order in which pages would load them.
SHEETS = (
    "pygments.css",
    "katex/katex.min.css",
    "katex-math.css",
    "course.css",
    "cells.css",
    "figures.css",
    "predictions.css",
    "sources.css",
    "cards.css",
)
NAME = "site.css"
# Of the theme and of extensions, whose looks course.css has in place of them.
REPLACED = (
    "basic.css",
    "styles/*.css",
    "mystnb.*.css",
    "copybutton.css",
    "exercise.css",
    "proof.css",
    "sphinx-design.min.css",
    "sphinx-thebe.css",
    "togglebutton.css",
)
# Attributes as scripts write them.
PROPERTY = re.compile(r"\b(dataset\.|(?=aria[A-Z]))(\w+)")
# What lies in these folders brings its own styles.
OTHERS = {"lite", "slides"}


def write(app: Sphinx) -> None:
    """Write the stylesheet for all pages, and its version into each of them."""
    site, root = Path(app.outdir), Path(app.srcdir)
    static = site / "_static"
    pages = [
        page
        for page in site.rglob("*.html")
        if OTHERS.isdisjoint(page.relative_to(site).parts) or page == site / "slides/index.html"
    ]
    texts = {page: page.read_text("utf-8") for page in pages}
    run = {
        (page.parent / name).resolve() for page, text in texts.items() for name in _scripts(text)
    }
    scripts = [
        file.read_text("utf-8") for file in {*run, *site.glob("live/*.*js")} if file.is_file()
    ]
    sheets = [sheet for names in SHEETS for sheet in sorted(static.glob(names))]
    whole = "\n".join(_moved(sheet, static) for sheet in sheets)
    names = names_in(texts.values(), scripts)
    style = cached(app, NAME, f"{names} {whole}", lambda: purge(root, whole, names))
    style += (static / look.STYLE).read_bytes()  # whole: scripts read these variables, too
    (static / NAME).write_bytes(style)
    version = hashlib.sha256(style).hexdigest()[:8]
    for page, text in texts.items():
        new = re.sub(rf"(?<=/{re.escape(NAME)}\?v=)\w+", version, text)
        if new != text:
            page.write_text(new, "utf-8")


def _scripts(page: str) -> list[str]:
    return re.findall(r'<script\b[^>]*\bsrc="([^"?]+)', page)


def _moved(sheet: Path, static: Path) -> str:
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


def names_in(pages: Iterable[str], scripts: Iterable[str]) -> list[str]:
    """The words in the tags of pages, and all words of scripts, which may set any of them."""
    tags = [tag for page in pages for tag in re.findall(r"<[a-zA-Z][^>]*>", page)]
    tags = [re.sub(r'(alt|aria-label|href)="[^"]*"', "", tag) for tag in tags]
    scripts = [PROPERTY.sub(_attribute, script) for script in scripts]
    return sorted({name for text in (*tags, *scripts) for name in re.findall(r"[\w-]+", text)})


def _attribute(match: re.Match[str]) -> str:
    """An attribute as stylesheets write it: data-drawn for dataset.drawn."""
    prefix, name = match.groups()
    kebab = re.sub("[A-Z]", lambda letter: f"-{letter[0].lower()}", name)
    return f" {'data-' if prefix == 'dataset.' else ''}{kebab} "


def purge(root: Path, style: str, names: list[str]) -> bytes:
    """Minify a stylesheet; leave out rules that ask for other names, and unused fonts."""
    program = assets.fetch(root) / "purgecss/bin/purgecss.js"
    with TemporaryDirectory() as folder:
        sheet, words = Path(folder) / "all.css", Path(folder) / "names.txt"
        sheet.write_text(style, "utf-8")
        words.write_text(" ".join(names), "utf-8")
        command: list[str | Path] = [
            assets.NODE,
            program,
            "--css",
            sheet,
            "--content",
            words,
            "--output",
            sheet,
        ]
        subprocess.run([*command, "--font-face", "--variables", "--keyframes"], check=True)
        assets.esbuild(root, sheet, sheet.with_suffix(".min.css"), "--external:*")
        return sheet.with_suffix(".min.css").read_bytes()
