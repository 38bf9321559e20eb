"""Say how this class is served: class.toml, the environment, and the arithmetic of the machine."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

# What one student's server and one kernel with NumPy and Matplotlib take, rounded up from
# classload.json, and what the machine keeps for itself, the hub and the proxy.
MEMORY_OF_A_STUDENT_MB = 300
MEMORY_OF_THE_MACHINE_MB = 2000
# A server computes for about two seconds before it answers. With three at a time on each core
# none waits for a core that stands idle, and the first to come is not slowed by the last.
STARTING_PER_CORE = 3


class ClassError(Exception):
    """Something that keeps a class from being served, in one sentence with its remedy."""


@dataclass(frozen=True)
class Settings:
    """What can be set, with what holds if it is not."""

    address: str = "127.0.0.1"
    port: int = 8000
    subdomain_host: str = ""
    state: str = "/srv/class"
    students: str = "students"
    teachers: str = "teachers"
    open: str = "index.ipynb"
    assignments: bool = False
    memory_mb: int = 1024
    cpu_minutes: int = 60
    processes: int = 250
    idle_minutes: float = 60.0
    starting: int = 0
    servers: int = 0
    proxy_user: str = "posenc-proxy"
    proxy: str = str(ROOT / "node_modules/configurable-http-proxy/bin/configurable-http-proxy")

    @property
    def folder(self) -> Path:
        """Return the folder that holds all that the class leaves behind."""
        return Path(self.state)

    @property
    def private(self) -> Path:
        """Return the folder in it that only root can read."""
        return self.folder / "private"

    @property
    def course(self) -> Path:
        """Return the git repository from which students pull."""
        return self.folder / "posenc-course"

    @property
    def url(self) -> str:
        """Return the address of the class on this machine."""
        return f"http://{self.address}:{self.port}"

    @property
    def link(self) -> str:
        """Return the link, to be put behind the class's address, that brings the course."""
        return (
            f"/hub/user-redirect/git-pull?repo=file://{self.course}&branch=main"
            f"&urlpath=lab/tree/{self.course.name}/{self.open}"
        )


def read(path: Path = HERE / "class.toml", environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings of a file, with those of the environment put over them."""
    try:
        given: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ClassError(f"{path} can't be read: {error.strerror}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ClassError(f"{path} is not TOML: {error}.") from None
    kinds = {field.name: type(field.default) for field in fields(Settings)}
    for name in kinds:
        if (value := environment.get(f"CLASS_{name.upper()}")) is not None:
            given[name] = _typed(f"CLASS_{name.upper()}", value, kinds[name])
    for name, value in given.items():
        if name not in kinds:
            raise ClassError(f"{path} sets {name!r}, which is none of {', '.join(kinds)}.")
        if type(value) is not kinds[name] and not (kinds[name] is float and type(value) is int):
            raise ClassError(f"{name} is {value!r} but must be of type {kinds[name].__name__}.")
        if kinds[name] in (int, float) and value < 0:
            raise ClassError(f"{name} is {value!r} but can't be negative.")
    settings = Settings(**given)
    if not 1024 <= settings.port <= 65533:
        raise ClassError(
            f"port is {settings.port} but must be from 1024 to 65533: two follow it, and the proxy "
            "may not listen below."
        )
    host = settings.subdomain_host
    if host and not re.fullmatch(r"https?://[\w.-]+(:\d+)?", host):
        raise ClassError(f"subdomain_host is {host!r} but must be like https://class.example.org.")
    return _fitted(settings)


def _typed(name: str, text: str, kind: type) -> Any:
    if kind is bool:
        return text.lower() in ("1", "true", "yes")
    try:
        return kind(text)
    except ValueError:
        raise ClassError(f"{name} is {text!r} but must be of type {kind.__name__}.") from None


def _fitted(settings: Settings) -> Settings:
    """Fill in what follows from the machine."""
    cores = os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    room = max(1, (memory - MEMORY_OF_THE_MACHINE_MB) // MEMORY_OF_A_STUDENT_MB)
    return replace(
        settings,
        starting=settings.starting or STARTING_PER_CORE * cores,
        servers=settings.servers or room,
    )
