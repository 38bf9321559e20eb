"""Right and wrong answers to the exercises of *images-points-times*."""

import numpy as np

from posenc import axial


def by_loops(height, width, d_model):
    table = np.zeros((height, width, d_model))
    half = d_model // 2
    for y in range(height):
        for x in range(width):
            for i in range(half // 2):
                omega = 10_000 ** (-2 * i / half)
                table[y, x, 2 * i : 2 * i + 2] = np.sin(omega * y), np.cos(omega * y)
                table[y, x, half + 2 * i : half + 2 * i + 2] = np.sin(omega * x), np.cos(omega * x)
    return table


def of_the_module(height, width, d_model):
    import posenc

    return posenc.axial((height, width), d_model)


RIGHT = {
    "grid": [by_loops, lambda h, w, d: axial((h, w), d).tolist()],
}  # fmt: skip
WRONG = {
    "grid": [
        (lambda h, w, d: np.roll(axial((h, w), d), d // 2, -1), "the columns of the width first"),
        (lambda h, w, d: axial((h, w), d).reshape(-1, d), "is one long list of patches"),
        (lambda h, w, d: axial((h, w), d) * (w < 30),
         "grid(2, 30, 64) has 0 in column 1 of ... can't tell"),
        (of_the_module, "uses posenc: build the table yourself"),
    ],
}  # fmt: skip
