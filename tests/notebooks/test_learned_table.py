"""The learned rows that a chapter looks at are whole, and their script reads words as it should."""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from learned_table import MiniLM

STORED = np.load(Path(__file__).parents[2] / "notebooks/beyond/minilm-positions.npz")


def test_words_are_cut_into_their_longest_pieces():
    model = object.__new__(MiniLM)
    model.vocabulary = {"boat": 1, "boats": 2, "##house": 3, "##s": 4, ".": 5}
    assert model.tokens("Boats boathouses.") == [2, 1, 3, 4, 5]


def test_without_rows_the_order_of_tokens_does_not_matter():
    rng = np.random.default_rng(0)
    model = object.__new__(MiniLM)
    model.words = rng.normal(size=(110, 384))
    shapes = {"embeddings.token_type_embeddings": (1, 384), "embeddings.LayerNorm": None}
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        shapes |= {
            f"{name}.attention.self.{part}": (384, 384) for part in ("query", "key", "value")
        }
        shapes |= {f"{name}.attention.output.dense": (384, 384), f"{name}.output.dense": (384, 64)}
        shapes |= {f"{name}.intermediate.dense": (64, 384)}
        shapes |= dict.fromkeys((f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"))
    model.weights = {}
    for name, shape in shapes.items():
        weight = rng.normal(size=shape) / 20 if shape else np.ones(384)
        model.weights |= {f"{name}.weight": weight, f"{name}.bias": np.zeros(len(weight))}
    table, tokens = rng.normal(size=(512, 384)), [3, 1, 4, 5, 9]
    for rows, same in ((np.zeros_like(table), True), (table, False)):
        alike = model.embed(tokens, rows) @ model.embed(tokens[::-1], rows)
        assert (alike > 1 - 1e-9) == same
