"""One student of a class, as the hub and a server see one: logs in, pulls, runs cells, saves.

The requests are those that a browser makes; whatever fails is tried again as a person would, by
following the link once more.
"""

import asyncio
import json
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import nbformat
from yarl import URL

from kernel_client import KernelClient, KernelError

PAUSE = 2.0  # seconds between two attempts, and between two cells
PATIENCE = 300.0  # seconds after which a student gives up
FAILURES = (aiohttp.ClientError, TimeoutError, ConnectionError)


class LearnerError(Exception):
    """Something that a student would see: a page that says no."""


class Learner:
    """A student with a browser, and what came of the class."""

    def __init__(
        self, base: str, link: str, name: str, password: str, files: Sequence[str] = ()
    ) -> None:
        self.files = files  # what JupyterLab's page fetches besides
        self.base, self.link, self.name, self.password = base, link, name, password
        query = parse_qs(urlsplit(link).query)
        self.path = query["urlpath"][0].removeprefix("lab/tree/")
        self.pull = f"repo={query['repo'][0]}&branch={query['branch'][0]}"
        self.home = f"{base}/user/{name}"
        self.times: dict[str, float] = {}  # seconds from arrival to each step's end
        self.problems: list[str] = []
        self.outputs: list[float] = []  # when cells were done
        self.cells = self.saves = self.requests = self.bytes = 0
        self.kernel = ""
        self.kept: Any = None  # what the server said it has saved
        self.unsure: list[Any] = []  # what was sent since, with no answer

    async def attend(self, closing: asyncio.Event) -> None:
        """Come, and work until the class closes."""
        self.arrived = time.monotonic()
        jar = aiohttp.CookieJar(unsafe=True)
        timeout = aiohttp.ClientTimeout(total=120)
        self.web = aiohttp.ClientSession(cookie_jar=jar, timeout=timeout)
        async with self.web:
            while not closing.is_set():
                try:
                    await self._visit(closing)
                except (LearnerError, KernelError, *FAILURES) as problem:
                    reason = str(problem) or type(problem).__name__
                    self.problems.append(f"{time.monotonic() - self.arrived:.0f} s: {reason[:120]}")
                    if "output" not in self.times and time.monotonic() - self.arrived > PATIENCE:
                        return
                    await asyncio.sleep(PAUSE)

    async def _visit(self, closing: asyncio.Event) -> None:
        await self._enter(self.link)
        self._note("server")
        if "pulled" not in self.times:
            await self._pull()
            self._note("pulled")
        await self._open_lab()
        self._note("lab")
        notebook = self.kept or (await self._request("GET", f"api/contents/{self.path}?content=1"))
        notebook = nbformat.from_dict(notebook.get("content", notebook))
        file = self.path.rpartition("/")[2]
        model = await self._request("POST", "api/sessions", {
            "path": self.path, "name": file, "type": "notebook", "kernel": {"name": "python3"},
        })  # fmt: skip
        self.kernel = model["kernel"]["id"]
        await self._work(notebook, closing)

    def _note(self, step: str) -> None:
        self.times.setdefault(step, time.monotonic() - self.arrived)

    async def _get(self, url: str | URL, **more: Any) -> tuple[int, URL, str]:
        self.requests += 1
        async with self.web.get(url, **more) as answer:
            body = await answer.read()
            self.bytes += len(body)
            return answer.status, answer.url, body.decode("utf-8", "replace")

    async def _enter(self, path: str) -> None:
        """Follow the link, through the login form and the queue, to one's own server."""
        status, url, page = await self._get(self.base + path)
        if url.path.endswith("/hub/login"):
            token = re.search(r'name="_xsrf" value="([^"]+)"', page)
            form = {"username": self.name, "password": self.password}
            self.requests += 1
            async with self.web.post(
                url, data=form | {"_xsrf": token[1] if token else ""}
            ) as answer:
                status, url, page = answer.status, answer.url, await answer.text()
            if status == 403:
                raise LearnerError("the login was refused")
            self._note("login")
        if "/hub/spawn-pending/" in url.path:
            progress = re.search(r'EventSource\("([^"]+)"\)', page)
            if progress:
                await self._progress(
                    URL(self.base + progress[1].replace("&amp;", "&"), encoded=True)
                )
            status, url, page = await self._get(url)
        if status != 200 or not url.path.startswith(f"/user/{self.name}/"):
            raise LearnerError(f"{url.path} answers {status}")

    async def _progress(self, url: URL) -> None:
        """Watch the bar until the server is ready."""
        async for event in self._events(url):
            if event.get("ready"):
                return
            if event.get("failed"):
                raise LearnerError(f"the server did not start: {event.get('message')}")

    async def _events(self, url: URL | str) -> Any:
        self.requests += 1
        async with self.web.get(url, timeout=aiohttp.ClientTimeout(total=PATIENCE)) as answer:
            if answer.status != 200:
                raise LearnerError(f"{answer.url.path} answers {answer.status}")
            async for line in answer.content:
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])

    async def _pull(self) -> None:
        async for event in self._events(f"{self.home}/git-pull/api?{self.pull}"):
            if event["phase"] == "finished":
                return
            if event["phase"] == "error":
                raise LearnerError(f"the course could not be pulled: {event['message']}")
        raise LearnerError("the course could not be pulled")

    async def _open_lab(self) -> None:
        """Fetch JupyterLab's page, its scripts, and what it asks for when it starts."""
        status, _, page = await self._get(f"{self.home}/lab/tree/{self.path}")
        if status != 200:
            raise LearnerError(f"JupyterLab answers {status}")
        for script in re.findall(r'<script[^>]* src="([^"]+)"', page):
            await self._get(URL(self.base).join(URL(script)))
        if "lab" not in self.times:  # later they come from the browser's cache
            connections = asyncio.Semaphore(6)  # as many as a browser opens

            async def fetch(file: str) -> None:
                async with connections:
                    await self._get(f"{self.home}/{file}")

            await asyncio.gather(*map(fetch, self.files))
        folder = self.path.rpartition("/")[0]
        for part in (
            "api/me", "api/kernelspecs", "lab/api/settings", "lab/api/workspaces/default",
            "api/kernels", "api/sessions", f"api/contents/{folder}?content=1",
        ):  # fmt: skip
            await self._get(f"{self.home}/{part}")

    async def _request(self, method: str, part: str, content: Any = None) -> Any:
        self.requests += 1
        token = self.web.cookie_jar.filter_cookies(URL(f"{self.home}/")).get("_xsrf")
        headers = {"X-XSRFToken": token.value if token else ""}
        url = f"{self.home}/{part}"
        async with self.web.request(method, url, json=content, headers=headers) as answer:
            if answer.status >= 300 or "/user/" not in answer.url.path:
                raise LearnerError(f"{method} {part.split('?')[0]} answers {answer.status}")
            return await answer.json()

    async def _work(self, notebook: Any, closing: asyncio.Event) -> None:
        """Run the chapter up to its exercises, again and again, and save as one goes."""
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        stubs = [i for i, cell in enumerate(code) if "NotImplementedError" in cell.source]
        code = code[: stubs[0]] if stubs else code
        url = f"{self.home}/api/kernels/{self.kernel}/channels"
        async with self.web.ws_connect(url, max_msg_size=0) as socket:
            kernel = KernelClient(socket)
            await kernel.ready()
            while True:
                for count, cell in enumerate(code, 1):
                    if closing.is_set():
                        return
                    cell.outputs, cell.execution_count = await kernel.run(cell.source)
                    self.cells += 1
                    self.outputs.append(time.monotonic())
                    if any(output.output_type != "error" for output in cell.outputs):
                        self._note("output")
                    if count % 3 == 0:
                        notebook.metadata["save"] = self.saves + 1
                        await self._save(notebook)
                    await asyncio.sleep(PAUSE)

    async def _save(self, notebook: Any) -> None:
        content = json.loads(nbformat.writes(notebook))
        self.unsure.append(content)
        await self._request(
            "PUT", f"api/contents/{self.path}",
            {"type": "notebook", "format": "json", "content": content},
        )  # fmt: skip
        self.kept, self.unsure = content, []
        self.saves += 1

    def lost(self, text: str | None) -> bool:
        """Say whether a file on disk is anything else than what was last saved."""
        if self.kept is None:
            return False
        with suppress(ValueError, TypeError):
            found = _cells(nbformat.reads(text, as_version=4))
            return all(found != _cells(sent) for sent in [self.kept, *self.unsure])
        return True


def _cells(notebook: Any) -> list[Any]:
    """Return what a learner would miss: sources and outputs, in one form."""
    cells = nbformat.from_dict(notebook).cells
    return [(cell.cell_type, _joined(cell.source), _joined(cell.get("outputs"))) for cell in cells]


def _joined(value: Any) -> str:
    """Return text in one form, whether it was kept as lines or as a whole."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    if isinstance(value, list):
        return json.dumps([_joined(item) for item in value])
    if isinstance(value, dict):
        return json.dumps({key: _joined(item) for key, item in value.items()}, sort_keys=True)
    return json.dumps(value) if not isinstance(value, str) else value
