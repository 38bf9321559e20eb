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


def like_words(parts):
    n = sum(part if isinstance(part, int) else part[0] * part[1] * part[2] for part in parts)
    return np.tile(np.arange(n), (3, 1))


def time_of_each_patch(parts):
    positions, start, at = by_loops(parts), 0, 0
    for part in parts:
        size = part if isinstance(part, int) else part[0] * part[1] * part[2]
        block = by_loops([part])
        if not isinstance(part, int):
            block[0] = np.arange(size)
        positions[:, at : at + size] = start + block
        start, at = positions[:, at : at + size].max() + 1, at + size
    return positions


def counts_tuples(parts):
    return np.array([[0] * len(parts)] * 3)


RIGHT = {
    "three_positions": [by_loops, of_parts, lambda parts: by_loops(parts).astype(float).tolist()],
}
WRONG = {
    "three_positions": [
        (slip(after="tokens"), "goes on by the number of patches"),
        (slip(after="last"), "goes on at its largest position"),
        (slip(after="transformers"), "forgets the frames"),
        (slip(after="sum"), "adds frames, rows and columns up"),
        (slip(after="sides"), "adds rows and columns up"),
        (slip(after="frames"), "after the last frame"),
        (slip(after="rows"), "after the last row"),
        (slip(after="columns"), "after the last column"),
        (slip(after="one"), "as if a picture were a single token"),
        (slip(after="none"), "doesn't go on after a picture"),
        (slip(begin=(True, False, False)), "Rows and columns begin again at 0"),
        (slip(begin=(False, False, False)), "Each picture begins again at 0"),
        (slip(late=1), "A picture begins one position late"),
        (slip(begin=(False, True, True)), "times of a picture begin again at 0"),
        (slip(order="ikj"), "reads patches column by column"),
        (slip(order="jki"), "lists all frames of one patch"),
        (slip(axes=(0, 2, 1)), "Rows and columns have changed places"),
        (slip(axes=(2, 1, 0)), "Time and column have changed places"),
        (like_words, "numbers patches like words"),
        (time_of_each_patch, "gives each patch a time of its own"),
        (lambda parts: by_loops(parts).T, "is transposed"),
        (lambda parts: by_loops(parts) + 1, "1 more than the right one"),
        (counts_tuples, "one position for each part"),
        (lambda parts: by_loops(parts)[:2], "should have the shape (3, 11)"),
        (lambda parts: by_loops(parts)[::-1], "Time and column have changed places"),
    ],
}
