"""Check counts of words, and words told from sums with places (*let-words-meet-positions*)."""

import numpy as np

from posenc._table import sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, array, call, right
from posenc.checks._mistakes import CELL, Mistakes, likely, same

__all__ = ["decode", "ppmi_of"]


# Counts

# How many times as often as by chance the words of COUNTS meet; 1 stands for that or less.
COUNTS = np.array([[6.0, 2, 0], [2, 2, 4], [2, 1, 1]])
TIMES = np.array([[1.5, 1, 1], [1, 1, 2], [1, 1, 1]])
SPARSE = np.array([[3.0, 0, 1, 0], [0, 0, 0, 0], [1, 0, 3, 0]])


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
        For logarithms of 0, negative values, another logarithm or none, and a chance made from row
        totals alone, from column totals alone, or without the total of all counts.

    Examples
    --------
    >>> ppmi_of(lambda counts: np.zeros(counts.shape))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: Every entry is 0, as if no two words met more often than by \
chance. But: Row 1, column 2 has a count of 4 where chance would give 2. Chance is row total times \
column total, divided by the total of all counts.
    """
    found = _pointwise(answer, COUNTS)
    if found.min() < -1e-9:
        row, column = np.argwhere(found < -1e-9)[0]
        raise NotYet(
            f"Row {row}, column {column} holds {found[row, column]:.4f}: below chance. PPMI is "
            "positive: look at where you turn what lies below chance into 0."
        )
    if said := likely(found, _slips()):
        raise NotYet(said)
    same(found, np.log(TIMES), f"ppmi_of({COUNTS.astype(int).tolist()}):", CELL)

    wide = SPARSE.astype(int).tolist()
    apart = np.log(np.where(SPARSE == 3, 1.5, 1))
    same(_pointwise(answer, SPARSE), apart, f"ppmi_of({wide}):", CELL)
    many = np.random.default_rng(7).integers(9, size=(5, 7)).astype(float)
    once, turned = _pointwise(answer, many), _pointwise(answer, many.T)
    thrice = "Count each meeting three times: ppmi_of(3 * counts):"
    same(_pointwise(answer, 3 * many), once, thrice, CELL)
    same(turned, once.T, "Exchange rows and columns: ppmi_of(counts.T):", CELL)
    right(
        "Rows and columns have totals of their own, so this serves any two lists: words and "
        "their successors, words and documents, buyers and books."
    )


def _pointwise(answer: Answer, counts: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        given = call(answer, counts)
    plain = isinstance(given, np.ndarray) and given.dtype.kind == "f"
    if plain and given.shape == counts.shape and not np.isfinite(given).all():
        row, column = np.argwhere(~np.isfinite(given))[0]
        place, value = f"row {row}, column {column}", given[row, column]
        if not np.isnan(value):
            raise NotYet(
                f"ppmi_of gives {value} in {place}, where the count is "
                f"{counts[row, column]:g}: the logarithm of 0 is no number. Never to meet is to "
                "meet less often than by chance; look at what PPMI has there."
            )
        if not counts[row].any() or not counts[:, column].any():
            raise NotYet(
                f"ppmi_of gives nan in {place}: nothing was counted along that row or column, "
                "chance is 0 as well, and 0 was divided by 0. Such a cell should hold 0."
            )
    return array(given, counts.shape, "The result of ppmi_of")


def _slips() -> Mistakes:
    """Return what known slips make of COUNTS, and what to say of each."""
    met = "Row 1, column 2 has a count of 4 where chance would give 2"
    natural = f"{met}: that is twice, and the natural logarithm of 2 is 0.6931. Look at your log."
    no_log = f"{met}, and you return 2: how many times. Take the natural logarithm of it."
    kept = np.array([[1.5, 1, 0], [0.5, 1, 2], [1, 1, 1]])
    above = np.where(kept > 1, kept, 0)
    return [
        (kept, no_log),
        (TIMES, no_log),
        (above, no_log),
        (np.log2(TIMES), natural),
        (np.log10(TIMES), natural),
        (np.log(kept + 1), f"You add 1 before the logarithm. {met}: look for log 2, not log 3."),
        (
            np.zeros((3, 3)),
            f"Every entry is 0, as if no two words met more often than by chance. But: {met}. "
            "Chance is row total times column total, divided by the total of all counts.",
        ),
        (
            np.log([[30, 20, 1], [10, 20, 40], [20, 20, 20]]),
            "Your entries are larger by log 20, and 20 is the total of all counts. Look at the "
            "division: counts go with counts, and shares with shares.",
        ),
        (
            np.log([[1.875, 1, 1], [1, 1, 2.5], [1.25, 1, 1.25]]),
            "You use the row totals twice. The chapter could: its table reads the same by rows "
            "and by columns. In any other, chance is a row's total times a column's.",
        ),
        (
            np.log([[1.2, 1, 1], [1, 1.6, 3.2], [1.0, 1, 1]]),
            "You use the column totals twice. In a table that does not read the same by rows and "
            "by columns, chance is a row's total times a column's.",
        ),
    ]


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
        For a pair the other way round, a flat index taken apart wrongly, a word sought before its
        place, a nearness that long sums win, and a search for equals only.

    Examples
    --------
    >>> decode(lambda heard, words, places: (places @ heard).argmax())
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: decode gives one number, 2, for word 7 at place 2 of 40 words \
and 25 places. Return two: if yours counts the sums, ask how many of them each word has.
    """
    rng = np.random.default_rng(7)
    places = sinusoidal(25, 16)  # (n, d_model)
    words = rng.normal(size=(40, 16)) * rng.uniform(0.2, 1.5, size=(40, 1))  # (m, d_model)
    pairs = [(7, 2), (31, 18), (39, 0), (0, 24), (12, 12)]
    for word, place in pairs:
        _decoded(answer, words[word] + places[place], words, places, (word, place))
    for word, place in pairs:
        heard = words[word] + places[place] + rng.normal(0, 0.02, size=16)
        words[3] = 2 * heard - places[5]
        try:
            _decoded(answer, heard, words, places, (word, place))
        except NotYet as wrong:
            if "points the same way" in str(wrong):
                raise
            raise NotYet(
                "decode finds sums as they are, but no longer once each column has a little "
                "noise, 0.02 or so. Look for the sum that lies nearest, not for an equal one."
            ) from None
    right(
        "A sum gives away its word and its place as long as the noise is small against the "
        "distance to the next sum. Words and places share all columns, and still keep apart."
    )


def _decoded(
    answer: Answer, heard: Array, words: Array, places: Array, pair: tuple[int, int]
) -> None:
    m, n, sums = len(words), len(places), words[:, np.newaxis] + places
    given, told = call(answer, heard, words, places), f"word {pair[0]} at place {pair[1]}"
    if isinstance(given, int | float | np.number):
        raise NotYet(
            f"decode gives one number, {given}, for {told} of {m} words and {n} places. Return "
            "two: if yours counts the sums, ask how many of them each word has."
        )
    found = tuple(array(given, (2,), "The result of decode").tolist())
    if found == pair:
        return
    word, place = found
    said = f"decode gives word {word:g} at place {place:g} for {told}"
    if found == pair[::-1]:
        raise NotYet(f"{said}: the right two, the wrong way round. Return the word first.")
    if found == (pair[0] + 1, pair[1] + 1):
        raise NotYet(f"{said}. Words and places count from 0; look for a 1 that you add.")
    mixed = divmod(pair[0] * n + pair[1], m), divmod(pair[1] * m + pair[0], n)
    if found in mixed or found == divmod(pair[1] * m + pair[0], m):
        raise NotYet(
            f"{said}, of {m} words and {n} places. You found the right sum and took its number "
            "apart wrongly: look at which of the two runs faster, and over how many."
        )
    if word not in range(m) or place not in range(n):
        raise NotYet(f"{said}. Both are row numbers: below {m} for words, below {n} for places.")
    _why_not(said, heard, sums, (int(word), int(place)), pair)


def _why_not(
    said: str, heard: Array, sums: Array, found: tuple[int, int], pair: tuple[int, int]
) -> None:
    dots = sums @ heard  # (m, n), of (m, n, d_model) and (d_model,)
    theirs, ours = (np.linalg.norm(sums[which] - heard) for which in (found, pair))
    best = float(dots[found])
    if best >= dots.max() - 1e-9:
        raise NotYet(
            f"{said}: of all sums, that one has the largest dot product with `heard`, because it "
            "is long. Nearest means the smallest distance; look at the difference of the two."
        )
    if best / np.linalg.norm(sums[found]) >= (dots / np.linalg.norm(sums, axis=-1)).max() - 1e-9:
        raise NotYet(
            f"{said}: that sum points the same way as `heard`, but it is "
            f"{np.linalg.norm(sums[found]) / np.linalg.norm(heard):.1f} times as long. Nearest is "
            "a matter of distance, and lengths count in it."
        )
    raise NotYet(
        f"{said}. That sum is {theirs:.2f} away from `heard`, the right one {ours:.2f}. Look at "
        "whether each word is tried together with each place, before one of them is chosen."
    )
