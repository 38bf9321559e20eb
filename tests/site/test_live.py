"""Cells that readers edit and run, in a real browser, under the page's own security policy."""

import json
import re

import pytest
from nbformat.v4 import reads
from playwright.sync_api import expect
from reader import ROOT, errors_in, until, violations
from test_site import CHAPTERS, parse

from posenc_book.edition import questions
from posenc_book.edition.exercises import END, START, to_answer
from posenc_book.edition.solution_stubs import is_check

PAGE = "notebooks/understand/heat-maps"
TABLE = "notebooks/build/sinusoidal-table"
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}

# All chapters run in the tests of notebooks. In a page's Python these do: one that prints the
# width of integers, which differs, those that need files and modules beside the notebook, and one
# with figures of all kinds.
RUN = [
    CHAPTERS[0],
    *(
        pytest.param(page, marks=pytest.mark.sweep)
        for page in (
            "notebooks/understand/encoding-class",
            "notebooks/understand/fast-tables",
            "notebooks/clinic/code-in-the-wild",
            "notebooks/beyond/nope-layers",
            PAGE,
        )
    ),
]
# The checkers that once replied otherwise there, as integers have 32 bits.
ANSWERS = [ROOT / f"tests/checks/answers/{name}.py" for name in ("simple_positions", "sinusoids")]

# The page and the cell whose output differs in a browser: NumPy's int has 32 bits there.
INT32 = ("notebooks/understand/encoding-class", 38)


class Live:
    """A reader of a page with live cells."""

    def __init__(self, tab, address, page=PAGE):
        self.tab, self.errors, self.asked = tab, errors_in(tab.context), []
        tab.on("request", lambda request: self.asked.append(request.url))
        tab.goto(f"{address}{page}.html")

    def input(self, number):
        """The code of a cell: these stand in the notebook's order, wherever a page folds them.

        Cells in which readers answer are counted apart: "A1", "A2".
        """
        if isinstance(number, str):
            return self.tab.locator(".answer .cell_input").nth(int(number[1:]) - 1)
        return self.tab.locator(".cell_input:not(.answer *)").nth(number - 1)

    def cell(self, number):
        return self.input(number).locator("xpath=ancestor::div[starts-with(@class, 'cell ')][1]")

    def button(self, name, number):
        return self.tab.get_by_role("button", name=f"{name} cell {number}", exact=True)

    def press(self, name, number):
        """Press a button as a reader does, who has to open the code and point at the cell."""
        fold = self.cell(number).locator("xpath=ancestor-or-self::*/details[@class='fold']").last
        if fold.count() and not fold.get_attribute("open"):
            fold.evaluate("fold => { fold.open = true; }")
        self.input(number).hover()
        self.button(name, number).click()

    def note(self, number):
        return self.input(number).locator(".live-note")

    def shown(self, number):
        output = "div[contains(@class, 'live-output')]"
        return self.cell(number).locator(f"xpath=./{output} | ./details/{output}")

    def write(self, number, source):
        self.press("Edit", number)
        self.input(number).locator(".cm-content:focus").wait_for()
        self.tab.keyboard.press("ControlOrMeta+a")
        self.tab.keyboard.insert_text(source)

    def run(self, number, source=None):
        if source is not None:
            self.write(number, source)
        self.cell(number).evaluate(
            "cell => { window.ran = new Promise(done => cell.addEventListener('live-ran', done)) }"
        )
        self.press("Run", number)
        self.tab.evaluate("window.ran")
        return self.shown(number).inner_text().strip()


@pytest.fixture
def context(browser):
    context = browser.new_context(viewport=DESK)
    yield context
    context.close()


@pytest.fixture(scope="module")
def opened(browser, address):
    """A page that is opened once: its Python is what takes time."""
    context = browser.new_context(viewport=DESK, reduced_motion="reduce")
    yield Live(context.new_page(), address)
    context.close()


@pytest.fixture
def shared(opened):
    """That page as the last test has left it; nothing goes wrong in this one."""
    opened.errors.clear()
    yield opened
    opened.tab.set_viewport_size(DESK)
    assert opened.errors == []


@pytest.fixture
def live(shared):
    """That page as a reader first meets it: nothing is edited, and no Python has started."""
    shared.tab.evaluate("localStorage.clear()")
    shared.tab.reload()
    return shared


def texts(outputs):
    """The text of a notebook's or a page's outputs, except that of figures."""
    found = []
    for output in outputs:
        data = output.get("data", {})
        if "text" in output:
            found.append("".join(output["text"]))
        elif "text/plain" in data and not re.search("plotly|posenc.figure", " ".join(data)):
            found.append("".join(data["text/plain"]) + "\n")
    return "".join(found).rstrip()


RUN_ALL = """() => new Promise(done => {
  const bars = [...document.querySelectorAll(".live-bar:not(.answer *, .solution *)")];
  const cells = bars.map(bar => bar.closest(".cell"));
  const seen = [];
  cells.forEach((cell, at) => cell.addEventListener("live-ran", event => {
    seen[at] = event.detail;
    const failed = cell.querySelector(".live-error");
    if (at === cells.length - 1 || failed) done(seen);
  }));
  document.querySelector(".live-start button").click();
})"""


def numbered_cells(page):
    """The code cells that a chapter's page shows outside of solutions, each after its number."""
    found, number, inside = [], 0, False
    for cell in reads((ROOT / f"{page}.ipynb").read_text("utf-8")).cells:
        if START.fullmatch(cell.source) or END.fullmatch(cell.source):
            inside = bool(START.fullmatch(cell.source))
        elif cell.cell_type == "code" and "remove-cell" not in cell.metadata.get("tags", []):
            number += 1
            if not inside:
                found.append((number, cell))
    return found


# What checkers say to the wrong answers in a module of `tests/checks/answers`.
REPLIES = """
import json
import types
import posenc_checks as checks

module, replies = types.ModuleType("answers"), []
exec(source, vars(module))
for name, answers in module.WRONG.items():
    for answer, _ in answers:
        try:
            getattr(checks, name)(answer)
        except checks.NotYet as verdict:
            replies.append(str(verdict))
print(json.dumps(replies))
"""


@pytest.mark.sweep
@pytest.mark.timeout(1200)  # for a hang, not for a slow machine
@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_checkers_reply_in_the_page_as_here(shared, path, capsys):
    digits = re.compile(r"-?[\d.]+(e-\d+)?")  # the last ones may differ
    code = f"source = {path.read_text('utf-8')!r}\n{REPLIES}"
    exec(code, {})
    here = json.loads(capsys.readouterr().out.splitlines()[-1])  # some answers print, too
    there = json.loads(shared.run(1, code).splitlines()[-1])
    assert here
    both = zip(there, here, strict=True)
    different = [two for two in both if digits.sub("0", two[0]) != digits.sub("0", two[1])]
    assert len(different) <= 3, different  # where integers, of 32 bits there, overflow


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("page", RUN)
def test_page_runs_and_draws_the_same_figures(live, address, page):
    reader = Live(live.tab.context.new_page(), address, page)
    ran = reader.tab.evaluate(RUN_ALL)
    for (number, cell), outputs in zip(numbered_cells(page), ran, strict=True):
        stored = texts(cell["outputs"])
        if (page, number) == INT32:
            stored = stored.replace("int64", "int32")
        assert texts(outputs) == stored, f"cell {number}"
        assert [output for output in outputs if output["kind"] == "error"] == []
    before = reader.tab.locator(".cell_output:not(.live-output, .solution *)")
    after = reader.tab.locator(".live-output")
    for figures in ("img:not(.still img, .only-dark)", ".plot"):
        name = "all => all.map(one => one.alt ?? one.ariaLabel.replace(/ Now: .*/, ''))"
        now, then = (one.locator(figures).evaluate_all(name) for one in (after, before))
        assert now == then
    assert after.locator(".figure:not([data-drawn=yes])").count() == 0
    assert after.locator("img").evaluate_all("all => all.every(image => image.naturalWidth > 200)")
    reader.tab.close()


def test_small_script_alone_is_loaded_at_first(context, address):
    live = Live(context.new_page(), address)
    live.tab.wait_for_load_state("networkidle")
    asked = {re.sub(r".*/live/|\?.*", "", url) for url in live.asked if "/live/" in url}
    assert asked == {"cells.js", "live.css"}


@pytest.mark.sweep
def test_edits_outlive_a_reload(live):
    written = live.cell(2).locator(".cell_input pre").inner_text()
    assert live.run(1, "x = 41") == ""
    assert live.run(2, "x + 1") == "42"
    live.tab.reload()
    assert live.cell(2).locator(".cell_input pre").inner_text().strip() == "x + 1"
    authors = live.cell(2).locator(".cell_output:not(.live-output)")
    assert authors.is_visible()
    live.press("Reset", 2)
    assert live.cell(2).locator(".cell_input pre").inner_text() == written
    assert live.button("Reset", 2).count() == 0
    live.press("Reset", 1)
    live.tab.reload()
    assert live.tab.locator(".live-edited").count() == 0
    live.tab.evaluate(f"localStorage.setItem('live/{PAGE}/older/1', 'x')")
    live.tab.reload()
    kept = "Object.keys(localStorage).filter(key => key.startsWith('live/'))"
    assert live.tab.evaluate(kept) == []


def test_error_marks_its_line_and_suggests_cells(shared):
    assert "ZeroDivisionError" in shared.run(1, "x = 1\n\nx / 0")
    assert shared.note(1).inner_text() == "ZeroDivisionError in line 3"
    marked = shared.cell(1).locator(".live-marked")
    assert marked.inner_text() == "x / 0"
    assert "pyodide" not in shared.shown(1).inner_text()
    shared.run(1, "x = 1")
    assert marked.count() == 0
    shared.write(2, "y = 1")
    shared.run(3, "print(z)")
    assert shared.note(3).inner_text() == "Ran one cell above first. NameError in line 1"
    shared.run(4, "while True print(1)")
    assert shared.note(4).inner_text() == "SyntaxError in line 1"


def test_cells_above_run_first(shared):
    shared.write(1, "x = 2 - 1")
    shared.write(2, "x += 1")
    assert shared.run(3, "print(x)") == "2"
    assert shared.note(3).inner_text() == "Ran 2 cells above first."
    assert shared.run(3) == "2"
    assert shared.note(3).inner_text() == ""
    shared.write(2, "x += 2")
    assert shared.run(3) == "4"
    assert shared.note(3).inner_text() == "Ran one cell above first."
    shared.write(2, "1 / 0")
    shared.press("Run", 3)
    expect(shared.note(3)).to_have_text("Did not run, because cell 2 failed.")


def test_endless_loop_is_stopped(shared):
    shared.run(1, "x = 1")
    shared.write(2, "y = 1\nwhile True:\n    print('again ' * 20)")
    shared.press("Run", 2)
    shared.shown(2).locator(".live-left-out").wait_for()
    delay = """() => new Promise(done => {
      const begin = performance.now();
      setTimeout(() => done(performance.now() - begin));
    })"""
    assert shared.tab.evaluate(delay) < 1000
    shared.press("Stop", 2)
    assert "Python was restarted" in shared.note(2).inner_text()
    assert len(shared.shown(2).inner_text()) < 150_000
    shared.run(3, "print(x, y)")
    assert shared.note(3).inner_text() == "Ran one cell above first. NameError in line 1"


@pytest.mark.sweep
def test_limits_and_warnings_are_said(shared):
    for source, said in [
        ("import subprocess\nsubprocess.run(['ls'])", "no other processes"),
        ("import threading\nthreading.Thread(target=print).start()", "no threads"),
        ("import urllib.request as r\nr.urlopen('http://example.org')", "no network"),
        ("import pandas", "download the notebook"),
        ("import time\ntime.sleep(0.1)\nprint('slept')", "slept"),
    ]:
        assert said in shared.run(1, source), source
    shown = shared.run(1, "import numpy as np\nfor _ in range(3):\n    np.mean(np.ones(0))")
    assert shown.count("RuntimeWarning (line 3): Mean of empty slice") == 1


def test_reader_figures_are_shown_and_described(shared):
    draw = "go.Figure(go.Scatterpolar(r=[1, 2], theta=[0, 90])).show()\nprint('drawn')"
    assert "drawn" in shared.run(1, f"import plotly.graph_objects as go\n{draw}")
    assert shared.shown(1).locator(".figure").get_attribute("data-drawn") == "yes"
    shared.write(2, "y = 1")  # which does without what the first cell made
    shared.run(3, "import matplotlib.pyplot as plt\nplt.plot([1, 2]);")
    assert "edited" in shared.shown(3).locator("img").get_attribute("alt")


@pytest.mark.sweep
def test_axe_accepts_outputs_and_editors(shared):
    shared.run(1, "print(1)\n1 / 0")
    for theme in ("dark", "light"):
        shared.tab.emulate_media(color_scheme=theme)
        expect(shared.tab.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(shared.tab, colours=theme == "dark") == []


def test_keyboard_edits_and_runs_a_cell(live):
    press = live.tab.keyboard.press
    focused = "document.activeElement.getAttribute('aria-label') ?? ''"
    live.tab.locator(".live-start button").first.focus()
    reached = []
    for key in ("Tab", "ArrowRight", "Tab", "ArrowRight", "ArrowRight"):
        press(key)
        while " cell " not in (name := live.tab.evaluate(focused)):
            press("Tab")  # past what an output has to copy
        reached.append(name)
        assert seen(live) == [f"Cell {name[-1]}"]
    assert reached[:2] == ["Run cell 1", "Edit cell 1"]
    assert reached[2:] == ["Run cell 2", "Run all above cell 2", "Edit cell 2"]
    live.button("Edit", 1).focus()
    press("Enter")
    live.cell(1).locator(".cm-content:focus").wait_for()
    press("ControlOrMeta+a")
    live.tab.keyboard.type("for i in range(2):\n")
    live.tab.keyboard.type("print(i)")
    press("ControlOrMeta+z")
    press("ControlOrMeta+y")
    press("Shift+Enter")
    live.shown(1).locator("text=0").wait_for()
    assert live.shown(1).inner_text().split() == ["0", "1"]
    assert "Code of cell 1" in live.tab.evaluate(focused)
    press("Escape")
    assert live.tab.evaluate(focused) == "Run cell 1"
    press("ArrowRight")
    assert live.tab.evaluate(focused) == "Edit cell 1"
    said = live.tab.locator("[role=status]").all_inner_texts()
    assert "".join(said) == "Cell 1 has run."


@pytest.mark.sweep
@pytest.mark.parametrize("file", ["pyodide.asm.mjs", "pyodide.asm.wasm", "numpy*.whl", "kernel.py"])
def test_file_with_one_wrong_byte_is_refused(live, file):
    def flip(route):
        body = bytearray(route.fetch().body())
        body[len(body) // 2] ^= 1
        route.fulfill(body=bytes(body), content_type="application/octet-stream")

    live.tab.context.route(f"**/{file}", flip)
    live.press("Run", 1)
    live.note(1).locator("text=is damaged").wait_for()
    assert live.cell(1).locator(".cell_output:not(.live-output)").is_visible()
    assert live.note(1).get_by_role("link", name="download the notebook").is_visible()
    live.tab.context.unroute_all(behavior="ignoreErrors")
    live.errors.clear()  # the refusal is one


@pytest.mark.sweep
@pytest.mark.parametrize(
    "what", ["**/live/pyodide/*", "**/live/worker.mjs*", "**/live/runtime.json"]
)
def test_failed_load_is_reported_and_retried(live, what):
    live.tab.context.route(what, lambda route: route.abort())
    live.press("Run", 1)
    live.note(1).locator("text=did not arrive").wait_for()
    assert live.cell(1).locator(".cell_output:not(.live-output)").is_visible()
    live.tab.context.unroute(what)
    live.errors.clear()  # of the browser, which names what did not load
    assert live.run(1) == "(50, 128)"


@pytest.mark.sweep
def test_page_runs_without_storage_or_editor(context, address):
    context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw 1 } })")
    context.route("**/editor.mjs*", lambda route: route.abort())
    live = Live(context.new_page(), address)
    live.press("Edit", 1)
    live.note(1).locator("text=The editor did not load").wait_for()
    assert live.run(1) == "(50, 128)"


def test_page_says_why_cells_cannot_run(context, address):
    needs = Live(context.new_page(), address, "notebooks/frameworks/pytorch")
    sentence = needs.tab.locator(".live-absence")
    assert "need PyTorch" in sentence.inner_text()
    assert sentence.get_by_role("link").get_attribute("href").endswith("pytorch.ipynb")
    assert needs.tab.locator(".live-bar").count() == 0


# At rest there is code and what it printed; buttons come to a pointer, a focus, or a tap.

SEEN = """bars => bars.filter((bar) => bar.checkVisibility({ opacityProperty: true })
  && getComputedStyle(bar).opacity > 0).map((bar) => bar.ariaLabel)"""


def seen(live):
    return live.tab.locator(".live-bar").evaluate_all(SEEN)


@pytest.mark.sweep
def test_buttons_at_rest_take_no_room(live):
    live.tab.mouse.move(5, 5)
    assert seen(live) == []

    def takes_no_room():  # what else still loads may move the page, but not again and again
        live.tab.mouse.move(5, 5)
        before = live.tab.evaluate("document.documentElement.scrollHeight")
        live.input(2).hover()
        assert seen(live) == ["Cell 2"]
        return live.tab.evaluate("document.documentElement.scrollHeight") == before

    until(live.tab, takes_no_room, "the page keeps its height")


@pytest.mark.sweep
def test_second_tap_edits(browser, address):
    context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    live = Live(context.new_page(), address)
    code = live.input(1).locator("pre")
    code.tap()
    assert seen(live) == ["Cell 1"]
    assert live.tab.locator(".cm-editor").count() == 0
    assert live.tab.evaluate("document.documentElement.scrollWidth") == 390
    code.tap()
    live.input(1).locator(".cm-content:focus").wait_for()
    live.tab.locator(".bd-article h1").tap()
    live.tab.evaluate("document.activeElement.blur()")
    assert seen(live) == []
    assert live.errors == []
    context.close()


def test_all_cells_run_in_order_until_stopped(live):
    start = live.tab.locator(".live-start")
    live.tab.evaluate("""() => {
      window.order = [];
      for (const input of document.querySelectorAll(".cell_input")) {
        const number = input.querySelector(".live-number").textContent;
        input.closest(".cell").addEventListener("live-ran", () => window.order.push(number));
      }
    }""")
    live.write(3, "while True: pass")
    start.get_by_role("button").first.click()
    expect(start.locator(".live-progress")).to_contain_text(re.compile(r"^3 of \d+$"))
    assert live.tab.evaluate("window.order") == ["Cell 1", "Cell 2"]
    start.get_by_role("button", name="Stop").click()
    assert start.locator(".live-progress").inner_text() == "Stopped at cell 3."
    assert "did not run" in live.note(4).inner_text()
    assert start.get_by_role("button", name="Run all").is_visible()
    live.tab.locator(".live-progress a").click()
    assert live.cell(3).evaluate("cell => cell.matches(':target')")
    live.write(3, "1 / 0")
    start.get_by_role("button").first.click()
    failed = "Stopped at cell 3: ZeroDivisionError in line 1"
    expect(start.locator(".live-progress")).to_have_text(failed)


@pytest.mark.sweep
def test_true_output_is_ticked_again(shared):
    output = shared.shown(1)
    tick = output.locator(".tick")
    assert "True" in shared.run(1, "x = 1\nx == 1")
    assert (tick.count(), output.evaluate("one => one.offsetHeight")) == (1, 0)
    assert tick.inner_text().strip() == "prints"
    assert shared.run(1, "x == 2") == "False"
    assert tick.count() == 0
    assert "True" in shared.run(1, "print(x == 1)")
    assert tick.count() == 1
    assert "True" in shared.run(1, "print(True, 1)")
    assert tick.count() == 0


@pytest.mark.sweep
def test_covers_outlive_a_run_of_all(live):
    cell = live.tab.locator("div.cell:has(> .covered)").first
    number = int(cell.locator(".live-number").first.text_content().split()[1])
    live.write(number, "print('seen')")
    ran = "cell => new Promise((done) => cell.addEventListener('live-ran', () => done(1)))"
    live.tab.evaluate("() => document.querySelector('.live-start button').click()")
    live.cell(number).evaluate(ran)
    assert cell.locator(".covered").count() == 1
    assert not live.shown(number).is_visible()
    live.tab.evaluate("() => document.querySelector('.live-start button').click()")
    assert live.run(number) == "seen"
    assert live.shown(number).is_visible()


# Exercises are answered where they are read: between the text and its folded solution.


def test_room_has_what_the_edition_has(site):
    known = questions.read(ROOT)
    for page in CHAPTERS:
        given = to_answer(reads((ROOT / f"{page}.ipynb").read_text("utf-8")))
        for solution in parse(site / f"{page}.html").select("details.solution"):
            label = solution["id"].replace("sol-", "ex-", 1)
            cells = [*given.get(label, []), *questions.asked(known, label)]
            room = solution.find_previous_sibling()
            if not cells:
                assert "answer" not in room["class"], label
                continue
            assert room["class"] == ["answer", "noprint"], label
            code = [cell.source for cell in cells if cell.cell_type == "code"]
            assert [one.get_text().strip() for one in room.select("pre")] == code, label
            shown = zip(room.select(".cell"), code, strict=True)
            for number, (cell, source) in enumerate(shown, 1):
                assert cell["id"] == f"{label}-answer-{number}"
                assert ("check" in cell["class"]) == is_check(source), cell["id"]
            letters = sum(cell.source.count("\n- **") for cell in cells)
            assert len(room.select("li")) == letters, label


def a_build(live):
    """The first exercise of a page that asks for a function: its numbers, its stub, its answer."""
    notebook = reads((ROOT / f"{TABLE}.ipynb").read_text("utf-8"))
    label, (stub, check, *_) = next(iter(to_answer(notebook).items()))
    ids = live.tab.locator(".answer .cell").evaluate_all("cells => cells.map(cell => cell.id)")
    at = ids.index(f"{label}-answer-1") + 1
    sources = [cell.source for cell in notebook.cells]
    answer = sources[sources.index(check.source) - 1]
    name = check.source.partition("(")[2].rstrip(")")
    return f"A{at}", f"A{at + 1}", name, stub.source, answer


def test_an_answer_is_checked_where_it_is_written(context, address):
    live = Live(context.new_page(), address, TABLE)
    live.tab.set_viewport_size(PHONE)
    place, check, name, stub, answer = a_build(live)
    said = f"Not yet. {name} is still empty: write it, run its cell, then run this one."
    assert live.run(check) == said
    above = live.tab.locator(".cell_input:not(.further *, .solution *, .answer *)").count()
    assert live.note(check).inner_text() == f"Ran {above + 1} cells above first."
    live.write(place, re.sub("raise .*", "return None", stub))
    wrong = live.run(check)
    assert re.match(rf"Not yet\. {name}\(.* gives None: ", wrong)
    assert live.note(check).inner_text() == "Ran one cell above first."
    reply = live.shown(check).locator("pre")
    assert reply.evaluate("pre => pre.scrollWidth <= pre.clientWidth")
    assert live.tab.evaluate("document.documentElement.scrollWidth") == 390
    live.write(place, answer)
    right = live.run(check)
    assert right.startswith("Right. ")
    expect(live.tab.get_by_role("status").filter(has_text=right)).to_have_count(1)
    assert live.errors == []


@pytest.mark.sweep
def test_a_solution_is_no_answer(context, address):
    live = Live(context.new_page(), address, TABLE)
    place, check, name, _, answer = a_build(live)
    solution = live.tab.locator(".solution").first
    solution.locator("summary").click()
    checked = solution.locator(".check .live-number").first.text_content().split()[1]
    assert live.run(int(checked)).startswith("Right. ")
    assert live.run(check).startswith(f"Not yet. {name} is still empty")
    assert live.note(check).inner_text() == "Ran one cell above first."
    live.write(place, answer)
    live.tab.reload()
    assert live.input(place).locator("pre").inner_text().strip() == answer
    assert live.run(check).startswith("Right. ")
    assert violations(live.tab) == []
    assert live.errors == []


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("without scripts", "turn JavaScript on"),
        ("from a file", "not from a file"),
        ("on paper", ""),
    ],
)
def test_outputs_are_shown_without_rooms_where_no_cell_runs(browser, address, site, how, says):
    reader = browser.new_context(java_script_enabled=how != "without scripts")
    tab = reader.new_page()
    tab.goto(f"{site.as_uri() if how == 'from a file' else address.rstrip('/')}/{TABLE}.html")
    if how == "on paper":
        expect(tab.locator(".answer").first).to_be_visible()
        tab.emulate_media(media="print")
    expect(tab.locator(".exercise").first).to_be_visible()
    expect(tab.locator(".answer").filter(visible=True)).to_have_count(0)
    expect(tab.locator(".live-bar").filter(visible=True)).to_have_count(0)
    assert tab.locator(".cell_output pre").first.is_visible()
    assert says in " ".join(tab.locator(".live-absence").all_inner_texts())
    reader.close()
