"""Right and wrong answers to the exercises of *images-points-times*."""

from posenc import axial


def of_the_module(height, width, d_model):
    import posenc

    return posenc.axial((height, width), d_model)


RIGHT = {
    "grid": [lambda h, w, d: axial((h, w), d), lambda h, w, d: axial((h, w), d).tolist()],
}  # fmt: skip
WRONG = {
    "grid": [
        (lambda h, w, d: axial((h, w), d).reshape(-1, d), "is one long list of patches"),
        (lambda h, w, d: axial((h, w), d) * (w < 30),
         "grid(2, 30, 64) has 0 in column 1 of ... can't tell"),
        (of_the_module, "uses posenc: build the table yourself"),
    ],
}  # fmt: skip
