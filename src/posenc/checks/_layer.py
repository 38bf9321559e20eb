"""Check positions that go on, sums along any axis, a base refused (*make-it-a-class*)."""

import re

import numpy as np
from numpy.typing import NDArray

from posenc._table import sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, right, shape_of
from posenc.checks._mistakes import Mistakes, likely

__all__ = ["add_along", "next_positions", "valid_base"]


# Positions for the words to come


def next_positions(answer: Answer) -> None:
    """Check `next_positions(mask, more)`: where the next `more` words of each sentence stand.

    Parameters
    ----------
    answer : callable
        `next_positions(mask, more)`, which gets a mask of shape (batch, n), 1 for a word and 0 for
        a pad, with all pads on the left. It returns an array of shape (batch, more); positions
        count the words of a sentence from 0.

    Raises
    ------
    NotYet
        If a sentence does not go on from its own last word.

    Examples
    --------
    >>> next_positions(lambda mask, more: np.full((len(mask), more), 7))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: For a sentence of 4 words behind 3 pads you start at 7, which is \
the width of the mask: pads are no words, so don't count them.
    """
    cases = ([4, 7], 7, 1), ([2, 5, 1], 6, 3), ([1, 4, 2, 3], 4, 2), ([1], 300, 4)
    for lengths, n, more in cases:
        mask = (np.arange(n) >= n - np.array([lengths]).T).astype(int)  # (batch, n)
        result = call(answer, mask, more)
        if (shape := shape_of(result)) != (len(lengths), more):
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
    due = np.array(lengths)
    mistakes: Mistakes = [
        (n, ", which is the width of the mask: pads are no words, so don't count them."),
        (due - 1, ": there stands its last word, since words count from 0."),
        (due + 1, f": its last word stands at {length - 1}, so one place stays empty."),
        (n - due, ", which is the number of its pads: which entries of the mask are words?"),
        (due.sum(), ", which counts the words of all sentences: count each row by itself."),
    ]
    return start + (
        likely(found[:, 0], mistakes)
        or f", and it should be {length}: look at what you count in its row of the mask."
    )


# Sums along any axis


def add_along(answer: Answer) -> None:
    """Check `add_along(x, axis)`: x plus its encoding, with the tokens along `axis`.

    Parameters
    ----------
    answer : callable
        `add_along(x, axis)`, which gets an array with the d_model columns, an even number, in its
        last axis; `axis` is any other one. It returns an array of the shape and dtype of `x`;
        tokens stand at 0, 1, 2, ... along `axis`.

    Raises
    ------
    NotYet
        If a token gets another row than the one of its place.

    Examples
    --------
    >>> add_along(lambda x, axis: x)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: With x of shape (3, 5, 6) and axis=1 you return x as it was: \
what is added?
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
        if shape_of(result) != shape and sorted(shape_of(result)) == sorted(shape):
            raise NotYet(
                f"x of shape {shape}, axis={axis}, comes back with the shape {shape_of(result)}: "
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
    *_, d_model = added.shape
    table = sinusoidal(range(start, start + added.shape[axis]), d_model)  # (tokens, d_model)
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
    """Check `valid_base(base)`: a base as it is if it makes sense, otherwise a refusal.

    Parameters
    ----------
    answer : callable
        `valid_base(base)`, which returns a base that is positive and finite. For any other it
        raises a ValueError whose message holds the word "base", the value, and a base that would
        do.

    Raises
    ------
    NotYet
        If a sound base is changed or refused, or a senseless one is not refused well.

    Examples
    --------
    >>> valid_base(lambda base: base)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: base=-1.0 comes back as -1.0: raise a ValueError instead, before \
a power of it becomes nan.
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
