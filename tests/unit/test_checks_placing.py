"""What the checkers of the clinic's models say to right answers, and to wrong ones."""

import functools

import numpy as np
import pytest

from posenc import sinusoidal
from posenc.checks import decode_step, remember


def empty(*arguments):
    raise NotImplementedError


@pytest.mark.parametrize("checker", [decode_step, remember])
def test_an_empty_answer_is_told_to_be_written(checker, says):
    assert "still empty" in says(checker, empty)


# A decoding step


def step(place):
    """An answer that puts each new word at `place(mask)`."""

    def answer(words, past, mask):
        places = np.broadcast_to(place(mask), len(words))
        new = words + sinusoidal(places, words.shape[1])
        return np.concatenate([past, new[:, np.newaxis]], axis=1)

    return answer


def count(mask):
    return np.count_nonzero(mask, axis=1)


def test_a_step_to_each_sentence_s_own_place_is_right(capsys):
    decode_step(step(count))
    assert capsys.readouterr().out.startswith("Right.")


MISPLACED = {
    "counts pads": (lambda mask: mask.shape[1], "the new word gets row 8, the width of the batch"),
    "forgets": (lambda mask: 0, "gets row 0, the place of its first word"),
    "last word": (lambda mask: count(mask) - 1, "gets row 4, where its last word stands"),
    "one too far": (lambda mask: count(mask) + 1, "gets row 6, one place too far"),
    "pads": (lambda mask: count(1 - mask), "row 3, the number of its pads"),
    "whole batch": (lambda mask: mask.sum(), "gets row 13, the number of words in the whole"),
    "first sentence": (lambda mask: count(mask)[:1], "sentence of 8 words behind 0 pads"),
    "half": (lambda mask: count(mask) / 2 + 0.25, "begins with"),
}


@pytest.mark.parametrize("name", MISPLACED)
def test_the_message_about_a_step_to_a_wrong_place_says_which_one_it_takes(name, says):
    place, fragment = MISPLACED[name]
    said = says(decode_step, step(lambda mask: np.maximum(place(mask), 0)))
    assert fragment in said
    assert said.endswith((".", "?"))


def with_past(changed):
    def answer(words, past, mask):
        return changed(past, (words + sinusoidal(count(mask), words.shape[1]))[:, np.newaxis])

    return answer


JOINED = {
    "new words alone": (lambda past, new: new, "the new words alone"),
    "new words alone, flat": (lambda past, new: new[:, 0], "the new words alone"),
    "in front": (lambda past, new: np.concatenate([new, past], axis=1), "in front"),
    "places twice": (
        lambda past, new: np.concatenate([past + sinusoidal(*past.shape[1:]), new], axis=1),
        "twice",
    ),
    "past emptied": (lambda past, new: np.concatenate([0 * past, new], axis=1), "changed"),
    "as sentences": (lambda past, new: np.concatenate([past, past]), "more sentences"),
    "flattened": (lambda past, new: past.ravel(), "should have the shape"),
}


@pytest.mark.parametrize("name", JOINED)
def test_a_step_must_keep_what_was_read_and_put_the_new_words_behind_it(name, says):
    joined, fragment = JOINED[name]
    assert fragment in says(decode_step, with_past(joined))


def test_a_step_without_places_is_recognised_and_so_is_one_without_words(says):
    bare = lambda words, past, mask: np.concatenate([past, words[:, np.newaxis]], axis=1)  # noqa: E731
    assert "without a place" in says(decode_step, bare)
    lost = lambda words, past, mask: step(count)(0 * words, past, mask)  # noqa: E731
    assert "the word is lost" in says(decode_step, lost)


def test_a_step_that_writes_into_its_input_is_recognised(says):
    def answer(words, past, mask):
        words += sinusoidal(count(mask), words.shape[1])
        return np.concatenate([past, words[:, np.newaxis]], axis=1)

    assert "changes the array" in says(decode_step, answer)


def test_a_step_must_work_for_a_batch_in_which_nothing_was_read(says):
    def answer(words, past, mask):
        return step(count)(words, past, mask[:, -past.shape[1] :]) if past.size else past

    assert "should have the shape (2, 1, 6)" in says(decode_step, answer)


# Rows that are cached


def by(key, known=None, copy=np.copy):
    """An answer that caches the results of `make` under `key(n, d_model, base, offset)`."""

    def answer(make):
        kept = {} if known is None else known

        def table(*settings):
            place = key(*settings)
            if place not in kept:
                kept[place] = make(*settings)
            return copy(kept[place])

        return table

    return answer


def every(*settings):
    return settings


def read_only(array):
    array.flags.writeable = False
    return array


def copied_twice(make):
    kept = {}

    def table(*settings):
        if settings not in kept:
            kept[settings] = make(*settings).copy()
            return kept[settings].copy()
        return kept[settings].copy()

    return table


@pytest.mark.parametrize("answer", [by(every), by(every, copy=read_only), copied_twice])
def test_rows_cached_under_all_four_settings_and_handed_out_safely_are_right(answer, capsys):
    remember(answer)
    assert capsys.readouterr().out.startswith("Right.")


def last_only(make):
    kept = {}

    def table(*settings):
        if settings not in kept:
            kept.clear()
            kept[settings] = make(*settings)
        return kept[settings].copy()

    return table


def safe_but_for_the_first(make):
    kept = {}

    def table(*settings):
        if settings in kept:
            return kept[settings].copy()
        kept[settings] = make(*settings)
        return kept[settings]

    return table


def eager(make):
    make(5, 6, 10_000.0, 0)
    return by(every)(make)


KEPT = {
    "nothing": (lambda make: make, "you call make twice"),
    "never asked": (
        lambda make: lambda n, d, b, o: sinusoidal(range(o, o + n), d, base=b),
        "you call make never",
    ),
    "asked ahead": (eager, "you call make twice"),
    "a table": (lambda make: make(5, 6, 10_000.0, 0), "should give a function"),
    "no base": (by(lambda n, d, b, o: (n, d, o)), "differs from (5, 6, 10000.0, 0) in base"),
    "no offset": (by(lambda n, d, b, o: (n, d, b)), "in offset, so keep offset"),
    "no width": (by(lambda n, d, b, o: (n, b, o)), "in d_model"),
    "no length": (by(lambda n, d, b, o: (d, b, o)), "in n, so keep n"),
    "the last": (last_only, "keep all"),
    "a set": (by(lambda *s: frozenset(s)), "(6, 4, 100.0, 0) is mixed up with (4, 6, 100.0, 0)"),
    "the size": (by(lambda n, d, b, o: (n * d, b, o)), "mixed up with (4, 6, 100.0, 0)"),
    "glued": (by(lambda n, d, b, o: f"{n}{d} {b} {o}"), "mixed up with (1, 16, 100.0, 0)"),
    "a hash": (by(lambda *s: hash(s)), "mixed up with (3, 4, 100.0, -1)"),
    "the array itself": (by(every, copy=np.asarray), "is full of sevens"),
    "functools.cache": (functools.cache, "is full of sevens"),
    "the first itself": (safe_but_for_the_first, "into the first answer"),
    "negated": (lambda make: lambda *s: -make(*s), "is not what make gives"),
    "swapped": (lambda make: lambda n, d, b, o: make(d, n, b, o), "stops with ValueError"),
}


@pytest.mark.parametrize("name", KEPT)
def test_the_message_about_badly_cached_rows_says_what_got_mixed_up(name, says):
    answer, fragment = KEPT[name]
    assert fragment in says(remember, answer)


def test_two_makes_must_not_share_a_dictionary(says):
    assert "a dictionary of its own" in says(remember, by(every, known={}))
