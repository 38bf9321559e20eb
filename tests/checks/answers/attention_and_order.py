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


def no_largest(scores, mask):
    weights = np.exp(scores) * mask
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
    "masked_softmax": [minus_infinity],
    "attention": [
        by_rows,
        lambda q, k, v: rows_of(scores_of(q, k)) @ v,
        lambda q, k, v: [list(row) for row in by_rows(q, k, v)],
    ],
}  # fmt: skip
WRONG = {
    "masked_softmax": [
        (lambda scores, mask: softmax(scores), "the weights without any mask"),
        (lambda s, mask: softmax(s - 3 * ~mask),
         "[[1, 0, 2], ... word 1 in row 0, which its mask hides, the weight 0.0049 ... can't tell"),
        (lambda scores, mask: 0 * scores, "the weight 0; it should be 0.2689"),
        (no_largest, "exp(1000) is more than the machine can hold"),
        (lambda scores, mask: softmax(scores[mask]), "should have the shape (3, 3) ... can't tell"),
    ],
    "attention": [
        (weighed(lambda scores: softmax(scores, 0)), "Softmax runs along the wrong axis"),
        (lambda q, k, v: (by_rows(q, k, v), rows_of(scores_of(q, k))),
         "2 things at once: return one array, by itself"),
        (lambda q, v, k: by_rows(q, k, v), "right with `k` and `v` exchanged"),
        (of_the_chapter, "already products with these matrices"),
        (lambda q, k, v: posenc.attention(q, k, v)[0], "write the formula out, from memory"),
        (weighed(no_largest_score), "exp(1000) is more than the machine can hold"),
        (weighed(largest_of_all), "subtract from each row its own largest score"),
        (lambda q, k, v: by_rows(q, k, v) + q[:, :1], "can't tell"),
    ],
}  # fmt: skip
