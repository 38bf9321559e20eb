"""Check counts of words, and words told from sums with places (*word-plus-position*)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from posenc._table import sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, right
from posenc_checks._judge import Case, Hint, Mistake, Results, Truth, agrees, judge, same

__all__ = ["decode", "ppmi_of"]


# Counts

CELL = "row {0[0]}, column {0[1]}".format
MANY = np.random.default_rng(7).integers(1, 9, size=(5, 7)) * 1.0
TABLES: list[Case] = [
    (np.array([[6.0, 2, 0], [2, 2, 4], [2, 1, 1]]),),
    (np.array([[5.0, 0, 1, 0], [0, 1, 1, 1]]),),
    (MANY,),
    (3 * MANY,),
    (MANY.T,),
]
EMPTY: list[Case] = [
    (np.array([[3.0, 0, 1], [0, 0, 0], [1, 0, 3]]),),
    (np.array([[0.0, 9, 0, 0], [0, 0, 2, 0]]),),
]


def ppmi_of(answer: Answer) -> None:
    """Check `ppmi_of(counts)`: PPMI for any table of counts, rows and columns of their own kinds.

    Parameters
    ----------
    answer : callable
        `ppmi_of(counts)`, which gets and returns an array of shape (m, n): natural logarithms of
        how many times as often as by chance a row and a column meet, 0 where that is less than once
        or nothing was counted.

    Raises
    ------
    NotYet
        For logarithms of 0 or below chance, another logarithm or none, and another chance.

    Examples
    --------
    >>> ppmi_of(lambda counts: np.zeros(counts.shape))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: ppmi_of([[6, 2, 0], [2, 2, 4], [2, 1, 1]]) has 0 in row 0, \
column 0; it should have 0.4055. Every entry is 0, as if no two words met more often than by \
chance. Is chance the row total times the column total, divided by the total of all counts?
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        for tables, mistakes in (TABLES, COUNTED), (EMPTY, []):
            fact = partial(_odd_cell, tables=tables)
            judge(
                answer, _ppmi, tables, mistakes, name="ppmi_of", describe_entry=CELL, observe=fact
            )
    right(
        "Rows and columns have totals of their own, so this serves any two lists: words and "
        "their successors, words and documents, buyers and books."
    )


def _times(counts: Array, rows: int = 1, columns: int = 0) -> Array:
    """How many times as often as by chance two words meet, by totals along two axes."""
    m, n = counts.shape
    chance = np.outer(counts.sum(rows), counts.sum(columns))[:m, :n] / counts.sum()
    times: Array = np.divide(counts, chance, out=np.ones((m, n)), where=chance > 0)
    return times


def _log(times: Array) -> Array:
    return np.asarray(np.log(np.maximum(times, 1)))


def _ppmi(counts: Array) -> Array:
    return _log(_times(counts))


NO_LOG = "That is how many times as often as by chance: take the natural logarithm of it."
NATURAL = "That is the right one by another logarithm: the natural one has the base e."
TWICE = (
    "You use the {} totals twice: that fits a table which reads the same by rows and by columns."
)
COUNTED: list[Mistake] = [
    (_times, NO_LOG),
    (lambda c: np.maximum(_times(c), 1), NO_LOG),
    (lambda c: np.where(_times(c) > 1, _times(c), 0), NO_LOG),
    (lambda c: _ppmi(c) / np.log(2), NATURAL),
    (lambda c: _ppmi(c) / np.log(10), NATURAL),
    (lambda c: np.log1p(_times(c)), "You add 1 before the logarithm: then chance gives log 2."),
    (np.zeros_like,
     "Every entry is 0, as if no two words met more often than by chance. Is chance the row total "
     "times the column total, divided by the total of all counts?"),
    (lambda c: _log(_times(c) * c.sum()),
     "Your entries are larger by the logarithm of the total: counts go with counts, not shares."),
    (lambda c: _log(_times(c, 0, 1)), "Totals of rows and of columns have changed places."),
    (lambda c: _log(_times(c, 1, 1)), TWICE.format("row")),
    (lambda c: _log(_times(c, 0, 0)), TWICE.format("column")),
    (lambda c: _ppmi(c + 1), "You add 1 to each count: take them as they are, zeros too."),
    (lambda c: _log(c / c.mean()),
     "You compare with the mean of all counts: rows and columns have totals of their own."),
    (lambda c: _log(c / c.mean(axis=1, keepdims=True)),
     "You compare with the mean of the row: columns have totals, too."),
    (lambda c: abs(np.log(np.where(c > 0, _times(c), 1))),
     "You drop the sign of what lies below chance: PPMI has 0 there."),
]  # fmt: skip


def _odd_cell(found: Results, tables: list[Case]) -> str:
    """Say what is odd about the first wrong cell, or about its table."""
    at = next(at for at, one in enumerate(found) if not same(one, _ppmi(*tables[at])))
    wrong, counts = found[at], tables[at][0]
    if wrong.shape != counts.shape:
        return ""
    for row, column in np.argwhere(~np.isfinite(wrong) | (wrong < -1e-9)):
        value, cell = wrong[row, column], f"row {row}, column {column}"
        if not (counts[row].any() and counts[:, column].any()):
            return f"In {cell} the row or the column is empty: such a cell should hold 0."
        if np.isfinite(value):
            return f"In {cell} stands {value:.4f}, below chance: where are such values turned to 0?"
        if not counts[row, column]:
            return f"In {cell} the count is 0, and the logarithm of 0 is no number: what has PPMI?"
    more = {3: "You get it right with a third of these counts", 4: "You get it right transposed"}
    return Hint(f"{more[at]}.") if at in more else ""


# Sums


def decode(answer: Answer) -> None:
    """Check `decode(heard, words, places)`: the word and the place whose sum lies nearest.

    Parameters
    ----------
    answer : callable
        `decode(heard, words, places)`, which gets arrays of shapes (d_model,), (m, d_model) and
        (n, d_model), and returns a pair of row numbers (word, place).

    Raises
    ------
    NotYet
        For another pair, with the likely mistake, and for a search for equal sums only.

    Examples
    --------
    >>> decode(lambda heard, words, places: (places @ heard).argmax())
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: decode([2, 5], [[0, 2], [4, 0], [1, 5]], [[0, 1], [1, 0], [0, \
-1], [-1, 0]]) should have the shape (2,), but its shape is (). Return two numbers: a word and a \
place.
    """
    cases = [*SUMS, *NOISY]
    fact = partial(_far, cases=cases)
    try:
        judge(answer, _nearest, cases, DECODED, name="decode", describe_entry=ENTRY, observe=fact)
    except NotYet as wrong:
        known = SAME_WAY, ABSOLUTE, LARGEST
        if wrong.cause in known or not agrees(answer, _nearest, SUMS):
            raise
        raise NotYet(
            "decode finds sums as they are, but no longer once each column has a little noise, "
            "0.02 or so. Look for the sum that lies nearest, not for an equal one."
        ) from None
    right(
        "A sum gives away its word and its place as long as the noise is small against the "
        "distance to the next sum. Words and places share all columns, and still keep apart."
    )


ENTRY = ("entry 0, the word", "entry 1, the place").__getitem__


def _sums() -> tuple[list[Case], list[Case]]:
    """Sums of a word and a place: as they are, the first one small, and with noise."""
    few = np.array([[0.0, 2], [4, 0], [1, 5]]), np.array([[0.0, 1], [1, 0], [0, -1], [-1, 0]])
    rng = np.random.default_rng(7)
    places = sinusoidal(25, 16)  # (n, d_model)
    words = rng.normal(size=(40, 16)) * rng.uniform(0.2, 1.5, size=(40, 1))  # (m, d_model)
    exact, noisy = [(few[0][2] + few[1][1], *few)], []
    for at, (word, place) in enumerate([(7, 2), (31, 18), (39, 0), (0, 24), (12, 12)]):
        heard, longer = words[word] + places[place], words.copy()
        if at % 2:
            longer[3] = heard + 0.5 - places[5]  # larger than what is heard, in each column
        exact.append((heard, longer, places))
        noise, longer = rng.normal(0, 0.02, size=16), words.copy()
        heard = heard + noise
        longer[3] = 2 * heard - places[5]  # another sum that points the same way
        # One that lies farther away, off by the same in each column, or in a single one.
        off = (-1) ** np.arange(16) * abs(noise).max(), np.eye(16)[9] * abs(noise).sum()
        longer[4] = heard + 0.9 * off[at % 2] - places[8]
        noisy.append((heard, longer, places))
    return exact, noisy


SUMS, NOISY = _sums()


def _distances(heard: Array, words: Array, places: Array) -> Array:
    return np.asarray(np.linalg.norm(words[:, np.newaxis] + places - heard, axis=-1))  # (m, n)


def _nearest(heard: Array, words: Array, places: Array) -> tuple[int, int]:
    return divmod(int(_distances(heard, words, places).argmin()), len(places))


def _best(score: Callable[[Array, Array], Array]) -> Truth:
    """The pair whose sum has the largest score."""
    return lambda heard, words, places: divmod(
        int(score(words[:, np.newaxis] + places, heard).argmax()), len(places)
    )


def _of(made: Callable[[int, int, int, int], Any]) -> Truth:
    """What is made of the right word and place, of m and n."""
    return lambda *case: made(*_nearest(*case), len(case[1]), len(case[2]))


def _word_first(heard: Array, words: Array, places: Array) -> tuple[int, int]:
    word = np.linalg.norm(words - heard, axis=1).argmin()
    return int(word), _nearest(heard, words[[word]], places)[1]


def _place_first(heard: Array, words: Array, places: Array) -> tuple[int, int]:
    return _word_first(heard, places, words)[::-1]


NUMBER = "That is the number of the right sum: ask how many of them each {} has, and return two."
TAKEN_APART = (
    "You found the right sum and took its number apart wrongly: what runs faster, and how far?"
)
SAME_WAY = (
    "Your sum points most nearly the same way as `heard`: in a distance, lengths count as well."
)
ONE_FIRST = "You choose the {} before the {}: is each word tried together with each place?"
ABSOLUTE = (
    "Your sum has the least sum of absolute differences: Euclidean distance squares them first."
)
LARGEST = "Your sum has the least largest difference: Euclidean distance sums the squares of all."
CANCEL = "Differences of both signs cancel in your sum over columns: square them first."
DECODED: list[Mistake] = [
    (_of(lambda w, p, m, n: (p, w)), "The right two, the wrong way round: the word comes first."),
    (_of(lambda w, p, m, n: (w + 1, p + 1)), "Both count from 0: look for a 1 that you add."),
    (_of(lambda w, p, m, n: w * n + p), NUMBER.format("word")),
    (_of(lambda w, p, m, n: p * m + w), NUMBER.format("place")),
    (_of(lambda w, p, m, n: divmod(w * n + p, m)), TAKEN_APART),
    (_of(lambda w, p, m, n: divmod(w * n + p, m)[::-1]), TAKEN_APART),
    (_of(lambda w, p, m, n: divmod(p * m + w, n)), TAKEN_APART),
    (_word_first, ONE_FIRST.format("word", "place")),
    (_place_first, ONE_FIRST.format("place", "word")),
    (_best(lambda sums, heard: sums @ heard),
     "Your sum has the largest dot product with `heard`, because it is long: take the distance."),
    (_best(lambda sums, heard: sums @ heard / np.linalg.norm(sums, axis=-1)), SAME_WAY),
    (_best(lambda sums, heard: np.linalg.norm(sums - heard, axis=-1)),
     "That sum lies farthest away: look for the nearest."),
    (_best(lambda sums, heard: -abs(sums - heard).sum(axis=-1)), ABSOLUTE),
    (_best(lambda sums, heard: -abs(sums - heard).max(axis=-1)), LARGEST),
    (_best(lambda sums, heard: -abs((sums - heard).sum(axis=-1))), CANCEL),
    (_best(lambda sums, heard: (sums - heard).sum(axis=-1)), CANCEL),
    (_best(lambda sums, heard: (heard - sums).sum(axis=-1)), CANCEL),
]  # fmt: skip


def _far(found: Results, cases: list[Case]) -> str:
    """Say how far away the sum of a wrong pair is."""
    pairs = zip(found, cases, strict=False)
    pair, case = next((one, case) for one, case in pairs if not same(one, _nearest(*case)))
    if pair.shape != (2,):
        return "Return two numbers: a word and a place."
    distances = _distances(*case)
    m, n = distances.shape
    if pair[0] not in range(m) or pair[1] not in range(n):
        return f"Both are row numbers: below {m} for words, below {n} for places."
    theirs = distances[int(pair[0]), int(pair[1])]
    return Hint(f"Your sum is {theirs:.2f} away, the right one {distances.min():.2f}.")
