"""Each case of the clinic says where it was met, or that it is our own example."""

import re

from test_chapters import ROOT, cells

from posenc_book.chapters.mistakes import KINDS, SOURCES, read, where
from posenc_clinic.mistakes import CATALOGUE

ENTRIES = read(ROOT / SOURCES)
NAMED = [entry for entry in ENTRIES if "source" in entry]
PROSE = {
    path.stem: "\n\n".join(cell.source for cell in cells(path, "markdown"))
    for path in sorted((ROOT / "notebooks/clinic").glob("*.ipynb"))
}
CASES = re.findall(r"^\(case-([\w-]+)\)=$", "\n".join(PROSE.values()), re.M)


def test_cases_and_entries_match():
    assert len(CASES) > 40
    assert {entry["case"] for entry in ENTRIES} == set(CASES)


def test_every_named_mistake_has_a_case():
    missing = {*CATALOGUE} - {*CASES}
    assert not missing, f"no section of the clinic is called (case-...)= for {missing}"


def test_each_source_can_be_looked_up():
    assert {entry["kind"] for entry in ENTRIES} == {*KINDS}
    assert all(where(entry["source"]) for entry in NAMED)


def test_sources_of_chapters_are_indexed():
    fixed = [entry["fixed"] for entry in NAMED if "fixed" in entry]
    known = "\n".join([*(where(entry["source"]) for entry in NAMED), *fixed])
    prose = "\n".join(PROSE.values())
    for commit in re.findall(r"at commit `([0-9a-f]+)`", prose):
        assert f"`{commit}`" in known, f"no entry of {SOURCES} has the commit {commit}"
    for thread in re.findall(r"github\.com/([\w./-]+)/(?:issues|pull)/(\d+)", prose):
        assert "#".join(thread) in known, f"no entry of {SOURCES} has the thread {thread}"


def test_most_cases_were_met_somewhere():
    ours = {entry["case"] for entry in ENTRIES} - {entry["case"] for entry in NAMED}
    assert len(ours) < len(set(CASES)) / 2
