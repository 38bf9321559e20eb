"""A notebook is run again when something that it may use has changed, and not otherwise."""

import textwrap
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_cache import get_cache

from posenc_book import execute

MODULE = "src/posenc/_table.py"
COUNT = """
from pathlib import Path
with Path("{}.txt").open("a") as file:
    file.write("x")
"""


@pytest.fixture
def root(tmp_path):
    for name in (MODULE, "notebooks/part/beside.py", "requirements.lock"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def write(root, name, *cells):
    cells = [nbformat.v4.new_code_cell(textwrap.dedent(cell)) for cell in cells]
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "", "language": "python"}
    nbformat.write(notebook, root / f"notebooks/part/{name}.ipynb")


@pytest.fixture
def build(root):
    """Return a function that runs what is stale, and returns how often each notebook has run."""
    config = SimpleNamespace(
        execution_cache_path=str(root / "cache"),
        execution_excludepatterns=["part/left-*"],
        execution_timeout=60,
    )

    def run(*names):
        pages = [f"notebooks/part/{name}" for name in names]
        env = SimpleNamespace(
            mystnb_config=config, doc2path=lambda page: str(root / f"{page}.ipynb")
        )
        execute.run_stale(SimpleNamespace(srcdir=root), env, pages)
        marks = {name: root / f"notebooks/part/{name}.txt" for name in names}
        return {name: file.read_text() for name, file in marks.items() if file.exists()}

    return run


def test_only_what_may_have_changed_runs_again(root, build):
    write(root, "one", COUNT.format("one"))
    write(root, "two", COUNT.format("two"))
    write(root, "left-out", COUNT.format("left-out"))
    names = "one", "two", "left-out"
    assert build(*names) == {"one": "x", "two": "x"}
    assert build(*names) == {"one": "x", "two": "x"}
    (root / MODULE).write_text("def table(): ...")
    assert build(*names) == {"one": "xx", "two": "xx"}
    (root / "notebooks/part/data.json").write_text("{}")
    assert build(*names) == {"one": "xxx", "two": "xxx"}
    write(root, "two", "1", COUNT.format("two"))
    assert build(*names) == {"one": "xxx", "two": "xxxx"}


def test_outputs_of_a_notebook_that_fails_are_not_kept(root, build):
    write(root, "broken", "1 / 0")
    assert build("broken") == {}
    assert not get_cache(str(root / "cache")).list_cache_records()
