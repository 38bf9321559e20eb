"""Run cells in a kernel behind a Jupyter server, over its websocket."""

import asyncio
import json
from typing import Any

import aiohttp
import nbformat
from jupyter_client.session import Session


class KernelError(Exception):
    """A kernel that died, or that can't be reached any more."""


class KernelClient:
    """Speaks Jupyter's message protocol over a websocket."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket, self.session = socket, Session(key=b"")

    async def ready(self) -> None:
        """Wait until the kernel answers; while it starts, questions may be lost."""
        for _ in range(30):
            await self._send("kernel_info_request", {})
            try:
                async with asyncio.timeout(2):
                    while (await self._receive())["msg_type"] != "kernel_info_reply":
                        pass
            except TimeoutError:
                continue
            return
        raise KernelError("the kernel does not answer")

    async def run(self, source: str, *, silent: bool = False) -> tuple[list[Any], int | None]:
        """Run a cell; return its outputs and its number, or raise if the kernel dies."""
        content = {
            "code": source,
            "silent": silent,
            "store_history": not silent,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": True,
        }
        request = await self._send("execute_request", content)
        outputs, number, idle = [], None, False
        while number is None or not idle:
            message = await self._receive(120)
            kind, content = message["msg_type"], message["content"]
            if content.get("execution_state") in ("restarting", "autorestarting", "dead"):
                raise KernelError("the kernel died and is started again")
            if message["parent_header"].get("msg_id") != request:
                continue
            if kind == "execute_reply":
                number = content["execution_count"]
            elif kind == "status":
                idle = content["execution_state"] == "idle"
            elif kind in ("stream", "display_data", "execute_result", "error"):
                outputs.append(nbformat.v4.output_from_msg(message))
        return outputs, number

    async def _send(self, kind: str, content: dict[str, Any]) -> str:
        """Send a request; return its id, which the replies to it carry."""
        message = self.session.msg(kind, content) | {"channel": "shell"}
        await self.socket.send_str(json.dumps(message, default=str))
        return str(message["header"]["msg_id"])

    async def _receive(self, seconds: float | None = None) -> dict[str, Any]:
        packet = await self.socket.receive(timeout=seconds)
        if packet.type is not aiohttp.WSMsgType.TEXT:
            raise KernelError("the connection to the kernel was lost")
        return dict(json.loads(packet.data))
