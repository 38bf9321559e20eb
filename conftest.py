"""Leave out what needs the extra `frameworks` where that is not installed; share out the rest."""

from importlib.util import find_spec

import pytest

NEEDS = {
    "src/posenc/torch.py": "torch",
    "notebooks/frameworks/pytorch.ipynb": "torch",
    "notebooks/frameworks/word2vec.ipynb": "gensim",
}

collect_ignore = [path for path, package in NEEDS.items() if not find_spec(package)]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep what is in one file in one process, and all that looks at the site, built only once."""
    from xdist.scheduler import LoadFileScheduling

    class ByPlace(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return "site" if nodeid.startswith("tests/site/") else super()._split_scope(nodeid)

    return ByPlace(config, log)
