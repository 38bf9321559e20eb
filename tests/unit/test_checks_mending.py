"""What the checkers of *find-the-mistake-in-a-table* say to right answers, and to wrong ones."""

import numpy as np
import pytest

from posenc import frequencies, sinusoidal
from posenc.checks import ladder_of, mend


def empty(*arguments):
    raise NotImplementedError


@pytest.mark.parametrize("checker", [mend, ladder_of])
def test_an_empty_answer_is_told_to_be_written(checker, says):
    assert "still empty" in says(checker, empty)


# Lost cosines


def woven(sines, cosines):
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def with_cosines(of):
    """An answer whose odd columns are `of(sines)`."""
    return lambda table: woven(table[:, 0::2], of(table[:, 0::2]))


def by_angle(sines):
    return np.cos(np.outer(np.arange(len(sines)), np.arcsin(sines[1])))


def by_turning(sines):
    """Turn each hand step by step; no angle is ever computed."""
    sine, cosine = sines[1], np.sqrt(1 - sines[1] ** 2)
    cosines = [np.ones(len(sine))]
    for before in sines[:-1]:
        cosines.append(cosines[-1] * cosine - before * sine)
    return np.array(cosines)


@pytest.mark.parametrize("of", [by_angle, by_turning])
def test_cosines_of_the_angles_of_row_1_are_right_however_they_are_found(of, capsys):
    mend(with_cosines(of))
    assert capsys.readouterr().out.startswith("Right.")


def usual(sines):
    return sinusoidal(len(sines), 2 * sines.shape[1])[:, 1::2]


MENDED = {
    "not mended": (lambda table: table, "still hold sines"),
    "by the root": (
        with_cosines(lambda sines: np.sqrt(1 - sines**2)),
        "does not know its cosine's sign",
    ),
    "cosines of sines": (with_cosines(np.cos), "and is 0.6664. Look at the angle"),
    "mirrored": (with_cosines(lambda sines: -by_angle(sines)), "the wrong sign"),
    "ones": (with_cosines(np.ones_like), "1 in all rows"),
    "the usual base": (with_cosines(usual), "those of base 10000"),
    "cosine first": (lambda table: woven(by_angle(table[:, 0::2]), table[:, 0::2]), "even columns"),
    "halves": (
        lambda table: np.concatenate([table[:, 0::2], by_angle(table[:, 0::2])], axis=1),
        "in halves",
    ),
    "cosines alone": (lambda table: by_angle(table[:, 0::2]), "should have the shape"),
    "nan": (with_cosines(lambda sines: np.nan * sines), "not a number"),
}


@pytest.mark.parametrize("name", MENDED)
def test_the_message_about_cosines_that_are_not_mended_says_what_is_wrong(name, says):
    answer, fragment = MENDED[name]
    assert fragment in says(mend, answer)


def test_a_table_that_is_mended_in_place_is_recognised(says):
    def answer(table):
        table[:, 1::2] = by_angle(table[:, 0::2])
        return table

    assert "changes the array" in says(mend, answer)


# Ladders


def columns(table):
    """The sines and cosines of row 1."""
    if table[0, 1] == 1:
        return table[1, 0::2], table[1, 1::2]
    return np.split(table[1], 2)


def read(by):
    return lambda table: by(*columns(table))


def by_ends(table):
    """Tell the layout by the last column but one."""
    sines = table[1, 0::2] if table[0, -2] == 0 else table[1, : table.shape[1] // 2]
    cosines = table[1, 1::2] if table[0, -2] == 0 else table[1, table.shape[1] // 2 :]
    return np.angle(cosines + 1j * sines)


@pytest.mark.parametrize("answer", [read(np.arctan2), by_ends])
def test_a_ladder_read_by_both_coordinates_in_either_layout_is_right(answer, capsys):
    ladder_of(answer)
    assert capsys.readouterr().out.startswith("Right.")


LADDERS = {
    "row 0": (lambda table: table[0, : table.shape[1] // 2], "you look at row 0"),
    "angles of row 0": (
        lambda table: np.arctan2(0 * columns(table)[0], abs(columns(table)[1])),
        "where no dial has turned yet",
    ),
    "sines": (read(lambda sines, cosines: sines), "sines of angles"),
    "denominators": (read(lambda sines, cosines: 1 / np.arctan2(sines, cosines)), "denominators"),
    "wavelengths": (
        read(lambda sines, cosines: 2 * np.pi / np.arctan2(sines, cosines)),
        "wavelengths",
    ),
    "slowest first": (read(lambda sines, cosines: np.arctan2(sines, cosines)[::-1]), "in front"),
    "the usual one": (lambda table: frequencies(table.shape[1]), "base 10000 whatever"),
    "interleaved only": (
        lambda table: np.arctan2(table[1, 0::2], table[1, 1::2]),
        "all sines first: you read the columns as if they stood in the other layout",
    ),
    "interleaved only, by arcsin": (lambda table: np.arcsin(table[1, 0::2]), "other layout"),
    "halves only": (lambda table: np.arctan2(*np.split(table[1], 2)), "other layout"),
    "arcsin": (read(lambda sines, cosines: np.arcsin(sines)), "both sides of a quarter turn"),
    "arccos": (read(lambda sines, cosines: np.arccos(cosines)), "more digits than a cosine has"),
    "negated": (read(lambda sines, cosines: -np.arctan2(sines, cosines)), "The sign is wrong"),
    "swapped": (read(lambda sines, cosines: np.arctan2(cosines, sines)), "Look at how you get"),
    "one a column": (lambda table: table[1], "a pair has one frequency"),
}


@pytest.mark.parametrize("name", LADDERS)
def test_the_message_about_a_misread_ladder_says_how(name, says):
    answer, fragment = LADDERS[name]
    assert fragment in says(ladder_of, answer)
