"""Right and wrong answers to the exercises of *attention-and-order*."""

import numpy as np


def softmax(scores, axis=-1, keepdims=True):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum(axis=axis, keepdims=keepdims)


def minus_infinity(scores, mask):
    hidden = np.where(mask, scores, -np.inf)
    weights = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def row_by_row(scores, mask):
    weights = np.zeros(scores.shape)
    for row, seen in enumerate(mask):
        weights[row, seen] = softmax(scores[row, seen])
    return weights


def very_low(scores, mask):
    return minus_infinity(scores - 1e9 * ~mask, np.ones_like(mask))


def largest_of_all_words(scores, mask):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True)) * mask
    return weights / weights.sum(axis=1, keepdims=True)


def no_largest(scores, mask):
    weights = np.exp(scores) * mask
    return weights / weights.sum(axis=1, keepdims=True)


def by_a_score_of(low):
    def answer(scores, mask):
        return minus_infinity(np.where(mask, scores, low), np.ones_like(mask))

    return answer


def columns(scores, mask):
    return softmax(np.where(mask, scores, -np.inf), axis=0)


def columns_of_rows(scores, mask):
    weights = minus_infinity(scores, mask)
    weights /= weights.max(axis=1, keepdims=True)
    return weights / weights.sum(axis=0)


def half_of_the_largest(scores, mask):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True) / 2) * mask
    return weights / weights.sum(axis=1, keepdims=True)


def nothing_shared_out(scores, mask):
    return np.exp(scores) * mask


def divided(by):
    return lambda scores, mask: np.exp(scores) * mask / by(np.exp(scores) * mask)


def one_row_at_a_time(rows, order):
    result = np.zeros_like(rows)
    for row, place in zip(rows, order, strict=True):
        result[place] = row
    return result


def looked_up(rows, order):
    return [rows[list(order).index(place)] for place in range(len(order))]


def by_permutation_matrix(rows, order):
    return np.eye(len(order))[order].T @ rows


def sorted_in_place(rows, order):
    rows.sort(axis=0)
    return rows


def one_shuffle_by_heart(rows, order):
    return rows[[1, 3, 4, 0, 2, *range(5, len(rows))]] if len(rows) > 4 else rows


RIGHT = {
    "masked_softmax": [minus_infinity, row_by_row, very_low],
    "put_back": [one_row_at_a_time, looked_up, by_permutation_matrix, lambda rows,
        order: rows[np.argsort(order)]],
}  # fmt: skip
WRONG = {
    "masked_softmax": [
        *((by_a_score_of(low), "isn't low enough") for low in (-1, -10, -100, -300, -1000)),
        (lambda scores, mask: softmax(scores), "the weights without any mask"),
        (lambda scores, mask: minus_infinity(scores, ~mask), "True means that a word may"),
        (lambda scores, mask: softmax(scores * mask), "since exp(0) is 1"),
        (lambda s, mask: softmax(s - 3 * ~mask),
         "gives word 1, which its mask hides, the weight 0.0149; it should be 0 ... can't tell"),
        (lambda s, mask: minus_infinity(s, np.tri(*s.shape, dtype=bool)),
         "which its mask hides ... whatever its mask says"),
        (lambda scores, mask: 0 * scores, "the weight 0; it should be 0.6174"),
        (lambda scores, mask: softmax(scores) * mask, "what is left has to sum to 1 again"),
        (lambda scores, mask: np.exp(scores) * mask / np.exp(scores).sum(), "should sum to 1"),
        (columns, "All your columns sum to 1"),
        (columns_of_rows, "All your columns sum to 1"),
        (half_of_the_largest, "not even as the largest of a row"),
        (lambda scores, mask: softmax(np.where(mask, scores, -np.inf), keepdims=False),
         "Column j was divided by the sum of row j"),
        (nothing_shared_out, "The weights of each row should sum to 1"),
        (divided(np.sum), "All your weights together sum to 1"),
        (lambda scores, mask: mask / mask.sum(axis=1, keepdims=True),
         "row 0 gives word 0 ... The scores have no say"),
        (lambda scores, mask: scores * mask / (scores * mask).sum(axis=1, keepdims=True),
         "where is exp?"),
        (lambda scores, mask: minus_infinity(scores * np.log(2), mask), "powers of 2"),
        (lambda scores, mask: minus_infinity(-scores, mask), "The lowest score gets most"),
        (lambda scores, mask: np.log(minus_infinity(scores, mask)), "logarithms of the weights"),
        (lambda scores, mask: minus_infinity(minus_infinity(scores, mask), mask), "softmax twice"),
        (lambda scores, mask: minus_infinity(scores, mask.T), "lies on its side"),
        (lambda s, mask: minus_infinity(s / s.shape[1] ** 0.5, mask), "You divide the scores"),
        (lambda scores, mask: minus_infinity(scores, mask).round(3), "rounded, to 3 decimals"),
        (lambda scores, mask: minus_infinity(scores, mask) ** 2, "the square of the right one"),
        (lambda scores, mask: 1 - minus_infinity(scores, mask), "have changed places"),
        (lambda scores, mask: softmax(scores + (1 - mask) * -np.inf), "0 times infinity"),
        (lambda s, m: minus_infinity(s, m) if s.shape[0] == s.shape[1] else m / m.sum(1)[:, None],
         "With scores of shape (3, 5) ... can't tell"),
        (no_largest, "exp(1000) is more than the machine can hold"),
        (lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
         "each row needs its own largest score"),
        (largest_of_all_words, "not even as the largest of a row"),
        (lambda scores, mask: minus_infinity(scores - 100 * ~mask, np.ones_like(mask)),
         "what is hidden should count for nothing, however large"),
        (lambda scores, mask: softmax(scores[mask]), "should have the shape (4, 4) ... can't tell"),
        (lambda s, mask: minus_infinity(s - 0.1 * np.arange(s.shape[1]), mask), "can't tell"),
    ],
    "put_back": [
        (lambda rows, order: np.argsort(order),
         "should have the shape (5, 5) ... order which puts them back"),
        (lambda rows, order: rows, "They stand as they came in"),
        (lambda rows, order: rows[np.sort(np.argsort(order))], "nothing was put back"),
        (lambda rows, order: rows[order], "You shuffled once more"),
        (lambda rows, order: rows[::-1], "That undoes a reversal and no other shuffle"),
        (lambda rows, order: one_row_at_a_time(rows, order)[::-1], "read backwards"),
        (lambda rows, order: rows[:, np.argsort(order)], "You moved columns"),
        (lambda rows, order: rows[:, ::-1], "You moved columns"),
        (lambda rows, order: one_row_at_a_time(rows, order)[:, ::-1], "is in reverse order"),
        (lambda rows, order: np.sort(rows, axis=0), "a bit of several words"),
        (lambda rows, order: np.sort(rows, axis=1), "within each row"),
        (lambda rows, order: rows[rows[:, 0].argsort()], "sorted the rows by their numbers:"),
        (lambda rows, order: rows[(-rows[:, 0]).argsort()], "their numbers, downwards"),
        (lambda rows, order: rows[[order[0]] * len(rows)], "Some words occur twice"),
        (lambda rows, order: rows[np.r_[0, order[1:]]], "Some words occur twice"),
        (lambda rows, order: np.roll(rows, 1, axis=0), "can't tell"),
        (lambda rows, order: rows[order - 1], "can't tell"),
        (lambda rows, order: rows[np.argsort(order) - 1], "one place too late"),
        (lambda rows, order: rows + 1, "is none of the rows you were given ... can't tell"),
        (lambda rows, order: one_row_at_a_time(rows, order) + 1, "1 more than the right one"),
        (lambda rows, order: one_row_at_a_time(rows, order).round(2), "rounded, to 2 decimals"),
        (lambda rows, order: one_row_at_a_time(rows, order).T, "transposed"),
        (lambda rows, order: -one_row_at_a_time(rows, order), "opposite sign"),
        (one_shuffle_by_heart, "Of 12 rows, your row 0 is the one of place ... can't tell"),
        (sorted_in_place, "changes the array it is given"),
        (lambda rows: rows, "but is called with 2"),
        (lambda rows, order: rows[list(order).index(1.5)], "ValueError"),
        (lambda rows, order: rows[order / 1], "must be an integer: where you count"),
        (lambda rows, order: rows[order + 1], "index 5 is out of bounds: axis 0 has length 5"),
    ],
}  # fmt: skip
