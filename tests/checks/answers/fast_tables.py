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


def picked(chosen, begin=True):
    def row(t, start, rows):
        product = start.copy() if begin else np.ones_like(start)
        for q in range(len(rows)):
            if chosen(q, t, len(rows)):
                product = product * rows[q]
        return product

    return row


def digit(q, t, m=0):
    return t // 2**q % 2 == 1


def added(t, start, rows):
    return start + sum(row for q, row in enumerate(rows) if digit(q, t))


def powers(t, start, rows):
    return start * np.exp(1j * t * np.angle(rows[0]))


def steps(t, start, rows):
    for _ in range(t):
        start = start * rows[0]
    return start


RIGHT = {
    "double_table": [doubled(), column_by_column],
    "single_row": [picked(digit), lambda t, start,
        rows: start * rows[[t >> q & 1 == 1 for q in range(len(rows))]].prod(0)],
}  # fmt: skip
WRONG = {
    "double_table": [
        (lambda table, row: posenc.sinusoidal(2 * len(table), len(row)), "the table of base 10000"),
        (lambda table, row: np.hstack(np.split(doubled()(table, row), 2)), "beside the old ones"),
        (in_halves, "You take the columns for halves"),
        (doubled(front=False), "(5, 6) ... You give the new rows alone"),
        (doubled(old=slice(1, None)),
         "its shape is (9, 6). Each old row should make a new one, row 0"),
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
        (doubled(sine=-1, cosine=1), "Your new rows step back"),
        (lambda table, row: np.concatenate([table, table]), "repeat the old"),
        (lambda table, row: np.concatenate([table, table + row]), "angles are to be added"),
        (swapped, "Sines and cosines have changed places"),
        (lambda table, row: doubled()(table, table[-1]), "begin with p(n)"),
        (walked(lambda n: n - 1), "Your row 5 is row 4 once more"),
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
        (complex_numbers, "uses complex: sums and products of real numbers do"),
        (lambda table, row: table @ row[:2], "a matrix product needs as many"),
        (in_place, "changes the array it is given"),
    ],
    "single_row": [
        (lambda t, start, rows: start * rows[0] ** t, "you take a power"),
        (lambda t, start, rows: start * np.power(rows[0], t), "you take a power"),
        (steps, "is right, after 100000 products: its binary digits want 6"),
        (picked(lambda q, t, m: digit(m - 1 - q, t)),
         "that of position 26. You read t in binary from"),
        (picked(lambda q, t, m: q < t.bit_length() and digit(t.bit_length() - 1 - q, t)),
         "that of position 13. You read t in binary from the wrong end"),
        (picked(lambda q, t, m: not digit(q, t)),
         "that of position 41. You take the factors where"),
        (picked(lambda q, t, m: q < t.bit_length() and not digit(q, t)),
         "that of position 9. You take the factors where"),
        (picked(lambda q, t, m: True), "that of position 63. You take all factors"),
        (picked(lambda q, t, m: q and digit(q - 1, t)),
         "position 44. Each of your factors is one too"),
        (picked(lambda q, t, m: digit(q + 1, t)),
         "that of position 11. Each of your factors is one"),
        (picked(lambda q, t, m: False),
         "that of position 0. That is `start` itself: does your result"),
        (picked(lambda q, t, m: digit(q, t) and not t % 2**q),
         "position 2. You stop after the first"),
        (picked(lambda q, t, m: q < t.bit_length()), "31. You take a factor for each digit of t"),
        (picked(lambda q, t, m: q < t.bit_length() - 1 and digit(q, t)),
         "6. You leave out the first"),
        (picked(lambda q, t, m: all(digit(low, t) for low in range(q + 1))),
         "stop at the last 0 of t"),
        (picked(lambda q, t, m: q < t), "You take a factor for each step"),
        (picked(lambda q, t, m: q < 2), "that of position 3. I can't tell"),
        (picked(digit, begin=False), "row 0 is missing: use `start`"),
        (added, "You add the factors"),
        (lambda t, start, rows: picked(digit)(t, start, 2 * rows),
         "Your first hand has the length 8"),
        (lambda t, start, rows: picked(digit)(t, start, rows).view(float), "complex numbers"),
        (lambda t, start, rows: 1j * picked(digit, begin=False)(t, start, rows),
         "begun at position 3, your row is that of position 0. You begin at position 0, wherever"),
        (lambda t, start, rows: picked(digit)(t, start, rows).conj(),
         "it should be -1.0000. Your cos"),
        (lambda t, start, rows: 1j * picked(digit)(t, start, rows), "a factor 1j too much"),
        (lambda t, start, rows: 1j * picked(digit)(t, start, rows).conj(), "have changed places"),
        (lambda t, start, rows: picked(digit)(t + 1, start, rows), "right for `t` + 1"),
        (lambda t, start, rows: picked(digit)(22, start, rows),
         "That is what 22 gives, whatever `t`"),
        (lambda t, start, rows: picked(digit)(t, start, rows)[:-1], "should have the shape (3,)"),
        (powers, "uses exp: the row is right, and products of what is given make it"),
        (lambda t, start, rows: start * rows[t], "index 22 is out of bounds: axis 0 has length 6"),
    ],
}  # fmt: skip
