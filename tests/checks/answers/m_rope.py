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


RIGHT = {
    "three_positions": [by_loops, lambda parts: by_loops(parts).astype(float).tolist()],
}
WRONG = {
    "three_positions": [
        (lambda parts: by_loops(parts) // 2, "can't tell"),
        (lambda parts: by_loops(parts)[:2], "should have the shape (3, 11)"),
    ],
}
