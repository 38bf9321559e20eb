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


def by_einsum(q, k, v):
    weights = rows_of(np.einsum("nd,md->nm", q, k) / q.shape[1] ** 0.5)
    return np.einsum("nm,mw->nw", weights, v)


def scaled(scores):
    """Right attention, from other scores."""
    return lambda q, k, v: rows_of(scores(q, k, v)) @ v


def weighed(weights):
    """Right scores, and other weights."""
    return lambda q, k, v: weights(scores_of(q, k)) @ v


def sums_without_keepdims(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1)


def maxima_without_keepdims(scores):
    weights = np.exp(scores - scores.max(axis=-1))
    return weights / weights.sum(axis=-1, keepdims=True)


def neither_with_keepdims(scores):
    weights = np.exp(scores - scores.max(axis=-1))
    return weights / weights.sum(axis=-1)


def largest_of_all(scores):
    weights = np.exp(scores - scores.max())
    return weights / weights.sum(axis=-1, keepdims=True)


def no_largest_score(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def of_the_chapter(q, k, v):
    return rows_of(scores_of(q, k)) @ v if W_q is None else rows_of(q @ W_q @ k.T) @ v


def in_place(q, k, v):
    q /= np.sqrt(q.shape[1])
    return rows_of(q @ k.T) @ v


W_q = None  # stands for the chapter's


RIGHT = {
    "masked_softmax": [minus_infinity, row_by_row, very_low],
    "attention": [
        by_rows,
        by_einsum,
        lambda q, k, v: rows_of(scores_of(q, k)) @ v,
        lambda q, k, v: (v.T @ rows_of(scores_of(q, k)).T).T,
        lambda q, k, v: [list(row) for row in by_rows(q, k, v)],
    ],
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
    "attention": [
        (scaled(lambda q, k, v: q @ k.T),
         "With 3 queries and 3 keys, row 0 ... The scores should be divided"),
        (scaled(lambda q, k, v: q @ k.T / 16**0.5), "divided by 4, the root of the chapter's"),
        (scaled(lambda q, k, v: q @ k.T / q.shape[1]), "divided by d: take its root"),
        (scaled(lambda q, k, v: q @ k.T * q.shape[1] ** 0.5), "multiplied by the root of d"),
        (scaled(lambda q, k, v: q @ k.T / len(q) ** 0.5), "the root of n, the number of queries"),
        (scaled(lambda q, k, v: q @ k.T / len(k) ** 0.5), "the root of m, the number of keys"),
        (scaled(lambda q, k, v: q @ k.T / v.shape[1] ** 0.5), "the root of w, the columns of a"),
        (scaled(lambda q, k, v: -scores_of(q, k)), "The worst match gets most"),
        (scaled(lambda q, k, v: q @ k / q.shape[1] ** 0.5),
         "The keys are not transposed ... Later, <lambda>("),
        (scaled(lambda q, k, v: q @ k), "The keys are not transposed"),
        (scaled(lambda q, k, v: q.T @ k / q.shape[1] ** 0.5), "The queries are transposed, not"),
        (scaled(lambda q, k, v: k @ q.T / q.shape[1] ** 0.5), "Queries and keys have"),
        (scaled(lambda q, k, v: q * k / q.shape[1] ** 0.5), "goes entry by entry: a score"),
        (scaled(lambda q, k, v: np.sqrt(q @ k.T / q.shape[1])), "the root or the logarithm of"),
        (weighed(lambda scores: softmax(scores, 0)), "Softmax runs along the wrong axis"),
        (weighed(lambda scores: softmax(scores, None)), "All your weights together sum to 1"),
        (weighed(lambda scores: np.exp(scores) / np.exp(scores).sum()), "together sum to 1"),
        (weighed(sums_without_keepdims), "is divided by the sum of row j: give"),
        (weighed(lambda scores: softmax(scores, -1, keepdims=False)), "give the sums the shape"),
        (weighed(maxima_without_keepdims), "loses the maximum of row j"),
        (weighed(neither_with_keepdims), "Sums and maxima of row j meet column j"),
        (weighed(lambda scores: scores / scores.sum(axis=-1, keepdims=True)), "where is exp?"),
        (weighed(np.exp), "should sum to 1: divide by their sum"),
        (weighed(lambda scores: np.exp(scores - scores.max(axis=-1, keepdims=True))),
         "should sum to 1: divide by their sum"),
        (weighed(lambda scores: scores), "The scores are taken for weights"),
        (weighed(lambda scores: rows_of(rows_of(scores))), "You take softmax twice"),
        (weighed(lambda scores: rows_of(scores * np.log(2))), "powers of 2"),
        (weighed(lambda scores: np.ones(scores.shape) / scores.shape[1]), "the same weight"),
        (weighed(lambda scores: rows_of(1e6 * scores)), "The best key gets all the weight"),
        (weighed(lambda s: rows_of(np.where(np.tri(*s.shape), s, -np.inf))), "Later keys are hid"),
        (lambda q, k, v: rows_of(scores_of(q, k)), "These are the weights"),
        (scores_of, "is called with 3"),
        (lambda q, k, v: scores_of(q, k), "These are the scores: softmax and"),
        (lambda q, k, v: q @ k.T, "These are the scores, not even divided"),
        (lambda q, k, v: (by_rows(q, k, v), rows_of(scores_of(q, k))),
         "returns 2 things at once: return the outputs alone"),
        (lambda q, k, v: rows_of(scores_of(q, k)) @ k, "You average the keys"),
        (lambda q, k, v: rows_of(scores_of(q, k)) @ q, "You average the queries"),
        (lambda q, k, v: rows_of(scores_of(q, k)).T @ v, "The weights are transposed"),
        (lambda q, k, v: v @ rows_of(scores_of(q, k)), "the weights come first, to mix rows"),
        (lambda q, k, v: rows_of(scores_of(q, k)) @ v.T, "The values are transposed"),
        (lambda q, k, v: rows_of(scores_of(q, k)) * v, "a weighted mean is weights @ v"),
        (lambda q, k, v: by_rows(q, k, v).mean(axis=0), "the mean of all outputs"),
        (lambda q, k, v: by_rows(q, k, v) / len(v), "by the number of keys as well"),
        (lambda q, k, v: by_rows(q, k, v) / v.shape[1] ** 0.5, "divide the scores alone"),
        (lambda q, k, v: by_rows(q, k, v).T, "transposed"),
        (lambda q, k, v: by_rows(q, k, v).round(4), "rounded, to 4 decimals"),
        (lambda k, q, v: by_rows(q, k, v), "Queries and keys have changed places"),
        (lambda q, v, k: by_rows(q, k, v), "right with `k` and `v` exchanged"),
        (lambda q, k: by_rows(q, k, k), "but is called with 3"),
        (of_the_chapter, "already products with these matrices"),
        (lambda q, k, v: posenc.attention(q, k, v)[0], "write the formula out, from memory"),
        (in_place, "changes the array it is given"),
        (weighed(no_largest_score), "exp(1000) is more than the machine can hold"),
        (weighed(largest_of_all), "subtract from each row its own largest score"),
        (weighed(lambda scores: rows_of(np.minimum(scores, 700))), "is more than the machine"),
        (weighed(lambda scores: rows_of(scores + 0.1 * np.arange(scores.shape[1]))),
         "can't tell ... mean of the values, but the weights are others"),
        (lambda q, k, v: by_rows(q, k, v) + q[:, :1], "can't tell"),
    ],
}  # fmt: skip
