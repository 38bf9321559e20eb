"""What the checker of lines says to right answers, and to wrong ones."""

import numpy as np
import pytest

from posenc import alibi_slopes, checks, offsets


def lines(slopes, n, m, power=1):
    distance = np.arange(m - n, m)[:, np.newaxis] - np.arange(m)
    charge = -slopes[:, np.newaxis, np.newaxis] * abs(distance) ** power
    return np.where(distance >= 0, charge, -np.inf)


def row_by_row(slopes, n, m):
    bias = np.full((len(slopes), n, m), -np.inf)
    for head, slope in enumerate(slopes):
        for row in range(n):
            for key in range(m - n + row + 1):
                bias[head, row, key] = -slope * (m - n + row - key)
    return bias.tolist()


@pytest.mark.parametrize("answer", [lines, row_by_row])
def test_lines_may_be_written_in_any_way(answer, accepts):
    accepts(checks.line_bias, answer)


def by_product(slopes, n, m):
    with np.errstate(invalid="ignore"):
        hidden = -np.inf * (offsets(n, m) > 0)
    return slopes[:, np.newaxis, np.newaxis] * offsets(n, m) + hidden


@pytest.mark.parametrize(
    ("answer", "fragment"),
    dict(
        empty=(lambda *_: {}[0], "stops with KeyError"),
        no_mask=(
            lambda slopes, n, m: slopes[:, np.newaxis, np.newaxis] * offsets(n, m),
            "shows token 0 key 1, which comes after it",
        ),
        from_place_0=(
            lambda slopes, n, m: lines(slopes, m, m)[:, :n],
            "hides token 5 key 1: row 0 is the token at place m - n",
        ),
        one_head=(lambda slopes, n, m: lines(slopes, n, m)[0], "should have the shape (2, 4, 4)"),
        rewards=(
            lambda slopes, n, m: np.where(offsets(n, m) > 0, -np.inf, -lines(slopes, n, m)),
            "rewards token 1 key 0",
        ),
        product=(by_product, "0 times infinity"),
        squares=(
            lambda slopes, n, m: lines(slopes, n, m, 2),
            "charges head 0 2 for a distance of 2",
        ),
        slopes_of_its_own=(
            lambda slopes, n, m: lines(alibi_slopes(len(slopes)), n, m),
            "where 0.5 is right: the slope of that head",
        ),
    ).values(),
)
def test_a_wrong_line_is_told_what_it_did(answer, fragment, says):
    assert fragment in says(checks.line_bias, answer)
