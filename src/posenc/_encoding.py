"""The encoding as a layer: a table of any length, added to a batch of vectors."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc._arguments import (
    LARGEST,
    Layout,
    as_array,
    as_dtype,
    as_int,
    as_layout,
    as_length,
    check_one_way,
    check_positions_shape,
    check_x_shape,
)
from posenc._table import frequencies, sinusoidal


class SinusoidalEncoding:
    """Sinusoidal positional encoding for vectors of `d_model` columns, with no maximum length.

    The arguments are those of `sinusoidal`; `dtype` is the dtype of tables. Nothing is stored but
    the four arguments: values are computed when asked for, so no two settings can be mixed up.

    Raises TypeError or ValueError at construction, as `sinusoidal` does.

    Source: Vaswani et al. (2017), section 3.5.

    >>> encoding = SinusoidalEncoding(6)
    >>> encoding.table(10).shape
    (10, 6)
    >>> x = np.zeros((2, 10, 6), dtype=np.float32)  # 2 sentences of 10 tokens
    >>> encoding(x).dtype
    dtype('float32')
    >>> bool(np.allclose(encoding(x[:, :1], offset=9), encoding(x)[:, 9:]))
    True
    """

    def __init__(
        self,
        d_model: int,
        *,
        base: float = 10_000.0,
        layout: Layout = "interleaved",
        dtype: DTypeLike = np.float64,
    ) -> None:
        self.d_model = 2 * frequencies(d_model, base=base).size
        self.base = float(base)
        self.layout = as_layout(layout, "layout")
        self.dtype = as_dtype(dtype)

    def __repr__(self) -> str:
        return (
            f"SinusoidalEncoding({self.d_model}, base={self.base!r}, layout={self.layout!r}, "
            f"dtype={str(self.dtype)!r})"
        )

    def table(self, n: int) -> NDArray[Any]:
        """Return the encodings of positions 0 ... n-1, of shape (n, d_model) and `self.dtype`.

        Raises TypeError if `n` is not an integer, ValueError if it is negative.

        >>> SinusoidalEncoding(2).table(2).round(4)
        array([[0.    , 1.    ],
               [0.8415, 0.5403]])
        """
        return self._encode(as_length(n, "n"))

    def __call__(
        self, x: ArrayLike, *, offset: int = 0, positions: range | ArrayLike | None = None
    ) -> NDArray[Any]:
        """Return `x` plus the encoding of its positions, in the dtype of `x`.

        `x` has shape (..., n, d_model) and a floating dtype; it is never changed. Its tokens
        stand at positions offset ... offset+n-1, or at `positions`, an array of shape (n,) or
        (..., n) that says for each token where it stands (for left-padded batches, say); its
        leading axes broadcast to those of `x`.

        Raises TypeError if `x` is not floating or `offset` not an integer, and ValueError if
        shapes do not fit, both `offset` and `positions` are given, or a position lies beyond
        2**53. `x` itself is not inspected: where it holds NaN, so does the result.
        """
        x = as_array(x, "x")
        if x.dtype.kind != "f":
            raise TypeError(
                f"x must be floating, because adding to {x.dtype} would truncate the encoding: "
                "convert it with x.astype(np.float32)"
            )
        check_x_shape(x.shape, self.d_model)
        offset, n = as_int(offset, "offset"), x.shape[-2]
        if not -LARGEST <= offset <= LARGEST - n:
            raise ValueError(
                f"offset must keep all positions within 2**53 of 0, but it is {offset} "
                f"for {n} tokens: choose one nearer to 0"
            )
        if positions is None:
            encoded = self._encode(range(offset, offset + n))
        else:
            check_one_way(offset)
            encoded = self._encode(_fit(positions, x.shape[:-1]))
        total = np.empty_like(x, subok=False)
        with np.errstate(under="ignore"):  # what is too small for the dtype of x is rightly 0
            np.add(x, encoded, out=total, casting="same_kind")  # rounded once
        return total

    def _encode(self, positions: int | range | ArrayLike) -> NDArray[Any]:
        return sinusoidal(
            positions, self.d_model, base=self.base, layout=self.layout, dtype=self.dtype
        )


def _fit(positions: range | ArrayLike, shape: tuple[int, ...]) -> range | NDArray[Any]:
    """Return `positions` if each token of an `x` with these leading axes gets one."""
    if isinstance(positions, range) and len(positions) == shape[-1]:
        return positions
    array = as_array(positions, "positions")
    check_positions_shape(array.shape, shape)
    return array
