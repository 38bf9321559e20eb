"""A stand-in for the installer of JupyterLite's kernel, where no other host is to be asked."""
