"""How often two mistakes at once are both named, and sweeps too long for `make check`."""

from itertools import product

import numpy as np
import pytest
from clinic_tables import names

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
        pytest.param(
            *(20, 16, "4 decimals", "low-precision-angles", 1),
            id="20 x 16, 4 decimals",
            marks=pytest.mark.sweep,
        ),
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


def test_no_table_can_show_the_pairs_that_are_left_out(subtests):
    for one, other in [
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
    ]:
        with subtests.test(one=one, other=other):
            assert np.abs(one - other).max() < 1e-14


# One mistake


def check_alone(mistake, form, n, d):
    table = FORMS[form](wrong_table(mistake, n=n, d=d))
    diagnosis = diagnose(table)
    assert names(diagnosis) == {mistake}, (mistake, form, n, d)
    check_cells(diagnosis, table, right_cells([mistake], n, d))


ALONE = sorted({*NAMES} - {"low-precision-angles"})


def test_mistakes_are_found_alone_in_small_tables():
    sizes = ((20, 16), (10, 6))
    for at, (mistake, (n, d)) in enumerate(product(ALONE, sizes)):
        check_alone(mistake, [*FORMS][(at + at // 4) % 4], n, d)


@pytest.mark.sweep
def test_mistakes_are_found_alone_in_all_sizes_and_forms():
    for mistake, form, (n, d) in product(ALONE, FORMS, ((20, 16), (10, 6), (200, 128))):
        check_alone(mistake, form, n, d)


def test_low_precision_angles_are_found_in_a_table_with_enough_digits(subtests):
    for (n, d), digits, form in product([(50, 64), (200, 128)], [bfloat16, float16], FORMS):
        with subtests.test(n=n, d=d):
            table = FORMS[form](wrong_table("low-precision-angles", n=n, d=d, digits=digits))
            assert names(diagnose(table)) == {"low-precision-angles"}


# What is not an encoding


RANDOM = np.random.default_rng(0)


def test_an_array_that_follows_no_formula_is_not_an_encoding(subtests):
    for table in [
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
    ]:
        with subtests.test():
            diagnosis = diagnose(table)
            assert names(diagnosis) == {"not-an-encoding"}
            assert diagnosis.base is None
