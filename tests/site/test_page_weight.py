"""Pages weigh little, hold still, load nothing but their own, and draw what is added later."""

import gzip
import re
from functools import cache
from xml.etree import ElementTree

import pytest
import yaml
from fontTools.ttLib import TTFont
from reader import ROOT, Visit, parse, until
from test_site import CHAPTERS, NOTHING, every_page, seen_page

from posenc_book.images import drawings
from posenc_book.images.recolour import THEMES
from posenc_book.theme.pages import INLINE_SCRIPT, META, POLICY
from posenc_book.words import language

# Kilobytes in gzip, before the reader does anything, on a phone.
LIMITS = {"text": 110, "all": 175}
HEAVIEST = 60_000  # bytes of a drawing, in gzip
KINDS = [(theme, width) for theme in THEMES for width in drawings.WIDTHS]
PHONE = 350  # CSS pixels, in which a column stands on a phone
PHONE_SCREEN = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.75}
INDEX = 25  # the search page's allowance besides: its index has every word of the book


def test_the_sites_address_leads_to_welcome(site, newcomer, url):
    assert (site / "index.html").read_text("utf-8").count(META) == 1
    document = parse(site / "index.html")
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    assert document.title.string == settings["title"]
    assert document.html["lang"] == language(ROOT)
    assert (site / document.find("link", rel="icon")["href"]).is_file()
    newcomer("index").wait_for_url(f"{url}book/welcome.html")


@every_page
def test_pages_load_our_scripts_and_one_stylesheet(site, page):
    text, document = (site / f"{page}.html").read_text("utf-8"), parse(site / f"{page}.html")
    assert text.count('http-equiv="Content-Security-Policy"') == 1
    assert text.index(META) < min(text.index("<script"), text.index("<link"))
    assert document.find("meta", {"http-equiv": True})["content"] == POLICY
    data = document.find_all("script", type="application/json")
    scripts = [script for script in document.find_all("script") if script not in data]
    assert [script.string for script in scripts if not script.get("src")] == [INLINE_SCRIPT]
    assert all(script.has_attr("defer") for script in scripts if script.get("src"))
    handlers = [name for tag in document.find_all(True) for name in tag.attrs if name[:2] == "on"]
    assert handlers == []
    assert not document.find("a", href=re.compile("^javascript:"))
    sheets = [link["href"] for link in document.find_all("link", rel="stylesheet")]
    assert "_static/site.css?v=" in sheets[0]
    assert all("live/live.css" in sheet for sheet in sheets[1:])


@every_page
def test_images_keep_their_room_and_load_lazily(site, page):
    for image in parse(site / f"{page}.html").find_all("img"):
        assert int(image["width"]) > 0
        assert int(image["height"]) > 0
        first = image.has_attr("fetchpriority") and "only-dark" not in image.get("class", [])
        assert image.get("loading") == (None if first else "lazy")


def test_drawings_are_those_of_the_notebooks_and_light(site):
    drawn = {file.stem: file for file in (site.parent / "jupyter_execute").rglob("*.svg")}
    shown = set()
    for page in site.rglob("*.html"):
        shown.update(re.findall(r'_images/([^"/ ]+)"', page.read_text("utf-8")))
    assert shown == {file.name for file in (site / "_images").iterdir()}
    stems = {name.partition("-")[0] for name in shown}
    assert len(stems) > 20
    assert shown == {f"{stem}-{theme}-{width}.svg" for stem in stems for theme, width in KINDS}
    for stem in stems:
        sizes = drawings.sizes(drawn[stem].read_text("utf-8"))
        for theme, width in KINDS:
            text = (site / f"_images/{stem}-{theme}-{width}.svg").read_text("utf-8")
            size = sizes[drawings.WIDTHS.index(width)]
            assert f'width="{size[0]}" height="{size[1]}"' in text
            assert len(gzip.compress(text.encode(), 6)) < HEAVIEST, stem


def test_letters_of_drawings_can_be_read_on_a_phone(site):
    for file in (site / "_images").glob("*-light-narrow.svg"):
        root = ElementTree.fromstring(file.read_text("utf-8"))
        pixels = float(root.get("viewBox").split()[2]) / PHONE  # points in one of the phone's
        # Letters are drawn 100 points high and then scaled; those in a superscript once more.
        scales = re.findall(r" scale\(([\d.]+) -[\d.]+\)", file.read_text("utf-8"))
        assert scales, file
        assert min(100 * float(scale) / pixels for scale in scales) >= 9, file


# Whether the corners of each picture let the page through, and how much of it is all but white.
PEER = """async (addresses) => {
  const found = {};
  for (const address of addresses) {
    const image = Object.assign(new Image(), { src: address });
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 200, height: 120 });
    const brush = canvas.getContext("2d");
    brush.drawImage(image, 0, 0, 200, 120);
    const { data } = brush.getImageData(0, 0, 200, 120);
    const dots = Array.from({ length: data.length / 4 }, (_, i) => data.subarray(4 * i, 4 * i + 4));
    const white = dots.filter((dot) => dot[3] > 127 && Math.min(dot[0], dot[1], dot[2]) > 235);
    const corners = [0, 199, dots.length - 200, dots.length - 1].map((at) => dots[at][3]);
    found[address] = [Math.max(...corners), white.length / dots.length];
  }
  return found;
}"""


def test_no_drawing_is_a_white_card_in_the_dark(site, browser, url):
    tab = browser.new_page()
    tab.goto(f"{url}book/welcome.html")
    files = sorted((site / "_images").glob("*-dark-wide.svg"))
    seen = tab.evaluate(PEER, [f"{url}_images/{file.name}" for file in files])
    assert len(seen) > 20
    for address, (corner, white) in seen.items():
        assert corner < 128, address  # a line may end there, but no card
        assert white < 0.02, address
    tab.close()


@seen_page
def test_a_page_is_light(browser, url, page):
    context = browser.new_context(**PHONE_SCREEN)
    tab, answers = context.new_page(), []
    tab.on("response", lambda answer: answers.append(answer))
    tab.goto(f"{url}{page}.html", wait_until="networkidle")
    sizes = {"text": 0, "all": 0}
    for answer in answers:
        if "favicon" not in answer.url:
            body = answer.body()
            size = min(len(body), len(gzip.compress(body, 6))) / 1000
            sizes["all"] += size
            if answer.request.resource_type in ("document", "stylesheet", "script"):
                sizes["text"] += size
    context.close()
    index = INDEX if page == "search" else 0
    assert all(sizes[kind] <= limit + index for kind, limit in LIMITS.items()), sizes


@pytest.fixture(scope="module")
def tab(browser, url):
    """A chapter that one test after another leaves as it was."""
    seen = Visit(browser, url, CHAPTERS[4])
    yield seen.page
    assert seen.problems() == NOTHING
    seen.close()


def test_a_script_that_is_not_ours_is_refused(browser, url):
    seen = Visit(browser, url, CHAPTERS[0])
    title = seen.page.title()
    for script in (
        "node => { node.src = 'https://example.org/x.js'; }",
        "node => { node.textContent = 'document.title = \"taken over\"'; }",
    ):
        node = seen.page.evaluate_handle("document.createElement('script')")
        node.evaluate(script)
        node.evaluate("node => { document.head.append(node); }")
        until(seen.page, lambda: any("Content Security Policy" in said for said in seen.errors))
        seen.errors.clear()
    assert seen.page.title() == title
    assert seen.other_hosts == []
    seen.close()


def test_code_is_copied_as_it_stands(tab):
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    code = tab.locator(".cell_input").first
    code.locator(".copybtn").focus()
    tab.keyboard.press("Enter")
    code.locator(".copybtn[aria-label=Copied]").wait_for()
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied == code.locator("pre").text_content().removesuffix("\n")


# What KaTeX sets in another font than its main one, by class.
SET_IN = {"mathnormal": "Math-Italic", "mathsf": "SansSerif-Regular"}
SIZED = ("delimsizing", "op-symbol", "amsrm", "mathbb", "mathtt")  # of fonts with all letters
ITALIC = "source-serif-4-latin-wght-italic.woff2"
FIGURES = "source-sans-3-latin-wght-normal.woff2"


@cache
def glyphs(file):
    """Return the code points that a font has."""
    return set(TTFont(file).getBestCmap())


@every_page
def test_fonts_have_all_letters(site, page):
    document, blank = parse(site / f"{page}.html"), set(map(ord, " \n\xa0\u200b"))
    whole = ROOT / "node_modules/@fontsource-variable/source-serif-4/files" / ITALIC
    italic = glyphs(site / "_static/fonts" / ITALIC)
    for slanted in document.select("em, i, cite, dfn, var"):
        assert set(map(ord, slanted.get_text())) & glyphs(whole) <= italic, slanted
    whole, cut = (
        ROOT / "node_modules/@fontsource-variable/source-sans-3/files",
        site / "_static/fonts",
    )
    for drawn in document.select(".figure[data-kind] svg text"):
        letters = set(map(ord, drawn.get_text())) & glyphs(whole / FIGURES)
        assert letters <= glyphs(cut / FIGURES), drawn
    texts = [text for formula in document.select(".katex-html") for text in formula.strings]
    for text in texts:
        classes = [name for span in text.parents for name in span.get("class", [])]
        if not any(name in classes for name in SIZED):
            name = next((SET_IN[name] for name in classes if name in SET_IN), "Main-Regular")
            font = glyphs(site / f"_static/katex/fonts/KaTeX_{name}.woff2")
            assert set(map(ord, text)) - blank <= font, text.parent
