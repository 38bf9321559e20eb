"""Answers in Markdown survive as they were typed, and nothing in them acts or loads."""

import base64
import random
import sys

import nbformat
import pytest

from .submissions import linux

pytestmark = linux

if sys.platform == "linux":
    from grading.answers import MARK, kept
    from grading.cells import executed, restored

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
PICTURES = {
    "png": PNG,
    "jpeg": b"\xff\xd8\xff\xe0" + bytes(20),
    "gif": b"GIF89a" + bytes(20),
    "webp": b"RIFF\0\0\0\0WEBPVP8 " + bytes(20),
}


def attached(**files):
    """Return attachments as JupyterLab stores them."""
    return {
        name: {"image/png": base64.b64encode(content).decode()} for name, content in files.items()
    }


@pytest.mark.parametrize(
    "text",
    [
        "Let $a<b$ and $$x<y$$, or $a <b$ and \\$5.",
        "`if a<b:` or `` a`<b `` and `&lt;`",
        "```python\nif a<b and x & y:\n    '![x](https://example.org/x.png)'\n```",
        "    a<b\n",
        "```\n{1: 2}\n```\n{3}",
        "a & b &amp; c \\\\ d, a < b, 1<2, the data: none",
        "$$\na\n= b <c\n- d\n$$",
        "\\begin{align}\na &<b\\\\\nc &= d\n\\end{align}",
        "so \\begin{align}a<b\\end{align} and \\\\(a<b\\\\)",
        "\\\\[\na<b\n\\\\]",
        "1. one\n\n   $$a<b$$\n\n> $$\n> a<b\n> $$\n",
        "| a | b |\n|---|:-:|\n" + "| $x<y$ | `<b>` |\n" * 99,
        "# H\n\nSee <https://example.org/x>, [this](https://example.org) and [that][1].\n\n[1]: /x",
        '- [ ] *to* **do** ~~x~~ "quoted"\n- $\\{x \\mid x<1\\}$',
    ],
)
def test_formulas_and_code_survive_to_the_letter(text):
    answer = kept(text, {})
    assert answer.source == text
    assert answer.notes == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
        ("if a<b and c>d", "if a&lt;b and c>d"),
        ("`<b` <b `>`", "`<b` &lt;b `>`"),
        ("<!-- x -->", "&lt;!-- x -->"),
        ("![x](https://example.org/x.png)", "[x](https://example.org/x.png)"),
        ("![x][r]\n\n[r]: https://example.org", "[x][r]\n\n[r]: https://example.org"),
        ("![r]\n\n[r]: //example.org", "[r]\n\n[r]: //example.org"),
        ("[![x](http://a)](http://b)", "[[x](http://a)](http://b)"),
        ("![x](data:image/svg+xml;base64,PHN2Zz4=)", "[x](data :image/svg+xml;base64,PHN2Zz4=)"),
        ("![x](attachment:none.png)", "[x](attachment:none.png)"),
        ("[x](javascript:alert(1))", "[x](javascript :alert(1))"),
        ("\ud800 \ufdd00\ufdd1", "\ufffd \ufffd0\ufffd"),
    ],
)
def test_html_shows_as_text_and_pictures_from_elsewhere_become_links(text, shown):
    assert kept(text, {}).source == shown


@pytest.mark.parametrize(
    "text",
    [
        "[x](&#106;avascript:alert(1))",
        "[x](javascript\\:alert(1))",
        "[x]: vbscript&colon;x\n\n[x]",
        "[x](file:///etc/passwd)",
        "```mermaid\n<script>alert(1)</script>\n```",
        "~~~ &#109;ermaid\n<img src=https://example.org>\n~~~",
        "```{figure} https://example.org/x.png\n```",
        "``` &#123;figure} https://example.org/x.png\n```",
        "- :::{image} https://example.org/x.png\n  :::",
        "https://example.org/x$ <script>$ two parsers differ",
        "<$$x\n<!--$ y$$ and here",
        "x" * 20_001,
        "\\\\[" * 201,
        "|a" * 99 + "\n" + "|-" * 99 + "\n" + "||\n" * 99,
        "[a]: x\n" * 201,
        "\n" * 1001,
    ],
)
def test_what_could_act_or_takes_minutes_to_read_becomes_plain_text(text):
    answer = kept(text, attached(**{"a.png": PNG}))
    fence = answer.source.partition("\n")[0]
    assert answer.source == f"{fence}\n{text}\n{fence}"
    assert {*fence} == {"`"}
    assert fence not in text
    assert "plain text" in answer.notes[0]


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_stays_by_what_its_first_bytes_say(kind):
    answer = kept("![x](attachment:photo.png)", attached(**{"photo.png": PICTURES[kind]}))
    assert answer.source == "![x](attachment:photo.png)"
    assert [*answer.attachments["photo.png"]] == [f"image/{kind}"]
    assert base64.b64decode(answer.attachments["photo.png"][f"image/{kind}"]) == PICTURES[kind]


def test_pictures_get_names_that_every_program_reads_alike():
    given = attached(**{"photo 1.png": PNG, "a(1).png": PICTURES["gif"], "picture-1": PNG})
    text = (
        "![x](attachment:photo%201.png) ![y](attachment:a(1).png) ![z]\n\n[z]: attachment:picture-1"
    )
    answer = kept(text, given)
    assert answer.source == (
        "![x](attachment:picture-2) ![y](attachment:picture-3) ![z]\n\n[z]: attachment:picture-1"
    )
    assert {*answer.attachments} == {"picture-1", "picture-2", "picture-3"}
    assert answer.notes == []


def test_a_picture_that_was_made_smaller_by_html_stays():
    answer = kept("<img src='attachment:a.png' width='300'>", attached(**{"a.png": PNG}))
    assert answer.source == "![picture](attachment:a.png)"
    assert [*answer.attachments] == ["a.png"]


@pytest.mark.parametrize(
    "bundle",
    [
        {"image/svg+xml": "<svg/>"},
        {"image/png": base64.b64encode(b"<svg/>").decode()},
        {"image/png": base64.b64encode(PNG).decode() + '"><script>'},
        {"image/png": 7},
        {"image/png": ["iVBOR", 7]},
        7,
        None,
    ],
)
def test_what_is_no_picture_is_dropped_and_told(bundle):
    answer = kept("![x](attachment:a.png)", {"a.png": bundle})
    assert answer.source == "[x](attachment:a.png)"
    assert answer.attachments == {}
    assert answer.notes == ["with a picture that is missing, or no PNG, JPEG, GIF or WebP"]


def test_an_attachment_that_nothing_shows_is_left_out():
    assert kept("no picture", attached(**{"a.png": PNG})).attachments == {}


PIECES = [
    *"<>!?/\\`~$&*_[](){}#|:;-+.\"' \n\t\0ab1\u202e\ud800\ufdd0",
    *("```\n", "$$", "\\\\(", "\\\\)", "\\begin{align}", "\\end{align}", "<script>", "</script>"),
    *("![x](", "attachment:a.png", "attachment:b%20c.png", "https://example.org/x.png", "[r]: "),
    *("<img src=", "<img src='attachment:a.png'>", "javascript:", "data:", "&#106;", "\n\n", "> "),
    *("    ", "- ", "1. ", "mermaid", "<!--", "-->", "<https://example.org>", "|--|", "]("),
]


def any_text(chance):
    return "".join(chance.choices(PIECES, k=chance.randrange(40)))


def any_value(chance, depth=0):
    if depth < 3 and chance.random() < 0.4:
        inside = [any_value(chance, depth + 1) for _ in range(chance.randrange(4))]
        return inside if chance.random() < 0.5 else {f"{chance.random()}": x for x in inside}
    text = any_text(chance)
    return chance.choice([None, True, 0, -1.5, float("nan"), text, "x" * 10**5, [text, 7], {}])


def any_cell(chance, names):
    given = {"a.png": {"image/png": chance.choice([base64.b64encode(PNG).decode(), "x"])}}
    cell = {
        "cell_type": chance.choice(["markdown", "code", "raw"]),
        "source": any_text(chance),
        "metadata": {"nbgrader": {"grade_id": chance.choice(names), "points": 1000}},
        "attachments": given | {"b c.png": given["a.png"]},
        "outputs": [],
    }
    for key in [*cell]:
        if chance.random() < 0.15:
            cell[key] = any_value(chance)
    return cell if chance.random() < 0.9 else any_value(chance)


def any_result(chance):
    png = base64.b64encode(PNG).decode()
    outputs = [
        {"name": "stdout", "text": any_text(chance)},
        {"data": {"text/plain": any_text(chance), "image/png": chance.choice([png, "\ud800", 7])}},
        any_value(chance),
    ]
    error = {"name": any_text(chance), "message": any_text(chance)}
    return {"outputs": outputs, "error": chance.choice([None, error, any_value(chance)])}


@pytest.fixture(scope="session")
def known(generated):
    """Return the cells of an assignment that nbgrader knows."""
    from grading.gradebook import Course

    return Course(generated).known("build")["build"]


def any_notebook(chance, known):
    """Return a notebook as it is kept, made of whatever somebody might hand in."""
    names = [*(cell.name for cell in known), "", "mine"]
    cells = [any_cell(chance, names) for _ in range(chance.randrange(30))]
    sheet = restored({"nbformat": 4, "cells": cells}, known)
    results = {str(place): any_result(chance) for place in range(len(sheet.cells))}
    return executed(sheet, results)


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_handed_in_can_be_kept(known, seed):
    notebook = any_notebook(random.Random(seed), known)
    written = nbformat.writes(notebook)
    written.encode()
    assert not MARK.search(written)
    assert nbformat.validate(nbformat.reads(written, as_version=4)) is None
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    assert sorted(filter(None, names)) == sorted(cell.name for cell in known)


@pytest.mark.parametrize("seed", range(150))
def test_no_answer_makes_formgrader_show_html_or_load_anything(seed):
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    text = any_text(random.Random(seed))
    answer = kept(text, attached(**{"a.png": PNG, "b c.png": PNG}))
    renderer = IPythonRenderer(escape=False, attachments=answer.attachments)
    page = MarkdownWithMath(renderer=renderer).render(answer.source)
    assert "<script" not in page
    assert "<!--" not in page
    assert page.count("<img") == page.count('<img src="data:image/')
