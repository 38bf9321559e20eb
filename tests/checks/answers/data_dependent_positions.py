"""Right and wrong answers to the exercise of *data-dependent-positions*."""

import numpy as np


def by_sums(gates):
    sums = np.cumsum(np.log(gates), axis=1)
    return np.where(np.tri(gates.shape[1], dtype=bool), sums[:, :, None] - sums[:, None], -np.inf)


def one_by_one(gates):
    heads, n = gates.shape
    bias = np.full((heads, n, n), -np.inf)
    for head in range(heads):
        for t in range(n):
            for s in range(t + 1):
                bias[head, t, s] = np.log(gates[head, s + 1 : t + 1]).sum()
    return bias.tolist()


def token_by_token(gates):
    """Grow each row from the one before: add the newest gate to all earlier keys."""
    heads, n = gates.shape
    bias, row = np.full((heads, n, n), -np.inf), np.zeros((heads, 0))
    for t in range(n):
        row = np.append(row + np.log(gates[:, t : t + 1]), np.zeros((heads, 1)), axis=1)
        bias[:, t, : t + 1] = row
    return bias


def slices(of):
    """Sums over some slice of the logarithms, `of(row, t, s)`, with later keys hidden."""

    def bias(gates):
        heads, n = gates.shape
        found = np.full((heads, n, n), -np.inf)
        for head, t in np.ndindex(heads, n):
            for s in range(t + 1):
                found[head, t, s] = of(np.log(gates[head]), t, s)
        return found

    return bias


def hiding(with_what):
    return lambda gates: np.where(np.isfinite(by_sums(gates)), by_sums(gates), with_what)


def times_mask(gates):
    sums = np.cumsum(np.log(gates), axis=1)
    with np.errstate(invalid="ignore"):
        return sums[:, :, None] - sums[:, None] + -np.inf * (1 - np.tri(gates.shape[1]))


def in_place(gates):
    gates[:] = np.log(gates)
    return by_sums(np.exp(gates))


RIGHT = {
    "forgetting_bias": [by_sums, one_by_one, token_by_token],
}  # fmt: skip
WRONG = {
    "forgetting_bias": [
        (lambda gates: {}[0], "the dictionary has no such key"),
        (lambda gates: np.log(gates).cumsum(axis=1)[:, :, None]
            - np.log(gates).cumsum(axis=1)[:, None], "not hidden: add -inf"),
        (hiding(0), "A bias of 0 does not hide later keys"),
        (hiding(-1e9), "-1e+09 hides a key only while scores are small"),
        (hiding(np.inf), "can't tell"),
        (lambda gates: np.zeros((*gates.shape, gates.shape[1])), "is 0 everywhere"),
        (lambda gates: np.where(np.isfinite(by_sums(gates)), 0, -np.inf), "gates change nothing"),
        (lambda gates: np.where(np.isfinite(by_sums(gates)), -by_sums(gates), -np.inf),
         "has 0.1054 in head 0, query 1, key 0; it should have -0.1054. Your biases are positive"),
        (slices(lambda row, t, s: row[s : t + 1].sum()), "gate of the key's own token, too"),
        (slices(lambda row, t, s: row[s + 1 : t].sum() - (s == t) * row[t]),
         "leave out the gate of the query's own"),
        (slices(lambda row, t, s: row[s:t].sum()), "Your sum is one token early"),
        (slices(lambda row, t, s: row[s]), "only its own gate"),
        (slices(lambda row, t, s: row[t]), "only the gate of its query"),
        (slices(lambda row, t, s: -row[: s + 1].sum()), "prices of the keys alone"),
        (slices(lambda row, t, s: row[: s + 1].sum()), "the sum up to itself"),
        (slices(lambda row, t, s: row[: t + 1].sum()), "the sum up to its query"),
        (slices(lambda row, t, s: np.exp(row[s + 1 : t + 1]).sum()), "You sum the gates"),
        (slices(lambda row, t, s: row[s + 1 : t + 1].sum() / np.log(2)), "natural logarithm"),
        (slices(lambda row, t, s: row[s + 1 : t + 1].sum() / np.log(10)), "natural logarithm"),
        (slices(lambda row, t, s: np.log1p(-np.exp(row))[s + 1 : t + 1].sum()), "1 minus the gate"),
        (slices(lambda row, t, s: (np.exp(row) - 1)[s + 1 : t + 1].sum()), "gate minus 1"),
        (lambda gates: np.exp(by_sums(gates)), "products of gates"),
        (slices(lambda row, t, s: np.exp(row[s + 1 : t + 1].sum())), "products of gates"),
        (slices(lambda row, t, s: row[s + 1 : t + 1].sum() if s < t else -np.inf),
         "Each token is hidden from itself"),
        (lambda gates: by_sums(gates).swapaxes(1, 2), "yours have changed places"),
        (lambda gates: by_sums(np.exp(np.cumsum(np.log(gates), axis=1))), "You sum twice"),
        (lambda gates: by_sums(np.cumprod(gates, axis=0)), "You sum over heads"),
        (slices(lambda row, t, s: row[t] - row[s]), "subtract two running sums"),
        (lambda gates: by_sums(gates[:1] + 0 * gates), "All heads have the gates of the first"),
        (lambda gates: by_sums(np.exp(np.log(gates).mean(axis=1, keepdims=True)) + 0 * gates),
         "the mean of the text"),
        (lambda gates: by_sums(gates)[0], "should have the shape (1, 3, 3) ... That is one head"),
        (lambda gates: np.moveaxis(by_sums(gates), 0, -1), "Heads come first"),
        (lambda gates: by_sums(gates)[:, -1], "the row of the last query"),
        (lambda gates: by_sums(gates)[:, ::-1], "can't tell"),
        (times_mask, "0 times inf"),
        (in_place, "change"),
    ],
}  # fmt: skip
