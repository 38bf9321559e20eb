"""Where students and teachers of this class exchange assignments."""

import os

c = get_config()  # noqa: F821
c.Exchange.root = os.environ["CLASS_EXCHANGE"]
c.CourseDirectory.course_id = "posenc"
if os.environ.get("CLASS_TEACHER"):
    c.CourseDirectory.root = os.path.expanduser("~/course")
