"""What the site's search looks through: the sections of all pages, as a script.

A page that was opened from a disk may load a script, but not fetch a file. search.js makes an
index of it, once a reader searches.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

from posenc_book.cache_keys import cached

NAME = "_static/sections.js"
# What stands on a page more than once, or is no text.
UNREAD = (
    ".noprint:not(:has(.census)), .place, .opening :is(summary, .takes), .headerlink, "
    ".section-number, .visually-hidden, .katex-html, annotation, noscript, script, style, svg, "
    "nav, button, datalist, .plot, .controls, .further > summary em, .toctree-wrapper, "
    "table.bars, #by-source, .admonition-title:not(.exercise > *, .proof > *)"
)
TYPED = {"mfrac": "{}/{}", "msqrt": "√{}", "msup": "{}^{}"}
TYPED |= dict.fromkeys(("msub", "munder"), "{}_{}")
TYPED |= dict.fromkeys(("msubsup", "munderover"), "{}_{}^{}")
HEADINGS = "h1, h2, h3, h4"
# Parts of sections that are found by themselves: what each is, where its name stands, and what
# belongs to it besides.
PARTS = {
    "p[id^=ask-]": ("question", "strong", ""),
    ".exercise[id]": ("chapter", ".admonition-title", ""),
    "dl.glossary > dt[id]": ("term", "", "dd"),
    "dt.sig[id]": ("page", ".sig-name", "dd"),
    "p[id^=mistake-]": ("mistake", "strong", "p"),
    "table.census tr[id]": ("model", "th", ""),
    "#by-symptom tr:has(td)": ("mistake", "td", ""),
}
WORD = re.compile(r"[^\W\d]\w+")
KINDS = {"notebooks/clinic/": "mistake", "notebooks/": "chapter", "book/mistakes": "mistake"}
OF_SPHINX = (
    "searchtools",
    "language_data",
    "doctools",
    "documentation_options",
    "sphinx_highlight",
)
LISTS = "book/questions"  # what it lists is found where it stands
COMMON = 10  # sections whose code has a word, from which on it says nothing of any

IN_FULL = re.compile(r"([A-Z][\w -]+): ")  # what an entry begins with if its term is short for it

Section = tuple[str, str, str, str, str]  # kind, anchor, heading, text, code


def add_page(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the search page, which Sphinx writes only with an index of its own."""
    yield "search", {}, "search.html"


def leave_out_sphinxs(app: Sphinx) -> None:
    """Let Sphinx make no index of words."""
    app.builder.search = False  # type: ignore[attr-defined]


def write(app: Sphinx) -> None:
    """Write the sections of all pages, and remove the scripts of Sphinx's search."""
    site, found = Path(app.outdir), {}
    for page in sorted(app.env.found_docs - {LISTS}):
        text = (site / f"{page}.html").read_text("utf-8")
        read = partial(_read, page, text)
        found[page] = json.loads(cached(app, f"search/{page}.json", text, read))
    data = json.dumps(without_common(found), ensure_ascii=False, separators=(",", ":"))
    (site / NAME).write_text(f"courseSections={data}", "utf-8")
    for name in OF_SPHINX:
        (site / f"_static/{name}.js").unlink(missing_ok=True)
    (site / "searchindex.js").unlink(missing_ok=True)  # of a build before there was this search


def without_common(found: dict[str, list[Section]]) -> dict[str, list[Section]]:
    """The sections of all pages, without the words that the code of many has."""
    codes = [part[-1].split() for parts in found.values() for part in parts]
    many = Counter(word for code in codes for word in code)
    rare = iter(" ".join(word for word in code if many[word] <= COMMON) for code in codes)
    return {page: [(*part[:-1], next(rare)) for part in parts] for page, parts in found.items()}


def _read(page: str, text: str) -> bytes:
    return json.dumps(list(sections(page, text))).encode()


def sections(page: str, text: str) -> Iterator[Section]:
    """What can be found on a page: what has a name of its own, and then the sections, in order."""
    article = BeautifulSoup(text, "html.parser").article
    if not article:
        return
    for node in article.select(UNREAD):
        node.decompose()
    for formula in article.select("math"):
        formula.replace_with(typed(formula))
    for selector, how in PARTS.items():
        for part in article.select(selector):
            yield _part(part, *how)
    kind = next((kind for begin, kind in KINDS.items() if page.startswith(begin)), "page")
    found = []
    # The last first, so that what is left of a section is its own.
    for section in reversed(article.select(f"section[id]:has({HEADINGS})")):
        anchor = str(section["id"]) if section.find_parent("section") else ""
        heading = line(section.select(HEADINGS)[0].extract())
        found.append((kind, anchor, heading, *parted([section.extract()])))
    yield from reversed(found)


def _part(part: Tag, kind: str, inner: str, follows: str) -> Section:
    anchor = part.get("id") or part.find_parent("section", id=True)["id"]  # type: ignore[index]
    more = part.find_next_sibling(follows) if follows else None
    heading = line(part.select(inner)[0].extract()) if inner else line(part)
    nodes = [node.extract() for node in (part, more) if node]
    text, code = parted(nodes if inner else nodes[1:])
    short = kind == "term" and re.search("[A-Z].*[A-Z]", heading)
    if short and (full := IN_FULL.match(text)):
        heading, text = f"{heading}: {full[1]}", text[full.end() :]
    return kind, str(anchor), heading, text, code


def parted(nodes: list[Tag]) -> tuple[str, str]:
    """The text of nodes, and the words of their code and solutions."""
    apart = [block.extract() for node in nodes for block in node.select("pre, .solution")]
    words = dict.fromkeys(WORD.findall(" ".join(map(line, apart))))
    return " ".join(map(line, nodes)), " ".join(words)


def line(node: Tag) -> str:
    """The text of a node on one line."""
    for block in node.select("dt, dd, li, p, pre, td, th, h1, h2, h3, h4, div.math"):
        block.append(" ")
    return " ".join(node.get_text().split())


def typed(node: Tag) -> str:
    """A formula in one line, as one would type it."""
    said = [typed(part) for part in node.find_all(True, recursive=False)]
    if node.name in TYPED:
        return TYPED[node.name].format(*map(whole, said)).replace("^′", "′")
    apart = re.sub(r"(?<=[_^]\w)\n(?=\w)", " ", "\n".join(said)).replace("\n", "")
    return apart or node.get_text().replace("\u2061", " ")


def whole(text: str) -> str:
    """A part of a formula, in parentheses if it has several."""
    return text if re.fullmatch(r"\([^()]*\)|[\w.√′]*|\W", text) else f"({text})"
