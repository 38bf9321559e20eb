"""Tables with mistakes made on purpose, by name, in plain NumPy: for tests and for pictures."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc_clinic._table_model import Array

# All names but "other-recipe" and "not-an-encoding", which are not one particular mistake.
NAMES = [
    *("halves-layout", "cosine-first", "wrong-base", "doubled-exponent", "odd-denominators"),
    *("tensor2tensor-ladder", "shifted-index", "lost-logarithm", "sine-everywhere"),
    *("cosine-everywhere", "position-parity", "one-based-positions", "reversed-positions"),
    *("zeroed-first-row", "constant-row", "transposed", "negated-angle", "degrees", "scaled"),
    *("shifted-mean", "position-step", "unwritten-columns", "rising-frequencies"),
    *("equal-frequencies", "wrong-divisor", "lost-parenthesis", "mixed-layouts"),
    *("two-bases", "position-in-exponent", "growing-amplitude", "cosine-of-sine"),
    *("low-precision-angles", "repeated-row-block", "zero-column", "missing-column", "not-finite"),
]
# The functions in the two columns of a pair, or in two neighbouring rows.
FUNCTIONS = {
    "cosine-first": (np.cos, np.sin),
    "sine-everywhere": (np.sin, np.sin),
    "cosine-everywhere": (np.cos, np.cos),
}


def bfloat16(x: Any) -> Array:
    """Round to a bfloat16, the upper half of a float32, and back; ties go to even."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return rounded.astype(np.uint32).view(np.float32).astype(np.float64)


def float16(x: Any) -> Array:
    """Round to a float16 and back."""
    return np.asarray(x, np.float16).astype(np.float64)


def right_table(
    n: int = 50,
    d: int = 64,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
    first: float = 0,
    spacing: float = 1,
) -> Array:
    """The table of section 3.5 of the paper, or the same in halves."""
    position, i = np.arange(first, first + n)[:, np.newaxis], np.arange(d // 2)
    angle = spacing * position / base ** (2 * i / d)
    return arranged(np.sin(angle), np.cos(angle), layout == "halves")


def arranged(one: NDArray[Any], other: NDArray[Any], halves: bool) -> NDArray[Any]:
    """Columns of two kinds, in halves or interleaved."""
    n, pairs = one.shape
    if halves:
        return np.concatenate([one, other], axis=1)
    return np.stack([one, other], axis=2).reshape(n, 2 * pairs)


def wrong_table(
    *mistakes: str,
    n: int = 50,
    d: int = 64,
    base: float = 10_000.0,
    wrong_base: float = 500.0,
    first: float = 1,
    factor: float | None = None,
    constant: float = 1.0,
    digits: Callable[[Any], Array] = bfloat16,
    spacing: float = 1.5,
    divisor: float = 1000,
) -> Array:
    """A table with all these mistakes at once.

    `first` is the first position where they don't count from 0, `factor` what the values are
    scaled by (the root of d unless it is given), `digits` how low-precision angles are rounded,
    `spacing` how far apart spaced positions are, `divisor` a wrong one of exponents.
    """
    if unknown := {*mistakes} - {*NAMES}:
        raise ValueError(f"no table is made with {', '.join(sorted(unknown))}")
    has = {name: name in mistakes for name in NAMES}

    rows = n // 2 if has["repeated-row-block"] else n
    position = np.arange(rows) + float(first if has["one-based-positions"] else 0)
    if has["reversed-positions"]:
        position = position[::-1].copy()

    used = wrong_base if has["wrong-base"] else np.e if has["lost-logarithm"] else base
    i = np.arange(d // 2) + (1.0 if has["shifted-index"] else 0.0)
    step = (2 if has["doubled-exponent"] else 1) / (d / 2 - has["tensor2tensor-ladder"])
    step *= d / divisor if has["wrong-divisor"] else 1
    step *= 0 if has["equal-frequencies"] else -1 if has["rising-frequencies"] else 1
    own = 0.5 if has["odd-denominators"] else 0.0  # column j with exponent j / d
    angles, place = [], position[:, np.newaxis]
    for exponent, second in ((i * step, False), ((i + own) * step, True)):
        if has["position-in-exponent"]:
            exponent = exponent + (place - i) * step  # (rows, pairs)
        omega = (1000.0 if second and has["two-bases"] else used) ** -exponent
        if has["lost-parenthesis"]:
            omega = np.exp(exponent * d) * -np.log(base) / d
        omega *= np.pi / 180 if has["degrees"] else 1.0
        omega *= spacing if has["position-step"] else 1.0
        if has["low-precision-angles"]:
            angle = digits(digits(place) * digits(omega))
        else:
            angle = place * omega
        angles.append(-angle if has["negated-angle"] else angle)

    if has["position-parity"]:
        sine_first = (position % 2 == has["cosine-first"])[:, np.newaxis]
        columns = [np.where(sine_first, np.sin(angle), np.cos(angle)) for angle in angles]
    else:
        chosen = [FUNCTIONS[name] for name in FUNCTIONS if has[name]] or [(np.sin, np.cos)]
        columns = [function(angle) for function, angle in zip(chosen[0], angles, strict=True)]
    table = arranged(columns[0], columns[1], has["halves-layout"])
    if has["mixed-layouts"]:
        angle = arranged(angles[0], angles[1], not has["halves-layout"])
        one, other = (np.full((rows, d // 2), place == 1) for place in range(2))
        seconds = arranged(one, other, has["halves-layout"])
        table = np.where(seconds, chosen[0][1](angle), chosen[0][0](angle))
    if has["cosine-of-sine"]:
        table = arranged(columns[0], np.cos(columns[0]), has["halves-layout"])

    if has["scaled"]:
        table *= np.sqrt(d) if factor is None else factor
    if has["shifted-mean"]:
        table += constant
    if has["growing-amplitude"]:
        table *= np.arange(rows)[:, np.newaxis] + 1
    if has["missing-column"]:
        table = table[:, :-1]
    if has["unwritten-columns"]:
        table[:, -(d // 3) :] = 0
    if has["zero-column"]:
        table[:, -1] = 0
    if has["zeroed-first-row"]:
        table[0] = 0
    if has["constant-row"]:
        table[-1] = 0
    if has["repeated-row-block"]:
        table = np.concatenate([table, table])
    if has["not-finite"]:
        table[-2, 0] = np.nan
    return table.T.copy() if has["transposed"] else table.copy()
