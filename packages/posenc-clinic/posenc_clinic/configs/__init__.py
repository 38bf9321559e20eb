"""Configs: what a model does with positions, by its `config.json`.

`read` goes through the `fields`, kind of layer by kind of layer (`layers`), and works out what
rotates (`ropes`) with the defaults of each type of model (`model_types`). It gives what `model`
has, of which `report` writes sentences.
"""
