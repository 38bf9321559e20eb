"""Check a bias that charges for distance (*can-a-straight-line-do-it*)."""

import numpy as np

from posenc._bias import offsets
from posenc.checks._answer import Answer, Array, NotYet, call, right, shape_of

__all__ = ["line_bias"]


def line_bias(answer: Answer) -> None:
    """Check `line_bias(slopes, n, m)`: what is added to the scores of the last n of m tokens.

    Parameters
    ----------
    answer : callable
        `line_bias(slopes, n, m)`, which gets an array of positive slopes, one for each head, and
        two integers, and returns an array of shape (heads, n, m).

    Raises
    ------
    NotYet
        With the first entry that is not right.

    Examples
    --------
    >>> line_bias(lambda slopes, n, m: np.zeros((len(slopes), n, m)))
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: line_bias([0.5 0.1], 4, 4) shows token 0 key 1, which comes \
after it: -inf hides it.
    """
    for slopes, n, m in (([0.5, 0.1], 4, 4), ([1.0], 1, 6), ([0.5, 0.2, 0.1], 2, 5)):
        _look(answer, np.array(slopes), n, m)
    right("With a cache the last token asks alone, and its row starts at the far end.")


def _look(answer: Answer, slopes: Array, n: int, m: int) -> None:
    where = f"line_bias({slopes}, {n}, {m})"
    found = call(answer, slopes, n, m)
    shape = len(slopes), n, m
    if shape_of(found) != shape:
        raise NotYet(f"{where} should have the shape {shape}, but its shape is {shape_of(found)}.")
    bias = np.asarray(found, dtype=np.float64)
    if np.isnan(bias).any():
        raise NotYet(f"{where} holds nan, as 0 times infinity does: choose with np.where.")
    distance = np.broadcast_to(-offsets(n, m), shape)
    for wrong, why in (
        ((distance < 0) & ~np.isneginf(bias), "shows {}, which comes after it: -inf hides it"),
        ((distance >= 0) & ~np.isfinite(bias), "hides {}: row 0 is the token at place m - n"),
        (np.isfinite(bias) & (bias > 0), "rewards {}: charge for distance, below zero"),
    ):
        if wrong.any():
            _, row, key = np.argwhere(wrong)[0]
            raise NotYet(f"{where} {why.format(f'token {m - n + row} key {key}')}.")
    expected = np.where(distance < 0, -np.inf, -slopes[:, np.newaxis, np.newaxis] * distance)
    miss = ~np.isclose(bias, expected, rtol=0, atol=1e-9)
    if miss.any():
        head, row, key = np.argwhere(miss)[0]
        raise NotYet(
            f"{where} charges head {head} {-bias[head, row, key]:.4g} for a distance of "
            f"{distance[head, row, key]}, where {-expected[head, row, key]:.4g} is right: "
            "the slope of that head times the distance."
        )
