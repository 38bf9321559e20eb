"""Describe the sandbox of a submission: what it can see, and how much it may use.

In there is Python, a small writable memory and nothing else: no network, no files of this machine
but its programs, no other processes, no environment. Started by root, it is the user nobody.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from grading import seccomp

NOBODY = "65534"
HERE = Path(__file__).parent
HOME, MOUNT_POINT = "/home/student", "/given"
WRITABLE = ("/dev/shm", "/tmp", HOME)
MIB = 2**20
# The course's own packages, of which a submission finds none.
COURSE_PACKAGES = ("posenc", "posenc_clinic", "posenc_checks", "posenc_book")


@dataclass
class Limits:
    """Limits of a submission; seconds are of the clock unless they say otherwise."""

    cell: float = 10  # seconds for a cell
    call: float = 5  # seconds for an answer
    all: float = 30  # seconds for everything, also of processor time for each process
    memory: int = 1024  # MiB, of all its processes together
    processes: int = 32  # and threads, each of which also takes memory of the kernel's own
    disk: int = 32  # MiB in each of three places to write

    def resources(self) -> dict[str, int]:
        """Return the kernel's limits for each process."""
        return {
            # Address space: libraries reserve more of it than they use.
            "RLIMIT_AS": (self.memory + 512) * MIB,
            "RLIMIT_CPU": int(self.all) + 1,
            "RLIMIT_NPROC": self.processes,
            "RLIMIT_FSIZE": self.disk * MIB,
            "RLIMIT_NOFILE": 256,
            "RLIMIT_CORE": 0,
        }


def unavailable() -> str | None:
    """Return why no sandbox can be made here, and what to type, or None."""
    if not shutil.which("bwrap"):
        return (
            "Nothing was graded: bubblewrap (the command bwrap) is not installed, and without it "
            "submissions could read and change everything; on Debian, apt install bubblewrap."
        )
    if reason := seccomp.unavailable():
        return reason
    filter_fd = seccomp.program()
    command = command_for(Limits(), filter_fd)
    python = [*command[: command.index("--") + 2], "-I", "-c", "import IPython"]
    try:
        done = subprocess.run(
            python, env={}, capture_output=True, text=True, timeout=60, pass_fds=[filter_fd]
        )
        if not done.returncode:
            return None
        reason = "".join(done.stderr.strip().splitlines()[-1:])
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = str(error)
    finally:
        os.close(filter_fd)
    return f"Nothing was graded: the sandbox can't start here ({reason or 'no reason'})."


def visible_folders() -> list[str]:
    """Return the folders that every sandbox shows, read-only."""
    pythons = dict.fromkeys(map(os.path.abspath, [sys.prefix, sys.base_prefix]))
    return ["/usr", *[path for path in pythons if not Path(path).is_relative_to("/usr")]]


def command_for(limits: Limits, filter_fd: int) -> list[str]:
    """Return the command that starts Python in a sandbox; `seccomp.program` gives `filter_fd`."""
    root, bwrap = os.geteuid() == 0, shutil.which("bwrap") or "bwrap"
    command = [bwrap, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    command += ["--unshare-cgroup-try", "--hostname", "sandbox"]
    command += [] if root else ["--unshare-user"]
    for name in ("lib", "lib32", "lib64", "bin", "sbin"):
        folder = Path("/", name)
        if folder.is_symlink():
            command += ["--symlink", os.readlink(folder), str(folder)]
        elif folder.is_dir():
            command += ["--ro-bind", str(folder), str(folder)]
    command += ["--proc", "/proc", "--dev", "/dev"]
    # What lies in either would be counted nowhere: shared zeros, and text that a terminal holds.
    command += ["--dev-bind", "/dev/null", "/dev/zero", "--tmpfs", "/dev/pts"]
    made: set[str] = set()
    command += _parents(f"{HOME}/x", made)
    # Before what is shown, which may lie in one of them.
    for place in WRITABLE:
        made.add(place)
        command += ["--perms", "1777", "--size", str(limits.disk * MIB), "--tmpfs", place]
    for path in visible_folders():
        command += [*_parents(path, made), "--ro-bind", path, path]
    command += _parents("/etc/ld.so.cache", made)
    command += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for hidden in filter(None, map(_installed, COURSE_PACKAGES)):
        command += ["--tmpfs", hidden, "--remount-ro", hidden]
    command += _parents(f"{MOUNT_POINT}/x", made)
    inner = f"{MOUNT_POINT}/bwrap"
    command += ["--ro-bind", bwrap, inner] if root else []
    for name in ("protocol.py", "worker.py"):
        command += ["--ro-bind", str(HERE / name), f"{MOUNT_POINT}/{name}"]
    for place in ("/dev/pts", "/dev", "/"):
        command += ["--remount-ro", place]
    command += ["--chdir", HOME, "--die-with-parent", "--new-session", "--clearenv"]
    for name, value in {
        "HOME": HOME, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MPLBACKEND": "Agg",
        "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1",
    }.items():  # fmt: skip
        command += ["--setenv", name, value]
    forbid = ["--seccomp", str(filter_fd)]
    if root:  # the mounts are made; now become nobody, for whom no other users can be made up
        command += ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        command += ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
        command += [inner, "--unshare-user", "--dev-bind", "/", "/"]
        command += ["--chdir", HOME, "--die-with-parent"]
    python = os.path.abspath(sys.executable)
    return [*command, *forbid, "--", python, "-I", f"{MOUNT_POINT}/worker.py"]


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
