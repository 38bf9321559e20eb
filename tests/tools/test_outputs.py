"""A notebook is run again when something that it uses has changed, and not otherwise."""

import textwrap
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_cache import get_cache

from posenc_book import execute
from posenc_book.chapters.chapter import chapters

ROOT = Path(__file__).parents[2]
CHECKERS = "packages/posenc-checks/posenc_checks/"
MODULES = {
    "src/posenc/__init__.py": "from posenc._angle import angle\nfrom posenc._table import table",
    "src/posenc/_angle.py": "def angle(): ...",
    "src/posenc/_table.py": "from posenc import angle\ndef table(): return angle()",
    f"{CHECKERS}__init__.py": "from posenc_checks._dial import dial\n"
    "from posenc_checks._hand import hand",
    f"{CHECKERS}_dial.py": "import numpy\ndef dial(): ...",
    f"{CHECKERS}_hand.py": "def hand():\n    from posenc._table import table",
}


@pytest.fixture
def root(tmp_path):
    for name, text in MODULES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "notebooks/part").mkdir(parents=True)
    (tmp_path / "notebooks/part/beside.py").write_text(
        "import posenc\ndef quarter(): return posenc.angle() / 4"
    )
    (tmp_path / "requirements.lock").touch()
    return tmp_path


def write(root, name, *cells):
    cells = [nbformat.v4.new_code_cell(textwrap.dedent(cell)) for cell in cells]
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "", "language": "python"}
    nbformat.write(notebook, root / f"notebooks/part/{name}.ipynb")


USES = [
    ("import numpy as np\nnp.sin(1)", []),
    ("import posenc", []),
    ("import posenc\nposenc.angle()", ["_angle"]),
    ("import posenc as p\np.table()", ["_angle", "_table"]),
    ("from posenc import angle as turn\nturn()", ["_angle"]),
    ("import posenc_checks as checks\nchecks.dial()", ["checks/_dial"]),
    ("import posenc_checks as checks\nchecks.hand()", ["_angle", "_table", "checks/_hand"]),
    ("from posenc_checks import dial\n[dial]", ["checks/_dial"]),
    ("import posenc_checks\nposenc_checks.dial()", ["checks/_dial"]),
    ("import beside\nbeside.quarter()", ["_angle", "notebooks/part/beside"]),
    ("from beside import quarter\nquarter()", ["_angle", "notebooks/part/beside"]),
    ("import posenc\nvars(posenc)", ["__init__", "_angle", "_table"]),
]


def test_a_notebook_depends_on_what_defines_the_names_it_uses(root):
    for code, modules in USES:
        write(root, "one", *code.splitlines())
        found = {*execute.depends_on(root, "notebooks/part/one")} - {"requirements.lock"}
        found = {name.replace(CHECKERS, "checks/") for name in found}
        ours = sorted(name.removeprefix("src/posenc/").removesuffix(".py") for name in found)
        assert ours == modules, code


def test_no_chapter_depends_on_the_checkers_of_others():
    needed = {}
    for page in (one.page for one in chapters(ROOT).values()):
        found = execute.depends_on(ROOT, page)
        needed[page] = {name for name in found if name.startswith(CHECKERS)}
    engine = set.intersection(*filter(None, needed.values()))
    for page, checkers in needed.items():
        assert len(checkers - engine) <= 2, page


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


COUNT = """
from pathlib import Path
with Path("{}.txt").open("a") as file:
    file.write("x")
"""


def test_only_what_uses_a_changed_module_runs_again(root, build):
    uses = "import posenc_checks as checks", "if 0: checks.dial()"
    write(root, "dials", *uses, COUNT.format("dials"))
    write(root, "plain", COUNT.format("plain"))
    write(root, "left-out", COUNT.format("left-out"))
    names = "dials", "plain", "left-out"
    assert build(*names) == {"dials": "x", "plain": "x"}
    assert build(*names) == {"dials": "x", "plain": "x"}
    (root / "src/posenc/_table.py").write_text("def table(): ...")
    assert build(*names) == {"dials": "x", "plain": "x"}
    (root / f"{CHECKERS}_dial.py").write_text("def dial(): return 1")
    assert build(*names) == {"dials": "xx", "plain": "x"}
    (root / "notebooks/part/data.json").write_text("{}")
    assert build(*names) == {"dials": "xxx", "plain": "xx"}
    write(root, "plain", "1", COUNT.format("plain"))
    assert build(*names) == {"dials": "xxx", "plain": "xxx"}


def test_outputs_of_a_notebook_that_fails_are_not_kept(root, build):
    write(root, "broken", "1 / 0")
    assert build("broken") == {}
    assert not get_cache(str(root / "cache")).list_cache_records()
