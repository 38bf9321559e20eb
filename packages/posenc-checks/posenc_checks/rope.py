"""Check queries and keys that are rotated in the halves layout (*rope*)."""

from collections.abc import Callable

import numpy as np

from posenc._rope import rope
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, close, forbid, right
from posenc_checks._inspect_answer import used
from posenc_checks._judge import Case, Mistake, Results, judge

__all__ = ["rope_halves"]

Angles = Callable[[Array, int], Array]
Pairs = tuple[Array, Array, Array, Array]

CELL = "row {0[0]}, column {0[1]}".format
CASES: list[Case] = [
    *((np.arange(float(n * d)).reshape(n, d),) for n, d in ((3, 4), (2, 2), (5, 6), (3, 8))),
    (np.ones((200, 16)),),
]
WHOLE: Case = (np.arange(8).reshape(2, 4),)


def rope_halves(answer: Answer) -> None:
    """Check `rope_halves(x)`: RoPE with pairs of columns d/2 apart, for positions 0 to n - 1.

    Parameters
    ----------
    answer : callable
        `rope_halves(x)`, which gets queries or keys of shape (n, d), d even, and returns an array
        of that shape: row t with each pair (i, i + d/2) rotated by t times its frequency.

    Raises
    ------
    NotYet
        If an array comes out otherwise. The message names the first entry that differs.

    Examples
    --------
    >>> rope_halves(lambda x: x)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: rope_halves(np.arange(12.0).reshape(3, 4)) has 4 in row 1, \
column 0; it should have -2.8876. Nothing is rotated.
    """
    names, theirs = used(answer) & {"rope", "rotation"}, getattr(answer, "__globals__", {})
    ours = {one for one in names if getattr(theirs.get(one), "__module__", None) in MODULES}
    # The chapter's own function is called `rope`, too.
    forbid(answer, ours | ({"posenc"} if names else set()), "write the rotation from memory.")
    for cases, mistakes in ((CASES, MISTAKES), ([*CASES, WHOLE], CUT_OFF)):
        judge(
            answer,
            _rotated,
            cases,
            mistakes,
            name="rope_halves",
            describe_entry=CELL,
            observe=_seen,
        )
    right(
        "These are the pairs that Llama has in transformers. In your function, too, a query at 5 "
        "and a key at 2 have the score that they have at 105 and 102."
    )


MODULES = {"posenc._rope", "posenc._shift"}


def _seen(found: Results) -> str:
    """Say whether lengths of pairs are kept."""
    pairs = [(one, x) for one, (x,) in zip(found, CASES, strict=False) if one.shape == x.shape]
    if len(pairs) < min(len(found), len(CASES)):
        return ""
    if all(close(_lengths(one), _lengths(x)) for one, x in pairs):
        return "Lengths of pairs are kept: look at the angles."
    return "A rotation keeps the length of columns i and i + d/2; yours has changed it."


def _lengths(x: Array) -> Array:
    return np.asarray(np.hypot(*np.split(x, 2, axis=-1)))


def _angles(positions: Array, d: int) -> Array:
    return np.multiply.outer(positions, frequencies(d))  # (n, d/2)


def _pairs(x: Array, angles: Angles = _angles) -> Pairs:
    """The two columns of each pair, and the cosine and the sine of its angle, each (n, d/2)."""
    a, b = np.split(x, 2, axis=-1)
    angle = angles(np.arange(float(len(x))), x.shape[-1])
    return a, b, np.cos(angle), np.sin(angle)


def _rotated(x: Array, angles: Angles = _angles) -> Array:
    a, b, c, s = _pairs(x, angles)
    return np.concatenate([a * c - b * s, a * s + b * c], axis=-1)


def _by(change: Callable[..., Array]) -> Callable[[Array], Array]:
    """RoPE whose frequencies, of each pair, are `change(i, d)`."""
    return lambda x: _rotated(
        x, lambda pos, d: np.multiply.outer(pos, change(np.arange(float(d // 2)), d))
    )


def _neighbours(x: Array) -> Array:
    return np.asarray(rope(x.astype(float)))


def _neighbours_swapped(x: Array) -> Array:
    """Each angle twice in a row, as for neighbours, with columns paired d/2 apart."""
    angles = np.repeat(_angles(np.arange(float(len(x))), x.shape[-1]), 2, axis=-1)  # (n, d)
    a, b = np.split(x, 2, axis=-1)
    return np.asarray(x * np.cos(angles) + np.concatenate([-b, a], axis=-1) * np.sin(angles))


def _woven(x: Array) -> Array:
    """Right pairs, laid down side by side."""
    return np.stack(np.split(_rotated(x), 2, axis=-1), axis=-1).reshape(x.shape)


def _reused(x: Array) -> Array:
    """The second column is computed from the first one's new values."""
    a, b, c, s = _pairs(x)
    a = a * c - b * s
    return np.concatenate([a, a * s + b * c], axis=-1)


def _built(make: Callable[[Array, Array, Array, Array], list[Array]]) -> Callable[[Array], Array]:
    return lambda x: np.concatenate(make(*_pairs(x)), axis=-1)


CUT_OFF: list[Mistake] = [
    (lambda x: _rotated(x).astype(x.dtype),
     "It is right for floats, but an array made to be like x holds whole numbers if x does, and "
     "cuts off the rest: make it with `np.empty(x.shape)`."),
]  # fmt: skip
MISTAKES: list[Mistake] = [
    (lambda x: x, "Nothing is rotated."),
    (_neighbours,
     "You rotate neighbouring columns together: here column i is paired with column i + d/2."),
    (lambda x: _rotated(x, lambda pos, d: -_angles(pos, d)),
     "You rotate backwards: the minus sign belongs to the first column of a pair, a cos - b sin."),
    (_neighbours_swapped,
     "Columns are paired d/2 apart, but their angles occur twice in a row, as for neighbours: "
     "column i and column i + d/2 need the same angle."),
    (_woven, "The pairs are right, but you put them side by side: all first columns come first."),
    (_reused,
     "Your second column is computed from the new first one: both need the old values."),
    (_built(lambda a, b, c, s: [a * c + b * s, a * s + b * c]),
     "Both of your signs are plus: a rotation has one minus sign, in a cos - b sin."),
    (_built(lambda a, b, c, s: [a * c - b * s, b * c - a * s]),
     "Both of your sines have a minus: the second column is a sin + b cos."),
    (_built(lambda a, b, c, s: [a * s - b * c, a * c + b * s]),
     "Sine and cosine have changed places: at position 0 nothing may rotate."),
    (_built(lambda a, b, c, s: [a * c, b * s]),
     "You multiply without mixing: a rotated column needs both columns of its pair."),
    *((lambda x, layout=layout: x + sinusoidal(*x.shape, layout=layout),
       "You add the table to x. RoPE adds nothing: it rotates.")
      for layout in ("interleaved", "halves")),
    (_by(lambda i, d: 10000.0 ** (-4 * i / d)),
     "Pair 0 is right, the others are too slow: your exponent is doubled."),
    (_by(lambda i, d: 10000.0 ** (-i / d)),
     "Pair 0 is right, the others are too fast: the base is 10000, and the exponent -2 i / d."),
    (_by(lambda i, d: 10000.0 ** (2 * i / d)),
     "Your frequencies grow from pair to pair: the exponent has a minus sign."),
    *((_by(omega), "Your last frequency is 1/10000, but the last pair stops one step before it: "
       "divide by d, not by d - 2.")
      for omega in (lambda i, d: np.geomspace(1, 1e-4, d // 2),
                    lambda i, d: 10000.0 ** (-2 * i / (d - 2)))),
    (lambda x: _rotated(x, lambda pos, d: _angles(pos + 1, d)),
     "Your row 0 is rotated as if it were at position 1: positions count from 0."),
    (lambda x: _rotated(x, lambda pos, d: _angles(0 * pos + 1, d)),
     "All of your rows are rotated alike: row t is rotated by its own position, t."),
    (lambda x: _rotated(x, lambda pos, d: np.degrees(_angles(pos, d))),
     "Angles in NumPy are radians, and so are frequencies: nothing is to be converted."),
]  # fmt: skip
