"""What is known of a grid, and its sentences."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc_clinic.families.recognised import MAX_OUTLIER_SHARE, RecognisedTable, hardly_rotating
from posenc_clinic.families.waves import Places
from posenc_clinic.fitting.table_model import Array, Recipe
from posenc_clinic.mistakes.finding import seen_as

NAMES = {2: ("row", "column"), 3: ("frame", "row", "column")}
LOST_PARENTHESIS = 2.0  # the ratio of frequencies exp(-2 * i), as a logarithm
MAX_PARTS = 12  # runs of columns that are listed one by one
UNIT = 1.01  # radians that the fastest columns turn in all, where coordinates go from 0 to 1


@dataclass(frozen=True)
class Axis:
    """What encodes the places along one axis: one ladder of a recipe, or waves on several."""

    values: Array  # (places, columns)
    start: float  # the position of the first place
    step: float  # from one place to the next
    base: float | None
    recipe: Recipe | None = None
    reaches_1: bool = False  # whether its exponents do
    waves: Places | None = None
    turns: int = 0  # how many axes take turns on the ladder, if they share one
    mistakes: tuple[str, ...] = ()

    @property
    def functions(self) -> set[str]:
        """What its columns hold: "sin", "cos" or both."""
        if self.waves:
            return {run.function for run in self.waves.known}
        return {*self.recipe.functions.split()[-2:]} if self.recipe else set()

    @property
    def lost_parenthesis(self) -> bool:
        """Whether a lost parenthesis made its frequencies."""
        return bool(self.recipe and self.recipe.log_ratio == LOST_PARENTHESIS and not self.base)

    @property
    def counted(self) -> str:
        """How its places are counted."""
        return f"from {self.start:.6g}" + f" by {self.step:.6g}" * (abs(self.step - 1) > 1e-6)

    @property
    def order(self) -> str:
        """How its columns are ordered, and which ladders they have."""
        if self.recipe:
            first = "sines" if self.recipe.functions.startswith("sin") else "cosines"
            halves = self.recipe.layout == "halves"
            ladder = "exponents that reach 1" if self.reaches_1 else "exponents as in the paper"
            ladder = "frequencies exp(-2 * i)" if self.lost_parenthesis else ladder
            return f"{f'all {first} first' if halves else f'{first} first in each pair'}, {ladder}"
        assert self.waves
        runs, said = self.waves.known, self.waves.holds
        fastest = [f"{run.first / max(run.first for run in runs):.4g}" for run in runs]
        if len(runs) > 2 * len(self.functions) or {*fastest} != {"1"}:
            said += f" in {len(runs)} runs, which begin at frequencies "
            said += ", ".join(dict.fromkeys(fastest))
        said += (
            f", base {self.base:.6g}" if self.base else f", which fall by {runs[0].ratio:.4g} each"
        )
        return said + " through all pairs" * (self.turns > 0)


@dataclass(frozen=True)
class Grid:
    """Cells of a grid, and what encodes the places along its axes."""

    sizes: tuple[int, ...]
    of: NDArray[np.intp]  # the axis of each column, or -1 where it stands still: (d,)
    axes: dict[int, Axis]
    values: Array  # (cells, d)
    allowed: Array  # how far each column may be off: (d,)

    def gives(self, cells: Array) -> bool:
        """Check whether all but a few entries of the cells are what they should be."""
        off = np.abs(cells - self.values) > self.allowed
        return bool(off.mean() <= MAX_OUTLIER_SHARE)

    @property
    def recipe(self) -> str:
        """The known recipe of such grids."""
        axes = self.axes.values()
        if all(axis.lost_parenthesis for axis in axes):
            return "loftr"
        if all(len(axis.functions) == 1 for axis in axes):
            return "rope-axes"
        if len(self.sizes) > 2:
            return "grid-3d"
        return "grid-column-first" if self.of[self.of >= 0][0] else "grid"


def recognised_grid(grid: Grid, table: Array, before: int, after: int) -> RecognisedTable:
    """A table as a grid, with some rows before and after its cells, which are as they are."""
    named = {
        name: grid.axes[at] for at, name in enumerate(NAMES[len(grid.sizes)]) if at in grid.axes
    }
    said = _of_each(named, lambda axis: axis.order, "The {} has {}", "Each has {}")
    counted = "{}s are counted {}", "places are counted {}"
    said += _of_each(named, lambda axis: axis.counted, *counted)
    bases = {axis.base for axis in named.values()}
    if len(bases) > 1 and None not in bases:
        said += [f"the {name} has base {axis.base:.6g}" for name, axis in named.items()]
    still = int((grid.of < 0).sum())
    said += [f"{still} columns stand still"] * (still > 0)
    *frames, rows, cells = grid.sizes
    cut = "".join(f"{count} frames of " for count in frames) + f"{rows} rows of {cells} cells"
    cut += _beside(table, before, after)
    layouts = {axis.recipe.layout if axis.recipe else None for axis in named.values()}
    findings = [
        seen_as(name, f"This concerns the columns that encode the {' and the '.join(along)}.")
        for name in dict.fromkeys(each for axis in named.values() for each in axis.mistakes)
        if (along := [which for which, axis in named.items() if name in axis.mistakes])
    ]
    return RecognisedTable(
        grid.recipe,
        f"There are {cut}. By axis, columns are {_listed(grid)}. {'; '.join(said)}.",
        np.concatenate([table[:before], grid.values, table[len(table) - after :]]),
        grid.allowed,
        layouts.pop() if len(layouts) == 1 else None,
        bases.pop() if len(bases) == 1 else None,
        findings=tuple(findings),
        warnings=_slow(grid),
    )


def _of_each(
    named: dict[str, Axis], say: Callable[[Axis], str], apart: str, alike: str
) -> list[str]:
    """What is said of each axis; once, if it is the same."""
    said = {name: say(axis) for name, axis in named.items()}
    if len({*said.values()}) == 1:
        return [alike.format(*said.values())]
    return [apart.format(name, one) for name, one in said.items()]


def _beside(table: Array, before: int, after: int) -> str:
    """Describe the rows before or after the cells."""
    extra = table[np.r_[:before, len(table) - after : len(table)]]
    if not len(extra):
        return ""
    what = "numbers of its own" if extra.any() else "zeros"
    if extra.any() and np.isin(extra, (0, 1)).all():
        what = "cosines of 1 and sines of 0"
    many = f"{len(extra)} row{'s' * (len(extra) > 1)} of {what}"
    return f", {'after' if before else 'before'} {many}"


def _slow(grid: Grid) -> tuple[str, ...]:
    """A warning, if coordinates seem to go from 0 to 1."""
    waves = {at: axis.waves for at, axis in grid.axes.items() if axis.waves}
    reach = [one.rates * (grid.sizes[at] - 1) for at, one in waves.items()]
    shared = any(axis.turns for axis in grid.axes.values())
    if shared or len(reach) < len(grid.axes) or max(each.max() for each in reach) > UNIT:
        return ()
    slow = "cell of an axis to its last. If coordinates go from 0 to 1, and the ladder was made "
    slow += "for whole rows and columns, number those."
    return tuple(hardly_rotating(np.concatenate(reach), slow))


def _listed(grid: Grid) -> str:
    """List which columns go by which axis, as far as they show it."""
    parts = np.split(np.arange(grid.of.size), np.flatnonzero(np.diff(grid.of)) + 1)
    named = (*NAMES[len(grid.sizes)], "no axis")
    if len(parts) > MAX_PARTS:
        return ", ".join(named[axis] for axis in grid.of[:6]) + " and so on"
    return ", ".join(f"{part[0]} to {part[-1]} by {named[grid.of[part[0]]]}" for part in parts)
