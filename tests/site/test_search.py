"""The search: sections, found in people's words as one types, and the excerpts that say why."""

import json

import pytest
import yaml
from playwright.sync_api import expect
from reader import NOTHING, ROOT, Visit, fresh

# Numbers of questions in people's words and in a few words, and the sections that answer them.
ASKED = yaml.safe_load((ROOT / "tests/site/searched.yml").read_text("utf-8"))
FOUND = 68  # of these questions are answered among the first three


@pytest.fixture(scope="module")
def search(browser, url):
    """Type words into the search page; return the page and the places that it found, in order."""
    seen = Visit(browser, url, "search")

    def ask(words):
        seen.page.fill("main .bd-search input", words)
        seen.wait_until(
            "document.querySelector('main .finder').dataset.found === " + json.dumps(words.strip())
        )
        links = "links => links.map(({ href }) => href)"
        places = seen.page.locator("main .search-results a").evaluate_all(links)
        return seen.page, [one.removeprefix(url).removeprefix("notebooks/") for one in places]

    yield ask
    assert seen.problems() == NOTHING
    seen.close()


def places(answers):
    return tuple(place.replace("#", ".html#").removesuffix("#") for place in answers)


def test_questions_are_answered_among_the_first_three(search, site):
    sections = json.loads((site / "_static/sections.js").read_text("utf-8").partition("=")[2])
    known = {f"{page}.html#{part[1]}" for page, parts in sections.items() for part in parts}
    missed = {}
    for number, (*asked, answers) in ASKED.items():
        for one in places(answers):
            assert any(each.removeprefix("notebooks/").startswith(one) for each in known), one
        firsts = [search(words)[1][:3] for words in asked]
        if not any(one.startswith(places(answers)) for first in firsts for one in first):
            missed[number] = firsts
    assert len(ASKED) - len(missed) >= FOUND, missed


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("rope", ["build/rope.html", "book/glossary.html#term-RoPE"]),
        ("positional encoding vs rope", ["build/rope.html", "book/glossary.html#term-RoPE"]),
        ("rotary positional encoding", ["build/rope.html"]),
        ("sinusoidal positional encoding", ["build/sinusoids.html"]),
        ("why sine and cosine", ["build/sinusoids.html#why-sine-and-cosine"]),
        ("my positional encoding is wrong", ["book/mistakes.html#my-positional-encoding"]),
        ("doubled exponent", ["book/mistakes.html#mistake-doubled-exponent"]),
        ("gemma3_text", ["book/models.html#model-gemma3_text"]),
        ("alibi", ["beyond/alibi.html", "book/glossary.html#term-ALiBi"]),
    ],
)
def test_a_name_leads_to_what_has_it(search, words, places):
    assert any(place.startswith(tuple(places)) for place in search(words)[1][:3])


def test_results_are_grouped_marked_and_as_on_the_page(search, site):
    tab, found = search("doubled exponent")
    headings = tab.locator("main .search-results h2").all_inner_texts()
    assert headings[:2] == ["Best", "In chapters"]
    expect(tab.locator("main mark").first).to_have_text("doubled")
    assert "b^(−4i/d)=(b^2)^(−2i/d)" in (site / "_static/sections.js").read_text("utf-8")
    tab, found = search("softmax of scores")
    assert len(found) == len(set(found))
    for link in tab.locator("main .search-results a").all()[:5]:
        page = fresh(site / link.get_attribute("href").partition("#")[0])
        excerpt = link.locator("xpath=../p").inner_text().strip("… ").partition(".")[0]
        assert "".join(excerpt.split()[:4]) in "".join(page.article.get_text().split())


def test_a_search_without_results_says_what_to_do(search):
    tab, found = search("zyzzyva")
    assert not found
    expect(tab.locator("main [role=status]")).to_contain_text("Check how they are spelled")


def test_a_site_on_a_disk_is_searched_too(browser, site):
    tab = browser.new_page()
    tab.goto(f"{(site / 'search.html').as_uri()}?q=alibi")
    tab.locator("main .search-results a").first.click()
    tab.wait_for_url("file:///**/alibi.html*")


def test_the_dialog_finds_as_one_types_and_loads_the_index_only_then(newcomer, url):
    tab, loaded = newcomer("notebooks/frameworks/pytorch"), []
    tab.on("request", lambda request: loaded.append(request.url))
    assert not tab.locator("script[src*='search.js']").count()
    tab.keyboard.press("Control+k")
    tab.keyboard.type("softmax")
    first, second = (tab.locator("dialog .search-results a").nth(at) for at in (0, 1))
    first.wait_for()
    assert any("sections.js" in one for one in loaded)
    expect(tab.locator("dialog [role=status]")).to_contain_text("the best first")
    for key, focused in [("ArrowDown", first), ("ArrowDown", second), ("ArrowUp", first)]:
        tab.keyboard.press(key)
        expect(focused).to_be_focused()
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"{url}search.html?q=softmax")
    tab.locator("main .search-results a").first.wait_for()
    tab.keyboard.press("Control+k")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/*.html#*")


def test_each_question_of_a_chapter_is_listed_with_its_answer(site):
    listed = fresh(site / "book/questions.html").select(".asked > li")
    pages = map(fresh, site.glob("notebooks/*/*.html"))
    asked = [one for page in pages for one in page.select(".question.admonition > p:has(> strong)")]
    answered = {one["id"] for one in asked if one.get("id", "").startswith("ask-")}
    assert len(listed) == len({line["id"] for line in listed}) == len(answered) > 100
    assert {line["id"] for line in listed} == answered
