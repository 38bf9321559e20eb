"""Check a table for the patches of a picture (*images-points-times*)."""

from collections.abc import Callable

import numpy as np

from posenc._layout import to_layout
from posenc._space import axial
from posenc._table import sinusoidal
from posenc_checks._answer import Answer, Array, forbid, right
from posenc_checks._judge import Mistake, Results, judge

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
        hint=hint,
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


def _cut(h: int, w: int, d: int) -> Array:
    """The first half of the columns of tables as wide as the result."""
    y, x = sinusoidal(h, d)[:, : d // 2], sinusoidal(w, d)[:, : d // 2]
    return np.asarray(np.concatenate([y[:, np.newaxis] + 0 * x, 0 * y[:, np.newaxis] + x], axis=-1))


MISTAKES: list[Mistake] = [
    (lambda h, w, d: _halves(h, w, d, 1, 0),
     "It has the columns of the width first: here those of y, the row of the patch, come before "
     "those of x."),
    (_sum,
     "It adds the rows of the two axes, so that patch (1, 2) and patch (2, 1) get the same "
     "numbers. Put the two side by side, each in half of the columns."),
    (lambda h, w, d: _halves(h, w, d, 0, 0),
     "It encodes one coordinate twice and the other never: the second half should encode x."),
    (lambda h, w, d: _grid(h, w, d).swapaxes(0, 1).reshape(h, w, d),
     "It gives the right vectors to the wrong patches: they were made column by column and then "
     "laid out row by row. See which coordinate changes first in your grid."),
    (_cut,
     "It has half of the pairs of tables of width d_model: each axis has frequencies of its own "
     "here, with the exponents of d_model / 2 columns."),
    (lambda h, w, d: to_layout(_grid(h, w, d), "interleaved", "halves"),
     "It has all sines before all cosines: here each sine is beside its cosine."),
    (lambda h, w, d: axial((range(1, h + 1), range(1, w + 1)), d),
     "It counts rows and columns from 1: they count from 0 here."),
    (lambda h, w, d: sinusoidal(h * w, d).reshape(h, w, d),
     "It numbers the patches one after the other, like the tokens of a text: give each of the two "
     "axes half of the columns."),
]  # fmt: skip
SHAPES: list[tuple[Callable[[int, int, int], tuple[int, ...]], str]] = [
    (lambda h, w, d: (w, h, d), "The height comes first: entry (y, x) belongs to row y."),
    (lambda h, w, d: (h * w, d),
     "It is one long list of patches: give it an axis for the rows of the picture and one for its "
     "columns."),
    (lambda h, w, d: (h, w, 2 * d), "The two axes share the columns that were asked for."),
]  # fmt: skip


def _seen(found: Results) -> str:
    """Say what the shapes show."""
    for shape, said in SHAPES:
        if all(one.shape == shape(*size) for one, size in zip(found, SIZES, strict=False)):
            return said
    return ""
