"""Every sentence with a number, of two or three mistakes at once, beside the table itself."""

import math
import re
from itertools import combinations, product

import numpy as np
import pytest
from clashes import CLASHES, PAIRS
from clinic_tables import check_mistakes, names

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import NAMES, right_table, wrong_table

N, D = 40, 16
LONG = re.compile(r"Rows are (\S+) long; they should be (\S+)\.(?= |$)")
BETWEEN = re.compile(r"Rows are (\S+) to (\S+) long; all should be (\S+)\.(?= |$)")
CELL = re.compile(r"(?:Row|Column) (\d+), (?:column|row) (\d+) holds (\S+), where (\S+) belongs")
LADDER = re.compile(
    r"pairs rotate by (\S+) to (\S+) radians a position; they should rotate by 1 to (\S+)\."
)
FIRST_PAIR = re.compile(r"first pair rotate by (\S+) and (\S+) radians a position")
NOT_FINITE = re.compile(r"(\d+) of (\d+) values are NaN .*in row (\d+), column (\d+)\.")

CLASHING = [*map(set, CLASHES)]
TRIPLES = [
    triple
    for triple in combinations(NAMES, 3)
    if not any(clash <= {*triple} for clash in CLASHING) and "low-precision-angles" not in triple
]
CHOSEN = [TRIPLES[at] for at in np.random.default_rng(0).choice(len(TRIPLES), 60, replace=False)]


def frequencies(mistakes):
    """The frequencies that these mistakes give, by position: those of first and second columns."""
    base = 500.0 if "wrong-base" in mistakes else np.e if "lost-logarithm" in mistakes else 10_000.0
    i = np.arange(D // 2) + ("shifted-index" in mistakes)
    step = (1 + ("doubled-exponent" in mistakes)) / (D / 2 - ("tensor2tensor-ladder" in mistakes))
    step *= D / 1000 if "wrong-divisor" in mistakes else 1
    step *= 1 - 2 * ("rising-frequencies" in mistakes) - ("equal-frequencies" in mistakes)
    unit = np.pi / 180 if "degrees" in mistakes else 1.0
    own = 0.5 * ("odd-denominators" in mistakes)
    if "lost-parenthesis" in mistakes:
        unit *= np.log(base) / D
        return unit * np.exp(2 * i), unit * np.exp(2 * (i + own))
    other = 1000.0 if "two-bases" in mistakes else base
    return unit * base ** -(i * step), unit * other ** -((i + own) * step)


def close(said, value):
    return math.isclose(float(said), value, rel_tol=6e-3, abs_tol=1e-4)


def contradictions(mistakes, table):
    """Yield the sentences of the report on a table that its numbers contradict."""
    diagnosis = diagnose(table)
    upright = table.T if "transposed" in mistakes else table
    with np.errstate(invalid="ignore"):
        norms = np.linalg.norm(upright, axis=1)
    norms, bad = norms[np.isfinite(norms)], np.argwhere(~np.isfinite(table))
    first, second = frequencies(mistakes)
    both = np.concatenate([first, second])
    for finding in diagnosis.findings:
        text = f"{finding.evidence} {finding.why} {finding.remedy}"
        true = ["are as they should be" not in text]
        for long, should in LONG.findall(text):
            true += [long != should, close(long, norms.min()), close(long, norms.max())]
        for shortest, longest, should in BETWEEN.findall(text):
            true += [shortest != longest, close(shortest, norms.min())]
            true += [close(longest, norms.max()), close(should, math.sqrt(D / 2))]
        for row, j, found, expected in CELL.findall(text):
            true += [close(found, table[int(row), int(j)]), found != expected]
        for numbers in NOT_FINITE.findall(text):
            true.append([*map(int, numbers)] == [len(bad), table.size, *bad[0]])
        if {*names(diagnosis)} == {*mistakes}:
            for fast, slow, last in LADDER.findall(text):
                true += [close(fast, both.max()), (fast, slow) != ("1", last)]
                true.append(math.isclose(float(slow), both.min(), rel_tol=6e-3))
            for one, other in FIRST_PAIR.findall(text):
                true += [close(one, first[0]), close(other, second[0])]
        if not all(true):
            yield text


def contradicted(cases):
    """The mistakes of each case whose report its table contradicts, with the sentences."""
    return {
        mistakes: said
        for mistakes in cases
        if (said := [*contradictions(mistakes, wrong_table(*mistakes, n=N, d=D))])
    }


CASES = [*((name,) for name in NAMES), *PAIRS[5::12]]


@pytest.mark.parametrize(
    "cases", [CASES, pytest.param(PAIRS[1::6] + CHOSEN, marks=pytest.mark.sweep)]
)
def test_no_sentence_contradicts_its_table(cases):
    assert contradicted(cases) == {}


def test_the_errors_of_inexact_angles_are_said():
    for other in ("wrong-base", "scaled", "one-based-positions"):
        table = wrong_table("low-precision-angles", other)
        (finding,) = [
            one for one in diagnose(table).findings if one.mistake == "low-precision-angles"
        ]
        miss = np.abs(table - wrong_table(other)).max()
        said = finding.evidence.split(" up to ")[1].removesuffix(".")
        assert close(said, float(f"{miss:.2g}")), other


def test_strays_are_counted_and_placed():
    table = right_table()
    table[7, 3:20] = 5
    said = "17 of 3200 values are outliers, all of them in row 7."
    assert said in diagnose(table).findings[-1].evidence
    table[9, 3] = 5
    for turned in (table, table.T):
        assert "values are outliers." in diagnose(turned).findings[-1].evidence
    table = right_table()
    table[9, 3] += 1e-6
    said = "Row 9, column 3 holds 0.8934354, where 0.8934344 belongs."
    assert diagnose(table).findings[-1].evidence.endswith(said)


def test_pairs_off_the_circle_are_counted():
    angle = np.outer(np.arange(50), np.linspace(0.1, 1, 32) ** 2)
    table = np.concatenate([np.sin(angle), np.cos(angle)], axis=1)
    table[3, 0] = 2
    said = "1 of 1600 pairs of columns half the width apart are not"
    assert said in check_mistakes(table, "not-an-encoding").findings[0].evidence


def test_rows_of_the_right_length_are_not_wrong():
    for layout, d in product(([], ["halves-layout"]), (16, 32, 63, 64)):
        table = np.append(wrong_table(*layout, d=d - d % 2), np.zeros((50, 1)), axis=1)
        finding = diagnose(table).findings[0]
        assert finding.mistake == "zero-column", d
        assert "Rows are" not in finding.why, d
    table = wrong_table("sine-everywhere")
    table[:, 3] = np.nan
    check_mistakes(table, "not-finite", "sine-everywhere")


@pytest.mark.parametrize("mistake", ["wrong-base", "odd-denominators", "transposed", "zero-column"])
def test_entries_that_are_off_are_those_that_differ(mistake):
    table = wrong_table(mistake, n=N, d=D)
    entries = diagnose(table.round(3)).entries
    upright = entries.table.T if mistake == "transposed" else entries.table
    right = right_table(N, D)
    assert np.array_equal(entries.table, table.round(3))
    miss = np.abs(upright - right)
    off = entries.off.T if mistake == "transposed" else entries.off
    assert off[miss > 5e-3].all()
    assert not off[miss <= 5e-4].any()
    assert diagnose(right).entries.off is None
