"""Right and wrong answers to the exercises of *wrong-models*."""

import numpy as np

from posenc import sinusoidal


def step(number):
    """An answer that gives each new token the position `number(mask)`."""

    def answer(new, past, mask):
        positions = np.broadcast_to(number(mask), len(new))
        placed = new + sinusoidal(positions, new.shape[1])
        return np.concatenate([past, placed[:, np.newaxis]], axis=1)

    return answer


def count(mask):
    return np.count_nonzero(mask, axis=1)


def by(key, known=None, copy=np.copy):
    """An answer that caches the results of `make` under `key(n, d_model, base, offset)`."""

    def answer(make):
        kept = {} if known is None else known

        def table(*settings):
            one = key(*settings)
            if one not in kept:
                kept[one] = make(*settings)
            return copy(kept[one])

        return table

    return answer


def every(*settings):
    return settings


def read_only(array):
    array.flags.writeable = False
    return array


def last_only(make):
    kept = {}

    def table(*settings):
        if settings not in kept:
            kept.clear()
            kept[settings] = make(*settings)
        return kept[settings].copy()

    return table


def rounded_later(make):
    kept = {}

    def table(*settings):
        known = settings in kept
        kept.setdefault(settings, make(*settings) if not known else None)
        return kept[settings].round(2) if known else kept[settings].copy()

    return table


RIGHT = {
    "decode_step": [step(count)],
    "remember": [by(every), by(every, copy=read_only)],
}  # fmt: skip
WRONG = {
    "decode_step": [
        (lambda new, past, mask: step(count)(new, past, mask)[:, -1:], "the new tokens alone"),
        (lambda new, past, mask: past.ravel(), "should have the shape ... can't tell"),
        (step(lambda mask: count(mask) / 2 + 0.25), "can't tell"),
    ],
    "remember": [
        (lambda make: make, "you call make twice"),
        (lambda make: lambda n, d, b, o: sinusoidal(range(o, o + n), d, base=b),
         "you call make never"),
        (lambda make: make(5, 6, 10_000.0, 0), "should return a function"),
        (by(lambda n, d, b, o: (n, d, o)),
         "is that for (5, 6, 10000.0, 0), which differs from it in base"),
        (by(lambda n, d, b, o: (n, d, b)), "in offset: keep offset"),
        (by(lambda n, d, b, o: (n, b, o)), "in d_model: keep d_model"),
        (by(lambda n, d, b, o: (d, b, o)), "in n: keep n"),
        (last_only, "keep all"),
        (by(lambda *s: frozenset(s)), "(6, 4, 100.0, 0) is mixed up with (4, 6, 100.0, 0)"),
        (by(lambda n, d, b, o: f"{n}{d} {b} {o}"), "mixed up with (1, 16, 100.0, 0)"),
        (by(lambda *s: hash(s)), "mixed up with (3, 4, 100.0, -1)"),
        (by(lambda n, d, b, o: (n, d, b, abs(o))), "mixed up with (3, 4, 9.5, 2)"),
        (by(lambda n, d, b, o: (n, d, int(b), o)), "mixed up with (3, 4, 8.25, 0)"),
        (by(every, copy=np.asarray), "is full of sevens"),
        (by(every, known={}), "a dictionary of its own"),
        (lambda make: lambda n, d: make(n, d, 10_000.0, 0),
         "remember(make)(2, 2, 10.0, 3) stops: "),
        (rounded_later, "can't tell"),
    ],
}  # fmt: skip
