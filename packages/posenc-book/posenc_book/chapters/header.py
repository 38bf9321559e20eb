"""Lay out how a chapter opens (its place, what it gives and takes), and where its path leads."""

import posixpath
import re
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

from posenc_book import words
from posenc_book.chapters import census
from posenc_book.chapters.chapter import Chapter, chapters, core_path

LAB = "lite/lab/index.html"  # JupyterLab in the browser
IN_LAB = "Open in JupyterLab (in your browser)"
LAB_LINK = f'<p class="open-in-lab noprint"><a href="{{}}">{IN_LAB}</a></p>'
DECK_LINK = '<p class="as-slides noprint"><a href="{}">Slides</a></p>'

# Where the core path ends, three ways to go on, and who would take each.
DOORS = (
    ("notebooks/understand/encoding-class", "Write the encoding as code that others can use."),
    ("notebooks/beyond/ntk-and-yarn", "Make a trained model read longer texts."),
    ("notebooks/clinic/wrong-tables", "Find mistakes that go unnoticed."),
)


# A method's chapter: where its mistakes are, and the words that find its models in the census.
METHODS = {
    "sinusoidal-table": ("notebooks/clinic/wrong-tables", "sinusoidal"),
    "rope": ("notebooks/clinic/wrong-rope", "RoPE"),
    "longer-texts": ("case-rope-extrapolates", ""),
    "learned-positions": ("case-zeroed-first-row", "learned"),
    "relative-positions": ("", "T5 buckets"),
    "alibi": ("", "ALiBi"),
    "ntk-and-yarn": ("case-missing-temperature", "yarn"),
    "images-points-times": ("case-other-recipe", ""),
    "rope-base": ("case-checkpoint-base", "RoPE"),
    "nope-layers": ("case-rotated-nope", "without positions"),
    "m-rope": ("case-mrope-sections", "axes"),
    "attention-sinks": ("case-dropped-rows", "sinks"),
    "rope-in-fifteen-minutes": ("notebooks/clinic/wrong-rope", "RoPE"),
}

WILL, NEED = re.compile(words.any_of("will")), re.compile(words.any_of("need"))


class OnPage(nodes.General, nodes.Element):  # type: ignore[misc]
    """What is added to a page alone, and to no slide: markup around its children."""


class Opening(nodes.General, nodes.Element):  # type: ignore[misc]
    """The lines that a chapter's first cell ends with: what one will do, and what it needs."""


def arrange(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Say where a chapter stands, link it to its deck and to JupyterLab, and find its opening.

    What stands above "You will" is the lead, which answers the title or asks on: no slide has it.
    """
    known, path = chapters(Path(app.srcdir)), core_path(Path(app.srcdir))
    one = next((chapter for chapter in known.values() if chapter.page == page), None)
    title = doctree.next_node(nodes.title)
    if one is None or title is None:
        return
    section = title.parent
    links = _links(app, one)
    first = section.index(title) + 1
    at = next((at for at in range(len(section)) if _opens(section[at : at + 3])), None)
    if at is None:
        section.insert(first, OnPage(begins=links, ends=""))
    else:
        lead, lines = section[first:at], section[at : at + 3]
        del section[first : at + 3]
        section.insert(first, Opening("", *lines, links=links))
        section.insert(first, OnPage("", *lead, begins='<div class="lead">\n', ends="</div>\n"))
    section.insert(section.index(title), OnPage(begins=_place(one, known, path), ends=""))


def _opens(blocks: list[nodes.Node]) -> bool:
    """Whether these are "You will", the list, and "You need"."""
    match [block.astext() for block in blocks]:
        case [will, _, needs]:
            return bool(WILL.fullmatch(will) and NEED.match(needs))
    return False


def _links(app: Sphinx, one: Chapter) -> str:
    links = ""
    if app.config.live and not one.page.startswith("notebooks/frameworks/"):
        links += LAB_LINK.format(f"{relative_uri(one.page, LAB)}?path={one.exported}.ipynb")
    if one.number:
        links += DECK_LINK.format(relative_uri(one.page, f"slides/{one.name}.html"))
    return links


def _place(one: Chapter, known: dict[str, Chapter], path: list[Chapter]) -> str:
    last = max(chapter.number or 0 for chapter in known.values())
    number = f" · Chapter {one.number} of {last}" if one.number else ""
    if one in path:
        number += f" · Core path {path.index(one) + 1} of {len(path)}"
    return f'<p class="place noprint">{escape(one.part)}{number}</p>\n'


def lead_on(app: Sphinx, page: str, template: str, context: dict[str, Any], *_: Any) -> None:
    """Say where the core path goes on, which need not be the next page, and what its end says."""
    path = core_path(Path(app.srcdir))
    pages = [one.page for one in path]
    if page not in pages:
        return

    def door(goal: str) -> dict[str, str]:
        return {"title": app.env.titles[goal].astext(), "address": context["pathto"](goal)}

    ahead = pages[pages.index(page) + 1 :]
    if ahead:
        context["onward"] = door(ahead[0])
    else:
        context["arrived"] = {
            "chapters": " ".join(one.name for one in path),
            "doors": [door(goal) | {"why": why} for goal, why in DOORS if goal in app.env.titles],
        }


def lead_elsewhere(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: Any) -> None:
    """Link a method's chapter to mistakes made with it, and to the models that have it."""
    mistakes, words = METHODS.get(posixpath.basename(page), ("", ""))
    labels, links = app.env.domaindata["std"]["labels"], {}
    goal, anchor, _name = labels.get(mistakes, (mistakes, "", ""))
    if goal in app.env.found_docs:
        links["Mistakes made with it"] = context["pathto"](goal) + (anchor and f"#{anchor}")
    if words and "book/models" in app.env.found_docs:
        counted = census.count(census.read(Path(app.srcdir))[1], words)
        query = f"?q={quote(words)}#all-types"
        links[f"{counted} types of models that have it"] = context["pathto"]("book/models") + query
    context["elsewhere"] = links


def open_on_page(writer: Any, node: OnPage) -> None:
    """Begin what is on a page alone."""
    writer.body.append(node["begins"])


def close_on_page(writer: Any, node: OnPage) -> None:
    """End what is on a page alone."""
    writer.body.append(node["ends"])


def write_opening(writer: Any, node: Opening) -> None:
    """Write the opening as one line; it opens in two columns."""
    will, aims, needs = node.children
    need, *what, time = needs.children  # "You need", what, and how long it takes
    labels = [f'<div><p class="label">{escape(one.astext())}</p>\n' for one in (will, need)]
    opens = words.phrases(writer.config.language)["opening"]
    minutes = escape(time.astext().rstrip("."))
    writer.body.append(
        f'<div class="opening">\n<details><summary class="noprint">'
        f"<b>{_briefly(minutes)}</b> {escape(opens)}</summary>\n"
        f'<div class="columns">\n{labels[0]}'
    )
    aims.walkabout(writer)
    writer.body.append(f"</div>\n{labels[1]}")
    _sentence(what).walkabout(writer)
    writer.body.append(f'<p class="label">{minutes}</p>\n</div></div></details>\n')
    writer.body.append(f'<div class="takes">{node["links"]}</div>\n</div>\n')
    raise nodes.SkipNode


def _briefly(time: str) -> str:
    """The minutes of reading, and after a plus those of the exercise, as far as the path goes."""
    said = re.search(r"(\d+)\D+(\d+[^;]*)", time)
    return f"{said[1]} min + {said[2]}" if said else time


def _sentence(parts: list[nodes.Node]) -> nodes.paragraph:
    """A paragraph that begins with a capital letter; it may begin with a link."""
    sentence = nodes.paragraph("", "", *(part.deepcopy() for part in parts))
    first = next(text for text in sentence.findall(nodes.Text) if text.strip())
    words = first.lstrip()
    first.parent.replace(first, nodes.Text(words[0].upper() + words[1:]))
    return sentence
