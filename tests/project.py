"""The files that a copy of the project needs besides its sources, pages and notebooks."""

FILES = (
    *("_config.yml", "requirements.lock", "CITATION.cff", "CHANGELOG.md"),
    "pyproject.toml",  # what a wheel of posenc is made of
)
