"""Tables by recipes drawn at random, none of which may be called wrong."""

import numpy as np
import pytest
from clinic_tables import FORMS, octaves, trained
from clinic_tables import cache as rope_cache

from posenc import attention_temperature, axial, frequencies, scale_frequencies
from posenc_clinic import diagnose


def cache(draw):
    n, d = int(draw.integers(24, 600)), 2 * int(draw.integers(8, 65))
    omega, scale = frequencies(d, base=draw.choice([1e4, 5e5, 1e6])), 1.0
    scaled = ["llama3", "yarn", "by-parts"]
    factor, method = int(draw.choice([2, 4, 8, 16])), draw.choice(["", "linear", "ntk", *scaled])
    if method:
        original = int(draw.choice([2048, 4096, 8192, 32_768]))
        omega = scale_frequencies(omega, factor, str(method), original=original)
    if method == "yarn" and draw.random() < 0.5:
        scale = attention_temperature(factor)
    halves = draw.random() < 0.5
    holds = ["cos cos", "sin sin", "cos sin"][draw.integers(3)]
    return rope_cache(omega, n, holds, halves, scale)


def grid(draw):
    h, w, d = (int(draw.integers(*ends)) for ends in ((3, 21), (3, 21), (2, 65)))
    layout, first = str(draw.choice(["interleaved", "halves"])), int(draw.integers(2))
    down, across = (range(first, first + size) for size in (h, w))
    if draw.random() < 0.5:
        cells = axial((down, across), 4 * d, layout=layout)
    else:
        cells = axial((across, down), 4 * d, layout=layout).swapaxes(0, 1)
    if draw.random() < 0.3:
        return np.moveaxis(cells, -1, 0)[np.newaxis]
    zeros = np.zeros((int(draw.integers(2)), 4 * d))
    return np.concatenate([zeros, cells.reshape(h * w, -1)])


def points(draw):
    n, count, m = (int(draw.integers(*ends)) for ends in ((16, 200), (3, 11), (1, 4)))
    x = draw.uniform(-1, 1, (n, m))
    waves = octaves(x, count, draw.choice([1.0, np.pi]), draw.permutation(3))
    return np.concatenate([x, waves], axis=1) if draw.random() < 0.5 else waves


def smooth(draw):
    n, d, width = (int(draw.integers(*ends)) for ends in ((32, 513), (16, 257), (4, 20)))
    return trained(draw, n, d, width, draw.uniform(0.1, 0.6))


@pytest.mark.parametrize("count", [4, pytest.param(20, marks=pytest.mark.sweep)])
def test_tables_by_recipes_drawn_at_random_are_right(count):
    for drawn, recipes in {
        **{cache: ("rope-", "timesteps", "cosine-first"), grid: ("grid",)},
        **{points: ("octaves",), smooth: ("learned",)},
    }.items():
        draw = np.random.default_rng(count)
        for at in range(count):
            diagnosis = diagnose(FORMS[at % 3](drawn(draw)))
            assert diagnosis.correct, (drawn, at, diagnosis)
            assert diagnosis.recipe.startswith(recipes), (drawn, at, diagnosis)
