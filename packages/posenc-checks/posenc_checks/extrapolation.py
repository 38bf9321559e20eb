"""Check which offset a model's words agree with (*extrapolation*)."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc_checks._answer import Answer, right
from posenc_checks._judge import Hint, Mistake, Results, Truth, judge

__all__ = ["offset_agreed"]

Words = NDArray[np.int64]

ONE_TEXT = "That is right for the {} text. Take the mean over all of them."


def offset_agreed(answer: Answer) -> None:
    """Check `offset_agreed(said, words)`: how far back stand the words that a model says.

    Parameters
    ----------
    answer : callable
        `offset_agreed(said, words)`, which gets two arrays of shape (texts, n), the words that a
        model said and those that it read, and returns the offset k from 0 to n // 2 at which the
        share of places with ``said[:, t] == words[:, t - k]``, among all t from k on, is largest.

    Raises
    ------
    NotYet
        If an offset is wrong. The message says which one was expected, and the likely mistake.

    Examples
    --------
    >>> offset_agreed(lambda said, words: said.shape[1] // 2)
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: offset_agreed([[7, 2, 5, 3, 8, 6]], [[5, 3, 8, 6, 1, 9]]) gives \
3; it should give 2. I can't tell which slip it is; this is the first case I tried that fails. At \
3, 0% of the words agree, at 2 100%.
    """
    cases = _cases()
    fact = partial(_compared, cases=cases)
    judge(answer, _offset, cases, MISTAKES, name="offset_agreed", observe=fact)
    right(
        "No word of it asks what a model should have said. So it also tells what a wrong model "
        "does instead, and that is the first thing to ask it."
    )


def _cases() -> list[tuple[Words, Words]]:
    cases = [(np.array([[7, 2, 5, 3, 8, 6]]), np.array([[5, 3, 8, 6, 1, 9]]))]
    rng = np.random.default_rng(6)
    # Texts, words in each, offset of what is said, share said at random, different words.
    for texts, n, k, noise, kinds in (
        (2, 21, 10, 0.0, 50),
        (8, 64, 5, 0.0, 16),
        (8, 64, 24, 0.7, 16),
        (4, 48, 0, 0.5, 16),
        (40, 32, 16, 0.2, 2),
        (1, 200, 99, 0.3, 9),
    ):
        words = rng.integers(kinds, size=(texts, n))
        said = rng.integers(kinds, size=(texts, n))
        copied = rng.random((texts, n)) >= noise
        copied[:, :k] = False
        said = np.where(copied, np.roll(words, k, axis=1), said)
        said[:, -1] = words[:, 0]  # beyond n // 2, all agree at the last offset
        cases.append((said, words))
    # What is said before place k agrees with the end of the text: a roll would count it.
    words = np.arange(2 * 30).reshape(2, 30)
    said = np.where(np.arange(30) < 14, np.roll(words, 13, axis=1), np.roll(words, 2, axis=1))
    said[:, 14:17] += 100
    cases.append((said, words))
    # At 3 two words of three agree, and at 0 three of six: without the last place, 3 has fewer.
    cases.append((np.array([[0, 1, 2, 0, 9, 2]]), np.arange(6)[np.newaxis]))
    # The first text says one thing, the last another, and all others a third.
    words = rng.integers(16, size=(12, 80))
    said = np.roll(words, 7, axis=1)
    said[0], said[-1] = np.roll(words[0], 4), np.roll(words[-1], 9)
    return [*cases, (said, words)]


def _shares(said: Words, words: Words, stop: int = 0) -> NDArray[np.float64]:
    """The share of words that agree, at each offset."""
    n = words.shape[1]
    ks = range(stop or n // 2 + 1)
    return np.array([(said[:, k:] == words[:, : n - k]).mean() for k in ks])


def _offset(said: Words, words: Words) -> int:
    return int(_shares(said, words).argmax())


def _most(said: Words, words: Words) -> int:
    """Where most words agree in number."""
    shares = _shares(said, words)
    return int((shares * (words.shape[1] - np.arange(len(shares)))).round(6).argmax())


def _in_ring(said: Words, words: Words) -> int:
    offsets = range(words.shape[1] // 2 + 1)
    return int(np.argmax([(said == np.roll(words, k, axis=1)).mean() for k in offsets]))


def _of(where: Callable[[NDArray[np.float64]], Any]) -> Truth:
    """What is found in the list of shares in another way."""
    return lambda said, words: where(_shares(said, words))


MISTAKES: list[Mistake] = [
    (_of(lambda x: -x.argmax()), "Count back from the place of the answer: offsets are 0 or more."),
    (_of(np.max), "That is the share that agrees: where is it found?"),
    (_of(np.argmin), "That is where the fewest agree: look for the most."),
    (_of(lambda x: x[1:].argmax()), "You count from offset 1 on: does your search begin at 0?"),
    (_of(lambda x: x[1:].argmax() + 1), "You leave out offset 0: a model may say what it reads."),
    (_of(lambda x: x[:-1].argmax()), "Your search ends one too early: n // 2 is an offset, too."),
    (
        lambda said, words: _shares(said, words, words.shape[1]).argmax(),
        "Your search goes on beyond n // 2, where few places are left to agree by chance.",
    ),
    (
        _most,
        "There, more words agree in number, but out of more places. Compare shares: the mean over "
        "the places that have a word so far back.",
    ),
    (
        _in_ring,
        "Moved round in a ring, the end of a text stands before its beginning. Leave out places "
        "that have no word so far back.",
    ),
    (
        lambda said, words: _shares(said[:, :-1], words[:, :-1], words.shape[1] // 2 + 1).argmax(),
        "You leave out the last place of each text: what is said there counts, too.",
    ),
    (lambda *case: _offset(*(one[:1] for one in case)), ONE_TEXT.format("first")),
    (lambda *case: _offset(*(one[-1:] for one in case)), ONE_TEXT.format("last")),
    (
        lambda said, words: _offset(words, said),
        "You compare what is said with words further on: exchange `said` and `words`.",
    ),
]


def _compared(found: Results, cases: list[tuple[Words, Words]]) -> str:
    """Compare the share at the first wrong offset with that at the right one."""
    pairs = zip(found, cases, strict=False)
    at, shares = next((float(k), _shares(*case)) for k, case in pairs if k != _offset(*case))
    if at not in range(len(shares)):
        return f"It should be a whole number from 0 to {len(shares) - 1}."
    if len(set(map(float, found))) == 1 < len(found):
        return f"Your function gives {at:g} in every case: does it use what it gets?"
    theirs, most, k = shares[int(at)], shares.max(), shares.argmax()
    return Hint(f"At {at:g}, {theirs:.0%} of the words agree, at {k} {most:.0%}.")
