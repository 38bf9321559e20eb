"""Settings of this course for nbgrader: the stubs that students know from the chapters."""

c = get_config()  # noqa: F821 - Jupyter gives it
c.CourseDirectory.course_id = "posenc"
c.ClearSolutions.code_stub = {
    "python": "raise NotImplementedError("
    '"Write your code here, in place of this line; then run the cell.")'
}
c.ClearSolutions.text_stub = "*Write your answer here.*"
# What students write must not act in the browser of whoever reads it.
c.HTMLExporter.sanitize_html = True
