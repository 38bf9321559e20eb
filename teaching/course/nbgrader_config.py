"""Settings of this course for nbgrader."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # otherwise nbgrader gives it
    from traitlets.config import get_config

c = get_config()
c.CourseDirectory.course_id = "posenc"

# The stubs that students know from the chapters.
c.ClearSolutions.code_stub = {
    "python": "raise NotImplementedError("
    '"Write your code here, in place of this line; then run the cell.")'
}
c.ClearSolutions.text_stub = "*Write your answer here.*"

# What students write must not act in the browser of whoever reads it.
c.HTMLExporter.sanitize_html = True


def refuse(**_: object) -> None:
    """Stop `nbgrader autograde`, and the button of that name."""
    raise SystemExit(  # the only error here that nbgrader does not pass over
        "nbgrader's own autograde lets submissions read and change all that you can: "
        "grade with teaching/grade.sh, which isolates them."
    )


c.Autograde.pre_convert_hook = refuse
