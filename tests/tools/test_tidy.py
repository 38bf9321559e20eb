"""Outputs are stored of all notebooks that can run, and the others are left as they are."""

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook

from posenc_book.format_notebooks import main


@pytest.fixture
def needy(tmp_path):
    """Where a notebook stands that prints, and then imports a package that is nowhere."""

    def placed(folder):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "needy.ipynb"
        cells = [new_code_cell("print(1 + 1)"), new_code_cell("import no_such_package")]
        nbformat.write(new_notebook(cells=cells), path)
        return path

    return placed


def test_a_notebook_for_another_library_is_left_as_it_was_where_that_is_missing(needy, capsys):
    path = needy("frameworks")
    before = path.read_bytes()
    assert main(["--run", str(path)]) == 0
    assert path.read_bytes() == before
    assert "No module named 'no_such_package'. To run it, too: " in capsys.readouterr().out


def test_a_chapter_that_lacks_a_module_is_an_error(needy):
    with pytest.raises(CellExecutionError, match="no_such_package"):
        main(["--run", str(needy("build"))])
