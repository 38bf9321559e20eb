"""A stand-in: Plotly shows figures in a notebook only if it can import this, and uses no more."""

__version__ = "5.10.4"
