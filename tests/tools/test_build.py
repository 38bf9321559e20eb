"""The build runs its steps in the order of one list, and rereads no page without a reason."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from posenc_book import build

ROOT = Path(__file__).parents[2]
SITE = ROOT / "packages/posenc-book/posenc_book"
MODULES = [path for path in sorted(SITE.rglob("*.py")) if "page" not in path.parts]


@pytest.fixture
def app(tmp_path):
    (tmp_path / "environment.pickle").touch()
    builder = SimpleNamespace(name="html")
    return SimpleNamespace(builder=builder, doctreedir=tmp_path, _warncount=0)


@pytest.mark.parametrize(
    ("builder", "warnings", "error", "ran", "kept"),
    [
        ("html", 0, None, True, True),
        ("html", 0, ValueError("broken"), False, False),
        ("html", 1, None, True, False),
        # No step runs unless the site is being built.
        ("linkcheck", 0, None, False, True),
        ("linkcheck", 1, None, False, False),
    ],
)
def test_steps_run_in_order_and_after_a_warning_every_page_will_be_reread(
    app, monkeypatch, builder, warnings, error, ran, kept
):
    taken = []
    steps = {name: (lambda *_, name=name: taken.append(name) or [name]) for name in ("one", "two")}
    monkeypatch.setattr(build, "STEPS", {"html-collect-pages": steps, "build-finished": steps})
    app.builder.name, app._warncount = builder, warnings
    build._run_steps("build-finished", app, error)
    assert taken == (["one", "two"] if ran else [])
    assert (app.doctreedir / "environment.pickle").exists() == kept
    expected = [] if builder == "linkcheck" else ["one", "two"]
    assert build._run_steps("html-collect-pages", app) == expected


def test_a_step_that_fails_is_named(app, monkeypatch):
    monkeypatch.setattr(build, "STEPS", {"build-finished": {"draw the moon": divmod}})
    with pytest.raises(ExtensionError, match="The build failed at: draw the moon"):
        build._run_steps("build-finished", app, None)


def test_one_module_registers_everything():
    registers = re.compile(r"\bapp\.(connect|add_\w+|setup_extension)\(")
    found = [path.name for path in MODULES if registers.search(path.read_text("utf-8"))]
    assert found == ["build.py"]
