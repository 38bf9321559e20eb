"""Sentences of reports as a person writes them: code in backticks, powers of ten, true minus."""

import math
import re
from html import escape

NAME = r"[A-Za-z_]\w*(?:\.\w+)*"
PARENTHESES = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
ATOM = rf"-?(?:(?:{NAME})?{PARENTHESES}|{NAME}\[[^\]]*\]|{NAME}|\d+(?:\.\d+)?)"
CODE = re.compile(
    "`[^`]*`"  # what is already
    rf"|(?<![\w.])(?!(?:by|for|or)\b)(?:/ )?{ATOM}(?: (?:\*\*|//|[*/+=-]) {ATOM})+"  # a formula
    rf"|(?<= )/ {PARENTHESES}"
    rf"|(?<![\w.])-?{NAME}(?:{PARENTHESES}|\[[^\]]*\])(?!\w)"  # a call or a slice
    r'|\b\w+="\w+"'
    r"|\b(?:np|posenc|posenc_clinic|torch)\.\w+|\b[a-z]\w*(?:\.\w+)*_[\w.]*\w|(?<= )//(?= )"
)
PLACE = re.compile(r"holds (\S+), where (\S+) belongs")
POWER = re.compile(r"(\d[\d.]*)e([+-]\d+)")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def typeset(text: str) -> str:
    """The text with its code in backticks, and its numbers as a person writes them."""
    parts, end = [], 0
    for code in CODE.finditer(text):
        parts += [_numbers(text[end : code.start()]), f"`{code[0].strip('`')}`"]
        end = code.end()
    return "".join([*parts, _numbers(text[end:])])


def as_html(text: str) -> str:
    """The text typeset, as HTML."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(typeset(text)))


def apart(*given: str) -> tuple[str, ...]:
    """Two numbers in as few digits as show how far apart they are."""
    one, other = map(float, given)
    for digits in (2, 4, 7):
        said = f"{one:.{digits}g}", f"{other:.{digits}g}"
        if math.isclose(float(said[0]) - float(said[1]), one - other, rel_tol=0.1):
            return said
    return given


def _numbers(text: str) -> str:
    text = PLACE.sub(lambda two: "holds {}, where {} belongs".format(*apart(*two.groups())), text)
    text = POWER.sub(_power, text)
    text = re.sub(r"(?<![\d.,])\d{5,15}(?![\d.]*\d)", lambda many: f"{int(many[0]):,}", text)
    text = re.sub(r"(?<![\w.,])-(?=\d|k\b)", "−", text)
    return re.sub(r"(?<=\d) x (?=\d)", " × ", text)


def _power(number: re.Match[str]) -> str:
    """Write 1.2984e-08 as 1.3·10⁻⁸; of a large number, such as a base, each digit counts."""
    digits, power = number[1], int(number[2])
    if power < 0:
        digits = f"{float(digits):.2g}"
    elif power < 16 and len(digits.replace(".", "")) <= power + 1:
        return f"{float(number[0]):.0f}"
    return f"{digits}·10".removeprefix("1·") + str(power).translate(RAISED)
