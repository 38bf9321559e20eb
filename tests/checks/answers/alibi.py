"""Right and wrong answers to the exercises of *alibi*."""

import numpy as np

from posenc import alibi_slopes, offsets


def lines(slopes, n, m, power=1):
    distance = np.arange(m - n, m)[:, np.newaxis] - np.arange(m)
    charge = -slopes[:, np.newaxis, np.newaxis] * abs(distance) ** power
    return np.where(distance >= 0, charge, -np.inf)


def row_by_row(slopes, n, m):
    bias = np.full((len(slopes), n, m), -np.inf)
    for head, slope in enumerate(slopes):
        for row in range(n):
            for key in range(m - n + row + 1):
                bias[head, row, key] = -slope * (m - n + row - key)
    return bias.tolist()


def by_product(slopes, n, m):
    with np.errstate(invalid="ignore"):
        hidden = -np.inf * (offsets(n, m) > 0)
    return slopes[:, np.newaxis, np.newaxis] * offsets(n, m) + hidden


def along(slopes, n, m, charge):
    """Minus a charge for each distance, and -inf for later keys."""
    distance = np.arange(m - n, m)[:, np.newaxis] - np.arange(m)
    return np.where(distance >= 0, -charge(slopes[:, np.newaxis, np.newaxis], distance), -np.inf)


def hiding(with_what):
    return lambda *case: np.where(np.isfinite(lines(*case)), lines(*case), with_what)


RIGHT = {
    "line_bias": [lines, row_by_row],
}  # fmt: skip
WRONG = {
    "line_bias": [
        (lambda slopes, n, m: {}[0], "the dictionary has no such key"),
        (lambda slopes, n, m: slopes[:, np.newaxis, np.newaxis] * offsets(n, m),
         "Later keys are not hidden"),
        (lambda slopes, n, m: -slopes[:, None, None] * abs(offsets(n, m)), "not hidden: add -inf"),
        (hiding(0), "A bias of 0 does not hide later keys"),
        (hiding(np.inf), "can't tell"),
        (lambda *case: np.full_like(lines(*case), -np.inf), "can't tell"),
        (lambda *case: np.zeros_like(lines(*case)), "is 0 everywhere"),
        (hiding(-1e9), "-1e+09 hides a key only while scores are small"),
        (lambda slopes, n, m: lines(slopes, m, m)[:, :n],
         "Your row 0 is the token at position 0, but the queries are the last n"),
        (lambda slopes, n, m: lines(slopes, n, m)[0],
         "should have the shape (2, 4, 4) ... That is one head"),
        (lambda slopes, n, m: np.where(offsets(n, m) > 0, -np.inf, -lines(slopes, n, m)),
         "has 0.5000 in head 0, row 1, key 0; it should have -0.5000. The bias grows"),
        (by_product, "0 times infinity"),
        (lambda slopes, n, m: lines(slopes, n, m, 2),
         "has -2 in head 0, row 2, key 0; it should have -1. You use the square"),
        (lambda slopes, n, m: lines(slopes, n, m, 0.5), "the root of the distance"),
        (lambda slopes, n, m: lines(alibi_slopes(len(slopes)), n, m),
         "it should have -0.5000. These are the slopes of ALiBi"),
        (lambda slopes, n, m: lines(slopes[0] + 0 * slopes, n, m), "All heads share one slope"),
        (lambda slopes, n, m: lines(1 + 0 * slopes, n, m), "Your slopes are all 1"),
        (lambda slopes, n, m: lines(1 / slopes, n, m), "You divide by the slope"),
        (lambda *case: along(*case, lambda slopes, far: slopes * (far + 1)), "itself should be 0"),
        (lambda slopes, n, m: np.where(offsets(n, m) >= 0, -np.inf, lines(slopes, n, m)),
         "Each token is hidden from itself"),
        (lambda slopes, n, m:
            np.where(offsets(n, m) < 0, -np.inf, -slopes[:, None, None] * offsets(n, m)),
         "Your tokens attend to later ones"),
        (lambda *case: np.exp(lines(*case)), "e to the power of a bias"),
        (lambda *case: np.moveaxis(lines(*case), 0, -1), "Heads come first"),
        (lambda *case: lines(*case)[::-1], "in reverse order"),
        (lambda slopes, n, m: slopes * offsets(n, m), "can't broadcast shapes (2,) and (4,4)"),
        (lambda slopes, n, m: lines(slopes, 4, m), "what 4 gives, whatever `n` is"),
        (lambda *case: along(*case, lambda slopes, far: slopes * np.log1p(abs(far))), "can't tell"),
        (lambda *case: along(*case, lambda slopes, far: slopes * np.minimum(far, 2)), "can't tell"),
    ],
}  # fmt: skip
