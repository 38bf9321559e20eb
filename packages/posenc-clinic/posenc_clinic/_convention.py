"""What a known recipe is: what it has, who uses it, and what a table must have to follow it."""

from collections.abc import Callable
from dataclasses import dataclass

from posenc_clinic._mistake import FittedTable
from posenc_clinic.mistakes import CATALOGUE

# What no recipe fixes: which positions a table is asked for.
FREE = frozenset({"position-step"})
# Free too, where steps are.
SPACED = frozenset({"one-based-positions", "reversed-positions", "negated-angle"})

RECOMPUTE = "No order of columns gives the paper's values: weights that expect those misread it."


@dataclass(frozen=True)
class KnownRecipe:
    """A recipe: the mistakes and conventions that it has, by the names that findings have.

    `users` are programs seen to follow it. `means` says what it is for weights that expect the
    table of the paper. A table may also have what is in `also`, and must satisfy `exact`. A recipe
    that is also a likely mistake is recognised only where it was `asked` for. `detail` says what it
    leaves open, and `title` what a report calls the table.
    """

    what: str
    means: str
    traits: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    users: str = ""
    exact: Callable[[FittedTable], bool] = lambda fitted: True
    asked: bool = False
    detail: Callable[[FittedTable], str] = lambda fitted: ""
    title: str = "a right table"

    @property
    def said(self) -> str:
        """The recipe in a few sentences."""
        users = f" It was met in {self.users}." if self.users else ""
        return f"{self.what}{users} {self.means}"

    def lacks(self, names: set[str]) -> list[str]:
        """Return what a table with these findings should have besides."""
        return [name for name in CATALOGUE if name in self.traits - names]

    def allows(self, names: set[str]) -> frozenset[str]:
        """Return what a table with these findings may have by this recipe."""
        return self.traits | self.also | FREE | (SPACED if FREE & names else frozenset())

    def gives(self, fitted: FittedTable, names: set[str]) -> bool:
        """Tell whether a table with these findings follows the recipe exactly."""
        return not self.lacks(names) and names <= self.allows(names) and self.exact(fitted)
