"""Run the cells of a page, one after another, in one Python.

This is the Python side of a live page. It needs only the standard library, so that it starts fast
and can be tested anywhere; other packages are loaded when a cell imports them.
"""

import ast
import asyncio
import base64
import builtins
import contextlib
import contextvars
import importlib
import inspect
import io
import json
import linecache
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from .matmul import MatMul
from .mime_bundle import mime_bundle
from .output_limits import Send, Stream, Throttle
from .tracebacks import report


class Session:
    """The one Python of a page, whose cells share their names."""

    def __init__(self, send: Send, namespace: dict[str, Any] | None = None) -> None:
        self._send = send
        self._throttle = Throttle(send)
        self._streams = Stream("stdout", self._throttle), Stream("stderr", self._throttle)
        self._names: dict[str, str] = {}  # the cell of each run
        self._warned: set[tuple[Any, ...]] = set()
        self._pixels = 1.0, 10_000.0
        self._context = contextvars.copy_context()
        self.namespace = {"__name__": "__main__"} if namespace is None else namespace

    async def run(self, source: str, cell: str, ratio: float = 1, width: float = 10_000) -> bool:
        """Run the source of a cell; return whether it succeeded.

        `ratio` is the device pixel ratio, `width` the room for a figure in CSS pixels.
        """
        # NumPy keeps its print options in the context, which cells therefore share.
        task = self._run(source, cell, ratio, width)
        return await asyncio.get_running_loop().create_task(task, context=self._context)

    async def _run(self, source: str, cell: str, ratio: float, width: float) -> bool:
        self._throttle.begin()
        self._warned.clear()
        self._pixels = ratio, width
        self.namespace.pop("__warningregistry__", None)
        name = f"<cell {cell}, run {len(self._names) + 1}>"
        self._names[name] = cell
        linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
        succeeded = True
        with self._redirected():
            for part in (self._show_result, self._show_figures):
                try:
                    await part(source, name)
                except BaseException as error:
                    succeeded = False
                    self._throttle.end()
                    self._send({"kind": "error", **report(error, name, self._names)})
        self._throttle.end()
        return succeeded

    async def _show_result(self, source: str, name: str) -> None:
        self._prepare_plotly(source)
        value = await self._execute(source, name)
        if value is not None:
            self.namespace["_"] = value
            self.display(value)

    async def _show_figures(self, *_: str) -> None:
        self.show_figures()

    def display(self, *values: Any) -> None:
        """Show values as Jupyter's `display` does."""
        for value in values:
            if type(value).__module__ == "matplotlib.figure":
                self._show_figure(value)
            else:
                self._throttle.show(mime_bundle(value))

    def show_figures(self) -> None:
        """Show the open Matplotlib figures and close them, as Jupyter does."""
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot:
            figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
            pyplot.close("all")
            for figure in figures:
                if figure.axes or figure.lines:
                    self._show_figure(figure)

    def _show_figure(self, figure: Any) -> None:
        """Show a figure at the screen's resolution, if that is higher than its own."""
        ratio, width = self._pixels
        natural = figure.get_figwidth() * 100  # CSS pixels an inch, as on the page
        scale = min(
            2.0, max(1.0, ratio * min(natural, width) / (figure.get_figwidth() * figure.dpi))
        )
        file = io.BytesIO()
        figure.savefig(
            file, format="png", dpi=figure.dpi * scale, bbox_inches="tight",
            facecolor=figure.get_facecolor(), edgecolor=figure.get_edgecolor(),
        )  # fmt: skip
        picture = base64.b64encode(file.getvalue()).decode()
        self._throttle.show({"image/png": picture, "scale": f"{figure.dpi * scale / 100:.3f}"})

    async def _execute(self, source: str, name: str) -> Any:
        """Run a whole cell; return the value of its last line if that is an expression."""
        tree = MatMul().visit(ast.parse(source, name))
        last = tree.body[-1] if tree.body else None
        shown = isinstance(last, ast.Expr) and not _ends_with_semicolon(source, last)
        parts: list[ast.AST] = [tree]
        if shown:
            tree.body.pop()
            parts.append(ast.Expression(last.value))  # type: ignore[union-attr]
        value = None
        for part in parts:
            mode = "exec" if part is tree else "eval"
            code = compile(part, name, mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)  # type: ignore[call-overload]
            value = eval(code, self.namespace)
            if code.co_flags & inspect.CO_COROUTINE:
                value = await value
        return value if shown else None

    @contextlib.contextmanager
    def _redirected(self) -> Iterator[None]:
        """Send what a cell prints, displays and warns of to the page."""
        ours = [
            (sys, "stdout", self._streams[0]),
            (sys, "stderr", self._streams[1]),
            (warnings, "showwarning", self._warn),
            (builtins, "input", _no_input),
            (builtins, "display", self.display),
        ]
        before = [getattr(place, name, None) for place, name, _ in ours]
        for place, name, value in ours:
            setattr(place, name, value)
        try:
            yield
        finally:
            for (place, name, _), value in zip(ours, before, strict=True):
                setattr(place, name, value)

    def _prepare_plotly(self, source: str) -> None:
        """Make `fig.show()` work here; by itself Plotly would look for Jupyter."""
        if re.search(r"^\s*(import|from)\s+plotly\b", source, re.M):
            with contextlib.suppress(ImportError):
                figures: Any = importlib.import_module("plotly.basedatatypes").BaseFigure
                figures.show = lambda figure, *_, **__: self.display(figure)

    def _warn(self, message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        """Show a warning once per run, with the line of the cell that caused it."""
        if (category, str(message)) in self._warned:
            return
        self._warned.add((category, str(message)))
        frame: types.FrameType | None = sys._getframe()
        while frame and frame.f_code.co_filename not in self._names:
            frame = frame.f_back
        where = f" (line {frame.f_lineno})" if frame else ""
        self._streams[1].write(f"{category.__name__}{where}: {message}\n")


def _ends_with_semicolon(source: str, last: ast.stmt) -> bool:
    lines = source.splitlines()[(last.end_lineno or 1) - 1 :]
    lines[0] = lines[0].encode()[last.end_col_offset :].decode()
    return "\n".join(lines).lstrip().startswith(";")


def _no_input(prompt: object = "") -> str:
    raise RuntimeError("A cell of a page can't ask for input: write the value into the code.")


session: Session | None = None


def start(say: Callable[[str], None]) -> Session:
    """Begin the session of a page; `say` sends messages to it, as JSON."""
    import __main__

    global session
    session = Session(lambda message: say(json.dumps(message)), vars(__main__))
    return session
