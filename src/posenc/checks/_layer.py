"""Checkers for chapters 5 and 6: tests of somebody else's table, and the parts of a layer."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._table import frequencies, sinusoidal
from posenc.checks._answer import NotYet, array, call, close, right

__all__ = ["add_along", "impossible_rows", "next_positions", "stands_at", "valid_base"]

Answer = Callable[..., Any]
Array = NDArray[np.float64]


def _shape(found: Any) -> tuple[int, ...]:
    try:
        return np.shape(found)
    except ValueError:
        raise NotYet("The rows of your answer differ in length, so it is no array.") from None


# Rows that can't be


def impossible_rows(answer: Answer) -> None:
    """Mark `impossible_rows(table, decimals)`: the rows that the unit-circle test refuses.

    `table` has shape (n, d_model), interleaved, and was rounded to `decimals`. The result has
    shape (rows refused,) and holds their positions, each once, in any order.

    Raises NotYet where a row is refused that is right, or accepted that is wrong.

    >>> impossible_rows(lambda table, decimals: [])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: At 4 decimals you let row 7 pass: its hand (0.3, 0.4) is too ...
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
    table = sinusoidal(30, d_model, base=100).round(decimals)
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
    shape = _shape(found)
    if np.asarray(found).dtype == bool:
        what = "row" if shape == table.shape[:1] else "pair"
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
    """Mark `stands_at(row, d_model)`: the position that each slow dial of a row claims.

    `row` holds the first columns, two for each dial, of a row of a table with `d_model` columns,
    interleaved, base 10000; its position is from 0 to 49. The result has one entry for each dial
    of `row` whose wavelength is more than 50, in the order of the pairs.

    Raises NotYet where a true row gets another answer than its position.
    """
    # (d_model, columns that are left, position, dials with a wavelength above 50): the position
    # grows, so that the first hands to be misread are those that a sine alone misreads.
    cases = (128, 128, 25.0, 49), (64, 64, 40.5, 24), (32, 32, 49.0, 12), (128, 98, 10.0, 34)
    for d_model, columns, pos, slow in cases:
        row = sinusoidal([pos], d_model)[0, :columns]
        cut = f" It was cut after {columns} of its {d_model} columns." if columns < d_model else ""
        result = call(answer, row, d_model)
        if _shape(result) != (slow,):
            raise NotYet(_miscounted(_shape(result), slow, columns, d_model) + cut)
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


# Positions for the words to come


def next_positions(answer: Answer) -> None:
    """Mark `next_positions(mask, more)`: where the next `more` words of each sentence stand.

    `mask` has shape (batch, n), 1 for a word and 0 for a pad, with all pads on the left. The
    result has shape (batch, more); positions count the words of a sentence from 0.

    Raises NotYet where a sentence would not go on from its own last word.

    >>> next_positions(lambda mask, more: np.full((len(mask), more), 7))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: For a sentence of 4 words behind 3 pads you start at 7, ...
    """
    cases = ([4, 7], 7, 1), ([2, 5, 1], 6, 3), ([1, 4, 2, 3], 4, 2), ([1], 300, 4)
    for lengths, n, more in cases:
        mask = (np.arange(n) >= n - np.array([lengths]).T).astype(int)
        result = call(answer, mask, more)
        if (shape := _shape(result)) != (len(lengths), more):
            down = " Count along each sentence, not down the batch." if shape[:1] == (n,) else ""
            raise NotYet(
                f"For a mask of shape {mask.shape} and more={more} your answer has the shape "
                f"{shape}. Each sentence needs a row of its own: {(len(lengths), more)}.{down}"
            )
        found = array(result, (len(lengths), more), "Your answer")
        if not close(found, [range(length, length + more) for length in lengths]):
            raise NotYet(_misplaced(found, mask, lengths))
    right("Each sentence goes on from its own last word, however many pads stand in front of it.")


def _misplaced(found: Array, mask: NDArray[np.int_], lengths: list[int]) -> str:
    n, more = mask.shape[1], found.shape[1]
    ranges = [range(length, length + more) for length in lengths]
    which = next(which for which, row in enumerate(ranges) if not close(found[which], row))
    row, length = found[which], lengths[which]
    start = f"For a sentence of {length} words behind {n - length} pads you start at {row[0]:g}"
    if row[0] == length:
        whole = row.astype(int).tolist()
        return f"{start}, which is right, and give {whole}: each word stands one further on."
    if close(found[:, 0], n):
        return f"{start}, which is the width of the mask: pads are no words, so don't count them."
    if close(found[:, 0], np.array(lengths) - 1):
        return f"{start}: there stands its last word, since words count from 0."
    if close(found[:, 0], np.array(lengths) + 1):
        return f"{start}: its last word stands at {length - 1}, so one place stays empty."
    if close(found[:, 0], n - np.array(lengths)):
        return f"{start}, which is the number of its pads: which entries of the mask are words?"
    if close(found[:, 0], sum(lengths)):
        return f"{start}, which counts the words of all sentences: count each row by itself."
    return f"{start}, and it should be {length}: look at what you count in its row of the mask."


# Sums along any axis


def add_along(answer: Answer) -> None:
    """Mark `add_along(x, axis)`: x plus its encoding, with the tokens along `axis`.

    The last axis of `x` holds the d_model columns, an even number; `axis` is any other one. The
    result has the shape and dtype of `x`; tokens stand at 0, 1, 2, ... along `axis`.

    Raises NotYet where a token gets another row than the one of its place.
    """
    rng = np.random.default_rng(60)
    for shape, axis in (
        ((3, 5, 6), 1),
        ((5, 3, 6), 0),
        ((4, 4, 6), 0),
        ((2, 5, 3, 4), 1),
        ((7, 2), 0),
        ((2, 5, 3, 4), -3),
    ):
        x = rng.normal(size=shape)
        result = call(answer, x, axis)
        if _shape(result) != shape and sorted(_shape(result)) == sorted(shape):
            raise NotYet(
                f"x of shape {shape}, axis={axis}, comes back with the shape {_shape(result)}: "
                "bring the axes back to where they were."
            )
        found = array(result, shape, f"Your answer for x {shape}, axis={axis},")
        if not _counts_along(found - x, axis):
            asked = f"With x of shape {shape} and axis={axis}"
            blank = array(call(answer, np.zeros(shape), axis), shape, "Your answer for zeros")
            raise NotYet(f"{asked} {_mixed(found, found - x, blank, axis)}")
    kind = np.asarray(call(answer, np.ones((5, 3, 6), dtype=np.float32), 0)).dtype
    if kind != np.float32:
        raise NotYet(f"x of float32 comes back as {kind}: round the sum to the dtype of x, last.")
    right(
        "One class serves every order of the axes, as long as somebody says where the tokens are."
    )


def _counts_along(added: Array, axis: int, start: int = 0) -> bool:
    table = sinusoidal(range(start, start + added.shape[axis]), added.shape[-1])
    return all(close(added.take(place, axis), row) for place, row in enumerate(table))


def _mixed(found: Array, added: Array, blank: Array, axis: int) -> str:
    if _counts_along(found, axis):
        return "you return the encoding alone: add it to x."
    if _counts_along(blank, axis):
        return (
            "the encoding is right, but x has been mixed up: `reshape` redraws borders, and moves "
            "no axis. Compare your answer minus x with your answer for zeros."
        )
    for other in range(found.ndim - 1):
        if other != axis % found.ndim and _counts_along(added, other):
            return f"you count along axis {other}: every token of a sentence gets the same row."
    if _counts_along(added, axis, start=1):
        return "the first token gets row 1: positions count from 0."
    if close(added, 0):
        return "you return x as it was: what is added?"
    first = added.take(1, axis).reshape(-1, added.shape[-1])[0]
    row = sinusoidal(range(1, 2), added.shape[-1])[0]
    begins, should = (values[:2].round(4).tolist() for values in (first, row))
    return (
        f"what is added to a token at place 1 begins with {begins}, and should begin with "
        f"{should}: look at what you add, and along which axis."
    )


# A setting that makes sense


def valid_base(answer: Answer) -> None:
    """Mark `valid_base(base)`: a base as it is if it makes sense, otherwise a refusal.

    A base makes sense if it is positive and finite. Otherwise a ValueError is to be raised whose
    message holds the word "base", the value, and a base that would do.

    Raises NotYet where a sound base is changed or refused, or a senseless one is not refused well.

    >>> valid_base(lambda base: base)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: base=-1.0 comes back as -1.0: raise a ValueError instead, ...
    """
    for base in (10_000.0, 100, 0.5, 1e300):
        result = call(answer, base)
        if type(result) is not type(base) or result != base:
            raise NotYet(f"base={base!r} makes sense, but comes back as {result!r}: leave it be.")
    why = {
        -1.0: "before a power of it becomes nan",
        0: "since 0 is not positive, and its powers divide by 0",
        float("nan"): "since nan is not positive. Every comparison with nan is false",
        float("inf"): "since it is not finite: all dials but the first would stand still",
        float("-inf"): "since it is neither positive nor finite",
    }
    for base, reason in why.items():
        _refused_well(answer, base, reason)
    right("A wrong base is heard where it was written, not three files later as a table of nan.")


def _refused_well(answer: Answer, base: float, reason: str) -> None:
    try:
        result = answer(base)
    except ValueError as error:
        said = str(error)
    except AssertionError:
        raise NotYet(
            f"base={base!r} meets an `assert`, which python -O leaves out: raise a ValueError."
        ) from None
    except Exception as error:
        kind = type(error).__name__
        raise NotYet(f"base={base!r} stops with {kind}: raise a ValueError, on purpose.") from None
    else:
        raise NotYet(
            f"base={base!r} comes back as {result!r}: raise a ValueError instead, {reason}."
        )
    if "base" not in said:
        raise NotYet(f"Your message is {said!r}. Which argument is it about? Say `base`.")
    if str(base) not in said:
        raise NotYet(f"Your message is {said!r}. Say also what was given: {base!r}.")
    if not re.search("[1-9]", said.replace(str(base), "", 1)):
        raise NotYet(f"Your message is {said!r}. Name a way out as well: a base that would do.")
