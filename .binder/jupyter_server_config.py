"""Settings of a learner's Jupyter server: what it loads, and what it leaves alone."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # otherwise Jupyter gives it
    from traitlets.config import get_config

c = get_config()

used = ["jupyterlab", "nbgitpuller"]
unused = [
    "jupyter_lsp",
    "jupyter_server_terminals",
    "jupyterlab_myst",
    "nbgrader.server_extensions.assignment_list",
    "nbgrader.server_extensions.course_list",
    "nbgrader.server_extensions.formgrader",
    "nbgrader.server_extensions.validate_assignment",
    "notebook",
    "notebook_shim",
]
c.ServerApp.jpserver_extensions = {name: name in used for name in (*used, *unused)}
c.ServerApp.terminals_enabled = False
# Messages between server and kernel are encrypted: others on the machine could listen.
c.KernelManager.transport_encryption = "auto"
# Ask nothing of the internet, which may be out of reach.
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.news_url = None
# A kernel that nobody has used for an hour gives its memory back.
c.MappingKernelManager.cull_idle_timeout = 3600
c.MappingKernelManager.cull_interval = 60
# Trust in outputs is remembered while the server runs, not in a database on disk.
c.NotebookNotary.db_file = ":memory:"
