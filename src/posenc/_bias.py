"""Relative positions: offsets between keys and queries, and the biases that depend on them."""

from bisect import bisect_left

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._arguments import as_count, as_int64_array


def offsets(n: int, m: int | None = None) -> NDArray[np.intp]:
    """Compute the offset of each key from each query: key minus query.

    Parameters
    ----------
    n : int
        Number of queries.
    m : int, optional
        Number of keys, `n` by default. The queries are the last `n` of these `m` tokens, as they
        are when earlier keys come from a cache.

    Returns
    -------
    ndarray of integers, shape (n, m)
        Offsets in tokens: negative where the key comes first.

    Raises
    ------
    TypeError
        If `n` or `m` is not an integer.
    ValueError
        If `n` is negative, or if `m` is below `n`.

    References
    ----------
    Shaw et al. (2018), "Self-Attention with Relative Position Representations", section 3.2.

    Examples
    --------
    >>> offsets(3)
    array([[ 0,  1,  2],
           [-1,  0,  1],
           [-2, -1,  0]])
    >>> offsets(1, 4)  # one new token, three in the cache
    array([[-3, -2, -1,  0]])
    """
    n = as_count(n, "n", 0, "pass the number of queries")
    m = n if m is None else as_count(m, "m", n, "count the n queries among the m keys")
    return np.arange(m, dtype=np.intp) - np.arange(m - n, m, dtype=np.intp)[:, np.newaxis]


def alibi_slopes(heads: int) -> NDArray[np.float64]:
    """Compute the slope of each head's bias in ALiBi.

    For a power of two, slopes are a geometric sequence from 2 ** (-8 / heads) to 2 ** -8. For any
    other number they are those of the power of two below, followed by every other slope of the
    power of two above, starting with its first.

    Parameters
    ----------
    heads : int
        Number of heads.

    Returns
    -------
    ndarray of float64, shape (heads,)
        Slopes: positive, per token of distance.

    Raises
    ------
    TypeError
        If `heads` is not an integer.
    ValueError
        If there are no heads.

    References
    ----------
    Press et al. (2022), "Train Short, Test Long: Attention with Linear Biases Enables Input Length
    Extrapolation", section 3, for powers of two; the authors' code,
    ofirpress/attention_with_linear_biases, fairseq/models/transformer.py (3b7c2ec), for others.

    Examples
    --------
    >>> alibi_slopes(8)
    array([0.5       , 0.25      , 0.125     , 0.0625    , 0.03125   ,
           0.015625  , 0.0078125 , 0.00390625])
    >>> np.log2(alibi_slopes(12))[8:]
    array([-0.5, -1.5, -2.5, -3.5])
    """
    heads = as_count(heads, "heads", 1, "pass the number of attention heads")
    below = 1 << (heads.bit_length() - 1)  # the power of two at or below
    exponents = [8 * head / below for head in range(1, below + 1)]
    exponents += [4 * head / below for head in range(1, 2 * (heads - below), 2)]
    return np.array([2.0**-exponent for exponent in exponents])


def alibi(heads: int, n: int, m: int | None = None) -> NDArray[np.float64]:
    """Compute the bias of ALiBi: minus the slope times the distance between query and key.

    Parameters
    ----------
    heads : int
        Number of heads.
    n : int
        Number of queries.
    m : int, optional
        Number of keys, `n` by default; the queries are the last `n` of them.

    Returns
    -------
    ndarray of float64, shape (heads, n, m)
        Bias to add to the scores: pass it to `attention` as `bias`, for queries of the shape
        (..., heads, n, d_head). Later keys get the bias of earlier ones at the same distance; to
        leave them out, pass a mask as well.

    Raises
    ------
    TypeError
        If an argument is not an integer.
    ValueError
        If there are no heads, if `n` is negative, or if `m` is below `n`.

    References
    ----------
    Press et al. (2022), "Train Short, Test Long: Attention with Linear Biases Enables Input Length
    Extrapolation", section 3.

    Examples
    --------
    >>> alibi(2, 3)[0]
    array([[ 0.    , -0.0625, -0.125 ],
           [-0.0625,  0.    , -0.0625],
           [-0.125 , -0.0625,  0.    ]])
    """
    slopes = alibi_slopes(heads)
    return slopes[:, np.newaxis, np.newaxis] * -abs(offsets(n, m))


def t5_buckets(
    offsets: ArrayLike, *, buckets: int = 32, far: int = 128, both: bool = True
) -> NDArray[np.intp]:
    """Assign each offset to one of T5's buckets.

    The bucket selects a row of a learned table with one column for each head, whose entry is added
    to the score. Half of a direction's buckets hold one distance each. The widths of the others
    grow geometrically up to the distance `far`, and the last one has no upper end.

    Parameters
    ----------
    offsets : array_like of integers, shape S
        Offsets in tokens: key minus query.
    buckets : int, default 32
        Number of buckets.
    far : int, default 128
        Distance at which the geometric widths end: T5 calls it `max_distance`.
    both : bool, default True
        Whether later keys have buckets of their own, which are the upper half. If not, they all
        share bucket 0 with offset 0.

    Returns
    -------
    ndarray of integers, shape S
        Buckets, from 0 to buckets-1.

    Raises
    ------
    TypeError
        If `offsets` are not integers, or if another argument is of the wrong kind.
    ValueError
        If an offset lies beyond `2**53`, if two directions would share an odd number of buckets, if
        there are too few buckets, or if `far` does not lie beyond the distances that have buckets
        of their own.

    Notes
    -----
    The paper's formula truncates logarithms. Here the edges of buckets are computed in integers, so
    that a rounded logarithm can't move an edge by one.

    References
    ----------
    Raffel et al. (2020), "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
    Transformer", section 2.1; the formula as in transformers 5.23.0, models/t5/modeling_t5.py.

    Examples
    --------
    >>> t5_buckets([-200, -20, -8, -7, -1, 0, 1, 7, 8, 20, 200])
    array([15, 10,  8,  7,  1,  0, 17, 23, 24, 26, 31])
    >>> t5_buckets([-200, -20, -1, 0, 1], both=False)
    array([31, 17,  1,  0,  0])
    """
    keys = as_int64_array(offsets, "offsets")
    if not isinstance(both, bool | np.bool_):
        raise TypeError(f"both must be True or False, not {both!r}")
    total = as_count(buckets, "buckets", 4 if both else 2, "T5 has 32")
    if both and total % 2:
        raise ValueError(
            f"buckets must be even, because both directions share them, but it is {total}: "
            f"choose {total + 1}, or pass both=False"
        )
    own = total // 2 if both else total  # buckets of one direction
    near = own // 2  # distances below this have a bucket each
    far = as_count(far, "far", near + 1, f"the first {near} distances have buckets of their own")
    # Bucket near + j begins at the smallest d with (d / near) ** wide >= (far / near) ** j.
    wide = own - near
    edges = [
        bisect_left(range(far), near ** (wide - j) * far**j, key=lambda distance: distance**wide)
        for j in range(1, wide)
    ]
    distance = abs(keys) if both else np.maximum(-keys, 0)
    found = np.where(distance < near, distance, near + np.searchsorted(edges, distance, "right"))
    return (found + own * (keys > 0) if both else found).astype(np.intp)


def clipped(offsets: ArrayLike, clip: int) -> NDArray[np.intp]:
    """Clip offsets to -clip ... clip, and number them as rows of a learned table.

    The table has 2 * clip + 1 rows; offsets beyond `clip` share the first or the last.

    Parameters
    ----------
    offsets : array_like of integers, shape S
        Offsets in tokens: key minus query.
    clip : int
        Largest distance that has rows of its own.

    Returns
    -------
    ndarray of integers, shape S
        Rows, from 0 for -clip to 2 * clip for clip.

    Raises
    ------
    TypeError
        If `offsets` are not integers or `clip` is not an integer.
    ValueError
        If an offset lies beyond `2**53`, or if `clip` is negative.

    References
    ----------
    Shaw et al. (2018), "Self-Attention with Relative Position Representations", section 3.2.

    Examples
    --------
    >>> clipped([-9, -2, -1, 0, 1, 2, 9], 2)
    array([0, 0, 1, 2, 3, 4, 4])
    """
    keys = as_int64_array(offsets, "offsets")
    clip = as_count(clip, "clip", 0, "pass the largest distance to tell apart")
    return (np.clip(keys, -clip, clip) + clip).astype(np.intp)
