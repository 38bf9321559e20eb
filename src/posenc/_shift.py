"""What a shift of positions does to encodings: it turns each pair, by the same angle everywhere."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._arguments import Layout, as_layout, as_offset, as_reals
from posenc._layout import columns
from posenc._table import angles, sinusoidal


def rotation(
    offset: float,
    d_model: int,
    *,
    base: float = 10_000.0,
    layout: Layout = "interleaved",
) -> NDArray[np.float64]:
    """Return the matrix M with `M @ p(t) == p(t + offset)`, whatever the position t.

    `offset` is a real number, in tokens; p(t) is `sinusoidal([t], d_model)[0]` with the same
    `base` and `layout`. The result has shape (d_model, d_model). It is orthogonal, and zero
    outside the 2 by 2 blocks that turn each pair of columns by `offset * frequencies(d_model)`.
    For a table of shape (n, d_model), whose rows are positions, write `table @ M.T`.

    Raises TypeError if `offset` is not a real number, ValueError if it is not finite, and
    otherwise as `sinusoidal` does.

    Source: Vaswani et al. (2017), section 3.5, which states that such a matrix exists.

    >>> M = rotation(3, 4)
    >>> bool(np.allclose(M @ sinusoidal([7], 4)[0], sinusoidal([10], 4)[0]))
    True
    >>> M.round(2)
    array([[-0.99,  0.14,  0.  ,  0.  ],
           [-0.14, -0.99,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  1.  ,  0.03],
           [ 0.  ,  0.  , -0.03,  1.  ]])
    """
    layout = as_layout(layout, "layout")
    offset = as_offset(offset)
    positions = range(offset, offset + 1) if isinstance(offset, int) else [offset]
    sines, cosines = columns(sinusoidal(positions, d_model, base=base)[0])
    sine, cosine = columns(np.arange(2 * sines.size), layout)
    matrix = np.zeros((2 * sines.size, 2 * sines.size))
    matrix[sine, sine], matrix[sine, cosine] = cosines, sines
    matrix[cosine, sine], matrix[cosine, cosine] = -sines, cosines
    return matrix


def similarity(
    offsets: ArrayLike, d_model: int, *, base: float = 10_000.0
) -> NDArray[np.float64] | np.float64:
    """Return the cosine similarity of encodings that stand `offsets` apart: the mean of cosines.

    `offsets` holds real numbers, in tokens, in any shape S, and so does the result. Wherever they
    stand, two encodings at a distance k have the dot product `d_model / 2 * similarity(k, d_model)`
    and each has the squared norm `d_model / 2`; the layout makes no difference.

    Raises TypeError if `offsets` are not real numbers, ValueError if one is not finite, and
    otherwise as `sinusoidal` does.

    Source: it follows from the formula in Vaswani et al. (2017), section 3.5, since
    sin(a) sin(b) + cos(a) cos(b) = cos(a - b).

    >>> similarity([0, 1, 10, 100], 512).round(3)
    array([1.   , 0.973, 0.679, 0.437])
    """
    turned = angles(as_reals(offsets, "offsets"), d_model, base)
    means: NDArray[np.float64] | np.float64 = np.cos(turned).mean(axis=-1)
    return means
