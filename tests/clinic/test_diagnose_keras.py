"""Layers of Keras, as they come: unbuilt, with weights or without, alone or in a model."""

import os

import pytest

from posenc_clinic import diagnose
from posenc_clinic.wrong_tables import right_table, wrong_table

os.environ.setdefault("KERAS_BACKEND", "torch")
keras = pytest.importorskip(
    "keras", reason="diagnosis of layers of Keras: .venv/bin/pip install '.[frameworks]'"
)
if keras.backend.backend() == "torch":
    pytest.importorskip(
        "torch", reason="diagnosis of layers of Keras: .venv/bin/pip install '.[frameworks]'"
    )


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


def names(diagnosis):
    return [finding.mistake for finding in diagnosis.findings]


def test_a_right_layer_or_class_of_layers_is_cleared(subtests):
    for layer in [Positions, Positions(), Added, Added()]:
        with subtests.test(layer=layer):
            diagnosis = diagnose(layer, n=30, d=16)
            assert diagnosis.findings == ()
            assert diagnosis.shape == (30, 16)


def test_what_a_layer_returns_or_adds_is_diagnosed(subtests):
    for kind in [Positions, Added]:
        with subtests.test(kind=kind):
            assert names(diagnose(kind(base=500.0))) == ["wrong-base"]


def test_a_weight_is_found_before_the_layer_is_built_and_afterwards():
    layer = Held(name="position_encoding")
    assert names(diagnose(layer)) == ["degrees"]
    assert layer.built
    assert names(diagnose(layer)) == ["degrees"]


def test_the_weight_of_an_embedding_is_taken_that_is_named_after_positions():
    layer = keras.layers.Embedding(50, 64, name="position_embedding")
    layer.build()
    layer.embeddings.assign(right_table(base=500.0))
    assert names(diagnose(layer)) == ["wrong-base"]


def test_a_layer_that_has_nothing_to_do_with_positions_is_no_encoding():
    assert names(diagnose(keras.layers.Dense(64))) == ["not-an-encoding"]
