"""Figures that readers touch answer to a hand, to keys and to a link, and say true numbers."""

import json
import re
from functools import partial

import numpy as np
import pytest
from reader import ROOT, drag, errors_in, until

import posenc
import posenc_figures

HANDLES = ".figure[data-kind] [role=slider]"


def said(values, digits=2):
    """Numbers as figures write them."""
    return [f"{round(float(one), digits) + 0:.{digits}f}".replace("-", "−") for one in values]


def behind_pads():
    """Column 2 of the fourth word behind three pads, and how far that is off."""
    right, given = posenc.sinusoidal([3, 6], 64)[:, 2]
    return said([given, given - right])


def off_in_float32(power):
    """Degrees by which pair 1 of 64 columns is off, if its angle is counted in float32."""
    position = 2**power
    exact = posenc.sinusoidal(range(position, position + 1), 64).view(complex)[0, 1]
    angle = np.float32(position) * np.float32(posenc.frequencies(64)[1])
    return said([abs(np.degrees(np.angle(1j * np.exp(-1j * float(angle)) / exact)))], 1)[0]


def of_a_large_table():
    return said(posenc.sinusoidal([7], 128)[0, 12:14])


def of_offset(k, columns, base=10_000, digits=4):
    return said([posenc.similarity(k, columns, base=base)], digits)


def kept_by(method):
    """What is left of the last and the first frequency in a text eight times as long."""
    omega = posenc.frequencies(128)
    kept = posenc.scale_frequencies(omega, 8, method, original=4096) / omega
    return "keeps {} of its speed, the fastest {}".format(*said(kept[[-1, 0]], 3))


def rotated(layout):
    """Column 3 at position 7 of the vector that has partners."""
    vector = [[1, 0.2, -0.6, 0.8, 0.4, -1, 0.6, -0.2]]
    return f"to {said(posenc.rope(vector, positions=[7], layout=layout)[0, 3:4])[0]}"


def of_a_head():
    """The weight that position 20 gives the one three back, by a table of 32 columns."""
    scores = 16 * posenc.similarity(20 - np.arange(21) - 3, 32)
    return (np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum())[17]


def of_a_picture(table):
    """How similar the patch that is least like the one in row 3, column 7 is to it."""
    vectors = table / np.linalg.norm(table, axis=-1, keepdims=True)
    return "falls to {},".format(*said([(vectors @ vectors[3, 7]).min()]))


def of_sums():
    wide = posenc.sinusoidal(14, 768)
    return f"(7, 3) has the same vector; similarity {of_a_picture(wide[:, np.newaxis] + wide)}"


def loss_far_out(method):
    """The mean loss of some trainings at the last positions, of the first page with such panels."""
    stored = ROOT / "notebooks/beyond/extrapolate-text.json"
    return np.mean(json.loads(stored.read_text("utf-8"))["nats"][method], axis=0)[-1]


def of_a_sentence():
    """The weight that "cat" gives to "brown" in the sentence of the first chapter."""
    sentence = "the black cat sat on the couch and the brown dog slept on the rug"
    words = sentence.split()
    vocabulary, rng = sorted(set(words)), np.random.default_rng(2017)
    x = rng.normal(size=(len(vocabulary), 16))[[vocabulary.index(word) for word in words]]
    q, k, v = x @ (rng.normal(size=(3, 16, 16)) / 4)
    _, weights = posenc.attention(q, k, v)
    (weight,) = said([weights[2, 9]])
    return f"“cat” gives “brown” the weight {weight}, on the right {weight}."


# What a figure says in some state, and where its numbers come from.
FACTS = [
    ("own-sentence", {"word": 2}, of_a_sentence),
    ("dials", {"position": 7}, lambda: "({}, {})".format(*said(posenc.sinusoidal([7], 12)[0, :2]))),
    ("lens", {"row": 7, "column": 12}, lambda: "sine {}, cosine {}".format(*of_a_large_table())),
    ("poke", {"row": 7, "column": 3}, lambda: f"= {said([posenc.sinusoidal(8, 6)[7, 3]], 4)[0]},"),
    ("shift-wedge", {"position": 3, "offset": 11, "frequency": 0.2}, lambda: "2.20 radians"),
    ("similarity-map", {"row": 3, "column": 30}, lambda: "{} with 512".format(*of_offset(27, 512))),
    ("similarity-base", {"base": 1000}, lambda: "g(1) is {}".format(*of_offset(1, 512, 1000, 3))),
    ("maps", {"row": 3, "column": 2}, lambda: "given {}; off by {}.".format(*behind_pads())),
    ("far-hands", {"power": 24}, lambda: f"float32 {off_in_float32(24)}° off, float64 0.0°"),
    ("playground", {"row": 20}, lambda: f"with {said([of_a_head()])[0]}."),
    ("bit-counter", {"position": 16}, lambda: f"from 15 flips {(15 ^ 16).bit_count()} bits"),
    (
        "clipped-distances",
        {"clip": 3, "query": 9, "key": 2},
        lambda: (
            f"offset −7: label {posenc.clipped([-7], 3)[0]} of 0 to {posenc.clipped([7], 3)[0]}"
        ),
    ),
    ("patches", {"way": "side"}, lambda: of_a_picture(posenc.axial((14, 14), 768))),
    ("patches", {"way": "added"}, of_sums),
    ("small-multiples", {"method": 2}, lambda: f"{said([loss_far_out('RoPE')])[0]} nats"),
    (
        "softmax",
        {"word": 3, "scores": ",".join(["0"] * 3 + ["2"] + ["0"] * 11)},
        lambda: f"a weight of {said([np.exp(2) / (np.exp(2) + 14)])[0]}.",
    ),
    *(
        ("partners", {"column": 3, "position": 7}, partial(rotated, layout))
        for layout in ("interleaved", "halves")
    ),
    *(
        ("stretch", {"factor": 8, "method": method}, partial(kept_by, method))
        for method in ("linear", "ntk", "by-parts", "yarn", "llama3")
    ),
]


@pytest.fixture(scope="module")
def framed(site):
    """The pages of single figures that are touched, by the kind of the figure."""
    found = {}
    for file in sorted((site / "embed").glob("*.html")):
        for kind in re.findall(r'data-kind="([\w-]+)"', file.read_text("utf-8")):
            found.setdefault(kind, []).append(file.stem)
    return found


@pytest.fixture(scope="module")
def table(browser):
    """One tab for all figures, without motion, and what went wrong in it."""
    context = browser.new_context(viewport={"width": 1000, "height": 900}, reduced_motion="reduce")
    yield context.new_page(), errors_in(context)
    context.close()


def drawn(table, url, name, width=1000, state=""):
    page, errors = table
    errors.clear()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("about:blank")
    page.goto(f"{url}embed/{name}.html#{name}{state}")
    until(page, lambda: page.locator(".figure[data-drawn=yes]").count())
    return page


def look(page):
    return page.locator(".figure").evaluate(
        "one => one.querySelector('.plot').innerHTML + one.querySelector('.f-words').textContent"
    )


def test_every_kind_is_on_a_page(framed):
    assert set(framed) == set(posenc_figures.kinds())


@pytest.mark.parametrize("kind", posenc_figures.kinds())
def test_each_handle_answers_to_hand_and_keys(table, framed, url, kind):
    page = drawn(table, url, framed[kind][0])
    begun, back = page.locator(".f-words").text_content(), page.locator(".f-back")
    assert not back.is_enabled()
    handles = [one for one in page.locator(HANDLES).all() if one.is_visible()]
    inputs = page.locator(".figure .controls :is(input, select, button)").all()
    assert handles or inputs
    for one in handles:
        assert one.get_attribute("aria-label"), kind
        now = float(one.get_attribute("aria-valuenow"))
        key = "ArrowRight" if now < float(one.get_attribute("aria-valuemax")) else "ArrowLeft"
        before = look(page)
        one.focus()
        page.keyboard.press(key)
        assert look(page) != before, f"{kind}: {one.get_attribute('aria-label')} by {key}"
        assert one.evaluate("one => one === document.activeElement")
    if handles:
        before, box = look(page), handles[0].bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        for right, down in ((40, 0), (40, 60), (-60, 60), (-60, -60)):
            page.mouse.move(x + right, y + down, steps=2)
        moved = look(page)
        page.mouse.up()
        assert moved != before, kind
    rest = look(page)
    sliders, while_dragged = page.locator(".figure .controls input[type=range]").all(), set()
    for one in sliders:
        one.evaluate(
            """one => {
              one.value = one.value === one.max ? one.min : one.max;
              one.dispatchEvent(new Event("input", { bubbles: true }));
            }"""
        )
        while_dragged.add(look(page))
    assert while_dragged - {rest} or not sliders, kind
    label = page.locator(".figure .plot").get_attribute("aria-label")
    assert label.endswith(f"Now: {page.locator('.f-words').text_content()}")
    if back.is_enabled():
        back.click()
    assert page.locator(".f-words").text_content() == begun, f"{kind} is put back"
    assert not back.is_enabled()
    assert table[1] == []


@pytest.mark.parametrize("kind", posenc_figures.kinds())
def test_it_fits_a_phone_and_its_letters_can_be_read(table, framed, url, kind):
    page = drawn(table, url, framed[kind][0], 390)
    sizes = page.locator(".figure .plot text").evaluate_all(
        """texts => texts.filter((one) => one.textContent.trim()).map((one) =>
        parseFloat(getComputedStyle(one).fontSize) *
        Math.hypot(one.getScreenCTM().a, one.getScreenCTM().b))"""
    )
    assert min(sizes, default=20) >= 9, kind
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), kind
    assert table[1] == []


@pytest.mark.parametrize(("kind", "state", "true"), FACTS)
def test_it_says_what_posenc_computes(table, framed, url, kind, state, true):
    query = "&".join(f"{name}={value}" for name, value in state.items())
    page = drawn(table, url, framed[kind][0], state=f"?{query}")
    assert true() in page.locator(".f-words").text_content()


def test_the_matrix_of_a_shift_is_posenc_s(table, framed, url):
    page = drawn(table, url, framed["shift-matrix"][0], state="?offset=3")
    blocks = posenc.rotation(3, 6).reshape(3, 2, 3, 2)[[0, 1, 2], :, [0, 1, 2]]
    assert page.locator(".f-value").all_text_contents() == said(blocks.ravel(), 3)


def test_two_orders_have_equal_outputs_until_positions_are_told(table, framed, url):
    page = drawn(table, url, "fig-welcome-sentence")
    signs = page.locator(".plot .f-big:is(.f-same, .f-flawed)")
    assert signs.all_text_contents() == ["="] * 3
    page.get_by_label("add a position to each word").check()
    assert signs.all_text_contents() == ["≠"] * 3
    page.get_by_role("button", name="Put back").click()
    assert signs.all_text_contents() == ["="] * 3
    field = page.get_by_label("your own sentence")
    field.press("End")
    field.press_sequentially(" <b>or not")
    until(page, lambda: signs.count() == 5)  # nobody has pressed Enter
    assert signs.all_text_contents() == ["="] * 5
    box, figure = field.bounding_box(), page.locator(".figure").bounding_box()
    assert box["x"] + box["width"] == pytest.approx(figure["x"] + figure["width"], abs=2)
    assert box["width"] > figure["width"] / 2


def test_figures_of_the_essay_follow_to_one_position(open_page):
    page = open_page("book/welcome", viewport={"width": 1000, "height": 900})

    def words(kind):
        figure = page.locator(f".figure[data-kind={kind}]")
        figure.scroll_into_view_if_needed()
        until(page, lambda: figure.locator(".f-words").count())
        return figure.locator(".f-words").text_content()

    assert "position 7:" in words("bits-become-dials")
    assert "position 7;" in words("dials")
    page.locator("[data-kind=dials] [role=slider]").first.press("ArrowRight")
    assert "position 8;" in words("dials")
    assert "position 8:" in words("bits-become-dials")
    for kind, aloud in (("dials", "polite"), ("bits-become-dials", "off")):
        said = page.locator(f"[data-kind={kind}] .f-words")
        assert said.get_attribute("aria-live") == aloud
    for kind, says in (("lens", "position 8,"), ("shift-wedge", "t = 8,")):
        assert says in words(kind)  # drawn before, or only now
    assert "query at 8, key at 5:" in words("rotary-plane")
    page.locator("[data-kind=rotary-plane] [role=slider]").first.press("End")
    assert "position 23;" in words("dials")
    assert "position 7:" in words("bits-become-dials")  # four bits have come round


def test_a_copied_link_shows_the_figure_as_it_is(open_page):
    page = open_page("book/playground")
    row = page.get_by_role("slider", name="row")
    row.press("ArrowUp")
    moved = row.get_attribute("aria-valuenow")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.get_by_role("button", name="Copy link").click()
    address = until(page, "window.copied")
    page.goto("about:blank")
    page.goto(address)
    until(page, lambda: row.count() and row.get_attribute("aria-valuenow") == moved)


def test_a_finger_drags_and_the_page_stays(browser, framed, url):
    context = browser.new_context(viewport={"width": 390, "height": 420}, has_touch=True)
    page = drawn((context.new_page(), []), url, framed["patches"][0], 390)
    page.set_viewport_size({"width": 390, "height": 420})
    frame = page.locator(".f-patch")
    frame.scroll_into_view_if_needed()
    box, before = frame.bounding_box(), page.evaluate("scrollY")
    drag(page, (box["x"] + 11, box["y"] + 11), down=110)
    until(page, lambda: "patch (8, 7)" in page.locator(".f-words").text_content())
    assert page.evaluate("scrollY") == before
    context.close()


def test_it_runs_where_a_cell_has_put_it(browser):
    page = browser.new_page()
    page.set_content(posenc_figures.show("dials", position=7).in_lab())
    until(page, lambda: page.locator(".figure[data-drawn=yes]").count())
    assert "position 7" in page.locator(".f-words").text_content()
    page.close()


def test_on_a_phone_the_playground_is_played_on_one_screen(open_page):
    tab = open_page("book/playground", viewport={"width": 390, "height": 844}, has_touch=True)
    figure = tab.locator(".figure[data-kind=playground]")
    row = figure.get_by_role("slider", name="row")
    row.evaluate("row => row.closest('.figure').scrollIntoView()")
    assert row.bounding_box()["height"] >= 32  # for a finger
    bottom = figure.locator(".controls").evaluate("bar => bar.getBoundingClientRect().bottom")
    assert bottom <= 844
    before = figure.locator(".f-words").inner_text()
    assert before.count("attends") == 2  # a sentence for each method
    row.press("ArrowUp")
    until(tab, lambda: figure.locator(".f-words").inner_text() != before)
