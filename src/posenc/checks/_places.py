"""Check a table for the patches of a picture (*what-else-can-a-dial-tell*)."""

import numpy as np

from posenc._layout import to_layout
from posenc._space import axial
from posenc._table import sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, array, call, right, shape_of
from posenc.checks._mistakes import Mistakes, diagnosed, likely, same

__all__ = ["grid"]


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
        If the shape is another one, or an entry is wrong. The message names the likely mistake, or
        the first patch that is off.

    Examples
    --------
    >>> grid(lambda height, width, d_model: axial((width, height), d_model).swapaxes(0, 1))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: grid(3, 5, 12) has the columns of the width first: here those of \
y, the row of the patch, stand before those of x.
    """
    height, width, d_model = 3, 5, 12
    what = f"grid({height}, {width}, {d_model})"
    result = call(answer, height, width, d_model)
    _has_axes(shape_of(result), what)
    found = array(result, (height, width, d_model), what)
    if said := likely(found, _slips(height, width, d_model)):
        raise NotYet(f"{what} {said}")
    if said := _wrong_dials(answer):
        raise NotYet(said)
    for size in ((3, 5, 12), (1, 1, 4), (7, 2, 8), (4, 4, 6 * 4), (2, 30, 64)):
        what = f"grid{size}"
        expected = axial(size[:2], size[2])
        patch = (
            "has {found} in column {place[2]} of the patch in row {place[0]}, column {place[1]}, "
            "and should have {expected} there"
        )
        hint = ". Which of the two coordinates does that column tell, and by which frequency?"
        same(array(call(answer, *size), expected.shape, what), expected, what, patch, hint)
    right(
        "Two tables side by side: a patch is as near to another as the mean of the two axes says, "
        "and a picture need not be square."
    )


def _has_axes(shape: tuple[int, ...], what: str) -> None:
    """Explain shapes with the right number of values and the wrong axes."""
    said = {
        (5, 3, 12): "has a row of patches for each column of the picture: its shape is (5, 3, 12). "
        "The height comes first: entry (y, x) belongs to row y.",
        (15, 12): "is one long list of patches, of shape (15, 12): give it an axis for the rows of "
        "the picture and one for its columns.",
        (12, 3, 5): "has its columns in front, in the shape (12, 3, 5): put the numbers of a patch "
        "in the last axis.",
        (3, 5, 24): "has 24 columns for each patch: the two axes share the 12 that were asked for.",
        (3, 5, 6): "has 6 columns for each patch: those of one axis alone, or of both added up. "
        "Put the columns of x behind those of y.",
    }
    if shape in said:
        raise NotYet(f"{what} {said[shape]}")


def _slips(height: int, width: int, d_model: int) -> Mistakes:
    """Return what known slips make, and what to say of each."""
    half = d_model // 2
    right_table = axial((height, width), d_model)
    y, x = right_table[..., :half], right_table[..., half:]
    wide_y, wide_x = sinusoidal(height, d_model)[:, np.newaxis], sinusoidal(width, d_model)
    nothing = np.zeros_like(right_table)
    by_column = right_table.swapaxes(0, 1).reshape(right_table.shape)
    cut = [
        np.concatenate([wide_y[..., part] + nothing[..., :half], (wide_x + nothing)[..., part]], -1)
        for part in (slice(half), slice(half, None))
    ]
    one = "tells one coordinate twice and the other never: "
    return [
        (
            np.concatenate([x, y], axis=-1),
            "has the columns of the width first: here those of y, the row of the patch, stand "
            "before those of x.",
        ),
        (
            wide_y + wide_x,
            "adds the rows of the two axes, so that patch (1, 2) and patch (2, 1) get the same "
            "numbers. Put the two side by side, each in half of the columns.",
        ),
        ((wide_y + wide_x) / 2, "averages the rows of the two axes: put the two side by side."),
        (np.concatenate([y, y], axis=-1), one + "the second half should tell x."),
        (np.concatenate([x, x], axis=-1), one + "the first half should tell y."),
        (
            by_column,
            "has the right rows in the wrong places: they were made column by column and then "
            "laid out row by row. Look at which coordinate changes first in your grid.",
        ),
        *(
            (
                table,
                f"has half of the dials of tables of width {d_model}: each axis has a ladder of "
                f"its own here, in {half} columns, with the exponents 2i / {half}.",
            )
            for table in cut
        ),
        (
            axial((height, width), d_model, layout="halves"),
            "has the sines of each axis before its cosines: here each sine stands beside its "
            "cosine.",
        ),
        (
            to_layout(right_table, "interleaved", "halves"),
            "has all sines before all cosines: here each sine stands beside its cosine.",
        ),
        (
            axial((range(1, height + 1), range(1, width + 1)), d_model),
            "counts rows and columns from 1: they count from 0 here.",
        ),
        (
            sinusoidal(height * width, d_model).reshape(right_table.shape),
            "numbers the patches one after the other, as the words of a text: give each of the two "
            "axes half of the columns.",
        ),
    ]


def _wrong_dials(answer: Answer) -> str:
    """Say what a diagnosis finds in the columns of one axis, if these are wrong in themselves."""
    table: Array = array(call(answer, 24, 1, 16), (24, 1, 16), "grid(24, 1, 16)")[:, 0, :8]
    said = "" if np.allclose(table, sinusoidal(24, 8)) else diagnosed(table)
    return said and f"In grid(24, 1, 16), in the columns of y: {said}"
