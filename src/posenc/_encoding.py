"""The encoding as a layer: a table of any length, added to a batch of vectors."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc._arguments import (
    Layout,
    as_array,
    as_dtype,
    as_layout,
    as_length,
    check_x_shape,
    token_positions,
)
from posenc._table import frequencies, sinusoidal


class SinusoidalEncoding:
    """Sinusoidal positional encoding as a layer, with no maximum length.

    Only the four arguments are stored. Values are computed on each call, so a stale cache can't
    mix up two settings.

    Parameters
    ----------
    d_model : int
        Number of columns of the vectors: even and at least 2.
    base : float, default 10000
        Base of the ladder of frequencies: positive and finite.
    layout : {"interleaved", "halves"}
        Order of the columns, `"interleaved"` by default, as in `sinusoidal`.
    dtype : dtype, default float64
        Floating dtype of tables.

    Raises
    ------
    TypeError
        If an argument is of the wrong kind, as in `sinusoidal`.
    ValueError
        If an argument is out of range, as in `sinusoidal`.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> encoding = SinusoidalEncoding(6)
    >>> x = np.zeros((2, 10, 6), dtype=np.float32)  # 2 sentences of 10 tokens
    >>> encoding(x).shape, encoding(x).dtype
    ((2, 10, 6), dtype('float32'))
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
        """Compute the encodings of positions 0 ... n-1.

        Parameters
        ----------
        n : int
            Number of positions.

        Returns
        -------
        ndarray of `self.dtype`, shape (n, d_model)
            One row for each position.

        Raises
        ------
        TypeError
            If `n` is not an integer.
        ValueError
            If `n` is negative or beyond `2**53`.

        Examples
        --------
        >>> SinusoidalEncoding(2).table(2).round(4)
        array([[0.    , 1.    ],
               [0.8415, 0.5403]])
        """
        return self._encode(as_length(n, "n"))

    def __call__(
        self, x: ArrayLike, *, offset: int = 0, positions: range | ArrayLike | None = None
    ) -> NDArray[Any]:
        """Add to `x` the encoding of its positions.

        Parameters
        ----------
        x : array_like of floats, shape (..., n, d_model)
            Vectors, one for each token. They are never modified. NaN in `x` stays NaN.
        offset : int, default 0
            Position of the first token: positions are offset ... offset+n-1.
        positions : range or array_like of real numbers, shape (n,) or (..., n), optional
            Position of each token, if they are not consecutive (in left-padded batches, say). The
            leading axes broadcast to those of `x`.

        Returns
        -------
        ndarray, shape (..., n, d_model)
            The sum, rounded once to the dtype of `x`.

        Raises
        ------
        TypeError
            If `x` is not floating, `offset` is not an integer or `positions` are not real numbers.
        ValueError
            If shapes do not fit, if both `offset` and `positions` are given, or if a position is
            not finite or lies beyond `2**53`.

        Examples
        --------
        >>> encoding, x = SinusoidalEncoding(6), np.ones((10, 6))
        >>> np.allclose(encoding(x[:1], offset=9), encoding(x)[9:])
        True
        """
        x = as_array(x, "x")
        if x.dtype.kind != "f":
            raise TypeError(
                f"x must be floating, because adding to {x.dtype} would truncate the encoding: "
                "convert it with x.astype(np.float32)"
            )
        check_x_shape(x.shape, self.d_model)
        encoded = self._encode(
            token_positions(offset, positions, x.shape[:-1])
        )  # (..., n, d_model)
        total = np.empty_like(x, subok=False)
        with np.errstate(under="ignore"):  # a value below the dtype's range becomes 0
            np.add(x, encoded, out=total, casting="same_kind")  # rounded once
        return total

    def _encode(self, positions: int | range | ArrayLike) -> NDArray[Any]:
        return sinusoidal(
            positions, self.d_model, base=self.base, layout=self.layout, dtype=self.dtype
        )
