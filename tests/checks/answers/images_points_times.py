"""Right and wrong answers to the exercises of *images-points-times*."""

import numpy as np

from posenc import axial, sinusoidal, to_layout


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


def cut(height, width, d_model):
    half = d_model // 2
    rows, columns = sinusoidal(height, d_model)[:, :half], sinusoidal(width, d_model)[:, :half]
    table = np.empty((height, width, d_model))
    table[..., :half], table[..., half:] = rows[:, None], columns
    return table


def one_axis(height, width, d_model):
    table = axial((height, width), d_model)
    table[..., d_model // 2 :] = table[..., : d_model // 2]
    return table


def other_base(base):
    return lambda height, width, d_model: axial((height, width), d_model, base=base)


def swapped(height, width, d_model):
    table = axial((height, width), d_model)
    return table.reshape(height, width, -1, 2)[..., ::-1].reshape(table.shape)


def sines_alone(height, width, d_model):
    table = axial((height, width), d_model)
    table[..., 1::2] = table[..., 0::2]
    return table


def of_the_module(height, width, d_model):
    import posenc

    return posenc.axial((height, width), d_model)


RIGHT = {
    "grid": [by_loops, lambda h, w, d: axial((h, w), d).tolist(), lambda *size: of_meshgrid(*size,
        indexing="xy")],
}  # fmt: skip
WRONG = {
    "grid": [
        (lambda *size: axial(size[:2], size[2])[:, ::-1], "It counts columns from the right"),
        (lambda *size: axial(size[:2], size[2])[::-1], "It counts rows from the bottom"),
        (lambda *size: of_meshgrid(*size, "xy", "x"), "has the columns of the width first"),
        (summed, "so that patch (1, 2) and patch (2, 1) get the same numbers"),
        (lambda *size: summed(*size) / 2, "averages the rows of the two axes"),
        (lambda h, w, d:
            sinusoidal(np.add.outer(np.arange(h), np.arange(w)).ravel(), d).reshape(h, w, d),
         "encodes the sum y + x, so that patch (1, 2) and patch (2, 1)"),
        (lambda h, w, d: axial((w, h), d), "The height comes first"),
        (of_meshgrid, "they were made column by column and then laid out row by row"),
        (lambda h, w, d: axial((h, w), d).reshape(-1, d), "is one long list of patches"),
        (lambda h, w, d: np.moveaxis(axial((h, w), d), -1, 0), "The columns come first"),
        (lambda h, w, d: axial((h, w), 2 * d), "The two axes share the columns"),
        (lambda h, w, d: summed(h, w, d // 2), "Half of the columns are missing"),
        (one_axis, "encodes one coordinate twice and the other never: the second half"),
        (lambda h, w, d: one_axis(w, h, d).swapaxes(0, 1), "the first half should"),
        (cut, "each axis has frequencies of its own"),
        (lambda h, w, d: axial((h, w), d, layout="halves"), "the sines of each axis before its"),
        (lambda h, w, d: to_layout(axial((h, w), d), "interleaved", "halves"),
         "has all sines before all cosines"),
        (lambda h, w, d: axial((range(1, h + 1), range(1, w + 1)), d), "they count from 0 here"),
        (lambda h, w, d: sinusoidal(h * w, d).reshape(h, w, d),
         "numbers the patches one after the other"),
        (other_base(1e8), "In grid(24, 1, 16), in the columns of y: The exponent is doubled"),
        (swapped, "In grid(24, 1, 16), in the columns of y: "),
        (sines_alone, "In grid(24, 1, 16), in the columns of y: "),
        (other_base(100), "each axis has frequencies of its own"),
        (other_base(50), "in the columns of y: The frequencies fall with another base"),
        (lambda h, w, d: axial((h, w), d) * (w < 30),
         "grid(2, 30, 64) has 0 in column 1 of ... can't tell"),
        (lambda h, w, d: axial((h, w), d, dtype="f4"), "float32 on the way"),
        (lambda h, w, d: axial((h, 5), d), "That is what 5 gives, whatever `width` is"),
        (lambda h, w, d: np.zeros((3, 5, 13)), "should have the shape (2, 3, 8) ... can't tell"),
        (lambda h, w, d: axial((h, w), d).round(2), "rounded, to 2 decimals"),
        (lambda h, w, d: -axial((h, w), d), "the opposite sign"),
        (lambda h, w, d: sinusoidal(h, d // 2)[:, None] + sinusoidal(w, d),
         "can't broadcast shapes"),
        (of_the_module, "uses posenc: build the table yourself"),
        (lambda h, w, d: axial((h, w), d) + np.arange(d), "can't tell"),
        (lambda h, w, d: np.full((h, w, d), np.nan), "has nan in column 0 of the patch"),
    ],
}  # fmt: skip
