"""Right and wrong answers to the exercises of *rope-base*."""

import numpy as np

import posenc


def g(length, d_head, base, step=1, first=0):
    return posenc.similarity(np.arange(first, length, step), d_head, base=base)


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


def by_table(length, d_head, bases):
    tables = [posenc.sinusoidal(length, d_head, base=b) for b in bases]
    return min(b for b, rows in zip(bases, tables, strict=True) if (rows @ rows[0]).min() >= 0)


def halve(length, d_head, bases):
    some = sorted(bases)
    while len(some) > 1:
        middle = (len(some) - 1) // 2
        some = some[: middle + 1] if does(length, d_head, some[middle]) else some[middle + 1 :]
    return some[0]


def from_above(length, d_head, bases):
    some = sorted(bases, reverse=True)
    found = some[0]
    for base in some:
        if not does(length, d_head, base):
            break
        found = base
    return found


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


RIGHT = {"least_base": [by_min, by_loop, by_table]}
WRONG = {
    "least_base": [
        (lambda n, d, bases: min(bases), "the smallest base of the list, whether it"),
        (lambda n, d, bases: max(bases), "the largest base of the list"),
        (lambda n, d, bases: max(b for b in bases if does(n, d, b)), "the largest base of the"),
        (lambda n, d, bases: next(b for b in bases if does(n, d, b)), "in no particular order"),
        (lambda n, d, bases: [b for b in bases if does(n, d, b)][-1], "in no particular order"),
        (halve, "a larger base may fail again"),
        (from_above, "a larger base may fail again"),
        (lambda n, d, bases: sum(does(n, d, b) for b in bases), "how many of the bases suffice"),
        (lambda n, d, bases: max(b for b in bases if not does(n, d, b)), "largest base that fails"),
        (
            lambda n, d, bases: min(b for b in bases if not does(n, d, b)),
            "smallest base that fails",
        ),
        (lambda n, d, bases: min(b for b in bases if g(n, d, b).min() < 0), "base that fails"),
        (lambda n, d, bases: min(b for b in bases if g(n, d, b)[-1] >= 0), "last offset alone"),
        (lambda n, d, bases: min(b for b in bases if g(n, d, b).mean() >= 0), "a mean of 0 or"),
        (lambda n, d, bases: min(b for b in bases if g(n, d, b, 10).min() >= 0), "every tenth"),
        (lambda n, d, bases: by_min(n + 1, d, bases), "Your offsets go up to `length`"),
        (lambda n, d, bases: by_min(n - 1, d, bases), "Your offsets end before `length - 1`"),
        (lambda n, d, bases: by_min(n, 2 * d, bases), "a frequency for each column"),
        (lambda n, d, bases: by_min(n, 128, bases), "with 128 columns, whatever"),
        (lambda n, d, bases: by_min(n, d // 2, bases), "In your search no base suffices"),
        (own(lambda b, d: b ** (-i_of(d) / d)), "In your search no base suffices"),
        (own(lambda b, d: b ** (-4.0 * i_of(d) / d)), "Your exponent is doubled"),
        (own(lambda b, d: b ** (2 * i_of(d) / d)), "In your search no base suffices"),
        (index, "It should be one of the bases of the list"),
        (lambda n, d, bases: bases.index(by_min(n, d, bases)), "the index of the base in the list"),
        (
            lambda n, d, bases: sorted(bases)[[*(does(n, d, b) for b in bases)].index(True)],
            "can't tell ... With base 2, g is below 0 at offset 2",
        ),
        (lambda n, d, bases: [b for b in bases if does(n, d, b)], "type list: return one number"),
        (lambda d, n, bases: by_min(n, d, bases), "the order is length, d_head, bases"),
        (lambda n, d, bases: print(by_min(n, d, bases)), "gives None"),
        (lambda n, d, bases: does(n, d, min(bases)), "It should be one of the bases"),
    ],
}
