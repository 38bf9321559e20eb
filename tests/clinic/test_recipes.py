"""What was done on purpose: known recipes, spaced positions, rows kept for pads."""

from functools import partial

import numpy as np
import pytest
from bs4 import BeautifulSoup
from clinic_tables import (
    FORMS,
    cache,
    check_mistakes,
    check_recipe,
    many,
    names,
    octaves,
    some_or_many,
    trained,
    with_entries,
)
from hypothesis import given
from hypothesis import strategies as st

from posenc import (
    alibi,
    attention_temperature,
    axial,
    frequencies,
    scale_frequencies,
    sinusoidal,
    t5_buckets,
)
from posenc_clinic import diagnose
from posenc_clinic.families.known_recipes import KNOWN_RECIPES
from posenc_clinic.mistakes import CATALOGUE
from posenc_clinic.mistakes.finding import title_of
from posenc_clinic.mistakes.wrong_tables import arranged, bfloat16, right_table, wrong_table
from posenc_clinic.saying.typeset import typeset


def waves(n, d, steps, first=0):
    """Sines and cosines on a ladder that falls to 1/10000 in so many steps."""
    angles = np.outer(np.arange(first, first + n), 10_000.0 ** (-np.arange(d // 2) / steps))
    return np.sin(angles), np.cos(angles)


# A cache for rotations: all cosines, then all sines.
turns = partial(cache, holds="cos sin")


def precedence(h, w, d):
    """The cells of a grid as LoFTR has them, whose exponent is divided by d_model // 2 too late."""
    rates = np.exp(np.arange(0, d // 2, 2) * (-np.log(10_000.0) / d // 2))
    down, across = (np.outer(np.arange(1, size + 1), rates) for size in (h, w))
    table = np.empty((h, w, d))
    table[..., 0::4], table[..., 1::4] = np.sin(across), np.cos(across)
    table[..., 2::4], table[..., 3::4] = np.sin(down)[:, None], np.cos(down)[:, None]
    return table.reshape(-1, d)


def three_axes(n, d):
    """Columns by frame, row and column, half of them by the first."""
    frame, row, column = np.mgrid[:2, : n // 8, :4].reshape(3, -1)
    widths = (frame, d // 2), (row, d // 4), (column, d // 4)
    return np.concatenate([sinusoidal(at, width) for at, width in widths], axis=1)


def centred(table):
    """A table without its mean, whose standard deviation is 0.1."""
    table = table - table.mean()
    return table / (table.std(ddof=1) * 10)


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
    by_axis = [np.outer(at, frequencies(d // 2)) for at in np.divmod(np.arange(n // 4 * 4), 4)]
    return {
        "paper": sinusoidal(n, d),
        "paper-halves": np.concatenate([sine, cosine], axis=1),
        "cosine-first": np.stack([cosine, sine], axis=2).reshape(n, d),
        "timesteps": np.concatenate([cosine, sine], axis=1),
        "tensor2tensor": reaching,
        "musicgen": np.concatenate([far_cosine, far_sine], axis=1),
        "gemma-audio": reaching[::-1],
        "fairseq": with_entries(reaching, 1, 0),
        "fairseq2": with_entries(np.concatenate([behind_sine, behind_cosine], axis=1), 0, 0),
        "padding-first": with_entries(sinusoidal(n, d), 0, 0),
        "frames": np.concatenate([np.zeros((1, d)), np.concatenate([sine, cosine], axis=1)[:-1]]),
        "unit-rows": reaching * np.sqrt(2 / d),
        "scaled-sinusoidal": sinusoidal(n, d) / np.sqrt(d),
        "patchtst": centred(sinusoidal(n, d)),
        "circle": turns(np.array([np.pi / 6]), n)[:, ::-1],
        "rope-cosines": np.concatenate([cosine, cosine], axis=1),
        "rope-sines": np.concatenate([sine, sine], axis=1),
        "rope-cosines-once": np.cos(once),
        "rope-sines-once": np.sin(once),
        "rope-cache": turns(high, n),
        "rope-llama3": turns(scale_frequencies(high, 8, "llama3", original=8192), n),
        "rope-yarn": turns(yarn, n, scale=attention_temperature(4)),
        "rope-by-parts": turns(by_parts, n),
        "rope-factors": turns(np.where(np.arange(d // 2) < d // 4, omega, 0), n),
        "grid": cells.reshape(-1, d),
        "grid-column-first": cells.swapaxes(0, 1).reshape(-1, d),
        "loftr": precedence(n // 4, 4, d),
        "octaves": octaves(np.linspace(-1, 1, n)[:, np.newaxis], min(d // 2, 8)),
        "fourier-features": turns(np.random.default_rng(0).uniform(0.1, 3, d // 2), n),
        "grid-3d": three_axes(n, d),
        "offsets": turns(omega, np.arange(n // 2, n // 2 - n, -1)),
        "circles": turns(2 * np.pi / np.array([7, 12]), n),
        "rearranged": np.concatenate([sine, sine, cosine, cosine], axis=1),
        "bands": turns(np.arange(1, d // 2 + 1) * 3 / (d // 2 + 1), n),
        "alibi": alibi(8, n),
        "t5-buckets": t5_buckets(np.arange(n) - np.arange(n)[:, np.newaxis]),
        "rope-axes": np.repeat(np.cos(np.concatenate(by_axis, axis=1)), 2, axis=1),
        "learned": trained(np.random.default_rng(0), n, d),
    }[name]


@some_or_many
def test_each_recipe_is_recognised_and_described(cases):
    for name, form, (n, d) in cases(KNOWN_RECIPES, FORMS, ((50, 64), (24, 16))):
        table, known = form(followed(name, n, d)), KNOWN_RECIPES[name]
        diagnosis = check_recipe(table, name, recipe=name)
        assert (diagnosis.max_error is None) is (name in ("learned", "alibi")), name
        assert (diagnosis.max_error or 0) < 1e-3, name
        assert all(finding.convention and not finding.cell for finding in diagnosis.findings), name
        check_recipe(table, name)
        page = BeautifulSoup(diagnosis.html(), "html.parser").get_text()
        assert (known.said in str(diagnosis)) is (name != "paper"), name
        assert (typeset(known.said).replace("`", "") in page) is (name != "paper"), name


def test_rows_and_columns_for_pads_belong_to_recipes():
    assert diagnose(with_entries(followed("tensor2tensor", 50, 64), 0, 0)).recipe == "fairseq"
    third = diagnose(with_entries(followed("tensor2tensor", 50, 64), 2, 0))
    assert (third.correct, third.recipe) == (False, None)
    for name in ("tensor2tensor", "fairseq", "fairseq2", "timesteps"):
        table = np.append(followed(name, 50, 64), np.zeros((50, 1)), axis=1)
        check_recipe(table, name)
        assert not diagnose(table, recipe="paper").correct, name
    assert not diagnose(np.append(right_table(), np.zeros((50, 1)), axis=1)).correct


def test_one_pair_may_come_round_in_any_rows():
    sizes = (12, 12), (12, 36), (12, 100), (7, 10), (60, 58), (365, 400)
    for (period, n), holds, form in many(sizes, ("cos sin", "sin cos"), FORMS):
        table = form(cache(np.array([2 * np.pi / period]), n, holds))
        diagnosis = check_recipe(table, "circle", f"It makes a turn in {period} rows.")
        assert diagnosis.alternatives == (), period


def test_a_recipe_that_was_not_meant_is_wrong():
    table = followed("tensor2tensor", 50, 64)
    meant = check_mistakes(table, "tensor2tensor-ladder", "halves-layout", recipe="paper")
    assert (meant.correct, meant.recipe) == (False, "tensor2tensor")
    assert not any(finding.convention for finding in meant.findings)
    assert "not a mistake" not in str(meant)
    meant = check_mistakes(sinusoidal(50, 64), "other-recipe", recipe="tensor2tensor")
    assert (meant.correct, meant.recipe) == (False, "paper")
    lacks = " and ".join(map(title_of, ("tensor2tensor-ladder", "halves-layout")))
    assert meant.findings[0].evidence.endswith(f" The table lacks {lacks}.")


@pytest.mark.parametrize(
    "step", [1, *(pytest.param(k, marks=pytest.mark.sweep) for k in (2, 5, 11))]
)
def test_each_recipe_is_told_from_another(step):
    known = [*KNOWN_RECIPES]
    for name, other in zip(known, [*known[step:], *known[:step]], strict=True):
        assert not diagnose(followed(name, 50, 64), recipe=other).correct, (name, other)


def test_a_mistake_beside_a_recipe_is_a_mistake():
    table = wrong_table("tensor2tensor-ladder", "halves-layout", "wrong-base")
    diagnosis = diagnose(table)
    assert {*names(diagnosis)} == {"tensor2tensor-ladder", "halves-layout", "wrong-base"}
    meant = diagnose(table, recipe="tensor2tensor")
    assert [each.mistake for each in meant.findings if not each.convention] == ["wrong-base"]


def test_recipes_have_traits_of_the_catalogue():
    for known in KNOWN_RECIPES.values():
        assert known.traits | known.also <= {*CATALOGUE}


# Positions


@some_or_many
def test_positions_may_have_any_step_and_start(cases):
    for layout, (positions, said), form in cases(
        ["interleaved", "halves"],
        [
            (np.arange(1, 1000, 20), "They go up by 20, from 1 to 981."),
            (np.arange(999, 0, -20), "They go down by 20, from 999 to 19."),
            (np.linspace(0, 1, 50), "from 0 to 1: each is divided by the number of rows less 1."),
            (np.linspace(1, 0, 50), "They go down by 0.0204082, from 1 to 0:"),
            (2 * np.pi * np.arange(1, 51) / 50, "up by 0.125664, from 0.125664 to 6.28319."),
            (3.7 + 1.385 * np.arange(50), "They go up by 1.385, from 3.7 to 71.565."),
        ],
        FORMS,
    ):
        diagnosis = diagnose(form(sinusoidal(np.asarray(positions, float), 64, layout=layout)))
        assert diagnosis.correct, said
        (finding,) = [one for one in diagnosis.findings if one.mistake == "position-step"]
        assert said in finding.evidence
        assert diagnosis.max_error < 1e-3, said
    check_recipe(followed("timesteps", 1000, 128)[::20], "timesteps", recipe="timesteps")


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


# Sizes, base, step, start and digits of positions that look like something else.
TRAPS = [
    (10, 6, 1e4, 1000 / 9, 0, np.asarray, "all pairs turn too fast to be seen"),
    (3, 24, 6.32, 500, 0, np.float32, "three rows"),
    (651, 70, 5e5, 1 / 651, 0, np.asarray, "nothing moves in the first rows"),
    (56, 234, 1e4, 1 / 55, 201, np.float32, "a start of thousands of steps"),
    (58, 28, 1e4, 1 / 57, 1, bfloat16, "nearly degrees"),
    (102, 12, 1e3, 1 / 102, 0, np.float16, "nearly degrees, counted from 1"),
    (606, 30, 1e5, 35.4, 46, SINGLE, "many rows of large angles"),
    (18, 18, 1e5, 0.145, 0, np.float16, "nearly 8.3 degrees"),
    (681, 8, 1e4, 10, 3.14, SINGLE, "all pairs come round at 6283"),
    (33, 20, 1e4, -1000 / 33, 970, np.asarray, "down to nearly 0"),
    (38, 2, 5e5, 1000 / 38, 0, SINGLE, "one pair, many times round"),
]


@some_or_many
def test_positions_like_something_else_are_cleared(cases):
    for (n, d, base, step, first, form, trap), order, halves in cases(
        TRAPS, (1, -1), (False, True)
    ):
        positions, omega = first + step * np.arange(n), base ** (-2 * np.arange(d // 2) / d)
        if form is SINGLE:
            positions, omega, form = np.float32(positions), np.float32(omega), np.asarray
        angles = np.outer(positions, omega)
        columns = [np.sin(angles), np.cos(angles)]
        diagnosis = diagnose(form(arranged(*columns[::order], halves)), base=base)
        assert diagnosis.correct, (trap, order, halves)
        assert "position-step" in names(diagnosis), (trap, order, halves)


# Rows of zeros, and the ladder that reaches 1, in small tables


@some_or_many
def test_rows_of_zeros_may_be_anywhere(cases):
    for rows, mistakes, form in cases(
        [(7,), (3, 7), (5, 6, 7, 20, 21, 22, 30), range(20, 40)], [(), ("wrong-base",)], FORMS
    ):
        table = form(with_entries(wrong_table(*mistakes), [*rows], 0))
        found = check_mistakes(table, "constant-row", *mistakes, case=rows)
        assert found.findings[0].cell[0] in rows
    for rows, said in [((3, 7), "rows 3 and 7."), ((5, 6, 7, 20, 21), "rows 5, 6, 7 and 2 more.")]:
        found = diagnose(with_entries(right_table(), [*rows], 0))
        assert f"They are {said}" in found.findings[0].evidence
