"""The diagnosis: mistakes are named, right tables cleared, ties listed, bad input refused."""

import functools
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from bs4 import BeautifulSoup
from clashes import CONVENTIONS, MEANT, PLACELESS
from clinic_tables import check_mistakes, many, names, with_entries

from posenc_clinic import Diagnosis, Finding, diagnose
from posenc_clinic.mistakes import CATALOGUE
from posenc_clinic.mistakes.finding import title_of
from posenc_clinic.mistakes.others import OTHERS
from posenc_clinic.mistakes.wrong_tables import NAMES, arranged, right_table, wrong_table
from posenc_clinic.saying.typeset import typeset

ROOT = Path(__file__).parents[2]
RIGHT = right_table()


def only(table, mistake, said="", **given):
    """Diagnose a table with this mistake alone, whose evidence says this; return the finding."""
    diagnosis = check_mistakes(table, mistake, case=said, **given)
    assert diagnosis.correct is (mistake in CONVENTIONS)
    assert said in diagnosis.findings[0].evidence
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


def test_the_guide_quotes_the_files_it_names():
    guide = (ROOT / "packages/posenc-clinic/adding-a-mistake.md").read_text("utf-8")
    examples = re.findall(r"^   ```\w+\n(.*?)^   ```$", guide, re.M | re.S)
    numbers = "packages/posenc-clinic/posenc_clinic/mistakes/numbers.py"
    files = (
        numbers,
        "packages/posenc-clinic/posenc_clinic/mistakes/wrong_tables.py",
        "book/sources.yml",
    )
    for path, example in zip(files, examples, strict=True):
        assert re.sub("^   ", "", example, flags=re.M) in (ROOT / path).read_text("utf-8"), path


def test_each_mistake_is_found_and_its_cell_shown():
    for mistake in NAMES:
        table, diagnosis = alone(mistake)
        assert names(diagnosis) == [mistake]
        (finding,) = diagnosis.findings
        assert finding.convention is diagnosis.correct is (mistake in CONVENTIONS), mistake
        assert finding.case == f"case-{mistake}"
        assert (finding.cell is None) is (mistake in PLACELESS), mistake
        if finding.cell is None:
            continue
        row, j, found, expected = finding.cell
        assert [type(x) for x in finding.cell] == [int, int, float, float], mistake
        assert found == table[row, j], mistake
        assert math.isclose(expected, RIGHT[row, j], abs_tol=1e-12), mistake
        assert abs(found - expected) > 0.1, mistake
        sentence = f"Row {row}, column {j} holds {found:.4g}, where {expected:.4g} belongs."
        assert finding.evidence.endswith(sentence), mistake


def test_wrong_numbers_are_estimated_and_said():
    for base in (2, 500, 300_000):
        table = wrong_table("wrong-base", wrong_base=float(base), n=20, d=16)
        only(table.round(3), "wrong-base", f"Its base is {base}, not 10000.")
        assert math.isclose(diagnose(table).base, base, rel_tol=1e-9)
        assert diagnose(table, base=base).findings == ()
    for first in (-1, 7, 1000):
        table = wrong_table("one-based-positions", first=first)
        for form in (table, table.round(3)):
            diagnosis = check_mistakes(form, "one-based-positions")
            said = f"The first row is that of position {first}."
            assert said in diagnosis.findings[0].evidence
            assert diagnosis.correct is (first > 10)  # part of a longer table
    for x in (-1, 0.001, 100):
        only(wrong_table("scaled", factor=x), "scaled", f"The factor is {x:.6g}.")
        only(wrong_table("shifted-mean", constant=x), "shifted-mean", f"The constant is {x}.")
    said = "The factor is 4, the square root of d_model."
    only(wrong_table("scaled", d=16), "scaled", said)


def test_rows_may_repeat_singly_or_in_blocks():
    for table, said in [
        (np.tile(right_table(20), (3, 1))[:50], "Row 20 is row 0 again"),
        (np.repeat(right_table(17), 3, axis=0), "Each row comes 3 times"),
        (np.repeat(right_table(4)[3:], 50, axis=0), "all are the same"),
    ]:
        only(table, "repeated-row-block", said)


def test_a_masked_row_may_hold_any_value():
    for row, value in ((-1, 0), (0, 1), (0, -1e9)):
        finding = only(with_entries(RIGHT, row, value), "constant-row")
        assert (finding.cell[0], finding.cell[2]) == (row % 50, value)


def test_a_first_row_for_padding_is_a_convention():
    finding = only(with_entries(RIGHT, 0, 0), "zeroed-first-row")
    assert finding.cell is None
    assert "where tokens are counted from 1" in finding.why
    assert "Where tokens are counted from 0 it is a mistake" in finding.why
    assert diagnose(with_entries(RIGHT, 0, 0)).max_error < 1e-9
    diagnosis = check_mistakes(with_entries(RIGHT, [0, -1], 0), "zeroed-first-row", "constant-row")
    assert not diagnosis.correct
    assert diagnosis.findings[1].cell[0] == 49


def test_an_odd_width_is_named_whatever_its_divisor():
    for halves, d, more in many((False, True), (5, 33), (0, 1)):
        angle = ladder(2 / (d + more), pairs=(d + 1) // 2)
        table = arranged(np.sin(angle), np.cos(angle), halves)[:, :d]
        layout = ["halves-layout"] * halves
        check_mistakes(table, "missing-column", *layout, case=d)
        check_mistakes(np.append(table, np.zeros((50, 1)), axis=1), "zero-column", *layout, case=d)


def test_what_is_not_finite_hides_nothing():
    for place, value in [((0, 0), np.nan), ((slice(None), -1), -np.inf), (slice(25, 50), np.nan)]:
        table = with_entries(RIGHT, place, value)
        bad = np.argwhere(~np.isfinite(table))
        said = f"{len(bad)} of 3200 values are NaN or infinite; the first is in row "
        only(table, "not-finite", f"{said}{bad[0][0]}, column {bad[0][1]}.")


def test_a_stray_value_is_shown_beside_the_rest():
    table = with_entries(wrong_table("wrong-base", "halves-layout"), (3, 4), 7.0)
    diagnosis = diagnose(table)
    assert set(names(diagnosis)) == {"wrong-base", "halves-layout", "not-an-encoding"}
    stray = diagnosis.findings[-1]
    assert stray.cell == (3, 4, 7.0, pytest.approx(np.sin(3 * 500 ** (-4 / 32))))
    assert "1 of 3200 values" in stray.evidence


# Several mistakes at once


def test_three_mistakes_are_named_in_catalogue_order():
    for mistakes in [
        ("halves-layout", "cosine-first", "wrong-base"),
        ("transposed", "halves-layout", "tensor2tensor-ladder"),
        ("halves-layout", "tensor2tensor-ladder", "zero-column"),
        ("halves-layout", "tensor2tensor-ladder", "zeroed-first-row"),
        ("wrong-base", "one-based-positions", "scaled"),
        ("missing-column", "not-finite", "repeated-row-block"),
    ]:
        check_mistakes(wrong_table(*mistakes), *sorted(mistakes, key=[*CATALOGUE].index))


# Right tables


def test_the_table_is_left_as_it_was():
    for mistakes in ((), ("wrong-base", "not-finite"), ("transposed",)):
        table = wrong_table(*mistakes)
        before = table.tobytes()
        with np.errstate(all="raise"):
            assert set(names(diagnose(table))) == set(mistakes)
        assert table.tobytes() == before, mistakes


# Ties


def test_indistinguishable_explanations_are_all_listed():
    ladders = "doubled-exponent, tensor2tensor-ladder, wrong-base"
    for table, explanations in [
        (wrong_table("tensor2tensor-ladder", d=4), ladders),
        (wrong_table("wrong-base", wrong_base=100.0), "wrong-base, doubled-exponent wrong-base"),
        (
            wrong_table("sine-everywhere", "negated-angle"),
            "sine-everywhere negated-angle, sine-everywhere scaled",
        ),
    ]:
        diagnosis = diagnose(table)
        given = [*map(sorted, (names(diagnosis), *diagnosis.alternatives))]
        assert sorted(given) == sorted(sorted(each.split()) for each in explanations.split(", "))
        others = "; or ".join(" with ".join(each) for each in diagnosis.alternatives)
        said = f"The same values also come from {others}. They do not show which it was."
        assert str(diagnosis).endswith(said)
        titles = diagnosis.doubt(title_of)
        assert "-" not in titles
        assert titles in BeautifulSoup(diagnosis.html(), "html.parser").get_text()
    for mistake in ("one-based-positions", "wrong-base", "halves-layout"):
        assert "do not show which" not in str(alone(mistake)[1])


# What is not an encoding


def check_nothing_known(table, mistake, said="", case=""):
    diagnosis = diagnose(table)
    assert names(diagnosis)[0] == mistake, case
    assert not diagnosis.correct
    assert said in diagnosis.findings[0].evidence
    known = diagnosis.layout, diagnosis.base, diagnosis.max_error, diagnosis.alternatives
    assert known == (None, None, None, ()), case
    assert BeautifulSoup(diagnosis.html(), "html.parser").find("dt")
    return diagnosis


def test_what_follows_no_formula_is_no_encoding():
    draw = np.random.default_rng(0)
    for at, table in enumerate(
        [
            *(draw.standard_normal(shape) for shape in ((3, 2), (5, 3), (20, 8), (200, 64))),
            *(draw.uniform(-1, 1, (30, 16)).astype("f2"), draw.standard_normal((40, 16)).round(3)),
            *(draw.integers(-5, 5, (20, 8)), RIGHT.round().astype("i1"), RIGHT[:, ::-1]),
            *(np.eye(50), np.eye(512, 64), np.arange(40).reshape(10, 4)),
            *(RIGHT + draw.normal(0, 0.01, (50, 64)), np.zeros((50, 64)), np.full((50, 64), 0.5)),
            *(with_entries(RIGHT, (slice(None), 5), 0.3), np.full((5, 4), 2**64 - 1, np.uint64)),
            np.sign(draw.standard_normal((50, 64))) * 1.7e308,
        ]
    ):
        diagnosis = check_nothing_known(table, "not-an-encoding", case=at)
        assert len(diagnosis.findings) == 1, at
        assert diagnosis.verdict == ("unknown" if np.any(table) else "wrong"), at
    for value in (np.nan, np.inf):
        full = check_nothing_known(np.full((50, 64), value), "not-finite", "3200 of 3200 values")
        assert "causal mask" not in str(full), value
    check_nothing_known([[1, 2], [3]], "not-an-encoding", "different lengths, from 1 to 2")


# What it refuses


class Array:
    """What NumPy can make an array of these values, or not."""

    def __init__(self, values=None):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        if self.values is None:
            raise ValueError("these values are elsewhere")
        return np.array(self.values, dtype)


NOT_REAL = [None, [["a", "b"]] * 3, np.ones((5, 4), bool), RIGHT.astype(object)]
SHAPES = [(), (5,), (2, 64), (50, 1), (0, 5), (2, 5, 4), (1, 64, 1)]


def test_diagnose_refuses_what_is_no_table(refusal):
    for table in NOT_REAL:
        message = refusal(TypeError, diagnose, table)
        assert message.startswith("table must hold real numbers, but its dtype is "), table
        assert message.endswith(": convert it to float"), table
    masked = np.ma.masked_greater(RIGHT, 0.5)
    assert "table must not be a masked array" in refusal(TypeError, diagnose, masked)
    for shape in SHAPES:
        message = refusal(ValueError, diagnose, np.ones(shape))
        assert "table must have shape (n, d) with at least 3 rows and 2 columns" in message
        assert f"but its shape is {shape}: pass one row for each position" in message
    for table in ([[[1], [2, 3]], [[1]]], Array()):
        message = refusal(ValueError, diagnose, table)
        assert message.startswith("table must be a regular array of numbers: "), table


def test_diagnose_refuses_an_impossible_base_or_recipe(refusal):
    for error, said, bases in [
        (ValueError, "base must be above 1, so that frequencies fall", (1, 0.5)),
        (ValueError, "base must be positive and finite", (-5, np.nan)),
        (TypeError, "base must be a real number, not ", ("1e4", True)),
    ]:
        for base in bases:
            message = refusal(error, diagnose, RIGHT, base=base)
            assert message.startswith(said), base
            assert message.endswith("10000")
    message = refusal(ValueError, diagnose, RIGHT, recipe="vaswani")
    assert message.startswith("recipe must be one of paper, paper-halves, ")
    assert message.endswith("or None, not 'vaswani'")


# What it says


@pytest.fixture(scope="module")
def reports():
    others = [
        *(RIGHT, wrong_table("wrong-base", "scaled", "transposed")),
        *(wrong_table("tensor2tensor-ladder", d=4), np.full((5, 4), np.nan)),
        *(np.zeros((20, 8)), [[1], [2, 3]]),
    ]
    return [alone(name)[1] for name in NAMES] + [diagnose(table) for table in others]


def test_every_form_says_every_finding_in_full(reports):
    for report in reports:
        page = BeautifulSoup(report.html(), "html.parser").get_text()
        assert report.summary in str(report)
        for text, form in (
            (str(report), str),
            (page, lambda said: typeset(said).replace("`", "")),
        ):
            for finding in report.findings:
                for part in (finding.title, finding.shown, finding.why, finding.remedy):
                    assert form(part) in text
                assert finding.case in text
                assert finding.mistake in text or form is not str
            assert len(text) < 500 + 2000 * len(report.findings)


def test_numbers_and_code_are_set_as_a_person_writes_them():
    for said, set_ in {
        "from 1 to 1.3284e-08, and base 1e+06": "from 1 to 1.3·10⁻⁸, and base 1,000,000",
        "holds -0.87981, where 0.9786 belongs": "holds −0.88, where 0.98 belongs",
        "holds 0.99991, where 0.99992 belongs": "holds 0.99991, where 0.99992 belongs",
        "50 x 64, from -5 to 5 in 10000 rows": "50 × 64, from −5 to 5 in 10,000 rows",
        "column j has i = j // 2.": "column j has `i = j // 2`.",
        "or by // in C; np.arange(n), `a`": "or by `//` in C; `np.arange(n)`, `a`",
        "times -log(base) / d_model, 2 * i": "times `-log(base) / d_model`, `2 * i`",
    }.items():
        assert typeset(said) == set_
    for known in (CATALOGUE | OTHERS).values():
        for text in (known.what, known.why, known.remedy):
            assert not re.search(r"\*|//|_|[a-z]\(", re.sub("`[^`]*`", "", typeset(text))), text


def test_the_html_is_well_formed_and_escaped(reports):
    odd = Finding("scaled", "a < b & c", "<script>", '"why" > how')
    for report in (*reports, Diagnosis((odd,), (3, 2), None, None, None)):
        page = ElementTree.fromstring(f"<p>{report.html().replace('<br>', '<br/>')}</p>")
        assert not any(tag.attrib for tag in page.iter())
        titles = [typeset(each.title).replace("`", "") for each in report.findings]
        assert ["".join(term.itertext()) for term in page.iter("dt")] == titles
        assert len([*page.iter("dd")]) == len(report.findings)
        assert report._repr_html_() == report.html()
    assert "a &lt; b &amp; c" in report.html()
    for text in (odd.evidence, odd.why, odd.remedy):
        assert text in "".join(page.itertext())


def test_sentences_are_sentences(reports):
    for finding in (finding for report in reports for finding in report.findings):
        for text in (finding.evidence, finding.why, finding.remedy):
            assert re.match(r"[A-Z\d]|np\.", text), text
            assert text.endswith("."), text
            assert not re.search(r"  |\.\.|array\(|np\.float|None|inf\.", text), text


def test_the_summary_says_shape_and_estimates():
    report = diagnose(wrong_table("wrong-base", "halves-layout"))
    assert report.summary == (
        "Wrong: wrong-base (50 x 64, layout halves, base 500, largest error 2)."
    )
    right = str(diagnose(np.float32(RIGHT)))
    assert right.startswith('Right, as "paper" (50 x 64, layout interleaved, base 10000,')
    assert len(right.splitlines()) == 1
    assert repr(diagnose(wrong_table("cosine-first"))) == "<Diagnosis: right: cosine-first>"
