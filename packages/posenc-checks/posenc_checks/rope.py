"""Check queries and keys that are rotated in the halves layout (*rope*)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from posenc._layout import to_layout
from posenc._rope import rope
from posenc._table import frequencies, sinusoidal
from posenc_checks._answer import Answer, Array, close, forbid, right
from posenc_checks._inspect_answer import used
from posenc_checks._judge import Case, Hint, Mistake, Results, judge

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
            explain_crash=_why_it_stops,
            observe=_seen,
        )
    right(
        "These are the pairs that Llama has in transformers. In your function, too, a query at 5 "
        "and a key at 2 have the score that they have at 105 and 102."
    )


MODULES = {"posenc._rope", "posenc._shift"}


def _why_it_stops(said: str) -> str:
    """Say what the errors mean that are likely here."""
    if "can't broadcast" in said:
        return "Angles have the shape (n, d / 2): a row for each position, a column for each pair."
    if "negative powers" in said:
        return "Put all of the exponent, -2 * i / d, into brackets, and divide by `/`, not by `//`."
    return ""


def _seen(found: Results) -> str:
    """Say by which angles pairs are rotated, if they are."""
    pairs = [(one, x) for one, (x,) in zip(found, CASES, strict=False) if one.shape == x.shape]
    if len(pairs) < min(len(found), len(CASES)):
        return ""
    turns = [_complex(one) / _complex(x) for one, x in pairs]  # each (n, d/2)
    if not all(close(abs(turn), 1) for turn in turns):
        return Hint("A rotation keeps the length of columns i and i + d/2; yours has changed it.")
    if all(close(turn, turn[0]) for turn in turns):
        return ALIKE
    for turn in turns:
        steps, omega = np.angle(turn[1]), frequencies(2 * turn.shape[1])
        if not close(turn, np.exp(1j * np.multiply.outer(np.arange(len(turn)), steps))):
            return Hint("Lengths of pairs are kept: look at the angles.")
        for i in np.flatnonzero(abs(steps - omega) > 1e-9):
            return (
                f"With d = {2 * len(omega)}, your pair {i} goes on by {steps[i]:.4f} from row to "
                f"row; it should go on by {omega[i]:.4f}: look at the frequencies."
            )
    return ""


def _complex(x: Array) -> NDArray[np.complex128]:
    a, b = np.split(x, 2, axis=-1)
    return a + 1j * b


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


def _neighbours(x: Array, sense: int = 1) -> Array:
    return np.asarray(rope(x.astype(float), positions=sense * np.arange(len(x))))


def _neighbours_swapped(x: Array) -> Array:
    """Each angle twice in a row, as for neighbours, with columns paired d/2 apart."""
    angles = np.repeat(_angles(np.arange(float(len(x))), x.shape[-1]), 2, axis=-1)  # (n, d)
    a, b = np.split(x, 2, axis=-1)
    return np.asarray(x * np.cos(angles) + np.concatenate([-b, a], axis=-1) * np.sin(angles))


def _mirrored(x: Array) -> Array:
    """Column i is paired with column d - 1 - i."""
    a, b, c, s = _pairs(x)
    b = b[:, ::-1]
    return np.concatenate([a * c - b * s, (a * s + b * c)[:, ::-1]], axis=-1)


def _woven(x: Array) -> Array:
    """Right pairs, laid down side by side."""
    return np.stack(np.split(_rotated(x), 2, axis=-1), axis=-1).reshape(x.shape)


def _reused(x: Array) -> Array:
    """The second column is computed from the first one's new values."""
    a, b, c, s = _pairs(x)
    a = a * c - b * s
    return np.concatenate([a, a * s + b * c], axis=-1)


def _reused_second(x: Array) -> Array:
    a, b, c, s = _pairs(x)
    b = a * s + b * c
    return np.concatenate([a * c - b * s, b], axis=-1)


def _built(make: Callable[[Array, Array, Array, Array], list[Array]]) -> Callable[[Array], Array]:
    return lambda x: np.concatenate(make(*_pairs(x)), axis=-1)


NEIGHBOURS = (
    "You rotate neighbouring columns together: here column i is paired with column i + d/2."
)
BACK = "You rotate backwards: the minus sign belongs to the first column of a pair, a cos - b sin."
ALIKE = "All of your rows are rotated alike: row t is rotated by its own position, t."
LAST = (
    "Your last frequency is 1/10000, but the last pair stops one step before it: divide by d, not "
    "by d - 2."
)
CUT_OFF: list[Mistake] = [
    (lambda x: _rotated(x).astype(x.dtype),
     "It is right for floats, but an array made to be like x holds whole numbers if x does, and "
     "cuts off the rest: make it with `np.empty(x.shape)`."),
]  # fmt: skip
MISTAKES: list[Mistake] = [
    (lambda x: x, "Nothing is rotated."),
    (_neighbours, NEIGHBOURS),
    (lambda x: _neighbours(x, -1), NEIGHBOURS + " The sense is wrong, too."),
    (lambda x: _rotated(x, lambda pos, d: -_angles(pos, d)), BACK),
    (_neighbours_swapped,
     "Columns are paired d/2 apart, but their angles occur twice in a row, as for neighbours: "
     "column i and column i + d/2 need the same angle."),
    (_mirrored, "Your column i is paired with column d - 1 - i: its partner is i + d/2."),
    (_woven, "The pairs are right, but you put them side by side: all first columns come first."),
    (_reused,
     "Your second column is computed from the new first one: both need the old values."),
    (_reused_second,
     "Your first column is computed from the new second one: both need the old values."),
    (lambda x: to_layout(_neighbours(x), "interleaved", "halves"),
     "You read neighbouring columns, and write them d/2 apart: read column i and column i + d/2."),
    (lambda x: np.concatenate(np.split(_rotated(x), 2, axis=-1)),
     "Your second columns are below the first ones, as further rows: join them along axis=1."),
    (_built(lambda a, b, c, s: [a * c + b * s, a * s + b * c]),
     "Both of your signs are plus: a rotation has one minus sign, in a cos - b sin."),
    (_built(lambda a, b, c, s: [a * c - b * s, b * c - a * s]),
     "Both of your sines have a minus: the second column is a sin + b cos."),
    (_built(lambda a, b, c, s: [a * c - b * s, a * s - b * c]),
     "Both of your columns have a minus: the second is a sin + b cos."),
    (_built(lambda a, b, c, s: [b * s - a * c, a * s + b * c]),
     "You subtract the wrong way round: the first column is a cos - b sin."),
    (_built(lambda a, b, c, s: [a * c, b * c]), "Your sines are missing."),
    (_built(lambda a, b, c, s: [a * s - b * c, a * c + b * s]),
     "Sine and cosine have changed places: at position 0 nothing may rotate."),
    (_built(lambda a, b, c, s: [a * c - b * s, a * c + b * s]),
     "In your second column, sine and cosine have changed places: it is a sin + b cos."),
    (_built(lambda a, b, c, s: [a * c, b * s]),
     "You multiply without mixing: a rotated column needs both columns of its pair."),
    (lambda x: x + sinusoidal(len(x), x.shape[-1], layout="halves"),
     "You add the table to x. RoPE adds nothing: it rotates."),
    (lambda x: x + sinusoidal(len(x), x.shape[-1]),
     "You add the table to x. RoPE adds nothing: it rotates."),
    (_by(lambda i, d: 10000.0 ** (-4 * i / d)),
     "Pair 0 is right, the others are too slow: your exponent is doubled."),
    (_by(lambda i, d: 10000.0 ** (-i / d)),
     "Pair 0 is right, the others are too fast: the exponent is -2 i / d."),
    (_by(lambda i, d: 10000.0 ** (2 * i / d)),
     "Your frequencies grow from pair to pair: the exponent has a minus sign."),
    (_by(lambda i, d: 10000.0**-2 * i / d),
     "Python takes the power before it multiplies: put -2 * i / d into brackets."),
    (_by(lambda i, d: 10000.0**2 * i / d),
     "Python takes the power before it multiplies: put -2 * i / d into brackets."),
    (_by(lambda i, d: 10000.0 ** (-2 * i) / d),
     "Python takes the power before it multiplies: put -2 * i / d into brackets."),
    (_by(lambda i, d: np.ones(d // 2)),
     "All of your pairs rotate alike: each has its own frequency, 10000 ** (-2 * i / d)."),
    (_by(lambda i, d: frequencies(d)[::-1]),
     "Your frequencies are upside down: pair 0 is the fastest."),
    (_by(lambda i, d: np.geomspace(1, 1e-4, d // 2)), LAST),
    (_by(lambda i, d: 10000.0 ** (-2 * i / (d - 2))), LAST),
    *((_by(lambda i, d, width=width: 10000.0 ** (-2 * i / width)),
       f"Your exponents are those of {width} columns, whatever d is.")
      for width in (2, 4, 6, 8, 64, 128, 512)),
    (lambda x: _rotated(x, lambda pos, d: _angles(pos + 1, d)),
     "Your row 0 is rotated as if it were at position 1: positions count from 0."),
    (lambda x: _rotated(x, lambda pos, d: _angles(0 * pos + len(x), d)),
     "All of your rows are rotated by n: row t is rotated by its own position, t."),
    (lambda x: _rotated(x, lambda pos, d: np.arange(d // 2) * _angles(0 * pos + 1, d)),
     "Your angles are made from the number of the column: row t is rotated by t * frequency."),
    (lambda x: _rotated(x, lambda pos, d: np.arange(d // 2) * _angles(pos, d)),
     "Your angles have the number of the pair as a factor: they are t * frequency."),
    (lambda x: _rotated(x, lambda pos, d: np.arange(d // 2) * 10000 ** (-2 * pos[:, None] / d)),
     "In your angles row and pair have changed places: t counts rows, and i counts pairs."),
    (lambda x: _rotated(x, lambda pos, d: _angles(0 * pos + 1, d)), ALIKE),
    (lambda x: _rotated(x, lambda pos, d: np.radians(_angles(pos, d))),
     "Angles in NumPy are radians, and so are frequencies: nothing is to be converted."),
    (lambda x: _rotated(x, lambda pos, d: np.degrees(_angles(pos, d))),
     "Angles in NumPy are radians, and so are frequencies: nothing is to be converted."),
    (lambda x: _rotated(x, lambda pos, d: 2 * np.pi * _angles(pos, d)),
     "Your angles have a factor of 2 pi: a frequency is in radians per position already."),
    (lambda x: _rotated(x) / np.sqrt(x.shape[-1]),
     "You divide by a root of d: a rotation changes no length."),
]  # fmt: skip
