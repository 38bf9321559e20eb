"""What is said of a wrong result: the foreseen mistake that gives it, or its first wrong entry."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from posenc._diagnosis import diagnose
from posenc.checks._answer import NotYet, close

# What a wrong answer would agree with, and what is then said of it.
Mistakes = Iterable[tuple[ArrayLike, str]]

# Two ways to name an entry; `same` fills them in.
ENTRY = "entry {place} is {found}, expected {expected}"
CELL = "row {place[0]}, column {place[1]} holds {found} and should hold {expected}"


def likely(found: ArrayLike, mistakes: Mistakes) -> str:
    """Return what is said of the first mistake that leads to `found`, or nothing."""
    said = (said for wrong, said in mistakes if np.allclose(found, wrong, rtol=1e-6, atol=1e-9))
    return next(said, "")


def same(
    found: Any,
    expected: Any,
    what: str,
    said: str = ENTRY,
    hint: str = ". It is the first that differs: work it out by hand.",
) -> None:
    """Raise NotYet with the first entry that is not as expected, if there is one.

    The message is `what`, a space, `said` and `hint`. The last two may have {place}, {found} and
    {expected} in them. A result that is off by rounding alone gets another hint.
    """
    if close(found, expected):
        return
    miss = abs(found - expected)
    place = tuple(np.argwhere(miss > 1e-9)[0].tolist())
    digits = 4 if miss[place] > 1e-4 else 10
    if miss.max() <= 1e-4:
        hint = (
            f". Your result is right but for rounding: it is off by {miss.max():.0e}. "
            "Look for a round() or for float32 on the way."
        )
    # Adding 0 makes -0 a 0.
    shown = (f"{values[place].round(digits) + 0:.{digits}f}" for values in (found, expected))
    entry = (said + hint).format(place=place, found=next(shown), expected=next(shown))
    raise NotYet(f"{what} {entry}")


def diagnosed(table: ArrayLike) -> str:
    """Return what a diagnosis says of a whole table, or nothing if it finds no name for it."""
    findings = diagnose(table, recipe="paper").findings
    if not findings or any(finding.mistake == "not-an-encoding" for finding in findings):
        return ""
    return " ".join(f"{finding.evidence} {finding.remedy}" for finding in findings)
