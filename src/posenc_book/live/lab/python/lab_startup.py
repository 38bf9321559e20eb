"""What IPython runs as the kernel starts: the kernel turns jedi on, which is not there."""

get_ipython().Completer.use_jedi = False  # type: ignore[name-defined]  # noqa: F821
