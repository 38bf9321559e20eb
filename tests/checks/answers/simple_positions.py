"""Right and wrong answers to the exercises of *simple-positions*."""

import numpy as np


def mercury(pos, width):
    return [[int(j < position) for j in range(width)] for position in pos]


def flags(pos, width):
    return (pos[:, None] == np.arange(width)).astype(int)


def falling(p, w):
    return (p[:, None] > np.arange(w)).astype(int)


def summed(worth):
    return lambda rows: [sum(bit * worth(j) for j, bit in enumerate(row)) for row in rows]


def last_flag_first(rows):
    return [int("".join(str(bit) for bit in reversed(row)), 2) for row in rows.tolist()]


def one_number_for_each_column(rows):
    return (rows * 2 ** np.arange(rows.shape[1])).sum(axis=0)


def by_repeated_division(pos, base, width):
    columns, rest = [], np.array(pos)
    for _ in range(width):
        columns.append(rest % base)
        rest = rest // base
    return np.stack(columns, axis=1)


def by_text(pos, base, width):
    return [[int(d) for d in str(p).zfill(width)[::-1][:width]] for p in pos]


def in_place(pos, base, width):
    table = np.zeros((len(pos), width))
    for j in range(width):
        table[:, j] = pos % base
        pos //= base
    return table


def by_column(digit):
    return lambda pos, base, width: digit(pos[:, None], base, np.arange(width))


RIGHT = {
    "digits": [
        by_repeated_division,
        by_column(lambda pos, base, j: pos // base**j % base),
        lambda pos, base, width: [[int(p) // base**j % base for j in range(width)] for p in pos],
        lambda pos, base, width: np.array([pos // base**j % base for j in range(width)]).T,
        by_column(lambda pos, base, j: np.floor(pos / base**j) % base),
        by_column(lambda pos, base, j: pos % base ** (j + 1) // base**j),
    ],
    "thermometer": [mercury, lambda pos, width: np.arange(width) < pos[:, None]],
    "read_bits": [last_flag_first, summed(lambda j: 2.0**j)],
}  # fmt: skip
WRONG = {
    "digits": [
        (by_column(lambda pos, base, j: pos // base**j),
         "Position 2 in base 2 reads 2 1 0 in your columns ... The remainder is missing"),
        (lambda pos, base, width: by_repeated_division(pos, base, width)[:, ::-1],
         "Position 1 in base 2 reads 0 0 1 ... the ones belong in column 0"),
        (by_column(lambda pos, base, j: pos // 2**j % 2),
         "Position 407 in base 10 reads 1 1 1 0 ... These are bits, whatever the base is"),
        (by_column(lambda pos, base, j: pos // base**j % 2), "then take the remainder by 2"),
        (by_column(lambda pos, base, j: pos // 2**j % base), "but you divide by powers of 2"),
        (by_column(lambda pos, base, j: pos // 10**j % 10), "in base ten, whatever `base` is"),
        (by_text, "in base ten, whatever `base` is"),
        (by_column(lambda pos, base, j: pos // base**j % 10), "You take the remainder by 10"),
        (by_column(lambda pos, base, j: pos // base ** (j + 1) % base), "The ones are missing"),
        (by_column(lambda pos, base, j: pos % base + 0 * j), "All columns hold the ones"),
        (by_column(lambda pos, base, j: pos // base % base + 0 * j), "divide by the same"),
        (by_column(lambda pos, base, j: pos // (base * j) % base), "`base` times j"),
        (by_column(lambda pos, base, j: pos // j**base % base), "have changed places"),
        (by_column(lambda pos, base, j: pos // (base ^ j) % base), "`^` is not a power"),
        (by_column(lambda pos, base, j: pos / base**j % base), "Your digits have decimals"),
        (by_column(lambda pos, base, j: np.round(pos / base**j) % base), "round to the nearest"),
        (by_column(lambda pos, base, j: pos % base ** (j + 1)), "You take remainders by powers"),
        (by_column(lambda pos, base, j: pos % base**j), "You take remainders by powers"),
        (by_column(lambda pos, base, j: pos % base // base**j), "The remainder comes too early"),
        (by_column(lambda pos, base, j: pos // (base**j % base)), "remainder of the power"),
        (by_column(lambda pos, base, j: pos // base**j % base * base**j), "each digit is worth"),
        (lambda pos, base, width: by_repeated_division(np.arange(len(pos)), base, width),
         "right for positions 0, 1, 2"),
        (lambda pos, base, width: pos[:, None] // base ** np.arange(base) % base, "`width` says"),
        (lambda pos, base, width: by_repeated_division(pos, base, width).T, "transposed"),
        (lambda pos, base, width: by_repeated_division(pos, base, width + 1),
         "should have the shape (6, 3), but its shape is (6, 4) ... right for `width` + 1"),
        (lambda pos, base, width: by_repeated_division(pos, base, 4), "what 4 gives, whatever"),
        (lambda pos, base, width: by_repeated_division(pos + 1, base, width), "the next position"),
        (lambda pos, base, width: by_repeated_division(pos, width, base),
         "right for digits(pos, width, base)"),
        (lambda pos, base, width: pos // base ** np.arange(width) % base,
         "can't broadcast shapes (6,) and (3,)"),
        (in_place, "changes the array it is given"),
        (lambda pos, base: by_repeated_division(pos, base, 4), "is called with 3"),
        (lambda pos, base, width: by_repeated_division(pos, base, width) > 0, "can't tell"),
    ],
    "thermometer": [
        (flags, "Row 0 is for position 0 and reads 1 0 0 0 0 0. Only one flag is up"),
        (lambda p, w: p[:, None] == np.arange(w) + 1, "Only the newest flag is up"),
        (lambda p, w: p[:, None] >= np.arange(w), "at position 0 none is up yet"),
        (lambda p, w: p[:, None] > np.arange(w) + 1, "one position too late"),
        (lambda p, w: p[:, None] <= np.arange(w), "Up is 1 and down is 0"),
        (lambda p, w: falling(p, w)[:, ::-1], "raise them from column 0 on"),
        (lambda p, w: np.maximum(p[:, None] - np.arange(w), 0), "no numbers but 1 and 0"),
        (lambda p, w: falling(p, w) * np.minimum(p, w)[:, None], "no numbers but 1 and 0"),
        (lambda p, w: np.tri(len(p), w, -1), "That would be right for rows 0, 1, 2"),
        (lambda p, w: (p % w)[:, None] > np.arange(w), "no flag is left to raise"),
        (lambda p, w: falling(np.where(p < w, p, 0), w),
         "Past the last column your flags are down"),
        (lambda p, w: p[:, None] >> np.arange(w) & 1, "the bits of the position"),
        (lambda p, w: falling(np.sort(p), w), "sorted by position"),
        (lambda p, w: mercury(p, 16), "should have the shape (4, 6), but"),
        (lambda p, w: np.transpose(mercury(p, w)), "transposed"),
        (lambda p, w: falling(p, w) / 2, "the right ones times 0.5"),
        (lambda p, w: falling(p, w) * 2 - 1, "can't tell"),
        (lambda p, w: falling(p, w) ^ (np.arange(w) == 2), "can't tell"),
        (lambda p, w: p > np.arange(w), "can't broadcast shapes (4,) and (6,)"),
        (lambda p: falling(p, 6), "is called with 2"),
        (lambda w, p: falling(p, w), "right for thermometer(width, pos)"),
        (lambda p, w: [[1] * n for n in p], "differ in length"),
        (lambda p, w: np.zeros((len(p), w)), "can't tell"),
    ],
    "read_bits": [
        (summed(lambda j: 1), "You read 0 1 0 0 as 1, but it is position 2. You counted the bits"),
        (lambda rows: [int("".join(map(str, row)), 2) for row in rows],
         "You read 1 0 0 0 as 8, but it is position 1. You read from the wrong end"),
        (summed(lambda j: j), "You used the number of a column. "),
        (summed(lambda j: j + 1), "the number of a column, plus one"),
        (summed(lambda j: 2 * j), "two times the number"),
        (summed(lambda j: j**2), "the square of the column's number"),
        (summed(lambda j: 2 ** (j + 1)), "All positions come out doubled"),
        (lambda rows: np.floor_divide(last_flag_first(rows), 2), "All positions come out halved"),
        (lambda rows: np.add(last_flag_first(rows), 1), "1 more than the right one"),
        (lambda rows: np.add(last_flag_first(rows), -1), "1 less than the right one"),
        (summed(lambda j: 10**j), "what they are worth in base ten"),
        (summed(lambda j: 3**j), "can't tell"),
        (summed(lambda j: 2 ** min(j, 8)), "can't tell"),
        (lambda rows: rows[:, :8] @ 2 ** np.arange(rows[:, :8].shape[1]), "first 8 columns alone"),
        (lambda rows: rows @ [1, 2, 4, 8], "and here they are 1 and 4"),
        (lambda rows: last_flag_first(1 - rows), "the bits that are off"),
        (lambda rows: np.array(last_flag_first(rows)).astype(np.uint8),
         "have the dtype uint8, which ends at 255, and 65535 is one of them"),
        (lambda rows: np.sort(last_flag_first(rows)), "is sorted"),
        (lambda rows: last_flag_first(rows)[::-1], "in reverse order"),
        (lambda rows: last_flag_first(rows)[0], "should have the shape (3,), but its shape is ()"),
        (one_number_for_each_column, "add up along the rows"),
        (lambda rows: last_flag_first(rows.astype(np.int8).cumsum(axis=0) % 2), "can't tell"),
        (lambda rows: np.sqrt(last_flag_first(rows)), "the square root"),
    ],
}  # fmt: skip
