"""Checkers for chapters 7 and 8: counts of words, sums with places, and shifts of rows."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._layout import to_layout
from posenc._shift import rotation
from posenc._table import sinusoidal
from posenc.checks._answer import NotYet, array, call, close, right

__all__ = ["cosines_first", "decode", "move_back", "ppmi_of"]

Array = NDArray[np.float64]


# Counts

# How many times as often as by chance the words of COUNTS meet; 1 stands for that or less.
COUNTS = np.array([[6.0, 2, 0], [2, 2, 4], [2, 1, 1]])
TIMES = np.array([[1.5, 1, 1], [1, 1, 2], [1, 1, 1]])
SPARSE = np.array([[3.0, 0, 1, 0], [0, 0, 0, 0], [1, 0, 3, 0]])


def ppmi_of(answer: Callable[..., Any]) -> None:
    """Mark `ppmi_of(counts)`: PPMI for any table of counts, rows and columns of their own kinds.

    `counts` has shape (m, n), and so has the result: natural logarithms of how many times as often
    as by chance a row and a column meet, 0 where that is less than once or nothing was counted.

    Raises NotYet for logarithms of 0, negative values, another logarithm or none, and a chance
    made from row totals alone, from column totals alone, or without the total of all counts.
    """
    found = _pointwise(answer, COUNTS)
    if found.min() < -1e-9:
        row, column = np.argwhere(found < -1e-9)[0]
        raise NotYet(
            f"Row {row}, column {column} holds {_say(found[row, column])}: below chance. PPMI is "
            "positive: look at where you turn what lies below chance into 0."
        )
    _recognise(found, _slips())
    _same(found, np.log(TIMES), f"ppmi_of({COUNTS.astype(int).tolist()})")

    wide = SPARSE.astype(int).tolist()
    _same(_pointwise(answer, SPARSE), np.log(np.where(SPARSE == 3, 1.5, 1)), f"ppmi_of({wide})")
    many = np.random.default_rng(7).integers(9, size=(5, 7)).astype(float)
    once, turned = _pointwise(answer, many), _pointwise(answer, many.T)
    _same(_pointwise(answer, 3 * many), once, "Count each meeting three times: ppmi_of(3 * counts)")
    _same(turned, once.T, "Exchange rows and columns: ppmi_of(counts.T)")
    right(
        "Rows and columns have totals of their own, so this serves any two lists: words and "
        "their successors, words and documents, buyers and books."
    )


def _pointwise(answer: Callable[..., Any], counts: Array) -> Array:
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


def _slips() -> list[tuple[ArrayLike, str]]:
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


def decode(answer: Callable[..., Any]) -> None:
    """Mark `decode(heard, words, places)`: the word and the place whose sum lies nearest.

    `heard` has shape (d_model,), `words` (m, d_model) and `places` (n, d_model); the result is
    the pair of row numbers (word, place).

    Raises NotYet for a pair the other way round, a flat number taken apart wrongly, a word sought
    before its place, a nearness that long sums win, and a search for equals only.
    """
    rng = np.random.default_rng(7)
    places = sinusoidal(25, 16)
    words = rng.normal(size=(40, 16)) * rng.uniform(0.2, 1.5, size=(40, 1))
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
    answer: Callable[..., Any], heard: Array, words: Array, places: Array, pair: tuple[int, int]
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
    dots = sums @ heard
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


# Shifts

# What wrong frequencies do to six columns: they are those of another base.
LADDERS = {
    1.0: "turns all three pairs by the same angle, 3. Each pair has a frequency of its own: look "
    "at what you multiply k by.",
    1e8: "turns pair 0 rightly and the others too slowly: your exponent is doubled. Compare your "
    "frequencies with posenc.frequencies(6).",
    1e2: "turns pair 0 rightly and the others too fast: your exponent is halved. Compare your "
    "frequencies with posenc.frequencies(6).",
}


def cosines_first(answer: Callable[..., Any]) -> None:
    """Mark `cosines_first(k, d_model)`: the shift matrix where all cosines stand before all sines.

    The result M has shape (d_model, d_model), and `M @ q(t) == q(t + k)` for the row q(t) that
    holds the cosines of all pairs, then their sines.

    Raises NotYet for a matrix that goes back, that is made for sines first or for pairs side by
    side, that takes degrees, or that has another ladder of frequencies.
    """
    matrix = array(call(answer, 3, 6), (6, 6), "cosines_first(3, 6)")
    if _moves(matrix, 0):
        raise NotYet("cosines_first(3, 6) leaves every row where it is: look at where k comes in.")
    if _moves(matrix, -3):
        raise NotYet(
            "cosines_first(3, 6) takes the row of position 7 to that of 4, back instead of on. It "
            "would be right with all sines first: look at where the minus signs stand."
        )
    if any(_moves(matrix, k, sinusoidal) for k in (3, -3)):
        raise NotYet(
            "cosines_first(3, 6) turns columns 0 and 1 together. With all cosines first, "
            "column 0 has its partner in column 3: look at where the sines of a block belong."
        )
    if _moves(matrix, np.radians(3)):
        raise NotYet(
            "cosines_first(3, 6) takes the angles as degrees, and the hands hardly turn. "
            "Frequencies are in radians per position: look for a conversion."
        )
    for base, said in LADDERS.items():
        if _moves(matrix, 3, partial(_cosines_first, base=base)):
            raise NotYet(f"cosines_first(3, 6) {said}")
    for k, d_model in ((3, 6), (1, 2), (-40, 64), (0.5, 16), (0, 4), (1000, 10)):
        what = f"cosines_first({k}, {d_model})"
        matrix = array(call(answer, k, d_model), (d_model, d_model), what)
        found, row = _cosines_first([7, 7 + k], d_model)
        found = matrix @ found
        if not close(found, row):
            _not_rounded(found, row, what)
            column = np.argmax(abs(found - row))
            raise NotYet(
                f"{what} times q(7) has {_say(found[column])} in column {column}, and "
                f"q({7 + k}) has {_say(row[column])} there. Look at row {column} of your matrix."
            )
        if not _moves(matrix, k):
            raise NotYet(f"{what} moves q(7) rightly and not every other row. Is 7 in it?")
    right(
        "Another order of columns is the same turn, written in other places: whoever changes the "
        "layout of a table must change the matrix along with it."
    )


def _cosines_first(t: ArrayLike, d_model: int, base: float = 10_000.0) -> Array:
    rows: Array = sinusoidal(t, d_model, base=base, layout="halves")
    return np.roll(rows, d_model // 2, axis=-1)


def _moves(matrix: Array, k: float, rows: Callable[..., Array] = _cosines_first) -> bool:
    """Tell whether the matrix moves such rows by k, wherever they stand."""
    t, d_model = np.array([0, 1, 2.5, 7, 50, -3, 400, 3000, 20_000]), len(matrix)
    return close(rows(t, d_model) @ matrix.T, rows(t + k, d_model))


def move_back(answer: Callable[..., Any]) -> None:
    """Mark `move_back(rows, k)`: rows of an encoding, or mixtures of such rows, k places back.

    `rows` has shape (n, d_model), interleaved; so has the result. Which positions the rows come
    from is not told.

    Raises NotYet for rows that go on, that are pushed about in the table, that are computed anew
    from 0, 1, 2 and so on, for a wrong angle, and for hands that lose their length.
    """
    t = np.array([10, 11, 12, 20.5])
    rows = sinusoidal(t, 6)
    found = array(call(answer, rows, 3), (4, 6), "move_back(rows, 3) of rows of shape (4, 6)")
    if all(any(close(row, given) for given in (*rows, np.zeros(6))) for row in found):
        raise NotYet(
            "move_back(rows, 3) gives the old rows back, some of them perhaps in other places. "
            "Each row stays where it stands; it is its hands that turn."
        )
    _recognise(found, _turns(t, rows))
    expected = sinusoidal(t - 3, 6)
    right_columns = [close(found[:, one::2], expected[:, one::2]) for one in (0, 1)]
    if any(right_columns) and not all(right_columns):
        good, bad = ("sines", "cosines") if right_columns[0] else ("cosines", "sines")
        raise NotYet(
            f"In move_back(rows, 3) the {good} are right and the {bad} are not. Look at whether "
            f"the {bad} are made from the old {good}, with the angle of their pair, and at a sign."
        )
    _same(found, expected, "move_back(rows, 3), rows those of positions 10, 11, 12 and 20.5")
    _mixtures(answer)
    for k, positions, d_model in ((1, [1000], 2), (0.5, [0, -7, 3.25], 64), (-40, [5] * 3, 10)):
        what = f"move_back(rows, {k}), rows those of positions {positions}"
        given = call(answer, sinusoidal(positions, d_model), k)
        found = array(given, (len(positions), d_model), what)
        _same(found, sinusoidal(np.asarray(positions) - k, d_model), what)
    right(
        "The rows never said where they stand, and did not have to: a shift needs the offset and "
        "no position. That is what a layer could use."
    )


def _turns(t: Array, rows: Array) -> list[tuple[ArrayLike, str]]:
    """Return what known slips make of `rows`, moved back by 3, and what to say of each."""
    by = "move_back(rows, 3)"
    anew = np.arange(4.0)
    return [
        (
            sinusoidal(t + 3, 6),
            f"{by} takes the row of position 10 to that of 13, on instead of back: look at the "
            "sign of the angle, and at which column of a pair is the sine.",
        ),
        *(
            (
                sinusoidal(from_0, 6),
                f"{by} takes the rows for those of positions 0, 1, 2, 3. They came from 10 on, "
                "and they do not say so: make the result from the numbers in the rows.",
            )
            for from_0 in (anew - 3, anew + 3)
        ),
        (
            sinusoidal(t - np.radians(3), 6),
            f"{by} takes the angles as degrees, and the hands hardly turn. Frequencies are in "
            "radians per position: look for a conversion.",
        ),
        *((rows @ rotation(-3, 6, base=base).T, f"{by} {said}") for base, said in LADDERS.items()),
        (
            to_layout(sinusoidal(t - 3, 6), "interleaved", "halves"),
            f"{by} has the right numbers, all sines before all cosines. The rows came with each "
            "sine beside its cosine: look at how you put them together again.",
        ),
        *(
            (
                rows @ rotation(k, 6, layout="halves").T,
                f"{by} turns columns 0 and 3 together. In these rows a sine stands beside its "
                "cosine: look at how you take the pairs apart.",
            )
            for k in (-3, 3)
        ),
    ]


def _mixtures(answer: Callable[..., Any]) -> None:
    rows, moved = sinusoidal([3, 8], 6), sinusoidal([0, 5], 6)
    mixed, expected = rows.sum(axis=0, keepdims=True) / 2, moved.sum(axis=0, keepdims=True) / 2
    found = array(call(answer, mixed, 3), (1, 6), "move_back(rows, 3) of one row")
    if not close(found, expected):
        raise NotYet(
            "Half the sum of the rows of 3 and 8 should become half the sum of the rows of 0 and "
            "5, and does not. Its hands are shorter than 1: look for a step that takes every "
            "hand's length for 1."
        )


# What all of them need


def _recognise(found: Array, slips: Iterable[tuple[ArrayLike, str]]) -> None:
    for made, message in slips:
        if close(found, made):
            raise NotYet(message)


def _same(found: Array, expected: Array, what: str) -> None:
    if not close(found, expected):
        _not_rounded(found, expected, what)
        row, column = np.argwhere(~np.isclose(found, expected, rtol=0, atol=1e-9))[0]
        raise NotYet(
            f"{what}: row {row}, column {column} holds {_say(found[row, column])} and should hold "
            f"{_say(expected[row, column])}. Look at that entry first."
        )


def _not_rounded(found: Array, expected: Array, what: str) -> None:
    if close(found, expected, atol=1e-4):
        raise NotYet(
            f"{what} is right but for rounding: it is off by {abs(found - expected).max():.0e}. "
            "Look for a round() or for float32 on the way."
        )


def _say(number: float) -> str:
    return f"{number + 0:.4f}"
