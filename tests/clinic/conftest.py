"""Fixtures: PyTorch, files, and `posenc-clinic` run in this process."""

import os

import pytest

from posenc_clinic.__main__ import main


@pytest.fixture
def torch():
    """PyTorch, without which the test is skipped."""
    return pytest.importorskip(
        "torch", reason="what needs torch: .venv/bin/pip install -e '.[frameworks]'"
    )


@pytest.fixture
def run(capsys):
    """A function that runs the command, and returns its status, output and errors."""

    def ran(*arguments):
        status = main([*map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return ran


@pytest.fixture
def refused(run):
    """A function that runs the command, which must fail and say this in a one-line error."""

    def refuse(said, *arguments):
        status, out, err = run(*arguments)
        assert (status, out, err.count("\n")) == (2, "", 1), (arguments, err)
        assert err.startswith(f"posenc-clinic: {arguments[0]}: "), err
        assert said in err, (said, err)
        assert "Traceback" not in err

    return refuse


@pytest.fixture
def usage(capsys):
    """A function that runs a command, which must exit with this status, and what it prints."""

    def printed(status, *arguments):
        with pytest.raises(SystemExit) as caught:
            main([*arguments])
        assert caught.value.code == status, arguments
        return capsys.readouterr()

    return printed


@pytest.fixture
def write(tmp_path):
    """A function that writes text or bytes to a file of some name and returns its path."""

    def written(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return written


@pytest.fixture
def trap(tmp_path):
    """An object that makes a folder when it is unpickled, which nothing may do in this test."""
    sprung = tmp_path / "sprung"

    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(sprung),)

    yield Trap()
    assert not sprung.exists()
