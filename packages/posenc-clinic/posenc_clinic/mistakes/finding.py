"""A mistake that was found in a table, in words."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from posenc_clinic.mistakes import CATALOGUE
from posenc_clinic.mistakes.others import OTHERS

Cell = tuple[int, int, float, float]
MISTAKES = CATALOGUE | OTHERS
# What shows a mistake begins with what it is; here begins what is said of that.
MORE = re.compile(r"[:;.](?: |$)|, (?:all|as|because|not|so|where) ")


def title(what: str) -> str:
    """What it is called within a sentence, of which this is said."""
    return f"\u201c{MORE.split(what)[0]}\u201d"


def title_of(mistake: str) -> str:
    """What a mistake is called within a sentence, by its name."""
    return title(MISTAKES[mistake].what)


@dataclass(frozen=True)
class Finding:
    """One mistake or convention that `diagnose` found.

    Parameters
    ----------
    mistake : str
        Its stable name, such as `"wrong-base"`.
    evidence : str
        What shows it.
    why : str
        Why it matters.
    remedy : str
        How to fix it.
    cell : tuple of (int, int, float, float) or None, default None
        Where it shows best, if there is such a place: the row, the column, the value found and the
        value expected.
    convention : bool, default False
        Whether this is another convention, or part of the recipe that the table follows, and not a
        mistake.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> from posenc_clinic import diagnose
    >>> [finding] = diagnose(sinusoidal(50, 64, layout="halves")).findings
    >>> finding.mistake, finding.convention, finding.case
    ('halves-layout', True, 'case-halves-layout')
    """

    mistake: str
    evidence: str
    why: str
    remedy: str
    cell: tuple[int, int, float, float] | None = None
    convention: bool = False

    @property
    def case(self) -> str:
        """Name of the section of the course's clinic that treats it, if there is one."""
        return "" if self.mistake in OTHERS else f"case-{self.mistake}"

    @property
    def title(self) -> str:
        """What was found, in a few words."""
        return MORE.split(self.evidence)[0]

    @property
    def shown(self) -> str:
        """The evidence, without the title if that is a sentence."""
        return self.evidence.removeprefix(f"{self.title}. ")

    def _lines(self, line: str, code: str, write: Callable[[str], str] = str) -> str:
        """Write why it matters, what to do and where the clinic treats it, each as `line` says."""
        said = {"Why it matters": write(self.why), "What to do": write(self.remedy)}
        said |= {"In the clinic": code.format(self.case)} if self.case else {}
        return "".join(line.format(*each) for each in said.items())


def finding(name: str, evidence: str, cell: Cell | None = None, harm: str = "") -> Finding:
    """The finding about a mistake."""
    mistake = MISTAKES[name]
    if cell:
        row, j, *values = cell
        digits = next((k for k in (4, 7) if f"{values[0]:.{k}g}" != f"{values[1]:.{k}g}"), 17)
        found, expected = (f"{value:.{digits}g}" for value in values)
        evidence += f" Row {row}, column {j} holds {found}, where {expected} belongs."
    why = f"{mistake.why}{harm and ' '}{harm}"
    return Finding(name, evidence, why, mistake.remedy, cell, mistake.convention)


def seen_as(name: str, said: str = "") -> Finding:
    """The finding about a mistake of a whole table, and what else is said of it."""
    return finding(name, f"{MISTAKES[name].what} {said}".strip())
