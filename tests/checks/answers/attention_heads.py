"""Right and wrong answers to the exercises of *attention-heads*."""

import numpy as np

import posenc


def hide(allowed):
    def bias(n, m):
        grid = [[allowed(q, s, n, m) for s in range(m)] for q in range(n)]
        return np.where(np.array(grid), 0, -np.inf)

    return bias


MASK = hide(lambda q, s, n, m: s - q <= m - n)


def head(query, key, scale=0.5):
    """Scores of positions rotated by `query` and `key` times k, over d_model**scale."""

    def scores(n, k, d_model):
        t = np.arange(n)
        queries, keys = (posenc.sinusoidal(t + by * k, d_model) for by in (query, key))
        return queries @ keys.T / d_model**scale

    return scores


RIGHT = {
    "causal_bias": [MASK, lambda n, m: MASK(n, m).tolist()],
    "attend_back": [head(0, 1), head(-1, 0)],
}  # fmt: skip
WRONG = {
    "causal_bias": [
        (lambda n, m: np.maximum(MASK(n, m), -1e9), "hides a key only while scores are"),
        (lambda n, m: -MASK(n, m),
         "has inf in row 0 (a query), column 1 (a key); it should have -inf ... opposite sign"),
        (hide(lambda q, s, n, m: s - q <= m - n and s % 2 == 0), "can't tell"),
    ],
    "attend_back": [
        (lambda n, k, d: head(0, 1)(n, k + 1, d), "right for `distance` + 1"),
        (lambda n, k, d: head(0, 1)(n, k, d) + 0.1 * np.eye(n), "can't tell"),
    ],
}  # fmt: skip
