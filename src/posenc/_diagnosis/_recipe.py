"""How a table was made: a recipe with a setting for everything that can go wrong in it."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout

Array = NDArray[np.float64]

# What the two columns of a pair hold; or, where rows decide, what even and odd positions hold.
Functions = Literal["sin cos", "cos sin", "sin sin", "cos cos", "rows sin cos", "rows cos sin"]


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the values of a table of sines and cosines.

    Column j turns by `unit * exp(-drop * exponent)` radians a position. The exponent is the number
    of its pair, plus `shift`, plus `odd` if it is the second column of its pair. The angle is
    counted from `start`, and backwards if `sign` is -1.
    """

    width: int  # of the whole table, before a column was lost
    drop: float
    unit: float = 1.0
    shift: float = 0.0
    odd: float = 0.0
    layout: Layout = "interleaved"
    functions: Functions = "sin cos"
    sign: int = 1
    start: float = 0.0
    scale: float = 1.0
    mean: float = 0.0

    @property
    def by_row(self) -> bool:
        """Whether rows, not columns, decide between sine and cosine."""
        return self.functions.startswith("rows")

    def members(self, columns: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the pair of each column, and its place in the pair, 0 or 1."""
        half = self.width // 2
        if self.layout == "interleaved":
            return columns // 2, columns % 2
        return columns % half, columns // half

    def exponents(self, columns: NDArray[np.intp]) -> Array:
        """Return how many steps down the ladder each column stands."""
        pair, second = self.members(columns)
        return pair + self.shift + self.odd * second

    def omega(self, columns: NDArray[np.intp]) -> Array:
        """Return each column's frequency, in radians per position."""
        turn: Array = self.unit * np.exp(np.clip(-self.drop * self.exponents(columns), -99, 9))
        return turn

    def angles(self, rows: NDArray[Any], columns: NDArray[np.intp]) -> Array:
        """Return the angle at each row and column, in radians."""
        turned: Array = self.sign * np.outer(rows + self.start, self.omega(columns))  # (n, d)
        return turned

    def cosines(self, rows: NDArray[Any], columns: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Tell which entries hold a cosine."""
        first, second = (name == "cos" for name in self.functions.split()[-2:])
        if self.by_row:
            odd = np.round(rows + self.start) % 2 == 1
            chosen = np.where(odd, second, first)[:, np.newaxis]  # (n, 1)
        else:
            chosen = np.where(self.members(columns)[1] == 1, second, first)  # (d,)
        return np.broadcast_to(chosen, (rows.size, columns.size))

    def values(self, rows: NDArray[Any], columns: NDArray[np.intp]) -> Array:
        """Return the entries of the table at these rows and columns."""
        angles, cosines = self.angles(rows, columns), self.cosines(rows, columns)
        wave = np.cos(angles, where=cosines, out=np.empty_like(angles))  # (n, d)
        np.sin(angles, where=~cosines, out=wave)
        return self.scale * wave + self.mean
