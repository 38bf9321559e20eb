"""What a diagnosis finds, of one table or several, as text and as HTML."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from posenc._arguments import Layout
from posenc_clinic.families.known_recipes import KNOWN_RECIPES
from posenc_clinic.fitting.table_model import Array
from posenc_clinic.mistakes.finding import Finding, title_of
from posenc_clinic.saying.typeset import as_html

Verdict = Literal["wrong", "unknown", "right"]
UNKNOWN = "Not known to posenc"
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)  # of several tables the first counts


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of a table that was diagnosed, and which of them are off.

    Parameters
    ----------
    table : ndarray of float64, shape (n, d)
        The table as it was read.
    right : ndarray of float64, shape (n, d), or None
        The table that it should be, which `max_error` is measured from; None if nothing tells.
    off : ndarray of bool, shape (n, d), or None
        Where the table is farther from that than its digits explain.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> from posenc_clinic import diagnose
    >>> entries = diagnose(sinusoidal(50, 64, base=500)).entries
    >>> bool(entries.off[:, 2:].any()), bool(entries.off[:, :2].any())
    (True, False)
    """

    table: Array
    right: Array | None = None
    off: NDArray[np.bool_] | None = None


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """What is wrong with a table, mistake by mistake.

    `str(diagnosis)` is the report as text; in Jupyter it is shown as HTML.

    Parameters
    ----------
    findings : tuple of Finding
        Mistakes and conventions that were found; empty for a right table in the usual convention.
    shape : tuple of int
        Shape of the table.
    layout : {"interleaved", "halves"} or None
        Estimated layout, or None where nothing shows it.
    base : float or None
        Estimated base, or None where nothing shows it.
    max_error : float or None
        Largest difference from the right table in that layout and order, or from the recipe that
        the table follows; None if the table is not an encoding.
    alternatives : tuple of tuple of str, default ()
        Other sets of mistakes that give the same values.
    recipe : str or None, default None
        Name of the known recipe that the table follows exactly, such as `"paper"`,
        `"tensor2tensor"` or `"grid"`, or None if it follows none.
    detail : str, default ""
        What recipes leave open, as it is in this table: the size of a grid, for instance. Of a
        table that is not known, what was found in it.
    warnings : tuple of str, default ()
        What may be meant, but seldom is, such as times that hardly rotate most pairs. A report
        begins with it.
    explained : bool, default True
        Whether a formula gives all entries, but for those of its findings, or training does.
    entries : Entries or None, default None
        The entries, and which of them are off; None of several tables.

    Examples
    --------
    >>> from posenc import sinusoidal
    >>> from posenc_clinic import diagnose
    >>> diagnosis = diagnose(sinusoidal(50, 64, base=500))
    >>> [finding.mistake for finding in diagnosis.findings]
    ['wrong-base']
    """

    findings: tuple[Finding, ...]
    shape: tuple[int, ...]
    layout: Layout | None
    base: float | None
    max_error: float | None
    alternatives: tuple[tuple[str, ...], ...] = ()
    recipe: str | None = None
    detail: str = ""
    warnings: tuple[str, ...] = ()
    explained: bool = True
    entries: Entries | None = field(default=None, compare=False)

    @property
    def verdict(self) -> Verdict:
        """`"right"`, `"wrong"`, or `"unknown"` of a table that nothing known here explains."""
        if not self.explained:
            return "unknown"
        return "right" if all(finding.convention for finding in self.findings) else "wrong"

    @property
    def correct(self) -> bool:
        """Whether the verdict is `"right"`: there is no mistake; a convention is not one."""
        return self.verdict == "right"

    def __repr__(self) -> str:
        names = ", ".join(finding.mistake for finding in self.findings)
        return f"<Diagnosis: {self.verdict}{names and ': '}{names}>"

    def __str__(self) -> str:
        lines = [*self._warned, self.summary, *filter(None, [self.known])]
        for one in self.findings:
            more = one._lines("\n  {}: {}", "{}")
            lines += ["", f"{one.mistake}: {one.evidence}{more}"]
        return "\n".join([*lines, *(["", doubt] if (doubt := self.doubt()) else [])])

    def html(self) -> str:
        """Write the report as HTML, without styles or scripts: a summary and a definition list."""
        head = [f"<p><strong>{as_html(one)}</strong></p>" for one in (*self._warned, self._headed)]
        more = self.known, self.doubt(title_of)
        known, doubt = (said and f"<p>{as_html(said)}</p>" for said in more)
        items = [
            f"<dt><strong>{as_html(one.title)}</strong></dt><dd>{as_html(one.shown)}"
            f"{one._lines('<br><em>{}.</em> {}', '<code>{}</code>', as_html)}</dd>"
            for one in self.findings
        ]
        listed = f"<dl>{''.join(items)}</dl>" if items else ""
        return "".join([*head, known, listed, doubt])

    _repr_html_ = html

    @property
    def _warned(self) -> list[str]:
        return [f"Warning: {said}" for said in self.warnings]

    @property
    def _headed(self) -> str:
        return f"{self.headline} ({self.facts})."

    @property
    def facts(self) -> str:
        """The shape, and what was estimated."""
        known = [
            *([f"layout {self.layout}"] if self.layout else []),
            *([f"base {self.base:.6g}"] if self.base else []),
            *([f"largest error {self.max_error:.2g}"] if self.max_error is not None else []),
        ]
        return ", ".join([" x ".join(map(str, self.shape)), *known])

    @property
    def summary(self) -> str:
        """Report in one sentence, with the verdict first."""
        recipe = f', as "{self.recipe}"' if self.recipe else ""
        wrong = ", ".join(each.mistake for each in self.findings if not each.convention)
        said = {"right": f"Right{recipe}", "wrong": f"Wrong: {wrong}", "unknown": UNKNOWN}
        return f"{said[self.verdict]} ({self.facts})."

    @property
    def headline(self) -> str:
        """The verdict, with mistakes by their titles."""
        wrong = "; ".join(each.title for each in self.findings if not each.convention)
        return {"right": "Right", "wrong": f"Wrong: {wrong}", "unknown": UNKNOWN}[self.verdict]

    @property
    def known(self) -> str:
        """Sentences about the recipe that the table follows, if it is not that of the paper."""
        if self.recipe in (None, "paper"):
            return self.detail
        return f"{KNOWN_RECIPES[self.recipe].said} {self.detail}".strip()

    def doubt(self, call: Callable[[str], str] = str) -> str:
        """Say which other explanations fit as well, if any; `call` gives mistakes their names."""
        others = "; or ".join(" with ".join(map(call, names)) for names in self.alternatives)
        said = f"The same values also come from {others}. They do not show which it was."
        return said if self.alternatives else ""


@dataclass(frozen=True, repr=False)
class Diagnoses(Diagnosis):
    """What is wrong with several tables, such as those of a model, one after the other.

    Parameters
    ----------
    tables : mapping of str to Diagnosis
        What was found of each table, by its name; `findings` has those of all.
    """

    tables: Mapping[str, Diagnosis] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """The first of `"wrong"`, `"unknown"` and `"right"` that a table is."""
        verdicts = {each.verdict for each in self.tables.values()}
        return next(each for each in VERDICTS if each in verdicts)

    def __str__(self) -> str:
        parts = [f"== {name} ==\n{each}" for name, each in self.tables.items()]
        return "\n".join([*self._warned, *parts])

    def html(self) -> str:
        """Write the reports as HTML, with a heading above each."""
        parts = [
            f"<h2><code>{escape(name)}</code></h2>\n{each.html()}"
            for name, each in self.tables.items()
        ]
        return "\n".join([*(f"<p>{escape(said)}</p>" for said in self._warned), *parts])

    _repr_html_ = html
