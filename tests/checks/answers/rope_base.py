"""Right and wrong answers to the exercises of *rope-base*."""

import numpy as np

import posenc


def g(length, d_head, base):
    return posenc.similarity(np.arange(length), d_head, base=base)


def does(length, d_head, base):
    return (g(length, d_head, base) >= 0).all()


def by_min(length, d_head, bases):
    return min(b for b in bases if does(length, d_head, b))


def by_loop(length, d_head, bases):
    for base in sorted(bases):
        omega = base ** (-np.arange(0, d_head, 2) / d_head)
        if not any(np.cos(k * omega).sum() < 0 for k in range(length)):
            return base
    return None


def own(omega):
    """The smallest base whose frequencies `omega(base, d_head)` keep the mean cosine up."""

    def answer(length, d_head, bases):
        k = np.arange(length)
        means = {b: np.cos(np.multiply.outer(k, omega(b, d_head))).mean(axis=1) for b in bases}
        return min(b for b in bases if means[b].min() >= 0)

    return answer


def i_of(d_head):
    return np.arange(d_head // 2)


def index(n, d, bases):
    return [does(n, d, b) for b in bases].index(True)


RIGHT = {"least_base": [by_min, by_loop]}
WRONG = {
    "least_base": [
        (lambda n, d, bases: min(bases), "the smallest base of the list, whether it"),
        (lambda n, d, bases: max(bases), "the largest base of the list"),
        (lambda n, d, bases: next(b for b in bases if does(n, d, b)), "in no particular order"),
        (lambda n, d, bases: [b for b in bases if does(n, d, b)][-1], "in no particular order"),
        (lambda n, d, bases: sum(does(n, d, b) for b in bases), "how many of the bases suffice"),
        (lambda n, d, bases: by_min(n, d // 2, bases), "In your search no base suffices"),
        (own(lambda b, d: b ** (-i_of(d) / d)), "In your search no base suffices"),
        (own(lambda b, d: b ** (2 * i_of(d) / d)), "In your search no base suffices"),
        (index, "It should be one of the bases of the list"),
        (
            lambda n, d, bases: sorted(bases)[[*(does(n, d, b) for b in bases)].index(True)],
            "can't tell ... With base 2, g is below 0 at offset 2",
        ),
        (lambda d, n, bases: by_min(n, d, bases), "the order is length, d_head, bases"),
        (lambda n, d, bases: does(n, d, min(bases)), "It should be one of the bases"),
    ],
}
