"""What a diagnosis says, as text, Markdown and HTML."""

from dataclasses import dataclass
from html import escape

from posenc._arguments import Layout
from posenc._diagnosis.mistakes import CATALOGUE


@dataclass(frozen=True)
class Finding:
    """A mistake that was found: its stable name, what shows it, why it matters, how to mend it.

    `cell` is the row, the column, the value found and the value expected where it shows best, if
    there is such a place. `case` names the section of the course's clinic that treats it.
    """

    mistake: str
    evidence: str
    why: str
    remedy: str
    cell: tuple[int, int, float, float] | None = None

    @property
    def convention(self) -> bool:
        """Whether this is another convention, and no mistake."""
        return CATALOGUE[self.mistake].convention

    @property
    def case(self) -> str:
        """The name of the section of the course's clinic that treats it."""
        return f"case-{self.mistake}"


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """What is wrong with a table, mistake by mistake.

    `layout` and `base` are those estimated, or None where there is nothing to tell them by;
    `max_error` is the largest difference from the right table in that layout and order, or None
    if the table is no encoding; `alternatives` are other sets of mistakes that give the same
    values.

    `str(diagnosis)` is the report as text; in Jupyter it is shown as HTML.
    """

    findings: tuple[Finding, ...]
    shape: tuple[int, ...]
    layout: Layout | None
    base: float | None
    max_error: float | None
    alternatives: tuple[tuple[str, ...], ...] = ()

    @property
    def correct(self) -> bool:
        """Whether there is no mistake; a convention is none."""
        return all(finding.convention for finding in self.findings)

    def __repr__(self) -> str:
        names = ", ".join(finding.mistake for finding in self.findings)
        return f"<Diagnosis: {'correct' if self.correct else 'not correct'}{names and ': '}{names}>"

    def __str__(self) -> str:
        lines = [self.summary]
        for finding in self.findings:
            lines += ["", f"{finding.mistake}: {finding.evidence}"]
            lines += [f"  Why it matters: {finding.why}", f"  What to do: {finding.remedy}"]
            lines += [f"  In the clinic: {finding.case}"]
        return "\n".join([*lines, *(["", self.doubt] if self.alternatives else [])])

    def markdown(self) -> str:
        """Return the report as Markdown."""
        lines = [f"**{self.summary}**", ""]
        for finding in self.findings:
            lines += [f"- **{finding.mistake}.** {finding.evidence}"]
            lines += [f"  - *Why it matters.* {finding.why}", f"  - *What to do.* {finding.remedy}"]
            lines += [f"  - *In the clinic.* `{finding.case}`"]
        return "\n".join([*lines, *(["", self.doubt] if self.alternatives else [])])

    def html(self) -> str:
        """Return the report as HTML, without styles or scripts."""
        items = "".join(
            f"<dt><strong>{escape(finding.mistake)}</strong></dt>"
            f"<dd>{escape(finding.evidence)}<br><em>Why it matters.</em> {escape(finding.why)}"
            f"<br><em>What to do.</em> {escape(finding.remedy)}"
            f"<br><em>In the clinic.</em> <code>{escape(finding.case)}</code></dd>"
            for finding in self.findings
        )
        doubt = f"<p>{escape(self.doubt)}</p>" if self.alternatives else ""
        return (
            f"<p><strong>{escape(self.summary)}</strong></p>{items and f'<dl>{items}</dl>'}{doubt}"
        )

    _repr_html_, _repr_markdown_ = html, markdown

    @property
    def summary(self) -> str:
        """The report in one or two sentences."""
        shape = " x ".join(map(str, self.shape))
        found = "This is a right table" if self.correct else "This table is not right"
        known = [
            *([f"layout {self.layout}"] if self.layout else []),
            *([f"base {self.base:.6g}"] if self.base else []),
            *([f"largest error {self.max_error:.2g}"] if self.max_error is not None else []),
        ]
        return f"{found} ({', '.join([shape, *known])})."

    @property
    def doubt(self) -> str:
        """Which other explanations fit as well, in a sentence."""
        others = "; or ".join(" with ".join(names) for names in self.alternatives)
        return f"The same values also come from {others or 'nothing else'}. The table can't tell."
