"""What was done on purpose: known recipes, spaced positions, rows kept for pads."""

from itertools import product

import numpy as np
import pytest
from bs4 import BeautifulSoup
from clinic_tables import FORMS, names
from hypothesis import given
from hypothesis import strategies as st

from posenc import (
    attention_temperature,
    axial,
    frequencies,
    scale_frequencies,
    sinusoidal,
)
from posenc_clinic import diagnose
from posenc_clinic._conventions import KNOWN_RECIPES
from posenc_clinic.mistakes import CATALOGUE
from posenc_clinic.wrong_tables import arranged, bfloat16, right_table, wrong_table


def waves(n, d, steps, first=0):
    """Sines and cosines on a ladder that falls to 1/10000 in so many steps."""
    angles = np.outer(np.arange(first, first + n), 10_000.0 ** (-np.arange(d // 2) / steps))
    return np.sin(angles), np.cos(angles)


def with_zeros(table, *rows):
    table = table.copy()
    table[list(rows)] = 0
    return table


def turned(omega, n, scale=1.0):
    """A cache for rotations: all cosines, then all sines."""
    angles = np.outer(np.arange(n), omega)
    return scale * np.concatenate([np.cos(angles), np.sin(angles)], axis=1)


def octaves(n, d):
    """The sines and cosines of 2**k * pi * x, with x from -1 to 1."""
    angles = np.outer(np.linspace(-1, 1, n), 2.0 ** np.arange(min(d // 2, 8)) * np.pi)
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(n, -1)


def precedence(h, w, d):
    """The cells of a grid as LoFTR has them, whose exponent is divided by d_model // 2 too late."""
    rates = np.exp(np.arange(0, d // 2, 2) * (-np.log(10_000.0) / d // 2))
    down, across = (np.outer(np.arange(1, size + 1), rates) for size in (h, w))
    table = np.empty((h, w, d))
    table[..., 0::4], table[..., 1::4] = np.sin(across), np.cos(across)
    table[..., 2::4], table[..., 3::4] = np.sin(down)[:, None], np.cos(down)[:, None]
    return table.reshape(-1, d)


def centred(table):
    """A table without its mean, whose standard deviation is 0.1."""
    table = table - table.mean()
    return table / (table.std(ddof=1) * 10)


def trained(n, d):
    """Numbers that are smooth from row to row, with noise in each."""
    drawn = np.random.default_rng(0).standard_normal((2, n + 8, d))
    return 0.02 * np.mean([drawn[0, at : at + n] for at in range(8)], axis=0) + 3e-3 * drawn[1, :n]


def followed(name, n, d):
    """A table by a known recipe, computed by its own formula."""
    sine, cosine = waves(n, d, d / 2)
    far_sine, far_cosine = waves(n, d, d / 2 - 1)
    behind_sine, behind_cosine = waves(n, d, d / 2 - 1, first=-1)
    reaching = np.concatenate([far_sine, far_cosine], axis=1)
    once = np.outer(np.arange(n), 10_000.0 ** (-np.arange(d) / d))
    omega, high = frequencies(d), frequencies(d, base=500_000)
    by_parts = scale_frequencies(omega, 4, "by-parts", original=2048)
    yarn = scale_frequencies(omega, 4, "yarn", original=2048)
    cells = axial((n // 4, 4), d)
    return {
        "paper": sinusoidal(n, d),
        "paper-halves": np.concatenate([sine, cosine], axis=1),
        "cosine-first": np.stack([cosine, sine], axis=2).reshape(n, d),
        "timesteps": np.concatenate([cosine, sine], axis=1),
        "tensor2tensor": reaching,
        "musicgen": np.concatenate([far_cosine, far_sine], axis=1),
        "gemma-audio": reaching[::-1],
        "fairseq": with_zeros(reaching, 1),
        "fairseq2": with_zeros(np.concatenate([behind_sine, behind_cosine], axis=1), 0),
        "padding-first": with_zeros(sinusoidal(n, d), 0),
        "scaled-sinusoidal": sinusoidal(n, d) / np.sqrt(d),
        "patchtst": centred(sinusoidal(n, d)),
        "circle": turned([np.pi / 6], n)[:, ::-1],
        "rope-cosines": np.concatenate([cosine, cosine], axis=1),
        "rope-sines": np.concatenate([sine, sine], axis=1),
        "rope-cosines-once": np.cos(once),
        "rope-sines-once": np.sin(once),
        "rope-cache": turned(high, n),
        "rope-llama3": turned(scale_frequencies(high, 8, "llama3", original=8192), n),
        "rope-yarn": turned(yarn, n, attention_temperature(4)),
        "rope-by-parts": turned(by_parts, n),
        "rope-factors": turned(np.where(np.arange(d // 2) < d // 4, omega, 0), n),
        "grid": cells.reshape(-1, d),
        "grid-column-first": cells.swapaxes(0, 1).reshape(-1, d),
        "loftr": precedence(n // 4, 4, d),
        "octaves": octaves(n, d),
        "fourier-features": turned(np.random.default_rng(0).uniform(0.1, 3, d // 2), n),
        "learned": trained(n, d),
    }[name]


def test_a_table_that_follows_a_recipe_exactly_is_right_as_that(subtests):
    for name, form in product(KNOWN_RECIPES, FORMS):
        with subtests.test(name=name):
            known = KNOWN_RECIPES[name]
            for n, d in ((50, 64), (24, 16)):
                table = form(followed(name, n, d))
                diagnosis = diagnose(table, recipe=name)
                assert diagnosis.correct
                assert diagnosis.recipe == name
                assert (diagnosis.max_error is None) is (name == "learned")
                assert (diagnosis.max_error or 0) < 1e-3
                assert all(
                    finding.convention and not finding.cell for finding in diagnosis.findings
                )
                unasked = diagnose(table)
                assert (unasked.correct, unasked.recipe) == (
                    not known.asked,
                    None if known.asked else name,
                )
                page = BeautifulSoup(diagnosis.html(), "html.parser").get_text(" ")
                for text in (str(diagnosis), diagnosis.markdown(), page):
                    assert (known.said in text) is (name != "paper")


def test_fairseq_may_keep_row_0_for_pads():
    assert diagnose(with_zeros(followed("tensor2tensor", 50, 64), 0)).recipe == "fairseq"
    third = diagnose(with_zeros(followed("tensor2tensor", 50, 64), 2))
    assert (third.correct, third.recipe) == (False, None)


def test_a_column_of_zeros_that_fills_up_an_odd_width_belongs_to_the_recipe(subtests):
    for name in ["tensor2tensor", "fairseq", "fairseq2", "timesteps"]:
        with subtests.test(name=name):
            table = np.append(followed(name, 50, 64), np.zeros((50, 1)), axis=1)
            assert diagnose(table).recipe == name
            assert not diagnose(table, recipe="paper").correct
            assert not diagnose(np.append(right_table(), np.zeros((50, 1)), axis=1)).correct


def test_one_pair_may_come_round_in_any_number_of_rows(subtests):
    for (period, n), form in product([(12, 36), (12, 100), (7, 10), (60, 58), (365, 400)], FORMS):
        with subtests.test(period=period, n=n):
            for table in (
                turned([2 * np.pi / period], n),
                turned([2 * np.pi / period], n)[:, ::-1],
            ):
                diagnosis = diagnose(form(table))
                assert (diagnosis.correct, diagnosis.recipe) == (True, "circle")
                assert f"It comes round in {period} rows." in str(diagnosis)
                assert diagnosis.alternatives == ()


def test_a_recipe_that_may_be_meant_is_said():
    for d in (63, 64):
        table = np.cos(np.outer(np.arange(50), 10_000.0 ** (-np.arange(d) / d)))
        diagnosis = diagnose(table)
        assert not diagnosis.correct
        assert 'one for each pair. Say recipe="rope-cosines-once" for that.' in str(diagnosis)
        assert diagnose(table, recipe="rope-cosines-once").correct


def test_a_recipe_that_was_not_meant_is_not_right():
    meant_paper = diagnose(followed("tensor2tensor", 50, 64), recipe="paper")
    assert names(meant_paper) == {"tensor2tensor-ladder", "halves-layout"}
    assert (meant_paper.correct, meant_paper.recipe) == (False, "tensor2tensor")
    assert not any(finding.convention for finding in meant_paper.findings)
    assert "not a mistake" not in str(meant_paper)
    meant_other = diagnose(sinusoidal(50, 64), recipe="tensor2tensor")
    (finding,) = meant_other.findings
    assert finding.mistake == "other-recipe"
    assert "lacks tensor2tensor-ladder and halves-layout." in finding.evidence
    assert (meant_other.correct, meant_other.recipe) == (False, "paper")


def test_each_recipe_is_told_from_the_next():
    tables = [followed(name, 50, 64) for name in KNOWN_RECIPES]
    for (name, table), meant in zip(
        zip(KNOWN_RECIPES, tables, strict=True), [*KNOWN_RECIPES][1:], strict=False
    ):
        assert diagnose(table, recipe=name).correct, name
        assert not diagnose(table, recipe=meant).correct, f"{name} taken for {meant}"


@pytest.mark.sweep
def test_each_recipe_is_told_from_each_other():
    for name in KNOWN_RECIPES:
        table = followed(name, 50, 64)
        for meant in KNOWN_RECIPES:
            correct = diagnose(table, recipe=meant).correct
            assert correct is (name == meant), f"{name} where {meant} is meant"


def test_a_mistake_beside_a_recipe_is_a_mistake():
    table = wrong_table("tensor2tensor-ladder", "halves-layout", "wrong-base")
    diagnosis = diagnose(table)
    assert names(diagnosis) == {"tensor2tensor-ladder", "halves-layout", "wrong-base"}
    assert (diagnosis.correct, diagnosis.recipe) == (False, None)
    meant = diagnose(table, recipe="tensor2tensor")
    assert [each.mistake for each in meant.findings if not each.convention] == ["wrong-base"]


def test_what_a_recipe_has_are_mistakes_or_conventions_of_the_catalogue():
    for known in KNOWN_RECIPES.values():
        assert known.traits | known.also <= {*CATALOGUE}


def test_a_recipe_that_is_not_known_is_refused(refusal, subtests):
    for recipe in ["vaswani", "", 3, True]:
        with subtests.test(recipe=recipe):
            message = refusal(ValueError, diagnose, right_table(), recipe=recipe)
            assert message.startswith("recipe must be one of paper, paper-halves, ")
            assert message.endswith(f"or None, not {recipe!r}")


# Positions


def test_positions_may_have_any_step_and_start(subtests):
    for layout, (positions, said) in product(
        ["interleaved", "halves"],
        [
            (np.arange(0, 1000, 20), "They go up by 20, from 0 to 980."),
            (np.arange(1, 1000, 20), "They go up by 20, from 1 to 981."),
            (np.arange(999, 0, -20), "They go down by 20, from 999 to 19."),
            (np.linspace(0, 1, 50) * 1000, "They go up by 20.4082, from 0 to 1000."),
            (np.linspace(0, 1, 50), "from 0 to 1: each is divided by the number of rows less 1."),
            (np.arange(50) / 50, "from 0 to 0.98: each is divided by the number of rows."),
            (np.linspace(1, 0, 50), "They go down by 0.0204082, from 1 to 0:"),
            (
                2 * np.pi * np.arange(1, 51) / 50,
                "They go up by 0.125664, from 0.125664 to 6.28319.",
            ),
            (3.7 + 1.385 * np.arange(50), "They go up by 1.385, from 3.7 to 71.565."),
            (2 * np.arange(20), "They go up by 2, from 0 to 38."),
        ],
    ):
        with subtests.test(layout=layout, positions=positions, said=said):
            positions = np.asarray(positions, float)
            table = sinusoidal(positions, 64, layout=layout)
            for form in FORMS:
                diagnosis = diagnose(form(table))
                assert diagnosis.correct
                (finding,) = [one for one in diagnosis.findings if one.mistake == "position-step"]
                assert said in finding.evidence
                assert diagnosis.max_error < 1e-3


def test_timesteps_that_are_spaced_follow_their_recipe():
    table = followed("timesteps", 1000, 128)[::20]
    assert diagnose(table, recipe="timesteps").correct


@pytest.mark.parametrize(
    ("n", "d", "step", "digits"),
    [
        pytest.param(23, 4, 4, 6, id="two pairs, one of which turns more than half round a step"),
        pytest.param(39, 8, 10, 4, id="as if pairs were counted from -1"),
        pytest.param(72, 2, 10, 8, id="one pair, which seems to turn backwards"),
    ],
)
@pytest.mark.parametrize("down", [False, True])
def test_steps_that_look_like_something_else_are_cleared(n, d, step, digits, down):
    positions = step * np.arange(n)[:: -1 if down else 1]
    angles = np.outer(positions, 10_000.0 ** (-2 * np.arange(d // 2) / d))
    table = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(n, d).round(digits)
    diagnosis = diagnose(table)
    assert diagnosis.correct
    assert "position-step" in names(diagnosis)


def test_decimals_are_seen_in_single_precision(subtests):
    for decimals in [2, 3, 4, 5, 6]:
        with subtests.test(decimals=decimals):
            table = np.float32(right_table()).round(decimals)
            assert table.dtype == np.float32
            assert diagnose(table).findings == ()


def test_a_scale_is_as_exact_as_the_values():
    table = (right_table(n=64, d=256) / 16).round(3)
    assert diagnose(table).recipe == "scaled-sinusoidal"


@given(
    n=st.integers(12, 100),
    pairs=st.integers(6, 64),
    step=st.floats(0.02, 40).filter(lambda step: abs(step - 1) > 0.01),
    first=st.integers(0, 30),
    halves=st.booleans(),
)
def test_a_table_of_spaced_positions_is_cleared(n, pairs, step, first, halves):
    positions = step * (first + np.arange(n))
    table = sinusoidal(positions, 2 * pairs, layout="halves" if halves else "interleaved")
    assert diagnose(table).correct


SINGLE = "single precision"  # of angles, as in PyTorch


@pytest.mark.parametrize(
    ("n", "d", "base", "step", "first", "form"),
    [
        pytest.param(10, 6, 1e4, 1000 / 9, 0, np.asarray, id="all pairs turn too fast to be seen"),
        pytest.param(14, 158, 1e4, 1000 / 13, 379, np.asarray, id="most of many pairs do"),
        pytest.param(3, 24, 6.32, 500, 0, np.float32, id="three rows"),
        pytest.param(651, 70, 5e5, 1 / 651, 0, np.asarray, id="nothing moves in the first rows"),
        pytest.param(16, 12, 5e5, 20, 212, np.float32, id="a start between two steps"),
        pytest.param(56, 234, 1e4, 1 / 55, 201, np.float32, id="a start of thousands of steps"),
        pytest.param(76, 4, 195.25, 2, 5.45, np.asarray, id="a start with digits"),
        pytest.param(10, 16, 1000, 0.1, 466, np.float16, id="half precision"),
        pytest.param(58, 28, 1e4, 1 / 57, 1, bfloat16, id="nearly degrees"),
        pytest.param(96, 26, 500, 1 / 95, 0.37, bfloat16, id="nearly degrees, a rung late"),
        pytest.param(59, 10, 50, 1 / 58, 0, bfloat16, id="nearly degrees, and cheaper so"),
        pytest.param(102, 12, 1e3, 1 / 102, 0, np.float16, id="nearly degrees, counted from 1"),
        pytest.param(56, 4, 500, 0.1, 416, bfloat16, id="a start of thousands of rows, coarse"),
        pytest.param(4, 62, 1e4, 1000 / 3, 1, SINGLE, id="four rows of large angles"),
        pytest.param(606, 30, 1e5, 35.4, 46, SINGLE, id="many rows of large angles"),
        pytest.param(11, 10, 1e3, 0.5, 0, bfloat16, id="nearly half a rung late"),
        pytest.param(26, 4, 5e5, 40, 0.75, bfloat16, id="two pairs, one of them slow"),
        pytest.param(33, 46, 7974.28, 1000 / 33, 0.06, FORMS[2], id="a start close to 0"),
        pytest.param(18, 18, 1e5, 0.145, 0, np.float16, id="nearly 8.3 degrees"),
        pytest.param(517, 68, 5e5, 5, 1.45, SINGLE, id="single precision of angles"),
        pytest.param(681, 8, 1e4, 10, 3.14, SINGLE, id="all pairs come round at 6283"),
        pytest.param(33, 20, 1e4, -1000 / 33, 970, np.asarray, id="down to nearly 0"),
        pytest.param(56, 36, 500, -1000 / 56, 1 + 55000 / 56, SINGLE, id="down to 1"),
        pytest.param(481, 4, 20681.25, 1 / 481, 0, FORMS[2], id="one pair that hardly moves"),
        pytest.param(38, 2, 5e5, 1000 / 38, 0, SINGLE, id="one pair, many times round"),
        pytest.param(65, 4, 100, 0.1, 0, np.float32, id="as if pairs were counted from 1"),
    ],
)
def test_any_step_and_start_are_cleared(n, d, base, step, first, form):
    positions, omega = first + step * np.arange(n), base ** (-2 * np.arange(d // 2) / d)
    if form is SINGLE:
        positions, omega, form = np.float32(positions), np.float32(omega), np.asarray
    angles = np.outer(positions, omega)
    columns = [np.sin(angles), np.cos(angles)]
    for order, halves in product((1, -1), (False, True)):
        diagnosis = diagnose(form(arranged(*columns[::order], halves)), base=base)
        case = f"{'cosines' if order < 0 else 'sines'} first, {halves=}"
        assert diagnosis.correct, case
        assert "position-step" in names(diagnosis), case


def test_rounded_angles_do_not_move_the_start(subtests):
    for base in [1e4, 1e5, 1e6]:
        with subtests.test(base=base):
            omega = np.exp(np.arange(0, 10, 2, dtype="f4") * np.float32(-np.log(base) / 10))
            angles = np.arange(14, dtype="f4")[:, np.newaxis] * omega
            table = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
            assert diagnose(table, base=base).recipe == "timesteps"


def test_a_step_that_is_a_rung_may_be_a_shifted_index():
    table = right_table(d=8, spacing=0.1)
    assert np.abs(table - wrong_table("shifted-index", d=8)).max() < 1e-14
    assert diagnose(table).alternatives == (("shifted-index",),)


# Rows of zeros, and the ladder that reaches 1, in small tables


def test_rows_of_zeros_may_be_anywhere(subtests):
    for rows in [(7,), (3, 7), (5, 6, 7, 20, 21, 22, 30), range(20, 40)]:
        with subtests.test(rows=rows):
            for table in (right_table(), right_table().round(3), wrong_table("wrong-base")):
                found = diagnose(with_zeros(table, *rows))
                assert names(found) == names(diagnose(table)) | {"constant-row"}
                (finding,) = [one for one in found.findings if one.mistake == "constant-row"]
                assert finding.cell[0] in rows


def test_a_few_constant_rows_are_listed_and_many_counted():
    said = [
        diagnose(with_zeros(right_table(), *rows)).findings[0].evidence
        for rows in ((3, 7), (5, 6, 7, 20, 21))
    ]
    assert "They are rows 3 and 7." in said[0]
    assert "They are rows 5, 6, 7 and 2 more." in said[1]


def test_a_small_ladder_that_reaches_1_may_start_anywhere(subtests):
    for (n, d), first, form in product([(10, 6), (20, 6)], [2, 5, 30], FORMS):
        with subtests.test(n=n, d=d, first=first):
            traits = ("tensor2tensor-ladder", "halves-layout", "one-based-positions")
            assert names(diagnose(form(wrong_table(*traits, n=n, d=d, first=first)))) == {*traits}
