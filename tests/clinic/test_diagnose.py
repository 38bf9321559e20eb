"""The diagnosis: mistakes are named, right tables cleared, ties listed, bad input refused."""

import functools
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup

from posenc_clinic import Diagnosis, Finding, diagnose
from posenc_clinic._sample import Sample
from posenc_clinic._table_model import Recipe
from posenc_clinic.mistakes import CATALOGUE
from posenc_clinic.wrong_tables import (
    CONVENTIONS,
    MEANT,
    NAMES,
    PLACELESS,
    arranged,
    bfloat16,
    float16,
    right_table,
    wrong_table,
)

ROOT = Path(__file__).parents[2]


def names(diagnosis):
    return [finding.mistake for finding in diagnosis.findings]


def only(table, mistake, **kwargs):
    """Diagnose a table that must have this single mistake, and return the finding."""
    diagnosis = diagnose(table, **kwargs)
    assert names(diagnosis) == [mistake]
    assert diagnosis.correct is (mistake in CONVENTIONS)
    return diagnosis.findings[0]


@functools.cache
def alone(mistake):
    """A table with a single mistake, and its diagnosis."""
    table = wrong_table(mistake)
    table.flags.writeable = False
    return table, diagnose(table, recipe=MEANT.get(mistake))


def ladder(step, first=0.0, base=10_000.0, pairs=32):
    """The angles of 50 positions, on a ladder with these exponents."""
    return np.outer(np.arange(50), base ** -(first + step * np.arange(pairs)))


def side_by_side(one, other):
    return arranged(np.sin(one), np.cos(other), False)


# Each mistake


def test_every_name_of_one_mistake_has_a_table():
    assert {*NAMES, "other-recipe", "not-an-encoding"} == set(CATALOGUE)


def test_the_guide_to_adding_a_mistake_quotes_the_files_it_names():
    guide = (ROOT / "packages/posenc-clinic/adding-a-mistake.md").read_text("utf-8")
    examples = re.findall(r"^   ```\w+\n(.*?)^   ```$", guide, re.M | re.S)
    numbers = "packages/posenc-clinic/posenc_clinic/mistakes/numbers.py"
    files = (numbers, "packages/posenc-clinic/posenc_clinic/wrong_tables.py", "book/sources.yml")
    for path, example in zip(files, examples, strict=True):
        assert re.sub("^   ", "", example, flags=re.M) in (ROOT / path).read_text("utf-8"), path


def test_a_mistake_is_found_alone_with_a_cell_that_shows_it(subtests):
    for mistake in NAMES:
        with subtests.test(mistake=mistake):
            table, diagnosis = alone(mistake)
            assert names(diagnosis) == [mistake]
            assert diagnosis.correct is (mistake in CONVENTIONS)
            finding = diagnosis.findings[0]
            assert finding.convention is (mistake in CONVENTIONS)
            assert finding.case == f"case-{mistake}"
            assert (finding.cell is None) is (mistake in PLACELESS)
            if finding.cell is None:
                return
            row, j, found, expected = finding.cell
            assert [type(x) for x in finding.cell] == [int, int, float, float]
            assert found == table[row, j]
            assert math.isclose(expected, right_table()[row, j], abs_tol=1e-12)
            assert abs(found - expected) > 0.1
            sentence = f"Row {row}, column {j} holds {found:.4g}, where {expected:.4g} belongs."
            assert finding.evidence.endswith(sentence)


def test_the_cell_of_a_transposed_table_is_given_by_its_own_row_and_column():
    table = wrong_table("wrong-base", "transposed")
    row, j, found, expected = diagnose(table).findings[-1].cell
    assert found == table[row, j]
    assert math.isclose(expected, right_table()[j, row])


ESTIMATED = [
    *(
        ("wrong-base", {"wrong_base": float(x), "n": 20, "d": 16}, f"Its base is {x}, not 10000.")
        for x in (2, 100, 500, 2000, 300_000)
    ),
    *(
        ("one-based-positions", {"first": x}, f"The first row is that of position {x}.")
        for x in (-1, 1, 7, 37, 1000)
    ),
    *(
        ("scaled", {"factor": x}, f"The factor is {x:.6g}.")
        for x in (-1, 0.001, 0.25, 2, 100, 1e300, 1e-300, 1e20)
    ),
    *(
        ("scaled", {"d": d}, f"The factor is {math.sqrt(d):.6g}, the root of d_model.")
        for d in (16, 64, 128, 512)
    ),
    *(("shifted-mean", {"constant": x}, f"The constant is {x}.") for x in (-1, 0.001, 0.5, 10)),
]


def test_wrong_numbers_are_estimated_and_said():
    for mistake, numbers, said in ESTIMATED:
        table = wrong_table(mistake, **numbers)
        assert said in only(table, mistake).evidence, (mistake, numbers)
        if mistake in ("wrong-base", "one-based-positions"):
            assert said in only(table.round(3), mistake).evidence, (mistake, numbers)
        if "wrong_base" in numbers:
            assert math.isclose(diagnose(table).base, numbers["wrong_base"], rel_tol=1e-9)
            assert diagnose(table, base=numbers["wrong_base"]).findings == ()


def test_the_expected_base_is_the_one_that_was_passed():
    finding = only(right_table(), "wrong-base", base=500)
    assert "Its base is 10000, not 500." in finding.evidence
    assert diagnose(right_table(base=500.0), base=500).findings == ()
    only(wrong_table("doubled-exponent", base=500.0), "doubled-exponent", base=500)


def test_the_dtype_in_which_angles_lost_their_digits_is_named(subtests):
    for digits, name in [(bfloat16, "bfloat16"), (float16, "float16")]:
        with subtests.test(name=name):
            table = digits(wrong_table("low-precision-angles", n=200, digits=digits))
            assert name in only(table, "low-precision-angles").evidence.replace(",", "").split()


def test_odd_columns_may_lag_by_half_a_rung_or_a_whole_one(subtests):
    for own in [0.5, 1.0]:
        with subtests.test(own=own):
            table = side_by_side(ladder(1 / 32), ladder(1 / 32, first=own / 32))
            finding = only(table, "odd-denominators")
            assert f"turn 1 and {10_000 ** (-own / 32):.4g} radians" in finding.evidence


def test_a_ladder_may_begin_at_another_rung(subtests):
    for first in [-1, 0.5, 1]:
        with subtests.test(first=first):
            only(side_by_side(*[ladder(1 / 32, first / 32)] * 2), "shifted-index")


def test_rows_may_repeat_one_by_one_or_as_a_block(subtests):
    for table, said in [
        (np.tile(right_table(25), (2, 1)), "Row 25 is row 0 again"),
        (np.tile(right_table(20), (3, 1))[:50], "Row 20 is row 0 again"),
        (np.repeat(right_table(25), 2, axis=0), "Each row stands 2 times"),
        (np.repeat(right_table(17), 3, axis=0), "Each row stands 3 times"),
        (np.repeat(right_table(1), 50, axis=0), "all are the same"),
        (np.repeat(right_table(4)[3:], 50, axis=0), "all are the same"),
    ]:
        with subtests.test(said=said):
            assert said in only(table, "repeated-row-block").evidence


def test_a_row_may_be_masked_at_either_end_with_any_value(subtests):
    for row, value in [(-1, 0), (0, 1), (0, -1e9)]:
        with subtests.test(row=row, value=value):
            table = right_table()
            table[row] = value
            finding = only(table, "constant-row")
            assert finding.cell[0] == row % 50
            assert finding.cell[2] == value


def test_a_first_row_kept_for_padding_is_a_convention_and_the_report_says_when_it_is_a_mistake():
    table = right_table()
    table[0] = 0
    diagnosis = diagnose(table)
    assert diagnosis.correct
    assert diagnosis.max_error < 1e-9
    finding = only(table, "zeroed-first-row")
    assert finding.cell is None
    assert "where words are counted from 1" in finding.why
    assert "Where words are counted from 0, it is a mistake" in finding.why


def test_a_row_kept_for_padding_does_not_hide_another_constant_row():
    table = right_table()
    table[0], table[-1] = 0, 0
    diagnosis = diagnose(table)
    assert names(diagnosis) == ["zeroed-first-row", "constant-row"]
    assert not diagnosis.correct
    assert diagnosis.findings[1].cell[0] == 49


def test_an_odd_width_is_named_whatever_it_was_divided_by(subtests):
    for halves, d in product([False, True], [5, 33]):
        with subtests.test(halves=halves, d=d):
            for width in (d, d + 1):
                angle = ladder(2 / width, pairs=(d + 1) // 2)
                table = arranged(np.sin(angle), np.cos(angle), halves)[:, :d]
                assert names(diagnose(table)) == ["missing-column", *["halves-layout"] * halves]
                padded = np.append(table, np.zeros((50, 1)), axis=1)
                assert names(diagnose(padded)) == ["zero-column", *["halves-layout"] * halves]


@pytest.mark.parametrize(
    "where",
    [
        pytest.param((0, 0), id="the first entry"),
        pytest.param((5,), id="a row"),
        pytest.param((-1,), id="the last row"),
        pytest.param((slice(None), 0), id="the first column"),
        pytest.param((slice(None), -1), id="the last column"),
        pytest.param((slice(None), slice(32, None)), id="half of the columns"),
        pytest.param((range(50), range(50)), id="a diagonal"),
    ],
)
@pytest.mark.parametrize("value", [np.nan, -np.inf])
def test_what_is_not_finite_does_not_hide_that_the_rest_is_right(where, value):
    table = right_table()
    table[where] = value
    diagnosis = diagnose(table)
    assert names(diagnosis) == ["not-finite"]
    bad = np.argwhere(~np.isfinite(table))
    assert f"{len(bad)} of 3200 values are" in diagnosis.findings[0].evidence
    place = f"the first stands in row {bad[0][0]}, column {bad[0][1]}."
    assert place in diagnosis.findings[0].evidence


def test_a_stray_value_is_shown_and_the_rest_is_still_explained():
    table = wrong_table("wrong-base", "halves-layout")
    table[3, 4] = 7.0
    diagnosis = diagnose(table)
    assert set(names(diagnosis)) == {"wrong-base", "halves-layout", "not-an-encoding"}
    stray = diagnosis.findings[-1]
    assert stray.cell[:3] == (3, 4, 7.0)
    assert stray.cell[3] == pytest.approx(np.sin(3 * 500 ** (-4 / 32)))
    assert "1 of 3200 values" in stray.evidence


# Several mistakes at once


def test_three_mistakes_are_named_one_by_one_in_the_order_of_their_entries(subtests):
    for mistakes in [
        ("halves-layout", "cosine-first", "wrong-base"),
        ("transposed", "halves-layout", "tensor2tensor-ladder"),
        ("halves-layout", "tensor2tensor-ladder", "zero-column"),
        ("halves-layout", "tensor2tensor-ladder", "zeroed-first-row"),
        ("wrong-base", "one-based-positions", "scaled"),
        ("missing-column", "not-finite", "repeated-row-block"),
    ]:
        with subtests.test(mistakes=mistakes):
            found = names(diagnose(wrong_table(*mistakes)))
            assert set(found) == set(mistakes)
            assert found == sorted(found, key=[*CATALOGUE].index)


def test_a_base_of_1000_with_odd_denominators_is_both_mistakes():
    table = side_by_side(ladder(2 / 64, base=1000), ladder(2 / 64, first=1 / 64, base=1000))
    diagnosis = diagnose(table)
    assert set(names(diagnosis)) == {"wrong-base", "odd-denominators"}
    assert diagnosis.base == pytest.approx(1000, rel=1e-9)


def test_positions_may_run_down_to_1():
    table = right_table(50, first=1)[::-1]
    assert set(names(diagnose(table))) == {"reversed-positions", "one-based-positions"}


# Right tables


def test_the_memory_layout_of_the_table_does_not_matter(arrange, refusal):
    for table in (right_table(), wrong_table("wrong-base", "one-based-positions")):
        assert diagnose(arrange(table)) == diagnose(table)


def test_any_floating_dtype_will_do(subtests):
    for dtype in [">f4", np.float32, np.longdouble]:
        with subtests.test(dtype=dtype):
            assert diagnose(right_table().astype(dtype)).findings == ()


def test_a_tensor_of_any_library_is_read_as_an_array():
    class Tensor:
        def __init__(self, array):
            self.array = array

        def __array__(self, dtype=None, copy=None):
            return np.array(self.array, dtype)

    assert diagnose(Tensor(right_table())).findings == ()
    assert diagnose([Tensor(row) for row in right_table()]).findings == ()
    assert diagnose(list(right_table())).findings == ()
    assert diagnose(tuple(map(tuple, right_table().tolist()))).findings == ()


def test_the_table_is_left_as_it_was(subtests):
    for mistakes in [(), ("wrong-base", "not-finite"), ("transposed",)]:
        with subtests.test(mistakes=mistakes):
            table = wrong_table(*mistakes)
            before = table.tobytes()
            diagnose(table)
            assert table.tobytes() == before


# Ties


def test_explanations_that_the_table_cannot_tell_apart_are_listed(subtests):
    for table, explanations in [
        (
            wrong_table("tensor2tensor-ladder", d=4),
            [{"doubled-exponent"}, {"tensor2tensor-ladder"}, {"wrong-base"}],
        ),
        (
            wrong_table("doubled-exponent", "wrong-base"),  # 500 squared
            [{"wrong-base"}, {"doubled-exponent", "wrong-base"}],
        ),
        (
            wrong_table("wrong-base", wrong_base=100.0),
            [{"wrong-base"}, {"doubled-exponent", "wrong-base"}],
        ),
        (
            wrong_table("sine-everywhere", "negated-angle"),
            [{"sine-everywhere", "negated-angle"}, {"sine-everywhere", "scaled"}],
        ),
    ]:
        with subtests.test(explanations=explanations):
            diagnosis = diagnose(table)
            given = [set(names(diagnosis)), *map(set, diagnosis.alternatives)]
            assert len(given) == len(explanations)
            assert all(explanation in given for explanation in explanations)
            others = "; or ".join(
                " with ".join(alternative) for alternative in diagnosis.alternatives
            )
            said = f"The same values also come from {others}. The table can't tell."
            assert str(diagnosis).endswith(said)
            assert diagnosis.markdown().endswith(said)
            assert said in BeautifulSoup(diagnosis.html(), "html.parser").get_text()


def test_without_a_tie_no_alternatives_are_listed():
    for mistake in ("one-based-positions", "wrong-base", "halves-layout"):
        diagnosis = alone(mistake)[1]
        assert diagnosis.alternatives == ()
        assert "can't tell" not in str(diagnosis) + diagnosis.markdown() + diagnosis.html()


# What is not an encoding


def nothing_known(diagnosis):
    assert not diagnosis.correct
    assert (diagnosis.layout, diagnosis.base, diagnosis.max_error) == (None, None, None)
    assert diagnosis.alternatives == ()


def changed(change):
    table = right_table()
    change(table)
    return table


RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(RANDOM.standard_normal((50, 64)), id="noise"),
        pytest.param(RANDOM.standard_normal((3, 2)), id="a little noise"),
        pytest.param(0.02 * RANDOM.standard_normal((50, 64)).astype("f4"), id="learned"),
        pytest.param(right_table() + RANDOM.normal(0, 0.01, (50, 64)), id="a noisy table"),
        pytest.param(np.zeros((50, 64)), id="zeros"),
        pytest.param(np.full((50, 64), 0.5), id="a constant"),
        pytest.param(np.zeros((3, 2)), id="a few zeros"),
        pytest.param(changed(lambda table: table[:, 5].fill(0.3)), id="a constant column"),
        pytest.param(np.outer(np.linspace(0, 1, 50), np.ones(8)), id="a ramp"),
        pytest.param(np.full((5, 4), 2**64 - 1, np.uint64), id="large integers"),
        pytest.param(np.full((5, 4), 5e-324), id="subnormal"),
    ],
)
def test_an_array_that_follows_no_formula_is_not_an_encoding(table):
    diagnosis = diagnose(table)
    assert names(diagnosis) == ["not-an-encoding"]
    nothing_known(diagnosis)


def test_a_table_without_a_finite_value_is_not_finite(subtests):
    for value in [np.nan, np.inf]:
        with subtests.test(value=value):
            diagnosis = diagnose(np.full((50, 64), value))
            assert names(diagnosis)[0] == "not-finite"
            assert "3200 of 3200 values" in diagnosis.findings[0].evidence
            nothing_known(diagnosis)


def test_rows_of_different_lengths_are_a_finding(subtests):
    for rows, shortest, longest in [
        ([[1, 2], [3]], 1, 2),
        ([[1.0, 2.0], (3.0, 4.0), [5.0]], 1, 2),
        ([[], [1.0], [2.0]], 0, 1),
    ]:
        with subtests.test(rows=rows, shortest=shortest, longest=longest):
            diagnosis = diagnose(rows)
            assert names(diagnosis) == ["not-an-encoding"]
            assert (
                f"different lengths, from {shortest} to {longest}" in diagnosis.findings[0].evidence
            )
            nothing_known(diagnosis)
            assert BeautifulSoup(diagnosis.html(), "html.parser").find("dt")


# What it refuses


class Refuses:
    def __array__(self, dtype=None, copy=None):
        raise ValueError("these values are elsewhere")


NOT_REAL = [
    *("abc", b"abc", None, {1: 2}, object(), [[1, None]] * 3, [["a", "b"]] * 3),
    *([[2**70, 1], [2, 3], [4, 5]], np.ones((5, 4), bool)),
    *(np.zeros((5, 4), "M8[s]"), np.zeros((5, 4), "m8[s]"), np.full((5, 4), "1.0")),
    *(np.zeros((5, 4), [("a", "f8")]), right_table().astype(object)),
]
SHAPES = [(), (5,), (2, 64), (50, 1), (0, 0), (0, 5), (5, 0), (2, 5, 4), (5, 3, 2), (1, 1, 64)]


def test_what_is_no_table_is_refused(refusal):
    for table in NOT_REAL:
        message = refusal(TypeError, diagnose, table)
        assert message.startswith("table must hold real numbers, but its dtype is "), table
        assert message.endswith(": convert it to float"), table
    masked = np.ma.masked_greater(right_table(), 0.5)
    assert "table must not be a masked array" in refusal(TypeError, diagnose, masked)
    for shape in SHAPES:
        message = refusal(ValueError, diagnose, np.ones(shape))
        assert "table must have shape (n, d) with at least 3 rows and 2 columns" in message
        assert f"but its shape is {shape}: " in message
    for table in ([[[1], [2, 3]], [[1]]], Refuses()):
        message = refusal(ValueError, diagnose, table)
        assert message.startswith("table must be a regular array of numbers: "), table


def test_an_impossible_base_is_refused(refusal):
    for base in (1, 0.5, 1e-5):
        assert refusal(ValueError, diagnose, right_table(), base=base) == (
            f"base must be above 1 for a ladder that falls, but it is {float(base)}: try 10000"
        )
    for base in (0, -5, np.nan, np.inf, np.float32(np.inf)):
        message = refusal(ValueError, diagnose, right_table(), base=base)
        assert message == f"base must be positive and finite, but it is {base!r}: try 10000"
    for base in ("1e4", True, 1j, [1e4], np.array(1e4)):
        message = refusal(TypeError, diagnose, right_table(), base=base)
        assert message == f"base must be a real number, not {base!r}: the usual base is 10000"


def test_the_base_may_be_a_number_of_any_type():
    for base in (100, np.int8(100), np.float32(100), 100.0):
        assert diagnose(right_table(base=100.0), base=base).findings == ()


def test_no_floating_point_error_is_raised_even_if_numpy_is_told_to_raise():
    for mistakes in ((), ("wrong-base", "not-finite")):
        with np.errstate(all="raise"):
            found = diagnose(wrong_table(*mistakes))
        assert set(names(found)) == set(mistakes)


# What it says


@pytest.fixture(scope="module")
def reports():
    others = [
        right_table(),
        wrong_table("wrong-base", "scaled", "transposed"),
        wrong_table("tensor2tensor-ladder", d=4),
        np.zeros((20, 8)),
        np.full((5, 4), np.nan),
        [[1], [2, 3]],
    ]
    return [alone(name)[1] for name in NAMES] + [diagnose(table) for table in others]


class Balanced(HTMLParser):
    """A parser that fails on a tag that is not closed, or closed by another."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        assert not attrs
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_every_form_of_the_report_says_every_finding_in_full(reports):
    for report in reports:
        page = BeautifulSoup(report.html(), "html.parser").get_text(" ")
        for text in (str(report), report.markdown(), page):
            assert report.summary in text
            for finding in report.findings:
                for part in (finding.mistake, finding.evidence, finding.why, finding.remedy):
                    assert part in text
                assert finding.case in text
            assert len(text) < 500 + 2000 * len(report.findings)


def test_the_html_is_well_formed(reports):
    for report in reports:
        parser = Balanced()
        parser.feed(report.html())
        parser.close()
        assert parser.open == []
        page = BeautifulSoup(report.html(), "html.parser")
        terms = [term.get_text() for term in page.find_all("dt")]
        assert terms == [finding.mistake for finding in report.findings]
        assert len(page.find_all("dd")) == len(terms)
        assert report._repr_html_() == report.html()


def test_html_escapes_what_is_said():
    finding = Finding("scaled", "a < b & c", "<script>", '"why" > how')
    report = Diagnosis((finding,), (3, 2), None, None, None)
    page = report.html()
    assert "a &lt; b &amp; c" in page
    assert "<script>" not in page
    text = BeautifulSoup(page, "html.parser").get_text()
    assert "a < b & c" in text
    assert '"why" > how' in text


def test_sentences_are_sentences(reports):
    for report in reports:
        for finding in report.findings:
            for text in (finding.evidence, finding.why, finding.remedy):
                assert text == text.strip()
                assert text[0].isupper() or text[0].isdigit() or text.startswith("np.")
                assert text.endswith(".")
                assert "  " not in text
                assert ".." not in text
                assert not any(junk in text for junk in ("array(", "np.float", "None", "inf."))


def test_the_summary_says_the_shape_and_what_was_estimated():
    report = diagnose(wrong_table("wrong-base", "halves-layout"))
    assert report.summary == (
        "This table is not right (50 x 64, layout halves, base 500, largest error 2)."
    )
    assert str(report).splitlines()[0] == report.summary
    right = diagnose(np.float32(right_table()))
    assert str(right).startswith("This is a right table (50 x 64, layout interleaved, base 10000,")
    assert len(str(right).splitlines()) == 1


def test_the_repr_is_short():
    assert repr(diagnose(right_table())) == "<Diagnosis: correct>"
    assert repr(diagnose(wrong_table("cosine-first"))) == "<Diagnosis: correct: cosine-first>"
    wrong = repr(diagnose(wrong_table("scaled")))
    assert wrong == "<Diagnosis: not correct: scaled>"


def test_the_largest_error_is_the_distance_from_the_right_table():
    for mistake in ("wrong-base", "scaled", "one-based-positions", "constant-row"):
        table, diagnosis = alone(mistake)
        largest = np.abs(table - right_table()).max()
        assert diagnosis.max_error == pytest.approx(largest, rel=1e-9)
    for mistake in ("halves-layout", "cosine-first", "transposed", "missing-column"):
        assert alone(mistake)[1].max_error < 1e-12


# Large tables, and tables at the edge


def test_rows_of_nan_are_set_aside_and_not_taken_for_repetition():
    for rows in (slice(0, 1), slice(25, 50), slice(None, None, 2)):
        table = right_table(50, 64)
        table[rows] = np.nan
        assert [finding.mistake for finding in diagnose(table).findings] == ["not-finite"]


def test_a_base_that_makes_the_same_ladder_is_an_alternative():
    assert diagnose(wrong_table("doubled-exponent")).alternatives == (("wrong-base",),)
    assert diagnose(right_table(50, 64), base=100).alternatives == (("wrong-base",),)


def test_reversed_positions_may_end_far_out():
    table = wrong_table("reversed-positions", "one-based-positions", n=30, d=64, first=100)
    found = [finding.mistake for finding in diagnose(table).findings]
    assert sorted(found) == ["one-based-positions", "reversed-positions"]


def test_values_near_the_largest_float_do_not_overflow():
    table = np.sign(np.random.default_rng(0).standard_normal((50, 64))) * 1.7e308
    assert [finding.mistake for finding in diagnose(table).findings] == ["not-an-encoding"]


@pytest.mark.parametrize(
    "table",
    [np.eye(50)[:, :20], np.repeat(np.eye(25), 2, axis=0), RANDOM.standard_normal((50, 64))],
    ids=["ones on a diagonal", "rows twice", "noise"],
)
def test_what_holds_no_waves_is_given_up_before_recipes_are_fitted(table, monkeypatch):
    def never(*args):
        raise AssertionError("a recipe is fitted to what holds no waves")

    for module in ("_estimate", "_hypotheses", "_refine", "_closed_forms"):
        monkeypatch.setattr(f"posenc_clinic.{module}.polish", never)
    assert names(diagnose(table)) == ["not-an-encoding"]


def test_a_scale_far_beyond_the_values_is_not_believed():
    table = right_table(5, 4)
    few = Sample(table, np.arange(5), np.arange(4), 4, 4, 1e-15, 2.0**-48)
    right = Recipe(4, math.log(10_000) / 2)
    assert few.scale_is_plausible(right)
    assert not few.scale_is_plausible(replace(right, scale=1e5, mean=-1e5))
    assert not few.scale_is_plausible(replace(right, scale=1e-15))
