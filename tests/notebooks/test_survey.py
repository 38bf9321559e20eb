"""The survey of other people's code: its records, what `diagnose` says of them, and its page."""

import json
import re
import sys
from collections import Counter

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from test_chapters import ROOT, read

import posenc
from posenc_clinic import diagnose

sys.path.append(str(ROOT / "notebooks/clinic"))

import survey

STORED = survey.read()
RECORDS = STORED["records"]
EARLIER = STORED["earlier"]
PAGE = ROOT / "notebooks/clinic/code-in-the-wild.ipynb"
PROSE = "\n".join(cell.source for cell in read(PAGE).cells if cell.cell_type == "markdown")
FORMULAS = {json.dumps(one["formula"]): one for one in EARLIER + RECORDS}
LINK = re.compile(r"https://github\.com/([\w-]+/[\w.-]+)/blob/([0-9a-f]{40})/([^)\s]+)")


# The records -----------------------------------------------------------------------------------


def test_no_implementation_is_counted_twice():
    assert len({(one["repository"], one["path"], one["commit"]) for one in RECORDS}) == len(RECORDS)
    owners = Counter(
        (one["repository"].split("/")[0], json.dumps(one["formula"])) for one in RECORDS
    )
    assert max(owners.values()) == 1
    counted = {one["repository"] for one in RECORDS}
    assert len(counted) == len(RECORDS)
    assert {one["repository"] for one in EARLIER} <= counted, "earlier commits of counted ones"


def test_each_kind_has_one_verdict():
    kinds = {(one["kind"], one["verdict"]) for one in RECORDS}
    assert len(kinds) == len({one["kind"] for one in RECORDS})


# What their formulas make ----------------------------------------------------------------------


def test_each_table_gets_the_stored_diagnosis():
    for record in FORMULAS.values():
        found = survey.said(diagnose(survey.make(record["formula"])))
        better = f"{record['path']}: if this is better, run `python survey.py` in its folder"
        assert found == record["diagnosis"], better


def test_formulas_of_a_kind_match_the_diagnosis():
    for one in EARLIER + RECORDS:
        assert one["diagnosis"] == FORMULAS[json.dumps(one["formula"])]["diagnosis"]


def test_verdicts_are_right():
    for one in RECORDS:
        assert one["verdict"] != "right" or one["diagnosis"]["recipe"] == "paper"
        # A row of zeros is called right, as a row for pads; no table shows whether there are pads.
        unseen = one["kind"] == "row 0 zero"
        assert one["verdict"] != "mistake" or one["diagnosis"]["correct"] == unseen


def test_other_formulas_make_what_they_say():
    pos, i = np.arange(50)[:, np.newaxis], np.arange(32)
    odd = survey.make({"cosine": [2, 1]})
    assert_allclose(odd[:, 0::2], posenc.sinusoidal(50, 64)[:, 0::2], atol=1e-12)
    assert_allclose(odd[:, 1::2], np.cos(pos / 10_000 ** ((2 * i + 1) / 64)), atol=1e-12)
    assert_allclose(survey.make({"frequencies": "2i"})[:, 0::2], np.sin(pos * 2 * i), atol=1e-12)
    first = survey.make({"sine": [4, 0], "cosine": [4, 2], "over": "1", "times": "d"})
    assert_allclose(first[:, :2], np.hstack([np.sin(pos * 64), np.cos(pos * 64 / 1e8)]), atol=1e-12)
    rows = survey.make({"by_row": True})
    assert_allclose(rows[::2, 1::2], posenc.sinusoidal(50, 64)[::2, 0::2], atol=1e-12)
    assert_allclose(rows[1::2, 0::2], posenc.sinusoidal(50, 64)[1::2, 1::2], atol=1e-12)
    assert_array_equal(survey.make({"zero_rows": [1]})[:3].any(axis=1), [True, False, True])
    exact = posenc.sinusoidal(50, 64)
    assert 1e-4 < abs(survey.make({"dtype": "float16"}) - exact).max() < 0.2


# The page --------------------------------------------------------------------------------------


def test_links_of_the_page_are_records():
    known = {(one["repository"], one["commit"], one["path"]) for one in EARLIER + RECORDS}
    linked = LINK.findall(PROSE)
    assert len(linked) > 20
    assert {*linked} <= known


def test_mistakes_are_named_beside_their_programs():
    found = re.findall(rf"<case-([\w-]+)>` \(\[[^]]+\]\({LINK.pattern}\)", PROSE)
    names = {(one["repository"], one["commit"], one["path"]): one["names"] for one in RECORDS}
    assert len(found) >= 4
    for case, *link in found:
        assert case in names[tuple(link)]
