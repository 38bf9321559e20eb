"""The hub of one class on one Linux machine: `jupyterhub -f teaching/hub/jupyterhub_config.py`.

`serve.py` starts it together with its proxy; class.toml says what can be set.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # otherwise JupyterHub gives it
    from traitlets.config import get_config

sys.path.insert(0, str(Path(__file__).parent))

from settings import HERE, read
from spawner import ClassSpawner

c = get_config()
settings = read()

# The proxy is a process of its own: it outlives the hub, and so do the servers behind it.
c.JupyterHub.bind_url = settings.url
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{settings.port + 1}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{settings.port + 2}"
c.ConfigurableHTTPProxy.should_start = False
c.JupyterHub.cleanup_proxy = False
c.JupyterHub.cleanup_servers = False
if settings.subdomain_host:
    # A browser keeps servers apart that have hosts of their own. Cookies that no server can set for
    # another one exist for HTTPS alone.
    c.JupyterHub.subdomain_host = settings.subdomain_host
    c.JupyterHub.cookie_host_prefix_enabled = settings.subdomain_host.startswith("https://")
c.JupyterHub.db_url = f"sqlite:///{settings.private}/hub.sqlite"
c.JupyterHub.cookie_secret_file = f"{settings.private}/cookie_secret"
c.JupyterHub.shutdown_on_logout = False
c.JupyterHub.init_spawners_timeout = 1
c.JupyterHub.tornado_settings = {"slow_spawn_timeout": 1}  # then the page says who comes first
c.JupyterHub.template_vars = {"announcement_login": "Log in with the account of this class."}

# Who may come in: Unix accounts of these two groups.
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.allowed_groups = {settings.students, settings.teachers}
c.PAMAuthenticator.admin_groups = {settings.teachers}
c.PAMAuthenticator.executor_threads = 2

# Their servers, and how many. See settings.py for the arithmetic.
c.JupyterHub.spawner_class = ClassSpawner
c.JupyterHub.active_server_limit = settings.servers
c.JupyterHub.concurrent_spawn_limit = settings.servers  # those beyond `starting` wait their turn
c.ClassSpawner.starting = settings.starting
c.ClassSpawner.memory_mb = settings.memory_mb
c.ClassSpawner.cpu_minutes = settings.cpu_minutes
c.ClassSpawner.processes = settings.processes
c.ClassSpawner.cmd = [sys.executable, "-P", str(HERE / "student/server.py")]
c.ClassSpawner.args = ["--config", str(HERE / "student/jupyter_server_config.py")]
c.ClassSpawner.notebook_dir = "~"
c.ClassSpawner.default_url = "/lab"
c.ClassSpawner.start_timeout = 600  # the time in the queue counts
c.ClassSpawner.http_timeout = 60
c.ClassSpawner.poll_interval = 5  # so soon does the hub see that a server has died
c.ClassSpawner.env_keep = ["LANG", "LC_ALL"]


def configured(spawner: ClassSpawner) -> str:
    """Return where a server finds its settings; nbgrader's menus are for classes it grades."""
    graded = spawner.user.admin or settings.assignments
    folders = ("student",) if graded else ("student", "student/ungraded")
    return os.pathsep.join(str(HERE / folder) for folder in folders)


idle = int(settings.idle_minutes * 60)
report_every = max(1, min(60, idle // 5))  # seconds between two reports of who is at work
c.ClassSpawner.environment = {
    "JUPYTERHUB_ACTIVITY_INTERVAL": str(report_every),
    "PATH": os.pathsep.join(
        [str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]
    ),
    "JUPYTER_CONFIG_PATH": configured,
    "GIT_CONFIG_SYSTEM": f"{settings.folder}/gitconfig",
    "CLASS_EXCHANGE": f"{settings.folder}/exchange",
    "CLASS_IDLE_SECONDS": str(idle),
    "CLASS_ASSIGNMENTS": "1" if settings.assignments else "",
    "CLASS_TEACHER": lambda spawner: "1" if spawner.user.admin else "",
    # One thread for each: thirty students are parallel enough.
    **{f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")},
    **{name: os.environ[name] for name in ("PYTHONPYCACHEPREFIX",) if name in os.environ},
}

# Stop what nobody uses, and let prestart.py start what will be used.
c.JupyterHub.last_activity_interval = min(10, report_every)  # a new proxy learns its routes then
c.JupyterHub.load_roles = [
    {
        "name": "idle",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle"],
    },
    {
        "name": "prestart",
        "scopes": ["admin:users", "admin:servers", "access:servers", "list:users"],
        "services": ["prestart"],
    },
]
culler = [sys.executable, "-m", "jupyterhub_idle_culler", f"--timeout={idle}"]
c.JupyterHub.services = [
    {"name": "idle", "command": [*culler, f"--cull-every={max(1, min(300, idle // 2))}"]},
    {"name": "prestart", "api_token": (settings.private / "token").read_text().strip()},
]
