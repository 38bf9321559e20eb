"""Lead a class from its roster to its grades, and grade submissions that nobody has to trust.

`release` makes a class's folder and its assignments; `roster` tells whose a file is, and `collect`
takes it in. `run` grades: `submission` reads a notebook without running it, and `submission_cells`
puts its cells in order. `grade_one`, a process of its own for each, has the cells run in a
`sandbox`, which `isolation` describes, with `seccomp`, `cgroup` and `memory`, and where `worker`
runs them; then it executes the tests out here, on data that come by the `protocol`. `gradebook`
puts the points into nbgrader's gradebook, from which `feedback`, with `formulas`, and `grades` are
written. `similarity_report` compares submissions.
"""
