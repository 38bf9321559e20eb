"""Each case of the clinic says where it was met, or that it is our own example."""

import re
from pathlib import Path

import nbformat
import pytest
from pybtex.database import parse_file

from posenc_book.chapters.mistakes import KINDS, SOURCES, read, where
from posenc_clinic.mistakes import CATALOGUE

ROOT = Path(__file__).parents[2]
ENTRIES = read(ROOT / SOURCES)
NAMED = [entry for entry in ENTRIES if "source" in entry]
PROSE = {
    path.stem: "\n\n".join(
        cell.source
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
    )
    for path in sorted((ROOT / "notebooks/clinic").glob("*.ipynb"))
}
CASES = re.findall(r"^\(case-([\w-]+)\)=$", "\n".join(PROSE.values()), re.M)
REPOSITORY = re.compile(r"[\w-]+/[\w.-]+")


def test_every_case_has_an_entry_and_every_entry_a_case():
    assert len(CASES) > 40
    assert {entry["case"] for entry in ENTRIES} == set(CASES)


@pytest.mark.parametrize("mistake", CATALOGUE)
def test_every_mistake_that_a_diagnosis_names_has_a_case(mistake):
    assert mistake in CASES, f"no section of the clinic is called (case-{mistake})="


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["case"])
def test_an_entry_says_what_its_source_has_and_of_which_kind_it_is(entry):
    assert entry.keys() <= {"case", "kind", "what", "source"}
    assert entry["kind"] in KINDS
    assert entry["what"].endswith((".", "?"))


@pytest.mark.parametrize("entry", NAMED, ids=lambda entry: entry["case"])
def test_a_source_can_be_looked_up(entry):
    source = entry["source"]
    if "repository" in source:
        assert REPOSITORY.fullmatch(source["repository"])
        assert source.keys() - {"repository", "mended"} in ({"thread"}, {"file", "commit"})
        assert re.fullmatch(r"[0-9a-f]{40}", source.get("commit", "0" * 40))
        assert re.fullmatch(rf"{REPOSITORY.pattern}#\d+", source.get("mended", "a/b#1"))
    elif "page" in source:
        assert source.keys() == {"page", "title", "read"}
        assert re.fullmatch(r"https://\S+", source["page"])
    elif "paper" in source:
        assert source.keys() == {"paper", "section"}
        assert source["paper"] in parse_file(ROOT / "book/references.bib").entries
    else:
        assert source.keys() == {"book", "section", "read"}
    assert where(source)


@pytest.mark.parametrize("chapter", PROSE)
def test_sources_that_a_chapter_names_are_in_the_index_at_the_same_commit(chapter):
    known = "\n".join(where(entry["source"]) for entry in NAMED)
    for commit in re.findall(r"at commit `([0-9a-f]+)`", PROSE[chapter]):
        assert f"`{commit}`" in known, f"no entry of {SOURCES} has the commit {commit}"
    for thread in re.findall(r"github\.com/([\w./-]+)/(?:issues|pull)/(\d+)", PROSE[chapter]):
        assert "#".join(thread) in known, f"no entry of {SOURCES} has the thread {thread}"


def test_most_cases_were_met_somewhere():
    ours = {entry["case"] for entry in ENTRIES} - {entry["case"] for entry in NAMED}
    assert len(ours) < len(set(CASES)) / 2
