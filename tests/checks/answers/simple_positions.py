"""Right and wrong answers to the exercises of *simple-positions*."""

import numpy as np


def falling(p, w):
    return (p[:, None] > np.arange(w)).astype(int)


def summed(worth):
    return lambda rows: [sum(bit * worth(j) for j, bit in enumerate(row)) for row in rows]


def last_flag_first(rows):
    return [int("".join(str(bit) for bit in reversed(row)), 2) for row in rows.tolist()]


def by_repeated_division(pos, base, width):
    columns, rest = [], np.array(pos)
    for _ in range(width):
        columns.append(rest % base)
        rest = rest // base
    return np.stack(columns, axis=1)


def in_place(pos, base, width):
    columns = []
    for _ in range(width):
        columns.append(pos % base)
        pos //= base
    return np.stack(columns, axis=1)


def by_column(digit):
    return lambda pos, base, width: digit(pos[:, None], base, np.arange(width))


RIGHT = {
    "digits": [
        by_repeated_division,
        lambda pos, base, width: [[int(p) // base**j % base for j in range(width)] for p in pos],
    ],
    "thermometer": [lambda pos, width: np.arange(width) < pos[:, None]],
    "read_bits": [last_flag_first, summed(lambda j: 2.0**j)],
}  # fmt: skip
WRONG = {
    "digits": [
        (in_place, "work on a copy, such as `x.copy()` ... and `//=` or `x[0] = ...` writes into"),
        (by_column(lambda pos, base, j: pos // 2**j % base), "but you divide by powers of 2"),
        (by_column(lambda pos, base, j: pos // base ** (j + 1) % base), "The ones are missing"),
        (lambda pos, base, width: by_repeated_division(pos, base, width) > 0, "can't tell"),
    ],
    "thermometer": [
        (lambda p, w: p[:, None] >= np.arange(w), "at position 0 none is up yet"),
        (lambda p, w: falling(p, w) * 2 - 1, "can't tell"),
        (lambda w, p: falling(p, w), "right for thermometer(width, pos)"),
    ],
    "read_bits": [
        (summed(lambda j: 1), "You read 0 1 0 0 as 1, but it is position 2. You counted the bits"),
        (summed(lambda j: 3**j), "can't tell"),
        (lambda rows: last_flag_first(rows)[0], "should have the shape (3,), but its shape is ()"),
    ],
}  # fmt: skip
