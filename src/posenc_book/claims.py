"""Find the numbers that prose claims, and those that cells compute.

A claim is a decimal, a number of three or more significant digits, a number from thirteen up that
is spelled out, or a count out of a total ("3 of 9", "twelve of the 64"): two numbers, which the
same cell has to compute. Ordinals, plurals such as "hundreds", and fractions such as "a third"
don't count.
"""

import ast
import re
from decimal import Decimal
from itertools import accumulate

from nbformat import NotebookNode

Known = list[set[Decimal]]  # for each cell, the numbers that it computes

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
START = r"(?=[\dabefhmnost])(?<!\w)"
NUMBER = re.compile(rf"{START}(?:{SPELLED}|{DIGITS})", re.I)
# Not "column 20 of 128", which is a place, nor "one of the four", which is any one.
COUNT = re.compile(
    rf"{START}(?<!column\s)(?<!row\s)(?!one\s)({SPELLED}|{DIGITS})\s(?:out\s)?of\s(?:the\s)?"
    rf"({SPELLED}|{DIGITS})",
    re.I,
)

# Digits that claim nothing: in code blocks and comments; in roles, and in inline code that is more
# than a number; in directives, links and addresses; in versions, ports and status codes; in section
# numbers, and in dates of reading.
BLOCK = re.compile(r"^```.*?^```$|<!--.*?-->", re.M | re.S)
SPAN = re.compile(r"(\{[\w:-]+\})?`([^`\n]+)`")
NO_CLAIM = re.compile(
    r"^:{3,}.*$|^:\w+:.*$|\]\([^)]*\)|<a [^>]*>|https?://\S+"
    r"|\b(?:Python|Linux|CC BY|[Ss]ection) \d+(?:\.\d+)+|\b(?:ports?|ports but|status) \d+"
    r"|\bread in \w+ \d{4}",
    re.M,
)

COMPARES = {"allclose", "array_equal", "isclose"}
ROUNDING = {"abs", "float", "int", "round"}


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
    """Tell whether somebody must have computed a number."""
    number = value(said)
    if said[-1].isalpha():
        return number >= 13
    _sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)  # as it is of every finite number
    whole = "".join(map(str, digits)).strip("0")
    return len(whole) >= 3 or (exponent < 0 and number >= Decimal("0.001"))


def paragraphs(text: str) -> list[str]:
    """The paragraphs, list items and table rows of a text."""
    return re.split(r"\n\n|\n(?=[|-]|\d+\. )", BLOCK.sub("", text))


def claims(paragraph: str) -> list[tuple[str, set[Decimal]]]:
    """The claims of a paragraph: the words, and the numbers that belong together.

    A number that belongs to a count is not listed again: who computes both has computed each.
    """
    text = SPAN.sub(
        lambda span: span[2] if not span[1] and re.fullmatch(DIGITS, span[2]) else " ", paragraph
    )
    text = NO_CLAIM.sub(" ", text)
    counts = [count for count in COUNT.finditer(text) if _is_part_of_a_whole(count)]
    within = [range(*count.span()) for count in counts]
    alone = [
        (found[0], {value(found[0])})
        for found in NUMBER.finditer(text)
        if is_claim(found[0])
        and not any(found.start() in span and found.end() - 1 in span for span in within)
    ]
    return alone + [(count[0], {*map(value, count.groups())}) for count in counts]


def _is_part_of_a_whole(count: re.Match[str]) -> bool:
    part, whole = map(value, count.groups())
    return part == int(part) and part <= whole


def numbers_of(text: str) -> set[Decimal]:
    """All numbers in a text that are written in digits."""
    text = re.sub(r"(?<=\d)x(?=\d)", " × ", text)  # sizes, such as 4096x1024
    return {value(said) for said in re.findall(DIGITS, text)}


def computes(node: ast.AST) -> bool:
    """Tell whether an expression computes something, rather than only listing typed numbers."""
    parts = list(ast.walk(node))
    if any(isinstance(part, ast.Name) and part.id not in ROUNDING for part in parts):
        return True
    within = [inner for part in parts if isinstance(part, ast.Call) for inner in ast.walk(part)]
    return any(isinstance(inner, ast.BinOp) for inner in within)


def assertions(source: str) -> list[ast.Assert]:
    """The assertions of a cell."""
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert)]


def asserted(source: str) -> set[Decimal]:
    """The numbers that a guard's assertions compare with something computed."""
    found: set[Decimal] = set()
    for part in [part for node in assertions(source) for part in ast.walk(node)]:
        sides: list[ast.expr] = []
        if isinstance(part, ast.Compare):
            sides = [part.left, *part.comparators]
        elif isinstance(part, ast.Call) and getattr(part.func, "attr", "") in COMPARES:
            sides = part.args
        typed = [side for side in sides if not computes(side)]
        if len(typed) < len(sides):
            found |= {
                Decimal(str(leaf.value))
                for side in typed
                for leaf in ast.walk(side)
                if isinstance(leaf, ast.Constant) and type(leaf.value) in (int, float)
            }
    return found


def computed(cell: NotebookNode) -> set[Decimal]:
    """The numbers that a cell prints or, as a hidden guard, asserts."""
    if cell.cell_type != "code":
        return set()
    if "remove-cell" in cell.metadata.get("tags", []):
        return asserted(cell.source)
    return numbers_of(
        " ".join(
            output.get("text", "") + output.get("data", {}).get("text/plain", "")
            for output in cell.outputs
        )
    )


def beside(notebook: NotebookNode) -> list[Known]:
    """For each cell, the numbers that its section and the one before compute.

    A heading of the second level begins a section. No section comes before the opening, which may
    use the first one instead.
    """
    begins = [
        cell.cell_type == "markdown" and bool(re.search(r"^## ", cell.source, re.M))
        for cell in notebook.cells
    ]
    section = list(accumulate(begins, initial=0))[1:]
    known: list[Known] = [[] for _ in range(section[-1] + 1)]
    for here, cell in zip(section, notebook.cells, strict=True):
        known[here].append(computed(cell))
    before = [*known[1:2], *known]
    return [before[here] + known[here] for here in section]


def holds(known: Known, numbers: set[Decimal]) -> bool:
    """Tell whether a single cell computes all of a claim's numbers."""
    return any(numbers <= together for together in known)


def unbacked(paragraph: str, known: Known) -> list[str]:
    """The claims of a paragraph that it does not cite and that no single cell computes."""
    if "{cite" in paragraph:
        return []
    return [said for said, numbers in claims(paragraph) if not holds(known, numbers)]
