"""What is changed inside other packages does its work, and with no other version of them."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest
from sphinx.errors import ExtensionError

from posenc_book import patches
from posenc_book.patches import patient

LOCK = (Path(__file__).parents[2] / "requirements.lock").read_text("utf-8")


@pytest.mark.parametrize("package", patches.WRITTEN_FOR)
def test_another_version_of_a_package_is_named_before_anything_is_changed(package, monkeypatch):
    def other(name):
        return "99.0" if name == package else version(name)

    before = patches.jupyter_cache.executenb
    monkeypatch.setattr(patches, "version", other)
    with pytest.raises(ExtensionError) as raised:
        patches.apply.__wrapped__()
    for part in (f"{package} 99.0", patches.WRITTEN_FOR[package], "requirements.lock"):
        assert part in str(raised.value)
    assert patches.jupyter_cache.executenb is before


def test_the_lock_has_the_versions_that_the_changes_were_written_for():
    for package, known in patches.WRITTEN_FOR.items():
        assert re.search(rf"^{package}=={re.escape(known)} ", LOCK, re.M), package


@pytest.mark.parametrize(
    ("errors", "runs"),
    [
        ([None], 1),
        (["Kernel died before replying to kernel_info", None], 2),
        (["Kernel died before replying to kernel_info"] * 2, 2),
        (["Kernel died"], 1),
    ],
)
def test_only_a_kernel_that_never_answered_is_started_again(errors, runs):
    seen = []

    def execute(notebook, cwd, shutdown_kernel):
        seen.append((notebook, cwd, shutdown_kernel))
        if error := errors[len(seen) - 1]:
            raise RuntimeError(error)
        return "done"

    if errors[-1]:
        with pytest.raises(RuntimeError, match=errors[-1]):
            patient(execute)("notebook", cwd="here")
    else:
        assert patient(execute)("notebook", cwd="here") == "done"
    assert seen == [("notebook", "here", "immediate")] * runs
