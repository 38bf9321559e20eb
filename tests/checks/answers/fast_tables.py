"""Right and wrong answers to the exercises of *fast-tables*."""

import numpy as np

import posenc


def doubled(sine=1, cosine=-1, old=slice(None), front=True):
    def double(table, row):
        sines, cosines = table[old, 0::2], table[old, 1::2]
        new = np.empty_like(table[old])
        new[:, 0::2] = sines * row[1::2] + sine * cosines * row[0::2]
        new[:, 1::2] = cosines * row[1::2] + cosine * sines * row[0::2]
        return np.concatenate([table, new] if front else [new])

    return double


def complex_numbers(table, row):
    new = -1j * table.view(complex) * row.view(complex)
    return np.concatenate([table, new.view(float)])


def new_rows(change):
    """A right doubling whose new rows are changed."""
    return lambda table, row: np.concatenate([table, change(doubled(front=False)(table, row))])


def column_by_column(table, row):
    result = [list(one) for one in table]
    for one in table:
        result.append([])
        for j in range(0, len(row), 2):
            s, c, sine, cosine = one[j], one[j + 1], row[j], row[j + 1]
            result[-1] += [s * cosine + c * sine, c * cosine - s * sine]
    return result


def swapped(table, row):
    right = doubled()(table, row)
    n = len(table)
    return np.concatenate([table, right[n:].reshape(n, -1, 2)[..., ::-1].reshape(n, -1)])


def walked(first):
    return lambda table, row: np.concatenate(
        [table, posenc.sinusoidal(first(len(table)) + np.arange(len(table)), table.shape[1])]
    )


def in_place(table, row):
    table *= 2
    return table


def in_halves(table, row):
    (sines, cosines), (s, c) = np.split(table, 2, axis=1), np.split(row, 2)
    new = np.hstack([sines * c + cosines * s, cosines * c - sines * s])
    return np.concatenate([table, new])


def made_of(table, row, pairs):
    """A doubling whose new sines and cosines are `pairs` of the sines and cosines."""
    new = np.stack(pairs(table[:, 0::2], table[:, 1::2], row[0::2], row[1::2]), axis=-1)
    return np.concatenate([table, new.reshape(table.shape)])


RIGHT = {
    "double_table": [doubled(), column_by_column],
}  # fmt: skip
WRONG = {
    "double_table": [
        (lambda table, row: posenc.sinusoidal(2 * len(table), len(row)), "the table of base 10000"),
        (lambda table, row: np.hstack(np.split(doubled()(table, row), 2)), "beside the old ones"),
        (in_halves, "You read the columns as halves"),
        (doubled(front=False), "(5, 6) ... You return the new rows alone"),
        (doubled(old=slice(1, None)),
         "its shape is (9, 6). Make a new row from each old one, row 0"),
        (lambda table, row: np.stack([table, table]), "the shape (10, 6) ... can't tell"),
        (lambda table, row: doubled()(table, row)[::-1], "in reverse order"),
        (new_rows(lambda new: new[::-1]), "Your new rows are in reverse order"),
        (lambda table, row: doubled()(table, row)[1:], "Row 0 is missing"),
        (lambda t, row: np.concatenate([doubled(front=False)(t, row), t]),
         "The old rows come first"),
        (lambda table, row: doubled()(table + 0.1, row), "The first 5 rows of your table"),
        (doubled(cosine=1),
         "row 6 has -0.6536 in column 1; it should have 0.9602. Your sines are right: look at"),
        (doubled(sine=-1), "Your cosines are right: look at the sign"),
        (doubled(sine=-1, cosine=1), "Your new rows move back"),
        (lambda table, row: np.concatenate([table, table]), "repeat the old"),
        (lambda table, row: np.concatenate([table, table + row]), "angles should add up"),
        (swapped, "Sines and cosines are swapped"),
        (lambda table, row: doubled()(table, table[-1]), "begin with p(n)"),
        (walked(lambda n: n - 1), "Your row 5 repeats row 4"),
        (walked(lambda n: n + 1), "can't tell"),
        (walked(lambda n: n), "With 16 rows given, row 16 has -0.5380 in column 2 ... can't tell"),
        (lambda table, row: np.concatenate([table, table * row]), "sines by sines"),
        (lambda t, row: made_of(t, row, lambda s, c, a, b: (s * b, c * b)), "A product is missing"),
        (lambda t, row: made_of(t, row, lambda s, c, a, b: (s * b + c * a, c * b)),
         "Your sines are right. A product is missing"),
        (lambda t, row: made_of(t, row, lambda s, c, a, b: (s * b, c * b - s * a)),
         "Your cosines are right. A product is missing"),
        (new_rows(lambda new: posenc.to_layout(new, "interleaved", "halves")),
         "All sines come first"),
        (new_rows(lambda new: np.float32(new)), "float32"),
        (new_rows(lambda new: new * 2), "can't tell"),
        (complex_numbers, "uses complex: sums and products of real numbers are enough"),
        (lambda table, row: table @ row[:2], "a matrix product needs as many"),
        (in_place, "changes the array it is given"),
    ],
}  # fmt: skip
