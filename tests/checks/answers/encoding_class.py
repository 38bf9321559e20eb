"""Right and wrong answers to the exercises of *encoding-class*."""

import numpy as np

from posenc import SinusoidalEncoding, sinusoidal


def tokens(mask):
    return np.asarray(mask).sum(axis=1)[:, np.newaxis]


def moved(x, axis):
    tokens = np.moveaxis(x, axis, -2)
    return SinusoidalEncoding(x.shape[-1])(tokens)


def rows(x, axis):
    n = x.shape[axis]
    shape = [1] * x.ndim
    shape[axis], shape[-1] = n, x.shape[-1]
    return sinusoidal(n, x.shape[-1]).reshape(shape)


def reject(sound, message="base must be positive and finite, but it is {}: try 10000"):
    def answer(base, error=ValueError):
        if not sound(base):
            raise error(message.format(base))
        return base

    return answer


def finite(base):
    return 0 < base < np.inf


def by_assert(base):
    assert finite(base)
    return base


def by_type_error(base):
    if not finite(base):
        raise TypeError("base must be positive, try 10000")
    return base


RIGHT = {
    "next_positions": [lambda mask, more: tokens(mask) + range(more), lambda mask,
        more: [[sum(row) + step for step in range(more)] for row in mask.tolist()]],
    "add_along": [lambda x, axis: np.moveaxis(moved(x, axis), -2, axis), lambda x,
        axis: (x + rows(x, axis)).astype(x.dtype)],
    "valid_base": [reject(finite), reject(finite, "base={:g} is not positive: 1e4 would do"),
        reject(finite, "base: {}; use .5")],
}  # fmt: skip
WRONG = {
    "next_positions": [
        (lambda mask, more: (tokens(mask) + range(more))[:, ::-1],
         "Each row of your result is in rev"),
        (lambda mask, more: np.cumsum(tokens(mask), axis=0) + range(more), "can't tell"),
    ],
    "add_along": [
        (lambda x, axis: np.moveaxis(moved(x, axis), -2, axis).astype(np.float32),
         "float32 on the way"),
        (lambda x, axis: (x.transpose(1, 0, 2) + rows(x.transpose(1, 0, 2), 1)).transpose(1, 0, 2),
         "as if `axis` had no say. Later, <lambda>(<array of shape (2, 5, 3, 4)>, 1) stops: "),
        (lambda x, axis: x + rows(x, 1), "That is what 1 gives"),
        (lambda x, axis: x + rows(x, axis), "float32 comes back as float64"),
        (lambda x, axis: x + rows(x, axis if axis >= 0 else 0), "axis=-3 you count along axis 0"),
        (lambda x, axis: x[0], "should have the shape ... can't tell"),
    ],
    "valid_base": [
        (reject(lambda base: not base <= 0 and base != np.inf),
         "since nan is not positive. Every comparison with nan is false"),
        (reject(lambda base: base > 0), "since it is not finite"),
        (lambda base: float(reject(finite)(base)), "base=100 makes sense, but comes back as 100.0"),
        (lambda base: abs(base), "base=-1.0 comes back as 1.0"),
        (by_assert, "which python -O leaves out: raise a ValueError"),
        (by_type_error, "stops with TypeError: raise a ValueError"),
        (reject(finite, "must be positive, but it is {}: try 10000"), "which argument it is about"),
        (reject(finite, "base must be positive: try 10000"), "doesn't say what was given: -1.0"),
        (reject(finite, "base must be positive, but it is {}"), "name a way out"),
        (lambda base: np.log(base, "e") and base, "valid_base(10000.0) stops"),
        (reject(lambda base: base in (100, 0.5)), "can't tell"),
    ],
}  # fmt: skip
