"""Right and wrong answers to the exercises of *rope-base*."""

import numpy as np

import posenc


def does(length, d_head, base):
    return (posenc.similarity(np.arange(length), d_head, base=base) >= 0).all()


def by_min(length, d_head, bases):
    return min(b for b in bases if does(length, d_head, b))


def by_loop(length, d_head, bases):
    for base in sorted(bases):
        omega = base ** (-np.arange(0, d_head, 2) / d_head)
        if not any(np.cos(k * omega).sum() < 0 for k in range(length)):
            return base
    return None


RIGHT = {"least_base": [by_min, by_loop]}
WRONG = {
    "least_base": [
        (lambda n, d, bases: min(bases), "the smallest base of the list, whether it"),
        (lambda n, d, bases: next(b for b in bases if does(n, d, b)), "in no particular order"),
        (lambda n, d, bases: sorted(bases)[1], "With base 5000, g is below 0"),
        (lambda d, n, bases: by_min(n, d, bases), "the order is length, d_head, bases"),
        (lambda n, d, bases: does(n, d, min(bases)), "It should be one of the bases"),
    ],
}
