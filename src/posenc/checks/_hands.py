"""Check rows whose hands can't be, and where hands say a row stands (*see-it-honestly*)."""

import numpy as np

from posenc._table import frequencies, sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, right, shape_of

__all__ = ["impossible_rows", "stands_at"]


# Rows that can't be


def impossible_rows(answer: Answer) -> None:
    """Check `impossible_rows(table, decimals)`: the rows that the unit-circle test refuses.

    Parameters
    ----------
    answer : callable
        `impossible_rows(table, decimals)`, which gets an interleaved table of shape (n, d_model)
        that was rounded to `decimals`, and returns the positions of the rows refused, each once, in
        any order.

    Raises
    ------
    NotYet
        If a row is refused that is right, or accepted that is wrong.

    Examples
    --------
    >>> impossible_rows(lambda table, decimals: [])
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: At 4 decimals you let row 7 pass: its hand (0.3, 0.4) is too \
short. A hand may miss 1 on either side.
    """
    _accepts_true_tables(answer)
    _refuses(answer, {(7, 0): (0.3, 0.4)}, 2, 4, "is too short. A hand may miss 1 on either side")
    _refuses(answer, {(9, 0): (0.9, 1.2)}, 2, 4, "is too long. A hand may miss 1 on either side")
    one = "is off, and the other five are right. One is enough to refuse a row"
    _refuses(answer, {(8, 3): (0.3, 0.4)}, 12, 4, one)
    cancel = "is too short, and another is too long by as much. Judge each hand by itself"
    _refuses(answer, {(11, 0): (0.2, 0.4), (11, 4): (0.6, 1.2)}, 12, 4, cancel)
    one = "is one of 64, and the only one that is off. Judge each hand by itself"
    _refuses(answer, {(5, 40): (0.6, 0.8003)}, 128, 4, one)
    fine = "gives 1.000048, and at 6 decimals rounding explains no more than 0.0000015"
    _refuses(answer, {(3, 2): (0.6, 0.80003)}, 8, 6, fine)
    squared = "has the squared length 1.0016, and the bound of 0.0015 is one for the square"
    _refuses(answer, {(4, 1): (0.6, 0.801)}, 8, 3, squared)
    right("It needs no true table to compare with: a claim about pairs is enough to test a figure.")


def _accepts_true_tables(answer: Answer) -> None:
    if _named(answer, sinusoidal(1, 4), 4):
        if not _named(answer, np.zeros((1, 4)), 4):
            raise NotYet(
                "You refuse the row 0 1 0 1, where each hand has length 1, and accept a row of "
                "zeros: ask how far sine² + cosine² is from 1, not from 0."
            )
        raise NotYet(
            "You refuse the row 0 1 0 1, where each hand has length 1. A hand is an even column "
            "and the odd column next to it: which columns do you pair?"
        )
    if _named(answer, np.array([[0.6, 0.8]]), 1):
        raise NotYet(
            "You refuse the hand (0.6, 0.8), whose length is 1, since 0.36 + 0.64 = 1: look at "
            "what you square, and at what you add."
        )
    for decimals in (4, 2, 1, 6):
        if refused := _named(answer, sinusoidal(300, 16, base=100).round(decimals), decimals):
            bound = f"{1.5 * 10.0**-decimals:.{decimals + 1}f}"
            raise NotYet(
                f"You refuse row {min(refused)} of a true table that was rounded to {decimals} "
                f"decimals. Rounding alone can take a hand's sine² + cosine² almost {bound} away "
                "from 1: look at the bound you use, and at how it depends on `decimals`."
            )


def _refuses(
    answer: Answer,
    hands: dict[tuple[int, int], tuple[float, float]],
    d_model: int,
    decimals: int,
    why: str,
) -> None:
    """Raise NotYet unless exactly the rows into which `hands` were put, by (row, i), are named."""
    table = sinusoidal(30, d_model, base=100).round(decimals)  # (30, d_model)
    for (row, i), hand in hands.items():
        table[row, 2 * i : 2 * i + 2] = hand
    named, rows = _named(answer, table, decimals), {row for row, _ in hands}
    if named and named == {i for _, i in hands}:
        raise NotYet(f"You give {sorted(named)}, which counts pairs: give the row, {min(rows)}.")
    if rows - named:
        hand = next(iter(hands.values()))
        raise NotYet(f"At {decimals} decimals you let row {min(rows)} pass: its hand {hand} {why}.")
    if named - rows:
        spare, row = min(named - rows), min(rows)
        raise NotYet(f"You refuse row {spare}, which is right; only row {row} has a wrong hand.")


def _named(answer: Answer, table: Array, decimals: int) -> set[int]:
    found = call(answer, table, decimals)
    if isinstance(found, tuple) and found and np.ndim(found[0]):
        raise NotYet(
            "Your answer is a tuple of arrays, as `np.nonzero` and `np.where` give it: its first "
            "entry holds the rows."
        )
    for_rows = shape_of(found) == table.shape[:1]
    if np.asarray(found).dtype == bool:
        what = "row" if for_rows else "pair"
        raise NotYet(f"Your answer says yes or no for each {what}: give the positions of the rows.")
    rows = array(found, (int(np.size(found)),), "Your answer").tolist()
    if twice := [row for row in rows if rows.count(row) > 1]:
        raise NotYet(
            f"Your answer has row {twice[0]:g} more than once: name a row once, however many of "
            "its hands are off."
        )
    return set(map(int, rows))


# Where a vector stands


def stands_at(answer: Answer) -> None:
    """Check `stands_at(row, d_model)`: the position that each slow dial of a row claims.

    Parameters
    ----------
    answer : callable
        `stands_at(row, d_model)`, which gets the first columns, two for each dial, of an
        interleaved row of base 10000 with `d_model` columns, at a position from 0 to 49. It returns
        one number for each dial of `row` whose wavelength is more than 50, in the order of the
        pairs.

    Raises
    ------
    NotYet
        If a true row gets another answer than its position.

    Examples
    --------
    >>> stands_at(lambda row, d_model: np.zeros(row.size // 2))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: Of the 64 dials of a row, 49 have a wavelength above 50; you \
answer for all: leave out the fast dials, which have lost count.
    """
    # (d_model, columns that are left, position, dials with a wavelength above 50): the position
    # grows, so that the first hands to be misread are those that a sine alone misreads.
    cases = (128, 128, 25.0, 49), (64, 64, 40.5, 24), (32, 32, 49.0, 12), (128, 98, 10.0, 34)
    for d_model, columns, pos, slow in cases:
        row = sinusoidal([pos], d_model)[0, :columns]
        cut = f" It was cut after {columns} of its {d_model} columns." if columns < d_model else ""
        result = call(answer, row, d_model)
        if shape_of(result) != (slow,):
            raise NotYet(_miscounted(shape_of(result), slow, columns, d_model) + cut)
        claims = array(result, (slow,), "Your answer")
        first = columns // 2 - slow
        for i, omega in enumerate(frequencies(d_model)[first : first + slow], start=first):
            if not close(claims[i - first], pos, atol=1e-4):
                found = f"{claims[i - first]:.4f}"
                raise NotYet(
                    f"With d_model={d_model}, a row of position {pos:g}: its dial {i} should say "
                    f"{pos:g}, and says {found}. {_misread(claims[i - first], pos, omega)}{cut}"
                )
    right("All slow dials of a true row agree. An invented row would have to get every one right.")


def _miscounted(shape: tuple[int, ...], slow: int, columns: int, d_model: int) -> str:
    wanted = f"Of the {columns // 2} dials of a row, {slow} have a wavelength above 50"
    if d_model > columns:
        return f"{wanted}, but your answer has the shape {shape}: whose frequencies did you take?"
    hint = {
        (columns // 2,): "you answer for all: leave out the fast dials, which have lost count",
        (columns // 2 - slow,): "you answer for the others, the fast ones",
        (columns,): "you answer for each column: a dial is two columns, and gives one answer",
        (): "you give a single number: give one for each of them",
    }.get(shape, f"your answer has the shape {shape}")
    return f"{wanted}; {hint}."


def _misread(claim: float, pos: float, omega: float) -> str:
    angle, said = pos * omega, claim * omega
    sine, cosine = close(np.sin(said), np.sin(angle)), close(np.cos(said), np.cos(angle))
    if close(claim, angle):
        return "That is its angle: how far does it turn from one position to the next?"
    if close(claim, angle * omega):
        return (
            "That is its angle times its frequency: which way does one go from angle to position?"
        )
    if sine and cosine:
        return "It is off by a whole turn: angles should run from 0 to 2π, not from −π to π."
    if close(np.sin(said), np.cos(angle)) and close(np.cos(said), np.sin(angle)):
        return "Sine and cosine have changed places: which one does `arctan2` take first?"
    if close(np.sin(said), -np.sin(angle)) and close(np.cos(said), -np.cos(angle)):
        return "It is off by half a turn: a quotient can't tell a hand from the opposite one."
    if sine or cosine:
        one = "sine" if sine else "cosine"
        return f"Its {one} fits two hands, and you took the other one: use both columns of a pair."
    return f"Its hand has turned by {angle:.4f} radians: look at which columns you pair, and how."
