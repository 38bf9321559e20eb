"""The files that a copy of the project needs besides its sources, pages and notebooks."""

FILES = (
    *("_config.yml", "requirements.lock"),
    *("pyproject.toml", "README.md"),  # what a wheel of posenc is made of
)
