"""Right and wrong answers to the exercises of *attention-and-order*."""

import numpy as np

import posenc


def softmax(scores, axis=-1, keepdims=True):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum(axis=axis, keepdims=keepdims)


def minus_infinity(scores, mask):
    hidden = np.where(mask, scores, -np.inf)
    weights = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def very_low(scores, mask):
    return minus_infinity(scores - 1e9 * ~mask, np.ones_like(mask))


def no_largest(scores, mask):
    weights = np.exp(scores) * mask
    return weights / weights.sum(axis=1, keepdims=True)


def half_of_the_largest(scores, mask):
    weights = np.exp(scores - scores.max(axis=1, keepdims=True) / 2) * mask
    return weights / weights.sum(axis=1, keepdims=True)


def scores_of(q, k):
    return q @ k.T / np.sqrt(q.shape[-1])


def rows_of(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def by_rows(q, k, v):
    outputs = np.zeros((len(q), v.shape[1]))
    for row, query in enumerate(q):
        scores = np.array([query @ key for key in k]) / len(query) ** 0.5
        outputs[row] = rows_of(scores) @ v
    return outputs


def scaled(scores):
    """Right attention, from other scores."""
    return lambda q, k, v: rows_of(scores(q, k, v)) @ v


def weighed(weights):
    """Right scores, and other weights."""
    return lambda q, k, v: weights(scores_of(q, k)) @ v


def largest_of_all(scores):
    weights = np.exp(scores - scores.max())
    return weights / weights.sum(axis=-1, keepdims=True)


def no_largest_score(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def of_the_chapter(q, k, v):
    return rows_of(scores_of(q, k)) @ v if W_q is None else rows_of(q @ W_q @ k.T) @ v


W_q = None  # stands for the chapter's


RIGHT = {
    "masked_softmax": [minus_infinity, very_low],
    "attention": [
        by_rows,
        lambda q, k, v: rows_of(scores_of(q, k)) @ v,
        lambda q, k, v: [list(row) for row in by_rows(q, k, v)],
    ],
}  # fmt: skip
WRONG = {
    "masked_softmax": [
        (lambda scores, mask: softmax(scores), "the weights without any mask"),
        (lambda scores, mask: minus_infinity(scores, ~mask), "True means that a word may"),
        (lambda scores, mask: softmax(scores * mask), "since exp(0) is 1"),
        (lambda s, mask: softmax(s - 3 * ~mask),
         "[[1, 0, 2], ... word 1 in row 0, which its mask hides, the weight 0.0049 ... can't tell"),
        (lambda scores, mask: 0 * scores, "the weight 0; it should be 0.2689"),
        (lambda scores, mask: softmax(scores) * mask, "what is left has to sum to 1 again"),
        (lambda scores, mask: np.exp(scores) * mask / np.exp(scores).sum(), "should sum to 1"),
        (half_of_the_largest, "not even as the largest of a row"),
        (lambda scores, mask: minus_infinity(scores * np.log(2), mask), "powers of 2"),
        (lambda scores, mask: minus_infinity(scores, mask).round(3), "rounded, to 3 decimals"),
        (lambda scores, mask: minus_infinity(scores, mask) ** 2, "the square of the right one"),
        (lambda scores, mask: 1 - minus_infinity(scores, mask), "have changed places"),
        (lambda scores, mask: softmax(scores + (1 - mask) * -np.inf), "0 times infinity"),
        (no_largest, "exp(1000) is more than the machine can hold"),
        (lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
         "each row needs its own largest score"),
        (lambda scores, mask: softmax(scores[mask]), "should have the shape (3, 3) ... can't tell"),
        (lambda s, mask: minus_infinity(s - 0.1 * np.arange(s.shape[1]), mask), "can't tell"),
    ],
    "attention": [
        (weighed(lambda scores: softmax(scores, 0)), "Softmax runs along the wrong axis"),
        (weighed(lambda scores: softmax(scores, -1, keepdims=False)), "give the sums the shape"),
        (scaled(lambda q, k, v: q @ k.T / 16**0.5), "divided by 4, the root of the chapter's"),
        (scaled(lambda q, k, v: q @ k.T / q.shape[1]), "divided by d: take its root"),
        (scaled(lambda q, k, v: q @ k.T * q.shape[1] ** 0.5), "multiplied by the root of d"),
        (scaled(lambda q, k, v: q @ k.T / len(q) ** 0.5), "the root of n, the number of queries"),
        (scaled(lambda q, k, v: q @ k.T / len(k) ** 0.5), "the root of m, the number of keys"),
        (scaled(lambda q, k, v: np.sqrt(q @ k.T / q.shape[1])), "the root or the logarithm of"),
        (lambda q, k, v: (by_rows(q, k, v), rows_of(scores_of(q, k))),
         "returns 2 things at once: return the outputs alone"),
        (lambda q, k, v: by_rows(q, k, v).T, "transposed"),
        (lambda q, v, k: by_rows(q, k, v), "right with `k` and `v` exchanged"),
        (of_the_chapter, "already products with these matrices"),
        (lambda q, k, v: posenc.attention(q, k, v)[0], "write the formula out, from memory"),
        (weighed(no_largest_score), "exp(1000) is more than the machine can hold"),
        (weighed(largest_of_all), "subtract from each row its own largest score"),
        (weighed(lambda scores: rows_of(np.minimum(scores, 700))), "is more than the machine"),
        (weighed(lambda scores: rows_of(scores + 0.1 * np.arange(scores.shape[1]))),
         "can't tell ... mean of the values, but the weights are others"),
        (lambda q, k, v: by_rows(q, k, v) + q[:, :1], "can't tell"),
    ],
}  # fmt: skip
