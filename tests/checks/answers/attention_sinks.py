"""Right and wrong answers to the exercises of *attention-sinks*."""

import numpy as np


def column(sinks):
    return sinks[:, np.newaxis, np.newaxis]


def softmax(scores, axis=-1):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def joined(scores, sinks):
    return np.concatenate([scores, column(sinks) + np.zeros((*scores.shape[:-1], 1))], axis=-1)


def dropped(scores, sinks):
    return softmax(joined(scores, sinks))[..., :-1]


def by_share(scores, sinks):
    weights = np.zeros(scores.shape)
    for head, sink in enumerate(sinks):
        for query, row in enumerate(scores[head]):
            top = max(row.max(), sink)
            together = np.exp(row - top)
            weights[head, query] = together / (together.sum() + np.exp(sink - top))
    return weights.tolist()


def unguarded(scores, sinks):
    weights = np.exp(scores)
    return weights / (weights.sum(axis=-1, keepdims=True) + np.exp(column(sinks)))


def guarded_by_scores(scores, sinks):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / (weights.sum(axis=-1, keepdims=True) + np.exp(column(sinks)))


def over(denominator):
    return lambda scores, sinks: np.exp(scores) / denominator(np.exp(scores), column(sinks))


def sinks_by_row(scores, sinks):
    rows = sinks[np.arange(scores.shape[1]) % len(sinks)]
    both = np.concatenate(
        [scores, np.broadcast_to(rows[:, np.newaxis], (*scores.shape[:-1], 1))], axis=-1
    )
    return softmax(both)[..., :-1]


def renormalized(scores, sinks):
    weights = dropped(scores, sinks)
    return weights / weights.sum(axis=-1, keepdims=True)


RIGHT = {
    "attention_with_sinks": [dropped, by_share],
}  # fmt: skip
WRONG = {
    "attention_with_sinks": [
        (lambda scores, sinks: softmax(scores),
         "has 0.6652 in head 0, query 0, key 0; it should have 0.5344. Your weights sum to 1"),
        (renormalized, "Your weights sum to 1, so the sink takes nothing"),
        (lambda scores, sinks: softmax(scores - column(sinks)), "Your weights sum to 1"),
        (lambda scores, sinks: softmax(joined(scores, sinks)),
         "should have the shape (2, 1, 3) ... The last column is the sink's weight"),
        (lambda scores, sinks: softmax(joined(scores, sinks))[..., 1:],
         "You drop the first column"),
        (lambda scores, sinks: softmax(joined(scores, sinks))[..., -1], "the weight of the sink"),
        (lambda scores, sinks: dropped(scores, sinks).sum(axis=-1), "the share of all keys"),
        (lambda scores, sinks: softmax(scores) * softmax(joined(scores, sinks))[..., -1:],
         "You multiply by the sink's share"),
        (guarded_by_scores, "but not from the sink"),
        (unguarded, "There is a nan: subtract the largest number"),
        (lambda scores, sinks: dropped(scores, 0 * sinks), "score 0 in every head"),
        (lambda scores, sinks: dropped(scores, -sinks), "Your sink has the opposite sign"),
        (lambda scores, sinks: dropped(scores, sinks[0] + 0 * sinks), "the sink of the first"),
        (lambda scores, sinks: dropped(scores, sinks.mean() + 0 * sinks), "the mean of the sinks"),
        (lambda scores, sinks: dropped(scores, sinks[::-1]), "in reverse order of heads"),
        (sinks_by_row, "Your query i has the sink of head i"),
        (over(lambda one, sinks: one.sum(axis=-1, keepdims=True) + sinks), "e to the power of it"),
        (over(lambda one, sinks: one + np.exp(sinks)), "competes with the sink alone"),
        (over(lambda one, sinks: one.sum(axis=1, keepdims=True) + np.exp(sinks)),
         "You add up over queries: the weights of one query"),
        (over(lambda one, sinks: one.sum(axis=(1, 2), keepdims=True) + np.exp(sinks)),
         "You add up over queries and keys"),
        (over(lambda one, sinks: (one + np.exp(sinks)).sum(axis=-1, keepdims=True)),
         "once for each key"),
        (lambda scores, sinks: np.log(dropped(scores, sinks) + 1e-300),
         "below 0 or above 1"),
        (lambda scores, sinks: softmax(np.append(scores, sinks))[: -len(sinks)]
            .reshape(scores.shape),
         "can't tell"),
        (lambda scores, sinks: dropped(scores, sinks).round(2), "rounded, to 2 decimals"),
        (lambda scores, sinks: dropped(scores, sinks).swapaxes(1, 2),
         "should have the shape (2, 1, 3) ... Queries come first"),
        (lambda scores, sinks: scores + sinks, "can't broadcast shapes"),
        (lambda scores, sinks: None, "gives None"),
        (lambda scores, sinks: dropped(scores, sinks + 1), "can't tell"),
    ],
}  # fmt: skip
