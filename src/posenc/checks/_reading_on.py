"""Check which offset a model's words agree with (*which-of-them-reads-on*)."""

import numpy as np
from numpy.typing import NDArray

from posenc.checks._answer import Answer, NotYet, call, number, right

__all__ = ["offset_agreed"]

Words = NDArray[np.int64]


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
    >>> offset_agreed(lambda said, words: 3)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: Of 8 texts of 64 words, with words from 5 back, you find the \
offset 3. There, 5% of the words agree, 5 back 100%.
    """
    rng = np.random.default_rng(6)
    # Texts, words in each, offset of what is said, share said at random, different words.
    for texts, n, k, noise, kinds in (
        (8, 64, 5, 0.0, 16),
        (8, 64, 24, 0.7, 16),
        (4, 48, 0, 0.5, 16),
        (40, 32, 16, 0.2, 2),
        (1, 200, 99, 0.3, 9),
        (2, 21, 10, 0.0, 50),
    ):
        words = rng.integers(kinds, size=(texts, n))
        said = rng.integers(kinds, size=(texts, n))
        copied = rng.random((texts, n)) >= noise
        copied[:, :k] = False
        said = np.where(copied, np.roll(words, k, axis=1), said)
        _look(answer, said, words, f"{texts} texts of {n} words, with words from {k} back")
    # What is said before place k agrees with the end of the text: a roll would count it.
    words = np.arange(2 * 30).reshape(2, 30)
    said = np.where(np.arange(30) < 14, np.roll(words, 13, axis=1), np.roll(words, 2, axis=1))
    said[:, 14:17] += 100
    _look(answer, said, words, "2 texts of 30 words that all differ, with words from 2 back")
    # The first text says one thing, all others another.
    words = rng.integers(16, size=(12, 80))
    said = np.roll(words, 7, axis=1)
    said[0] = np.roll(words[0], 4)
    _look(answer, said, words, "12 texts, of which all but the first have words from 7 back")
    right(
        "No word of it asks what a model should have said. So it also tells what a wrong model "
        "does instead, and that is the first thing to ask it."
    )


def _look(answer: Answer, said: Words, words: Words, where: str) -> None:
    n = words.shape[1]
    same = [said[:, k:] == words[:, : n - k] for k in range(n // 2 + 1)]
    shares = np.array([part.mean() for part in same])
    expected = int(shares.argmax())
    found = number(call(answer, said, words), "The offset")
    if found == expected:
        return
    raise NotYet(f"Of {where}, you find the offset {found:g}. {_hint(found, same, said, words)}")


def _hint(found: float, same: list[NDArray[np.bool_]], said: Words, words: Words) -> str:
    """Say which mistake leads to the offset `found`, or compare it with the right one."""
    n, shares = words.shape[1], np.array([part.mean() for part in same])
    expected = int(shares.argmax())
    if found == -expected:
        return "Count back from the place of the answer: an offset here is 0 or more."
    if np.isclose(found, shares.max()):
        return f"That is the share that agrees. Return where it is found: {expected}."
    if found == np.argmax([part.sum() for part in same]):
        return (
            f"There, more words agree in number, {same[int(found)].sum()}, but out of more places. "
            "Compare shares: the mean over the places that have a word so far back."
        )
    if found == np.argmax([np.mean(said == np.roll(words, k, axis=1)) for k in range(n // 2 + 1)]):
        return (
            "Moved round in a ring, the end of a text stands before its beginning. Leave out "
            "places that have no word so far back."
        )
    if found == np.argmax([(said[0, k:] == words[0, : n - k]).mean() for k in range(n // 2 + 1)]):
        return "That is right for the first text. Take the mean over all of them."
    if found == expected + 1:
        return f"One too many: is the offset of a word and itself 0? {expected} was expected."
    if found == expected - 1:
        return f"One too few: does your search begin at 0? {expected} was expected."
    if 0 <= found <= n // 2 and found == int(found):
        here = f"{shares[int(found)]:.0%} of the words agree"
        return f"There, {here}, {expected} back {shares.max():.0%}."
    return f"It should be a whole number from 0 to {n // 2}."
