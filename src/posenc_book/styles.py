"""Make one small stylesheet of the dozen that the theme and the extensions bring.

The theme alone has rules for every part that Bootstrap knows: 400 KB, of which the book uses a
tenth. A rule stays if each name it asks for, of an element, a class, an id or an attribute, stands
in a page or in a script that pages run, for scripts set states; so does a variable that is used.
"""

import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import tinycss2
from sphinx.application import Sphinx

from posenc_book.freshness import cached

# In the order in which pages would load them.
SHEETS = (
    "basic.css",
    "styles/theme.css",
    "styles/pydata-sphinx-theme.css",
    "pygments.css",
    "styles/sphinx-book-theme.css",
    "mystnb.*.css",
    "copybutton.css",
    "exercise.css",
    "proof.css",
    "sphinx-design.min.css",
    "katex/katex.min.css",
    "katex-math.css",
    "look.css",
    "course.css",
)
NAME = "site.css"
# What page.js and solutions.py do without.
REPLACED = ("togglebutton.css", "sphinx-thebe.css")
# What lies in these folders brings its own styles.
OTHERS = {"lite", "slides"}


def write(app: Sphinx) -> None:
    """Write the stylesheet for all pages, and say in each which one it is."""
    site = Path(app.outdir)
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
    others = [file.read_text("utf-8") for file in site.glob("live/*.css")]
    sheets = [sheet for names in SHEETS for sheet in sorted(static.glob(names))]
    whole = "\n".join(_moved(sheet, static) for sheet in sheets)
    known = names_in_pages(texts.values()) | names_in_scripts(scripts)
    read = variables("\n".join([*scripts, *others, *texts.values()]))
    style = cached(
        app,
        NAME,
        f"{sorted(known)} {sorted(read)} {whole}",
        lambda: purge(whole, known=known, read=read).encode(),
    )
    (static / NAME).write_bytes(style)
    version = hashlib.sha256(style).hexdigest()[:8]
    for page, text in texts.items():
        new = re.sub(rf"(?<=/{re.escape(NAME)}\?v=)\w+", version, text)
        if new != text:
            page.write_text(new, "utf-8")


def _scripts(page: str) -> list[str]:
    return re.findall(r'<script\b[^>]*\bsrc="([^"?]+)', page)


def _moved(sheet: Path, static: Path) -> str:
    """Return the text of a stylesheet, with addresses as they are seen from its new place."""
    text = re.sub(r"@import[^;]+;", "", sheet.read_text("utf-8"))
    text = re.sub(r",\s*url\([^)]*\.(woff|ttf)\b[^)]*\)\s*format\([^)]*\)", "", text)  # not served
    folder = sheet.parent.relative_to(static)

    def move(match: re.Match[str]) -> str:
        address = match[1].strip("\"'")
        if address.startswith(("data:", "#")):
            return match[0]
        return f"url({posixpath.normpath((folder / address).as_posix())})"

    return re.sub(r"url\(((?:\"[^\"]*\"|'[^']*'|[^)'\"]*))\)", move, text)


def names_in_pages(texts: Iterable[str]) -> set[str]:
    """Return the names of elements, classes, ids and attributes of pages."""
    names: set[str] = set()
    for text in texts:
        for tag in re.findall(r"<[a-zA-Z][^>]*>", text):
            names.update(re.findall(r"[\w-]+", re.sub(r'(alt|aria-label|href)="[^"]*"', "", tag)))
    return names


def names_in_scripts(texts: Iterable[str]) -> set[str]:
    """Return all words of scripts: any may be a name that a script sets."""
    return {name for text in texts for name in re.findall(r"[\w-]+", text)}


def variables(text: str) -> set[str]:
    """Return the names of variables of styles that stand in a text."""
    return set(re.findall(r"--[\w-]+", text))


def purge(style: str, *, known: set[str], read: set[str]) -> str:
    """Return a style without rules for unknown names, and without variables that nobody reads."""
    while True:
        used = read | set(re.findall(r"var\(\s*(--[\w-]+)", style))
        rules = tinycss2.parse_stylesheet(style, skip_comments=True, skip_whitespace=True)
        slim = "\n".join(text for rule in rules if (text := _rule(rule, known, used)))
        if slim == style:
            return _without_unused_faces(slim)
        style = slim


def _rule(rule: Any, known: set[str], used: set[str]) -> str:
    """Return a rule's text with the selectors that can match, or nothing."""
    if rule.type == "qualified-rule":
        selectors = [part for part in _parts(rule.prelude) if _can_match(part, known)]
        prelude = ",".join(_tight(tinycss2.serialize(part)) for part in selectors)
        body = ";".join(_declarations(rule.content, used))
        return f"{prelude}{{{body}}}" if prelude and body else ""
    if rule.type != "at-rule" or rule.content is None:
        return ""
    head = f"@{rule.lower_at_keyword} {_tight(tinycss2.serialize(rule.prelude))}".strip()
    if rule.lower_at_keyword not in ("media", "supports", "container", "layer"):
        return f"{head}{{{_tight(tinycss2.serialize(rule.content))}}}"
    inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
    text = "".join(_rule(one, known, used) for one in inner)
    return f"{head}{{{text}}}" if text else ""


def _declarations(content: list[Any], used: set[str]) -> Iterator[str]:
    for one in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if one.type == "declaration" and (one.name in used or not one.name.startswith("--")):
            value = _tight(tinycss2.serialize(one.value))
            yield f"{one.name}:{value}{'!important' if one.important else ''}"


def _parts(prelude: list[Any]) -> Iterator[list[Any]]:
    for comma, tokens in groupby(prelude, lambda token: token == ","):
        if not comma:
            yield list(tokens)


def _can_match(selector: list[Any], known: set[str]) -> bool:
    before = ""
    for token in selector:
        if token.type == "ident" and before != ":" and token.value not in known:
            return False
        if token.type == "hash" and token.value not in known:
            return False
        if token.type == "[] block":
            name = next((one.value for one in token.content if one.type == "ident"), "")
            if name not in known:
                return False
        before = token.value if token.type == "literal" else ""
    return True


def _tight(text: str) -> str:
    """Return a text of CSS with no more blanks than it needs, but those in quotes."""
    pieces = re.split(r"(\"[^\"]*\"|'[^']*')", re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    return "".join(
        piece if at % 2 else re.sub(r"\s+", " ", piece) for at, piece in enumerate(pieces)
    ).strip()


def _without_unused_faces(text: str) -> str:
    """Leave out fonts that no rule names."""
    faces = re.compile(r"@font-face\{[^{}]*font-family:\s*([^;]+);?[^{}]*\}")
    rest = faces.sub("", text)

    def used(match: re.Match[str]) -> str:
        return match[0] if match[1].strip("\"' ") in rest else ""

    return faces.sub(used, text)
