"""Shifts of positions: they rotate each pair by an angle that depends on the offset alone."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._arguments import Layout, as_float64_array, as_layout, as_offset
from posenc._layout import columns
from posenc._table import angles, sinusoidal


def rotation(
    offset: float,
    d_model: int,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
) -> NDArray[np.float64]:
    """Build the matrix M with `M @ p(t) == p(t + offset)` for every position t.

    Here p(t) is `sinusoidal([t], d_model)[0]`, with the same `base` and `layout`. For a table of
    shape (n, d_model), whose rows are positions, write `table @ M.T`.

    Parameters
    ----------
    offset : float
        Offset in tokens: any finite real number.
    d_model : int
        Number of columns: even and at least 2.
    base : float, default 10000
        Base of the frequencies: positive and finite.
    layout : {"interleaved", "halves"}
        Order of the columns, `"interleaved"` by default, as in `sinusoidal`.

    Returns
    -------
    ndarray of float64, shape (d_model, d_model)
        An orthogonal matrix, zero outside the 2 by 2 blocks that rotate each pair of columns by
        `offset * frequencies(d_model)`.

    Raises
    ------
    TypeError
        If `offset` is not a real number; otherwise as `sinusoidal` does.
    ValueError
        If `offset` is not finite; otherwise as `sinusoidal` does.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5, state that such a matrix
    exists.

    Examples
    --------
    >>> M = rotation(3, 4)
    >>> M.round(2)
    array([[-0.99,  0.14,  0.  ,  0.  ],
           [-0.14, -0.99,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  1.  ,  0.03],
           [ 0.  ,  0.  , -0.03,  1.  ]])
    >>> np.allclose(M @ sinusoidal([7], 4)[0], sinusoidal([10], 4)[0])
    True
    """
    layout = as_layout(layout, "layout")
    offset = as_offset(offset)
    positions = range(offset, offset + 1) if isinstance(offset, int) else [offset]
    sines, cosines = columns(sinusoidal(positions, d_model, base=base)[0])  # (d_model / 2,) each
    sine, cosine = columns(np.arange(2 * sines.size), layout)  # the columns that hold them
    matrix = np.zeros((2 * sines.size, 2 * sines.size))  # (d_model, d_model)
    matrix[sine, sine], matrix[sine, cosine] = cosines, sines
    matrix[cosine, sine], matrix[cosine, cosine] = -sines, cosines
    return matrix


def similarity(
    offsets: ArrayLike, d_model: int, *, base: float = 10_000.0
) -> NDArray[np.float64] | np.float64:
    """Compute the cosine similarity of two encodings whose positions differ by `offsets`.

    It is the mean of the cosines of `offsets * frequencies(d_model)`. It depends neither on the two
    positions themselves nor on the layout.

    Parameters
    ----------
    offsets : array_like of real numbers, shape S
        Differences between two positions, in tokens.
    d_model : int
        Number of columns: even and at least 2.
    base : float, default 10000
        Base of the frequencies: positive and finite.

    Returns
    -------
    ndarray of float64, shape S
        Similarities, between -1 and 1. A single offset gives a single float64.

    Raises
    ------
    TypeError
        If `offsets` are not real numbers; otherwise as `sinusoidal` does.
    ValueError
        If an offset is not finite; otherwise as `sinusoidal` does.

    Notes
    -----
    Two encodings at an offset k have the dot product `d_model / 2 * similarity(k, d_model)`, and
    each has the squared norm `d_model / 2`. This follows from the formula of the encoding, since
    sin(a) sin(b) + cos(a) cos(b) = cos(a - b).

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5, for the formula of the
    encoding.

    Examples
    --------
    >>> similarity([0, 1, 10, 100], 512).round(3)
    array([1.   , 0.973, 0.679, 0.437])
    """
    phases = angles(as_float64_array(offsets, "offsets"), d_model, base)  # S + (d_model / 2,)
    means: NDArray[np.float64] | np.float64 = np.cos(phases).mean(axis=-1)
    return means
