"""Check at which distance a model's answers agree with the text (*extrapolation*)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_checks._answer import Answer, right
from posenc_checks._judge import Mistake, Results, Truth, judge

__all__ = ["distance_agreed"]

Tokens = NDArray[np.int64]


def distance_agreed(answer: Answer) -> None:
    """Check `distance_agreed(predicted, tokens)`: how far back a model finds its answers.

    Parameters
    ----------
    answer : callable
        `distance_agreed(predicted, tokens)`, which gets two arrays of shape (texts, n), the tokens
        that a model predicted and those that it read, and returns the distance delta from 0 to
        n // 2 at which the share of positions with ``predicted[:, t] == tokens[:, t - delta]``,
        among all t from delta on, is largest.

    Raises
    ------
    NotYet
        If a distance is wrong. The message says which one was expected, and the likely mistake.

    Examples
    --------
    >>> distance_agreed(lambda predicted, tokens: predicted.shape[1] // 2)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: distance_agreed([[7, 2, 5, 3, 8, 6]], [[5, 3, 8, 6, 1, 9]]) \
gives 3; it should give 2. At 3, 0% of the tokens agree, at 2 100%.
    """
    cases = _cases()
    fact = partial(_compared, cases=cases)
    judge(answer, _distance, cases, MISTAKES, name="distance_agreed", observe=fact)
    right(
        "Your function never uses what a model should have predicted, so it also shows what a "
        "model does when it is wrong."
    )


def _cases() -> list[tuple[Tokens, Tokens]]:
    cases = [(np.array([[7, 2, 5, 3, 8, 6]]), np.array([[5, 3, 8, 6, 1, 9]]))]
    rng = np.random.default_rng(6)
    # Texts, tokens in each, distance of the answers, share of random ones, different tokens.
    for texts, n, d, noise, kinds in (
        (2, 21, 10, 0.0, 50),
        (8, 64, 5, 0.0, 16),
        (8, 64, 24, 0.7, 16),
        (4, 48, 0, 0.5, 16),
        (40, 32, 16, 0.2, 2),
        (1, 200, 99, 0.3, 9),
    ):
        tokens = rng.integers(kinds, size=(texts, n))
        predicted = rng.integers(kinds, size=(texts, n))
        copied = rng.random((texts, n)) >= noise
        copied[:, :d] = False
        predicted = np.where(copied, np.roll(tokens, d, axis=1), predicted)
        predicted[:, -1] = tokens[:, 0]  # beyond n // 2, all agree at the last distance
        cases.append((predicted, tokens))
    # Predictions before position d agree with the end of the text: a roll would count them.
    tokens = np.arange(2 * 30).reshape(2, 30)
    predicted = np.where(
        np.arange(30) < 14, np.roll(tokens, 13, axis=1), np.roll(tokens, 2, axis=1)
    )
    predicted[:, 14:17] += 100
    cases.append((predicted, tokens))
    # At 3 two tokens of three agree, and at 0 three of six: without the last one, 3 has fewer.
    cases.append((np.array([[0, 1, 2, 0, 9, 2]]), np.arange(6)[np.newaxis]))
    # The first text has one distance, the last another, and all others a third.
    tokens = rng.integers(16, size=(12, 80))
    predicted = np.roll(tokens, 7, axis=1)
    predicted[0], predicted[-1] = np.roll(tokens[0], 4), np.roll(tokens[-1], 9)
    return [*cases, (predicted, tokens)]


def _shares(predicted: Tokens, tokens: Tokens, stop: int = 0) -> NDArray[np.float64]:
    """The share of tokens that agree, at each distance."""
    n = tokens.shape[1]
    distances = range(stop or n // 2 + 1)
    return np.array([(predicted[:, d:] == tokens[:, : n - d]).mean() for d in distances])


def _distance(predicted: Tokens, tokens: Tokens) -> int:
    return int(_shares(predicted, tokens).argmax())


def _most(predicted: Tokens, tokens: Tokens) -> int:
    """The distance at which most tokens agree in number."""
    shares = _shares(predicted, tokens)
    return int((shares * (tokens.shape[1] - np.arange(len(shares)))).round(6).argmax())


def _in_ring(predicted: Tokens, tokens: Tokens) -> int:
    distances = range(tokens.shape[1] // 2 + 1)
    return int(np.argmax([(predicted == np.roll(tokens, d, axis=1)).mean() for d in distances]))


def _of(where: Callable[[NDArray[np.float64]], Any]) -> Truth:
    """What is found in the list of shares in another way."""
    return lambda predicted, tokens: where(_shares(predicted, tokens))


MISTAKES: list[Mistake] = [
    (_of(np.max), "That is the share that agrees. At which distance do you find it?"),
    (_of(np.argmin), "That is where the fewest agree: look for the most."),
    (
        _of(lambda x: x[1:].argmax()),
        "You count from distance 1 on: does your search begin at 0?",
    ),
    (
        _of(lambda x: x[1:].argmax() + 1),
        "You leave out distance 0: a model may predict the token that it reads.",
    ),
    (
        lambda predicted, tokens: _shares(predicted, tokens, tokens.shape[1]).argmax(),
        "Your search goes on beyond n // 2, where few positions are left to agree by chance.",
    ),
    (
        _most,
        "There, more tokens agree in number, but out of more positions. Compare shares: the mean "
        "over the positions that have a token so far back.",
    ),
    (
        _in_ring,
        "If a text is moved round in a ring, its end comes before its beginning. Leave out "
        "positions that have no token so far back.",
    ),
    (
        lambda predicted, tokens: _distance(tokens, predicted),
        "You compare predictions with later tokens: exchange `predicted` and `tokens`.",
    ),
]


def _compared(found: Results, cases: list[tuple[Tokens, Tokens]]) -> str:
    """Compare the share at the first wrong distance with that at the right one."""
    pairs = zip(found, cases, strict=False)
    at, shares = next((float(d), _shares(*case)) for d, case in pairs if d != _distance(*case))
    if at not in range(len(shares)):
        return f"It should be a whole number from 0 to {len(shares) - 1}."
    theirs, most, d = shares[int(at)], shares.max(), shares.argmax()
    return f"At {at:g}, {theirs:.0%} of the tokens agree, at {d} {most:.0%}."
