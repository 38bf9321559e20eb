"""Check digits, flags that stay up, and positions read from bits (*simple-positions*)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_checks._answer import Answer, right
from posenc_checks._judge import Case, Mistake, Truth, judge

__all__ = ["digits", "read_bits", "thermometer"]


def digits(answer: Answer) -> None:
    """Check `digits(pos, base, width)`: the digits of each position, the ones in column 0.

    Parameters
    ----------
    answer : callable
        `digits(pos, base, width)`, which gets positions of shape (n,) and two whole numbers, and
        returns an array of shape (n, width).

    Raises
    ------
    NotYet
        With the first position whose digits are not right.

    Examples
    --------
    >>> digits(lambda pos, base, width: pos[:, None] // base ** np.arange(width))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: Position 2 in base 2 reads 2 1 0 in your columns; it should read \
0 1 0. The remainder is missing: after the division, a digit is what `% base` leaves.
    """
    # A division by 0 should meet the learner as its result, not as a warning of NumPy.
    with np.errstate(all="ignore"):
        judge(
            answer,
            _digits,
            NUMBERS,
            DIGITS,
            name="digits",
            describe_difference=_misspelt,
            hint="Work out one column of one position by hand.",
        )
    right(
        "Column j repeats every base ** (j + 1) positions, so each column is slower than the "
        "one before by the same factor. The next chapter keeps that factor, but not the jumps."
    )


def thermometer(answer: Answer) -> None:
    """Check `thermometer(pos, width)`: a row of flags for each position, one more each time.

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
    posenc_checks._answer.NotYet: Row 0 is for position 0 and reads 1 0 0 0 0 0. Only one flag is \
up: leave those of earlier positions up when the next one rises.
    """
    judge(
        answer,
        _flags,
        TABLES,
        FLAGS,
        name="thermometer",
        describe_difference=_row,
        hint=COUNT,
    )
    right(
        "Positions that are k apart differ in k columns, so near is similar. "
        "The price is a column for each position."
    )


def read_bits(answer: Answer) -> None:
    """Check `read_bits(rows)`: the position that each row of bits is for, the fast bit first.

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
    posenc_checks._answer.NotYet: You read 0 1 0 0 as 1, but it is position 2. \
You counted the bits that are on, but not all are worth the same.
    """
    judge(
        answer,
        _read,
        ROWS,
        READINGS,
        name="read_bits",
        describe_difference=_misread,
        hint=WORTH,
    )
    right(
        "Each row leads back to one position, so no two share a row. A weighted sum of the "
        "columns is enough to read it, which one column of a matrix can compute."
    )


def _digits(pos: NDArray[Any], base: int, width: int) -> NDArray[Any]:
    return np.asarray(pos[:, np.newaxis] // base ** np.arange(width) % base)


def _misspelt(
    found: NDArray[Any], expected: NDArray[Any], pos: NDArray[Any], base: int, width: int
) -> str:
    """Show the first position whose digits are not right."""
    row = int((found != expected).any(axis=1).argmax())
    return (
        f"Position {pos[row]} in base {base} reads {_said(found[row])} in your columns; it should "
        f"read {_said(expected[row])}."
    )


def _by_column(digit: Callable[..., Any]) -> Truth:
    """Tables with `digit(pos, base, j)` in column j, where `pos` is a column."""
    return lambda pos, base, width: digit(pos[:, np.newaxis], base, np.arange(width))


NUMBERS: list[Case] = [
    (np.array(pos, dtype=np.int64), base, width)  # in a browser, NumPy's own integers have 32 bits
    for pos, base, width in (
        (range(6), 2, 3),
        ([407, 9, 10], 10, 4),
        ([1023, 12, 7, 1024], 2, 10),
        ([59, 3600, 86_399], 60, 3),
        ([80, 5, 26, 27, 242], 3, 5),
        ([1234], 10, 2),
        ([31, 8], 16, 1),
    )
]
DIGITS: list[Mistake] = [
    (lambda pos, base, width: _digits(pos, base, width)[:, ::-1],
     "The digits are right, in the order of writing: the ones belong in column 0."),
    (_by_column(lambda pos, base, j: pos // base**j),
     "The remainder is missing: after the division, a digit is what `% base` leaves."),
    (_by_column(lambda pos, base, j: pos // 2**j % 2),
     "These are bits, whatever the base is: put `base` in place of the 2."),
    (_by_column(lambda pos, base, j: pos // base**j % 2),
     "You divide by powers of `base`, and then take the remainder by 2: take it by `base`, too."),
    (_by_column(lambda pos, base, j: pos // 2**j % base),
     "The remainder is by `base`, but you divide by powers of 2: divide by those of `base`."),
    (_by_column(lambda pos, base, j: pos // 10**j % 10),
     "These are the digits in base ten, whatever `base` is."),
    (_by_column(lambda pos, base, j: pos // base**j % 10),
     "You take the remainder by 10, whatever the base is: take it by `base`."),
    (_by_column(lambda pos, base, j: pos // base ** (j + 1) % base),
     "The ones are missing: in column 0 the power is `base ** 0`, which is 1."),
    (_by_column(lambda pos, base, j: pos % base + 0 * j),
     "All columns hold the ones: which power of `base` comes before the remainder?"),
    (_by_column(lambda pos, base, j: pos // (base * j) % base),
     "You divide by `base` times j: a power is `base ** j`."),
    (_by_column(lambda pos, base, j: pos / base**j % base),
     "Your digits have decimals: divide with //, which drops them."),
    (_by_column(lambda pos, base, j: pos % base ** (j + 1)),
     "You take remainders by powers: divide by `base ** j`, and then take the one by `base`."),
    (lambda pos, base, width: _digits(np.arange(len(pos)), base, width),
     "That would be right for positions 0, 1, 2 …: let `pos` decide, not the row's number."),
]  # fmt: skip


def _flags(pos: NDArray[Any], width: int) -> NDArray[Any]:
    return (pos[:, np.newaxis] > np.arange(width)).astype(int)


def _row(found: NDArray[Any], expected: NDArray[Any], pos: NDArray[Any], width: int) -> str:
    """Show the first row of flags that is not right."""
    number = int((found != expected).any(axis=1).argmax())
    return f"Row {number} is for position {pos[number]} and reads {_said(found[number])}."


COUNT = "How many flags should be up there, and in which columns?"
FLAGS: list[Mistake] = [
    (lambda pos, width: pos[:, np.newaxis] == np.arange(width),
     "Only one flag is up: leave those of earlier positions up when the next one rises."),
    (lambda pos, width: pos[:, np.newaxis] >= np.arange(width),
     "A flag in column j goes up after position j, so at position 0 none is up yet."),
    (lambda pos, width: _flags(pos, width)[:, ::-1],
     "The count is right, but the wrong flags are up: raise them from column 0 on."),
    (lambda pos, width: _flags(np.arange(len(pos)), width),
     "That would be right for rows 0, 1, 2 …: let `pos` decide, not the row's number."),
    (lambda pos, width: pos[:, np.newaxis] // 2 ** np.arange(width) % 2,
     "These are the bits of the position: here each position adds one flag."),
]  # fmt: skip
TABLES: list[Case] = [
    (np.arange(4), 6),
    (np.array([3, 100]), 1),
    (np.array([4, 2, 2, 42, 0, 7]), 5),
    (np.arange(16, -1, -1), 16),
]


def _bits(positions: Any, width: int) -> NDArray[np.int_]:
    return np.array([[int(bit) for bit in f"{position:0{width}b}"[::-1]] for position in positions])


def _read(rows: NDArray[Any]) -> NDArray[Any]:
    return rows @ 2 ** np.arange(rows.shape[1])


def _misread(found: NDArray[Any], expected: NDArray[Any], rows: NDArray[Any]) -> str:
    """Show the first row of bits that is read wrongly."""
    row = int((found != expected).argmax())
    return f"You read {_said(rows[row])} as {found[row]:.10g}, but it is position {expected[row]}."


def _worth(worth: Callable[[NDArray[Any]], Any]) -> Truth:
    """Readings in which column j is worth `worth(j)`."""
    return lambda rows: rows @ worth(np.arange(rows.shape[1]))


ROWS: list[Case] = [
    (_bits([0, 1, 1], 1),),
    (_bits([1, 2, 4, 3, 6, 0], 4),),
    (_bits([256, 255, 32_768, 65_535], 16),),
    (_bits(np.random.default_rng(4).integers(0, 2**20, size=50), 20),),
]
WORTH = "Ask what each column alone is worth."
READINGS: list[Mistake] = [
    (_worth(np.ones_like), "You counted the bits that are on, but not all are worth the same."),
    (lambda rows: _read(rows[:, ::-1]), "You read from the wrong end: column 0 holds the ones."),
    (_worth(lambda j: j), "You used the number of a column. A column is worth more than that."),
    (_worth(lambda j: 10**j), "You gave the columns what they are worth in base ten: 1, 10, 100."),
    (lambda rows: (rows * 2 ** np.arange(rows.shape[1])).sum(axis=0),
     "You have one number for each column: add up along the rows."),
]  # fmt: skip


def _said(row: NDArray[Any]) -> str:
    return " ".join(f"{number:.10g}" for number in row)
