"""A small course becomes an edition: stubs, links, a zip; what learners wrote is kept."""

import io
import json
import os
import re
import shutil
import zipfile
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from posenc_book import learn
from posenc_book.edition import notebook as edition
from posenc_book.edition.exercises import WORDS, without_solutions
from posenc_book.edition.solution_stubs import STUB, emptied

ROOT = Path(__file__).parents[2]
START_CELL = ":::{solution-start} ex-%s\n:label: sol-%s\n:class: dropdown\n:::"
END_CELL = ":::{solution-end}\n:::"
TWICE = '''def twice(x):
    """Return 2x."""
    # by adding
    return x + x'''


def read(path):
    return nbformat.read(path, as_version=4)


def solved(name, *cells):
    """The cells of an exercise; `cells` are those of its solution, as (is code, source)."""
    made = [
        new_code_cell(cell, outputs=[new_output("stream", text="a secret output\n")])
        if is_code
        else new_markdown_cell(cell)
        for is_code, cell in cells
    ]
    return [
        new_markdown_cell(f":::{{exercise}} Do it\n:label: ex-{name}\n:class: build\nDo it.\n:::"),
        new_markdown_cell(START_CELL % (name, name)),
        *made,
        new_markdown_cell(END_CELL),
    ]


def sample():
    """A notebook with one exercise that a checker grades, and one for a person."""
    opening = "# What is twice?\n\n*You need* {doc}`the other <two>`. *About 0 minutes.*"
    cells = [
        new_markdown_cell(opening),
        new_code_cell("print(1)", outputs=[new_output("stream", text="1\n")], execution_count=1),
        *solved("twice", (1, TWICE), (1, "checks.twice(twice)"), (0, "Adding is enough.")),
        *solved("why", (0, "Because it is."), (1, "1 + 1 == 2"), (0, "And so on.")),
        new_markdown_cell("## Take stock"),
    ]
    return new_notebook(cells=cells)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Make a project of two notebooks, and work in it."""
    ours = {f"packages/posenc-{name}": f"posenc_{name}" for name in ("checks", "clinic", "figures")}
    for folder, package in {".": "src/posenc", **ours}.items():
        (tmp_path / folder / package).mkdir(parents=True)
        (tmp_path / folder / package / "__init__.py").write_text("here = True\n")
        for name in ("pyproject.toml", "LICENSE"):
            shutil.copy(ROOT / folder / name, tmp_path / folder)
        readme = "src/README.md" if folder == "." else f"{folder}/README.md"
        shutil.copy(ROOT / readme, tmp_path / readme)
    (tmp_path / "book").mkdir()
    parts = "parts:\n  - caption: The part\n    chapters:\n      - file: notebooks/part/one\n"
    (tmp_path / "_toc.yml").write_text(f"format: jb-book\nroot: book/welcome\n{parts}")
    (tmp_path / "_config.yml").write_text("title: A small course\n")
    (tmp_path / "notebooks/part").mkdir(parents=True)
    (tmp_path / "notebooks/part/data.json").write_text("{}")
    nbformat.write(sample(), tmp_path / "notebooks/part/one.ipynb")
    write_two(tmp_path, new_markdown_cell("# Two"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_two(project, *cells):
    nbformat.write(new_notebook(cells=[*cells]), project / "notebooks/part/two.ipynb")


def change(path, source):
    """Replace the first cell of a notebook."""
    notebook = read(path)
    notebook.cells[0].source = source
    nbformat.write(notebook, path)


def test_an_answer_becomes_a_stub_and_its_solution_is_removed():
    cells = without_solutions(sample())
    rooms = [cell for cell in cells if cell.metadata]
    stub = TWICE.replace("# by adding\n    return x + x", STUB)
    assert [cell.source for cell in rooms] == [stub, "checks.twice(twice)", WORDS, STUB]
    kept = {"deletable": False}  # JupyterLab protects these cells
    check = kept | {"editable": False}
    assert [cell.metadata for cell in rooms] == [kept, check, kept, kept]
    assert len(cells) == len(rooms) + 5
    (_, code) = without_solutions(new_notebook(cells=solved("code", (1, "1 + 1"))))
    assert code.source == STUB


def test_signatures_and_docstrings_are_given_and_bodies_are_not():
    given = 'def f(\n    x,\n):\n    """Doc."""\n', 'def g():\n    """Doc.\n\n    More.\n    """\n'
    bodies = "    # so\n    def h():\n        return x\n\n    return h\n    # done", "    return 2"
    answer = "\n\n\n".join(map("".join, zip(given, bodies, strict=True)))
    assert emptied(answer) == "\n\n\n".join(f"{one}    {STUB}" for one in given)


def test_the_index_links_to_each_chapter_and_data_come_along(project):
    (project / "notebooks/other").mkdir()
    (project / "notebooks/other/far.json").write_text("[1]")
    write_two(project, new_markdown_cell("# Two"), new_code_cell('open("../other/far.json")'))
    files = edition.learners(project)
    index = "".join(json.loads(files["index.ipynb"])["cells"][0]["source"])
    assert "## All chapters\n\n### The part\n" in index
    assert "- [What is twice?](part/one.ipynb), 0 + 15 minutes\n" in index
    assert "[the other](two.ipynb)" in files["part/one.ipynb"].decode()
    assert files["part/data.json"] == b"{}"
    assert files["part/far.json"] == b"[1]"
    (source,) = json.loads(files["part/two.ipynb"])["cells"][1]["source"]
    assert source == 'open("far.json")'


def test_references_that_only_sphinx_can_follow_become_links_or_text(project):
    shutil.copy(ROOT / "book/references.bib", project / "book")
    theorem = ":::{prf:theorem} It holds\n:label: thm-it\nIt does.\n:::"
    write_two(project, *map(new_markdown_cell, ["# Two", theorem, "(case-x)=\n### A case"]))
    change(
        project / "notebooks/part/one.ipynb",
        "# A\n\n{doc}`two`, {doc}`use </book/use>`, {term}`pairs <pair>`, {prf:ref}`thm-it`, "
        "{ref}`case-x`, {ref}`here`, "
        "{cite:p}`vaswani2017attention, rahimi2007random`, {download}`data <data.json>`, `{x}`",
    )
    linked = (
        "[Two](two.ipynb), use, *pairs*, [It holds](two.ipynb), [A case](two.ipynb), {ref}`here`, "
        "([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762); Rahimi and Recht, 2007), "
        "[data](data.json), `{x}`"
    )
    assert linked in edition.learners(project)["part/one.ipynb"].decode()


# What learners wrote is kept -------------------------------------------------------------------


def test_a_second_run_updates_only_what_learners_have_not_changed(project, capsys):
    folder = project / "_build/learn"
    one, two = folder / "part/one.ipynb", folder / "part/two.ipynb"
    (folder / "part").mkdir(parents=True)
    (folder / "index.ipynb").write_text("my own")  # which was there before
    assert learn.main([]) == 0
    assert capsys.readouterr().out.startswith("Kept with your changes: index.ipynb (")
    change(one, "mine")
    opened = read(two)
    opened.metadata["language_info"] = {"name": "python", "version": "3.99"}  # Lab does this
    nbformat.write(opened, two)
    change(project / "notebooks/part/one.ipynb", "# New")
    write_two(project, new_markdown_cell("# New too"))
    assert learn.main([]) == 0
    assert (folder / "index.ipynb").read_text() == "my own"
    assert "mine" in one.read_text("utf-8")
    assert "# New too" in two.read_text("utf-8")
    assert re.findall(r"part/\w+", capsys.readouterr().out) == ["part/one"]
    with zipfile.ZipFile(folder / learn.ZIP) as archive:  # the zip has the originals
        assert b"# New" in archive.read("part/one.ipynb")
    for name in ("one", "two"):
        (project / f"notebooks/part/{name}.ipynb").rename(
            project / f"notebooks/part/new-{name}.ipynb"
        )
    assert learn.main([]) == 0
    assert "mine" in one.read_text("utf-8")
    assert not two.exists()  # it left the course
    assert learn.main(["LICENSE"]) == 2
    assert capsys.readouterr().err.startswith("LICENSE can't be written: ")


def test_the_zip_is_reproducible(project):
    first = learn.archive(project, edition.learners(project))
    os.utime(project / "notebooks/part/data.json", (0, 0))
    assert learn.archive(project, edition.learners(project)) == first
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        readme = archive.read("README.md").decode()
        wheels = [name for name in archive.namelist() if name.endswith(".whl")]
    assert len(wheels) == 4  # test_wheel.py installs such files
    assert all(name in readme for name in wheels)


# Errors are reported ---------------------------------------------------------------------------

BROKEN = {
    "the solution of ex-a has no end": solved("a", (1, "1"))[:-1],
    "out of place: :::{solution-end}": solved("a", (1, "1"))[2:],
    "out of place: :::{solution-start} ex-b": [
        *solved("a", (1, "1"))[:-1],
        *solved("b", (1, "1")),
    ],
    "the solution of ex-a is empty": solved("a"),
    "no answer comes right before the check of ex-a": solved("a", (0, "Text."), (1, "checks.a(a)")),
    "out of place: Why": [new_markdown_cell(f"Why\n\n{START_CELL % ('a', 'a')}")],
    "line 1 begins no plain function": solved("a", (1, "def f(x): return x"), (1, "checks.a(f)")),
    "can't be emptied: '(' was never closed": solved("a", (1, "def f("), (1, "checks.a(f)")),
}


def test_unfit_pages_are_named_and_nothing_is_written(project, capsys):
    for message, cells in BROKEN.items():
        write_two(project, new_markdown_cell("# Two"), *cells)
        assert learn.main([]) == 1, message
        said = capsys.readouterr().err
        assert said.startswith("notebooks/part/two.ipynb: "), said
        assert message in said
        assert said.count("\n") == 1
    write_two(project, new_markdown_cell("# Two"))
    words = "# Words\n\n:::{glossary}\nword\n  See {chapter}`nobody`.\n:::\n"
    (project / "book/glossary.md").write_text(words)
    assert learn.main([]) == 1
    said = capsys.readouterr().err
    assert said.startswith("book/glossary.md: no chapter is called 'nobody'")
    assert not (project / "_build").exists()
    shutil.rmtree(project / "notebooks")
    assert learn.main([]) == 1
    assert str(project / "notebooks") in capsys.readouterr().err


def test_the_site_gets_the_zip_or_the_build_fails(project):
    (project / "html").mkdir()
    made = project / "html" / learn.ZIP
    app = SimpleNamespace(srcdir=project, outdir=project / "html", doctreedir=project / "html")
    learn.write_zip(app)
    assert made.read_bytes() == learn.archive(project, edition.learners(project))
    before = made.stat().st_mtime_ns
    learn.write_zip(app)
    assert made.stat().st_mtime_ns == before  # nothing has changed
    write_two(project, new_markdown_cell("# Two"), *solved("a"))
    with pytest.raises(learn.ExtensionError, match=r"two.ipynb: the solution of ex-a is empty"):
        learn.write_zip(app)
    shutil.rmtree(project / "notebooks")
    learn.write_zip(app)
