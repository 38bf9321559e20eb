"""Check flags that count places, and places read from bits (*try-the-obvious-positions*)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.checks._answer import Answer, Array, NotYet, array, call, right

__all__ = ["read_bits", "thermometer"]


def thermometer(answer: Answer) -> None:
    """Check `thermometer(pos, width)`: a row of flags for each position, one more for each place.

    Parameters
    ----------
    answer : callable
        `thermometer(pos, width)`, which gets positions of shape (n,) and returns an array of shape
        (n, width): flags go up from column 0 on.

    Raises
    ------
    NotYet
        With the first row whose flags are not right.

    Examples
    --------
    >>> thermometer(lambda pos, width: (pos[:, None] == np.arange(width)).astype(int))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: Each row has one flag up; row 3 reads 0 0 0 1 0 0. \
Leave the flags of earlier places up when the next one rises.
    """
    for pos, width in (
        (np.arange(4), 6),
        (np.array([4, 2, 2, 40, 0, 5]), 5),
        (np.arange(16, -1, -1), 16),
        (np.array([3, 100]), 1),
    ):
        found = array(call(answer, pos, width), (len(pos), width), f"The table of width {width}")
        if width == 6 and found.sum(axis=1).tolist() == [1, 1, 1, 1]:
            raise NotYet(
                f"Each row has one flag up; row 3 reads {_said(found[3])}. "
                "Leave the flags of earlier places up when the next one rises."
            )
        for number, (place, row) in enumerate(zip(pos.tolist(), found, strict=True)):
            if (mistake := _flag_mistake(number, place, row)) is not None:
                raise NotYet(f"Row {number} is for place {place} and reads {_said(row)}. {mistake}")
    right(
        "Places that are k apart differ in k columns, so near is similar. "
        "The price is a column for each place."
    )


def read_bits(answer: Answer) -> None:
    """Check `read_bits(rows)`: the place that each row of bits stands for, the fast bit first.

    Parameters
    ----------
    answer : callable
        `read_bits(rows)`, which gets bits of shape (n, width), the fast one in column 0, and
        returns an array of shape (n,).

    Raises
    ------
    NotYet
        With the first row that is read wrongly.

    Examples
    --------
    >>> read_bits(lambda rows: rows.sum(axis=1))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: You read 0 1 0 0 as 1, but it is place 2. \
You counted the bits that are on. They are not all worth the same.
    """
    rng = np.random.default_rng(4)
    for places, width in (
        ([1, 2, 4, 3, 6, 0], 4),
        ([0, 1, 1], 1),
        ([256, 255, 32_768, 65_535], 16),
        (rng.integers(0, 2**20, size=50).tolist(), 20),
    ):
        rows = np.array([[int(bit) for bit in f"{place:0{width}b}"[::-1]] for place in places])
        found = array(call(answer, rows), (len(places),), f"What you read from {len(rows)} rows")
        wrong = np.flatnonzero(found != places)
        if wrong.size:
            row, said, place = rows[wrong[0]], found[wrong[0]], places[wrong[0]]
            hint = _misreading(found, width)
            raise NotYet(f"You read {_said(row)} as {said:.10g}, but it is place {place}. {hint}")
    right(
        "Each row leads back to one place, so no two places share a row. And a weighted sum of "
        "the columns is enough to read it, which one column of a matrix can do."
    )


def _flag_mistake(number: int, place: int, row: Array) -> str | None:
    due, up = min(place, len(row)), int((row == 1).sum())
    if not np.isin(row, (0, 1)).all():
        return "A flag is up or down: use no numbers but 1 and 0."
    if due == up and row[:due].all():
        return None
    if due == 0 and up == len(row) > 1:
        return "Up is 1 and down is 0: at place 0 all flags are down."
    if due == 0:
        return "A flag in column j goes up after place j, so at place 0 none is up yet."
    if due == up:
        return "The count is right, and the wrong flags are up. Raise them from column 0 on."
    if up == min(number, len(row)):
        return f"That would be the row of place {number}. Let `pos` decide, not the row's number."
    if place >= len(row):
        return f"After the last column there is no flag left to raise: all {len(row)} stay up."
    return f"The number of flags up should be {due}, and it is {up}."


def _misreading(found: Array, width: int) -> str:
    """Name the mistake from what the columns 0, 1 and 2 of the first case are worth, or guess."""
    if width != 4:
        return f"Here is a row of width {width}: does your function count on another width?"
    return {
        (1, 1, 1): "You counted the bits that are on. They are not all worth the same.",
        (8, 4, 2): "You read from the wrong end: column 0 holds the ones.",
        (0, 1, 2): "You used the number of a column. A column is worth more than its number.",
        (1, 2, 3): "You used the number of a column, plus one. Each column doubles the one before.",
        (0, 2, 4): "You took two times the number of a column. Each doubles the one before.",
        (0, 1, 4): "You took the square of the column's number. Each doubles the one before.",
        (2, 4, 8): "All places come out doubled: column 0 is worth 1.",
        (2, 3, 5): "All places are one too far: places count from 0.",
        (1, 10, 100): "You gave the columns what they are worth in base ten: 1, 10, 100.",
    }.get(tuple(found[:3].tolist()), "Ask what each column alone is worth.")


def _said(row: NDArray[Any]) -> str:
    return " ".join(f"{number:.10g}" for number in row)
