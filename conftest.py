"""Leave out what needs the extra `frameworks` where that is not installed."""

from importlib.util import find_spec

NEEDS = {
    "src/posenc/torch.py": "torch",
    "notebooks/frameworks/pytorch.ipynb": "torch",
    "notebooks/frameworks/word2vec.ipynb": "gensim",
}

collect_ignore = [path for path, package in NEEDS.items() if not find_spec(package)]
