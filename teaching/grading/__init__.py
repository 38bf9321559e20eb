"""Grade submissions that nobody has to trust.

`submission` reads one without running it. `mark`, a process of its own for each, has the
submission's cells run in a `sandbox` and then executes the tests out here, on data that the
sandbox sends through `wire`. `record` puts the points into nbgrader's gradebook.
"""
