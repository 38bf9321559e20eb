"""Candidate recipes: the paper's formula with up to three settings changed.

Used where a table is too small or too coarse to estimate frequencies from.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, groupby, product
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc_clinic._refine import polish
from posenc_clinic._sample import Sample
from posenc_clinic._table_model import DEGREE, Array, Functions, Recipe, wrap_angle

# All that decides the angles of a guess, and the part of it that is a number.
NUMERIC_SETTINGS = (
    *("odd_column_offset", "odd_base_ratio", "sign", "start"),
    *("log_ratio", "index_shift", "first_frequency"),
)
ANGLE_SETTINGS = ("layout", "position_in_exponent", *NUMERIC_SETTINGS)
BATCH = 64  # kinds of angles, whose sums stay close to the processor


class CandidateSet(NamedTuple):
    """Guesses, and their kinds of angles and of entries that are cosines, since many share one."""

    recipes: list[Recipe]
    angle_recipes: list[Recipe]  # kinds of angles, some at a time, by numbers of shape (t, 1, 1)
    angle_kind: NDArray[np.intp]  # the kind of angles of each guess
    cosine_recipes: list[Recipe]  # one recipe of each kind of cosines
    cosine_kind: NDArray[np.intp]  # the kind of cosines of each guess


def nearby_recipes(sample: Sample, base: float) -> list[Recipe]:
    """The likeliest recipes that differ from the right one in up to three settings.

    They serve where the data are too few, or too coarse, to estimate frequencies from.
    """
    few, near = sample.thinned(16), sample.near
    found = [
        (few.excess(one), one) for one in _best_candidates(few, base) if few.scale_is_plausible(one)
    ]
    found.sort(key=itemgetter(0))
    likely = [guess for excess, guess in found[:8] if excess < 0.3]
    return [min((guess, polish(near, guess)), key=near.excess) for guess in likely]


def _best_candidates(few: Sample, base: float) -> list[Recipe]:
    """The candidates that explain the largest shares of some columns, whatever the scale."""
    half, size = few.columns.size // 2, few.columns.size
    some = np.r_[0 : min(4, size), half : min(half + 4, size), np.linspace(0, size - 1, 8)]
    few = few.with_columns(some.astype(int))
    known = _nearly_right(few.width, few.last, base)
    # In shapes, t counts kinds of angles, m masks, g guesses, n rows; p is the parity of a row.
    parity = np.stack([few.rows % 2 == 0, few.rows % 2 == 1])  # (p, n)
    held = np.stack([one.cosines(few.rows, few.columns) for one in known.cosine_recipes])
    held = held[:, parity.argmax(axis=1)].reshape(len(held), -1)  # (m, p d), as rows are alike
    top, centre = np.abs(few.values).max(), few.values.mean()
    values = (few.values - centre) / top  # whose squares are finite
    weights = parity.astype(np.float64), held.astype(np.float64)
    terms = [_fit_sums(one, few, values, *weights) for one in known.angle_recipes]
    counts, sums = (np.concatenate(each, axis=1) for each in zip(*terms, strict=True))
    count, total, power = counts[:, known.angle_kind]  # (g,) each
    wave, shared, square = sums[:, known.angle_kind, known.cosine_kind]
    shared, spread = shared - wave * total / count, square - wave**2 / count
    explained = shared**2 / (spread * (power - total**2 / count) + 1e-300)
    rows, columns = values.shape
    explained[count < min(4, columns) * (rows - 1) + columns] = 0  # row 0 tells nothing
    best = np.argsort(-explained, kind="stable")[:24]
    best = best[explained[best] > 0.5]
    scale = shared[best] / (spread[best] + 1e-300)
    mean = (total[best] - scale * wave[best]) / count[best]
    return [
        replace(known.recipes[place], scale=float(size) or 1.0, mean=float(middle))
        for place, size, middle in zip(best, top * scale, top * mean + centre, strict=True)
    ]


def _fit_sums(
    angle_recipes: Recipe, few: Sample, values: Array, parity: Array, held: Array
) -> tuple[Array, Array]:
    """The sums from which a scale and a mean are fitted, for some kinds of angles.

    They are how many entries tell something, their sum and that of their squares, (3, t); and of
    the waves, their products with values, and their squares, for each choice of cosines, (3, t, m).
    """
    angles = angle_recipes.angles(few.rows, few.columns)  # (t, n, d)
    telling = ((angle_recipes.log_ratio >= 0) | few.angles_informative(angles)).astype(np.float64)
    powers = np.stack([np.ones_like(values), values, values**2])  # (3, n, d)
    counts: Array = powers.reshape(3, -1) @ telling.reshape(len(angles), -1).T
    # Half angles in float32 are as exact as this needs, also for cosines close to 1, and faster.
    halves = np.float32(wrap_angle(angles) / 2)
    sine, cosine = np.sin(halves).astype(np.float64), np.cos(halves).astype(np.float64)
    one, other = (
        np.stack([parity @ each for each in (wave, wave * values, wave**2)])  # (3, t, p, d)
        for wave in (2 * sine * cosine * telling, (1 - 2 * sine**2) * telling)
    )
    # Of each choice, the entries that it has are cosines, and the others sines.
    change = (other - one).reshape(*counts.shape, -1) @ held.T
    return counts, one.sum(axis=(2, 3))[..., np.newaxis] + change


@lru_cache(maxsize=4)
def _nearly_right(width: int, last: int, base: float) -> CandidateSet:
    alike = attrgetter("layout", "position_in_exponent")
    recipes = sorted(_variants(width, last, base), key=alike)
    angled, angle_kind = _group(recipes, attrgetter(*ANGLE_SETTINGS))
    cosine_recipes, cosine_kind = _group(
        recipes, lambda one: (one.layout, one.functions, one.start % 2)
    )
    angle_recipes = []
    for _, group in groupby(angled, alike):
        kinds = [*group]
        for some in (kinds[at : at + BATCH] for at in range(0, len(kinds), BATCH)):
            numbers: dict[str, Any] = {
                name: np.array([getattr(one, name) for one in some])[:, None, None]
                for name in NUMERIC_SETTINGS
            }
            angle_recipes.append(replace(some[0], **numbers))
    return CandidateSet(recipes, angle_recipes, angle_kind, cosine_recipes, cosine_kind)


def _group(
    recipes: list[Recipe], key: Callable[[Recipe], Any]
) -> tuple[list[Recipe], NDArray[np.intp]]:
    """One recipe of each kind, and the place of each recipe's kind among them."""
    kinds: dict[Any, int] = {}
    places = np.array([kinds.setdefault(key(recipe), len(kinds)) for recipe in recipes])
    firsts = np.unique(places, return_index=True)[1]
    return [recipes[first] for first in firsts], places


def _variants(width: int, last: int, base: float) -> Iterator[Recipe]:
    reach = max(0.5, width / 2 - 1)
    right = 2 * math.log(base) / width
    drops = (right, 2 * right, math.log(base) / reach, 2 / width)
    ways = [(1, 0.0), (1, 1.0), (-1, 0.0), (-1, -last), (1, -last), (-1, -last - 1)]
    settings: list[list[dict[str, Any]]] = [
        [{"layout": layout} for layout in get_args(Layout)],
        [{"functions": functions} for functions in get_args(Functions)],
        [{"odd_column_offset": odd} for odd in (0.0, 0.5, 1.0, 0.25)]
        + [{"odd_base_ratio": math.log(1000, base)}],
        [{"sign": sign, "start": float(start)} for sign, start in ways],
        [{"log_ratio": drop} for drop in (*drops, *(-drop for drop in drops), 0.0, -2.0)]
        + [{"log_ratio": right, "position_in_exponent": True}],
        [{"index_shift": shift} for shift in (0.0, 1.0, 0.5)],
        [{"first_frequency": unit} for unit in (1.0, DEGREE)],
    ]
    plain = dict(setting for usual, *_ in settings for setting in usual.items())
    for count in range(4):
        for differing in combinations(settings, count):
            for choice in product(*(others for _, *others in differing)):
                cosine_kind = plain.copy()
                for each in choice:
                    cosine_kind |= each
                if cosine_kind["log_ratio"] == -2:  # where a parenthesis was lost
                    cosine_kind["sign"] *= -1
                    cosine_kind["first_frequency"] *= math.log(base) / width
                yield Recipe(width, **cosine_kind)
