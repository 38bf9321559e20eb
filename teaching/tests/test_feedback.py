"""A page of feedback has all of a student's marks, is whole by itself, and obeys nobody."""

import base64
import contextlib
import json
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import nbformat
import pytest

from .submissions import answered, linux
from .test_answers import PNG, any_notebook, attached

# nbgrader and SQLAlchemy warn of their own ways.
pytestmark = [linux, pytest.mark.filterwarnings("ignore")]

if sys.platform == "linux":
    from grading import feedback, formulas
    from grading.cells import executed, restored
    from grading.gradebook import Course

PHOTO = base64.b64encode(PNG).decode()
ANSWER = """Because $a_i<b_i$ & `if a<b:`, see ![my sketch](attachment:photo.png)

$$\\sum_i x_i^2 < 1$$

and $\\frac{1$ is none."""
HOSTILE = """<script>alert('evil')</script> <img src=x onerror="alert('evil')">

![x](https://example.org/x.png) [x](javascript:alert('evil')) ![y][y] &#60;script>

[y]: https://example.org/y.png"""


@pytest.fixture
def known(course):
    return Course(course).known("build")["build"]


@pytest.fixture
def marked(course, known):
    """Return what puts a marked notebook into the gradebook, as if its cells had run."""

    def mark(student, answer=ANSWER, results=None, **attachments):
        notebook = answered(course, "build", build_length=answer)
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("grade_id") == "build-length":
                cell.attachments = attachments or attached(**{"photo.png": PNG})
        sheet = restored(notebook, known)
        passed = {
            str(place): {"failed": None} if cell and cell.kind == "test" else {}
            for place, (_, cell) in enumerate(sheet.cells)
        }
        Course(course).record(
            "build", student, {"build": executed(sheet, passed | (results or {}))}
        )
        return sheet

    return mark


@pytest.fixture
def pages(course):
    """Return what writes feedback: the pages, and what went wrong."""

    def write(*students):
        wrong = feedback.write(Course(course), "build", [*students] or None)
        paths = (course / "feedback").glob("*/build/build.html")
        return {path.parts[-3]: path.read_text("utf-8") for path in paths}, wrong

    return write


def text_of(page):
    return re.sub(r"<[^<>]*>", "", page)


def test_a_page_shows_points_comments_pictures_and_formulas(course, marked, pages):
    from nbgrader.api import Gradebook

    sheet = marked("ann")
    place = next(str(k) for k, (_, cell) in enumerate(sheet.cells) if cell and cell.kind == "test")
    marked("ann", results={place: {"failed": "Give four <b>numbers</b>."}})
    with Gradebook(Course(course).url) as book:
        grade = book.find_grade("build-length", "build", "build", "ann")
        grade.manual_score, grade.needs_manual_grade = 2.5, False
        comment = book.find_comment("build-length", "build", "build", "ann")
        comment.manual_comment = "Nearly: $x<y$, but <i>why</i>?"
        book.update_or_create_student("ann", first_name="Ann", last_name="Ø <b>")
        book.find_submission("build", "ann").notebooks[0].late_submission_penalty = 2
        book.db.commit()
    made, wrong = pages()
    page = made["ann"]
    assert wrong == {}
    text = text_of(page)
    assert "Feedback for Ann Ø &lt;b&gt; (ann)." in text
    assert re.search(r"build-by-hand-test\s*0 of 1\s", text)
    assert re.search(r"build-length\s*2.5 of 4\s*comment", text)
    assert re.search(r"build-offset\s*– of 4\s*not read yet", text)
    assert re.search(r"Handed in late\s*−2\s*Together\s*15.5 of 24\s*so far", text)
    assert "Give four &lt;b&gt;numbers&lt;/b&gt;." in text
    assert "but &lt;i&gt;why&lt;/i&gt;?" in text
    assert f'<img src="data:image/png;base64,{PHOTO}" alt="my sketch">' in page
    assert "<code>if a&lt;b:</code>" in page
    assert "<msub><mi>a</mi><mi>i</mi></msub><mo>&lt;</mo>" in page
    assert 'display="block"' in page
    assert "<code>$\\frac{1$</code>" in page
    assert "BEGIN HIDDEN" not in page
    assert "posenc.sinusoidal" not in page


def test_a_page_names_no_other_place_and_holds_no_script(marked, pages):
    marked("ann")
    page = pages()[0]["ann"]
    assert "<script" not in page
    assert '<img src="data:image/png' in page
    assert not re.search(r'(src|href)="(?!data:image/png|#)', page)
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/1998/Math", "")
    assert "@import" not in page
    assert "url(" not in page


def test_a_hostile_answer_shows_as_text(course, marked, pages):
    marked("eve", HOSTILE, {"3": {"outputs": [{"text": HOSTILE}]}})
    path = course / "autograded/eve/build/build.ipynb"
    kept = nbformat.read(path, as_version=4)
    strict = pages()[0]["eve"]
    for cell in kept.cells:  # and if nothing had been done about it before
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "build-length":
            cell.source = HOSTILE
    path.chmod(0o644)
    nbformat.write(kept, path)
    for page in (strict, pages()[0]["eve"]):
        assert "&lt;script&gt;alert(" in page
        assert "<script" not in page
        assert "<img" not in page
        assert not re.search(r"""<[^>]*(javascript:|src=|onerror)""", page)


def test_one_broken_notebook_costs_nobody_else_a_page(course, marked, pages):
    for student in ("ann", "bob", "cid"):
        marked(student)
    path = course / "autograded/ann/build/build.ipynb"
    path.chmod(0o644)
    path.write_text('{"cells": [{"cell_type": "markdown", "metadata": 7}]}')
    (course / "autograded/cid/build/build.ipynb").unlink()
    made, wrong = pages("ann", "bob", "cid", "dan")
    assert {*made} == {"bob"}
    assert "the page can't be made" in wrong["ann"]
    assert wrong["cid"] == "autograded/cid/build/build.ipynb is missing: grade it again"
    assert wrong["dan"] == "was not graded"


def test_a_page_stays_small_whatever_is_in_it_and_keeps_points_and_comments(
    course, marked, pages, monkeypatch
):
    monkeypatch.setattr(feedback, "PAGE", 100_000)
    marked(
        "ann", "![x](attachment:a)", a={"image/png": base64.b64encode(PNG + bytes(10**5)).decode()}
    )
    page = pages()[0]["ann"]
    assert len(page) < 120_000
    assert "Left out: the cells above fill this page." in page
    assert re.search(r"build-offset\s*– of 4\s*not read yet", text_of(page))


def test_a_formula_that_ends_the_typesetter_costs_no_other_one():
    with formulas.Typesetter() as typesetter:
        assert [*typesetter.set([("a", False)])] == [("a", False)]
        typesetter.process.kill()
        assert typesetter.set([("b", False), ("a", False)]).keys() == {("a", False)}
        assert [*typesetter.set([("b", True), ("\\frac", False)])] == [("b", True)]


@pytest.mark.parametrize(
    "formula",
    [
        "\\href{javascript:alert(1)}{x}",
        "\\includegraphics{https://example.org/x.png}",
        "\\htmlStyle{background: url(https://example.org)}{x}",
        "\\text{<img src=x>}",
        "\\def\\a{\\a\\a}\\a",
        "\\unknown",
        "{" * 900,
        "\ufffd\0",
    ],
)
def test_a_formula_can_neither_link_nor_load_nor_stop_others(formula):
    with formulas.Typesetter() as typesetter:
        html = typesetter.set([(formula, False), ("x", False)])
        assert "<mi>x</mi>" in html["x", False]
        tags = re.findall("<[^<>]*>", html.get((formula, False), ""))
        assert not re.search(r"<(a|img)\b|href=|src=|style=", "".join(tags))


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_kept_has_a_page(course, known, pages, seed):
    for at in range(3):
        notebook = any_notebook(random.Random(1000 * seed + at), known)
        Course(course).record("build", f"s{at}", {"build": notebook})
    made, wrong = pages()
    assert wrong == {}
    for page in made.values():
        page.encode()
        tags = "".join(re.findall("<[^<>]*>", page))
        assert "<script" not in tags
        assert not re.search(r' (on\w+|src="(?!data:image/))', tags)


def test_nbgrader_can_release_the_pages(course, marked, pages, tmp_path):
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.exchange.default import ExchangeReleaseFeedback
    from nbgrader.utils import notebook_hash
    from traitlets.config import Config

    folder = course / "submitted/ann/build"
    folder.mkdir(parents=True)
    (folder / "timestamp.txt").write_text("2026-11-24 10:00:00 UTC")
    (folder / "submission_secret.txt").write_text("secret")
    marked("ann")
    page = pages()[0]["ann"]
    (tmp_path / "exchange").mkdir()
    (tmp_path / "exchange").chmod(0o777)
    config = Config(
        CourseDirectory={"root": str(course), "assignment_id": "build", "course_id": "posenc"},
        Exchange={"root": str(tmp_path / "exchange")},
    )
    ExchangeReleaseFeedback(coursedir=CourseDirectory(config=config), config=config).start()
    name = notebook_hash(secret="secret", notebook_id="build")
    assert (tmp_path / f"exchange/posenc/feedback/{name}.html").read_text("utf-8") == page


@pytest.fixture
def formgrader(course):
    """Return what gets a page of Formgrader, from a server in the course's folder."""
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    used = {"nbgrader.server_extensions.formgrader": True}
    options = [f"--port={port}", "--port-retries=0", "--IdentityProvider.token=open"]
    options += [f"--ServerApp.jpserver_extensions={used}", "--allow-root", "--no-browser"]
    command = [sys.executable, "-m", "jupyter_server", *options]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    environment = os.environ | {"JUPYTER_NO_CONFIG": "1"}

    def get(path):
        asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}")
        asked.add_header("Authorization", "token open")
        return urllib.request.urlopen(asked, timeout=60)

    with subprocess.Popen(command, cwd=course, env=environment, **quiet) as server:
        while server.poll() is None:
            with contextlib.suppress(OSError), get("/api"):
                break
            time.sleep(0.2)
        yield get
        server.terminate()


def test_formgrader_shows_what_was_handed_in_and_has_the_browser_load_no_more(marked, formgrader):
    marked("ann", ANSWER + "\n\n![x](https://example.org/x.png)")
    with formgrader("/formgrader/api/submitted_notebooks/build/build") as answer:
        (number,) = (each["id"] for each in json.load(answer))
    with formgrader(f"/formgrader/submissions/{number}/?index=0") as answer:
        page, policy = answer.read().decode(), answer.headers["Content-Security-Policy"]
    assert "Because $a_i&lt;b_i$ &amp; <code>if a&lt;b:</code>" in page
    assert re.findall("<img[^>]*>", page) == [
        f'<img alt="my sketch" src="data:image/png;base64,{PHOTO}"/>'
    ]
    assert '<a href="https://example.org/x.png">x</a>' in page
    assert "frame-ancestors 'self'; img-src 'self' data: blob:;" in policy


@pytest.fixture
def browser():
    """Return Chromium, where there is one."""
    from playwright.sync_api import Error, sync_playwright

    from posenc_book.images.browser import launch

    with sync_playwright() as playwright:
        try:
            started = launch(playwright.chromium)
        except Error:
            pytest.skip("feedback in a browser: install Chromium")
        yield started
        started.close()


def test_a_browser_fetches_and_runs_nothing_even_if_something_slipped_through(
    marked, pages, browser, course, monkeypatch
):
    server = socket.create_server(("127.0.0.1", 0))
    requests = []

    def listen():
        with contextlib.suppress(OSError):
            while True:  # a connection without a request is a guess of the browser's
                requests.append(server.accept()[0].recv(99))

    threading.Thread(target=listen, daemon=True).start()
    there = f"http://127.0.0.1:{server.getsockname()[1]}"
    evil = (
        f"<script>document.title = 'evil'</script><img src='{there}/a'>"
        f"<img src=x onerror=\"document.title = 'evil'\"><link rel=stylesheet href='{there}/b'>"
        f"<div style='background: url({there}/c)'>x</div><iframe src='{there}/d'></iframe>"
        f"<svg><image href='{there}/e'/></svg><video src='{there}/f'></video><base href='{there}'>"
    )
    monkeypatch.setattr(feedback, "_marked_up", lambda *_: feedback.Markup(evil))
    marked("eve")
    pages()
    for scheme in ("light", "dark"):
        page = browser.new_context(color_scheme=scheme).new_page()
        page.goto((course / "feedback/eve/build/build.html").as_uri())
        assert page.title() == "build: feedback for eve"
        assert page.locator("iframe").count() > 0
    server.close()
    assert [*filter(None, requests)] == []
