"""Checkers for likeness, attention heads and fast tables: chapters 9, 10 and 11."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc._shift import similarity
from posenc._table import sinusoidal
from posenc.checks._answer import NotYet, array, call, close, right

__all__ = [
    "causal_bias",
    "double_table",
    "first_rise",
    "gram_from_row",
    "look_back",
    "mean_similarity",
    "single_row",
]

# First rises by (d_model, base). Each is by more than 1e-7, and so is each fall before it. With the
# first, a frequency for each column, a doubled exponent and a forgotten base all lead elsewhere.
_RISES = {
    (128, 1000): 17,
    (64, 10_000): 5,
    (512, 10_000): 43,
    (2, 10_000): 3,
    (64, 100): 11,
    (1024, 100): 37,
    (2048, 10_000): 131,
    (8192, 10_000): 464,
}

# Masks: a row for each query, and x where it may look.
_PICTURES = "x.. xx. xxx", "xxx. xxxx", "xx... xxx.. xxxx. xxxxx", "xxxxx", "x"

# t, the position of `start`, the number of rows of factors, and d_model.
_ROWS = (22, 0, 6, 6), (1, 0, 6, 6), (0, 3, 6, 8), (13, -7, 4, 2), (100_000, 0, 17, 64)


def gram_from_row(answer: Callable[..., Any]) -> None:
    """Mark `gram_from_row(row)`: all similarities of n positions, from those with position 0.

    `row` holds g(0) ... g(n - 1); the result has shape (n, n). Raises NotYet if it is wrong.

    >>> gram_from_row(lambda row: np.array([row] * len(row)))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: All rows of your square are the first one. In row 1 \
it is position 1 that is most alike to itself: where does g(0) belong?
    """
    for n, d_model in ((5, 64), (1, 6), (30, 512)):
        table, row = sinusoidal(n, d_model), np.asarray(similarity(np.arange(n), d_model))
        expected = 2 / d_model * table @ table.T
        found = array(call(answer, row), (n, n), f"The square for a row of {n} numbers")
        if n == 5:
            _explain_square(found, row)
        _compare(found, expected, f"With a row of {n} numbers, entry")
    right(
        "n numbers make all n * n, because only the offset counts. To know how alike positions "
        "are you need one row, not a table."
    )


def _explain_square(found: NDArray[np.float64], row: NDArray[np.float64]) -> None:
    if close(found, row):
        raise NotYet(
            "All rows of your square are the first one. In row 1 it is position 1 that is most "
            "alike to itself: where does g(0) belong?"
        )
    if close(found[1, :2], row[1:3]):
        raise NotYet(
            f"Entry (1, 1) of your square is {found[1, 1]:.4f}, which is g(2). It looks as if you "
            "add the two positions: how far is position 1 from itself?"
        )
    sides = ("below", (1, 0), np.tril(found, -1)), ("above", (0, 1), np.triu(found, 1))
    for side, place, triangle in sides:
        if not triangle.any():
            raise NotYet(
                f"Your square is empty {side} the diagonal: entry {place} is 0, expected "
                f"{row[1]:.4f}. Does g care which of two positions comes first?"
            )
        if close(found[place], row[-1]):
            raise NotYet(
                f"Entry {place} of your square is {found[place]:.4f}, which is g(4): the index -1 "
                "counts from the end of the row. How alike are positions that are -1 apart?"
            )
    if close(np.diag(found), 2 * row[0]):
        raise NotYet(
            "The diagonal of your square is 2 and should be 1. If you have added two halves, "
            "both of them held the diagonal."
        )


def mean_similarity(answer: Callable[..., Any]) -> None:
    """Mark `mean_similarity(n, d_model)`: the mean of g over all n * n pairs of n positions.

    The result is one number. Raises NotYet if it is wrong.
    """
    for n, d_model in ((7, 64), (1, 6), (2, 2), (50, 512), (400, 64)):
        found = _number(call(answer, n, d_model), f"mean_similarity({n}, {d_model})")
        mean = sinusoidal(n, d_model).mean(axis=0)
        expected = float(2 / d_model * mean @ mean)
        if close(found, expected):
            continue
        said = f"mean_similarity({n}, {d_model}) is {found:.4f}, expected {expected:.4f}."
        if n == 7:
            _explain_mean(found, expected, said)
        raise NotYet(f"{said} Draw the {n} by {n} square: how often does each offset stand in it?")
    right(
        "Averaging positions does not average them away: this share of their squared length is "
        "one and the same vector in all of them."
    )


def _explain_mean(found: float, expected: float, said: str) -> None:
    n, d_model = 7, 64
    causes = {
        float(similarity(np.arange(n), d_model).mean()): (
            f"You give each offset the same weight: but among {n} positions offset 1 occurs far "
            f"more often than offset {n - 1}. Count how often."
        ),
        (expected + 1 / n) / 2: (
            "You count each pair of different positions once: in the square it stands on either "
            "side of the diagonal."
        ),
        expected - 1 / n: f"The diagonal is missing: add the {n} pairs with offset 0.",
        (n * expected - 1) / (n - 1): (
            "That is the mean over pairs of different positions: here a position is paired with "
            f"itself too, which makes {n * n} pairs."
        ),
        expected + 1 / n: (
            "The diagonal is in it twice: offset 0 has no other side, so each position is paired "
            "with itself once."
        ),
        expected * n * n: f"That is the sum over all pairs: divide by how many there are, {n * n}.",
        expected * n: f"You divide by {n}: but {n} positions make {n * n} pairs.",
        expected * d_model / 2: (
            "That is the mean dot product: divide by the squared length of an encoding."
        ),
        math.sqrt(expected): "That is a length: here its square is asked for.",
    }
    for wrong, cause in causes.items():
        if close(found, wrong):
            raise NotYet(f"{said} {cause}")


def first_rise(answer: Callable[..., Any]) -> None:
    """Mark `first_rise(d_model, base)`: the first whole k >= 0 with g(k + 1) > g(k).

    The result is a whole number. Raises NotYet if it is wrong.

    >>> first_rise(lambda d_model, base: 18)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: first_rise(128, 1000) is 18, where the rise ends. \
Asked for is the offset after which it begins, which is one less.
    """
    elsewhere = {
        18: "18, where the rise ends. Asked for is the offset after which it begins, which is one "
        "less.",
        16: "16: one too small. Which offset does the first entry of your differences belong to?",
        0: "0: but g(1) is less than g(0). Compare g(k + 1) with g(k), offset after offset; "
        "nothing rises above g(0) again.",
        24: "24, as for a curve with a frequency for each column. Do the two columns of a "
        "pair not share one?",
        5: "5, as for base 1000000, the square of 1000. An exponent that doubles the even column "
        "does that: does yours double the pair?",
        11: "11, as for base 10000. Does your function use the base it is given?",
    }
    for (d_model, base), expected in _RISES.items():
        called = f"first_rise({d_model}, {base})"
        found = _number(call(answer, d_model, base), called)
        if found == expected:
            continue
        if (d_model, base) == (128, 1000) and found in elsewhere:
            raise NotYet(f"{called} is {elsewhere[int(found)]}")
        if found != int(found) or found < 0:
            raise NotYet(f"{called} is {found:g}: an offset is a whole number from 0 on.")
        if found == 0:
            raise NotYet(
                f"{called} is 0, expected {expected}. The curve of so wide a table falls for long: "
                "does your function look far enough?"
            )
        before, after = np.asarray(similarity(expected + np.arange(2), d_model, base=base))
        raise NotYet(
            f"{called} is {found:g}, expected {expected}: g({expected}) is {before:.7f} and "
            f"g({expected + 1}) is {after:.7f}. Print your g at these two offsets."
        )
    right(
        '"The further, the less alike" holds up to here and no further. A wider table moves the '
        "place, and so does the base."
    )


def causal_bias(answer: Callable[..., Any]) -> None:
    """Mark `causal_bias(n, m)`: 0 where the last n of m tokens may look, and -inf elsewhere.

    The result has shape (n, m). Raises NotYet if it is wrong.

    >>> causal_bias(lambda n, m: np.tri(n, m))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: causal_bias(3, 3) holds 1. It is added to scores: what, when \
added, leaves a score alone, and what leaves it no weight?
    """
    for picture in _PICTURES:
        expected = np.array([list(row) for row in picture.split()]) == "x"
        n, m = expected.shape
        called = f"causal_bias({n}, {m})"
        may_look = _where_zero(call(answer, n, m), (n, m), called)
        if np.array_equal(may_look, expected):
            continue
        if picture == _PICTURES[0]:
            _explain_mask(may_look, expected, called)
        row, column = (int(place[0]) for place in np.nonzero(may_look != expected))
        who = f"In {called} row {row}, the token at place {m - n + row},"
        if may_look[row, column]:
            raise NotYet(f"{who} may look at place {column}, which comes after it.")
        raise NotYet(
            f"{who} may not look at place {column}, which does not come after it. "
            f"The {n} rows are the last of {m} tokens: at which place does row 0 stand?"
        )
    right(
        "With all tokens asking it is a triangle. With a KV cache only the last one asks, and the "
        "mask is a row of zeros: nothing it could see lies ahead."
    )


def _where_zero(value: Any, shape: tuple[int, int], called: str) -> NDArray[np.bool_]:
    """Return where the learner's bias is 0, after making sure that all else is -inf."""
    try:
        found = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise NotYet(f"{called} should be an array of numbers.") from None
    if np.isnan(found).any():
        raise NotYet(
            f"{called} holds nan, which is what 0 times infinity gives. Choose between two values "
            "for each place, instead of multiplying."
        )
    array(np.where(np.isneginf(found), 0, found), shape, called)
    if np.asarray(value).dtype == np.bool_:
        raise NotYet(
            f"{called} holds True and False. It is added to scores, so it should be 0 where a "
            "token may look, and -inf where it may not."
        )
    other = found[(found != 0) & ~np.isneginf(found)]
    if other.size and other[0] < -100:
        raise NotYet(
            f"{called} holds {other[0]:g}: that hides a place only while scores are small. "
            "Which float is below all others?"
        )
    if other.size:
        raise NotYet(
            f"{called} holds {other[0]:g}. It is added to scores: what, when added, leaves a "
            "score alone, and what leaves it no weight?"
        )
    return np.equal(found, 0)


def _explain_mask(found: NDArray[np.bool_], may: NDArray[np.bool_], called: str) -> None:
    if np.array_equal(found, ~may):
        raise NotYet(
            f"In {called} 0 and -inf have changed places: row 0 hides place 0, and shows what "
            "comes after it."
        )
    if np.array_equal(found, may.T):
        raise NotYet(
            f"In {called} row 0 may look at all places and row 2 at place 2 only: the triangle "
            "lies the wrong way. Rows are queries, columns are keys."
        )
    if np.array_equal(found, may & ~np.eye(len(may), dtype=bool)):
        raise NotYet(
            f"In {called} each token is hidden from itself, and row 0 has nowhere to look. A "
            "token may look at its own place too."
        )
    if found.all():
        raise NotYet(f"{called} is 0 everywhere: so row 0 may look at places 1 and 2, yet to come.")


def look_back(answer: Callable[..., Any]) -> None:
    """Mark `look_back(n, k, d_model)`: scores of a head that looks k places back, by its keys.

    The result has shape (n, n), a row for each query. Raises NotYet if it is wrong.
    """
    for n, k, d_model in ((6, 2, 16), (40, 5, 64), (12, 1, 2), (9, 0, 6)):
        called = f"look_back({n}, {k}, {d_model})"
        found = array(call(answer, n, k, d_model), (n, n), called)
        apart = np.arange(n)[:, np.newaxis] - np.arange(n)
        expected = math.sqrt(d_model) / 2 * np.asarray(similarity(apart - k, d_model))
        if n == 6:
            _explain_look(found, expected, expected.T, called)
        _compare(found, expected, f"In {called} entry")
    right(
        "Only the difference between query and key decides, so turning all keys on does what "
        "turning all queries back does."
    )


def _explain_look(
    found: NDArray[np.float64], back: NDArray[np.float64], ahead: NDArray[np.float64], called: str
) -> None:
    root = math.sqrt(16)
    if any(close(found, ahead * scale) for scale in (1, root, 1 / root)):
        raise NotYet(
            f"In {called} the row of query 0 is highest at place {found[0].argmax()}: that head "
            "looks ahead. Turn the keys the other way, or see whether rows are queries."
        )
    if close(found, back * root):
        raise NotYet(
            f"{called} looks back, but its highest score is {found.max():.4f}, expected "
            f"{back.max():.4f}. By what does attention divide a dot product?"
        )
    if close(found, back / root):
        raise NotYet(
            f"{called} looks back, but its highest score is {found.max():.4f}, expected "
            f"{back.max():.4f}. Attention divides by the root of the number of columns, once."
        )
    if close(found.sum(axis=1), 1) and (found >= 0).all():
        raise NotYet(
            f"The rows of {called} sum to 1: they are weights. Return the scores, before softmax."
        )
    if close(found, found.T) and (found.argmax(axis=1) == np.arange(6)).all():
        raise NotYet(
            f"In {called} each query scores highest at its own place. Either nothing has been "
            "turned, or queries and keys have, by the same angle: turn the keys alone."
        )


def double_table(answer: Callable[..., Any]) -> None:
    """Mark `double_table(table, row)`: n positions become 2n, by additions and products alone.

    `table` has shape (n, d_model) and holds positions 0 ... n - 1, and `row` is position n. The
    result has shape (2n, d_model). Raises NotYet if it is wrong.
    """
    for n, d_model, base in ((5, 6, 10_000.0), (1, 2, 10_000.0), (16, 64, 100.0), (300, 8, 1e6)):
        whole = sinusoidal(2 * n, d_model, base=base)
        found = call(answer, whole[:n].copy(), whole[n].copy())
        shape = np.shape(found) if isinstance(found, np.ndarray) else ()
        if shape == (n, d_model):
            raise NotYet(f"From {n} rows your function makes {n}: put the old ones before the new.")
        if shape == (2 * n - 1, d_model):
            raise NotYet(
                f"From {n} rows your function makes {2 * n - 1}: each of the {n} old rows should "
                "make a new one, row 0 included."
            )
        found = array(found, (2 * n, d_model), f"The table from {n} rows")
        if not close(found[:n], whole[:n]):
            raise NotYet(f"The first {n} rows of your table should be the ones that were given.")
        if n == 5:
            _explain_new_rows(found[n:], whole)
        _compare(found, whole, f"With {n} rows given, entry")
    right(
        "One new row of sines and cosines has doubled the table; you never asked for a frequency, "
        "a base or a position."
    )


def _explain_new_rows(new: NDArray[np.float64], whole: NDArray[np.float64]) -> None:
    expected, steps = whole[5:], np.arange(5)
    sines, cosines = (close(new[:, start::2], expected[:, start::2]) for start in (0, 1))
    if close(new, whole[:5]):
        raise NotYet("Your new rows repeat the old: row 5 is position 0. Turn each on by 5 places.")
    if close(new, whole[4:9]):
        raise NotYet("Your row 5 is position 4 once more: the new rows should begin with p(5).")
    if close(new, sinusoidal(6 + steps, 6)):
        raise NotYet("Your row 5 is position 6: p(5) itself is missing. Does row 0 make a new row?")
    if any(close(new, sinusoidal(back, 6)) for back in (5 - steps, steps - 5)):
        raise NotYet(
            f"Your new rows step back: row 6 has {new[1, 0]:.4f} in column 0, expected "
            f"{expected[1, 0]:.4f}. Angles should add up: look at the signs of both formulas."
        )
    if close(new, whole[:5] + whole[5]):
        raise NotYet(
            "You add the row itself: that adds sines, and angles are to be added. What is the "
            "sine of a sum of two angles?"
        )
    if close(new.reshape(-1, 2)[:, ::-1].reshape(new.shape), expected):
        raise NotYet(
            "Sines and cosines have changed places in your new rows: even columns hold sines."
        )
    if sines and not cosines:
        raise NotYet(
            f"Your sines are right. Among the cosines, row 6 has {new[1, 1]:.4f} in column 1, "
            f"expected {expected[1, 1]:.4f}: look at the formula for the cosine of a sum, and at "
            "its sign."
        )
    if cosines and not sines:
        raise NotYet(
            f"Your cosines are right. Among the sines, row 6 has {new[1, 0]:.4f} in column 0, "
            f"expected {expected[1, 0]:.4f}: look at the formula for the sine of a sum, and at its "
            "sign."
        )


def single_row(answer: Callable[..., Any]) -> None:
    """Mark `single_row(t, start, rows)`: row t alone, from row `start` and rows of factors.

    `start` has shape (d_model / 2,) and is complex, sine plus 1j times cosine; `rows` holds the
    factors f(1), f(2), f(4), ... The result has the shape of `start`. Raises NotYet if it is wrong.
    """
    for t, begin, m, d_model in _ROWS:
        rows = -1j * sinusoidal([2**q for q in range(m)], d_model).view(complex)
        start, expected = sinusoidal(np.array([begin, begin + t]), d_model).view(complex)
        what = f"Row {t} from {m} rows of factors"
        found = _complex(call(answer, t, start, rows), start.shape, what)
        if close(found, expected):
            continue
        if t == 22:
            _explain_row(found, start, rows)
        pair = int(np.argmax(~np.isclose(found, expected, rtol=0, atol=1e-9)))
        hint = f"Write {t} in binary, {t:b}, and see which factors you took."
        raise NotYet(
            f"{what}, begun at position {begin}: pair {pair} is {found[pair]:.4f}, expected "
            f"{expected[pair]:.4f}. {hint if t else 'No factor belongs to 0: what is left?'}"
        )
    right(
        "Any row, however far, costs one product for each 1 in its number. That is how to reach a "
        "place in the table without walking there."
    )


def _explain_row(
    found: NDArray[np.complex128], start: NDArray[np.complex128], rows: NDArray[np.complex128]
) -> None:
    reached = [x for x in range(128) if close(found, sinusoidal([x], 6).view(complex)[0])]
    hints = {
        0: "Does your result ever change?",
        13: "You read 22, which is 10110, from the wrong end: f(1) belongs to the last digit.",
        26: "You read 22, as 010110, from the wrong end: f(1) belongs to the last digit.",
        41: "You take the factors where 22, which is 010110, has a 0: take them where it has a 1.",
        9: "You take the factors where 22, which is 10110, has a 0: take them where it has a 1.",
        63: "You take all factors: 22 is 10110, so only some of them belong to it.",
        44: "Each of your factors is one too far along: f(1) belongs to the last digit of 10110.",
        11: "Each of your factors is one too early: f(1) belongs to the last digit of 10110.",
    }
    if reached:
        hint = hints.get(reached[0], "Write 22 in binary, 10110, and see which factors you took.")
        raise NotYet(f"For t = 22 your row is that of position {reached[0]}. {hint}")
    if close(found * start, sinusoidal([22], 6).view(complex)[0]):
        raise NotYet("For t = 22 the factors are right, but row 0 is missing: begin with `start`.")
    if not close(abs(found), 1):
        raise NotYet(
            f"For t = 22 the first hand has the length {abs(found[0]):.4f}, expected 1. Factors "
            "turn a hand when they are multiplied; added, they stretch it."
        )


def _number(value: Any, called: str) -> float:
    return float(array(value, (), called))


def _complex(value: Any, shape: tuple[int, ...], what: str) -> NDArray[np.complex128]:
    if not isinstance(value, np.ndarray) or value.dtype.kind != "c":
        raise NotYet(f"{what} should be an array of complex numbers, one for each pair.")
    return array(value.real, shape, what) + 1j * array(value.imag, shape, what)


def _compare(found: NDArray[np.float64], expected: NDArray[np.float64], where: str) -> None:
    """Raise NotYet with the first entry that is not as expected, if there is one."""
    for place in zip(*np.nonzero(~np.isclose(found, expected, rtol=0, atol=1e-9)), strict=True):
        named = tuple(map(int, place))
        digits = 4 if abs(found[place] - expected[place]) > 1e-4 else 10
        raise NotYet(
            f"{where} {named} is {found[place]:.{digits}f}, expected {expected[place]:.{digits}f}. "
            "It is the first that differs: work it out by hand."
        )
