"""Right and wrong answers to the exercises of *rope-base*."""

import numpy as np

import posenc


def does(length, d_head, base):
    return (posenc.similarity(np.arange(length), d_head, base=base) >= 0).all()


def by_min(length, d_head, bases):
    return min(b for b in bases if does(length, d_head, b))


RIGHT = {"least_base": [by_min]}
WRONG = {
    "least_base": [
        (lambda n, d, bases: sorted(bases)[1], "With base 5000, g is below 0"),
        (lambda d, n, bases: by_min(n, d, bases), "the order is length, d_head, bases"),
        (lambda n, d, bases: does(n, d, min(bases)), "It should be one of the bases"),
    ],
}
