"""Frequencies for contexts longer than those a model was trained on."""

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._arguments import as_count, as_factor, as_float64_array, as_real

Method = Literal["linear", "ntk", "dynamic", "by-parts", "yarn", "llama3"]

# Default ends of the ramps, in turns within the trained length.
RAMPS = {"by-parts": (1, 32), "yarn": (1, 32), "llama3": (1, 4)}


def scale_frequencies(
    omega: ArrayLike,
    factor: float,
    method: Method,
    *,
    original: int | None = None,
    length: int | None = None,
    slow: float | None = None,
    fast: float | None = None,
    truncate: bool = True,
) -> NDArray[np.float64]:
    """Scale the frequencies of a rotary embedding for a context `factor` times as long.

    Each method divides the frequency of a pair by a number between 1 and `factor`:

    - `"linear"`, position interpolation: every pair by `factor`.
    - `"ntk"`, NTK-aware: the first pair by 1 and the last by `factor`, in equal ratios from pair to
      pair. The result has the frequencies of a larger base,
      `base * factor ** (d_head / (d_head - 2))`.
    - `"dynamic"`: as `"ntk"`, but by a factor that grows with the current `length`, and is 1 up to
      the length `original`: `factor * length / original - (factor - 1)`.
    - `"by-parts"`, NTK-by-parts: a pair that makes `fast` turns or more within the length
      `original` by 1, one that makes `slow` or fewer by `factor`; in between the two frequencies
      are interpolated linearly in the number of turns.
    - `"yarn"`: as `"by-parts"`, but interpolated in the index of the pair, as in the authors' code
      and in transformers.
    - `"llama3"`: as `"by-parts"`, with a ramp from 1 turn to 4.

    Parameters
    ----------
    omega : array_like of real numbers, shape (h,)
        Frequency of each pair, in radians per position, as `frequencies` gives them.
    factor : float
        How many times as long the new context is: at least 1 and finite.
    method : {"linear", "ntk", "dynamic", "by-parts", "yarn", "llama3"}
        Method of scaling.
    original : int, optional
        Context length of the training, in tokens. All methods but `"linear"` and `"ntk"` need it;
        these ignore it.
    length : int, optional
        Number of tokens in the current context, for `"dynamic"`, which needs it.
    slow, fast : float, optional
        Ends of the ramp, in turns within `original`: 1 and 32 by default, and 1 and 4 for
        `"llama3"`. If they are equal, as in Llama 4 Scout, it is a step. Methods without a ramp
        ignore them.
    truncate : bool, default True
        Whether to round the ends of the ramp of `"yarn"` outwards to whole pairs.

    Returns
    -------
    ndarray of float64, shape (h,)
        Scaled frequencies: pass them to `rope` as `omega`.

    Raises
    ------
    TypeError
        If an argument is of the wrong kind.
    ValueError
        If `method` is unknown, if `factor` is below 1, if an argument that `method` needs is
        missing or out of range, if `slow` is above `fast`, if `omega` is not one-dimensional
        and finite, or if `method` is `"yarn"` and `omega` is not a geometric sequence.

    Notes
    -----
    A frequency of 0 stays 0. For a separate factor for each pair, as in LongRoPE, divide `omega` by
    the factors.

    References
    ----------
    Chen et al. (2023), "Extending Context Window of Large Language Models via Positional
    Interpolation", section 2.3, for `"linear"`; Peng et al. (2024), "YaRN: Efficient Context Window
    Extension of Large Language Models", version 3, appendix A.2 for `"ntk"` and section 3.2 for
    `"by-parts"`; huggingface/transformers, src/transformers/modeling_rope_utils.py (ef46806), for
    the factor of `"dynamic"`, which in the paper (section 3.4) is `max(1, length / original)`;
    jquesnelle/yarn, scaled_rope/LlamaYaRNScaledRotaryEmbedding.py (a18e549), the authors' code, for
    the ramp of `"yarn"`; meta-llama/llama-models, models/llama3/model.py (d42f395), for `"llama3"`.

    Examples
    --------
    >>> from posenc import frequencies
    >>> omega = frequencies(8)
    >>> omega / scale_frequencies(omega, 4, "linear")
    array([4., 4., 4., 4.])
    >>> (omega / scale_frequencies(omega, 4, "ntk")).round(4)
    array([1.    , 1.5874, 2.5198, 4.    ])
    >>> (omega / scale_frequencies(omega, 4, "by-parts", original=512)).round(4)
    array([1.    , 2.3643, 4.    , 4.    ])
    """
    if not isinstance(method, str) or method not in get_args(Method):
        names = ", ".join(f'"{name}"' for name in get_args(Method))
        raise ValueError(f"method must be one of {names}, not {method!r}")
    pairs, factor = _as_pairs(omega), as_factor(factor, "factor")
    trained = _as_original(original, method)
    index = np.arange(pairs.size)
    if method == "linear":
        return pairs / factor
    if method == "dynamic":
        factor = max(1.0, factor * _as_length(length) / trained - (factor - 1))
    if method in ("ntk", "dynamic"):
        return pairs * np.power(factor, -index / max(1, pairs.size - 1))
    slow, fast = _as_ramp(slow, fast, *RAMPS[method])
    if method == "yarn":
        low, high = _yarn_ramp(pairs, trained, fast, slow, truncate)
        kept = 1 - (index - low) / (high - low)
    else:
        turns = trained * abs(pairs) / math.tau
        kept = (turns - slow) / (fast - slow) if fast > slow else (turns >= slow).astype(np.float64)
    kept = np.clip(kept, 0, 1)
    mixed: NDArray[np.float64] = kept * pairs + (1 - kept) * (pairs / factor)
    return mixed


def attention_temperature(factor: float) -> float:
    """Compute the factor of queries and keys in YaRN, for a context `factor` times as long.

    It is `0.1 * log(factor) + 1`. Queries and keys are both multiplied by it, so scores are
    multiplied by its square. This sharpens attention, which a longer context spreads out.

    Parameters
    ----------
    factor : float
        How many times as long the new context is: at least 1 and finite.

    Returns
    -------
    float
        Number to multiply queries and keys by.

    Raises
    ------
    TypeError
        If `factor` is not a real number.
    ValueError
        If `factor` is below 1 or not finite.

    Notes
    -----
    If every column is rotated, sines and cosines can be multiplied instead, as in transformers. If
    only some columns are, multiply whole queries and keys.

    References
    ----------
    Peng et al. (2024), "YaRN: Efficient Context Window Extension of Large Language Models", section
    3.3, where it is the square root of 1 / t.

    Examples
    --------
    >>> round(attention_temperature(16), 4)
    1.2773
    """
    return 0.1 * math.log(as_factor(factor, "factor")) + 1


def _yarn_ramp(
    omega: NDArray[np.float64], trained: int, fast: float, slow: float, truncate: bool
) -> tuple[float, float]:
    """Compute the two ends of the ramp in YaRN's code, as indices of pairs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(omega)
        steps = -np.diff(logs)
    if not (steps.size and steps[0] > 0 and np.allclose(steps, steps[0], rtol=1e-6, atol=0)):
        raise ValueError(
            'omega must be a ladder for "yarn", falling in equal ratios from pair to pair, because '
            'its ramp counts pairs: use "by-parts", or scale frequencies(d_head)'
        )
    step = (logs[0] - logs[-1]) / steps.size
    low, high = (float(logs[0] + math.log(trained / math.tau / r)) / step for r in (fast, slow))
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0.0), min(high, 2.0 * omega.size - 1)
    return low, high if high != low else low + 0.001


def _as_pairs(value: ArrayLike) -> NDArray[np.float64]:
    omega = as_float64_array(value, "omega")
    if omega.ndim != 1 or not omega.size:
        raise ValueError(
            f"omega must have shape (h,), with one frequency for each pair, but its shape is "
            f"{omega.shape}: pass frequencies(d_head)"
        )
    return omega


def _as_original(value: int | None, method: Method) -> int:
    if value is None and method not in ("linear", "ntk"):
        raise ValueError(
            f'original must be given for "{method}": pass how many tokens the contexts of the '
            "training had"
        )
    hint = "pass how many tokens the contexts of the training had"
    return as_count(1 if value is None else value, "original", 1, hint)


def _as_length(value: int | None) -> int:
    hint = "pass how many tokens the context holds now"
    if value is None:
        raise ValueError(f'length must be given for "dynamic": {hint}')
    return as_count(value, "length", 0, hint)


def _as_ramp(
    slow: float | None, fast: float | None, usual_slow: float, usual_fast: float
) -> tuple[float, float]:
    hint = "pass a number of turns"
    slow = as_real(usual_slow if slow is None else slow, "slow", hint)
    fast = as_real(usual_fast if fast is None else fast, "fast", hint)
    if not 0 < slow <= fast < math.inf:
        raise ValueError(
            f"slow must be positive and not above fast, which must be finite, but slow is {slow!r} "
            f"and fast is {fast!r}: {usual_slow} and {usual_fast} are usual"
        )
    return slow, fast
