"""Check a table for the patches of a picture (*images-points-times*)."""

from collections.abc import Callable

import numpy as np

from posenc._layout import to_layout
from posenc._space import axial
from posenc._table import sinusoidal
from posenc_checks._answer import Answer, Array, close, forbid, right
from posenc_checks._judge import Mistake, Results, judge
from posenc_clinic import diagnose

__all__ = ["grid"]

SIZES = [(2, 3, 8), (24, 1, 16), (1, 1, 4), (3, 5, 12), (7, 2, 8), (4, 4, 24), (2, 30, 64)]


def grid(answer: Answer) -> None:
    """Check `grid(height, width, d_model)`: the encodings of the patches of a picture.

    Parameters
    ----------
    answer : callable
        `grid(height, width, d_model)`, which returns an array of shape (height, width, d_model).
        Entry (y, x) holds the encoding of row y in its first d_model / 2 columns and that of
        column x in the others, each with its sines beside its cosines.

    Raises
    ------
    NotYet
        If the shape is another one, or a patch is off. The message names the likely mistake.

    Examples
    --------
    >>> grid(lambda height, width, d_model: np.zeros((width, height, d_model)))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: grid(2, 3, 8) should have the shape (2, 3, 8), but its shape is \
(3, 2, 8). The height comes first: entry (y, x) belongs to row y.
    """
    forbid(answer, {"posenc"}, "build the table yourself, with NumPy.")
    patch = "column {0[2]} of the patch in row {0[0]}, column {0[1]}".format
    hint = "Which of the two coordinates does that column encode, and with which frequency?"
    judge(
        answer,
        _grid,
        SIZES,
        MISTAKES,
        name="grid",
        describe_entry=patch,
        observe=_seen,
        fallback_hint=hint,
    )
    right(
        "Two tables side by side: the similarity of two patches is the mean over the two axes, and "
        "a picture need not be square."
    )


def _grid(height: int, width: int, d_model: int) -> Array:
    return axial((height, width), d_model)


def _sum(h: int, w: int, d: int) -> Array:
    return np.asarray(sinusoidal(h, d)[:, np.newaxis] + sinusoidal(w, d))


def _halves(h: int, w: int, d: int, first: int, second: int) -> Array:
    """The first half of the columns, or the second, in each of the two halves."""
    halves = np.split(_grid(h, w, d), 2, axis=-1)
    return np.concatenate([halves[first], halves[second]], axis=-1)


def _cut(h: int, w: int, d: int, half: slice) -> Array:
    """Half of the columns of tables as wide as the result."""
    y, x = sinusoidal(h, d)[:, half], sinusoidal(w, d)[:, half]
    return np.asarray(np.concatenate([y[:, np.newaxis] + 0 * x, 0 * y[:, np.newaxis] + x], axis=-1))


TWICE = "It encodes one coordinate twice and the other never: the {} half should encode {}."
OWN = (
    "It has half of the pairs of tables of width d_model: each axis has frequencies of its own "
    "here, with the exponents of d_model / 2 columns."
)
FIRST = "The height comes first: entry (y, x) belongs to row y."
MISTAKES: list[Mistake] = [
    (lambda h, w, d: _halves(h, w, d, 1, 0),
     "It has the columns of the width first: here those of y, the row of the patch, come before "
     "those of x."),
    (_sum,
     "It adds the rows of the two axes, so that patch (1, 2) and patch (2, 1) get the same "
     "numbers. Put the two side by side, each in half of the columns."),
    (lambda h, w, d: sinusoidal(h + w, d)[np.add.outer(np.arange(h), np.arange(w))],
     "It encodes the sum y + x, so that patch (1, 2) and patch (2, 1) get the same numbers. "
     "Encode each of the two alone, in half of the columns."),
    (lambda *size: _sum(*size) / 2, "It averages the rows of the two axes: put them side by side."),
    (lambda h, w, d: _halves(h, w, d, 0, 0), TWICE.format("second", "x")),
    (lambda h, w, d: _halves(h, w, d, 1, 1), TWICE.format("first", "y")),
    (lambda h, w, d: _grid(h, w, d).swapaxes(0, 1).reshape(h, w, d),
     "It gives the right vectors to the wrong patches: they were made column by column and then "
     "laid out row by row. See which coordinate changes first in your grid."),
    (lambda h, w, d: _cut(h, w, d, slice(d // 2)), OWN),
    (lambda h, w, d: _cut(h, w, d, slice(d // 2, None)), OWN),
    (lambda h, w, d: axial((h, w), d, layout="halves"),
     "It has the sines of each axis before its cosines: here each sine is beside its cosine."),
    (lambda h, w, d: to_layout(_grid(h, w, d), "interleaved", "halves"),
     "It has all sines before all cosines: here each sine is beside its cosine."),
    (lambda h, w, d: _grid(h, w, d)[:, ::-1],
     "It counts columns from the right: the left one has x = 0."),
    (lambda h, w, d: _grid(h, w, d)[::-1], "It counts rows from the bottom: y is 0 at the top."),
    (lambda h, w, d: axial((range(1, h + 1), range(1, w + 1)), d),
     "It counts rows and columns from 1: they count from 0 here."),
    (lambda h, w, d: _grid(w, h, d), FIRST),
    (lambda h, w, d: sinusoidal(h * w, d).reshape(h, w, d),
     "It numbers the patches one after the other, like the tokens of a text: give each of the two "
     "axes half of the columns."),
]  # fmt: skip
SHAPES: list[tuple[Callable[[int, int, int], tuple[int, ...]], str]] = [
    (lambda h, w, d: (w, h, d), FIRST),
    (lambda h, w, d: (h * w, d),
     "It is one long list of patches: give it an axis for the rows of the picture and one for its "
     "columns."),
    (lambda h, w, d: (d, h, w), "The columns come first: put them in the last axis."),
    (lambda h, w, d: (h, w, 2 * d), "The two axes share the columns that were asked for."),
    (lambda h, w, d: (h, w, d // 2),
     "Half of the columns are missing: each axis has its own, those of x after those of y."),
]  # fmt: skip


def _seen(found: Results) -> str:
    """Say what the shapes show, or a diagnosis of one axis, if its columns are wrong."""
    for shape, said in SHAPES:
        if all(one.shape == shape(*size) for one, size in zip(found, SIZES, strict=False)):
            return said
    if len(found) < 2 or found[1].shape != SIZES[1] or not np.isfinite(found[1]).all():
        return ""
    if close(table := found[1][:, 0, :8], sinusoidal(24, 8)):
        return ""
    for finding in diagnose(table, recipe="paper").findings:
        if finding.mistake not in ("not-an-encoding", "other-recipe"):
            return f"In grid(24, 1, 16), in the columns of y: {finding.evidence}"
    return ""
