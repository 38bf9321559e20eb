"""A chapter needs no more than it says.

What code or text uses has to be named in the list of needs, be known from a chapter which the list
links to, or be told beside its first use. On the core path this holds without folds, and what a
later chapter takes from an earlier one stands outside its folds.
"""

import ast
import re
from functools import cache

import pytest
from test_chapters import NOTEBOOKS, PHRASES, read

from posenc_book.chapters.fold_sections import off_path

# For each concept: where code uses it, where text does, what names it in a list, and what tells it.
CONCEPTS = {
    "exponentials": (r"np\.exp\(", r"\\exp\b", "exponential", r"exponential"),
    "logarithms": (r"\blog(2|10|1p)?\(", r"\\l(n|og)\b|logarithm", "logarithm", None),
    "sines": (r"np\.sin\(", r"\\sin\b", "sine", None),
    "arctan2": (r"arctan2", None, None, r"`(np\.)?arctan2`"),
    "a new axis": (r"\[[^\]]*(None|newaxis)\b", None, "axes", r"upright|new axis"),
    "matrix products": (r" @ ", None, "matri", None),
    "least squares": (r"lstsq|linalg\.solve", r"least squares", None, r"least squares"),
    "SVD": (r"linalg\.svd", r"singular value", None, r"`singular value"),
    "QR": (r"linalg\.qr", None, None, r"`qr`"),
    "eigenvalues": (r"linalg\.eig", r"[Ee]igenv", "eigenv", None),
    "determinants": (r"linalg\.det", r"determinant", None, r"determinant[^.]*, the product"),
    "rank": (None, r"\brank\b", None, r"`rank|rank:"),
    "einsum": (r"einsum", None, None, r"`(np\.)?einsum`"),
    "complex numbers": (r"\b1j\b|np\.conj", r"complex number", "complex", r"complex number"),
    "classes": (r"^class \w", None, "class", None),
    "lambda": (r"\blambda\b", None, "lambda", None),
    "inner functions": ("inner", None, r"return (functions|one)\b", None),
    "generators": (r"\byield\b", None, "yield", r"`yield`"),
    "bits": (r"\w (>>|<<|&|\^) \w", None, "base two|binary", r"`(>>|<<|&|\^)`|\bbits?\b"),
    "variance": (r"\.(var|std)\(", r"\bvariance|standard deviation", "variance|deviation", None),
    "correlation": (r"corrcoef", r"\bcorrelation", "correlation", None),
    "R squared": (None, r"R\^2", None, r"R\^2.{0,60}share"),
    "normal distribution": (None, r"normal distribution|Gaussian", "normal distribution", None),
    "derivatives": (None, r"derivative|\\partial", "derivative|chain rule", None),
    "gradients": (None, r"\bgradient", "gradient|chain rule", None),
    "integrals": (None, r"\bintegral|\\int\b", "integral", None),
    "geometric series": (None, r"geometric series", "geometric series", None),
    "softmax": (None, r"[Ss]oftmax", None, r"Softmax turns"),
    "hidden layers": (None, r"hidden layer", "hidden layer", None),
    "span and basis": (None, r"\bthe span\b|\bbas[ie]s (of|for)\b", "span", None),
    "orthogonal": (None, r"\borthogonal", None, r"\{term\}`[^`]*orthogonal"),
    "perplexity": (None, r"perplexity", None, r"perplexity \(how"),
}
NAMES = {path.stem: path for path in NOTEBOOKS}
UNSEEN = {"hide-input", "remove-cell"}


@cache
def lists(name):
    """What a chapter says that it needs, and what its folds need beyond that."""
    opening = read(NAMES[name]).cells[0].source
    said = opening.partition(f"*{PHRASES['need']}*")[2].rpartition(" *")[0]
    near, _, further = said.partition("he optional sections also use")
    return near, further


def inner(source):
    """Whether a function in code holds another one, or a class."""
    functions = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.FunctionDef)]
    within = [deep for one in functions for line in one.body for deep in ast.walk(line)]
    return any(isinstance(deep, ast.FunctionDef | ast.ClassDef) for deep in within)


def uses(cell, concept):
    """Whether a cell uses a concept."""
    code, text, *_ = CONCEPTS[concept]
    if cell.cell_type == "code":
        return inner(cell.source) if code == "inner" else _has(code, cell.source)
    return _has(text, cell.source)


def _has(pattern, source):
    return bool(pattern and re.search(pattern, source, re.M))


@cache
def used(name, whole):
    """The concepts that a chapter uses, each with whether it is told beside its first use."""
    notebook = read(NAMES[name])
    cells = [
        cell
        for cell, far in zip(notebook.cells, off_path(notebook), strict=True)
        if (whole or not far) and not UNSEEN & set(cell.metadata.get("tags", []))
    ][1:]
    found = {}
    for concept, (*_, tells) in CONCEPTS.items():
        place = next((at for at, cell in enumerate(cells) if uses(cell, concept)), None)
        if place is not None:
            beside = [
                one for one in cells[max(0, place - 2) : place + 2] if one.cell_type != "code"
            ]
            found[concept] = any(_has(tells, one.source) for one in beside)
    return found


@cache
def known(name, whole):
    """The concepts that a reader of a chapter knows, or is told by it."""
    near, further = lists(name)
    said = near + further * whole
    listed = {one for one, (*_, names, _) in CONCEPTS.items() if _has(names, said)}
    told = {one for one, there in used(name, whole).items() if there}
    earlier = set(re.findall(r"\{[Cc]hapter\}`([\w-]+)`", said)) - {name}
    return listed.union(told, *(known(one, False) for one in earlier))


@pytest.mark.parametrize("whole", [False, True], ids=["outside folds", "all of it"])
@pytest.mark.parametrize("name", NAMES)
def test_a_chapter_needs_no_more_than_it_says(name, whole):
    lacking = sorted(used(name, whole).keys() - known(name, whole))
    assert not lacking, (
        f"name these under *You need*, or explain them where they come up: {lacking}"
    )
