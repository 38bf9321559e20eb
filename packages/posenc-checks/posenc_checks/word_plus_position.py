"""Check words and positions that are told from their sums (*word-plus-position*)."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc._table import sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, right
from posenc_checks._judge import Case, Mistake, Results, Truth, agrees, judge

__all__ = ["decode"]


def decode(answer: Answer) -> None:
    """Check `decode(noisy, words, positions)`: the word and the position whose sum lies nearest.

    Parameters
    ----------
    answer : callable
        `decode(noisy, words, positions)`, which gets arrays of shapes (d_model,), (m, d_model) and
        (n, d_model), and returns a pair of row numbers (word, position).

    Raises
    ------
    NotYet
        For another pair, with the likely mistake, and for a search for equal sums only.

    Examples
    --------
    >>> decode(lambda noisy, words, positions: (positions @ noisy).argmax())
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: decode([2, 5], [[0, 2], [4, 0], [1, 5]], [[0, 1], [1, 0], [0, \
-1], [-1, 0]]) should have the shape (2,), but its shape is (). Return two numbers: a word and a \
position.
    """
    cases = [*SUMS, *NOISY]
    try:
        judge(answer, _nearest, cases, DECODED, name="decode", describe_entry=ENTRY, observe=_two)
    except NotYet as wrong:
        if wrong.cause or not agrees(answer, _nearest, SUMS):
            raise
        raise NotYet(
            "decode finds exact sums, but fails once each column has a little noise, 0.02 or so. "
            "Look for the sum that lies nearest, not for an equal one."
        ) from None
    right(
        "The word and the position can be read off a sum as long as the noise is small against "
        "the distance to the next sum, although words and positions share all columns."
    )


ENTRY = ("entry 0, the word", "entry 1, the position").__getitem__


def _sums() -> tuple[list[Case], list[Case]]:
    """Sums of a word and a position: as they are, the first one small, and with noise."""
    few = np.array([[0.0, 2], [4, 0], [1, 5]]), np.array([[0.0, 1], [1, 0], [0, -1], [-1, 0]])
    rng = np.random.default_rng(7)
    positions = sinusoidal(25, 16)  # (n, d_model)
    words = rng.normal(size=(40, 16)) * rng.uniform(0.2, 1.5, size=(40, 1))  # (m, d_model)
    exact, disturbed = [(few[0][2] + few[1][1], *few)], []
    for at, (word, position) in enumerate([(7, 2), (31, 18), (39, 0), (0, 24), (12, 12)]):
        noisy, longer = words[word] + positions[position], words.copy()
        if at % 2:
            longer[3] = noisy + 0.5 - positions[5]  # larger than `noisy` in each column
        exact.append((noisy, longer, positions))
        noise, longer = rng.normal(0, 0.02, size=16), words.copy()
        noisy = noisy + noise
        longer[3] = 2 * noisy - positions[5]  # another sum in the same direction
        # One that lies farther away, off by the same in each column, or in a single one.
        off = (-1) ** np.arange(16) * abs(noise).max(), np.eye(16)[9] * abs(noise).sum()
        longer[4] = noisy + 0.9 * off[at % 2] - positions[8]
        disturbed.append((noisy, longer, positions))
    return exact, disturbed


SUMS, NOISY = _sums()


def _distances(noisy: Array, words: Array, positions: Array) -> Array:
    return np.asarray(np.linalg.norm(words[:, np.newaxis] + positions - noisy, axis=-1))  # (m, n)


def _nearest(noisy: Array, words: Array, positions: Array) -> tuple[int, int]:
    return divmod(int(_distances(noisy, words, positions).argmin()), len(positions))


def _best(score: Callable[[Array, Array], Array]) -> Truth:
    """The pair whose sum has the largest score."""
    return lambda noisy, words, positions: divmod(
        int(score(words[:, np.newaxis] + positions, noisy).argmax()), len(positions)
    )


def _of(made: Callable[[int, int, int, int], Any]) -> Truth:
    """What is made of the right word and position, of m and n."""
    return lambda *case: made(*_nearest(*case), len(case[1]), len(case[2]))


def _word_first(noisy: Array, words: Array, positions: Array) -> tuple[int, int]:
    word = np.linalg.norm(words - noisy, axis=1).argmin()
    return int(word), _nearest(noisy, words[[word]], positions)[1]


DECODED: list[Mistake] = [
    (_of(lambda w, p, m, n: (p, w)), "The right two, the wrong way round: the word comes first."),
    (_of(lambda w, p, m, n: w * n + p),
     "That is the number of the right sum: how many sums has each word? Return two numbers."),
    (_of(lambda w, p, m, n: divmod(w * n + p, m)),
     "You found the right sum but split its number wrongly: which one counts faster, and how far?"),
    (_word_first,
     "You choose the word before the position: is each word tried together with each position?"),
    (_best(lambda sums, noisy: sums @ noisy),
     "Your sum has the largest dot product with `noisy`, because it is long: take the distance."),
    (_best(lambda sums, noisy: sums @ noisy / np.linalg.norm(sums, axis=-1)),
     "Your sum has the direction closest to that of `noisy`: in a distance, lengths count as "
     "well."),
    (_best(lambda sums, noisy: -abs(sums - noisy).sum(axis=-1)),
     "Your sum has the least sum of absolute differences: Euclidean distance squares them first."),
    (_best(lambda sums, noisy: -abs(sums - noisy).max(axis=-1)),
     "Your sum has the least largest difference: Euclidean distance sums the squares of all."),
    (_best(lambda sums, noisy: -abs((sums - noisy).sum(axis=-1))),
     "Differences of both signs cancel in your sum over columns: square them first."),
]  # fmt: skip


def _two(found: Results) -> str:
    if any(one.shape != (2,) for one in found):
        return "Return two numbers: a word and a position."
    return ""
