"""How a table was made: a recipe with a setting for everything that can go wrong in it."""

from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout

Array = NDArray[np.float64]
DEGREE = np.pi / 180

# What the two columns of a pair hold; or, where rows decide, what even and odd positions hold; or,
# where functions and frequencies are laid out differently, what columns hold by the other layout.
Functions = Literal[
    "sin cos",
    "cos sin",
    "sin sin",
    "cos cos",
    "rows sin cos",
    "rows cos sin",
    "mixed sin cos",
    "mixed cos sin",
]


def wrap_angle(angles: Array) -> Array:
    """Reduce angles to between -pi and pi."""
    rest: Array = angles - 2 * np.pi * np.rint(angles / (2 * np.pi))
    return rest


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the values of a table of sines and cosines.

    Column j turns by `first_frequency * exp(-log_ratio * exponent)` radians a position. The
    exponent is the number of its pair, plus `index_shift`; in the second column of a pair, that
    times `odd_base_ratio`, plus `odd_column_offset`. The angle is counted from `start`, and
    backwards if `sign` is -1. If `position_in_exponent`, the position stands in the exponent,
    where the number of the pair should.
    """

    width: int  # of the whole table, before a column was lost
    log_ratio: float
    first_frequency: float = 1.0
    index_shift: float = 0.0
    odd_column_offset: float = 0.0
    odd_base_ratio: float = 1.0
    layout: Layout = "interleaved"
    functions: Functions = "sin cos"
    sign: int = 1
    start: float = 0.0
    scale: float = 1.0
    mean: float = 0.0
    position_in_exponent: bool = False

    @property
    def alternates_by_row(self) -> bool:
        """Whether rows, not columns, decide between sine and cosine."""
        return self.functions.startswith("rows")

    @property
    def mixes_layouts(self) -> bool:
        """Whether functions are laid out in another way than frequencies."""
        return self.functions.startswith("mixed")

    @property
    def without_ladder(self) -> "Recipe":
        """The plainest recipe that gives the same where all frequencies are one."""
        other: Layout = "interleaved" if self.layout == "halves" else "halves"
        return replace(
            self,
            odd_column_offset=0.0,
            odd_base_ratio=1.0,
            layout=other if self.mixes_layouts else self.layout,
            functions=cast(Functions, self.functions.removeprefix("mixed ")),
        )

    def members(self, columns: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The pair of each column, and its place in the pair, 0 or 1."""
        half = self.width // 2
        if self.layout == "interleaved":
            return columns // 2, columns % 2
        return columns % half, columns // half

    def holds_second(self, columns: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Find which columns hold the second function."""
        interleaved = (self.layout == "interleaved") != self.mixes_layouts
        second: NDArray[np.bool_] = (
            columns % 2 if interleaved else columns // (self.width // 2)
        ) == 1
        return second

    def exponents(self, columns: NDArray[np.intp]) -> Array:
        """The exponent of each column: how many steps down the ladder it is."""
        pair, second = self.members(columns)
        ratio = np.where(second == 1, self.odd_base_ratio, 1.0)
        return (pair + self.index_shift) * ratio + self.odd_column_offset * second

    def omega(self, columns: NDArray[np.intp]) -> Array:
        """Each column's frequency, in radians per position."""
        turn: Array = self.first_frequency * np.exp(
            np.clip(-self.log_ratio * self.exponents(columns), -99, 40)
        )
        return turn

    def angles(self, rows: NDArray[Any], columns: NDArray[np.intp]) -> Array:
        """The angle at each row and column, in radians."""
        position = rows[:, np.newaxis] + self.start  # (n, 1)
        turned: Array = self.sign * (position * self.omega(columns))  # (n, d)
        if self.position_in_exponent:
            turned *= np.exp(-self.log_ratio * self.position_minus_pair(rows, columns))
        return turned

    def position_minus_pair(self, rows: NDArray[Any], columns: NDArray[np.intp]) -> Array:
        """The positions, as exponents, minus the numbers of pairs: (n, d)."""
        further: Array = np.abs(rows[:, np.newaxis] + self.start) - self.members(columns)[0]
        return further

    def cosines(self, rows: NDArray[Any], columns: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Find which entries hold a cosine."""
        first, second = (name == "cos" for name in self.functions.split()[-2:])
        if self.alternates_by_row:
            odd = np.round(rows + self.start) % 2 == 1
            chosen = np.where(odd, second, first)[:, np.newaxis]  # (n, 1)
        else:
            chosen = np.where(self.holds_second(columns), second, first)  # (d,)
        return np.broadcast_to(chosen, (rows.size, columns.size))

    def values(self, rows: NDArray[Any], columns: NDArray[np.intp]) -> Array:
        """The entries of the table at these rows and columns."""
        return self.waves(self.angles(rows, columns), rows, columns)

    def waves(self, angles: Array, rows: NDArray[Any], columns: NDArray[np.intp]) -> Array:
        """The entries that have these angles."""
        cosines = self.cosines(rows, columns)
        wave = np.cos(angles, where=cosines, out=np.empty_like(angles))  # (n, d)
        np.sin(angles, where=~cosines, out=wave)
        return self.scale * wave + self.mean
