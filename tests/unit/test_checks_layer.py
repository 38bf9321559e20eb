"""What the checkers of *make-it-a-class* say to right answers, and to wrong ones."""

import re

import numpy as np
import pytest

from posenc import SinusoidalEncoding, sinusoidal
from posenc.checks import add_along, next_positions, valid_base

# Positions for the words to come


def words(mask):
    return np.asarray(mask).sum(axis=1)[:, np.newaxis]


NEXT = {
    "width": lambda mask, more: words(np.ones_like(mask)) + range(more),
    "one less": lambda mask, more: words(mask) - 1 + range(more),
    "one more": lambda mask, more: words(mask) + 1 + range(more),
    "pads": lambda mask, more: words(1 - mask) + range(more),
    "all sentences": lambda mask, more: mask.sum() + np.zeros_like(words(mask)) + range(more),
    "no step": lambda mask, more: words(mask) + [0] * more,
    "no axis": lambda mask, more: mask.sum(axis=1),
    "one row for all": lambda mask, more: np.arange(more) + mask.shape[1],
    "down the batch": lambda mask, more: mask.sum(axis=0)[:, np.newaxis] + range(more),
    "from zero": lambda mask, more: np.zeros_like(words(mask)) + range(more),
    "changes the mask": lambda mask, more: np.cumsum(mask, axis=1, out=mask)[:, -1:] + range(more),
    "ragged": lambda mask, more: [[1], [2, 3], []],
}


def test_each_sentence_continues_after_its_own_last_word(capsys):
    next_positions(lambda mask, more: words(mask) + range(more))
    next_positions(
        lambda mask, more: [[sum(row) + step for step in range(more)] for row in mask.tolist()]
    )
    assert capsys.readouterr().out.count("Right.") == 2


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("width", "4 words behind 3 pads you start at 7, which is the width of the mask"),
        ("one less", "you start at 3: there stands its last word"),
        ("one more", "you start at 5: its last word stands at 3"),
        ("pads", "you start at 3, which is the number of its pads"),
        ("all sentences", "you start at 11, which counts the words of all sentences"),
        ("no step", r"you start at 2, which is right, and give \[2, 2, 2\]"),
        ("no axis", r"has the shape \(2,\). Each sentence needs a row of its own: \(2, 1\)"),
        ("one row for all", r"has the shape \(1,\). Each sentence needs a row"),
        ("down the batch", r"\(2, 1\). Count along each sentence, not down the batch"),
        ("from zero", "you start at 0, and it should be 4"),
        ("changes the mask", "changes the array"),
        ("ragged", "differ in length"),
    ],
)
def test_the_message_about_a_wrong_start_says_what_was_counted(name, fragment, says):
    said = says(next_positions, NEXT[name])
    assert re.search(fragment, said), said


# Sums along any axis


def moved(x, axis):
    tokens = np.moveaxis(x, axis, -2)
    return SinusoidalEncoding(x.shape[-1])(tokens)


def rows(x, axis, start=0):
    n = x.shape[axis]
    shape = [1] * x.ndim
    shape[axis], shape[-1] = n, x.shape[-1]
    return sinusoidal(range(start, start + n), x.shape[-1]).reshape(shape)


def by_reshape(x, axis):
    tokens = np.moveaxis(x, axis, -2).shape
    return np.moveaxis(SinusoidalEncoding(x.shape[-1])(x.reshape(tokens)), -2, axis)


ADDED = {
    "last axis but one": lambda x, axis: x + rows(x, -2),
    "first axis": lambda x, axis: x + rows(x, 0),
    "not moved back": moved,
    "broadcast as it is": lambda x, axis: x + sinusoidal(x.shape[axis], x.shape[-1]),
    "encoding alone": lambda x, axis: rows(x, axis) + np.zeros(x.shape),
    "from 1": lambda x, axis: x + rows(x, axis, start=1),
    "x as it was": lambda x, axis: x,
    "reshaped": by_reshape,
    "subtracted": lambda x, axis: x - rows(x, axis),
    "float64": lambda x, axis: x + rows(x, axis),
    "negative axis": lambda x, axis: x + rows(x, axis if axis >= 0 else 0),
    "one sentence": lambda x, axis: x[0],
}


def test_tokens_may_lie_along_any_axis(capsys):
    add_along(lambda x, axis: np.moveaxis(moved(x, axis), -2, axis))
    add_along(lambda x, axis: (x + rows(x, axis)).astype(x.dtype))
    assert capsys.readouterr().out.count("Right.") == 2


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("last axis but one", r"shape \(5, 3, 6\) and axis=0 you count along axis 1"),
        ("first axis", r"shape \(3, 5, 6\) and axis=1 you count along axis 0"),
        ("not moved back", "bring the axes back"),
        ("broadcast as it is", "stops with ValueError"),
        ("encoding alone", "the encoding alone: add it to x"),
        ("from 1", "positions count from 0"),
        ("x as it was", "what is added"),
        ("reshaped", "`reshape` redraws borders"),
        ("subtracted", r"begins with \[-0.8415, -0.5403\], and should begin with \[0.8415"),
        ("float64", "float32 comes back as float64"),
        ("negative axis", r"axis=-3 you count along axis 0"),
        ("one sentence", "should have the shape"),
    ],
)
def test_the_message_about_a_wrong_sum_says_which_axis_it_counts_along(name, fragment, says):
    said = says(add_along, ADDED[name])
    assert re.search(fragment, said), said


# A setting that makes sense


def refuse(sound, message="base must be positive and finite, but it is {}: try 10000"):
    def answer(base, error=ValueError):
        if not sound(base):
            raise error(message.format(base))
        return base

    return answer


def finite(base):
    return 0 < base < np.inf


def by_assert(base):
    assert finite(base)
    return base


def by_type_error(base):
    if not finite(base):
        raise TypeError("base must be positive, try 10000")
    return base


BASES = {
    "accepts all": refuse(lambda base: True),
    "refuses all": refuse(lambda base: False),
    "lets 0 pass": refuse(lambda base: 0 <= base < np.inf),
    "lets nan pass": refuse(lambda base: not base <= 0 and base != np.inf),
    "lets infinity pass": refuse(lambda base: base > 0),
    "refuses below 1": refuse(lambda base: 1 <= base < np.inf),
    "makes it a float": lambda base: float(refuse(finite)(base)),
    "assert": by_assert,
    "TypeError": by_type_error,
    "no name": refuse(finite, "must be positive, but it is {}: try 10000"),
    "no value": refuse(finite, "base must be positive: try 10000"),
    "no way out": refuse(finite, "base must be positive, but it is {}"),
    "mended in silence": lambda base: base if finite(base) else 10_000.0,
}


def test_a_valid_base_is_left_alone_and_any_other_is_refused(capsys):
    valid_base(refuse(finite))
    assert capsys.readouterr().out.startswith("Right.")


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("accepts all", "base=-1.0 comes back as -1.0: raise a ValueError"),
        ("refuses all", r"\(10000.0\) stops with ValueError"),
        ("lets 0 pass", "base=0 comes back as 0: raise"),
        ("lets nan pass", "base=nan comes back.*Every comparison with nan is false"),
        ("lets infinity pass", "base=inf comes back.*not finite"),
        ("refuses below 1", r"\(0.5\) stops with ValueError"),
        ("makes it a float", "base=100 makes sense, but comes back as 100.0"),
        ("assert", "leaves out: raise a ValueError"),
        ("TypeError", "stops with TypeError: raise a ValueError"),
        ("no name", "Which argument is it about"),
        ("no value", "Say also what was given: -1.0"),
        ("no way out", "Name a way out"),
        ("mended in silence", "base=-1.0 comes back as 10000.0: raise a ValueError"),
    ],
)
def test_the_message_about_a_poor_refusal_says_what_is_missing(name, fragment, says):
    said = says(valid_base, BASES[name])
    assert re.search(fragment, said), said
