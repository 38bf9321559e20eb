"""Right and wrong answers to the exercises of *attention-sinks*."""

import numpy as np


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def dropped(scores, sinks):
    column = sinks[:, np.newaxis, np.newaxis] + np.zeros((*scores.shape[:-1], 1))
    return softmax(np.concatenate([scores, column], axis=-1))[..., :-1]


RIGHT = {
    "attention_with_sinks": [dropped, lambda *case: dropped(*case).tolist()],
}  # fmt: skip
WRONG = {
    "attention_with_sinks": [
        (lambda scores, sinks: softmax(np.append(scores, sinks))[: -len(sinks)]
            .reshape(scores.shape),
         "can't tell"),
    ],
}  # fmt: skip
