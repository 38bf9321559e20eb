"""The search: what is found first, and the excerpts that say why."""

import re
from functools import cache

import pytest
import yaml
from bs4 import BeautifulSoup
from reader import NOTHING, ROOT, Visit, fresh

from posenc_book.chapters import glossary

SUBJECTS = glossary.subjects(ROOT)
ASKED = {
    str(words): page
    for page, many in yaml.safe_load((ROOT / glossary.ASKED).read_text("utf-8")).items()
    for words in many
}


@pytest.fixture(scope="module")
def search(browser, url):
    """Search for words; return the page that found them, when it has."""
    seen = Visit(browser, url, "search")

    def ask(words):
        seen.page.goto(f"{url}search.html?q={words}")
        seen.wait_until(
            """document.querySelector(".search-summary")?.textContent &&
              [...document.querySelectorAll("#search-results li")]
                .every((found) => found.querySelector("p, span"))"""
        )
        return seen.page

    yield ask
    assert seen.problems() == NOTHING
    seen.close()


def first(tab):
    return tab.locator("#search-results li a").first.get_attribute("href").removesuffix(".html")


def test_the_search_opens_by_keyboard_and_finds(visit_anew, url):
    tab = visit_anew("notebooks/frameworks/pytorch")
    tab.keyboard.press("Control+k")
    tab.keyboard.type("softmax")
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"{url}search.html?q=softmax")
    tab.locator("#search-results li a").first.wait_for()
    glass = tab.locator(".bd-search-container .fa-magnifying-glass").bounding_box()
    begins = """field => field.getBoundingClientRect().left
      + parseFloat(getComputedStyle(field).paddingLeft)"""
    words = tab.locator(".bd-search-container input[type=search]").evaluate(begins)
    assert glass["x"] + glass["width"] <= words


def test_the_chapter_that_the_glossary_names_comes_first(search):
    own = {term: page for term, page in SUBJECTS.items() if term not in ASKED}
    assert len(own) > 5
    for term, page in own.items():
        assert first(search(term)) == page, term


def test_what_readers_type_has_one_page(site):
    assert all((site / f"{page}.html").is_file() for page in ASKED.values())
    for words, page in ASKED.items():
        assert SUBJECTS[words] == page, f"{words} is a term of the glossary"


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("rope", "notebooks/build/rope"),
        ("RoPE", "notebooks/build/rope"),
        (" Rotary  position embedding", "notebooks/build/rope"),
        ("why sine and cosine", "notebooks/build/sinusoids"),
        ("why 10000", "notebooks/build/sinusoids"),
        ("my positional encoding is wrong", "book/mistakes"),
        ("rotary", "notebooks/build/rope"),
        ("rope pytorch", "notebooks/frameworks/rope-in-fifteen-minutes"),
        ("position embedding", "notebooks/build/sinusoidal-table"),
        ("sin cos", "notebooks/build/sinusoidal-table"),
        ("context extension", "notebooks/beyond/ntk-and-yarn"),
        ("how to extend the context window", "notebooks/beyond/ntk-and-yarn"),
        ("longer texts", "notebooks/build/longer-texts"),
        ("rope_theta", "notebooks/beyond/rope-base"),
        ("learned positional embedding", "notebooks/beyond/learned-positions"),
        ("vision transformer", "notebooks/beyond/images-points-times"),
    ],
)
def test_what_visitors_ask_is_found_first(search, words, page):
    assert first(search(words)).partition(".html")[0] == page


SIGNS = {"mfrac": "/", "msup": "^", "msub": "_", "munder": "_", "msubsup": "_^", "munderover": "_^"}


def in_line(node):
    """A formula as one would type it, but for blanks."""
    parts = [in_line(part) for part in node.find_all(is_shown, recursive=False)]
    if not parts:
        return node.get_text().replace("\u2061", "")
    if node.name == "msqrt":
        return "√" + whole("".join(parts))
    if node.name in SIGNS:
        first = whole(parts[0]) if node.name == "mfrac" else parts[0]
        signs = zip(SIGNS[node.name], parts[1:], strict=True)
        said = first + "".join(sign + whole(part) for sign, part in signs)
        return said.replace("^(′)", "′")
    return "".join(parts)


def whole(text):
    return text if re.fullmatch(r"\([^()]*\)|(?:[^\W_]|[.√])*", text) else f"({text})"


def is_shown(tag):
    return tag.name != "annotation"


@cache
def read(site, page):
    """The text of a page, and its formulas as they would be if all their copies were read."""
    article = fresh(site / f"{page}.html").select_one("article")
    doubled = set()
    for formula in article.select(".katex-mathml"):
        shown = formula.find("semantics").find(recursive=False)
        seen, source = shown.get_text(), formula.find("annotation").get_text()
        drawn = formula.find_next_sibling(class_="katex-html").get_text()
        doubled |= {seen + source, source + drawn, seen + drawn}
    for formula in article.select("math"):
        formula.replace_with(in_line(formula))
    for unread in article.select(
        ".katex-html, annotation, .visually-hidden, .headerlink, .noprint, svg, .plot, .controls, "
        "noscript, .frontispiece"
    ):
        unread.decompose()
    prose = BeautifulSoup(str(article), "html.parser")
    for code in prose.select("pre"):
        code.decompose()
    return ["".join(text.get_text().split()) for text in (prose, article)], doubled


@pytest.mark.parametrize("words", ["rope", "shift", "norm", "softmax of scores"])
def test_excerpts_are_as_on_the_page(search, site, words):
    tab = search(words)
    excerpts = tab.locator("#search-results li:has(p.context)").all()
    assert len(excerpts) > 5
    for one in excerpts:
        page = one.locator("a").get_attribute("href").partition(".html")[0]
        said = one.locator("p.context").inner_text().strip("… ")
        texts, doubled = read(site, page)
        assert not [formula for formula in doubled if len(formula) > 2 and formula in said]
        assert len(said) < 300
        assert any("".join(said.split()) in text for text in texts), (page, said)


def test_formulas_of_excerpts_are_as_one_would_type_them(search):
    excerpts = " ".join(search("doubled exponent").locator("p.context").all_inner_texts())
    assert "squaring the base: b^(−4i/d)=(b^2)^(−2i/d). (A list" in excerpts


def test_an_empty_search_says_what_to_do(search):
    tab = search("zyzzyva")
    said = tab.locator(".search-summary").inner_text()
    assert said.startswith("No page has all of these words.")
    assert "categories" not in said
