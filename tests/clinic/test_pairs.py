"""How often two mistakes at once are both named, and sweeps too long for `make check`."""

import numpy as np
import pytest

from posenc import sinusoidal
from posenc_clinic import diagnose
from posenc_clinic.wrong_tables import (
    CLASHES,
    NAMES,
    PAIRS,
    arranged,
    bfloat16,
    float16,
    right_table,
    wrong_table,
)

FORMS = {
    "float64": np.asarray,
    "float32": np.float32,
    "4 decimals": lambda table: table.round(4),
    "3 decimals": lambda table: table.round(3),
}


def names(diagnosis):
    return {finding.mistake for finding in diagnosis.findings}


def right_cells(mistakes, n, d):
    """The right table, with its columns where a table with these mistakes has them."""
    table = right_table(n, d, spacing=1.5 if "position-step" in mistakes else 1)
    sine, cosine = table[:, 0::2], table[:, 1::2]
    if "cosine-first" in mistakes and "position-parity" not in mistakes:
        sine, cosine = cosine, sine
    table = arranged(sine, cosine, "halves-layout" in mistakes)
    table = table[:, : d - ("missing-column" in mistakes)]
    return table.T if "transposed" in mistakes else table


def check_cells(diagnosis, table, right):
    for finding in diagnosis.findings:
        if finding.cell:
            row, j, found, expected = finding.cell
            assert found == table[row, j]
            assert expected == pytest.approx(right[row, j], abs=1e-9)


# Pairs


@pytest.mark.parametrize(
    ("n", "d", "form", "left_out", "first"),
    [
        pytest.param(50, 64, "float64", None, 0, id="50 x 64"),
        # In a small table, angles are too small for their lost digits to show.
        pytest.param(20, 16, "4 decimals", "low-precision-angles", 1, id="20 x 16, 4 decimals"),
    ],
)
def test_two_mistakes_at_once_are_both_named(n, d, form, left_out, first, record_property):
    # Each size is given every other pair, for the sake of time.
    pairs = [pair for pair in PAIRS[first::2] if left_out not in pair]
    named, said, wrong = [], [], []
    for pair in pairs:
        table = FORMS[form](wrong_table(*pair, n=n, d=d))
        diagnosis = diagnose(table)
        found = names(diagnosis)
        others = [found & {"transposed"} | set(names) for names in diagnosis.alternatives]
        if found == set(pair):
            named.append(pair)
            check_cells(diagnosis, table, right_cells(pair, n, d))
        elif any(set(pair) <= other for other in others):
            said.append(pair)
        elif not found <= set(pair):
            wrong.append((pair, found))
    rate, with_ties = len(named) / len(pairs), (len(named) + len(said)) / len(pairs)
    record_property("rate", rate)
    record_property("rate_with_alternatives", with_ties)
    print(f"{n} x {d}, {form}: {len(named)} of {len(pairs)} pairs are named, {rate:.1%};")
    print(f"with those among the alternatives, {with_ties:.1%}.")
    assert wrong == []
    assert rate >= 0.99


def test_every_pair_is_tried_or_has_a_reason_not_to_be():
    count = len(NAMES) * (len(NAMES) - 1) // 2
    assert len(PAIRS) + len(CLASHES) == count
    assert len(CLASHES) <= 0.11 * count  # each slip of the exponent leaves no other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            wrong_table("sine-everywhere"),
            wrong_table("sine-everywhere", "zeroed-first-row"),
        ),
        (
            wrong_table("position-parity"),
            wrong_table("position-parity", "zeroed-first-row"),
        ),
        (
            wrong_table("cosine-everywhere"),
            wrong_table("cosine-everywhere", "negated-angle"),
        ),
        (
            right_table(),
            wrong_table("doubled-exponent", "wrong-base", wrong_base=100.0),
        ),
    ],
    ids=["sines, row 0", "parity, row 0", "cosines, backwards", "base 100, doubled"],
)
def test_no_table_can_show_the_pairs_that_are_left_out(one, other):
    assert np.abs(one - other).max() < 1e-14


# One mistake


@pytest.mark.parametrize(("n", "d"), [(20, 16), (10, 6), (200, 128)])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mistake", sorted({*NAMES} - {"low-precision-angles"}))
def test_a_mistake_is_found_alone_whatever_the_size_and_the_digits(mistake, form, n, d):
    table = FORMS[form](wrong_table(mistake, n=n, d=d))
    diagnosis = diagnose(table)
    assert names(diagnosis) == {mistake}
    check_cells(diagnosis, table, right_cells([mistake], n, d))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("digits", [bfloat16, float16])
@pytest.mark.parametrize(("n", "d"), [(50, 64), (200, 128)])
def test_low_precision_angles_are_found_in_a_table_with_enough_digits(n, d, digits, form):
    table = FORMS[form](wrong_table("low-precision-angles", n=n, d=d, digits=digits))
    assert names(diagnose(table)) == {"low-precision-angles"}


# Right tables


@pytest.mark.parametrize("start", range(2, 1026, 64))
def test_a_right_table_of_any_even_width_is_cleared(start):
    for d in range(start, start + 64, 2):
        n = 3 + 37 * d % 298
        assert diagnose(sinusoidal(n, d)).findings == ()
        if d % 4:
            assert diagnose(sinusoidal(n, d).round(3)).findings == ()
        else:
            halves = diagnose(sinusoidal(n, d, layout="halves", dtype="f4"))
            assert names(halves) == {"halves-layout"}
            assert halves.correct


# What is not an encoding


RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize(
    "table",
    [
        *(RANDOM.standard_normal((n, d)) for n in (3, 5, 20, 200) for d in (2, 3, 8, 64)),
        *(RANDOM.uniform(-1, 1, (30, d)).astype("f2") for d in (4, 16)),
        *(RANDOM.standard_normal((40, d)).round(3) for d in (4, 16)),
        *(RANDOM.permutation(right_table(n, 32)) for n in (20, 50)),
        *(
            RANDOM.integers(-5, 5, (20, 8)),
            right_table().round().astype("i1"),
            *(np.eye(50), np.eye(512, 64), np.eye(900, 4, -300)),
            np.arange(40).reshape(10, 4),
        ),
        *(right_table(d=32) * (RANDOM.random((50, 32)) > 0.1) / 0.9, right_table()[:, ::-1]),
    ],
    ids=lambda table: f"{table.shape}",
)
def test_an_array_that_follows_no_formula_is_not_an_encoding(table):
    diagnosis = diagnose(table)
    assert names(diagnosis) == {"not-an-encoding"}
    assert diagnosis.base is None
