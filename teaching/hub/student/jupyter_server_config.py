"""What a student's server loads, and what it leaves alone."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # otherwise Jupyter gives it
    from traitlets.config import get_config

c = get_config()

used = ["jupyterlab", "nbgitpuller"]
if os.environ.get("CLASS_ASSIGNMENTS"):
    used += ["nbgrader.server_extensions.assignment_list"]
    used += ["nbgrader.server_extensions.validate_assignment"]
if os.environ.get("CLASS_TEACHER"):
    used += ["nbgrader.server_extensions.formgrader", "nbgrader.server_extensions.course_list"]
known = [
    "jupyter_lsp",
    "jupyter_server_terminals",
    "jupyterlab",
    "jupyterlab_myst",
    "nbgitpuller",
    "nbgrader.server_extensions.assignment_list",
    "nbgrader.server_extensions.course_list",
    "nbgrader.server_extensions.formgrader",
    "nbgrader.server_extensions.validate_assignment",
    "notebook",
    "notebook_shim",
]
c.ServerApp.jpserver_extensions = {name: name in used for name in known}
c.ServerApp.terminals_enabled = False
# What goes between server and kernel is encrypted: others on the machine could listen at its port.
c.KernelManager.transport_encryption = "auto"
# Nothing is asked of the world, which may be out of reach.
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.news_url = None
# A kernel that nobody has used for so long gives its memory back.
c.MappingKernelManager.cull_idle_timeout = int(os.environ.get("CLASS_IDLE_SECONDS", "3600"))
c.MappingKernelManager.cull_interval = 60
# Whether outputs are trusted is remembered while the server runs, not in a database on disk.
c.NotebookNotary.db_file = ":memory:"
