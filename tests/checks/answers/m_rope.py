"""Right and wrong answers to the exercises of *m-rope*."""

import numpy as np


def by_loops(parts):
    rows, start = [], 0
    for part in parts:
        if isinstance(part, int):
            rows += [(start + k,) * 3 for k in range(part)]
        else:
            frames, height, width = part
            for t in range(frames):
                for y in range(height):
                    for x in range(width):
                        rows.append((start + t, start + y, start + x))
        start = max(max(row) for row in rows) + 1
    return np.array(rows).T


def of_parts(parts, order="ijk", after="max", begin=(True, True, True), axes=(0, 1, 2), late=0):
    """As others write it, with a choice of slips."""
    start, columns = 0, []
    for part in parts:
        if isinstance(part, int):
            columns += [[start + k] * 3 for k in range(part)]
            start += part
            continue
        sizes = {"i": part[0], "j": part[1], "k": part[2]}
        for flat in range(part[0] * part[1] * part[2]):
            at = dict(zip(order, np.unravel_index(flat, [sizes[c] for c in order]), strict=True))
            own = [
                int(at[c]) + start * lifted + late for c, lifted in zip("ijk", begin, strict=True)
            ]
            columns.append([own[axis] for axis in axes])
        start = {
            "max": start + max(part),
            "tokens": start + part[0] * part[1] * part[2],
            "last": start + max(part) - 1,
            "transformers": start + max(part[1:]),
            "sum": start + sum(part),
            "sides": start + part[1] + part[2],
            "frames": start + part[0],
            "rows": start + part[1],
            "columns": start + part[2],
            "one": start + 1,
            "none": start,
        }[after]
    return np.array(columns).T


def slip(**options):
    return lambda parts: of_parts(parts, **options)


def counts_tuples(parts):
    return np.array([[0] * len(parts)] * 3)


RIGHT = {
    "three_positions": [by_loops, lambda parts: by_loops(parts).astype(float).tolist()],
}
WRONG = {
    "three_positions": [
        (slip(after="tokens"), "goes on by the number of patches"),
        (slip(after="last"), "goes on at its largest position"),
        (slip(after="transformers"), "forgets the frames"),
        (slip(after="sum"), "adds frames, rows and columns up"),
        (counts_tuples, "one position for each part"),
        (lambda parts: by_loops(parts)[:2], "should have the shape (3, 11)"),
        (lambda parts: by_loops(parts)[::-1], "Time and column have changed places"),
    ],
}
