"""What the checker of *find-the-mistake-in-a-rotation* says to right answers, and to wrong ones."""

import numpy as np
import pytest

from posenc import frequencies, rope, rotation, to_layout
from posenc.checks import turn


def empty(*arguments):
    raise NotImplementedError


def test_an_empty_answer_is_told_to_be_written(says):
    assert "still empty" in says(turn, empty)


def by_pairs(x, offset):
    omega = 10_000 ** (-2 * np.arange(x.shape[2] // 2) / x.shape[2])
    angles = np.multiply.outer(offset + np.arange(x.shape[1]), omega)
    a, b = np.split(x, 2, axis=-1)
    sine, cosine = np.sin(angles), np.cos(angles)
    return np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)


def by_rope(x, offset):
    return rope(x, offset=offset, layout="halves")


def by_half_turns(x, offset):
    """As transformers does it: x times cosines, and x with its halves exchanged times sines."""
    omega = np.tile(frequencies(x.shape[2]), 2)
    angles = (offset + np.arange(x.shape[1]))[:, np.newaxis] * omega
    a, b = np.split(x, 2, axis=-1)
    return (x * np.cos(angles) + np.concatenate([-b, a], axis=-1) * np.sin(angles)).astype(x.dtype)


def by_matrices(x, offset):
    words = [x[:, i] @ rotation(offset + i, x.shape[2], layout="halves") for i in range(x.shape[1])]
    return np.stack(words, axis=1)


@pytest.mark.parametrize("answer", [by_pairs, by_rope, by_half_turns, by_matrices])
def test_a_turn_is_right_however_it_is_made(answer, capsys):
    turn(answer)
    assert capsys.readouterr().out.startswith("Right.")


def in_float32(x, offset):
    pos = np.arange(x.shape[1], dtype=x.dtype) + x.dtype.type(offset)
    angles = pos[:, np.newaxis] * frequencies(x.shape[2]).astype(x.dtype)
    a, b = np.split(x, 2, axis=-1)
    sine, cosine = np.sin(angles), np.cos(angles)
    return np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)


def in_float16(x, offset):
    if x.dtype == np.float64:
        return by_rope(x, offset)
    angles = np.multiply.outer(offset + np.arange(x.shape[1]), frequencies(x.shape[2]))
    with np.errstate(over="ignore"):
        rounded = angles.astype(np.float16).clip(-60_000, 60_000).astype(float)
    a, b = np.split(x, 2, axis=-1)
    sine, cosine = np.sin(rounded), np.cos(rounded)
    return np.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)


def along_heads(x, offset):
    return by_rope(x.swapaxes(0, 1), offset).swapaxes(0, 1)


def with_ladder(omega):
    return lambda x, offset: rope(x, offset=offset, omega=omega(*x.shape), layout="halves")


def by_all_heads(heads, n, d_head):
    return frequencies(heads * d_head)[: d_head // 2]


def too_slow(heads, n, d_head):
    return 10_000.0 ** (-np.arange(d_head // 2) / d_head)


WRONG = {
    "not turned": (lambda x, offset: x, "you return x as it was"),
    "the other layout": (lambda x, offset: rope(x, offset=offset), "you turn neighbours"),
    "the wrong sign": (
        lambda x, offset: rope(x, positions=-offset - np.arange(x.shape[1]), layout="halves"),
        "the wrong way",
    ),
    "no offset": (lambda x, offset: by_rope(x, 0), "you ignore the offset"),
    "the offset alone": (
        lambda x, offset: rope(x, positions=np.full(x.shape[1], offset), layout="halves"),
        "you return x as it was",
    ),
    "from 1": (lambda x, offset: by_rope(x, offset + 1), "one place too much"),
    "along heads": (along_heads, "along the axis of heads"),
    "all heads' columns": (with_ladder(by_all_heads), "made for 24 columns"),
    "half the exponent": (with_ladder(too_slow), "falls too slowly"),
    "written back side by side": (
        lambda x, offset: to_layout(by_rope(x, offset), "halves", "interleaved"),
        "written back side by side",
    ),
    "angles in float32": (in_float32, "float32, which has too few digits"),
    "angles in float16": (in_float16, "Near 0 your answer was right"),
    "lengths": (lambda x, offset: 2 * by_rope(x, offset), "Lengths have changed"),
    "another base": (
        lambda x, offset: rope(x, offset=offset, base=500_000, layout="halves"),
        "Lengths are kept: look at the angles",
    ),
    "a transposed answer": (lambda x, offset: by_rope(x, offset).swapaxes(0, 1), "the shape"),
}


@pytest.mark.parametrize(("answer", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_turn_is_told_its_mistake(answer, said, says):
    assert said in says(turn, answer)


def test_each_mistake_has_a_message_of_its_own(says):
    told = {says(turn, answer).split(": ", 1)[1] for answer, _ in WRONG.values()}
    assert len(told) == len(WRONG) - 1  # by the offset alone, the first text is not turned at all


def test_words_that_are_all_turned_by_the_offset_are_told_so(says):
    def as_one(x, offset):
        if offset == 0:
            return by_rope(x, offset)
        return rope(x, positions=np.full(x.shape[1], offset), layout="halves")

    assert "all words are turned alike" in says(turn, as_one)


def test_an_answer_that_changes_x_is_told_so(says):
    def in_place(x, offset):
        x[:] = by_rope(x, offset)
        return x

    assert "changes the array" in says(turn, in_place)
