"""Tables with the position in the exponent, whose columns are one sine and one cosine."""

from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np

from posenc._arguments import Layout
from posenc_clinic._refine import polish
from posenc_clinic._sample import Sample
from posenc_clinic._table_model import Functions, Recipe


def in_exponent(sample: Sample) -> list[Recipe]:
    """Return recipes in which the position stands where the number of the pair should.

    Such a table has two different columns. They are the sine and the cosine of one angle, and the
    logarithm of that, divided by the position, falls along a line.
    """
    for values in (sample.values[:16], sample.values):  # few rows tell that most tables are others
        first = (np.abs(values - values[:, :1]) <= sample.noise).all(axis=0)  # (d,)
        x, y = values[:, 0], values[:, first.argmin()]  # (n,) each
        if (np.abs(values[:, ~first] - y[:, np.newaxis]) > sample.noise).any():
            return []
    if first.all():
        return []
    # On a circle with its centre at (mean, mean), x^2 + y^2 is linear in x + y.
    design = np.stack([x + y, np.ones_like(x)], axis=1)  # (n, 2)
    (slope, rest), *_ = np.linalg.lstsq(design, x**2 + y**2, rcond=1e-9)
    mean, scale = slope / 2, np.sqrt(rest + slope**2 / 2)
    if np.median(np.abs(np.hypot(x - mean, y - mean) - scale)) > sample.noise + 1e-9 * scale:
        mean, scale = 0.0, np.median(np.hypot(x, y))
    found = []
    orders: tuple[Functions, ...] = ("sin cos", "cos sin")
    ways = [(1, 0), (1, 1), (-1, 0), (-1, 1), (-1, -sample.last), (-1, -sample.last - 1)]
    for layout, functions, (sign, start) in product(get_args(Layout), orders, ways):
        plain = Recipe(
            sample.width,
            0.0,
            layout=layout,
            functions=functions,
            sign=sign,
            start=float(start),
            scale=float(scale),
            mean=float(mean),
            by_position=True,
        )
        if (first == plain.second(sample.columns)).any():
            continue
        sine, cosine = (x, y) if functions == "sin cos" else (y, x)
        position = sample.rows + start  # (n,)
        angle = sign * np.unwrap(np.arctan2(sine - mean, cosine - mean)) * np.sign(position)
        tells = angle > 16 * sample.noise / scale
        if tells.sum() < 2:
            continue
        position, angle = np.abs(position[tells]), angle[tells]
        design = np.stack([np.ones_like(angle), -position], axis=1) * angle[:, np.newaxis]
        goal = np.log(angle / position) * angle  # weighed by how exact it is
        (unit, drop), *_ = np.linalg.lstsq(design, goal, rcond=1e-9)
        if drop * sample.last > 0.01:
            numbers = replace(plain, drop=float(drop), unit=float(np.exp(unit)))
            found.append(polish(sample.near, numbers, ("drop", "unit", "scale", "mean")))
    return found
