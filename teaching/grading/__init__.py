"""Grade submissions that nobody has to trust.

`submission` reads one without running it, and `cells` puts its cells in order. `mark`, a process of
its own for each, has the cells run in a `sandbox`, which `isolation` describes and where `worker`
runs them; then it executes the tests out here, on data that come by the `protocol`. `gradebook`
puts the points into nbgrader's gradebook.
"""
