"""Our changes to other packages work, and apply to no other version of them."""

import ast
from importlib.metadata import version

import nbclient
import nbformat
import pytest
from sphinx.errors import ExtensionError

from posenc_book import patches
from posenc_book.patches import without_ports


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


def test_a_notebook_and_its_kernel_need_no_port(tmp_path):
    find = "from ipykernel import get_connection_info\nget_connection_info()"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(find)])
    without_ports(nbclient.execute)(notebook, cwd=tmp_path)
    said = notebook.cells[0].outputs[0].data["text/plain"]
    assert '"transport": "ipc"' in ast.literal_eval(said)
    assert not list(tmp_path.iterdir())
