"""Every sentence with a number, of two or three mistakes at once, beside the table itself."""

import math
import re
from itertools import combinations

import numpy as np
import pytest

from posenc_clinic import diagnose
from posenc_clinic.wrong_tables import CLASHES, NAMES, PAIRS, right_table, wrong_table

N, D = 40, 16
LONG = re.compile(r"Rows are (\S+) long; they should be (\S+)\.(?= |$)")
BETWEEN = re.compile(r"Rows are (\S+) to (\S+) long; all should be (\S+)\.(?= |$)")
CELL = re.compile(r"(?:Row|Column) (\d+), (?:column|row) (\d+) holds (\S+), where (\S+) belongs")
LADDER = re.compile(r"pairs turn (\S+) to (\S+) radians a position; they should turn 1 to (\S+)\.")
FIRST_PAIR = re.compile(r"first pair turn (\S+) and (\S+) radians a position")
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
    norms = norms[np.isfinite(norms)]
    named = {finding.mistake for finding in diagnosis.findings} == {*mistakes}
    for finding in diagnosis.findings:
        text = f"{finding.evidence} {finding.why} {finding.remedy}"
        for long, should in LONG.findall(text):
            if long == should or not close(long, norms.min()) or not close(long, norms.max()):
                yield text
        for shortest, longest, should in BETWEEN.findall(text):
            if shortest == longest or not close(shortest, norms.min()):
                yield text
            if not close(longest, norms.max()) or not close(should, math.sqrt(D / 2)):
                yield text
        for row, j, found, expected in CELL.findall(text):
            if not close(found, table[int(row), int(j)]) or found == expected:
                yield text
        for count, size, row, j in NOT_FINITE.findall(text):
            bad = np.argwhere(~np.isfinite(table))
            if [int(count), int(size)] != [len(bad), table.size] or [*bad[0]] != [int(row), int(j)]:
                yield text
        if "are as they should be" in text:
            yield text
        if named:
            first, second = frequencies(mistakes)
            both = np.concatenate([first, second])
            for fast, slow, last in LADDER.findall(text):
                if not close(fast, both.max()) or not math.isclose(
                    float(slow), both.min(), rel_tol=6e-3
                ):
                    yield text
                if (fast, slow) == ("1", last):
                    yield text
            for one, other in FIRST_PAIR.findall(text):
                if not close(one, first[0]) or not close(other, second[0]):
                    yield text


def contradicted(cases):
    """The mistakes of each case whose report its table contradicts, with the sentences."""
    return {
        mistakes: said
        for mistakes in cases
        if (said := [*contradictions(mistakes, wrong_table(*mistakes, n=N, d=D))])
    }


def test_no_sentence_contradicts_its_table():
    assert contradicted([*((name,) for name in NAMES), *PAIRS[::8]]) == {}


@pytest.mark.sweep
def test_no_sentence_contradicts_its_table_for_all_pairs_and_some_triples():
    assert contradicted([*PAIRS, *CHOSEN]) == {}


def test_the_errors_of_angles_with_few_digits_are_told_from_those_of_other_mistakes():
    for other in ("wrong-base", "scaled", "one-based-positions"):
        diagnosis = diagnose(wrong_table("low-precision-angles", other))
        (finding,) = [one for one in diagnosis.findings if one.mistake == "low-precision-angles"]
        exact = wrong_table(other)
        miss = np.abs(wrong_table("low-precision-angles", other) - exact).max()
        assert close(finding.evidence.split(" up to ")[1].removesuffix("."), float(f"{miss:.2g}"))


def test_a_row_of_strays_is_said_to_be_one():
    table = right_table()
    table[7, 3:20] = 5
    evidence = diagnose(table).findings[-1].evidence
    assert "17 of 3200 values stand apart from the others, all of them in row 7." in evidence
    table[9, 3] = 5
    assert "from the others." in diagnose(table).findings[-1].evidence
    across = diagnose(table.T).findings[-1].evidence
    assert "from the others." in across


def test_a_value_close_to_the_right_one_is_said_with_more_digits():
    table = right_table()
    table[9, 3] += 1e-6
    said = "Row 9, column 3 holds 0.8934354, where 0.8934344 belongs."
    assert diagnose(table).findings[-1].evidence.endswith(said)


def test_a_row_of_large_numbers_hides_nothing(subtests):
    for row in [0, 7, 49]:
        with subtests.test(row=row):
            for table in (right_table(), right_table().round(3), wrong_table("wrong-base")):
                broken = table.copy()
                broken[row] = np.arange(64) + 20
                *others, stray = diagnose(broken).findings
                assert [one.mistake for one in others] == [
                    one.mistake for one in diagnose(table).findings
                ]
                assert (
                    f"64 of 3200 values stand apart from the others, all of them in row {row}."
                    in (stray.evidence)
                )
                assert stray.cell[0] == row


def test_pairs_off_the_circle_are_counted_in_the_layout_that_fits():
    rates = np.linspace(0.1, 1, 32) ** 2
    angle = np.outer(np.arange(50), rates)
    table = np.concatenate([np.sin(angle), np.cos(angle)], axis=1)
    table[3, 0] = 2
    (finding,) = diagnose(table).findings
    assert "1 of 1600 pairs of columns half the width apart leave" in finding.evidence


def test_rows_of_the_right_length_are_not_said_to_be_wrong(subtests):
    for halves in [False, True]:
        with subtests.test(halves=halves):
            mistakes = ("zero-column", "halves-layout") if halves else ("zero-column",)
            for d in (16, 32, 63, 64):
                table = np.append(
                    wrong_table(*mistakes[1:], d=d - d % 2), np.zeros((50, 1)), axis=1
                )
                (finding,) = [
                    one for one in diagnose(table).findings if one.mistake == "zero-column"
                ]
                assert "long" not in finding.why


def test_lengths_are_said_where_no_row_is_finite():
    table = wrong_table("sine-everywhere")
    table[:, 3] = np.nan
    assert {finding.mistake for finding in diagnose(table).findings} == {
        "not-finite",
        "sine-everywhere",
    }
