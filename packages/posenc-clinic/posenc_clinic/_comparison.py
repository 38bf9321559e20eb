"""What a comparison says."""

from dataclasses import dataclass
from textwrap import wrap


@dataclass(frozen=True, repr=False)
class Comparison:
    """How two encodings differ, trait by trait and entry by entry.

    `str(comparison)` is the report.

    Parameters
    ----------
    traits : tuple of (str, str, str)
        Name of each trait, what it is in `a`, and what it is in `b`.
    max_difference : float or None
        Largest difference between entries of the rows that both have; infinite where only one of
        them is a number. None if the encodings differ in width.
    cell : tuple of (int, int, float, float) or None
        Where that is: the row, the column, the entry of `a` and that of `b`.
    reordered : float or None
        Largest difference once the columns of `b` stand in the order of those of `a`; None if they
        do already, or can't.
    rounding : float
        Difference that the digits of the values explain.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> from posenc_clinic import compare
    >>> found = compare(sinusoidal(50, 8), sinusoidal(50, 8, base=500))
    >>> found.differences, found.cell[:2]
    (('base',), (30, 3))
    """

    traits: tuple[tuple[str, str, str], ...]
    max_difference: float | None
    cell: tuple[int, int, float, float] | None
    reordered: float | None
    rounding: float

    @property
    def differences(self) -> tuple[str, ...]:
        """Names of the traits that differ."""
        return tuple(name for name, one, other in self.traits if one != other)

    @property
    def same(self) -> bool:
        """Whether shapes are the same, and entries, too, apart from rounding."""
        near = self.max_difference is not None and self.max_difference <= self.rounding
        return near and "shape" not in self.differences

    def __repr__(self) -> str:
        names = ", ".join(self.differences)
        return f"<Comparison: {'same' if self.same else 'different'}{names and ': '}{names}>"

    def __str__(self) -> str:
        names = " and ".join(", ".join(self.differences).rsplit(", ", 1))
        if self.same:
            lines = ["These encodings are the same, apart from rounding."]
        elif names:
            lines = [f"These encodings differ in {names}."]
        else:
            lines = ["These encodings have the same traits, but entries differ."]
        for name, one, other in self.traits:
            lines += [f"  {name}: {one} in a, {other} in b"] * (one != other)
        alike = ", ".join(f"{name} {one}" for name, one, other in self.traits if one == other)
        lines += wrap(f"Alike: {alike}.", 100, break_on_hyphens=False)
        if self.cell:
            row, j, entry, entry_of_b = self.cell
            lines.append(
                f"Entries differ by up to {self.max_difference:.3g}: row {row}, column {j} holds "
                f"{entry:.4g} in a and {entry_of_b:.4g} in b."
            )
        if self.reordered is not None:
            lines.append(
                f"With the columns of b in the order of a's, by up to {self.reordered:.3g}."
            )
        return "\n".join(lines)
