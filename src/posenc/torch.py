"""The encodings as PyTorch modules that keep their accuracy when a model is cast.

`model.half()` and `model.to(torch.bfloat16)` round every floating buffer of a model, which costs a
table its digits and frequencies the angles of far positions. Integer buffers are not cast. So these
modules store frequencies as integers, in ticks, 2**64 to the turn. Times a position they wrap
around exactly, modulo a turn, and float32 suffices for the remaining angle.

Import it by name: `posenc` itself needs no PyTorch and does not load this module.
"""

import math
from typing import overload

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from posenc._arguments import (
    MAX_EXACT_INT,
    Layout,
    as_base_at_least_1,
    as_d_model,
    as_int,
    as_layout,
    check_not_both,
    check_positions_shape,
    check_x_shape,
)
from posenc._layout import columns, to_layout
from posenc._range import ticks_of_frequencies, ticks_per_position
from posenc._rope import as_omega

__all__ = ["RotaryEncoding", "SinusoidalEncoding"]

QUARTER_TURN = 2**62  # in ticks, 2**64 to the turn
BLOCK_TOKENS = 512  # rotated at once in 16 bits on a CPU, so that intermediates stay in cache


class SinusoidalEncoding(torch.nn.Module):
    """Sinusoidal positional encoding as a PyTorch module, with no maximum length.

    It adds the encoding to vectors of `d_model` columns. It has no parameters and adds nothing to
    the state dict.

    Parameters
    ----------
    d_model : int
        Number of columns of the vectors: even and at least 2.
    base : float, default 10000
        Base of the frequencies: at least 1 and finite.
    layout : {"interleaved", "halves"}
        Order of the columns, `"interleaved"` by default, as in `posenc.SinusoidalEncoding`.

    Raises
    ------
    TypeError
        If `d_model` is not an integer or `base` is not a real number.
    ValueError
        If `d_model` is odd or below 2, `base` is below 1 or infinite, or `layout` is unknown.

    Notes
    -----
    For an `x` of float64 the encoding is computed in float64, with an error below 1e-12 up to
    position `10**6`; for other dtypes in float32, with an error below 2e-7 up to position `10**11`.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> encoding = SinusoidalEncoding(6).to(torch.bfloat16)
    >>> x = torch.zeros(2, 10, 6, dtype=torch.bfloat16)  # 2 sentences of 10 tokens
    >>> encoding(x).shape, encoding(x).dtype
    (torch.Size([2, 10, 6]), torch.bfloat16)
    """

    ticks: Tensor  # (d_model,): rotation of each column per position
    peaks: (
        Tensor  # (d_model,): phase at which a column is 1: a quarter turn for sines, 0 for cosines
    )

    def __init__(
        self, d_model: int, *, base: float = 10_000.0, layout: Layout = "interleaved"
    ) -> None:
        super().__init__()
        self.d_model = as_d_model(d_model)
        self.base = as_base_at_least_1(base, "use posenc.SinusoidalEncoding")
        self.layout = as_layout(layout, "layout")
        for name in ("ticks", "peaks"):
            empty = torch.empty(self.d_model, dtype=torch.int64)
            self.register_buffer(name, empty, persistent=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Compute the buffers, which `to_empty` leaves undefined.

        Examples
        --------
        >>> empty = SinusoidalEncoding(6).to("meta").to_empty(device="cpu")
        >>> empty.reset_parameters()
        >>> torch.equal(empty.ticks, SinusoidalEncoding(6).ticks)
        True
        """
        of_pairs = ticks_per_position(self.d_model, self.base)[0].view(np.int64)  # (d_model / 2,)
        ticks, peaks = np.repeat(of_pairs, 2), np.tile([QUARTER_TURN, 0], of_pairs.size)
        for buffer, values in ((self.ticks, ticks), (self.peaks, peaks)):  # (d_model,) each
            buffer.copy_(torch.tensor(to_layout(values, "interleaved", self.layout).tolist()))

    def extra_repr(self) -> str:
        """Format the arguments for `repr`.

        Returns
        -------
        str
            Text between the parentheses.

        Examples
        --------
        >>> SinusoidalEncoding(6)
        SinusoidalEncoding(6, base=10000.0, layout='interleaved')
        """
        return f"{self.d_model}, base={self.base!r}, layout={self.layout!r}"

    def forward(self, x: Tensor, *, offset: int = 0, positions: Tensor | None = None) -> Tensor:
        """Add to `x` the encoding of its positions.

        Parameters
        ----------
        x : Tensor of floats, shape (..., n, d_model)
            Vectors, one for each token, batch first. They are never modified.
        offset : int, default 0
            Position of the first token: positions are offset ... offset+n-1.
        positions : Tensor of integers, shape (n,) or (..., n), optional
            Position of each token, if they are not consecutive (in left-padded batches, say). The
            leading axes broadcast to those of `x`.

        Returns
        -------
        Tensor, shape (..., n, d_model)
            The sum, rounded once to the dtype of `x`.

        Raises
        ------
        TypeError
            If `x` is not a floating tensor, or `offset` or `positions` are not integers.
        ValueError
            If shapes do not fit, `offset` and `positions` are both given, or `offset` lies beyond
            `2**53`. Values of tensors are not inspected, which would wait for the device.

        Examples
        --------
        >>> encoding, x = SinusoidalEncoding(6), torch.ones(10, 6)
        >>> torch.allclose(encoding(x[:1], offset=9), encoding(x)[9:])
        True
        """
        _check_x(x, "adding to {} would truncate the encoding")
        check_x_shape(tuple(x.shape), self.d_model)
        pos = _token_positions((x,), offset, positions, "posenc.SinusoidalEncoding")
        encoding = _sines(pos * self.ticks, self.peaks, x.dtype)  # (..., n, d_model)
        return (x.to(encoding.dtype) + encoding).to(x.dtype)


class RotaryEncoding(torch.nn.Module):
    """Rotary position embedding as a PyTorch module, with no maximum length.

    It rotates each pair of columns of queries or keys by its frequency times the position. It has
    no parameters and adds nothing to the state dict, so weights saved without it load unchanged.

    Parameters
    ----------
    d_head : int
        Number of columns of a head: even and at least 2.
    omega : array_like of real numbers, shape (d_head / 2,), optional
        Frequency of each pair, in radians per position, in place of `base`: what
        `posenc.scale_frequencies` gives, for example. A pair whose frequency is 0 is not rotated.
    base : float, default 10000
        Base of the frequencies: at least 1 and finite.
    layout : {"interleaved", "halves"}
        Which columns form a pair, `"interleaved"` by default, as in `posenc.rope`.

    Raises
    ------
    TypeError
        If `d_head` is not an integer, or `base` or `omega` are not real numbers.
    ValueError
        If `d_head` is odd or below 2, if `base` is below 1 or not finite, if `omega` does not fit
        or comes with a base, or if `layout` is unknown.

    Notes
    -----
    An `x` of float64 is rotated in float64, with an error of a pair below 1e-12 of its length up to
    position `10**6`; others in float32, with an error below 2e-7 up to position `10**11`, and then
    rounded once. (Rounding to whole ticks costs at most 2e-19 radians per position.)

    References
    ----------
    Su et al. (2024), "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.

    Examples
    --------
    >>> rotate = RotaryEncoding(64, base=500_000.0, layout="halves").to(torch.bfloat16)
    >>> q = torch.ones(2, 8, 10, 64, dtype=torch.bfloat16)  # 2 sentences, 8 heads, 10 tokens
    >>> rotate(q).shape, rotate(q).dtype
    (torch.Size([2, 8, 10, 64]), torch.bfloat16)
    """

    ticks: Tensor  # (d_head / 2,): rotation of each pair per position
    peaks: Tensor  # (2, 1): phases at which a cosine is 1 and a sine is 1

    def __init__(
        self,
        d_head: int,
        *,
        omega: ArrayLike | None = None,
        base: float = 10_000.0,
        layout: Layout = "interleaved",
    ) -> None:
        super().__init__()
        self.d_head = as_d_model(d_head, "d_head")
        self.omega: tuple[float, ...] | None = None
        self.base = as_base_at_least_1(base, "give frequencies of your own as omega")
        if omega is not None:
            self.omega = tuple(as_omega(omega, self.d_head, base).tolist())
        self.layout = as_layout(layout, "layout")
        for name, shape in (("ticks", (self.d_head // 2,)), ("peaks", (2, 1))):
            self.register_buffer(name, torch.empty(shape, dtype=torch.int64), persistent=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Compute the buffers, which `to_empty` leaves undefined.

        Examples
        --------
        >>> empty = RotaryEncoding(6).to("meta").to_empty(device="cpu")
        >>> empty.reset_parameters()
        >>> torch.equal(empty.ticks, RotaryEncoding(6).ticks)
        True
        """
        if self.omega is None:
            whole, _ = ticks_per_position(self.d_head, self.base)
        else:
            whole, _ = ticks_of_frequencies(self.omega)
        self.ticks.copy_(torch.tensor(whole.view(np.int64).tolist()))
        self.peaks.copy_(torch.tensor([[0], [QUARTER_TURN]]))

    def extra_repr(self) -> str:
        """Format the arguments for `repr`.

        Returns
        -------
        str
            Text between the parentheses.

        Examples
        --------
        >>> RotaryEncoding(6)
        RotaryEncoding(6, base=10000.0, layout='interleaved')
        """
        given = f"base={self.base!r}"
        if self.omega is not None:
            given = f"omega=[{self.omega[0]!r}, ..., {self.omega[-1]!r}]"
        return f"{self.d_head}, {given}, layout={self.layout!r}"

    @overload
    def forward(
        self, x: Tensor, /, *, offset: int = 0, positions: Tensor | None = None
    ) -> Tensor: ...

    @overload
    def forward(
        self, x: Tensor, /, *more: Tensor, offset: int = 0, positions: Tensor | None = None
    ) -> tuple[Tensor, ...]: ...

    def forward(
        self, x: Tensor, /, *more: Tensor, offset: int = 0, positions: Tensor | None = None
    ) -> Tensor | tuple[Tensor, ...]:
        """Rotate queries or keys by their positions, or both at once.

        Parameters
        ----------
        x : Tensor of floats, shape (..., n, d_head)
            Queries or keys, one row for each token. They are never modified.
        *more : Tensor of floats, shape (..., n, d_head)
            Keys for the same tokens, perhaps with fewer heads. They share sines and cosines.
        offset : int, default 0
            Position of the first token: positions are offset ... offset+n-1.
        positions : Tensor of integers, shape (n,) or (..., n), optional
            Position of each token, if they are not consecutive. The leading axes broadcast to
            those of `x`: give (batch, 1, n) for an `x` of shape (batch, heads, n, d_head).

        Returns
        -------
        Tensor, shape (..., n, d_head), or tuple of such
            The rotated vectors, each in its own dtype: one tensor for each argument.

        Raises
        ------
        TypeError
            If `x` is not a floating tensor, or `offset` or `positions` are not integers.
        ValueError
            If shapes do not fit, `offset` and `positions` are both given, or `offset` lies beyond
            `2**53`. Values of tensors are not inspected, which would wait for the device.

        Examples
        --------
        >>> rotate, q, k = RotaryEncoding(6), torch.ones(8, 10, 6), torch.ones(2, 10, 6)
        >>> [each.shape for each in rotate(q, k)]
        [torch.Size([8, 10, 6]), torch.Size([2, 10, 6])]
        >>> torch.allclose(rotate(q[:, 9:], offset=9), rotate(q)[:, 9:])
        True
        """
        for each in (x, *more):
            _check_x(each, "{} can't hold what is rotated")
            check_x_shape(tuple(each.shape), self.d_head, "d_head")
            if each.shape[-2] != x.shape[-2]:
                raise ValueError(
                    "x must hold the same number of tokens each time, but their shapes are "
                    f"{tuple(x.shape)} and {tuple(each.shape)}: rotate them one by one"
                )
        pos = _token_positions((x, *more), offset, positions, "posenc.rope").unsqueeze(-2)
        both = _sines(pos * self.ticks, self.peaks, *(each.dtype for each in (x, *more)))
        cosines, sines = both.unbind(-2)  # (..., n, d_head / 2) each
        axis = -1 if self.layout == "interleaved" else -2
        per_column = torch.stack([cosines, cosines], axis).flatten(-2)  # (..., n, d_head)
        rotated = tuple(_rotate(each, per_column, sines, self.layout) for each in (x, *more))
        return rotated if more else rotated[0]


def _rotate(x: Tensor, cosines: Tensor, sines: Tensor, layout: Layout) -> Tensor:
    """Rotate the pairs of `x`, given a cosine for each column and a sine for each pair."""
    # The float32 copies of a long 16-bit `x` outgrow a processor's cache, which doubles the time.
    # (A compiler writes one loop, without copies.)
    n, compiled = x.shape[-2], torch.compiler.is_compiling()
    if not compiled and x.dtype.itemsize == 2 and x.is_cpu and n > BLOCK_TOKENS:
        starts = range(0, n, BLOCK_TOKENS)
        rows = [(..., slice(start, start + BLOCK_TOKENS), slice(None)) for start in starts]
        return torch.cat([_rotate(x[at], cosines[at], sines[at], layout) for at in rows], -2)
    wide = x.to(cosines.dtype)
    rotated = wide * cosines  # (..., n, d_head)
    x_first, x_second = columns(wide, layout)
    first, second = columns(rotated, layout)
    first.addcmul_(x_second, sines, value=-1)
    second.addcmul_(x_first, sines)
    return rotated.to(x.dtype)


def _token_positions(
    inputs: tuple[Tensor, ...], offset: int, positions: Tensor | None, alternative: str
) -> Tensor:
    """Choose the position of each token, of shape (n, 1) or (..., n, 1)."""
    if not torch.compiler.is_compiling():  # a check would recompile for each offset
        offset = as_int(offset, "offset")
        if abs(offset) > MAX_EXACT_INT:
            raise ValueError(
                f"offset must lie within 2**53 of 0, but it is {offset}: choose one nearer to 0"
            )
    if positions is None:
        n, device = inputs[0].shape[-2], inputs[0].device
        positions = torch.arange(offset, offset + n, device=device)
    else:
        check_not_both(offset)
        for x in inputs:
            _check_positions(positions, x, alternative)
    return positions.to(torch.int64).unsqueeze(-1)


def _sines(phase: Tensor, peaks: Tensor, *dtypes: torch.dtype) -> Tensor:
    """Compute sines or cosines of a phase, which are 1 where it equals `peaks`.

    Sines are taken of angles within a quarter turn of 0, which float32 resolves better than angles
    within a half.
    """
    dtype = torch.float64 if torch.float64 in dtypes else torch.float32
    return torch.sin((QUARTER_TURN - (phase - peaks).abs()).to(dtype) * (math.pi / 2**63))


def _check_x(x: Tensor, why: str) -> None:
    if not isinstance(x, Tensor):
        raise TypeError(f"x must be a tensor, not {type(x).__name__}: pass torch.as_tensor(x)")
    if not x.is_floating_point():
        raise TypeError(
            f"x must be floating, because {why.format(x.dtype)}: convert it with x.float()"
        )


def _check_positions(positions: Tensor, x: Tensor, alternative: str) -> None:
    if not isinstance(positions, Tensor):
        raise TypeError(
            f"positions must be a tensor of integers, not {type(positions).__name__}: "
            "pass torch.as_tensor(positions)"
        )
    dtype = positions.dtype
    if dtype.is_floating_point or dtype.is_complex or dtype == torch.bool:
        raise TypeError(
            f"positions must be integers here, but their dtype is {dtype}: give each token's "
            f"position as torch.int64, or use {alternative} for positions in between"
        )
    check_positions_shape(tuple(positions.shape), tuple(x.shape[:-1]))
