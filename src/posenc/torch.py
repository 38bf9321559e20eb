"""The encodings as PyTorch modules that no cast can blur.

`model.half()` and `model.to(torch.bfloat16)` round every floating buffer of a model: a table
loses digits, frequencies lose the angles of far positions. Integers are left alone. So these keep
frequencies as integers, in ticks, 2**64 to the turn. Times a position they wrap around modulo
a turn, as angles do, and exactly; float32 is enough for the angle that is left.

Import it by name: `posenc` itself needs no PyTorch and does not load this module.
"""

import math
from typing import overload

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from posenc._arguments import (
    LARGEST,
    Layout,
    as_d_model,
    as_growing,
    as_int,
    as_layout,
    check_not_both,
    check_positions_shape,
    check_x_shape,
)
from posenc._layout import columns, to_layout
from posenc._range import ticks_of, ticks_per_position
from posenc._rope import as_omega

__all__ = ["RotaryEncoding", "SinusoidalEncoding"]

QUARTER = 2**62  # of a turn, in ticks: 2**64 make a whole one
TOKENS = 512  # are turned at once, in 16 bits on a processor


class SinusoidalEncoding(torch.nn.Module):
    """Sinusoidal positional encoding as a PyTorch module, with no maximum length.

    It adds the encoding to vectors of `d_model` columns. Nothing is learned or kept in the state
    dict.

    Parameters
    ----------
    d_model : int
        Number of columns of the vectors: even and at least 2.
    base : float, default 10000
        Base of the ladder of frequencies: at least 1 and finite.
    layout : {"interleaved", "halves"}
        Order of the columns, `"interleaved"` by default, as in `posenc.SinusoidalEncoding`.

    Raises
    ------
    TypeError
        If `d_model` is not an integer or `base` is not a real number.
    ValueError
        If `d_model` is odd or below 2, if `base` is below 1 or not finite, or if `layout` is
        unknown.

    Notes
    -----
    For an `x` of float64 the encoding is computed in float64, and is off by less than 1e-12 up to
    position `10**6`; for other dtypes in float32, and off by less than 2e-7 up to position
    `10**11`. (Ticks are whole, which costs at most 2e-19 radians per position.)

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

    ticks: Tensor  # (d_model,): by how much the dial of each column turns per position
    top: Tensor  # (d_model,): where a column is 1; a sine after a quarter turn, a cosine at once

    def __init__(
        self, d_model: int, *, base: float = 10_000.0, layout: Layout = "interleaved"
    ) -> None:
        super().__init__()
        self.d_model = as_d_model(d_model)
        self.base = as_growing(base, "use posenc.SinusoidalEncoding")
        self.layout = as_layout(layout, "layout")
        for name in ("ticks", "top"):
            empty = torch.empty(self.d_model, dtype=torch.int64)
            self.register_buffer(name, empty, persistent=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Compute the buffers again: `to_empty` leaves them undefined.

        Examples
        --------
        >>> empty = SinusoidalEncoding(6).to("meta").to_empty(device="cpu")
        >>> empty.reset_parameters()
        >>> torch.equal(empty.ticks, SinusoidalEncoding(6).ticks)
        True
        """
        of_pairs = ticks_per_position(self.d_model, self.base)[0].view(np.int64)  # (d_model / 2,)
        columns = np.repeat(of_pairs, 2), np.tile([QUARTER, 0], of_pairs.size)  # (d_model,) each
        for buffer, values in zip((self.ticks, self.top), columns, strict=True):
            buffer.copy_(torch.tensor(to_layout(values, "interleaved", self.layout).tolist()))

    def extra_repr(self) -> str:
        """Write the arguments, for `repr`.

        Returns
        -------
        str
            What stands in the parentheses.

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
            Vectors, one for each token, batch first. They are never changed.
        offset : int, default 0
            Position of the first token: tokens stand at offset ... offset+n-1.
        positions : Tensor of integers, shape (n,) or (..., n), optional
            Position of each token, if they don't follow one another (in left-padded batches, say).
            The leading axes broadcast to those of `x`.

        Returns
        -------
        Tensor, shape (..., n, d_model)
            The sum, rounded once to the dtype of `x`.

        Raises
        ------
        TypeError
            If `x` is not a floating tensor, `offset` is not an integer or `positions` is not a
            tensor of integers.
        ValueError
            If shapes do not fit, if both `offset` and `positions` are given, or if `offset` lies
            beyond `2**53`. The values of tensors are not inspected, so that nothing waits for a
            device.

        Examples
        --------
        >>> encoding, x = SinusoidalEncoding(6), torch.ones(10, 6)
        >>> torch.allclose(encoding(x[:1], offset=9), encoding(x)[9:])
        True
        """
        _check_x(x, "adding to {} would truncate the encoding")
        check_x_shape(tuple(x.shape), self.d_model)
        places = _places((x,), offset, positions, "posenc.SinusoidalEncoding")
        phase = places * self.ticks  # (..., n, d_model)
        encoding = _heights(phase, self.top, x.dtype)
        return (x.to(encoding.dtype) + encoding).to(x.dtype)


class RotaryEncoding(torch.nn.Module):
    """Rotary position embedding as a PyTorch module, with no maximum length.

    It turns each pair of columns of queries or keys by its frequency times the position. Nothing is
    learned or kept in the state dict, so that weights which know no such module load as they are.

    Parameters
    ----------
    d_head : int
        Number of columns of a head: even and at least 2.
    omega : array_like of real numbers, shape (d_head / 2,), optional
        Frequency of each pair, in radians per position, in place of `base`: what
        `posenc.scale_frequencies` gives, for example. A pair whose frequency is 0 is not turned.
    base : float, default 10000
        Base of the ladder of frequencies: at least 1 and finite.
    layout : {"interleaved", "halves"}
        Which columns make a pair, `"interleaved"` by default, as in `posenc.rope`.

    Raises
    ------
    TypeError
        If `d_head` is not an integer, or `base` or `omega` are not real numbers.
    ValueError
        If `d_head` is odd or below 2, if `base` is below 1 or not finite, if `omega` does not fit
        or comes with a base, or if `layout` is unknown.

    Notes
    -----
    An `x` of float64 is turned in float64, and a pair is off by less than 1e-12 of its length up to
    position `10**6`; others are turned in float32, off by less than 2e-7 up to position `10**11`,
    and then rounded once. (Ticks are whole, which costs at most 2e-19 radians per position.)

    References
    ----------
    Su et al. (2024), "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.

    Examples
    --------
    >>> turn = RotaryEncoding(64, base=500_000.0, layout="halves").to(torch.bfloat16)
    >>> q = torch.ones(2, 8, 10, 64, dtype=torch.bfloat16)  # 2 sentences, 8 heads, 10 tokens
    >>> turn(q).shape, turn(q).dtype
    (torch.Size([2, 8, 10, 64]), torch.bfloat16)
    """

    ticks: Tensor  # (d_head / 2,): by how much each pair turns per position
    top: Tensor  # (2, 1): where a cosine is 1, and where a sine is

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
        self.base = as_growing(base, "give frequencies of your own as omega")
        if omega is not None:
            self.omega = tuple(as_omega(omega, self.d_head, base).tolist())
        self.layout = as_layout(layout, "layout")
        for name, shape in (("ticks", (self.d_head // 2,)), ("top", (2, 1))):
            self.register_buffer(name, torch.empty(shape, dtype=torch.int64), persistent=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Compute the buffers again: `to_empty` leaves them undefined.

        Examples
        --------
        >>> empty = RotaryEncoding(6).to("meta").to_empty(device="cpu")
        >>> empty.reset_parameters()
        >>> torch.equal(empty.ticks, RotaryEncoding(6).ticks)
        True
        """
        ladder = self.d_head, self.base
        whole, _ = ticks_per_position(*ladder) if self.omega is None else ticks_of(self.omega)
        self.ticks.copy_(torch.tensor(whole.view(np.int64).tolist()))
        self.top.copy_(torch.tensor([[0], [QUARTER]]))

    def extra_repr(self) -> str:
        """Write the arguments, for `repr`.

        Returns
        -------
        str
            What stands in the parentheses.

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
        """Turn queries or keys by their positions, or both at once.

        Parameters
        ----------
        x : Tensor of floats, shape (..., n, d_head)
            Queries or keys, one row for each token. They are never changed.
        *more : Tensor of floats, shape (..., n, d_head)
            Others for the same tokens: keys, when `x` holds queries. The number of heads may
            differ. Sines and cosines are then computed only once.
        offset : int, default 0
            Position of the first token: tokens stand at offset ... offset+n-1.
        positions : Tensor of integers, shape (n,) or (..., n), optional
            Position of each token, if they don't follow one another. The leading axes broadcast to
            those of `x`: for an `x` of shape (batch, heads, n, d_head), give positions of the shape
            (batch, 1, n).

        Returns
        -------
        Tensor, shape (..., n, d_head), or tuple of such
            The turned vectors, in the dtype that they had; one tensor for each that was given.

        Raises
        ------
        TypeError
            If `x` is not a floating tensor, `offset` is not an integer or `positions` is not a
            tensor of integers.
        ValueError
            If shapes do not fit, if both `offset` and `positions` are given, or if `offset` lies
            beyond `2**53`. The values of tensors are not inspected, so that nothing waits for a
            device.

        Examples
        --------
        >>> turn, q, k = RotaryEncoding(6), torch.ones(8, 10, 6), torch.ones(2, 10, 6)
        >>> [each.shape for each in turn(q, k)]
        [torch.Size([8, 10, 6]), torch.Size([2, 10, 6])]
        >>> torch.allclose(turn(q[:, 9:], offset=9), turn(q)[:, 9:])
        True
        """
        for each in (x, *more):
            _check_x(each, "{} can't hold what is turned")
            check_x_shape(tuple(each.shape), self.d_head, "d_head")
            if each.shape[-2] != x.shape[-2]:
                raise ValueError(
                    "x must hold the same number of tokens each time, but their shapes are "
                    f"{tuple(x.shape)} and {tuple(each.shape)}: turn them one by one"
                )
        places = _places((x, *more), offset, positions, "posenc.rope").unsqueeze(-2)
        phase = places * self.ticks  # (..., n, 1, d_head / 2)
        heights = _heights(phase, self.top, *(each.dtype for each in (x, *more)))
        cosines, sines = heights.unbind(-2)  # (..., n, d_head / 2) each
        axis = -1 if self.layout == "interleaved" else -2
        of_columns = torch.stack([cosines, cosines], axis).flatten(-2)  # (..., n, d_head)
        turned = tuple(_turn(each, of_columns, sines, self.layout) for each in (x, *more))
        return turned if more else turned[0]


def _turn(x: Tensor, cosines: Tensor, sines: Tensor, layout: Layout) -> Tensor:
    """Turn the pairs of `x`, given a cosine for each column and a sine for each pair."""
    # In 16 bits, the wider copies of a long `x` outgrow a processor's cache, which takes twice as
    # long. (A compiler writes one loop, without copies.)
    n, compiled = x.shape[-2], torch.compiler.is_compiling()
    if not compiled and x.dtype.itemsize == 2 and x.is_cpu and n > TOKENS:
        parts = [(..., slice(start, start + TOKENS), slice(None)) for start in range(0, n, TOKENS)]
        return torch.cat([_turn(x[at], cosines[at], sines[at], layout) for at in parts], -2)
    wide = x.to(cosines.dtype)
    turned = wide * cosines  # (..., n, d_head)
    ours, theirs = columns(wide, layout)
    first, second = columns(turned, layout)
    first.addcmul_(theirs, sines, value=-1)
    second.addcmul_(ours, sines)
    return turned.to(x.dtype)


def _places(
    given: tuple[Tensor, ...], offset: int, positions: Tensor | None, instead: str
) -> Tensor:
    """Take the positions of the tokens given from two arguments: (n, 1) or (..., n, 1)."""
    if not torch.compiler.is_compiling():  # a check would recompile for each offset
        offset = _as_offset(offset)
    if positions is None:
        n, device = given[0].shape[-2], given[0].device
        positions = torch.arange(offset, offset + n, device=device)
    else:
        check_not_both(offset)
        for x in given:
            _check_positions(positions, x, instead)
    return positions.to(torch.int64).unsqueeze(-1)


def _heights(phase: Tensor, top: Tensor, *dtypes: torch.dtype) -> Tensor:
    """Compute how high the hands of dials point, from -1 to 1, in digits enough for `dtypes`.

    That is a sine or a cosine, depending on where the top is. The angle from the horizontal is at
    most a quarter turn, which float32 holds better than a half.
    """
    dtype = torch.float64 if torch.float64 in dtypes else torch.float32
    return torch.sin((QUARTER - (phase - top).abs()).to(dtype) * (math.pi / 2**63))


def _check_x(x: Tensor, why: str) -> None:
    if not isinstance(x, Tensor):
        raise TypeError(f"x must be a tensor, not {type(x).__name__}: pass torch.as_tensor(x)")
    if not x.is_floating_point():
        raise TypeError(
            f"x must be floating, because {why.format(x.dtype)}: convert it with x.float()"
        )


def _as_offset(value: int) -> int:
    offset = as_int(value, "offset")
    if abs(offset) > LARGEST:
        raise ValueError(
            f"offset must lie within 2**53 of 0, but it is {offset}: choose one nearer to 0"
        )
    return offset


def _check_positions(positions: Tensor, x: Tensor, instead: str) -> None:
    if not isinstance(positions, Tensor):
        raise TypeError(
            f"positions must be a tensor of integers, not {type(positions).__name__}: "
            "pass torch.as_tensor(positions)"
        )
    dtype = positions.dtype
    if dtype.is_floating_point or dtype.is_complex or dtype == torch.bool:
        raise TypeError(
            f"positions must be integers here, but their dtype is {dtype}: give the place of each "
            f"token as torch.int64, or use {instead} for places in between"
        )
    check_positions_shape(tuple(positions.shape), tuple(x.shape[:-1]))
