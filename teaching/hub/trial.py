"""Try a class on this machine, on loopback, without changing the machine: python trial.py [30].

Inside a mount namespace with /etc, /home and /srv of its own stand real Unix accounts, so PAM and
the hub work as they will in earnest. Outside nothing is written but the port is open and
`_build/hub` keeps compiled modules. Ctrl+C ends all of it.
"""

import argparse
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from serve import check_proxy
from settings import ROOT, ClassError, Settings, read

PASSWORD = "trial-{name}"
NEEDS = (
    "The trial needs Linux, root (sudo) and bubblewrap (apt install bubblewrap), because it {why}."
)


def main(arguments: list[str]) -> int:
    """Hold a class until Ctrl+C; return 1 with one sentence if that can't be done."""
    parser = argparse.ArgumentParser(prog="trial.py", description=__doc__)
    parser.add_argument("students", nargs="?", type=int, default=3)
    parser.add_argument("--edition", type=Path, help="a learner's edition that is already made")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        return _inside(options.students, options.edition)
    try:
        command = _namespace()
        if not 1 <= options.students <= 99:
            raise ClassError(f"A trial has 1 to 99 students, not {options.students}.")
        settings = read()
        _fetch_proxy(settings)
        check_proxy(settings)
    except ClassError as error:
        print(error, file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="posenc-class-") as folder:
        place = Path(folder)
        shutil.copytree("/etc", place / "etc", symlinks=True, ignore_dangling_symlinks=True)
        for name in ("home", "srv"):
            (place / name).mkdir()
        command += ["--bind", f"{place}/etc", "/etc", "--bind", f"{place}/home", "/home"]
        command += ["--bind", f"{place}/srv", str(settings.folder.parent)]
        needed = [ROOT, Path(sys.prefix), Path(sys.base_prefix)]
        inside = []
        if options.edition:
            needed.append(options.edition.resolve())
            inside = ["--edition", str(needed[-1])]
        command += _opened(needed)
        compiled = ROOT / "_build/hub/compiled"
        compiled.mkdir(parents=True, exist_ok=True)
        command += ["--bind", str(compiled), str(compiled)]
        command += ["--setenv", "PYTHONPYCACHEPREFIX", str(compiled), "--chdir", str(ROOT)]
        command += [sys.executable, __file__, str(options.students), "--inside", *inside]
        print(f"trial: {place}", flush=True)
        done = subprocess.Popen(command)
        signal.signal(signal.SIGTERM, lambda *_: done.terminate())
        try:
            return done.wait()
        except KeyboardInterrupt:
            done.wait(20)
            return 0


def _namespace() -> list[str]:
    """Return the command under which the machine looks its own and can't be changed."""
    bwrap = shutil.which("bwrap")
    if sys.platform != "linux" or os.geteuid() != 0 or not bwrap:
        raise ClassError(NEEDS.format(why="makes accounts that exist only inside it"))
    command = [bwrap, "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"]
    command += ["--tmpfs", "/tmp", "--tmpfs", "/run", "--unshare-pid", "--die-with-parent"]
    command += ["--cap-add", "ALL"]
    done = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        why = f"mounts folders, which this machine refuses ({done.stderr.strip()})"
        raise ClassError(NEEDS.format(why=why))
    return command


def _fetch_proxy(settings: Settings) -> None:
    """Fetch the JavaScript of the project, which the proxy is part of, if it is not there yet."""
    if settings.proxy == Settings.proxy and not Path(settings.proxy).is_file():
        from sphinx.errors import ExtensionError

        from posenc_book.theme.assets import fetch

        try:
            fetch(ROOT)
        except ExtensionError as error:
            reason = str(error).splitlines()[0]
            raise ClassError(f"The proxy is missing: {settings.proxy} ({reason}).") from None


def _opened(paths: list[Path]) -> list[str]:
    """Return what lets students read these folders even where a folder above them is closed."""
    words: list[str] = []
    hidden = [Path("/tmp"), Path("/run"), Path("/home"), read().folder.parent]
    for path in paths:
        for above in reversed(path.parents):
            if any(place in above.parents for place in hidden):
                words += ["--perms", "0755", "--dir", str(above)]
            elif not above.stat().st_mode & stat.S_IXOTH and above not in hidden:
                words += ["--perms", "0755", "--tmpfs", str(above)]
                hidden.append(above)
    for path in paths:
        words += ["--ro-bind", str(path), str(path)]
    return words


def _inside(count: int, edition: Path | None) -> int:
    """Make accounts and the course, then become `serve.py`."""
    settings = read()
    names = [f"student{number:02}" for number in range(1, count + 1)]
    people = dict.fromkeys(names, settings.students) | {"teacher": settings.teachers}
    taken = max(int(line.split(":")[2]) for line in Path("/etc/passwd").read_text().splitlines()
                if int(line.split(":")[2]) < 60000)  # fmt: skip
    first = max(taken + 1, 20001)
    for group in (settings.students, settings.teachers):
        subprocess.run(["groupadd", "--force", group], check=True)
    if settings.proxy_user not in {account.pw_name for account in pwd.getpwall()}:
        subprocess.run(["useradd", "--system", settings.proxy_user], check=True)
    lines = [
        f"{name}:{PASSWORD.format(name=name)}:{first + number}:::/home/{name}:/bin/bash"
        for number, name in enumerate(people)
    ]
    done = subprocess.run(["newusers"], input="\n".join(lines) + "\n", text=True, check=False,
                          capture_output=True)  # fmt: skip
    if done.returncode:
        print(f"newusers could not make the accounts: {done.stderr.strip()}", file=sys.stderr)
        return 1
    for name, group in people.items():
        subprocess.run(["usermod", "--append", "--groups", group, name], check=True)
        Path("/home", name).chmod(0o700)
    if (ROOT / "teaching/course").is_dir():
        shutil.copytree(ROOT / "teaching/course", "/home/teacher/course", dirs_exist_ok=True)
        subprocess.run(["chown", "-R", "teacher:", "/home/teacher/course"], check=True)
    make = [sys.executable, str(Path(__file__).with_name("course.py")), str(settings.course)]
    if subprocess.run([*make, *([str(edition)] if edition else [])], check=False).returncode:
        return 1
    print(f"Open {settings.subdomain_host or settings.url}{settings.link}", flush=True)
    one, other = (f"as {name} with the password {PASSWORD.format(name=name)}"
                  for name in ("student01", "teacher"))  # fmt: skip
    print(f"Log in {one}, or {other}.", flush=True)
    os.execv(sys.executable, [sys.executable, str(Path(__file__).with_name("serve.py"))])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
