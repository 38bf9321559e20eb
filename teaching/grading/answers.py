"""Keep the Markdown of answers as it was typed, but for what would act in a reader's browser.

Formulas, code and pictures stay. HTML shows as text, a picture from elsewhere becomes a link.
"""

import base64
import binascii
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import escape, unescape
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from nbconvert.filters.markdown_mistune import InvalidNotebook, IPythonRenderer, MarkdownWithMath

# What is read as Markdown. Beyond these, parsers take minutes for what was written to that end.
LONGEST = 20_000  # characters of an answer, with what its tables add
LINES = 1_000
TANGLES = 200  # of what parsers look for the end of, again and again
FORMULA = 2_000  # characters of a formula, which has at most
ROWS = 100
PICTURES = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8[79]a"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.S),
}
SURROGATE = re.compile("[\ud800-\udfff]")
# A mark stands for what might have to change, while a parser looks at the rest. Unicode keeps these
# two characters for such uses.
MARK = re.compile("\ufdd0(\\d+)\ufdd1")
DOUBTFUL = re.compile(
    r"""(?P<img><(?i:img)\s[^<>]*?src=["']?attachment:(?P<name>[^"'\s<>]+)[^<>]*>)"""
    r"|(?P<tag><(?=[A-Za-z/!?])(?!https?://[^\s<>]*>))"
    r"|(?P<image>!(?=\[))"
    r"|(?P<attachment>attachment:)"
)
TANGLE = re.compile(r"\\\\[\[(]|\\begin|^[ >\t]*\[", re.M)
COLUMNS = re.compile(r"^[-:| \t>*+\d.)]+$", re.M)  # below the head of a table
SCHEME = re.compile(r"\b(javascript|vbscript|data)\s*:", re.I)
# Extensions of JupyterLab draw these, from wherever they say.
DRAWN = re.compile(r"(?::::|```|~~~)[ \t]*(?:[{&\\]|mermaid)", re.I)
# Formulas as Jupyter's notebooks know them.
DISPLAY = {"$$": "$$", r"\\[": r"\\]"}
ENVIRONMENT = re.compile(r"\\begin\{([a-z]+\*?)\}")
INLINE = re.compile(
    rf"(?P<open>\$\$|\\\\\[)(?P<display>.{{1,{FORMULA}}}?)(?:\$\$|\\\\\])"
    rf"|\$(?!\$)(?P<text>(?:[^$\\]|\\.){{1,{FORMULA}}})\$"
    rf"|\\\\\((?P<round>.{{1,{FORMULA}}}?)\\\\\)"
    rf"|(?P<whole>\\begin\{{(?P<name>[a-z]+\*?)\}}.{{0,{FORMULA}}}?\\end\{{(?P=name)\}})",
    re.S,
)
NOT_THERE = "with a picture that is missing, or no PNG, JPEG, GIF or WebP"
ELSEWHERE = "with a picture from elsewhere, shown as a link"
PLAIN = "whose text may act in a browser, shown as plain text"
LONG = "too long or tangled for Markdown, shown as plain text"


@dataclass
class Answer:
    """What is kept of an answer: its text, its pictures, and what a teacher should know."""

    source: str
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def readable(text: str) -> str:
    """Return a text that can be written, with halves of characters replaced."""
    return SURROGATE.sub("\ufffd", text)


def kept(source: str, attachments: Any) -> Answer:
    """Return an answer with its formulas, code and pictures, which no browser obeys.

    Two parsers must agree that it is harmless; otherwise it becomes plain text.
    """
    source = re.sub("[\ufdd0\ufdd1]", "\ufffd", readable(source))
    tangled = source.count("\n") > LINES or len(TANGLE.findall(source)) > TANGLES
    if effort(source) > LONGEST or tangled:
        return Answer(plain(source), notes=[LONG])
    answer = _mended(source, attachments if isinstance(attachments, dict) else {})
    if not _harmless(answer):
        answer.source = SCHEME.sub(r"\1 :", answer.source)
    if not _harmless(answer):
        answer = Answer(plain(source), notes=[PLAIN])
    return answer


def effort(source: str) -> int:
    """Return how long it takes to read an answer, in characters.

    Each line of a table has all of its columns, whether they were typed or not.
    """
    columns = max((line.count("|") for line in COLUMNS.findall(source)), default=0)
    return len(source) + 10 * columns * source.count("\n")


def plain(source: str) -> str:
    """Return a text as a block of code, which no parser takes for anything else."""
    fence = max(re.findall("`+", source), key=len, default="") + "```"
    return f"{fence}\n{source}\n{fence}"


class _Pictures:
    """The pictures of an answer that are kept, under names that every program reads alike."""

    def __init__(self, given: dict[Any, Any]) -> None:
        self.given, self.kept = given, dict[str, dict[str, str]]()
        self.names: dict[str, str] = {}

    def name(self, reference: str) -> str | None:
        """Return what a picture is called now, or None if there is no such picture."""
        name = reference if reference in self.given else unquote(reference)
        if name not in self.names and (picture := _picture(self.given.get(name))):
            simple = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", name)
            numbered = (f"picture-{number}" for number in itertools.count(1))
            free = (each for each in numbered if each not in self.given | self.kept)
            self.names[name] = name if simple else next(free)
            self.kept[self.names[name]] = picture
        return self.names.get(name)


def _mended(source: str, attachments: dict[Any, Any]) -> Answer:
    """Return an answer with its HTML as text, its own pictures, and links to all others."""
    found = [*DOUBTFUL.finditer(source)]
    numbers = iter(range(len(found)))

    def mark(match: re.Match[str]) -> str:
        return f"{match['attachment'] or ''}\ufdd0{next(numbers)}\ufdd1"

    marked = DOUBTFUL.sub(mark, source)
    code, targets = _understood(marked)
    pictures, notes, renamed = _Pictures(attachments), set[str](), dict[int, tuple[str, str]]()

    def text(number: int) -> str:
        match = found[number]
        if match["attachment"]:
            return ""  # it stands before its mark
        if number in code:
            return match[0]
        if match["image"]:
            target = re.fullmatch("attachment:\ufdd0(\\d+)\ufdd1(.*)", targets.get(number, ""))
            if target and (name := pictures.name(target[2])):
                renamed[int(target[1])] = target[2], name
                return "!"
            if number in targets:
                notes.add(NOT_THERE if target else ELSEWHERE)
            return ""
        if match["img"] and (name := pictures.name(match["name"])):
            return f"![picture](attachment:{name})"
        if match["img"]:
            notes.add(NOT_THERE)
        return f"&lt;{match[0][1:]}"

    texts = [text(number) for number in range(len(found))]
    first, *parts = re.split("\ufdd0(\\d+)\ufdd1", marked)
    for number, after in zip(map(int, parts[::2]), parts[1::2], strict=True):
        was, now = renamed.get(number, ("", ""))
        first += texts[number] + (now + after[len(was) :] if after.startswith(was) else after)
    return Answer(first, pictures.kept, sorted(notes))


def _understood(marked: str) -> tuple[set[int], dict[int, str]]:
    """Return the marks that stand in code or formulas, and what others make pictures of."""
    code, targets = set[int](), dict[int, str]()
    for token in _walk(_lenient().parse(marked)):
        if token.type in ("code_inline", "fence", "code_block", "math_inline", "math_block"):
            code |= {int(number) for number in MARK.findall(token.content)}
        for before, after in itertools.pairwise(token.children or []):
            sign = re.search("\ufdd0(\\d+)\ufdd1$", before.content)
            if sign and after.type == "link_open":
                targets[int(sign[1])] = str(after.attrGet("href"))
    return code, targets


def _picture(bundle: Any) -> dict[str, str] | None:
    """Return an attachment by the kind that its first bytes show."""
    for data in bundle.values() if isinstance(bundle, dict) else ():
        if isinstance(data, list):
            data = "".join(part for part in data if isinstance(part, str))
        if isinstance(data, str):
            try:
                content = base64.b64decode("".join(data.split()), validate=True)
            except (binascii.Error, ValueError):
                continue
            for kind, begins in PICTURES.items():
                if begins.match(content):
                    return {kind: base64.b64encode(content).decode()}
    return None


def _walk(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _walk(token.children or [])


def with_formulas(parser: MarkdownIt) -> MarkdownIt:
    """Have a parser of Markdown know tables, and formulas as Jupyter has them."""
    parser.enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "math_inline", _inline_formula)
    parser.block.ruler.before(
        "fence",
        "math_block",
        _display_formula,
        {"alt": ["paragraph", "reference", "blockquote", "list"]},
    )
    for kind in ("math_inline", "math_block"):
        parser.add_render_rule(kind, lambda _, tokens, at, *__: escape(tokens[at].markup))
    return parser


class _Lenient(MarkdownIt):
    """Takes any address for a link, as it was typed."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        """Take it."""
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        """Leave it."""
        return url


@cache
def _lenient() -> MarkdownIt:
    return with_formulas(_Lenient("commonmark", {"html": True}))


def _inline_formula(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    match = INLINE.match(state.src, state.pos, state.posMax)
    if not match or (match["open"] and not match[0].endswith(DISPLAY[match["open"]])):
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content = next(filter(None, match.group("display", "text", "round", "whole")))
        token.markup, token.hidden = match[0], False
        token.meta = {"display": not (match["text"] or match["round"])}
    state.pos = match.end()
    return True


def _display_formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take lines from one delimiter to the other, whatever else they would be in Markdown."""
    if state.is_code_block(start):
        return False
    first = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    opens = next(filter(first.startswith, DISPLAY), "")
    if environment := ENVIRONMENT.match(first):
        opens, closes = environment[0], rf"\end{{{environment[1]}}}"
    elif opens:
        closes = DISPLAY[opens]
    else:
        return False
    for last in range(start, min(end, start + ROWS)):
        line = state.src[state.bMarks[last] + state.tShift[last] : state.eMarks[last]]
        line = line.removeprefix(opens) if last == start else line
        if (last > start and not line.strip()) or state.sCount[last] < state.blkIndent:
            return False
        if closes in line:
            break
    else:
        return False
    if not line.rstrip().endswith(closes) or line.count(closes) > 1:
        return False
    whole = state.getLines(start, last + 1, state.blkIndent, False).strip()
    if len(whole) > FORMULA:
        return False
    if not silent:
        state.line = last + 1
        token = state.push("math_block", "math", 0)
        token.content = whole if environment else whole.removeprefix(opens).removesuffix(closes)
        token.markup, token.map, token.block = whole, [start, last + 1], True
        token.meta = {"display": True}
    return True


def _harmless(answer: Answer) -> bool:
    """Tell whether an answer is, as CommonMark reads it and as Formgrader does."""
    if DRAWN.search(answer.source):
        return False
    pictures = {name: {"image/png": ""} for name in answer.attachments}
    renderer = IPythonRenderer(escape=False, attachments=pictures)
    try:
        formgrader = MarkdownWithMath(renderer=renderer).render(answer.source)
        common = _lenient().render(answer.source)
    except (InvalidNotebook, RecursionError):
        return False
    kept = {f"attachment:{name}" for name in answer.attachments}
    return _shows_nothing_else(formgrader, {"data:image/png;base64,"}) and _shows_nothing_else(
        common, kept
    )


# What Markdown makes, as its programs write it.
TAGS = {
    *("a", "blockquote", "br", "code", "dd", "del", "div", "dl", "dt", "em", "hr", "img", "input"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p", "pre", "s", "span", "strong", "table"),
    *("tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {
    *("alt", "checked", "class", "disabled", "href", "id", "src", "start", "style", "title"),
    "type",
}
TAG = re.compile(r'</?([a-z][a-z0-9]*)((?:\s[a-z]+(?:="[^"<>]*")?)*)\s?/?>')
ATTRIBUTE = re.compile(r'([a-z]+)(?:="([^"]*)")?')
ALIGNED = re.compile(r"text-align:\s?(left|right|center);?")


def _shows_nothing_else(page: str, pictures: set[str]) -> bool:
    """Tell whether a page has only what Markdown makes, the given pictures, and plain links."""
    for bracket in re.finditer("<", page):
        tag = TAG.match(page, bracket.start())
        if not tag or tag[1] not in TAGS:
            return False
        given = {name: unescape(value) for name, value in ATTRIBUTE.findall(tag[2])}
        scheme = re.match(r"[^/?#]*?:", re.sub(r"[\0- ]", "", given.get("href", "")))
        if (
            not given.keys() <= ATTRIBUTES
            or ("src" in given and given["src"] not in pictures)
            or (scheme and scheme[0].lower() not in ("http:", "https:", "mailto:", "attachment:"))
            or ("style" in given and not ALIGNED.fullmatch(given["style"]))
            or "mermaid" in given.get("class", "")
        ):
            return False
    return True
