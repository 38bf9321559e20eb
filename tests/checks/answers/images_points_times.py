"""Right and wrong answers to the exercises of *images-points-times*."""

import numpy as np

from posenc import axial, sinusoidal


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


def of_meshgrid(height, width, d_model, indexing="ij", first="y"):
    """As others write it: coordinates of all patches in a list, then a table for each."""
    half = d_model // 2
    xs, ys = np.meshgrid(np.arange(width), np.arange(height), indexing=indexing)
    blocks = [sinusoidal(coordinate.ravel(), half) for coordinate in (ys, xs)]
    table = np.concatenate(blocks if first == "y" else blocks[::-1], axis=-1)
    return table.reshape(height, width, d_model)


def summed(height, width, d_model):
    return sinusoidal(height, d_model)[:, None] + sinusoidal(width, d_model)


def other_base(base):
    return lambda height, width, d_model: axial((height, width), d_model, base=base)


def swapped(height, width, d_model):
    table = axial((height, width), d_model)
    return table.reshape(height, width, -1, 2)[..., ::-1].reshape(table.shape)


def of_the_module(height, width, d_model):
    import posenc

    return posenc.axial((height, width), d_model)


RIGHT = {
    "grid": [by_loops, lambda h, w, d: axial((h, w), d).tolist()],
}  # fmt: skip
WRONG = {
    "grid": [
        (lambda *size: of_meshgrid(*size, "xy", "x"), "has the columns of the width first"),
        (summed, "so that patch (1, 2) and patch (2, 1) get the same numbers"),
        (lambda *size: summed(*size) / 2, "averages the rows of the two axes"),
        (of_meshgrid, "they were made column by column and then laid out row by row"),
        (lambda h, w, d: axial((h, w), d).reshape(-1, d), "is one long list of patches"),
        (lambda h, w, d: np.moveaxis(axial((h, w), d), -1, 0), "The columns come first"),
        (lambda h, w, d: axial((h, w), 2 * d), "The two axes share the columns"),
        (lambda h, w, d: summed(h, w, d // 2), "Half of the columns are missing"),
        (other_base(1e8), "In grid(24, 1, 16), in the columns of y: The exponent is doubled"),
        (swapped, "In grid(24, 1, 16), in the columns of y: "),
        (other_base(100), "each axis has frequencies of its own"),
        (other_base(50), "in the columns of y: The frequencies fall with another base"),
        (lambda h, w, d: axial((h, w), d) * (w < 30),
         "grid(2, 30, 64) has 0 in column 1 of ... can't tell"),
        (lambda h, w, d: np.zeros((3, 5, 13)), "should have the shape (2, 3, 8) ... can't tell"),
        (of_the_module, "uses posenc: build the table yourself"),
        (lambda h, w, d: axial((h, w), d) + np.arange(d), "can't tell"),
    ],
}  # fmt: skip
