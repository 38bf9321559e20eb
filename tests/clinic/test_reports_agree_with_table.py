"""Sentences with a number, beside the table itself."""

import math
import re
from itertools import product

import numpy as np
import pytest
from clashes import PAIRS
from clinic_tables import check_mistakes

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import NAMES, right_table, wrong_table

N, D = 40, 16
LONG = re.compile(r"Rows are (\S+) long; they should be (\S+)\.(?= |$)")
BETWEEN = re.compile(r"Rows are (\S+) to (\S+) long; all should be (\S+)\.(?= |$)")
CELL = re.compile(r"(?:Row|Column) (\d+), (?:column|row) (\d+) holds (\S+), where (\S+) belongs")


def close(said, value):
    return math.isclose(float(said), value, rel_tol=6e-3, abs_tol=1e-4)


def contradictions(mistakes, table):
    """Yield the sentences of the report on a table that its numbers contradict."""
    upright = table.T if "transposed" in mistakes else table
    norms = np.linalg.norm(upright[np.isfinite(upright).all(axis=1)], axis=1)
    for finding in diagnose(table).findings:
        text = f"{finding.evidence} {finding.why}"
        true = [
            *(long != should and close(long, norms.max()) for long, should in LONG.findall(text)),
            *(close(least, norms.min()) for least, _, _ in BETWEEN.findall(text)),
            *(close(most, norms.max()) for _, most, _ in BETWEEN.findall(text)),
        ]
        for row, j, found, expected in CELL.findall(text):
            true += [close(found, table[int(row), int(j)]), found != expected]
        if not all(true):
            yield text


CASES = [*((name,) for name in NAMES), *PAIRS[5::12]]


@pytest.mark.parametrize("cases", [CASES, pytest.param(PAIRS[1::6], marks=pytest.mark.sweep)])
def test_no_sentence_contradicts_its_table(cases):
    made = {mistakes: wrong_table(*mistakes, n=N, d=D) for mistakes in cases}
    said = {mistakes: [*contradictions(mistakes, table)] for mistakes, table in made.items()}
    assert {mistakes: texts for mistakes, texts in said.items() if texts} == {}


def test_frequencies_are_said_as_the_formula_has_them():
    for mistake, said in {
        "wrong-base": "rotate by 1 to 0.00435 radians a position; they should rotate by 1 to ",
        "shifted-index": "rotate by 0.3162 to 0.0001 radians a position",
        "rising-frequencies": "rotate by 3162 to 1 radians a position",
        "degrees": "rotate by 0.01745 to 5.52e-06 radians a position",
        "odd-denominators": "of the first pair rotate by 1 and 0.5623 radians a position.",
    }.items():
        (finding,) = diagnose(wrong_table(mistake, n=N, d=D)).findings
        assert said in f"{finding.evidence} {finding.why}", mistake


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
