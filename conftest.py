"""Leave out what needs the extra `frameworks` where that is not installed; share the machine."""

import os
from importlib.util import find_spec

# Tests run side by side: a second thread for small matrices would only take the other's core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

NEEDS = {
    "src/posenc/torch.py": "torch",
    "notebooks/frameworks/pytorch.ipynb": "torch",
    "notebooks/frameworks/word2vec.ipynb": "gensim",
}

collect_ignore = [path for path, package in NEEDS.items() if not find_spec(package)]

# What takes long begins first, and what needs no site while one process builds it.
FIRST = ("tests/site/test_site.py", "tests/tools/", "tests/diagnosis/", "tests/site/")


def pytest_collection_modifyitems(items):
    """Put the files of tests into the order in which processes take them."""

    def place(item):
        return next(at for at, start in enumerate((*FIRST, "")) if item.nodeid.startswith(start))

    items.sort(key=place)
