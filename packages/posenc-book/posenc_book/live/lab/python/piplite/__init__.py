"""A stand-in for the installer of JupyterLite's kernel, which would contact another host."""
