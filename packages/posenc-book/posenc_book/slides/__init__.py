"""Slides: a deck for each numbered chapter, cut from the page while it is written.

A notebook's metadata says what is on a slide (see cut.py). Formulas, theorems, citations, pictures
and figures are those of the page, because the page's own writer renders the page's own doctree.
"""

import html
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from posenc_book.chapters.chapter import Chapter, chapters
from posenc_book.images import plotly_figure, touch
from posenc_book.slides import deck
from posenc_book.slides.cut import cut, minutes, plan
from posenc_book.theme import pages

FOLDER = "slides"
# The picture under a page's title (see images/cover.py), and its place on the first slide.
OPENING = re.compile(r'<figure class="frontispiece">\s*<div class="still"[^>]*>(.*?)</div>', re.S)
FRONT = re.compile(r'(<div class="front">).*?(</div>)', re.S)
INTRODUCTION = (
    "<h1>Slides</h1>\n<p>Each chapter as a deck, cut from its page: the question, the figure, what "
    "to try. Figures move as they do on the page. In a deck the arrow keys turn the slides, "
    "<kbd>S</kbd> opens a window with notes for the speaker, <kbd>D</kbd> changes between light "
    "and dark, and <kbd>?</kbd> lists all keys. For paper, open a deck with "
    "<code>?print-pdf</code> at the end of its address and print it.</p>\n"
)


def numbered(app: Sphinx) -> dict[str, Chapter]:
    """The numbered chapters, by page: each has a deck of its name."""
    return {one.page: one for one in chapters(Path(app.srcdir)).values() if one.number}


def write_deck(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Write the deck of a chapter."""
    chapter = numbered(app).get(pagename)
    if not doctree or not chapter:
        return
    notebook = Path(app.srcdir) / f"{pagename}.ipynb"
    target = Path(app.outdir) / FOLDER / f"{chapter.name}.html"
    slides = cut(app.builder, doctree, plan(notebook))
    above = f"{chapter.part} · Chapter {chapter.number}"
    text = deck.write(app, slides, name=pagename, above=above)
    target.parent.mkdir(parents=True, exist_ok=True)
    text = plotly_figure.extract_large(app, text)
    # A slide's pictures have to be loaded before it is shown.
    target.write_text(text.replace(' loading="lazy"', ""), "utf-8")


def list_decks(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the page that lists all decks, in the site's layout."""
    rows: dict[str, str] = {}
    for one in numbered(app).values():
        if not (Path(app.outdir) / FOLDER / f"{one.name}.html").is_file():
            continue
        plans = plan(Path(app.srcdir) / f"{one.page}.ipynb")
        title = html.escape(app.env.titles[one.page].astext())
        rows[one.part] = rows.get(one.part, "") + (
            f'<tr><td>{one.number}</td><td><a href="{one.name}.html">{title}</a></td>'
            f"<td>{len(plans)}</td><td>{minutes(plans):g}</td></tr>\n"
        )
    head = "<tr><th>Chapter</th><th>Question</th><th>Slides</th><th>Minutes</th></tr>"
    tables = "".join(
        f"<h2>{html.escape(part)}</h2>\n"
        f'<table class="table"><thead>{head}</thead>\n<tbody>{body}</tbody></table>\n'
        for part, body in rows.items()
    )
    if rows:
        body = f"<section>{INTRODUCTION}{tables}</section>"
        yield f"{FOLDER}/index", {"title": "Slides", "body": body}, "page.html"


def finish(app: Sphinx) -> None:
    """Copy what decks load, and remove decks that no chapter has any more."""
    folder = Path(app.outdir) / FOLDER
    kept = {"index"} | {one.name for one in numbered(app).values()}
    for file in folder.glob("*.html"):
        if file.stem not in kept:
            file.unlink()
    if any(folder.glob("*.html")):
        for name in ("deck.css", "deck.js"):
            shutil.copy(Path(__file__).parent / name, folder / name)


def open_with_pictures(app: Sphinx) -> None:
    """Show the picture under a chapter's title on its first slide, too."""
    site = Path(app.outdir)
    for page, one in numbered(app).items():
        file = site / FOLDER / f"{one.name}.html"
        if not file.is_file():
            continue
        chapter = (site / f"{page}.html").read_text("utf-8")
        picture = touch.opening(page, chapter, "../")  # at rest: it can be moved on its own slide
        if not picture and (opening := OPENING.search(chapter)):
            images = "".join(re.findall(r"<img [^>]*>", opening[1]))
            picture = pages.relinked(images.replace(' loading="lazy"', ""), page, FOLDER)
        text = file.read_text("utf-8")
        before, begins, ends, after = FRONT.split(text, maxsplit=1)
        new = f"{before}{begins}{picture}{ends}{after}"
        if new != text:
            file.write_text(new, "utf-8")
