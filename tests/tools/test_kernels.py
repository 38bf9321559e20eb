"""A kernel that does not come up gets a second chance, and a notebook that fails does not."""

import pytest

from posenc_book.kernels import patient


@pytest.mark.parametrize(
    ("errors", "runs"),
    [
        ([None], 1),
        (["Kernel died before replying to kernel_info", None], 2),
        (["Kernel died before replying to kernel_info"] * 2, 2),
        (["Kernel died"], 1),
    ],
)
def test_only_a_kernel_that_never_answered_is_started_again(errors, runs):
    seen = []

    def execute(notebook, cwd, shutdown_kernel):
        seen.append((notebook, cwd, shutdown_kernel))
        if error := errors[len(seen) - 1]:
            raise RuntimeError(error)
        return "done"

    if errors[-1]:
        with pytest.raises(RuntimeError, match=errors[-1]):
            patient(execute)("notebook", cwd="here")
    else:
        assert patient(execute)("notebook", cwd="here") == "done"
    assert seen == [("notebook", "here", "immediate")] * runs
