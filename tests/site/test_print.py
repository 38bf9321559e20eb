"""The printed book: the PDF, read back, has every chapter, figure, line of code and link."""

import contextlib
import copy
import functools
import io
import itertools
import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from PIL import Image, ImageStat
from pypdf import PdfReader
from reader import ROOT

from posenc_book.images import render
from posenc_book.paper import MANIFEST, __main__, download
from posenc_book.paper.single_page import LONE_CALL, Joiner

pytestmark = pytest.mark.sweep
SHOWN = "img:not(figure.frontispiece img, .still img), .figure:not(.frontispiece .figure)"
SCREEN = ["Show code cell", "Hide code cell", "Link to this heading", "Skip to main", "Ctrl+K",
          "Search the course", "On this page", "Download this page"]  # fmt: skip


def print_book(arguments):
    """Print in another thread, since a browser may be using this one's event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(__main__.main, arguments).result()


@pytest.fixture(scope="module")
def printed(site, tmp_path_factory):
    """Print from a copy of the built site; nothing is run again."""
    folder = tmp_path_factory.mktemp("paper")
    ours = folder / "html"
    shutil.copytree(site, ours, ignore=shutil.ignore_patterns("live", "lite"))
    shutil.copytree(site.parent / render.STORE, folder / render.STORE)
    shutil.copy(site.parent / MANIFEST, folder)
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        failed = print_book([str(ours)])
    assert (failed, said.getvalue()) == (0, "")  # nothing is too wide for the page, either
    return ours


@pytest.fixture(scope="module")
def note(printed):
    """What the printer was told."""
    return json.loads((printed.parent / MANIFEST).read_text("utf-8"))


@pytest.fixture(scope="module")
def pages(note):
    """The pages that are printed."""
    return [note["root"], *(page for part in note["parts"] for page in part["pages"])]


@pytest.fixture(scope="module")
def book(printed):
    return PdfReader(printed / download.PDF)


@pytest.fixture(scope="module")
def texts(book):
    return [page.extract_text() for page in book.pages]


@pytest.fixture(scope="module")
def letters(texts):
    """The text without whitespace, since lines too long for the page are wrapped."""
    return squeezed("".join(texts))


@pytest.fixture(scope="module")
def outline(book):
    """The title, level and page of each entry of the outline."""

    def walk(entries, level=1):
        for entry in entries:
            if isinstance(entry, list):
                yield from walk(entry, level + 1)
            else:
                yield entry.title, level, book.get_destination_page_number(entry)

    return [*walk(book.outline)]


@pytest.fixture(scope="module")
def alts(book):
    """The alt texts in the tagged structure."""
    waiting, said = [book.trailer["/Root"]["/StructTreeRoot"]], set()
    while waiting:
        node = waiting.pop().get_object()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            if node.get("/S") == "/Figure":
                said.add(node.get("/Alt"))
            if "/K" in node:
                waiting.append(node["/K"])
    return said


def squeezed(text):
    return re.sub(r"\s+", "", text)


@functools.cache
def article(site, page):
    """The article of a page; formulas only as their source, because there are many."""
    text = (site / f"{page}.html").read_text("utf-8")
    text = text[text.index("<article") : text.index("</article>")]
    text = re.sub(r"<!-- pdf.*?<!-- /pdf -->", "", text, flags=re.S)
    text = re.sub(r'<span class="(n|p|w)">([^<]*)</span>', r"\2", text)
    found = BeautifulSoup(text, "html.parser").find("article")
    for node in found.select(".headerlink, .noprint"):
        node.decompose()
    for node in found.select(".begins"):  # what follows an invitation, which has gone
        node.string = node.get_text().upper()
    return found


def source(page):
    file = ROOT / f"{page}.ipynb"
    return file.read_text("utf-8") if file.is_file() else ""


def test_its_properties_are_set(book):
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    assert book.metadata.title == settings["title"]
    assert book.metadata.author == settings["author"]
    root = book.trailer["/Root"]
    assert root["/Lang"] == settings["sphinx"]["config"]["language"]
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    width, height = (float(side) for side in book.pages[0].mediabox[2:])
    assert (round(width), round(height)) == (595, 842)


def test_its_outline_has_every_part_chapter_and_section(outline, printed, note, pages):
    def title(page):
        return article(printed, page).h1.get_text()

    expected = [("Contents", 1), (title(note["root"]), 2)]
    for part in note["parts"]:
        expected += [(part["caption"], 1), *((title(page), 2) for page in part["pages"])]
    solved = [page for page in pages if "{solution-start}" in source(page)]
    expected += [("Solutions", 1), *((title(page), 2) for page in solved)]
    assert [(title, level) for title, level, _ in outline if level < 3] == expected
    starts = [page for _, level, page in outline if level < 3]
    assert starts == sorted(starts)
    for page in pages:
        at = [title for title, *_ in outline].index(title(page)) + 1
        sections = [heading.get_text() for heading in article(printed, page).find_all("h2")]
        below = [title for title, level, _ in outline[at:] if level == 3]
        assert below[: len(sections)] == sections, page


def test_parts_and_chapters_begin_on_a_new_page(outline, texts):
    for title, level, page in outline:
        if level == 1 or (level == 2 and page < pages_of(outline, "Solutions")):
            lines = [squeezed(line) for line in texts[page].strip().splitlines()[:4]]
            assert squeezed(title)[:30] in "".join(lines), title


def pages_of(outline, title):
    return next(page for said, _, page in outline if said == title)


def test_contents_give_each_chapters_page(outline, texts):
    listed = squeezed("".join(texts[1:3]))
    for title, _, page in outline[1:]:
        if title == "Solutions":
            break
        if (title, page) in {(said, at) for said, level, at in outline if level < 3}:
            assert f"{squeezed(title)}{page + 1}" in listed, title
    for number, text in enumerate(texts[1:], 2):
        lines = [line.strip() for line in text.strip().splitlines()]
        assert str(number) in lines[:2] + lines[-2:]


def test_pages_say_whose_they_are(outline, texts):
    chapters = [(title, page) for title, level, page in outline if level == 2]
    for (title, page), (_, following) in itertools.pairwise(chapters[1 : len(chapters) // 2]):
        if following == page + 1:
            continue  # it has one page, which begins with its title
        lines = [line.strip() for line in texts[page + 1].strip().splitlines()]
        assert title in lines[:2] + lines[-2:]


def test_what_pages_say_is_printed(letters, printed, pages):
    def is_printed(words):
        """Whether words are printed, possibly across a page break."""
        halves = ((words[:at], words[at:]) for at in range(len(words)))
        return any(one in letters and two in letters for one, two in halves)

    for page in pages:
        text = copy.copy(article(printed, page))
        for node in text.select("noscript, script, .katex"):
            node.decompose()
        for node in text.select("p, li, dd, td"):
            said = squeezed(node.get_text())
            whole = not node.select("p, .math, .katex, code, a")
            if whole and len(said) > 40 and "Hidecodecell" not in said:
                assert is_printed(said), f"{page}: {said}"
        for cell in nbformat.reads(source(page), 4).cells if source(page) else []:
            shown = "remove-cell" not in cell.metadata.get("tags", [])
            if cell.cell_type == "code" and shown and not LONE_CALL.fullmatch(cell.source):
                for line in cell.source.splitlines():
                    assert squeezed(line) in letters, f"{page}: {line}"


def test_nothing_that_needs_a_screen_is_printed(texts):
    for number, text in enumerate(map(squeezed, texts), 1):
        assert not [words for words in SCREEN if squeezed(words) in text], f"page {number}"


def links(pages):
    """The destinations of links on some pages of the PDF."""
    notes = [entry.get_object() for page in pages for entry in page.get("/Annots") or []]
    return [str(note.get("/Dest", "")).lstrip("/") or note["/A"]["/URI"] for note in notes]


def test_links_have_targets_and_lead_to_them(book, outline, pages, printed, note):
    joined = BeautifulSoup(Joiner(printed, note).document("{{ body }}").text, "html.parser")
    anchored = {node["id"] for node in joined.select("[id]")}
    goals = {link["href"][1:] for link in joined.select("a[href^='#']")}
    assert goals - anchored == set()  # a browser leaves such a link out
    places = {name.lstrip("/") for name in book.named_destinations}
    found = links(book.pages)
    outside = [one for one in found if one not in places]
    assert len(found) - len(outside) > 12 * len(pages)
    assert all(re.match(r"https?://(?!book/)[\w-]+\.", address) for address in outside), outside
    starts = {title: page for title, level, page in reversed(outline) if level == 2}
    for name in links(book.pages[2:4]):  # the table of chapters on the first page
        if number := re.fullmatch(r"notebooks-\w+-(\d\d)-[a-z-]+", name):
            goal = book.get_destination_page_number(book.named_destinations[f"/{name}"])
            title = next(said for said in starts if said.startswith(f"{int(number[1])}. "))
            assert goal == starts[title]


def test_figures_are_images_with_content_and_alt_texts(book, alts, printed, pages):
    expected = [
        str(node.get("alt") or node.select_one("[aria-label]")["aria-label"])
        for page in pages
        for node in article(printed, page).select(SHOWN)
    ]
    assert [alt for alt in expected if alt not in alts] == []
    seen = 0
    for page in book.pages:
        for image in page.images:
            picture = Image.open(io.BytesIO(image.data)).convert("RGB")
            if min(picture.size) > 100:
                assert max(ImageStat.Stat(picture).stddev) > 8, page.page_number
                seen += 1
    # Drawings stay lines; what a script has drawn is a picture.
    kinds = ".figure:not(.frontispiece .figure)"
    assert seen >= sum(len(article(printed, page).select(kinds)) for page in pages) > 50


def test_formulas_have_their_source_as_alt_text(alts, printed, pages):
    for page in [page for page in pages if source(page)][:3]:
        for formula in article(printed, page).select("annotation"):
            assert " ".join(formula.get_text().split()) in alts


def test_solutions_are_at_the_end_and_link_back(book, outline, texts, pages):
    first = pages_of(outline, "Solutions")
    solutions = [title for title, level, _ in outline if title.startswith("Solution to ")]
    count = sum(source(page).count("{solution-start}") for page in pages)
    assert len(solutions) == count
    assert all(page >= first for title, _, page in outline if title in solutions)
    assert not any("Solution to Exercise" in text for text in texts[3:first])
    assert squeezed("".join(texts[:first])).count("Solution") > count
    assert outline[-1][0] in solutions
    assert len({name for name in links(book.pages[first:]) if "--" in name}) >= count


def test_what_gives_predictions_away_is_at_the_end(outline, texts):
    first = pages_of(outline, "Solutions")
    told = "query and key rotated: 47 different scores of 576"
    assert [at >= first for at, text in enumerate(texts) if told in text] == [True]


def test_the_site_links_to_its_own_pdf_and_to_no_missing_one(printed, site):
    def linked(site):
        return f'href="../{download.PDF}"' in (site / "book/how-to-use.html").read_text("utf-8")

    made_of = json.loads((printed.parent / MANIFEST).read_text("utf-8"))["made_of"]
    assert linked(printed)
    assert not download.update(printed, "another book")
    assert (printed / download.PDF).is_file()
    assert not linked(printed)
    assert download.update(printed, made_of)
    assert linked(printed)
    assert not (site / download.PDF).exists()
    assert all(download.PDF not in page.read_text("utf-8") for page in site.glob("book/*.html"))
    assert download.update(site, "")


def test_a_site_that_is_not_built_is_named(tmp_path, capsys):
    assert print_book([str(tmp_path)]) == 1
    assert "make book" in capsys.readouterr().err
