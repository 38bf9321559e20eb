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
import time
import urllib.request
import zipfile

import nbformat
import pytest
from nbgrader.api import Gradebook

from course.sanitize_markdown import LONGEST, Renderer, sanitized
from grading import feedback, formulas
from grading.gradebook import Course
from grading.submission_cells import executed, restored

from .submissions import answered, named

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
PHOTO = base64.b64encode(PNG).decode()
ATTACHED = {"photo.png": {"image/png": PHOTO}, "evil.svg": {"image/svg+xml": "PHN2Zz4="}}
ANSWER = """Because $a_i<b_i$ & `if a<b:`, see ![my sketch of $a<b$](attachment:photo.png)

$$\\sum_i x_i^2 < 1$$

\\begin{align}a &< b\\end{align}

and $\\frac{1$ is none."""
HOSTILE = [
    "<script>alert('evil')</script>",
    """<img src=x onerror="alert('evil')"> and <svg onload=alert(1)>""",
    "<iframe src='https://example.org'></iframe>",
    "![x](https://example.org/x.png) ![y][y]\n\n[y]: //example.org/y.png",
    "![x](data:image/svg+xml;base64,PHN2Zz4=) ![x](attachment:evil.svg)",
    "![x](attachment:none.png) ![x](javascript:alert(1))",
    "[x](javascript:alert('evil')) [y](&#106;avascript:alert(1)) [z](data:text/html,x)",
    "[x]: vbscript&colon;x\n\n[x] <javascript:alert(1)> [q](file:///etc/passwd)",
    "```mermaid\n<script>alert(1)</script>\n```",
    "```{figure} https://example.org/x.png\n```",
    "$<img src=x onerror=alert(1)>$ $$</p><script>$$ \\begin{a}<script>\\end{a}",
    "`<script>` <!-- x --> &#60;script>",
    "[" * 10_000 + "<script>",
    "<script>" * 5_000,
    "> " * 500 + "<script>",
]
# What Markdown makes, with nothing that a browser would obey or fetch.
TAG = re.compile(
    r"</?(p|em|strong|del|code|pre|span|div|br|hr|ul|ol|li|h\d|a|blockquote|img|input|table|thead"
    r"|tbody|tr|th|td)((\s(class|style|start|alt|title|type|checked|disabled)(=\"[^\"<>]*\")?"
    r"|\shref=\"(https?://|mailto:|#)[^\"<>]*\"|\ssrc=\"data:image/(png|jpeg|gif|webp);[^\"<>]*\")*)/?>"
)


@pytest.fixture
def known(course):
    return Course(course).known("build")


@pytest.fixture
def marked(course, known):
    """Return what puts a marked notebook into the gradebook, as if its cells had run."""

    def mark(student, answer=ANSWER, results=None, attachments=ATTACHED):
        notebook = answered(course, "build", build_length=answer)
        named(notebook)["build-length"].attachments = attachments
        folder = course / "submitted" / student / "build"
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, folder / "build.ipynb")
        sheet = restored(notebook, known)
        kinds = {str(at): cell and cell.kind for at, (_, cell) in enumerate(sheet.cells)}
        passed = {at: {"failed": None} for at, kind in kinds.items() if kind == "test"}
        made = executed(sheet, passed | (results or {}))
        Course(course).record("build", student, made)
        return next(iter(passed))

    return mark


@pytest.fixture
def pages(course):
    """Return what writes feedback: the pages, and what went wrong."""

    def write(*students):
        wrong = feedback.write(Course(course), "build", students)
        paths = (course / "feedback").glob("*/build/build.html")
        return {path.parts[-3]: path.read_text("utf-8") for path in paths}, wrong

    return write


def text_of(page):
    return re.sub(r"<[^<>]*>", "", page)


def test_a_page_shows_points_comments_pictures_and_formulas(course, marked, pages):
    marked("ann", results={marked("ann"): {"failed": "Give four <b>numbers</b>."}})
    with Gradebook(Course(course).url) as book:
        grade = book.find_grade("build-length", "build", "build", "ann")
        grade.manual_score, grade.needs_manual_grade = 2.5, False
        comment = book.find_comment("build-length", "build", "build", "ann")
        comment.manual_comment = "Nearly: $x<y$, but <i>why</i>?"
        book.find_comment("build-table", "build", "build", "ann").manual_comment = "Well made."
        book.update_or_create_student("ann", first_name="Ann", last_name="Ø <b>")
        book.db.commit()
    made, wrong = pages("ann")
    assert wrong == {}
    page, text = made["ann"], text_of(made["ann"])
    for shown in (
        r"Feedback for Ann Ø &lt;b&gt; \(ann\)\.",
        r"build-by-hand-test\s*0 of 1\s",
        r"build-length\s*2.5 of 4\s*comment",
        r"build-offset\s*– of 4\s*not read yet",
        r"Comment\s*Well made\.",
        r"Together\s*17.5 of 24\s*so far",
        r"Give four &lt;b&gt;numbers&lt;/b&gt;\.",
        r"but &lt;i&gt;why&lt;/i&gt;\?",
    ):
        assert re.search(shown, text), shown
    for shown in (
        f'src="data:image/png;base64,{PHOTO}"',
        'alt="my sketch of $a&lt;b$"',
        "<code>if a&lt;b:</code>",
        "<msub><mi>a</mi><mi>i</mi></msub><mo>&lt;</mo>",
        "<code>$\\frac{1$</code>",
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; base-uri",
    ):
        assert shown in page
    assert page.count('display="block"') == 2
    assert page.count("<summary>The tests") == 12  # of 13, that gave all points
    assert not re.search(r'(src|href)="(?!data:image/png|#)', page)
    rest = page.replace("http-equiv", "").replace("http://www.w3.org/1998/Math", "")
    assert not re.search(r"BEGIN HIDDEN|posenc\.sinusoidal|<script|http|@import|url\(", rest)


def test_markdown_makes_nothing_that_a_browser_obeys():
    pieces = [piece for text in HOSTILE for piece in re.findall(r"\W+|\w+", text[:400])]
    texts = [*HOSTILE, *("\n".join(pair) for pair in zip(HOSTILE, reversed(HOSTILE), strict=True))]
    chance = random.Random(1)
    texts += ["".join(chance.choices(pieces, k=60)) for _ in range(300)]
    for text in texts:
        feedbacks = formulas.FeedbackRenderer(ATTACHED, formulas.Formulas())
        for renderer in (Renderer(ATTACHED), feedbacks):
            html = sanitized(text, renderer)
            for tag in re.findall("<[^>]*>?", html):
                assert TAG.fullmatch(tag), (tag, text)


def test_formulas_code_and_tables_stay_as_typed():
    for text, html in (
        ("Let $a<b$, and $$x<y$$.", "<p>Let $a&lt;b$, and $$x&lt;y$$.</p>"),
        ("`a<b` & c", "<p><code>a&lt;b</code> &amp; c</p>"),
        ("so <em>x</em>", "<p>so &lt;em&gt;x&lt;/em&gt;</p>"),
        ("![x](https://example.org/x.png)", '<p><a href="https://example.org/x.png">x</a></p>'),
        ("x" * (LONGEST + 1), f"<pre>{'x' * (LONGEST + 1)}</pre>"),
        ((often := f"[r]: https://{'x' * 9000}\n\n{'[r]' * 3000}"), f"<pre>{often}</pre>"),
    ):
        assert sanitized(text, Renderer({})).strip() == html
    table = sanitized("| a | b |\n|---|:-:|\n| $x<y$ | 2 |", Renderer({}))
    assert re.search('<td style="text-align: ?center;">2</td>', table)


def test_a_picture_stands_once_however_often_it_is_named():
    for text in (
        "![mine](attachment:photo.png) " * 600,
        "[r]: attachment:photo.png\n\n" + "![mine][r]\n\n" * 1000,
        "![" * 9 + "mine" + "](attachment:photo.png)" * 9,
    ):
        feedbacks = formulas.FeedbackRenderer(ATTACHED, formulas.Formulas())
        for renderer in (Renderer(ATTACHED), feedbacks):
            html = sanitized(text, renderer)
            assert html.count(PHOTO) == 1, text[:99]
            assert len(html) < 30_000
    assert "<em>mine</em>" in sanitized("![mine](attachment:photo.png)" * 2, Renderer(ATTACHED))


def test_a_formula_neither_links_loads_nor_stops_others(monkeypatch):
    hostile = [
        *("\\href{javascript:alert(1)}{x}", "\\includegraphics{https://example.org/x.png}"),
        *("\\htmlStyle{background: url(https://example.org)}{x}", "\\text{<img src=x>}"),
        *("\\def\\a{\\a\\a}\\a", "\\unknown", "{" * 900, "\ufffd\0"),
    ]
    *made, last = formulas.typeset([(each, False) for each in [*hostile, "x"]])
    assert "<mi>x</mi>" in last
    for html in filter(None, made):
        tags = "".join(re.findall("<[^<>]*>", html))
        assert not re.search(r"<(a|img)\b|href=|src=|style=", tags)
    monkeypatch.setattr(formulas, "ROOM", 10_000)
    expands = "\\def\\a{" + "x" * 100 + "}" + "\\a" * 20
    assert [bool(each) for each in formulas.typeset([("x", False), (expands, False)])] == [
        True,
        False,
    ]


def test_one_broken_notebook_costs_nobody_else_a_page(course, marked, pages):
    for student in ("ann", "bob", "cid"):
        marked(student)
    path = course / "autograded/ann/build/build.ipynb"
    path.chmod(0o644)
    path.write_text('{"cells": [{"cell_type": "markdown", "metadata": 7}]}')
    (course / "autograded/cid/build/build.ipynb").unlink()
    made, wrong = pages("ann", "bob", "cid", "dan")
    assert ({*made}, {*wrong}) == ({"bob"}, {"ann", "cid", "dan"})
    with zipfile.ZipFile(course / "feedback/build.zip") as packed:
        assert packed.namelist() == ["bob/build.html"]
    assert wrong["cid"] == "work, tests or points have changed: grade it again"


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


def test_formgrader_shows_answers_that_cannot_act(marked, formgrader):
    marked("ann", "\n\n".join([ANSWER, *HOSTILE[:12]]))
    with formgrader("/formgrader/api/submitted_notebooks/build/build") as answer:
        (number,) = (each["id"] for each in json.load(answer))
    with formgrader(f"/formgrader/submissions/{number}/?index=0") as answer:
        page, policy = answer.read().decode(), answer.headers["Content-Security-Policy"]
    assert "Because $a_i&lt;b_i$ &amp; <code>if a&lt;b:</code>" in page
    (picture,) = re.findall("<img[^>]*>", page)
    assert f'src="data:image/png;base64,{PHOTO}"' in picture
    assert '<a href="https://example.org/x.png">x</a>' in page
    assert not re.search(r"<script>alert|<[^>]*(javascript:|onerror)|<iframe|<svg onload", page)
    assert "frame-ancestors 'self'; img-src 'self' data: blob:;" in policy
