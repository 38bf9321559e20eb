"""Layers of Keras, as they come: unbuilt, with weights or without, alone or in a model."""

import os

import pytest
from clinic_tables import check_mistakes

from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import right_table, wrong_table

os.environ.setdefault("KERAS_BACKEND", "torch")
LACKS_KERAS = "diagnosis of layers of Keras: .venv/bin/pip install '.[frameworks]'"
keras = pytest.importorskip("keras", reason=LACKS_KERAS)
if keras.backend.backend() == "torch":
    pytest.importorskip("torch", reason=LACKS_KERAS)


class Positions(keras.layers.Layer):
    """Returns the encoding, and leaves adding it to others."""

    def __init__(self, base=10_000.0, **options):
        super().__init__(**options)
        self.base = base

    def call(self, inputs, start=0):
        n, d = inputs.shape[-2:]
        return keras.ops.broadcast_to(right_table(n, d, base=self.base, first=start), inputs.shape)


class Added(Positions):
    def call(self, inputs):
        return inputs + super().call(inputs)


class Held(keras.layers.Layer):
    """Has its table as a weight, made when the layer is built."""

    def build(self, shape):
        self.table = self.add_weight(name="embeddings", shape=shape[-2:])
        self.table.assign(wrong_table("degrees"))

    def call(self, inputs):
        return inputs + self.table


def test_what_a_layer_returns_or_adds_is_diagnosed():
    for kind in (Positions, Added):
        for layer in (kind, kind()):
            assert check_mistakes(layer, n=30, d=16, case=kind).shape == (30, 16), kind
        check_mistakes(kind(base=500.0), "wrong-base", case=kind)
    with pytest.raises(ValueError, match="so there are no positions in it"):
        diagnose(keras.layers.Dense(64))


def test_a_weight_is_found_before_and_after_building():
    layer = Held(name="position_encoding")
    check_mistakes(layer, "degrees")
    assert layer.built
    check_mistakes(layer, "degrees")
    layer = keras.layers.Embedding(50, 64, name="position_embedding")
    layer.build()
    layer.embeddings.assign(right_table(base=500.0))
    check_mistakes(layer, "wrong-base")
