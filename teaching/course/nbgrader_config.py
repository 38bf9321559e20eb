"""Settings of this course for nbgrader."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # otherwise nbgrader gives it
    from traitlets.config import get_config

c = get_config()
c.CourseDirectory.course_id = "posenc"

# The stubs that students know from the chapters.
c.ClearSolutions.code_stub = {
    "python": 'raise NotImplementedError("Write your code in place of this line.")'
}
c.ClearSolutions.text_stub = "*Write your answer here.*"

# What students write must not act in the browser of whoever reads it, nor tell another host that
# somebody does. Formgrader reads this file, and the server that it belongs to sends the policy.
sys.path.append(str(Path(__file__).parent))
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.filters = {"markdown2html": "sanitize_markdown.markdown2html"}
HEADER = "Content-Security-Policy"
OWN = "'self' data: blob:"
POLICY = f"img-src {OWN}; media-src {OWN}; frame-src {OWN}; object-src 'none'"
server = getattr(sys.modules.get("jupyter_server.serverapp"), "ServerApp", None)
if server and server.initialized():
    headers = server.instance().web_app.settings.setdefault("headers", {})
    sent = headers.get(HEADER, "frame-ancestors 'self'")
    if POLICY not in sent:
        headers[HEADER] = f"{sent}; {POLICY}"


def refuse(why: str, **_: object) -> None:
    """Stop a command of nbgrader's, and the button of that name."""
    raise SystemExit(f"nbgrader's own {why}.")  # the only error here that nbgrader heeds


c.Autograde.pre_convert_hook = partial(
    refuse, "autograde gives submissions all you have: `teaching/class.sh grade` isolates them"
)
c.GenerateFeedback.pre_convert_hook = partial(
    refuse, "feedback loads scripts from another host: `teaching/class.sh feedback` needs none"
)
