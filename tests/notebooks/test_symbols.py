"""One letter, one meaning: the letters of formulas are those that *Read the symbols* explains."""

import re

import pytest
from test_chapters import NOTEBOOKS, ROOT, cells

FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.S)
# What stands in formulas and is no letter of ours: words, names that papers write, room, R squared.
WORDS = re.compile(
    r"\\(?:text|mathrm|operatorname|mathtt|mathsf|mathbb|begin|end)\{[^{}]*\}|\\mathsf T"
    r"|d_\{(?:\\text\{\w+\}|model)\}|d_k|PE|pos|place|\[\d+ex\]|R\^2"
)
GREEK = ["alpha", "beta", "gamma", "delta", "varepsilon", "kappa", "lambda", "pi", "rho", "sigma"]
GREEK += ["tau", "varphi", "omega", "ell", "Phi", "Delta"]
TOKEN = re.compile(r"(\\[A-Za-z]+|[A-Za-z])'?(_(?:\{([^{}]*)\}|(\\?[A-Za-z]+|\d)))?")


def letters(formula):
    """The letters of a formula, each with the index "_" if it has one; names of layers go bare."""
    for letter, index, braced, bare in TOKEN.findall(WORDS.sub(" ", formula.strip("$"))):
        if letter.startswith("\\") and letter[1:] not in GREEK:
            continue
        yield letter + "_" * bool(index)
        if letter not in "WU":
            yield from letters(braced or bare)


def explained():
    """The letters of the table's first column: those with a meaning, and those without a fixed."""
    meant, free = set(), set()
    for symbols, meaning in re.findall(r"^\| (\$.*?) \|.*\| (.*) \|$", NOTATION, re.M):
        found = {one for formula in FORMULA.findall(symbols) for one in letters(formula)}
        (free if meaning.startswith("have no fixed meaning") else meant).update(found)
    return meant, free


NOTATION = (ROOT / "book/notation.md").read_text("utf-8")
MEANT, FREE = explained()


def formulas(path):
    return [found for cell in cells(path, "markdown") for found in FORMULA.findall(cell.source)]


def used(path):
    """The letters of a notebook's formulas, each with a formula that has it."""
    return {letter: formula for formula in formulas(path) for letter in letters(formula)}


def test_no_letter_is_both_explained_and_free():
    assert {"t", "\\omega_", "p", "e"} <= MEANT
    assert not MEANT & FREE


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_letter_of_a_formula_is_explained(path):
    unknown = {
        letter: formula
        for letter, formula in used(path).items()
        if letter not in MEANT and letter.removesuffix("_") not in FREE
    }
    assert not unknown, f"explain these letters in book/notation.md, or use others: {unknown}"


def test_every_letter_that_is_explained_is_used():
    there = {letter for path in NOTEBOOKS for letter in used(path)}
    assert there >= MEANT
    assert {letter.removesuffix("_") for letter in there} >= FREE
