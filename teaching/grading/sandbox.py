"""Keep one submission in a sandbox of bubblewrap, and ask it questions.

In there is Python, a small writable memory and nothing else: no network, no files of this machine
but its programs, no other processes, no environment. Started by root, it is the user nobody.
"""

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grading.wire import Channel, Gone, encode

NOBODY = "65534"
HERE = Path(__file__).parent
HOME, GIVEN = "/home/student", "/given"
MIB = 2**20


class NoSandboxError(Exception):
    """No sandbox could be started, which is not the submission's fault."""


@dataclass
class Limits:
    """What a submission may use; seconds are of the clock unless they say otherwise."""

    cell: float = 20  # seconds for a cell
    call: float = 10  # seconds for an answer
    all: float = 120  # seconds for everything, also of processor time for each process
    memory: int = 1024  # MiB, of all its processes together
    processes: int = 64  # and threads
    disk: int = 32  # MiB in each of three places to write

    def resources(self) -> dict[str, int]:
        """Return what the kernel limits for each process."""
        return {
            "RLIMIT_AS": (self.memory + 512)
            * MIB,  # address space, of which libraries reserve much
            "RLIMIT_CPU": int(self.all) + 1,
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_FSIZE": self.disk * MIB,
            "RLIMIT_NOFILE": 256,
            "RLIMIT_CORE": 0,
        }


def missing() -> str | None:
    """Return why no sandbox can be made here, in a sentence, or None."""
    if not shutil.which("bwrap"):
        return (
            "Nothing was graded: bubblewrap (the command bwrap) is not installed, and without it "
            "submissions could read and change everything; on Debian, apt install bubblewrap."
        )
    command = command_for(Limits(), needs=[], files=[])
    python = [*command[: command.index("--") + 1], sys.executable, "-I", "-c", "import IPython"]
    try:
        done = subprocess.run(python, env={}, capture_output=True, text=True, timeout=60)
        said = done.stderr.strip().splitlines()[-1:] if done.returncode else []
    except (OSError, subprocess.TimeoutExpired) as error:
        done, said = None, [str(error)]
    if done and not done.returncode:
        return None
    return f"Nothing was graded: the sandbox can't start here ({' '.join(said) or 'no reason'})."


def programs() -> list[str]:
    """Return the folders that every sandbox shows, read-only."""
    pythons = dict.fromkeys([sys.prefix, sys.base_prefix])
    return ["/usr", *[path for path in pythons if not Path(path).is_relative_to("/usr")]]


def command_for(limits: Limits, needs: list[str], files: list[str]) -> list[str]:
    """Return the command that starts Python in a sandbox.

    `needs` are packages besides the environment's that cells may import, `files` what lies beside
    the notebook.
    """
    root = os.geteuid() == 0
    command = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    command += ["--unshare-cgroup-try", "--hostname", "sandbox"]
    command += [] if root else ["--unshare-user", *_no_more_users()]
    for name in ("lib", "lib32", "lib64", "bin", "sbin"):
        path = Path("/", name)
        if path.is_symlink():
            command += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            command += ["--ro-bind", str(path), str(path)]
    made: set[str] = set()
    for path in programs():
        command += [*_parents(path, made), "--ro-bind", path, path]
    command += _parents("/etc/ld.so.cache", made)
    command += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    hidden = _installed("posenc") if "posenc" not in needs else None
    command += ["--tmpfs", hidden, "--remount-ro", hidden] if hidden else []
    command += _parents(f"{GIVEN}/x", made)
    for name in ("wire.py", "inside.py"):
        command += ["--ro-bind", str(HERE / name), f"{GIVEN}/{name}"]
    for name in needs:
        found = importlib.util.find_spec(name)
        if found and found.submodule_search_locations:
            command += ["--ro-bind", found.submodule_search_locations[0], f"{GIVEN}/{name}"]
    command += ["--proc", "/proc", "--dev", "/dev"]
    command += _parents(f"{HOME}/x", made)
    for place in ("/dev/shm", "/tmp", HOME):
        command += ["--perms", "1777", "--size", str(limits.disk * MIB), "--tmpfs", place]
    for file in files:
        command += ["--ro-bind", file, f"{HOME}/{Path(file).name}"]
    command += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME]
    command += ["--die-with-parent", "--new-session", "--clearenv"]
    for name, value in {
        "HOME": HOME,
        "PATH": "/usr/bin:/bin",
        "LC_ALL": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }.items():
        command += ["--setenv", name, value]
    if root:  # the mounts are made; now become nobody, for whom no other users can be made up
        command += ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        command += ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
        command += ["bwrap", "--unshare-user", *_no_more_users(), "--dev-bind", "/", "/"]
        command += ["--chdir", HOME, "--die-with-parent"]
    return [*command, "--", sys.executable, "-I", f"{GIVEN}/inside.py"]


class Sandbox:
    """A submission that runs, is asked, and ends with all it started when the block ends."""

    def __init__(self, limits: Limits, needs: list[str], files: list[str]) -> None:
        self.limits, self.over = limits, ""
        self.until = time.monotonic() + limits.all
        self.process = subprocess.Popen(
            command_for(limits, needs, files),
            env={},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
        )
        assert self.process.stdin
        assert self.process.stdout
        os.set_blocking(self.process.stdin.fileno(), False)
        self.channel = Channel(self.process.stdout.fileno(), self.process.stdin.fileno())
        self.watch = threading.Thread(target=self._watch, daemon=True)
        self.watch.start()

    def __enter__(self) -> "Sandbox":
        try:
            self.channel.send(dict(self.limits.resources()), self.until)
            self.channel.receive(self.until)
        except Gone:
            self.end()
            raise NoSandboxError from None
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def ask(self, within: float, /, **question: Any) -> dict[str, Any]:
        """Return the answer to a question; raise Gone, from now on, if there is none."""
        if self.over:
            raise Gone(self.over)
        # A submission that stops at its own limit says so; a second more, and it is stopped.
        until = min(time.monotonic() + within + 3, self.until)
        try:
            self.channel.send(question, until)
            return self.channel.receive(until)
        except Gone as gone:
            self.over = self.over or str(gone)
            self.end()
            raise Gone(self.over) from None

    def end(self) -> None:
        """Kill the sandbox and all that runs in it, and wait until it is gone."""
        self._kill()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        try:
            self.process.wait(5)  # it ends by itself when what it watches has ended
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _kill(self) -> None:
        # The first of them is the first process of the sandbox, and the kernel ends all others
        # of a sandbox with it, whatever they have done to hide.
        for pid in descendants(self.process.pid):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def _watch(self) -> None:
        """End a sandbox whose processes together use too much memory."""
        page = os.sysconf("SC_PAGE_SIZE")
        while self.process.poll() is None:
            used = 0
            for pid in descendants(self.process.pid):
                with contextlib.suppress(OSError, ValueError, IndexError):
                    parts = Path(f"/proc/{pid}/statm").read_text().split()
                    used += int(parts[1]) * page
            if used > self.limits.memory * MIB:
                self.over = f"it used more than {self.limits.memory} MiB of memory"
                self._kill()
            time.sleep(0.1)


def call(sandbox: Sandbox, of: str | int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Ask a sandbox to call something of its own."""
    seconds = sandbox.limits.call
    sent = [encode(each) for each in args], {key: encode(each) for key, each in kwargs.items()}
    return sandbox.ask(seconds, do="call", of=of, args=sent[0], kwargs=sent[1], seconds=seconds)


def descendants(pid: int) -> list[int]:
    """Return the processes that a process started, those they started, and so on."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                stat = Path(f"/proc/{entry}/stat").read_text(errors="replace")
                children.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry))
    found = list(children.get(pid, []))
    for each in found:
        found += children.get(each, [])
    return found


def _parents(path: str, made: set[str]) -> list[str]:
    """Return how to make the folders above a path, which everybody may pass."""
    command = []
    for parent in [str(each) for each in Path(path).parents][-2::-1]:
        if parent not in made and parent != "/usr":
            made.add(parent)
            command += ["--perms", "0755", "--dir", parent]
    return command


def _installed(name: str) -> str | None:
    """Return where a package lies within this environment, if it does."""
    found = importlib.util.find_spec(name)
    places = (found.submodule_search_locations or []) if found else []
    return next((each for each in places if Path(each).is_relative_to(sys.prefix)), None)


def _no_more_users() -> list[str]:
    """Return the option that forbids user namespaces inside, which older versions lack."""
    told = subprocess.run(["bwrap", "--help"], capture_output=True, text=True)
    return ["--disable-userns"] if "--disable-userns" in told.stdout else []
