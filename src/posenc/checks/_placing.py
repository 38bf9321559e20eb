"""Checkers for the clinic's models: a decoding step behind pads, and rows that are kept."""

from typing import Any

import numpy as np

from posenc._table import sinusoidal
from posenc.checks._answer import Answer, Array, NotYet, array, call, close, right

__all__ = ["decode_step", "remember"]

Settings = tuple[int, int, float, int]


# A decoding step


def decode_step(answer: Answer) -> None:
    """Check `decode_step(words, past, mask)`: a batch after one more word for each sentence.

    Parameters
    ----------
    answer : callable
        `decode_step(words, past, mask)`, which returns an array of shape (batch, t + 1, d_model).
        `words` has shape (batch, d_model) and holds no places yet; `past` has shape
        (batch, t, d_model) and holds them; `mask` has shape (batch, t), 1 for a word and 0 for a
        pad, with all pads on the left.

    Raises
    ------
    NotYet
        If `past` is not kept, or a new word does not get its place.

    Examples
    --------
    >>> decode_step(lambda words, past, mask: words)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: You return the new words alone: what was read so far belongs \
in front.
    """
    rng = np.random.default_rng(140)
    cases = ([5, 8], 8, 6), ([2, 5, 1], 6, 8), ([3], 3, 4), ([1, 4, 2, 3, 4], 5, 2), ([0, 0], 0, 6)
    for lengths, t, d_model in cases:
        mask = (np.arange(t) >= t - np.array([lengths]).T).astype(int)  # (batch, t)
        words = rng.normal(size=(len(lengths), d_model))  # (batch, d_model)
        past = rng.normal(size=(len(lengths), t, d_model))
        result = call(answer, words, past, mask)
        _is_longer(result, words, past)
        found = array(result, (len(lengths), t + 1, d_model), "Your answer")
        _keeps_past(found, words, past)
        for length, word, new in zip(lengths, words, found[:, t], strict=True):
            if not close(new - word, sinusoidal([length], d_model)[0]):
                asked = f"For a sentence of {length} words behind {t - length} pads"
                raise NotYet(f"{asked}, {_misplaced(new, word, length, t, sum(lengths))}")
    right("Cache and pads in one step: each sentence goes on at its own place, not at the batch's.")


def _is_longer(result: Any, words: Array, past: Array) -> None:
    (batch, t, d_model), shape = past.shape, np.shape(result)
    alone = words.shape, (batch, 1, d_model)
    if t and shape in alone:
        raise NotYet("You return the new words alone: what was read so far belongs in front.")
    if shape == (2 * batch, t, d_model) or shape == (batch + 1, t, d_model):
        raise NotYet(
            f"From {past.shape} your answer has grown to {shape}, which is more sentences: the new "
            "words belong behind the others, along the axis of words."
        )


def _keeps_past(found: Array, words: Array, past: Array) -> None:
    t, d_model = past.shape[1:]
    if close(found[:, :t], past):
        return
    if close(found[:, 1:], past):
        raise NotYet("You put the new words in front: they come behind what was read so far.")
    if close(found[:, :t] - past, sinusoidal(t, d_model)):
        raise NotYet(
            "You add places to all that was read. `past` holds its places already, so now it has "
            "them twice: only the new words still need theirs."
        )
    raise NotYet(
        "What was read so far comes back changed: it holds its places already, and whatever is "
        "done to the new words should leave it as it is."
    )


def _misplaced(new: Array, word: Array, length: int, t: int, total: int) -> str:
    added, rows = new - word, sinusoidal(64, word.size)
    if close(added, 0):
        return "the new word comes without a place: what is to be added to it?"
    if close(new, rows[length]):
        return "you give the place alone: the word is lost."
    matches = [row for row in range(64) if close(added, rows[row])]
    if not matches:
        begins, should = (values[:2].round(4).tolist() for values in (added, rows[length]))
        return (
            f"what is added to the new word begins with {begins}, and should begin with {should}: "
            "look at which row you add."
        )
    row = matches[0]
    why = {
        total: "the number of words in the whole batch: count each sentence by itself",
        t - length: "the number of its pads: which entries of the mask are words?",
        length + 1: f"one place too far: its words stand at 0 to {length - 1}",
        length - 1: "where its last word stands: the new one comes after it",
        0: "the place of its first word: a word that arrives alone has others before it",
        t: "the width of the batch: pads take no place, so don't count them",
    }.get(row, "not the number of its words: look at what you count in its row of the mask")
    return f"the new word gets row {row}, {why}."


# Rows that are kept


def remember(answer: Answer) -> None:
    """Check `remember(make)`: a function that gives what `make` gives, and asks it only once.

    Parameters
    ----------
    answer : callable
        `remember(make)`, which gets a function `make(n, d_model, base, offset)` that returns an
        array, and returns another of the same arguments. For the same four arguments `make` is
        called once, and what a reader writes into one result must not turn up in the next.

    Raises
    ------
    NotYet
        If a result is not the one that `make` would give, or if `make` is called again.

    Examples
    --------
    >>> remember(lambda make: make)
    Traceback (most recent call last):
        ...
    posenc.checks._answer.NotYet: Asked twice for (5, 6, 10000.0, 0), you call make twice: call it \
when an answer is wanted for the first time, and keep what it gives.
    """
    made: list[Settings] = []

    def make(n: int, d_model: int, base: float, offset: int) -> Array:
        made.append((n, d_model, base, offset))
        return sinusoidal(range(offset, offset + n), d_model, base=base)

    table = _remembered(answer, make)
    first = (5, 6, 10_000.0, 0)
    for _ in range(2):
        _gives(table, first, "is not what make gives")
    if len(made) != 1:
        times = "never" if not made else "twice" if len(made) == 2 else f"{len(made)} times"
        raise NotYet(
            f"Asked twice for {first}, you call make {times}: call it when an answer is wanted "
            "for the first time, and keep what it gives."
        )
    for what, other in {
        "base": (5, 6, 100.0, 0),
        "offset": (5, 6, 10_000.0, 9),
        "d_model": (5, 8, 10_000.0, 0),
        "n": (7, 6, 10_000.0, 0),
    }.items():
        _gives(table, other, f"is not its own: it differs from {first} in {what}, so keep {what}")
    _gives(table, first, "has changed since others were asked for")
    if len(made) != len(set(made)):
        raise NotYet(f"Asked for {first} once more, after others, you call make again: keep all.")
    for one, other in (
        ((4, 6, 100.0, 0), (6, 4, 100.0, 0)),
        ((1, 16, 100.0, 0), (11, 6, 100.0, 0)),
        ((3, 4, 100.0, -1), (3, 4, 100.0, -2)),
    ):
        _gives(table, one, "is not what make gives")
        _gives(table, other, f"is mixed up with {one}: keep the four apart and in order")
    _is_safe(table)
    _is_alone(answer, make, table)
    if len(made) != len(set(made)):
        raise NotYet("In the end make was called again for what you had: do you lose anything?")
    right("The key holds all that decides the rows, and nobody can spoil what you keep.")


def _remembered(answer: Answer, make: Answer) -> Answer:
    table = call(answer, make)
    if not callable(table):
        raise NotYet(
            f"remember(make) gives a {type(table).__name__}, and should give a function of "
            "n, d_model, base and offset: return your inner function without calling it."
        )
    result: Answer = table
    return result


def _gives(table: Answer, settings: Settings, wrong: str) -> None:
    n, d_model, base, offset = settings
    result = call(table, *settings)
    expected = sinusoidal(range(offset, offset + n), d_model, base=base)
    if np.shape(result) != expected.shape or not close(array(result, (n, d_model), ""), expected):
        raise NotYet(f"The answer for {settings} {wrong}.")


def _is_safe(table: Answer) -> None:
    for written in ("first", "second"):
        settings = (4, 8, 100.0, 3)
        result = np.asarray(call(table, *settings))
        if result.flags.writeable:
            result[...] = 7
        _gives(
            table,
            settings,
            f"is full of sevens: a reader wrote them into the {written} answer, and you handed "
            "the same array on. Keep one, and hand out another",
        )


def _is_alone(answer: Answer, make: Answer, table: Answer) -> None:
    def negative(*settings: Any) -> Array:
        result: Array = -sinusoidal(range(settings[3], settings[3] + settings[0]), settings[1])
        return result

    settings = (5, 6, 10_000.0, 0)
    other = _remembered(answer, negative)
    if not close(call(other, *settings), negative(*settings)):
        raise NotYet(
            "A second remember(make), with another make, gives answers of the first: each needs a "
            "dictionary of its own, made inside `remember`."
        )
    _gives(table, settings, "comes from another make: give each `remember` a dictionary of its own")
