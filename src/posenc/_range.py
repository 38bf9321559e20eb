"""The table of a range of positions, as an outer product of two small tables.

A pair (sine, cosine) is the complex number sine + 1j cosine = 1j exp(-1j angle), and a shift by k
positions multiplies it by exp(-1j omega k). So the encoding of position a + b is the encoding of a
times a factor for b: a few rows of sines and cosines are enough for a table of any length, and
multiplication does the rest. The chapter *fast-tables* derives this in steps. It only touches on
two things that are explained here: angles in ticks, and the addresses of the small tables.
"""

import math
from collections.abc import Iterable
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from itertools import accumulate, repeat
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._arguments import Layout
from posenc._layout import columns

# The rotation of each pair per position, in ticks: whole ticks modulo a turn, and the remainder.
Ticks = tuple[NDArray[np.uint64], NDArray[np.float64]]

PI = Decimal("3.14159265358979323846264338327950288419716939937511")
# Maximum bytes of the inner table, which is read repeatedly and should stay in a core's own cache.
CACHE = 2**19
# Offsets in bytes of the small tables from the large one, modulo a page of memory. Some processors
# stall a read whose address agrees with that of a recent write in the last 12 bits (Intel's
# optimization manual calls it 4-KByte aliasing). Rows are often whole pages long, so one unlucky
# address would slow down all of them.
PAGE_OFFSETS = 1344, 2752


def write_range(table: NDArray[Any], positions: range, base: float, layout: Layout) -> None:
    """Write the encodings of `positions` to `table`, of shape (positions, d_model).

    A row of a float64 table is the product of the first row and of one factor for each 1 among the
    binary digits of its number. A product of two numbers of length 1 adds their errors (see
    `factors`) and rounds each part by at most 2.3e-16, so with m factors the error of a row is
    below 1.4e-15 m. Because errors of both signs cancel, it was below 1e-14 in all tables that were
    compared with exact values. The error of float32 tables is below 2e-7; other dtypes are rounded
    once, from float64.
    """
    if positions:
        with np.errstate(under="ignore"):  # a value below the dtype's range becomes 0
            _write(table, positions, base, layout)


def _write(table: NDArray[Any], positions: range, base: float, layout: Layout) -> None:
    n, d_model = table.shape
    dtype = np.complex64 if table.dtype == np.float32 else np.complex128

    # `inner` holds the first `size` rows, `outer` the factor for each block of that many. In a
    # very wide table 16 rows may outgrow the cache, but fewer would make `outer` a second table.
    bits = (n - 1).bit_length()
    cached_rows = CACHE // (d_model // 2 * np.dtype(dtype).itemsize)
    split = min((bits + 1) // 2, max(4, cached_rows.bit_length() - 1))
    size = 2**split
    steps = doubling_factors(positions.step, bits, d_model, base)
    first = 1j * factors([[positions.start]], ticks_per_position(d_model, base))  # (1, d_model / 2)
    inner = grow(first, steps[:split], size)  # (size, d_model / 2)
    outer = grow(np.ones_like(first), steps[split:], -(-n // size))  # (blocks, d_model / 2)
    inner = copy_with_page_offset(table, PAGE_OFFSETS[0], inner, dtype)
    outer = copy_with_page_offset(table, PAGE_OFFSETS[1], outer, dtype)

    in_pairs = layout == "interleaved" and table.flags.c_contiguous
    if in_pairs and table.dtype in (np.float32, np.float64):
        blocks, left = divmod(n, size)
        pairs: NDArray[Any] = table.view(dtype)  # (n, d_model / 2)
        whole = pairs[: n - left].reshape(blocks, size, d_model // 2)
        np.multiply(inner, outer[:blocks, np.newaxis], out=whole)
        np.multiply(inner[:left], outer[blocks:], out=pairs[n - left :])
        return
    block = np.empty_like(inner)  # (size, d_model / 2)
    sines, cosines = columns(table, layout)  # (n, d_model / 2) each
    for start, factor in zip(range(0, n, size), outer, strict=True):
        np.multiply(inner, factor, out=block)
        rows = block[: n - start]
        sines[start : start + size], cosines[start : start + size] = rows.real, rows.imag


@lru_cache(maxsize=16)
def ticks_per_position(d_model: int, base: float) -> Ticks:
    """Compute the rotation of each pair per position, in ticks, 2**64 to the turn.

    Integers modulo 2**64 are angles modulo a turn: `whole * position` wraps around exactly where
    the angle does, so no digits are lost at far positions.
    """
    with localcontext(Context(prec=50, traps=[])):
        ratio = (Decimal(base).ln() * -2 / d_model).exp()
        steps = repeat(ratio, d_model // 2 - 1)
        return _split(accumulate(steps, Decimal.__mul__, initial=2**63 / PI))  # 2**63 ticks are pi


@lru_cache(maxsize=16)
def ticks_of_frequencies(omega: tuple[float, ...]) -> Ticks:
    """Compute the same for given frequencies, in radians per position, up to 2**32."""
    with localcontext(Context(prec=50, traps=[])):
        return _split([Decimal(frequency) * (2**63 / PI) for frequency in omega])


def _split(ladder: Iterable[Decimal]) -> Ticks:
    ladder = list(ladder)
    whole = [round(ticks) for ticks in ladder]
    rest = [float(ticks - near) for ticks, near in zip(ladder, whole, strict=True)]
    return np.array([ticks % 2**64 for ticks in whole], np.uint64), np.array(rest)


def factors(offsets: ArrayLike, ticks: Ticks) -> NDArray[np.complex128]:
    """Compute exp(-1j omega k) for each pair and its offset k: (..., d_model / 2).

    The offsets have the shape (..., 1), or (..., d_model / 2) if each pair has one of its own.

    The error of both parts is below 1e-15 for offsets up to 2**53, if sine and cosine are right to
    one unit in the last place. Rounding the whole ticks costs at most 512 ticks, and adding the
    rest 1024: 5.3e-16 radians. The factor pi / 2**63 adds 1.3e-16, its product 2.3e-16, and sine
    and cosine 1.2e-16.
    """
    whole, rest = ticks
    k = np.array(offsets, np.int64)
    turn = (whole * k.view(np.uint64)).view(np.int64)  # signed: the short way round
    angles = (turn + rest * k) * (math.pi / 2**63)
    result = np.empty(angles.shape, np.complex128)
    np.cos(angles, out=result.real)
    np.sin(-angles, out=result.imag)
    return result


@lru_cache(maxsize=16)
def doubling_factors(step: int, count: int, d_model: int, base: float) -> NDArray[np.complex128]:
    """Compute the factors for 1, 2, 4, ... steps. They take half the time of a short table."""
    offsets = np.array([step << bit for bit in range(count)], np.int64)
    return factors(offsets[:, np.newaxis], ticks_per_position(d_model, base))


def grow(
    first: NDArray[np.complex128], rows: NDArray[np.complex128], size: int
) -> NDArray[np.complex128]:
    """Build a table of `size` rows that begins with `first`; each of `rows` doubles its length."""
    table = np.empty((size, first.size), np.complex128)  # (size, d_model / 2)
    table[:1] = first
    for bit, row in enumerate(rows):
        fresh = table[1 << bit : 2 << bit]
        np.multiply(table[: len(fresh)], row, out=fresh)
    return table


def copy_with_page_offset(
    table: NDArray[Any], offset: int, values: NDArray[Any], dtype: Any
) -> NDArray[Any]:
    """Copy `values` to an address that equals that of `table` plus `offset`, modulo a page."""
    size = values.size * np.dtype(dtype).itemsize
    raw = np.empty(size + 4096, np.uint8)
    start = (table.ctypes.data + offset - raw.ctypes.data) % 4096
    copy: NDArray[Any] = raw[start : start + size].view(dtype).reshape(values.shape)
    copy[...] = values
    return copy
