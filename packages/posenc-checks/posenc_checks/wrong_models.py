"""Check a decoding step behind left padding, and a cache of rows (*wrong-models*)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._table import sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, call, right
from posenc_checks._judge import CANT_TELL, Case, Mistake, Results, Truth, judge, same

__all__ = ["decode_step", "remember"]

Settings = tuple[int, int, float, int]


# A decoding step


def decode_step(answer: Answer) -> None:
    """Check `decode_step(new, past, mask)`: a batch after one more token for each sequence.

    Parameters
    ----------
    answer : callable
        `decode_step(new, past, mask)`, which returns an array of shape (batch, t + 1, d_model).
        `new` has shape (batch, d_model), without position vectors; `past` has shape
        (batch, t, d_model) and includes them; `mask` has shape (batch, t), 1 for a token and 0 for
        a pad, with all pads on the left.

    Raises
    ------
    NotYet
        If `past` is not kept, or a new token does not get its position.

    Examples
    --------
    >>> decode_step(lambda new, past, mask: new)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: decode_step([[1, 0]], [[[0, 1], [5, 7]]], [[0, 1]]) should have \
the shape (1, 3, 2), but its shape is (1, 2). You return the new tokens alone: put what was read \
so far before them.
    """
    entry = "column {0[2]} of token {0[1]} of sequence {0[0]}".format
    judge(
        answer,
        _step(_count),
        BATCHES,
        STEPS,
        name="decode_step",
        describe_entry=entry,
        observe=_alone,
    )
    right("With cache and pads, each sequence goes on at its own position, not at the batch's.")


def _batch(lengths: list[int], t: int, d_model: int) -> Case:
    rng = np.random.default_rng(140)
    mask = (np.arange(t) >= t - np.array([lengths]).T).astype(int)  # (batch, t)
    past = rng.normal(size=(len(lengths), t, d_model))
    return rng.normal(size=(len(lengths), d_model)), past, mask


BATCHES: list[Case] = [
    (np.array([[1.0, 0]]), np.array([[[0.0, 1], [5, 7]]]), np.array([[0, 1]])),
    _batch([2, 5, 1], 6, 8),
    _batch([5, 8], 8, 6),
    _batch([3], 3, 4),
    _batch([1, 4, 2, 3, 4], 5, 2),
    _batch([0, 0], 0, 6),
]


def _count(mask: Array) -> Any:
    return mask.sum(axis=1)


def _new(new: Array, positions: Any) -> Array:
    rows = sinusoidal(np.broadcast_to(positions, len(new)), new.shape[1])
    return np.asarray((new + rows)[:, np.newaxis])  # (batch, 1, d_model)


def _step(number: Callable[[Array], Any]) -> Truth:
    """A step that gives each new token the position `number(mask)`."""
    return lambda new, past, mask: np.concatenate([past, _new(new, number(mask))], axis=1)


def _joined(join: Callable[[Array, Array], list[Array]]) -> Truth:
    """A step that joins other things than `past` and the new tokens with their positions."""
    return lambda new, past, mask: np.concatenate(join(past, _new(new, _count(mask))), axis=1)


LAST = "the position of the last token: they come after it."
STEPS: list[Mistake] = [
    *((_step(number), f"New tokens get {which}") for number, which in (
        (lambda mask: mask.shape[1], "the width of the batch as position: don't count pads."),
        (lambda mask: 0, "row 0, as a first token does: count those before them."),
        (lambda mask: _count(mask) - 1, LAST),
        (lambda mask: np.maximum(_count(mask) - 1, 0), LAST),
        (lambda mask: (1 - mask).sum(axis=1), "the number of pads: which entries are tokens?"),
        (lambda mask: mask.sum(), "the number of tokens in the whole batch: count by sequence."),
    )),
    (lambda new, past, mask: np.concatenate([past, new[:, np.newaxis]], axis=1),
     "You append the new tokens without position vectors: add those first."),
    (_joined(lambda past, new: [new, past]),
     "You put the new tokens in front: they come after what was read so far."),
    (_joined(lambda past, new: [past + sinusoidal(*past.shape[1:]), new]),
     "You add position vectors to what was read, which includes its own: now it has them twice."),
]  # fmt: skip


def _alone(found: Results) -> str:
    if all(one.shape in (new.shape, new[:, np.newaxis].shape)
           for one, (new, *_) in zip(found, BATCHES, strict=False)):  # fmt: skip
        return "You return the new tokens alone: put what was read so far before them."
    return ""


# Rows that are kept


def remember(answer: Answer) -> None:
    """Check `remember(make)`: a function that returns what `make` returns, but calls it once.

    Parameters
    ----------
    answer : callable
        `remember(make)`, which gets a function `make(n, d_model, base, offset)` that returns an
        array, and returns another of the same arguments. For the same four arguments `make` is
        called once, and what a caller writes into one result must not appear in the next.

    Raises
    ------
    NotYet
        If a result differs from that of `make`, or if `make` is called again.

    Examples
    --------
    >>> remember(lambda make: make)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: Asked twice for (5, 6, 10000.0, 0), you call make twice: call it \
the first time, and keep its result.
    """
    made: list[Settings] = []

    def make(*settings: Any) -> Array:
        made.append(settings)
        return _made(*settings)

    def fresh(*settings: Any) -> Any:
        return answer(_made)(*settings)

    table = _remembered(answer, make)
    fresh.__name__ = "remember(make)"
    judge(fresh, _made, NEW, SWAPS, name="remember(make)")
    for _ in range(2):
        _gives(table, FIRST, NOT_MADE)
    if len(made) != 1:
        times = "never" if not made else "twice" if len(made) == 2 else f"{len(made)} times"
        raise NotYet(
            f"Asked twice for {FIRST}, you call make {times}: call it the first time, and keep "
            "its result."
        )
    for what, other in OTHERS.items():
        said = f"is that for {FIRST}, which differs from it in {what}: keep {what}."
        _gives(table, other, said, FIRST)
    _gives(table, FIRST, "has changed since others were asked for.")
    if len(made) != len(set(made)):
        raise NotYet(f"Asked for {FIRST} once more, after others, you call make again: keep all.")
    for one, other in MIXED:
        _gives(table, one, NOT_MADE)
        _gives(table, other, f"is mixed up with {one}: keep the four apart and in order.", one)
    for written in ("first", "second"):
        result = np.asarray(call(table, *UNASKED))
        if result.flags.writeable:
            result[...] = 7
        said = (
            f"is full of sevens, written into the {written} answer: return a copy of what you keep."
        )
        _gives(table, UNASKED, said)
    _is_alone(answer, table)
    if len(made) != len(set(made)):
        raise NotYet(
            "In the end you call make again for settings you had before: keep every result."
        )
    right(
        "Your key holds everything that determines the rows, and no caller can change what you "
        "keep."
    )


def _remembered(answer: Answer, make: Answer) -> Answer:
    table: Answer = call(answer, make)
    if not callable(table):
        raise NotYet(
            f"remember(make) returns a {type(table).__name__}, and should return a function of "
            "n, d_model, base and offset: return your inner function without calling it."
        )
    return table


def _made(n: int, d_model: int, base: float, offset: int) -> Array:
    return sinusoidal(range(offset, offset + n), d_model, base=base)


NOT_MADE = f"is not what make returns. {CANT_TELL}"
NEW: list[Case] = [(2, 2, 10.0, 3), (2, 4, 10_000.0, 0), (4, 2, 500.0, 1), (6, 4, 100.0, 2)]
SWAPS: list[Mistake] = [
    (lambda n, d, b, o: _made(d, n, b, o), "You swap `n` and `d_model` when you call make."),
]
FIRST, UNASKED = (5, 6, 10_000.0, 0), (4, 8, 100.0, 3)
OTHERS = {
    "base": (5, 6, 100.0, 0),
    "offset": (5, 6, 10_000.0, 9),
    "d_model": (5, 8, 10_000.0, 0),
    "n": (7, 6, 10_000.0, 0),
}
MIXED = (
    ((4, 6, 100.0, 0), (6, 4, 100.0, 0)),
    ((1, 16, 100.0, 0), (11, 6, 100.0, 0)),
    ((3, 4, 100.0, -1), (3, 4, 100.0, -2)),
    ((3, 4, 9.5, 2), (3, 4, 9.5, -2)),
    ((3, 4, 8.25, 0), (3, 4, 8.5, 0)),
)


def _gives(table: Answer, settings: Settings, wrong: str, like: Settings | None = None) -> None:
    """Raise NotYet if the answer is not that of make; `wrong` holds if it is that for `like`."""
    result, expected = call(table, *settings), _made(*settings)
    if not same(result, expected):
        fits = like is None or same(result, _made(*like))
        raise NotYet(f"The answer for {settings} {wrong if fits else NOT_MADE}")


def _is_alone(answer: Answer, table: Answer) -> None:
    other = _remembered(answer, lambda *settings: -_made(*settings))
    if not same(call(other, *FIRST), -_made(*FIRST)):
        raise NotYet(
            "A second remember(make), with another make, returns results of the first: each needs "
            "a dictionary of its own, made inside `remember`."
        )
    _gives(table, FIRST, "comes from another make: give each `remember` its own dictionary.")
