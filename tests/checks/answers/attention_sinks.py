"""Right and wrong answers to the exercises of *attention-sinks*."""

import numpy as np


def column(sinks):
    return sinks[:, np.newaxis, np.newaxis]


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def joined(scores, sinks):
    return np.concatenate([scores, column(sinks) + np.zeros((*scores.shape[:-1], 1))], axis=-1)


def dropped(scores, sinks):
    return softmax(joined(scores, sinks))[..., :-1]


RIGHT = {
    "attention_with_sinks": [dropped, lambda *case: dropped(*case).tolist()],
}  # fmt: skip
WRONG = {
    "attention_with_sinks": [
        (lambda scores, sinks: softmax(scores - column(sinks)), "Your weights sum to 1"),
        (lambda scores, sinks: dropped(scores, 0 * sinks), "score 0 in every head"),
        (lambda scores, sinks: softmax(np.append(scores, sinks))[: -len(sinks)]
            .reshape(scores.shape),
         "can't tell"),
    ],
}  # fmt: skip
