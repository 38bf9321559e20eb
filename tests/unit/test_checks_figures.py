"""What the checkers of *find-the-mistake-in-a-figure* say to right answers, and to wrong ones."""

import math

import numpy as np
import pytest

import posenc
from posenc import checks

CHECKERS = [checks.positions_needed, checks.reread]


def empty(*arguments):
    raise NotImplementedError


@pytest.fixture
def refuses():
    def refuse(checker, answer, *said):
        with pytest.raises(checks.NotYet) as caught:
            checker(answer)
        for part in said:
            assert part in str(caught.value)

    return refuse


@pytest.fixture
def accepts(capsys):
    def accept(checker, answer):
        checker(answer)
        assert capsys.readouterr().out.startswith("Right. ")

    return accept


@pytest.mark.parametrize("checker", CHECKERS)
def test_an_empty_answer_is_called_empty(checker, refuses):
    refuses(checker, empty, "still empty")


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize(
    "value", ["a word", [[1, 2], 3], 7j, [[0.5]], object()], ids=lambda value: type(value).__name__
)
def test_an_answer_of_the_wrong_kind_or_shape_gets_a_message_and_not_an_error(
    checker, value, refuses
):
    refuses(checker, lambda *arguments: value, " should ")


# Pictures set upright


def is_start(line):
    """Tell whether a line of a picture is position 0, from column 0 on."""
    return bool((line[0::2] == 0).all() and (line[1::2] == 1).all())


def upright(picture):
    """Turn and flip until the first row is 0, 1, 0, 1 ..."""
    for turns in range(4):
        for flipped in (False, True):
            turned = np.rot90(picture, turns)
            turned = turned[:, ::-1] if flipped else turned
            if is_start(turned[0]):
                return turned
    raise AssertionError("no position 0 at any edge")


def in_order(picture):
    """Flip rows and columns until the first row is position 0; never transpose."""
    for rows in (1, -1):
        for columns in (1, -1):
            if is_start(picture[::rows, ::columns][0]):
                return picture[::rows, ::columns]
    return picture


def test_any_way_to_find_position_0_sets_a_picture_upright(accepts):
    accepts(checks.reread, upright)
    accepts(checks.reread, lambda picture: upright(picture).tolist())


def test_the_message_about_an_unchanged_picture_says_how_it_is_still_turned(refuses):
    refuses(checks.reread, lambda picture: picture, "mirrored", "from right to left")


def test_a_mirrored_picture_must_be_mirrored_back(refuses):
    def answer(picture):
        return upright(picture)[:, :: -1 if is_start(picture[0, ::-1]) else 1]

    refuses(checks.reread, answer, "drawn mirrored", "columns still run from right to left")


def test_a_picture_that_is_upside_down_is_recognised(refuses):
    def answer(picture):
        return upright(picture)[:: -1 if is_start(picture[-1]) else 1]

    refuses(checks.reread, answer, "drawn upside down", "position 0 is still at the bottom")


def test_a_picture_turned_too_far_is_recognised(refuses):
    refuses(checks.reread, lambda picture: upright(picture)[::-1, ::-1], "at the bottom, and its")


def test_an_answer_that_never_transposes_is_told_to_look_for_position_0(refuses):
    refuses(checks.reread, in_order, "with positions across, comes back", "(8, 5)", "position 0")


def test_an_answer_that_goes_by_the_shape_is_told_that_shapes_do_not_tell(refuses):
    def wide(picture):
        return in_order(picture if picture.shape[0] < picture.shape[1] else picture.T)

    refuses(checks.reread, wide, "12 positions and 6 columns", "The shape of a picture")


def test_an_answer_that_goes_by_odd_and_unequal_sides_fails_on_a_square(refuses):
    known = {(5, 8), (12, 6)}

    def answer(picture):
        return in_order(picture if picture.shape in known | {(6, 6)} else picture.T)

    refuses(checks.reread, answer, "It is square")


def test_values_must_stay_as_they_are(refuses):
    where = "0.4161 at position 2, column 1, where -0.4161 belongs", "leave its values"
    refuses(checks.reread, lambda picture: abs(upright(picture)), *where)
    refuses(checks.reread, lambda picture: upright(picture).round(2), "0.8400", "0.8415")


def test_the_picture_that_was_given_must_not_change(refuses):
    def answer(picture):
        result = upright(picture).copy()
        picture[:] = 0
        return result

    refuses(checks.reread, answer, "work on a copy")


# Positions that a full swing needs


def needed(d_model, base):
    """The position at which the slowest sine is at -1."""
    slowest = 2 * math.pi * max(base ** (2 * i / d_model) for i in range(d_model // 2))
    return 3 / 4 * slowest


def by_counting(d_model, base):
    """Lengthen the table until its slowest sine has been at -1."""
    reached = needed(d_model, base)
    return next(n for n in range(1, 2 * 10**7) if n - 1 >= reached)


def wavelength(d_model, base):
    return 2 * math.pi / posenc.frequencies(d_model, base=base)[-1]


def test_counting_up_to_the_first_length_that_fits_is_right(accepts):
    accepts(checks.positions_needed, by_counting)
    accepts(checks.positions_needed, lambda *given: np.float64(by_counting(*given)))


@pytest.mark.parametrize(("d_model", "base"), [(4, 10), (6, 100), (8, 3), (2, 5)])
def test_the_length_is_the_first_at_which_every_wave_has_been_at_both_ends(d_model, base):
    n = by_counting(d_model, base)
    fine = posenc.sinusoidal(np.linspace(0, n - 1, 200_001), d_model, base=base)
    assert fine.max(axis=0).min() > 0.9999
    assert fine.min(axis=0).max() < -0.9999
    soon = np.linspace(0, 0.95 * needed(d_model, base), 9999)
    assert posenc.sinusoidal(soon, d_model, base=base).min(axis=0).max() > -0.99


@pytest.mark.parametrize("part", [1 / 2, 3 / 4, 1])
@pytest.mark.parametrize("extra", [0, 1, 2])
def test_the_end_that_the_ladder_does_not_reach_is_named(extra, part, refuses):
    refuses(
        checks.positions_needed,
        lambda d_model, base: math.floor(part * 2 * math.pi * base) + extra,
        "2 pi times the base",
        "Where does the ladder",
    )


@pytest.mark.parametrize("off", [-2, -1, 1])
def test_a_length_that_is_nearly_right_is_asked_to_count_steps(off, refuses):
    refuses(
        checks.positions_needed,
        lambda *given: by_counting(*given) + off,
        "at -1 at position 45458.6079",
        "how many steps",
    )


def test_a_whole_turn_is_more_than_a_sine_needs(refuses):
    refuses(
        checks.positions_needed,
        lambda *given: math.ceil(wavelength(*given)) + 1,
        "gives 60613, the length for a whole turn",
        "when has its sine been at 1 and at -1?",
    )


def test_half_a_turn_is_enough_for_cosines_only(refuses):
    refuses(
        checks.positions_needed,
        lambda *given: math.ceil(wavelength(*given) / 2) + 1,
        "the length for half a turn",
        "And its sine?",
    )


def test_a_wavelength_is_not_a_number_of_positions(refuses):
    refuses(checks.positions_needed, wavelength, "60611.4772, which is not a whole number")


def test_the_fastest_dial_is_not_the_last_at_both_ends(refuses):
    refuses(checks.positions_needed, lambda d_model, base: 6, "gives 6", "fastest dial", "the last")


def test_a_length_that_no_known_mistake_explains_gets_the_general_message(refuses):
    def answer(d_model, base):
        return math.ceil(3 / 2 * math.pi * base ** (2 * (d_model - 1) / d_model)) + 1

    refuses(checks.positions_needed, answer, "that many steps have to fit", "no more than needed")


def test_an_answer_for_base_10000_alone_fails_at_another_base(refuses):
    refuses(
        checks.positions_needed,
        lambda d_model, base: by_counting(d_model, 10_000),
        "positions_needed(64, 100)",
        "at -1 at position 408.0",
    )
