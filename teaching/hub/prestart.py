"""Start the students' servers before class: python teaching/hub/prestart.py [NAME ...].

Each then holds the course, and a kernel that has loaded NumPy and Matplotlib waits for the notebook
that the link opens. Without names, it does so for every member of the students' group.
"""

import asyncio
import grp
import json
import sys
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
from jupyterhub.utils import subdomain_hook_idna

from kernel_client import KernelClient, KernelError
from settings import ClassError, Settings, read

# Loading binds no name in the student's notebook.
LOAD = "__import__('matplotlib.pyplot'); __import__('posenc_checks')"


async def prestart(settings: Settings, token: str, names: Iterable[str]) -> dict[str, str]:
    """Start the servers; return why, by name, for each server that did not start."""
    query = parse_qs(urlsplit(settings.link).query)
    timeout = aiohttp.ClientTimeout(total=900)
    failed: dict[str, str] = {}
    async with aiohttp.ClientSession(
        headers={"Authorization": f"token {token}"}, timeout=timeout, base_url=settings.url
    ) as web:
        domain = urlsplit(settings.subdomain_host).hostname or ""

        async def ready(name: str) -> None:
            for _ in range(2):  # what is lost in a rush works a moment later
                try:
                    student = _Student(web, name, domain)
                    await student.start()
                    await student.pull(query)
                    await student.warm(query["urlpath"][0].removeprefix("lab/tree/"))
                except (aiohttp.ClientError, KernelError, ClassError, TimeoutError) as error:
                    failed[name] = str(error) or type(error).__name__
                else:
                    failed.pop(name, None)
                    break

        await asyncio.gather(*map(ready, names))
    return failed


class _Student:
    """A student's server as the hub and the proxy know it."""

    def __init__(self, web: aiohttp.ClientSession, name: str, domain: str) -> None:
        self.web, self.name = web, name
        # If servers have hosts of their own, the proxy goes by them.
        self.host = {"Host": subdomain_hook_idna(name, domain, kind="user")} if domain else {}

    async def start(self) -> None:
        users = "/hub/api/users"
        await self._request("POST", users, {"usernames": [self.name]}, ignore=(409,))
        await self._request("POST", f"{users}/{self.name}/server", ignore=(400,))
        async for event in self._events(f"{users}/{self.name}/server/progress"):
            if event.get("ready"):
                return
            if event.get("failed"):
                raise ClassError(event.get("message", "the server did not start"))

    async def pull(self, query: dict[str, list[str]]) -> None:
        url = f"/user/{self.name}/git-pull/api?repo={query['repo'][0]}&branch={query['branch'][0]}"
        async for event in self._events(url):
            if event["phase"] == "error":
                raise ClassError(event["message"])

    async def warm(self, path: str) -> None:
        content = {
            "path": path, "name": path.rpartition("/")[2], "type": "notebook",
            "kernel": {"name": "python3"},
        }  # fmt: skip
        session = await self._request("POST", f"/user/{self.name}/api/sessions", content)
        url = f"/user/{self.name}/api/kernels/{session['kernel']['id']}/channels"
        async with self.web.ws_connect(url, headers=self.host, max_msg_size=0) as socket:
            kernel = KernelClient(socket)
            await kernel.ready()
            await kernel.run(LOAD, silent=True)

    async def _request(self, method: str, url: str, content: Any = None, ignore: Any = ()) -> Any:
        async with self.web.request(method, url, json=content, headers=self.host) as answer:
            body = await answer.read()
            if answer.status >= 300 and answer.status not in ignore:
                raise ClassError(f"{url} answers {answer.status}: {_message(body)}")
            return json.loads(body) if body else None

    async def _events(self, url: str) -> Any:
        async with self.web.get(url, headers=self.host) as answer:
            if answer.status >= 300:
                raise ClassError(f"{url} answers {answer.status}: {_message(await answer.read())}")
            async for line in answer.content:
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])


def _message(body: bytes) -> str:
    try:
        return str(json.loads(body)["message"])
    except (ValueError, LookupError, TypeError):
        return "no reason given"


def main(names: list[str]) -> int:
    """Start the servers; return 1 with one sentence for each that did not start."""
    try:
        settings = read()
        names = names or sorted(grp.getgrnam(settings.students).gr_mem)
        token = (settings.private / "token").read_text().strip()
    except KeyError:
        print(f"There is no group {settings.students!r} on this machine.", file=sys.stderr)
        return 1
    except (ClassError, OSError) as error:
        print(f"The hub's token can't be had: {error}", file=sys.stderr)
        return 1
    failed = asyncio.run(prestart(settings, token, names))
    for name, reason in failed.items():
        print(f"{name}: {reason}", file=sys.stderr)
    print(f"{len(names) - len(failed)} of {len(names)} servers are ready.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
