"""Tables with mistakes made on purpose, by name, in plain NumPy: for tests and for pictures."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc._layout import columns
from posenc_clinic.fitting.table_model import DEGREE, Array


def bfloat16(x: Any) -> Array:
    """Round to a bfloat16, the upper half of a float32, and back; ties go to even."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return rounded.astype(np.uint32).view(np.float32).astype(np.float64)


def float16(x: Any) -> Array:
    """Round to a float16 and back."""
    return np.asarray(x, np.float16).astype(np.float64)


def arranged(one: NDArray[Any], other: NDArray[Any], halves: bool) -> NDArray[Any]:
    """Columns of two kinds, in halves or interleaved."""
    n, pairs = one.shape
    if halves:
        return np.concatenate([one, other], axis=1)
    return np.stack([one, other], axis=2).reshape(n, 2 * pairs)


@dataclass(frozen=True)
class Formula:
    """The formula of a table, as it is in section 3.5 of the paper but for what is changed."""

    d: int
    position: Array  # (n,)
    base: float
    bases: tuple[float, float]  # of first and of second columns
    step: float  # from the exponent of a pair to the next one's
    first: float = 0.0  # number of the first pair
    apart: float = 0.0  # how many pairs on second columns are
    unit: float = 1.0  # radians a position
    functions: tuple[Callable[[Array], Array], ...] = (np.sin, np.cos)
    power: Callable[[float, Any], Any] = lambda base, exponent: base**-exponent
    digits: Callable[[Any], Array] = np.asarray  # of angles
    position_in_exponent: bool = False
    by_row: bool = False  # whether functions are those of even and odd positions
    halves: bool = False
    mixed: bool = False  # whether angles have the other layout

    @property
    def table(self) -> Array:
        """The table: (n, d)."""
        place, i, angles = self.position[:, np.newaxis], np.arange(self.d // 2) + self.first, []
        for base, pair in zip(self.bases, (i, i + self.apart), strict=True):
            count = pair + place - i if self.position_in_exponent else pair
            omega: Array = self.unit * self.power(base, count * self.step)
            angles.append(self.digits(self.digits(place) * self.digits(omega)))
        if self.mixed:
            layout: Layout = "halves" if self.halves else "interleaved"
            angles = [*columns(arranged(angles[0], angles[1], not self.halves), layout)]
        one, other = self.functions
        if self.by_row:
            waves = [np.where(place % 2 == 0, one(angle), other(angle)) for angle in angles]
            return arranged(waves[0], waves[1], self.halves)
        return arranged(one(angles[0]), other(angles[1]), self.halves)


# What each mistake changes in a formula ...
OF_FORMULAS: dict[str, Callable[..., dict[str, Any]]] = {
    "halves-layout": lambda it: {"halves": True},
    "cosine-first": lambda it: {"functions": (np.cos, np.sin)},
    "lost-logarithm": lambda it: {"bases": (np.e, np.e)},
    "wrong-base": lambda it, wrong_base=500.0: {"bases": (wrong_base, wrong_base)},
    "two-bases": lambda it: {"bases": (it.bases[0], 1000.0)},
    "tensor2tensor-ladder": lambda it: {"step": it.step * it.d / (it.d - 2)},
    "doubled-exponent": lambda it: {"step": it.step * 2},
    "wrong-divisor": lambda it, divisor=1000: {"step": it.step * it.d / divisor},
    "equal-frequencies": lambda it: {"step": 0.0},
    "rising-frequencies": lambda it: {"step": -it.step},
    "shifted-index": lambda it: {"first": 1.0},
    "odd-denominators": lambda it: {"apart": 0.5},  # column j with exponent j / d
    "position-in-exponent": lambda it: {"position_in_exponent": True},
    "lost-parenthesis": lambda it: {
        "power": lambda base, exponent: np.exp(exponent * it.d) * -np.log(it.base) / it.d
    },
    "sine-everywhere": lambda it: {"functions": (np.sin, np.sin)},
    "cosine-everywhere": lambda it: {"functions": (np.cos, np.cos)},
    "cosine-of-sine": lambda it: {"functions": (np.sin, lambda angle: np.cos(np.sin(angle)))},
    "position-parity": lambda it: {"by_row": True},
    "mixed-layouts": lambda it: {"mixed": True},
    "one-based-positions": lambda it, first=1: {"position": it.position + first},
    "reversed-positions": lambda it: {"position": it.position[::-1]},
    "negated-angle": lambda it: {"unit": -it.unit},
    "degrees": lambda it: {"unit": it.unit * DEGREE},
    "position-step": lambda it, spacing=1.5: {"unit": it.unit * spacing},
    "low-precision-angles": lambda it, digits=bfloat16: {"digits": digits},
}


def _filled(table: Array, rows: Any, across: Any, value: float = 0.0) -> Array:
    """The table with one value in some rows and columns."""
    table = table.copy()
    table[rows, across] = value
    return table


ALL = slice(None)
# ... and what becomes of a table.
OF_TABLES: dict[str, Callable[..., Array]] = {
    "scaled": lambda table, factor=None: table * (factor or table.shape[1] ** 0.5),
    "shifted-mean": lambda table, constant=1.0: table + constant,
    "growing-amplitude": lambda table: table * np.arange(1, len(table) + 1)[:, np.newaxis],
    "missing-column": lambda table: table[:, :-1].copy(),
    "unwritten-columns": lambda table: _filled(table, ALL, slice(-(table.shape[1] // 3), None)),
    "zero-column": lambda table: _filled(table, ALL, -1),
    "zeroed-first-row": lambda table: _filled(table, 0, ALL),
    "constant-row": lambda table: _filled(table, -1, ALL),
    "repeated-row-block": lambda table: np.concatenate([table, table]),
    "not-finite": lambda table: _filled(table, -2, 0, np.nan),
    "transposed": lambda table: table.T.copy(),
}
# All names but "other-recipe" and "not-an-encoding", which are not one particular mistake.
NAMES = [*OF_FORMULAS, *OF_TABLES]


def _formula(n: int, d: int, base: float) -> Formula:
    return Formula(d, np.arange(float(n)), base, (base, base), 2 / d)


def right_table(
    n: int = 50, d: int = 64, *, base: float = 10_000.0, first: float = 0, spacing: float = 1
) -> Array:
    """The table of section 3.5 of the paper."""
    right = _formula(n, d, base)
    return replace(right, position=spacing * (right.position + first)).table


def wrong_table(
    *mistakes: str, n: int = 50, d: int = 64, base: float = 10_000.0, **numbers: Any
) -> Array:
    """A table with all these mistakes at once; `numbers` are those that the mistakes take."""
    if unknown := {*mistakes} - {*NAMES}:
        raise ValueError(f"no table is made with {', '.join(sorted(unknown))}")

    def made(change: Callable[..., Any], given: Any) -> Any:
        taken = {name: numbers[name] for name in signature(change).parameters if name in numbers}
        return change(given, **taken)

    formula = _formula(n // 2 if "repeated-row-block" in mistakes else n, d, base)
    for name in OF_FORMULAS:
        if name in mistakes:
            formula = replace(formula, **made(OF_FORMULAS[name], formula))
    table = formula.table
    for name in OF_TABLES:
        if name in mistakes:
            table = made(OF_TABLES[name], table)
    return table
