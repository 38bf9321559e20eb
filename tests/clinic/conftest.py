"""Fixtures that run `python -m posenc_clinic diagnose` in this process."""

import pytest

from posenc_clinic.__main__ import main


@pytest.fixture
def run(capsys):
    """A function that runs the command, and returns its status, output and errors."""

    def ran(*arguments):
        status = main(["diagnose", *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return ran


@pytest.fixture
def refused(run):
    """A function that runs the command, which must fail, and returns its one-line error."""

    def refuse(*arguments):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
        assert err.startswith(f"python -m posenc_clinic: {arguments[0]}: ")
        assert "Traceback" not in err
        return err

    return refuse


@pytest.fixture
def write(tmp_path):
    """A function that writes text or bytes to a file of some name and returns its path."""

    def written(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return written
