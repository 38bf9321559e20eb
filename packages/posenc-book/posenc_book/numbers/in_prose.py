"""Find the numbers that prose claims.

A claim is a decimal, a number of three or more significant digits, a number from thirteen up that
is spelled out, or a count out of a total ("3 of 9", "twelve of the 64"): two numbers, which the
same cell has to compute. Ordinals, plurals such as "hundreds", and fractions such as "a third"
don't count.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from nbformat import NotebookNode

from posenc_book.chapters.reading_time import FORMULA, MINUTES

ONES = "one|two|three|four|five|six|seven|eight|nine"
TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
WORDS = {word: Decimal(value) for value, word in enumerate(f"{ONES}|{TEENS}".split("|"), 1)}
WORDS |= {word: Decimal(10 * value) for value, word in enumerate(TENS.split("|"), 2)}
WORDS |= {"half": Decimal("0.5"), "a": Decimal(0), "an": Decimal(0), "and": Decimal(0)}

DIGITS = r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w,]*\d)"
SMALL = rf"(?:(?:{TENS})(?:[-\s](?:{ONES}))?|{TEENS}|{ONES})"
SCALE = rf"(?:{'|'.join(SCALES)})"
# "sixteen", "a hundred", "half a million", "three hundred and twelve", "80 billion".
SPELLED = (
    rf"\b(?:(?:(?:half\s)?an?\s|{SMALL}[-\s]|{DIGITS}\s)?{SCALE}(?:\s{SCALE})*(?:\sand\s{SMALL})?"
    rf"|{SMALL})\b"
)
# Every number begins like this; asked first, it halves the time of a search.
NUMBER_LOOKAHEAD = r"(?=[\dabefhmnost])(?<!\w)"
NUMBER = re.compile(rf"{NUMBER_LOOKAHEAD}(?:{SPELLED}|{DIGITS})", re.I)
# Not "column 20 of 128", which is a place, nor "one of the four" or "any two of 50", which are any.
COUNT = re.compile(
    rf"{NUMBER_LOOKAHEAD}(?<!column\s)(?<!row\s)(?<!any\s)(?!one\s)({SPELLED}|{DIGITS})\s{{1,2}}(?:out\s)?of\s{{1,2}}(?:the\s)?"
    rf"({SPELLED}|{DIGITS})",
    re.I,
)

# What makes a claim of a small whole number that it stands after, or before.
LIMIT = re.compile(
    r"\b(?:at (?:most|least)|(?:fewer|less|more) than|only|exactly|nearly|almost|all but|up to"
    r"|by a factor of)\s(?:the\s)?\Z",
    re.I,
)
RATIO = re.compile(
    r"\s?%|\sper\scent\b|\s(?:\w+\s)?(?:fewer|more)\sthan\b"
    r"|\stimes\s(?:as|her|his|its|that|the|their|too|\w+er)\b"
)

# Digits that claim nothing: in code blocks and comments; in roles, and in inline code that is more
# than a number; in directives, links and addresses; in versions, ports and status codes; in section
# numbers, in dates of reading and writing, and in the minutes of a chapter, which have a rule of
# their own.
BLOCK = re.compile(r"^```.*?^```$", re.M | re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)
SPAN = re.compile(r"(\{[\w:-]+\})?`([^`\n]+)`")
IGNORED_TEXT = re.compile(
    r"^:{3,}.*$|^:\w+:.*$|\]\([^)]*\)|<a [^>]*>|https?://\S+"
    r"|\b(?:Python|Linux|Orca|ESR|CC BY|QTI|WCAG|[Ss]ection) \d+(?:\.\d+)+"
    r"|\b(?:ports?|ports but|status) \d+"
    rf"|\b(?:read|written) in \w+ \d{{4}}|{MINUTES}\*",
    re.M,
)


@dataclass(frozen=True)
class Claim:
    """A claim: its words, the numbers that belong together, and where it stands in its text."""

    said: str
    numbers: frozenset[Decimal]
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.said)


def value(said: str) -> Decimal:
    """The number that is written in digits or in words."""
    number = Decimal(0)
    for word in re.split(r"\s|(?<=[a-z])-(?=[a-z])", said.lower()):
        if word in SCALES:
            number = (number or Decimal(1)) * SCALES[word]
        else:
            number += WORDS[word] if word in WORDS else Decimal(word.replace(",", ""))
    return number


def is_claim(said: str) -> bool:
    """Whether somebody must have computed a number."""
    number = value(said)
    if said[-1].isalpha():
        return number >= 13
    _sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)  # as it is of every finite number
    whole = "".join(map(str, digits)).strip("0")
    return len(whole) >= 3 or (exponent < 0 and number >= Decimal("0.001"))


def _is_compared(number: re.Match[str]) -> bool:
    """Whether a sentence compares something with a small whole number."""
    said = value(number[0])
    before = number.string[max(0, number.start() - 20) : number.start()]
    compared = LIMIT.search(before) or RATIO.match(number.string, number.end())
    return said >= 2 and said == int(said) and bool(compared)


def texts(cell: NotebookNode) -> dict[str, str]:
    """What a cell says in prose: its text, its figure's caption, and the speaker's notes."""
    figure = cell.metadata.get("mystnb", {}).get("figure", {})
    return {
        "text": str(cell.source) if cell.cell_type == "markdown" else "",
        "caption": str(figure.get("caption", "")),
        "notes": str(cell.metadata.get("slideshow", {}).get("notes", "")),
    }


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """The paragraphs, list items and table rows of a text, each with its place in it."""
    text = BLOCK.sub(lambda block: "\n" * len(block[0]), text)
    text = COMMENT.sub(_blank, text)
    start = 0
    for end in re.finditer(r"\n\n|\n(?=[|-]|\d+\. )|\Z", text):
        if text[start : end.start()].strip():
            yield start, text[start : end.start()]
        start = end.end()


def claims(paragraph: str) -> list[Claim]:
    """The claims of a paragraph, in order.

    A number that belongs to a count is not listed again: who computes both has computed each.
    """
    text = IGNORED_TEXT.sub(_blank, SPAN.sub(_number_or_blank, paragraph))
    counts = [count for count in COUNT.finditer(text) if _is_part_of_a_whole(count)]
    within = [range(*count.span()) for count in counts]
    found = [
        Claim(paragraph[slice(*count.span())], frozenset(map(value, count.groups())), count.start())
        for count in counts
    ]
    plain = FORMULA.sub(_blank, text)
    small = {number.start() for number in NUMBER.finditer(plain) if _is_compared(number)}
    found += [
        Claim(number[0], frozenset({value(number[0])}), number.start())
        for number in NUMBER.finditer(text)
        if (is_claim(number[0]) or number.start() in small)
        and not any(number.start() in span and number.end() - 1 in span for span in within)
    ]
    return sorted(found, key=lambda claim: claim.start)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _number_or_blank(span: re.Match[str]) -> str:
    is_number = not span[1] and re.fullmatch(DIGITS, span[2])
    return f" {span[2]} " if is_number else " " * len(span[0])


def _is_part_of_a_whole(count: re.Match[str]) -> bool:
    part, whole = map(value, count.groups())
    return part == int(part) and part <= whole


def numbers_in(text: str) -> dict[Decimal, str]:
    """All numbers in a text that are written in digits, each as it is first written there."""
    text = re.sub(r"(?<=\d)x(?=\d)", "×", text)  # sizes, such as 4096x1024
    return {value(said): said for said in reversed(re.findall(DIGITS, text))}
