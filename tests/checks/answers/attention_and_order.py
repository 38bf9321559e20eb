"""Right and wrong answers to the exercises of *attention-and-order*."""

import numpy as np

import posenc


def softmax(scores, axis=-1):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def minus_infinity(scores, mask):
    hidden = np.where(mask, scores, -np.inf)
    weights = np.exp(hidden - hidden.max(axis=1, keepdims=True))
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


def of_the_chapter(q, k, v):
    return rows_of(scores_of(q, k)) @ v if W_q is None else rows_of(q @ W_q @ k.T) @ v


W_q = None  # stands for the chapter's


RIGHT = {
    "masked_softmax": [minus_infinity],
    "attention": [
        by_rows,
        lambda q, k, v: rows_of(scores_of(q, k)) @ v,
    ],
}  # fmt: skip
WRONG = {
    "masked_softmax": [
        (lambda scores, mask: softmax(scores), "the weights without any mask"),
        (lambda s, mask: softmax(s - 3 * ~mask),
         "[[1, 0, 2], ... word 1 in row 0, which its mask hides, the weight 0.0049 ... can't tell"),
        (lambda scores, mask: 0 * scores, "the weight 0; it should be 0.2689"),
        (lambda scores, mask: softmax(scores[mask]), "should have the shape (3, 3) ... can't tell"),
    ],
    "attention": [
        (lambda q, k, v: softmax(scores_of(q, k), 0) @ v, "Softmax runs along the wrong axis"),
        (lambda q, k, v: (by_rows(q, k, v), rows_of(scores_of(q, k))),
         "2 things at once: return one array, by itself"),
        (lambda q, v, k: by_rows(q, k, v), "right with `k` and `v` exchanged"),
        (of_the_chapter, "already products with these matrices"),
        (lambda q, k, v: posenc.attention(q, k, v)[0], "write the formula out, from memory"),
        (lambda q, k, v: by_rows(q, k, v) + q[:, :1], "can't tell"),
    ],
}  # fmt: skip
