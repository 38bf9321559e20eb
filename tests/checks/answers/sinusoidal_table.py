"""Right and wrong answers to the exercises of *sinusoidal-table*."""

import math

import numpy as np

import posenc

PI = math.pi


def angle(pos, j, d_model):
    return pos / 10_000 ** (j // 2 * 2 / d_model)


def entry(pos, j, d_model):
    return math.sin(angle(pos, j, d_model) + j % 2 * PI / 2)


def start(sine):
    """An answer with the right angles and `sine(angle, 0 or 1)` of them."""
    return lambda pos, j, d_model: sine(angle(pos, j, d_model), j % 2)


def power(exponent):
    """An answer that divides by 10000 to the power of `exponent(j, d_model)`."""

    def answer(pos, j, d_model):
        return (math.sin, math.cos)[j % 2](pos / 10_000 ** exponent(j, d_model))

    return answer


def by_a_cosine(pos, j, d_model):
    angle = pos / 10_000 ** ((j - j % 2) / d_model)
    return np.cos(angle) if j % 2 else np.sin(angle)


def by_a_table(pos, j, d_model):
    return posenc.sinusoidal(pos + 1, d_model)[pos, j]


def by_the_cosine_of_math(pos, j, d_model):
    return (math.sin, math.cos)[j % 2](angle(pos, j, d_model))


def way_back(d_model):
    return np.argsort(np.r_[0:d_model:2, 1:d_model:2])


RIGHT = {
    "entry": [entry, by_a_cosine],
    "way_back": [way_back, lambda d_model: list(way_back(d_model) - d_model)],
}  # fmt: skip
WRONG = {
    "entry": [
        (start(lambda x, odd: math.sin(x)), "repeat their neighbours' sines"),
        (start(lambda x, odd: math.cos(x)), "hold cosines too"),
        (start(lambda x, odd: math.cos(x - odd * PI / 2)), "swapped"),
        (start(lambda x, odd: math.sin(x - odd * PI / 2)), "behind"),
        (start(lambda x, odd: math.sin(x + odd * PI)), "half a turn"),
        (start(lambda x, odd: math.sin(x + odd * PI / 4)), "an eighth of a turn ahead"),
        (start(lambda x, odd: math.sqrt(1 - math.sin(x) ** 2) if odd else math.sin(x)),
         "loses the sign of a cosine"),
        (lambda p, j, d: math.sin(angle(j, p, d) + j % 2 * PI / 2),
         "`pos` and `j` have changed pl"),
        (start(lambda x, odd: math.sin(x + odd * 90)), "add 90"),
        (lambda p, j, d: math.sin(angle(p + j % 2 * PI / 2, j, d)), "move the angle"),
        (lambda p, j, d: entry(p, j % (d // 2) * 2 + 2 * j // d, d), "halves"),
        (power(lambda j, d: j / d), "exponent of their own"),
        (power(lambda j, d: (j - 1) / d), "only an odd column borrows"),
        (lambda p, j, d: math.sin(p / 10_000 ** ((j - 1) / d)), "only an odd column borrows"),
        (power(lambda j, d: 2 * j / d), "count columns"),
        (power(lambda j, d: 2 * (j - j % 2) / d), "doubled"),
        (power(lambda j, d: j // 2 / d), "halved"),
        (power(lambda j, d: -(j - j % 2) / d), "faster"),
        (power(lambda j, d: (j - j % 2) / d / math.log(10_000)), "got lost"),
        (lambda p, j, d: entry(p + 1, j, d), "the next row"),
        (lambda p, j, d: entry(p - 1, j, d), "the row before"),
        (lambda p, j, d: entry(p, j + 1, d), "columns count from 0"),
        (lambda p, j, d: entry(p, j - 1, d), "columns count from 0"),
        (lambda p, j, d: math.sin(math.radians(angle(p, j, d)) + j % 2 * PI / 2), "degrees"),
        (lambda p, j, d: math.sin(p / 500 ** (j // 2 * 2 / d) + j % 2 * PI / 2), "500"),
        (lambda p, j, d: 2 * entry(p, j, d), "multiplied by a factor. The factor is 2"),
        (lambda p, j, d: round(entry(p, j, d), 4), "rounded, to 4 decimals"),
        (lambda p, j, d: entry(p, j, min(d, 64)), "entry(7, 2, 512) gives ... can't tell"),
        (lambda p, j, d: [entry(p, j, d)], "by itself"),
        (lambda p, j, d: 0.5, "gives 0.5000; it should give 0.4121. You give 0.5 in every case"),
        (start(lambda x, odd: math.sin(x + odd)), "1 radian ahead"),
        (start(lambda x, odd: x + odd * PI / 2), "That is the angle"),
        (power(lambda j, d: (j - j % 2 + 2) / d), "pairs count from 1"),
        (power(lambda j, d: (j - j % 2) // d), "cut off by //"),
        (lambda p, j, d: math.sin(angle(p, j, d) // 1 + j % 2 * PI / 2),
         "angles are whole numbers"),
        (power(lambda j, d: (j - j % 2) / 6),
         "of 6 columns so far, as if `d_model` had no say. Later"),
        (power(lambda j, d: (j - j % 2) / 512), "those of 512 columns, whatever `d_model` is"),
        (power(lambda j, d: 0), "All your pairs turn equally fast"),
        (lambda p, j, d: math.sin(math.radians(angle(p, j, d) + j % 2 * 90)), "in degrees"),
        (lambda p, j, d: math.sin(math.degrees(angle(p, j, d)) + j % 2 * PI / 2), "in degrees"),
        (lambda p, j, d: -entry(p, j, d), "the opposite sign"),
        (lambda p, j, d: entry(9, j, d), "what 9 gives, whatever `pos` is"),
        (lambda p, j, d: entry(p, j, d) ** 2, "the square of the right one"),
        (lambda p, j, d: np.float32(entry(p, j, d)), "float32"),
        (lambda j, p, d: entry(p, j, d), "`pos` and `j` exchanged"),
        (lambda p, j, d: p / 1e4 ** (100 * j), "can't tell ... a number is too large for a float"),
        (by_a_table, "uses posenc and sinusoidal: compute"),
        (by_the_cosine_of_math, "one `math.sin` and no cosine"),
        (lambda p, j, d: entry(p, j, d) + j / 100, "can't tell"),
        (lambda p, j, d: entry(p * p, j, d) / 2, "can't tell"),
    ],
    "way_back": [
        (lambda halves: way_back(halves.shape[1]), "of a table: it gets a number of columns"),
        (lambda d: np.r_[0:d:2, 1:d:2], "you need the one that undoes it"),
        (np.arange, "changes nothing"),
        (lambda d: way_back(d) / 1, "whole numbers"),
        (lambda d: np.arange(d) / 2, "0.5"),
        (lambda d: np.arange(d) // 2, "where do the cosines of halves begin"),
        (lambda d: way_back(d).reshape(-1, 2)[:, ::-1].ravel(), "before their sines"),
        (lambda d: np.arange(d) // 2 + np.arange(d) % 2 * d, "columns go from 0 to 5"),
        (lambda d: way_back(d)[::-1], "backwards"),
        (lambda d: way_back(d)[:-1], "shape (6,)"),
        (lambda d: way_back(6), "way_back(10) should have the shape (10,)"),
        (lambda d: np.arange(d) // 2 * 2, "column 1 of halves is never taken"),
        (lambda d: d // 2 + np.arange(d) // 2, "where do the sines of halves begin"),
        (lambda d: np.arange(d) // 2 + np.arange(d) % 2, "yours stands 1 after it"),
        (lambda d: np.arange(d) // 2 + np.arange(d) % 2 * 3, "from 0 to 1"),
        (lambda d: (np.arange(d) // 2 + np.arange(d) % 2 * 3) % d, "begin at column 3 of halves"),
        (lambda d: np.r_[d // 2 : d, : d // 2], "You exchange the halves"),
        (lambda d: np.arange(d)[::-1], "turns the columns around"),
        (lambda d: way_back(d) - 1, "one too low"),
        (lambda d: (way_back(d) + 1) % d, "one too far"),
        (lambda d: way_back(d) + 1, "columns go from 0 to 5"),
        (lambda d: np.arange(d) % (d // 2) + np.arange(d) % 2 * (d // 2), "begin anew"),
        (lambda d: [way_back(d)], "shape (6,)"),
        (lambda d: way_back(d).reshape(-1, 2), "its shape is (3, 2): flatten it"),
        (lambda d: np.sort(way_back(d)), "changes nothing"),
        (lambda d: np.roll(way_back(d), 2), "can't tell"),
        (lambda d: np.r_[way_back(d)[2:], 0, d // 2], "can't tell"),
    ],
}  # fmt: skip
