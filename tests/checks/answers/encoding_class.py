"""Right and wrong answers to the exercises of *encoding-class*."""

import numpy as np

from posenc import SinusoidalEncoding, sinusoidal, to_layout


def tokens(mask):
    return np.asarray(mask).sum(axis=1)[:, np.newaxis]


def moved(x, axis):
    tokens = np.moveaxis(x, axis, -2)
    return SinusoidalEncoding(x.shape[-1])(tokens)


def rows(x, axis, start=0):
    n = x.shape[axis]
    shape = [1] * x.ndim
    shape[axis], shape[-1] = n, x.shape[-1]
    return sinusoidal(range(start, start + n), x.shape[-1]).reshape(shape)


def by_reshape(x, axis):
    tokens = np.moveaxis(x, axis, -2).shape
    return np.moveaxis(SinusoidalEncoding(x.shape[-1])(x.reshape(tokens)), -2, axis)


def through(there, back):
    """Sums of an x that goes there, where tokens stand last but one, and back."""

    def answer(x, axis):
        return back(SinusoidalEncoding(x.shape[-1])(there(x, axis, -2)), -2, axis)

    return answer


def flat(x, axis):
    return (x.reshape(-1, x.shape[-1]) + sinusoidal(x.size // x.shape[-1], x.shape[-1])).reshape(
        x.shape
    )


def from_the_front(x, axis):
    shape = [x.shape[axis] if at == axis else 1 for at in range(x.ndim - 1)]
    return x + sinusoidal(x.shape[axis], x.shape[-1]).reshape(*shape, x.shape[-1])


def cosines_before_sines(x, axis):
    table = sinusoidal(x.shape[axis], x.shape[-1]).reshape(x.shape[axis], -1, 2)[..., ::-1]
    return np.moveaxis(np.moveaxis(x, axis, -2) + table.reshape(x.shape[axis], -1), -2, axis)


def of_tokens_at(to):
    """Sums of an x whose tokens go to another axis than the one that is counted along."""
    return lambda x, axis: np.moveaxis(moved(np.moveaxis(x, axis, to), -2), to, axis)


def widened(x, axis):
    table = sinusoidal(x.shape[axis], x.shape[-1])
    for _ in range(x.ndim - axis - 2):
        table = table[:, np.newaxis]
    return x + table


def token_by_token(x, axis):
    x = x.copy()
    for t, row in enumerate(sinusoidal(x.shape[axis], x.shape[-1])):
        x[t] += row
    return x


def doubled(x, axis):
    x = x.astype(np.float64)
    return through(np.swapaxes, np.swapaxes)(x, axis).astype(x.dtype)


def as_wide_as_long(x, axis):
    tokens = np.moveaxis(x, axis, -2)
    return np.moveaxis(SinusoidalEncoding(x.shape[axis])(tokens), -2, axis)


def six_columns(x, axis):
    tokens = np.moveaxis(x, axis, -2)
    return np.moveaxis(SinusoidalEncoding(6)(tokens), -2, axis)


def of_other_rows(x, axis):
    shape = [1] * x.ndim
    shape[axis], shape[-1] = x.shape[axis], x.shape[-1]
    return x + sinusoidal(x.shape[-2], x.shape[-1]).reshape(shape)


def axis_0_alone(x, axis):
    first = x.swapaxes(0, 1)
    return SinusoidalEncoding(x.shape[-1])(first).swapaxes(0, 1)


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


def printed(base):
    if finite(base):
        return base
    return print("base must be positive and finite")


def returned(base):
    return base if finite(base) else ValueError(f"base is {base}: try 10000")


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
        (lambda mask, more: tokens(mask) + np.arange(0, 2 * more, 2), "is 2 more than the last"),
        (lambda mask, more: tokens(np.ones_like(mask)) + range(more), "the width of the mask"),
        (lambda mask, more: tokens(mask) - 1 + range(more),
         "has 0 in row 0, column 0; it should have 1. That is the position of its last"),
        (lambda mask, more: tokens(mask) + range(1, more + 1), "That leaves a gap"),
        (lambda mask, more: tokens(1 - mask) + range(more), "the number of its pads"),
        (lambda mask, more: mask.sum() + np.zeros_like(tokens(mask)) + range(more),
         "has 3 in row 0, column 0; it should have 1. That counts the tokens of all"),
        (lambda mask, more: tokens(mask) + [0] * more,
         "has 2 in row 0, column 1; it should have 3. All its new"),
        (lambda mask, more: mask.sum(axis=1), "a row of its own, `more` long"),
        (lambda mask, more: np.arange(more) + mask.shape[1],
         "Each sentence needs a row of its own."),
        (lambda mask, more: mask.sum(axis=0)[:, np.newaxis] + range(more),
         "You count down the batch"),
        (lambda mask, more: np.zeros_like(tokens(mask)) + range(more),
         "All your sentences start at 0"),
        (lambda mask, more: np.cumsum(mask, axis=1, out=mask)[:, -1:] + range(more),
         "changes the array"),
        (lambda mask, more: [[1], [2, 3], []], "differ in length"),
        (lambda mask, more: [[mask.shape[1] - 1 + k for k in range(more)] for _ in mask],
         "last column"),
        (lambda mask, more: [[tokens(mask).max() + k for k in range(more)] for _ in mask],
         "longest"),
        (lambda mask, more: tokens(mask), "what 1 gives, whatever `more` is"),
        (lambda mask, more: (tokens(mask) + range(more)).T, "transposed"),
        (lambda mask, more: (tokens(mask) + range(more))[:, ::-1],
         "Each row of your result is in rev"),
        (lambda mask, more: (tokens(mask) + range(more))[::-1], "Your result is in reverse order"),
        (lambda mask, more: mask.sum(axis=1).reshape(2, 1) + range(more), "can't be reshaped to"),
        (lambda mask, more: np.cumsum(tokens(mask), axis=0) + range(more), "can't tell"),
        (lambda mask, more: mask.sum(axis=1) + range(more), "Which shape do your counts have?"),
        (lambda mask, more: tokens(mask) + np.arange(more) ** 2, "can't tell"),
    ],
    "add_along": [
        (from_the_front, "Here `axis` counts from the end"),
        (widened, "Here `axis` counts from the end"),
        (of_tokens_at(0), "You move tokens to axis 0"),
        (of_tokens_at(1), "as if there were three"),
        (lambda x, axis: axis_0_alone(x, 0) if axis == 0 else moved(x, -2),
         "as if there were three"),
        (lambda x, axis: x + rows(x, 0 if axis == 0 else -2), "as if there were three"),
        (axis_0_alone,
         "exchange axes 0 and 1 so far, as if `axis` had no say: exchange `axis` and"),
        (lambda x, axis: moved(x.transpose(1, 0, 2), -2), "Bring the axes back"),
        (lambda x, axis: np.moveaxis(moved(x, axis), axis, -2), "in another order"),
        (lambda x, axis: rows(x, axis), "the encoding alone: add it to x"),
        (lambda x, axis: 2 * x + rows(x, axis), "holds x twice"),
        (lambda x, axis: x + sinusoidal(x.shape[axis], x.shape[-1])[:, None],
         "It is right along axis"),
        (token_by_token,
         "index 3 is out of bounds: axis 0 has length 3, and indices count from 0 (Index ... It "
         "is right along axis 0, but here the tokens are along axis 1"),
        (of_other_rows,
         "It is right along the last axis but one, but here the tokens are along axis 0"),
        (six_columns, "With 6 columns it is right: x.shape[-1] says"),
        (as_wide_as_long, "right with as many tokens as columns: is one taken for the other"),
        (lambda x, axis: (x + rows(x, axis)).tolist(),
         "in an object of type list: return an array"),
        (doubled, "to the dtype that x came with"),
        (cosines_before_sines, "Sine and cosine have changed places"),
        (lambda x, axis: np.moveaxis(moved(x, axis), -2, axis).astype(np.float32),
         "float32 on the way"),
        (lambda x, axis: (x + rows(x, axis)).swapaxes(axis, -2), "back to where they were"),
        (lambda x, axis: (x.transpose(1, 0, 2) + rows(x.transpose(1, 0, 2), 1)).transpose(1, 0, 2),
         "as if `axis` had no say. Later, <lambda>(<array of shape (2, 5, 3, 4)>, 1) stops: "
         "`trans"),
        (lambda x, axis: x + rows(x, -2),
         "count along axis 1. You count along the last axis but one"),
        (lambda x, axis: x + rows(x, 0),
         "and axis=1 you count along axis 0. You count along axis 0"),
        (lambda x, axis: x + rows(x, 1), "That is what 1 gives"),
        (moved, "Bring the axes back"),
        (lambda x, axis: x + sinusoidal(x.shape[axis], x.shape[-1]),
         "stops: NumPy can't broadcast shapes (5,3,6) and (5,6)"),
        (lambda x, axis: rows(x, axis) + np.zeros(x.shape), "the encoding alone: add it to x"),
        (lambda x, axis: x + rows(x, axis, start=1), "positions count from 0"),
        (lambda x, axis: x, "what is added"),
        (by_reshape, "`reshape`, which moves none"),
        (lambda x, axis: moved(x, axis).reshape(x.shape), "`reshape`, which moves none"),
        (lambda x, axis: SinusoidalEncoding(x.shape[-1])(x.reshape(np.moveaxis(x, axis,
            -2).shape)).reshape(x.shape),
         "`reshape`, which moves none"),
        (lambda x, axis: x - rows(x, axis),
         "you add -1 to column 1 of token 0, and not 1. You take the encoding away"),
        (lambda x, axis: x * rows(x, axis), "You multiply x"),
        (lambda x, axis: x + rows(x, axis) * 2, "twice"),
        (lambda x, axis: x * x.shape[-1] ** 0.5 + rows(x, axis), "Your x is scaled"),
        (lambda x, axis: x + np.flip(rows(x, axis), axis % x.ndim), "The last token gets row 0"),
        (lambda x, axis: x + to_layout(rows(x, axis), "interleaved", "halves"),
         "all sines before all cosines"),
        (through(np.swapaxes, np.moveaxis), "in another order"),
        (through(np.moveaxis, np.swapaxes), "in another order"),
        (lambda x, axis: -(x + rows(x, axis)), "opposite sign"),
        (lambda x, axis: (x + rows(x, axis)).round(2), "rounded, to 2 decimals"),
        (lambda x, axis: x + rows(x, axis), "float32 comes back as float64"),
        (lambda x, axis: x + rows(x, axis if axis >= 0 else 0), "axis=-3 you count along axis 0"),
        (lambda x, axis: x[0], "should have the shape ... can't tell"),
        (flat, "can't tell"),
        (lambda x, axis: x + sinusoidal(x.shape[axis], x.shape[-1], base=100).mean(), "can't tell"),
    ],
    "valid_base": [
        (reject(lambda base: True),
         "base=-1.0 comes back as -1.0: raise a ValueError ... You reject none"),
        (reject(lambda base: False), "but rejected. You reject every base"),
        (reject(lambda base: not finite(base)), "You reject what makes sense, and nothing else"),
        (reject(lambda base: base <= 0), "is your test the wrong way round"),
        (reject(lambda base: 0 <= base < np.inf), "base=0 comes back as 0: raise"),
        (reject(lambda base: not base <= 0 and base != np.inf),
         "since nan is not positive. Every comparison with nan is false"),
        (reject(lambda base: base > 0), "since it is not finite"),
        (reject(lambda base: base > 0 or base < np.inf), "You reject nan alone"),
        (reject(lambda base: base), "You reject 0 alone"),
        (reject(lambda base: 1 <= base < np.inf),
         "base=0.5 is positive and finite, but rejected. You"),
        (reject(lambda base: 0 < base < 1e6), "You reject large bases"),
        (reject(lambda base: isinstance(base, float) and finite(base)), "You reject whole numbers"),
        (reject(lambda base: isinstance(base, int) and finite(base)), "You reject every float"),
        (lambda base: float(reject(finite)(base)), "base=100 makes sense, but comes back as 100.0"),
        (lambda base: abs(base), "base=-1.0 comes back as 1.0"),
        (lambda base: finite(base), "comes back as True: return it as it is"),
        (by_assert, "which python -O leaves out: raise a ValueError"),
        (by_type_error, "stops with TypeError: raise a ValueError"),
        (printed, "base=-1.0 comes back as None: raise a ValueError"),
        (returned, "comes back as an error, returned: raise"),
        (reject(finite, "must be positive, but it is {}: try 10000"), "which argument it is about"),
        (reject(finite, "base must be positive: try 10000"), "doesn't say what was given: -1.0"),
        (reject(finite, "base must be positive, but it is {}"), "name a way out"),
        (reject(finite, ""), "which argument it is about"),
        (lambda base: base if finite(base) else 10_000.0,
         "-1.0 comes back as 10000.0: raise a Value"),
        (lambda base: np.log(base, "e") and base, "valid_base(10000.0) stops"),
        (reject(lambda base: base in (100, 0.5)), "can't tell"),
    ],
}  # fmt: skip
