"""A package, because `conftest` alone is the name of another module of the same run."""
