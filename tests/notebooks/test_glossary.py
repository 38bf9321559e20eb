"""A word of the glossary is linked in the first chapter that uses it."""

import re

import nbformat
import pytest
from test_chapters import ROOT

from posenc_book.chapters.chapter import chapters
from posenc_book.chapters.glossary import ENTRY

TERMS = [entry["term"] for entry in ENTRY.finditer((ROOT / "book/glossary.md").read_text("utf-8"))]
NAMES = re.compile(r"\{(?:chapters?|deck|cite:\w)\}`[^`]*`", re.IGNORECASE)  # of chapters, papers
# What is no running text: code, formulas, tables, fences, options, headings and HTML.
NO_PROSE = re.compile(r"(?s:```.*?```|\$\$.*?\$\$)|^ *(?:\||:|#|<|\().*$", re.M)
ROLES = re.compile(r"\{[^}]*\}`([^`<]*)(?:<[^>]*>)?`|\[([^\]]*)\]\([^)]*\)")
INLINE = re.compile(r"\$[^$]*\$|`[^`]*`")


def prose(page):
    cells = nbformat.read(ROOT / f"{page}.ipynb", as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def plain(text):
    """The running text of Markdown, with its links as words and an x for a formula or code."""
    return INLINE.sub("x", ROLES.sub(r"\1\2", NO_PROSE.sub("\n\n", text)))


PROSE = {one.name: NAMES.sub("", prose(one.page)) for one in chapters(ROOT).values()}
# Words that everyday prose has, too. Some chapter links to each, if not the first that uses it.
EVERYDAY = {"base", "cache", "distance", "loss", "pair", "position", "value", "view", "window"}


def test_terms_stand_in_order():
    assert sorted(TERMS, key=lambda term: re.sub(r"\W", "", term).casefold()) == TERMS


@pytest.mark.parametrize("term", TERMS)
def test_first_chapter_with_a_term_links_to_it(term):
    own = re.escape(term)
    word = re.compile(rf"\b{own}s?\b", re.IGNORECASE)
    link = re.compile(rf"\{{term\}}`(?:{own}|[^`]*<{own}>)`", re.IGNORECASE)
    linking = [name for name, text in PROSE.items() if link.search(text)]
    assert linking, f"no chapter links to {term}"
    for name, text in PROSE.items():
        if name == linking[0] or term in EVERYDAY:
            break
        assert not word.search(plain(text)), f"link to {term} in {name}"
