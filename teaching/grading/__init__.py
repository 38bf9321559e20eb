"""Grade submissions that nobody has to trust.

`submission` reads one without running it, and `sheet` puts its cells in order. `mark`, a process
of its own for each, has the cells run in a `sandbox`, where `inside` runs them behind `walls`, and
then executes the tests out here, on data that come through `wire`. `record` puts the points into
nbgrader's gradebook.
"""
