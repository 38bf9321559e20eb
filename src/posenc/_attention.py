"""Scaled dot-product attention."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._arguments import as_array


def attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Compute scaled dot-product attention: softmax(q kᵀ / √d_k + bias) v.

    The leading axes of `q`, `k` and `v` broadcast.

    Parameters
    ----------
    q : array_like of real numbers, shape (..., n, d_k)
        Queries, one row for each token.
    k : array_like of real numbers, shape (..., m, d_k)
        Keys.
    v : array_like of real numbers, shape (..., m, d_v)
        Values, one for each key.
    mask : array_like of bool, shape broadcastable to (..., n, m), optional
        True where a query may look.
    bias : array_like of real numbers, shape broadcastable to (..., n, m), optional
        Added to the scores. It may hold -inf, which masks.

    Returns
    -------
    output : ndarray, shape (..., n, d_v)
        Means of the values, weighted by `weights`.
    weights : ndarray, shape (..., n, m)
        Softmax of the scores: each row is non-negative and sums to 1. Like `output` it is computed
        in float64 and has the common dtype of `q`, `k` and `v`, or float64 if these are integers.

    Raises
    ------
    TypeError
        If an argument has the wrong dtype.
    ValueError
        If shapes do not match, if an entry is not finite, if a query may look nowhere, or if scores
        or weighted means overflow.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1.

    Examples
    --------
    >>> x = np.eye(2)
    >>> output, weights = attention(x, x, x)
    >>> weights.round(4)
    array([[0.6698, 0.3302],
           [0.3302, 0.6698]])
    """
    q, k, v = (_as_matrix(array, name) for array, name in ((q, "q"), (k, "k"), (v, "v")))
    dtype = np.result_type(q, k, v)
    # (..., n, d_k), (..., m, d_k) and (..., m, d_v)
    q, k, v = (array.astype(np.result_type(dtype, np.float64)) for array in (q, k, v))
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"q and k must have the same last axis, but their shapes are {q.shape} and {k.shape}"
        )
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"k and v must hold the same number of tokens in their last axis but one, "
            f"but their shapes are {k.shape} and {v.shape}"
        )
    if 0 in (k.shape[-2], k.shape[-1]):
        raise ValueError(f"k must hold at least one token and one column, but has shape {k.shape}")
    try:
        np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    except ValueError:
        raise ValueError(
            f"the leading axes of q, k and v must broadcast, but their shapes are "
            f"{q.shape}, {k.shape} and {v.shape}"
        ) from None

    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        scores = q @ k.swapaxes(-1, -2) / math.sqrt(k.shape[-1])  # (..., n, m)
        allowed = (
            np.ones(scores.shape, dtype=bool) if mask is None else _as_mask(mask, scores.shape)
        )
        if bias is not None:
            bias = _as_bias(bias, scores.shape)
            scores, allowed = scores + bias, allowed & ~np.isneginf(bias)
    if not np.isfinite(scores[allowed]).all():
        raise ValueError("q, k or bias are so large that scores overflow: scale them down")
    if not allowed.any(axis=-1).all():
        raise ValueError("mask or bias leaves a query with nowhere to look: allow it one token")
    scores = np.where(allowed, scores, -np.inf)
    # Exponents are at most 0; the lowest underflow to 0.
    with np.errstate(over="ignore", under="ignore"):
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))  # (..., n, m)
        weights /= weights.sum(axis=-1, keepdims=True)
        output = weights @ v  # (..., n, d_v)
        if not np.isfinite(output).all():
            raise ValueError("v is so large that its weighted means overflow: scale it down")
        return output.astype(dtype), weights.astype(dtype)


def _as_matrix(array: ArrayLike, name: str) -> NDArray[Any]:
    array = as_array(array, name)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold real numbers, but its dtype is {array.dtype}")
    if array.ndim < 2:
        raise ValueError(
            f"{name} must have shape (..., tokens, columns), but its shape is {array.shape}"
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, but it holds NaN or infinity")
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _as_mask(mask: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = as_array(mask, "mask")
    if mask.dtype != np.bool_:
        raise TypeError(
            f"mask must be boolean, True where a query may look, but its dtype is {mask.dtype}: "
            "pass numbers to add as bias"
        )
    return _broadcast(mask, shape, "mask")


def _as_bias(bias: ArrayLike, shape: tuple[int, ...]) -> NDArray[Any]:
    bias = as_array(bias, "bias")
    if bias.dtype.kind not in "iuf":
        raise TypeError(f"bias must hold real numbers, but its dtype is {bias.dtype}")
    if np.isnan(bias).any() or np.isposinf(bias).any():
        raise ValueError("bias must not hold NaN or +inf; use -inf to mask a token out")
    return _broadcast(bias, shape, "bias")


def _broadcast(array: NDArray[Any], shape: tuple[int, ...], name: str) -> NDArray[Any]:
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(
            f"{name} must broadcast to the scores, of shape {shape}, but its shape is {array.shape}"
        ) from None
