"""Call a function by name in a process of its own, with a folder and a limit of time."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from posenc_clinic.reading.table_from_array import Given, as_numbers
from posenc_clinic.reading.tables_of import tables_of

FUNCTION_NAME = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*(?:\.[^\W\d]\w*)*)")


def call_in_subprocess(name: str, n: int, d: int, timeout: float) -> dict[str, Given]:
    """Call `package.module:function` in a subprocess, or raise an error that says why it failed.

    Modules are found as in this process. The working folder is a temporary one, what the function
    prints is dropped, and there is nothing for it to read.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        answer = Path(folder, "answer")
        answer.mkdir()
        Path(folder, "work").mkdir()
        places = [os.getcwd(), *map(os.path.abspath, sys.path)]
        process = subprocess.Popen(
            [sys.executable, "-B", "-P", "-m", __name__, name, str(n), str(d), str(answer)],
            cwd=Path(folder, "work"),
            env=os.environ | {"PYTHONPATH": os.pathsep.join(places)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(
                f"it did not return within {timeout:g} s: allow more with --timeout"
            ) from None
        finally:
            _kill(process)
        with suppress(FileNotFoundError):
            raise ValueError((answer / "error.txt").read_text("utf-8"))
        with suppress(FileNotFoundError):
            said = json.loads((answer / "tables.json").read_text("utf-8"))
            return {
                key: Given(**known | {"values": np.load(answer / f"{at}.npy", allow_pickle=False)})
                for at, (key, known) in enumerate(said.items())
            }
        raise ValueError(f"its process ended with status {status} before it returned a table")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started."""
    if os.name == "posix":
        with suppress(ProcessLookupError):  # it has ended, and nothing is left
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _write_result(name: str, n: str, d: str, answer: str) -> None:
    module, _, function = name.partition(":")
    try:
        try:
            thing = attrgetter(function)(import_module(module))
        except (Exception, SystemExit) as error:
            if module in sys.modules:
                raise ValueError(f"{module} has no {function}") from None
            kind = type(error).__name__
            raise ValueError(f"importing {module} raised {kind}: {error}") from None
        tables = tables_of(thing, int(n), int(d))
        for at, given in enumerate(tables.values()):
            np.save(Path(answer, f"{at}.npy"), as_numbers(given.values), allow_pickle=False)
        said = {key: vars(replace(one, values=None)) for key, one in tables.items()}
        Path(answer, "tables.json").write_text(json.dumps(said), "utf-8")
    except Exception as error:
        Path(answer, "error.txt").write_text(str(error) or repr(error), "utf-8")


if __name__ == "__main__":
    _write_result(*sys.argv[1:])
    os._exit(0)  # whatever threads it has started
