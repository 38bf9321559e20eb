"""Arrays that are no encoding of positions but a bias of attention: ALiBi's, and T5's buckets."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from posenc._bias import alibi_slopes, t5_buckets
from posenc_clinic.families.recognised import RecognisedTable
from posenc_clinic.fitting.table_model import Array
from posenc_clinic.mistakes.finding import seen_as

BUCKETS = (32, 64, 16, 8, 128)
FARTHEST = (128, 256, 64, 512, 20, 32)


def bias(given: NDArray[np.generic]) -> RecognisedTable | None:
    """Recognise biases (heads, n, m) or (n, m), slopes (heads,) or (heads, m), and buckets (n, m).

    Biases may be minus infinity, or far below, where a mask hides a key.
    """
    if given.dtype.kind not in "iuf":
        return None
    array = given.squeeze().astype(np.float64)
    if array.ndim == 1 and 2 <= array.size <= 256:
        return _slopes(array, bare=True)
    if array.ndim == 2 and array.size:
        return _of_one_head(array) or _of_last_row(array) or _buckets(array)
    if array.ndim != 3 or min(array.shape) < 2 or array.shape[1] > array.shape[2]:
        return None
    of = _slopes_of(array)
    return None if of is None else _slopes(of)


def _slopes_of(array: Array) -> Array | None:
    """The slopes of biases that fall with the distance: (heads, n, m) to (heads,)."""
    _, n, m = array.shape
    offset = np.arange(m) - np.arange(n)[:, np.newaxis] - (m - n)  # (n, m), of the last n rows
    seen = np.isfinite(array) & (array > -1e4) & (offset != 0)
    if not seen.any(axis=(1, 2)).all():
        return None
    for distance in (-np.abs(offset), offset):
        ratios = zip(array / distance, seen, strict=True)
        of = np.array([np.median(one[on]) for one, on in ratios])
        right = np.where(seen, of[:, np.newaxis, np.newaxis] * distance, array)
        if np.allclose(right[seen], array[seen], rtol=1e-3, atol=1e-4) and (of > 0).all():
            return of
    return None


def _of_one_head(array: Array) -> RecognisedTable | None:
    """Recognise the biases of one head, by a slope that some number of heads has: (n, m)."""
    n, m = array.shape
    if not 3 <= n <= m or np.ptp(np.diff(array[-1])) > 1e-2 or not hides_later(array):
        return None
    of = _slopes_of(array[np.newaxis])
    step = 0.0 if of is None else -16 * float(np.log2(of[0]))  # heads are 128 at most
    if of is None or not 0.9 < step < 128.1 or abs(step - round(step)) > 0.07:
        return None
    return RecognisedTable("alibi", f"It is that of one head, whose slope is {of[0]:.6g}.")


def _of_last_row(array: Array) -> RecognisedTable | None:
    """Recognise slopes times positions of keys, or minus distances: (heads, m)."""
    m = array.shape[1]
    if m < 3 or array[:, 0].max() > 0 or (array[:, 0].any() and array[:, -1].any()):
        return None
    rise = (array[:, -1] - array[:, 0]) / (m - 1)
    right = array[:, :1] + np.outer(rise, np.arange(m))
    close = np.allclose(array, right, rtol=1e-3, atol=1e-4)
    return _slopes(np.abs(rise), bare=True) if close else None


def _slopes(slopes: Array, bare: bool = False) -> RecognisedTable | None:
    """Judge slopes, which fall geometrically, by those of the authors' code."""
    heads = slopes.size
    falls = np.diff(np.log(np.maximum(np.sort(slopes)[::-1], 1e-300)))
    if slopes.min() <= 0 or slopes.max() > 1.01 or (falls > -1e-3).any():
        return None
    right, said = alibi_slopes(heads), f"There are {heads} heads, with slopes from {slopes[0]:.6g}"
    said += f" to {slopes[-1]:.6g}."
    if np.allclose(np.sort(slopes), np.sort(right), rtol=2e-2):
        order = " They are in another order." * (not np.allclose(slopes, right, rtol=2e-2))
        return RecognisedTable("alibi", said + order)
    if bare or np.ptp(falls) > 1e-2 * abs(falls.mean()) or heads < 4:
        return None
    should = f"Those of the authors' code go from {right[0]:.6g} to {right[-1]:.6g}."
    found = seen_as("alibi-slopes", f"{said} {should}")
    return RecognisedTable("alibi", said, findings=(found,))


def _buckets(table: Array) -> RecognisedTable | None:
    """Recognise T5's buckets of offsets, with or without the last one."""
    n, m = table.shape
    if n < 4 or (table != np.rint(table)).any() or table.min() < 0 or table.max() > 4096:
        return None
    if (table[1:, 1:] != table[:-1, :-1]).any():  # each depends on the offset alone
        return None
    offset = np.arange(m) - np.arange(n)[:, np.newaxis]
    for count, farthest, both in product(BUCKETS, FARTHEST, (True, False)):
        if farthest <= count // (4 if both else 2):
            continue
        usual = t5_buckets(offset, both=both, buckets=count, far=farthest)
        said = f"There are {count} buckets{' for both directions' * both}, up to {farthest}."
        if (usual == table).all():
            return RecognisedTable("t5-buckets", said, usual.astype(np.float64))
        near = np.abs(offset) < farthest
        if (usual == table)[near].mean() > 0.95 and (table >= usual).all():
            found = seen_as("t5-buckets", said)
            return RecognisedTable("t5-buckets", said, findings=(found,))
    return None


def hides_later(table: Array) -> bool:
    """Check whether all that is not finite is minus infinity above the diagonal: a causal mask."""
    n, m = table.shape
    return bool((np.isfinite(table) | (np.triu(table, m - n + 1) == -np.inf)).all())
