"""The site can be found, shared and cited, and nothing is broken where no address is known."""

import datetime
import io
import re
import tomllib

import numpy as np
import yaml
from pypdf import PdfReader
from reader import ROOT, pages, parse

import posenc
from posenc_book import words
from posenc_book.chapters import cheat_sheet, cite
from posenc_book.theme import meta

WRITTEN = [page for page in pages() if page not in ("search", "genindex", "prf-prf")]
HOME = "https://example.org/course/"


# Pages.


def test_every_page_says_what_it_is_about(site):
    said = {}
    for page in WRITTEN:
        head = parse(site / f"{page}.html").head
        text = head.select_one("meta[name=description]")["content"]
        assert 20 < len(text) <= meta.LONGEST, page
        assert not re.search(r"[\\$`*{}<>]", text), text
        assert said.setdefault(text, page) == page
        assert head.select_one("meta[property='og:description']")["content"] == text
        assert not head.select("[rel=canonical], [property='og:url']")  # no address is known
        for link in head.select("link[rel~=icon], link[rel=apple-touch-icon]"):
            icon = site / page / ".." / link["href"].partition("?")[0]
            assert icon.resolve().is_file()


# To cite.

ABOUT = {
    "title": "A title",
    "version": "1.0",
    "date-released": datetime.date(2026, 11, 21),
    "authors": cite.authors("Ada Lovelace, Alan M. Turing and The Team"),
}


def test_the_citation_names_people_and_groups():
    assert cite.text(ABOUT) == (
        "Lovelace, A., Turing, A. M., & The Team. (2026). *A title* (Version 1.0)."
    )
    assert "author = {Lovelace, Ada and Turing, Alan M. and {The Team}}" in cite.bibtex(ABOUT)
    assert "url" not in cite.bibtex(ABOUT)
    with_doi = {**ABOUT, "url": HOME, "doi": "10.1/2"}
    assert cite.text(with_doi).endswith(" https://doi.org/10.1/2")
    assert f"url = {{{HOME}}}" in cite.bibtex({**ABOUT, "url": HOME})


def test_citation_and_packages_say_what_the_configuration_says():
    config, about = words.config(ROOT), yaml.safe_load((ROOT / cite.FILE).read_text("utf-8"))
    assert about["title"].startswith(config["title"])
    people = [{key: one[key] for key in one if "name" in key} for one in about["authors"]]
    assert people == cite.authors(config["author"])
    places = {"Documentation": config["html"]["baseurl"], "Source": config["repository"]["url"]}
    assert [about.get("url", ""), about.get("repository-code", "")] == [*places.values()]
    for file in [ROOT / "pyproject.toml", *ROOT.glob("packages/*/pyproject.toml")]:
        project = tomllib.loads(file.read_text("utf-8"))["project"]
        names = [cite.for_schema(one)["name"] for one in people]
        assert [one["name"] for one in project["authors"]] == names, file
        wanted = {name: place for name, place in places.items() if place}
        assert project.get("urls", wanted) == wanted, file  # the book's own package has none
        assert project["version"] == about["version"] == posenc.__version__, file
    released = f"## {about['version']} ({about['date-released']})"
    assert f"\n{released}\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_a_citation_can_be_copied(newcomer):
    tab = newcomer("book/cite")
    assert tab.locator(".highlight .copybtn").count() == 1
    assert "@misc{" in tab.locator(".highlight pre").inner_text()


# The cheat sheet.


def test_the_cheat_sheet_is_one_sheet(newcomer):
    tab = newcomer("book/cheat-sheet")
    (sheet,) = PdfReader(io.BytesIO(tab.pdf(prefer_css_page_size=True))).pages
    width, height = (float(length) / 72 * 25.4 for length in sheet.mediabox[2:])
    assert (round(width), round(height)) == (420, 297)
    assert "Which one?" in sheet.extract_text()


def test_the_cheat_sheet_computes_what_it_shows():
    code = re.search(
        r"```python\n(.*?)```", (ROOT / "book/cheat-sheet.md").read_text("utf-8"), re.S
    )
    names = {"np": np}
    exec(code[1], names)
    x, t = np.random.default_rng(0).normal(size=(5, 8)), np.array([0, 1, 7, 100, 5000])
    assert np.allclose(names["rope"](x, t), posenc.rope(x, positions=t), atol=1e-12)
    assert len(code[1].splitlines()) == 5
    rows = list(cheat_sheet.dials({"a model": (64, 10_000, 100)}))
    turns = 100 * posenc.frequencies(64) / (2 * np.pi)
    assert rows[0].endswith(f" {(turns >= 1).sum()} of 32 pairs")
    assert rows[1].count("<circle") == 2 * cheat_sheet.DIALS
    assert len(cheat_sheet.models(ROOT)) > 4
    assert "| 1 | 0.8415 | 0.5403 |" in "\n".join(cheat_sheet.table())
