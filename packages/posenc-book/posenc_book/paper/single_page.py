"""Join the text of the site's pages into one document, in the order of the book."""

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from bs4 import BeautifulSoup, Tag

from posenc_book.images.render import SITE, Figure
from posenc_book.paper import download

# Of no use on paper: links beside headings, buttons, noscript, a figure that comes again below.
UNPRINTED = (
    ".headerlink, .noprint, noscript, figure.frontispiece, .toctree-wrapper, "
    ".sd-summary-state-marker, .copybtn"
)
REFERRING = ("for", "headers", "aria-labelledby", "aria-describedby", "aria-controls")
SOLUTIONS = "solutions"
# Code that only calls for a figure says nothing that the figure doesn't.
LONE_CALL = re.compile(r"\s*(?:from posenc_figures import show\s+)?show\([^\n]*\)\s*")
# KaTeX writes a formula as MathML and as HTML. In print, the HTML is an image with an alt text.
FORMULA = re.compile(
    r'<span class="katex"><span class="katex-mathml"><math\b.*?<annotation[^>]*>(.*?)</annotation>'
    r'</semantics></math></span><span class="katex-html" aria-hidden="true">',
    re.S,
)


@dataclass
class Document:
    """The whole book, the figures to draw for it, and its chapters' anchors."""

    text: str
    figures: list[Figure]
    anchors: list[str]


class Joiner:
    """Joins pages; links between them become links within the document."""

    def __init__(self, site: Path, manifest: dict[str, Any]):
        """Take the folder of the site, and the manifest that the builder left beside it."""
        self.site, self.manifest = site, manifest
        pages = [page for part in manifest["parts"] for page in part["pages"]]
        self.pages = [manifest["root"], *pages]
        self.figures: list[Figure] = []
        self.solutions: list[str] = []
        self.contents: list[str] = []
        self.heads: list[str] = []
        self.anchors: list[str] = []

    def document(self, template: str) -> Document:
        """The whole book, filled into a template."""
        body = self._chapter(self.manifest["root"])
        for number, part in enumerate(self.manifest["parts"], 1):
            head = ""
            if part["caption"]:
                head = self._head(f"part-{number}", 1, escape(part["caption"]), "part")
            body += head + "".join(map(self._chapter, part["pages"]))
        if self.solutions:
            head = self._head(SOLUTIONS, 1, "Solutions", "part")
            body += f'<div class="page-{SOLUTIONS}">{head}{"".join(self.solutions)}</div>\n'
            self._run_head(f".page-{SOLUTIONS}", SOLUTIONS, "Solutions")
        values = {
            **{
                key: escape(str(self.manifest[key]))
                for key in ("title", "author", "copyright", "version")
            },
            "cover": f'<img alt="" src="{SITE}drawn/{self.figures[0].name}.png">'
            if self.figures
            else "",
            "heads": "\n".join(self.heads),
            "language": escape(self.manifest["language"]),
            "address": self._home(),
            "contents": "\n".join(self.contents),
            "body": body,
        }
        text = re.sub(r"\{\{ (\w+) \}\}", lambda match: values[match[1]], template)
        return Document(text, self.figures, self.anchors)

    def _home(self) -> str:
        address = escape(self.manifest["address"] or "")
        return f'<p><a href="{address}">{address}</a></p>' if address else ""

    def _head(self, anchor: str, level: int, title: str, kind: str) -> str:
        """Make a heading, and add it to the contents."""
        self._list(anchor, level, title)
        return f'<h{level} class="{kind}" id="{anchor}">{title}</h{level}>\n'

    def _list(self, anchor: str, level: int, title: str) -> None:
        self.anchors.append(anchor)
        self.contents.append(
            f'<li class="level{level}"><a href="#{anchor}"><span class="entry">{title}</span>'
            f'<span class="page" data-of="{anchor}"></span></a></li>'
        )

    def _run_head(self, selector: str, name: str, title: str) -> None:
        """Have the pages of a chapter say its title; a part's heading is on the first of them."""
        content = title.replace("\\", "").replace('"', r"\"")
        self.heads.append(
            f'@page page-{name} {{ @top-left {{ content: "{content}"; }} }}\n'
            f"{selector}, h1:has(+ {selector}) {{ page: page-{name}; }}"
        )

    def _chapter(self, page: str) -> str:
        """Make a page a chapter; its answers and solutions go to the end of the book."""
        article = self._article(page)
        for node in article.select(UNPRINTED):
            node.decompose()
        for node in article.select("a.source"):
            node.unwrap()
        self._draw_later(page, article)
        self._redirect_links(page, article)
        answers = self._take_answers(page, article)
        self._open(article)
        for level in range(5, 0, -1):
            for heading in article.find_all(f"h{level}"):
                heading.name = f"h{level + 1}"
        title = article.find("h2")
        assert isinstance(title, Tag)
        name = title.get_text()
        title["class"] = "chapter"
        self._list(_anchor(page), 2, escape(name))
        self._run_head(f"#{_anchor(page)}", _anchor(page), name)
        self._move_solutions(page, article, name, answers)
        return f'<section class="page" id="{_anchor(page)}">{article.decode_contents()}</section>\n'

    def _article(self, page: str) -> Tag:
        """The text of a page, without the theme around it."""
        text = (self.site / f"{page}.html").read_text("utf-8")
        begin, end = text.index("<article"), text.index("</article>")
        text = download.PLACE.sub("", text[begin:end])
        text = FORMULA.sub(_formula, text)
        article = BeautifulSoup(text, "html.parser").find("article")
        assert isinstance(article, Tag)
        return article

    def _draw_later(self, page: str, article: Tag) -> None:
        """Replace each figure that a script draws with an image."""
        for node in article.select(".figure"):
            for still in node.select(".plot > *"):
                still.decompose()
            figure = Figure(page, str(node))
            self.figures.append(figure)
            source = f"{SITE}drawn/{figure.name}.png"
            node.replace_with(_new("img", {"alt": figure.alt, "src": source, "class": "drawn"}))
        for script in article.find_all("script"):
            script.decompose()
        for other in article.select(".only-dark, source"):
            other.decompose()
        for image in article.find_all("img"):
            image["src"] = urljoin(f"{SITE}{page}.html", str(image["src"]))
            for name in ("loading", "decoding"):
                del image[name]

    def _redirect_links(self, page: str, article: Tag) -> None:
        """Make anchors unique, and point links to where things are in print."""
        for node in article.find_all(id=True):
            node["id"] = _anchor(page, str(node["id"]))
        for name in REFERRING:
            for node in article.select(f"[{name}]"):
                given = node[name]
                names = given.split() if isinstance(given, str) else given
                node[name] = " ".join(_anchor(page, one) for one in names)
        for link in article.find_all("a", href=True):
            goal = self._goal(page, str(link["href"]))
            link.attrs = {"href": goal} if goal else {}
            if not goal:
                link.name = "span"

    def _goal(self, page: str, address: str) -> str:
        """Where a link leads in print, or an empty string if nowhere."""
        goal, name = urldefrag(urljoin(f"{SITE}{page}.html", address))
        if not goal.startswith(SITE):
            return urljoin(f"{SITE}{page}.html", address)
        path = unquote(goal.removeprefix(SITE))
        if path.removesuffix(".html") in self.pages:
            return "#" + _anchor(path.removesuffix(".html"), unquote(name))
        if self.manifest["address"]:
            return str(self.manifest["address"]).rstrip("/") + "/" + goal.removeprefix(SITE)
        return ""

    def _open(self, article: Tag) -> None:
        """Unfold what readers of the site open themselves."""
        for details in article.select("details:not(.solution)"):
            summary = details.find("summary", recursive=False)
            if isinstance(summary, Tag):
                if "fold" in (details.get("class") or []):
                    if all(LONE_CALL.fullmatch(code.get_text()) for code in details.select("pre")):
                        details.clear()
                    else:
                        summary.decompose()
                else:
                    summary.name = "div" if summary.find(re.compile("^h[1-6]$")) else "p"
            details.name = "div"

    def _take_answers(self, page: str, article: Tag) -> list[str]:
        """Leave the choices of predictions where they are, and return what they are told.

        The outputs that would give a prediction away stand there, too.
        """
        answers = []
        for number, box in enumerate(article.select(".tip:has(> details)"), 1):
            box["id"], anchor = (
                _anchor(page, f"predict-{number}"),
                _anchor(page, f"answer-{number}"),
            )
            choices = _new("ul", {"class": "choices"})
            told = ""
            for details in box.find_all("details", recursive=False):
                summary = details.find("summary")
                assert isinstance(summary, Tag)
                choice = _new("li", {})
                choice.extend(summary.contents[:])
                choices.append(choice)
                summary.decompose()
                told += f"<dt>{choice.decode_contents()}</dt><dd>{details.decode_contents()}</dd>\n"
                details.decompose()
            for at, output in enumerate(_waiting(box)):
                output.replace_with(*([] if at else [_pointer(anchor, "Output")]))
                told += f"<dd>{output}</dd>\n"
            box.extend([choices, _pointer(anchor, "Answer")])
            label = f'<a href="#{box["id"]}">Answer to prediction {number}</a>'
            answers.append(
                f'<section class="solved" id="{anchor}"><h3>{label}</h3><dl>{told}</dl></section>\n'
            )
        return answers

    def _move_solutions(self, page: str, article: Tag, title: str, answers: list[str]) -> None:
        solutions = article.select("details.solution")
        moved = answers
        for details in solutions:
            anchor = str(details["id"])
            exercise = details.find_previous(class_="exercise")
            back = str(exercise["id"]) if isinstance(exercise, Tag) else _anchor(page)
            summary = details.find("summary")
            assert isinstance(summary, Tag)
            label = summary.decode_contents()
            summary.decompose()
            for heading in details.find_all(re.compile("^h[1-6]$")):
                heading.name = "p"
                heading["class"] = "rubric"
            moved.append(
                f'<section class="solved" id="{anchor}"><h3><a href="#{back}">{label}</a></h3>'
                f"{details.decode_contents()}</section>\n"
            )
            details.replace_with(_pointer(anchor, "Solution"))
        if moved:
            head = f'<h2 id="{SOLUTIONS}-{_anchor(page)}">{escape(title)}</h2>\n'
            self.solutions += [head, *moved]


def _waiting(box: Tag) -> list[Tag]:
    """What would give a prediction away, by the rule of predictions.js."""
    cells = box.find_all_next("div", class_="cell")
    below: Any = next((cell for cell in cells if cell.select_one(".cell_output")), None)
    found: list[Tag] = []
    while below and "cell" in (below.get("class") or []):
        found += below.select(".cell_output")[:1]
        below = below.find_next_sibling()
    return [*found, below] if below and below.name == "p" else found


def _formula(match: re.Match[str]) -> str:
    source = " ".join(match[1].split()).replace('"', "&quot;")
    return f'<span class="katex" role="img" aria-label="{source}"><span class="katex-html">'


def _new(name: str, attributes: dict[str, str]) -> Tag:
    return BeautifulSoup("", "html.parser").new_tag(name, attrs=attributes)


def _pointer(anchor: str, words: str) -> Tag:
    """A line that leads to what stands at the end of the book."""
    link = _new("a", {"href": f"#{anchor}"})
    link.string = words
    line = _new("p", {"class": "to-solution"})
    line.append(link)
    return line


def _anchor(page: str, name: str = "") -> str:
    """The anchor of a page in the book, or of a place on that page."""
    return re.sub(r"[^\w-]", "-", page) + (f"--{name}" if name else "")
