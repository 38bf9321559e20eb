"""The printed book: the PDF, read back, has every chapter, figure, line of code and link."""

import contextlib
import copy
import functools
import io
import itertools
import json
import re
import shutil
import zipfile
from concurrent.futures import ThreadPoolExecutor
from itertools import starmap

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from PIL import Image, ImageStat
from pypdf import PdfReader
from reader import ROOT, Visit, pages

from posenc_book import bundle
from posenc_book.images import render
from posenc_book.paper import MANIFEST, __main__, download, printer

BOOK = [page for page in pages() if "/" in page]
NOTHING = {"errors": [], "requests to other hosts": [], "figures not drawn": []}
NOTEBOOKS = [page for page in BOOK if page.startswith("notebooks/")]


def print_book(arguments):
    """Print in another thread, since a browser may be using this one's event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(__main__.main, arguments).result()


@pytest.fixture(scope="module")
def printed(site, tmp_path_factory):
    """Print the book from a copy of the built site; nothing is run again."""
    ours = tmp_path_factory.mktemp("paper") / "html"
    shutil.copytree(site, ours, ignore=shutil.ignore_patterns("live", "lite"))
    shutil.copy(site.parent / MANIFEST, ours.parent)
    shutil.copytree(site.parent / render.STORE, ours.parent / render.STORE)
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        assert print_book([str(ours)]) == 0
    assert said.getvalue() == ""  # nothing is too wide for the page
    return ours


@pytest.fixture(scope="module")
def book(printed):
    return PdfReader(printed / download.PDF)


@pytest.fixture(scope="module")
def texts(book):
    return [page.extract_text() for page in book.pages]


@pytest.fixture(scope="module")
def letters(texts):
    """The text without whitespace, since lines too long for the page are wrapped."""
    return squeezed("".join(starmap(without_number, enumerate(texts, 1))))


def without_number(number, text):
    """The text of a page without its number, which comes first or last."""
    lines = text.strip().splitlines()
    at = next((at for at in (0, -1) if lines[at].strip() == str(number)), None)
    return "\n".join(lines if at is None else lines[1:] if at == 0 else lines[:-1])


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
    return found


def titles(site):
    """The titles that the outline should have, down to chapters, with their levels."""
    note = json.loads((site.parent / MANIFEST).read_text("utf-8"))

    def title(page):
        return article(site, page).h1.get_text()

    solved = [page for page in BOOK if "{solution-start}" in source(page)]
    return [
        ("Contents", 1),
        (title(note["root"]), 2),
        *itertools.chain.from_iterable(
            [(part["caption"], 1), *((title(page), 2) for page in part["pages"])]
            for part in note["parts"]
        ),
        ("Solutions", 1),
        *((title(page), 2) for page in solved),
    ]


def source(page):
    file = ROOT / f"{page}.ipynb"
    return file.read_text("utf-8") if file.is_file() else ""


def test_its_properties_are_set(book):
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    assert book.metadata.title == settings["title"]
    assert book.metadata.author == settings["author"]
    root = book.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    width, height = (float(side) for side in book.pages[0].mediabox[2:])
    assert (round(width), round(height)) == (595, 842)


def test_it_has_about_as_many_pages_as_its_content_would_fill(book, printed):
    words = figures = lines = 0
    for page in BOOK:
        text = article(printed, page)
        figures += len(text.select("img:not(figure.frontispiece img, .still img), .figure"))
        lines += sum(code.get_text().count("\n") for code in text.select("pre"))
        words += len(text.get_text().split())
    full = words / 500 + figures / 3 + lines / 60
    assert 0.7 * full <= len(book.pages) <= 2 * full


def test_its_outline_has_every_part_and_chapter_in_order(outline, printed):
    assert [(title, level) for title, level, _ in outline if level < 3] == titles(printed)
    starts = [page for _, level, page in outline if level < 3]
    assert starts == sorted(starts)


def test_every_section_is_in_the_outline_under_its_chapter(outline, printed):
    chapters = {}
    for title, level, _ in outline:
        if level == 2:
            chapters.setdefault(title, [])
            current = chapters[title]
        elif level == 3:
            current.append(title)
    for page in BOOK:
        text = article(printed, page)
        sections = [heading.get_text() for heading in text.find_all("h2")]
        assert chapters[text.h1.get_text()][: len(sections)] == sections


def test_parts_and_chapters_begin_on_a_new_page(outline, texts):
    for title, level, page in outline:
        if level == 1 or (level == 2 and page < pages_of(outline, "Solutions")):
            lines = [squeezed(line) for line in texts[page].strip().splitlines()[:4]]
            assert squeezed(title)[:30] in "".join(lines), title


def pages_of(outline, title):
    return next(page for said, _, page in outline if said == title)


def test_the_contents_give_the_page_on_which_each_chapter_begins(outline, texts):
    listed = squeezed("".join(texts[1:3]))
    for title, _, page in outline[1:]:
        if title == "Solutions":
            break
        if (title, page) in {(said, at) for said, level, at in outline if level < 3}:
            assert f"{squeezed(title)}{page + 1}" in listed, title
    for number, text in enumerate(texts[1:], 2):
        lines = text.strip().splitlines()
        assert str(number) in (lines[0].strip(), lines[-1].strip())


@pytest.mark.parametrize("page", BOOK)
def test_what_a_page_says_is_printed(letters, printed, page):
    text = copy.copy(article(printed, page))
    for node in text.select("noscript, script, .katex"):
        node.decompose()
    said = [
        squeezed(node.get_text())
        for node in text.select("p, li, dd, td")
        if not node.select("p, .math, .katex, code, a")
    ]
    said = [one for one in said if len(one) > 40]
    said = [one for one in said if "Hidecodecell" not in one]

    def is_printed(words):
        """Tell whether words are printed, possibly across a page break."""
        halves = ((words[:at], words[at:]) for at in range(len(words)))
        return any(one in letters and two in letters for one, two in halves)

    lost = [one for one in said if not is_printed(one)]
    assert lost == []


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_no_line_of_code_is_lost(letters, page):
    for cell in nbformat.reads(source(page), 4).cells:
        if cell.cell_type == "code" and "remove-cell" not in cell.metadata.get("tags", []):
            for line in cell.source.splitlines():
                assert squeezed(line) in letters, line


def test_every_link_within_the_book_has_a_target(book):
    places = {name.lstrip("/") for name in book.named_destinations}
    inside, outside = 0, set()
    for page in book.pages:
        for note in (entry.get_object() for entry in page.get("/Annots") or []):
            if "/Dest" in note:
                assert str(note["/Dest"]).lstrip("/") in places
                inside += 1
            else:
                outside.add(note["/A"]["/URI"])
    assert inside > 600
    assert all(re.match(r"https?://(?!book/)[\w-]+\.", address) for address in outside), outside


def test_a_link_leads_to_the_chapter_that_it_names(book, outline):
    starts = {title: page for title, level, page in reversed(outline) if level == 2}
    for page in book.pages[2:4]:  # the table of chapters on the first page
        for note in (entry.get_object() for entry in page.get("/Annots") or []):
            name = str(note.get("/Dest", "")).lstrip("/")
            if found := re.fullmatch(r"notebooks-\w+-(\d\d)-[a-z-]+", name):
                goal = book.get_destination_page_number(book.named_destinations[f"/{name}"])
                title = next(said for said in starts if said.startswith(f"{int(found[1])}. "))
                assert goal == starts[title]


def test_every_figure_is_an_image_with_content_and_an_alt_text(book, alts, printed):
    expected = [
        str(node.get("alt") or node.select_one("[aria-label]")["aria-label"])
        for page in BOOK
        for node in article(printed, page).select(
            "img:not(figure.frontispiece img, .still img), .figure"
        )
    ]
    assert [alt for alt in expected if alt not in alts] == []
    seen = 0
    for page in book.pages:
        for image in page.images:
            picture = Image.open(io.BytesIO(image.data)).convert("RGB")
            if min(picture.size) > 100:
                assert max(ImageStat.Stat(picture).stddev) > 8, page.page_number
                seen += 1
    assert seen == len(expected)


def test_a_formula_has_its_source_as_alt_text(alts, printed):
    for page in NOTEBOOKS[:3]:
        for formula in article(printed, page).select("annotation"):
            assert " ".join(formula.get_text().split()) in alts


@pytest.mark.parametrize(
    "word",
    ["Show code cell", "Hide code cell", "Link to this heading",
     "Skip to main", "Ctrl+K", "Search the course", "On this page", "Download this page"],
)  # fmt: skip
def test_nothing_that_needs_a_screen_is_printed(texts, word):
    found = [number for number, text in enumerate(texts, 1) if squeezed(word) in squeezed(text)]
    assert found == []


def test_solutions_are_at_the_end_and_link_back(book, outline, texts):
    first = pages_of(outline, "Solutions")
    solutions = [title for title, level, _ in outline if title.startswith("Solution to ")]
    count = sum(source(page).count("{solution-start}") for page in NOTEBOOKS)
    assert len(solutions) == count
    assert all(page >= first for title, _, page in outline if title in solutions)
    assert not any("Solution to Exercise" in text for text in texts[3:first])
    assert squeezed("".join(texts[:first])).count("Solution") > count
    assert outline[-1][0] in solutions
    back = [
        str(note.get("/Dest", "")).lstrip("/")
        for page in book.pages[first:]
        for note in (entry.get_object() for entry in page.get("/Annots") or [])
    ]
    assert len({name for name in back if "--" in name}) >= count


def test_the_site_links_to_the_book_only_if_it_was_printed_from_it(printed):
    page = printed / "book/how-to-use.html"
    made_of = json.loads((printed.parent / MANIFEST).read_text("utf-8"))["made_of"]
    assert f'href="../{download.PDF}"' in page.read_text("utf-8")
    assert not download.update(printed, "another book")
    assert (printed / download.PDF).is_file()
    assert f'href="../{download.PDF}"' not in page.read_text("utf-8")
    assert download.update(printed, made_of)
    assert f'href="../{download.PDF}"' in page.read_text("utf-8")


def test_no_page_links_to_a_missing_book(site):
    assert not (site / download.PDF).exists()
    assert all(download.PDF not in page.read_text("utf-8") for page in site.glob("book/*.html"))
    assert download.update(site, "")


def test_a_second_printing_draws_nothing(printed, monkeypatch, capsys):
    monkeypatch.setattr(printer.Printer, "print", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        print_book([str(printed)])
    assert "drawing" not in capsys.readouterr().out


@pytest.mark.parametrize("problem", ["figure", "site", "disk", "browser"])
def test_an_error_while_printing_is_reported_in_one_sentence(
    printed, tmp_path, monkeypatch, capsys, problem
):
    ours = shutil.copytree(printed, tmp_path / "html")
    shutil.copy(printed.parent / MANIFEST, tmp_path)
    before = (ours / download.PDF).read_bytes()
    note = json.loads((tmp_path / MANIFEST).read_text("utf-8"))
    short = {"caption": "", "pages": note["parts"][1]["pages"][:1]}
    (tmp_path / MANIFEST).write_text(json.dumps(note | {"parts": [short]}), "utf-8")
    if problem == "figure":
        for bundle in ours.glob("_static/plotly/*.js"):
            bundle.write_text("throw new Error('broken');", "utf-8")
    elif problem == "site":
        (tmp_path / MANIFEST).unlink()
    else:
        fault = {"disk": OSError(28, "No space left on device"), "browser": RuntimeError("No x.")}
        monkeypatch.setattr(__main__, "launch", lambda _: (_ for _ in ()).throw(fault[problem]))
    assert print_book([str(ours)]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.rstrip().endswith(".")
    words = {"figure": "can't be drawn", "site": "make book", "disk": "No space", "browser": "No x"}
    assert words[problem] in said
    assert (ours / download.PDF).read_bytes() == before


@pytest.fixture(scope="module")
def bundled(printed, site, tmp_path_factory):
    """Bundle the printed site, live cells included, and unpack it elsewhere."""
    for name in ("live", "lite"):
        if (site / name).is_dir() and not (printed / name).exists():
            (printed / name).mkdir()
    if (site / "live/cells.js").is_file():
        for name in ("cells.js", "live.css", "runtime.json"):
            shutil.copy(site / "live" / name, printed / "live")
    assert bundle.main([str(printed)]) == 0
    folder = tmp_path_factory.mktemp("stick")
    with zipfile.ZipFile(printed.parent / bundle.NAME) as archive:
        archive.extractall(folder)
    return folder


def test_the_same_site_gives_the_same_bundle(bundled, printed, tmp_path):
    bundle.write(printed, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (printed.parent / bundle.NAME).read_bytes()


def test_the_bundle_contains_the_whole_site_and_says_how_to_begin(bundled, printed):
    def names(folder):
        return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

    assert names(bundled / bundle.FOLDER) | bundle.LEFT_OUT >= names(printed)
    text = (bundled / bundle.START).read_text("utf-8")
    for name in ("index.html", download.PDF, "posenc-course.zip"):
        assert (bundled / bundle.FOLDER / name).is_file()
        assert name in text
    assert "python -m http.server" in text
    assert all(len(line) < 90 for line in text.splitlines())


@pytest.mark.parametrize("way", ["file", "server"])
def test_the_bundle_works_without_a_network(bundled, browser, serve, way):
    folder = bundled / bundle.FOLDER
    address = f"{folder.as_uri()}/" if way == "file" else serve(folder)
    for page in ("index", NOTEBOOKS[0]):
        seen = Visit(browser, address, page)
        assert seen.problems() == NOTHING
        if page != "index" and (folder / "live/cells.js").is_file():
            shown = seen.page.locator("article").inner_text()
            assert ("but not from a file" in shown) == (way == "file")
        seen.close()


def test_a_site_that_cannot_be_bundled_is_reported_in_one_sentence(printed, tmp_path, capsys):
    site = tmp_path / "html"
    site.mkdir()
    assert bundle.main([str(site)]) == 1
    assert "make book" in capsys.readouterr().err
    shutil.copy(printed.parent / MANIFEST, tmp_path)
    assert bundle.main([str(site)]) == 1
    assert "make pdf" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir() if "zip" in path.name] == []
