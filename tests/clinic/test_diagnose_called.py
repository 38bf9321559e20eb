"""`diagnose` calls functions with the sizes they ask for, and modules for what they add."""

import warnings
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from clinic_tables import check_mistakes, check_recipe, names

from posenc import SinusoidalEncoding, frequencies, sinusoidal
from posenc_clinic import diagnose
from posenc_clinic.mistakes.wrong_tables import arranged, right_table, wrong_table

# Functions


def base_called_n(seq_len, d, n=10_000):
    return right_table(seq_len, d, base=n)


def with_keywords(*, seq_length, embed_dim=512):
    return wrong(seq_length, embed_dim)


def wrong(n, d, first=0):
    return right_table(n, d, base=500.0, first=first)


def test_a_function_is_called_with_its_sizes():
    for case, function in {
        "n, d": wrong,
        "d, n": lambda d_model, max_len: wrong(max_len, d_model),
        "the other unknown": lambda depth, q: wrong(q, depth),
        "any number": lambda *sizes: wrong(*sizes),
        "defaults": lambda max_len=9, d=8: wrong(max_len, d),
        "keywords": with_keywords,
        "partial": partial(right_table, base=500.0),
        "an array of positions": lambda timesteps, dim: sinusoidal(timesteps, dim, base=500),
        "a length": lambda position, d: wrong(position, d),
        "one position": lambda pos, d_model: wrong(1, d_model, int(pos))[0],
        "a list": lambda n, d: wrong(n, d).tolist(),
        "rows": lambda n, d: (row for row in wrong(n, d)),
        "added to x": lambda x: x + wrong(*x.shape[-2:]),
    }.items():
        check_mistakes(function, base=500, case=case)
        assert check_mistakes(function, "wrong-base", case=case, n=20, d=16).shape == (20, 16), case


def test_a_function_may_choose_sizes_itself():
    assert diagnose(lambda n: right_table(n, 8)).shape == (50, 8)
    assert diagnose(lambda: right_table(7, 8)).shape == (7, 8)
    for function in (base_called_n, lambda length=4, d=4, n=10_000: base_called_n(length, d, n)):
        check_mistakes(function)


def test_only_the_call_that_counts_may_warn():
    def said(positions, d):
        warnings.warn("an array" if np.ndim(positions) else "a length", stacklevel=1)
        return None if np.ndim(positions) else right_table(positions, d)

    with pytest.warns(UserWarning, match="a length") as caught:
        check_mistakes(said)
    assert len(caught) == 1


def test_a_function_without_a_table_is_refused(refusal):
    for function, error, said in [
        (lambda n, d: n / 0, ValueError, "(n=50, d=64) raised ZeroDivisionError: division by"),
        (lambda a, b: exit("no"), ValueError, "(a=50, b=64) raised SystemExit: no"),
        (lambda pos, d: pos.x, ValueError, "(pos=(50,), d=64) raised AttributeError"),
        (lambda n, d: "long" * 99, TypeError, "returned 'longlong"),
        (lambda n, d: None, TypeError, "returned None: pass something that returns a table"),
        (lambda n, d: n * d, ValueError, "table must have shape (n, d)"),
        (lambda n, d, c: 0, TypeError, "needs more than n and d: c: pass a lambda that calls it"),
    ]:
        message = refusal(error, diagnose, function)
        assert said in message
        assert "\n" not in message
        assert len(message) < 200, message
    for size, number, error in (("n", 2, ValueError), ("d", 1, ValueError), ("n", 5.0, TypeError)):
        message = refusal(error, diagnose, sinusoidal, **{size: number})
        assert message.startswith(f"{size} must be")


# Layers


def test_our_own_layers_are_asked_for_sums():
    assert diagnose(SinusoidalEncoding(16, layout="halves")).shape == (50, 16)
    assert diagnose(SinusoidalEncoding, d=8).shape == (50, 8)
    check_mistakes(SinusoidalEncoding(16, base=500), "wrong-base")


class Layer:
    """A layer as Keras has it, with weights that have a name and a value."""

    def __init__(self, **weights):
        self.weights = [SimpleNamespace(name=name, value=one) for name, one in weights.items()]

    def __call__(self, inputs, training=False):
        return inputs + right_table(*inputs.shape[1:], base=500.0)


def test_keras_layers_are_asked_for_weights_or_sums():
    kernel = np.full((64, 64), 0.1)
    check_mistakes(Layer(kernel=kernel), "wrong-base")
    check_mistakes(Layer(kernel=kernel, position_embedding=wrong_table("degrees")), "degrees")


# Modules of PyTorch


@pytest.fixture
def encoding(torch):
    """The class of PyTorch's tutorial, with a wrong base and a name to be told."""

    class PositionalEncoding(torch.nn.Module):
        def __init__(self, d_model, dropout=0.1, max_len=5000, name="pe"):
            super().__init__()
            self.dropout = torch.nn.Dropout(dropout)
            table = torch.tensor(right_table(max_len, d_model, base=500.0), dtype=torch.float32)
            if name:
                self.register_buffer(name, table[:, None])
            else:
                self.kept = table[:, None]

        def forward(self, x):
            return self.dropout(x + (self.pe if hasattr(self, "pe") else self.kept)[: x.size(0)])

    return PositionalEncoding


def test_the_buffer_of_a_module_is_taken(encoding, torch):
    check_mistakes(encoding(16, max_len=80), "wrong-base")
    check_mistakes(encoding(16, max_len=80, name="anything"), "wrong-base")
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), encoding(16, max_len=80))
    for module in (encoding(16, max_len=80), model, model.to(torch.bfloat16)):
        assert diagnose(module).shape == (80, 16)


def test_asking_a_module_leaves_it_as_it_was(encoding):
    for training in (True, False):
        module = encoding(16, max_len=80, name="").train(training)
        assert check_mistakes(module, "wrong-base", d=16).shape == (50, 16)
        assert (module.training, module.dropout.training) == (training, training)


def test_a_class_of_modules_is_made_without_dropout(encoding, torch):
    assert diagnose(encoding, n=30, d=8).shape == (30, 8)

    class Required(encoding):
        def __init__(self, d_model, dropout, max_len=5000):
            super().__init__(d_model, dropout, max_len, name="")

    check_mistakes(Required, "wrong-base")
    from posenc.torch import SinusoidalEncoding as Module

    check_mistakes(Module(16))
    check_mistakes(Module(16, base=500.0), "wrong-base")


def test_rotary_frequencies_become_a_cache():
    others = {"original_inv_freq": frequencies(64, base=123), "norm": np.ones(64)}
    for base, recipe in ((10_000.0, "cosine-first"), (8e6, "rope-cache")):
        diagnosis = check_recipe(others | {"inv_freq": frequencies(64, base=base)}, recipe)
        assert diagnosis.base == pytest.approx(base)
    (finding,) = diagnose({"inv_freq": np.zeros(32)}).findings  # never computed
    assert finding.mistake == "no-ladder"


def test_the_weight_of_an_embedding_is_taken(torch):
    class SinePositionalEmbedding(torch.nn.Embedding):
        pass

    plain, named = torch.nn.Embedding(50, 64), SinePositionalEmbedding(50, 64)
    assert "freshly initialised" in str(diagnose(plain))
    plain.weight.data = torch.from_numpy(right_table(base=500.0))
    check_mistakes(plain, "wrong-base")
    named.weight.data = 8 * torch.from_numpy(right_table())
    check_mistakes(named, "scaled")


def test_a_module_of_positions_gets_a_tensor(torch):
    class Timesteps(torch.nn.Module):
        def forward(self, timesteps):
            angle = timesteps[:, None] * 500 ** -(torch.arange(8) / 8)
            return torch.cat([angle.sin(), angle.cos()], dim=1)

    assert set(names(diagnose(Timesteps()))) == {"halves-layout", "wrong-base"}


def test_each_table_of_a_dictionary_is_diagnosed():
    found = diagnose({"one": {"pe": wrong(80, 16)}, "two.pe": wrong(80, 8)})
    assert [*found.tables] == ["one.pe", "two.pe"]
    assert (found.verdict, names(found)) == ("wrong", ["wrong-base"] * 2)
    assert str(found).startswith("== one.pe ==\nWrong: wrong-base (80 x 16")


def test_each_table_of_a_module_is_diagnosed(encoding, torch, refusal):
    model = torch.nn.ModuleDict({"one": encoding(16, max_len=80), "two": encoding(8, max_len=80)})
    for given in (model, model.state_dict()):
        assert [*diagnose(given).tables] == ["one.pe", "two.pe"]
    message = refusal(ValueError, diagnose, torch.nn.Linear(100, 64))
    assert message.startswith("Linear(input=(1, 50, 64)) raised RuntimeError: ")


# What strangers write


def test_cosines_and_sines_are_one_table():
    angles = np.outer(np.arange(50), frequencies(64))
    both = {"cos_cached": np.cos(angles), "sin_cached": np.sin(angles)}
    for given in (both, lambda n, d: both, lambda n, d: (*both.values(),)):
        check_recipe(given, "timesteps")
    check_recipe(lambda n, d: (right_table(n, d), np.ones(n, bool)), "paper")


def rotated(q, k):
    n, d = q.shape[-2:]
    angles = np.outer(np.arange(n), 500 ** -(np.arange(d // 2) / (d // 2)))

    def turn(x):
        return arranged(
            x[..., ::2] * np.cos(angles) - x[..., 1::2] * np.sin(angles),
            x[..., ::2] * np.sin(angles) + x[..., 1::2] * np.cos(angles),
            False,
        )

    return turn(q), turn(k)


def test_what_rotates_is_diagnosed_by_its_rotations(refusal):
    found = diagnose(rotated)
    assert "It adds nothing to zeros, but rotates" in str(found)
    assert found.base == pytest.approx(500)
    assert "adds nothing to zeros" in refusal(ValueError, diagnose, lambda x: 2 * x)


def rotating(of_cosines, of_sines=None, width=64, sign=-1):
    """A function that rotates the first columns, paired by halves; angles stand as they are put."""

    def rotate(x):
        angles = np.outer(np.arange(x.shape[-2]), frequencies(width))
        cosines, sines = of_cosines(np.cos(angles)), (of_sines or of_cosines)(np.sin(angles))
        part, half = x[..., :width], width // 2
        turned = np.concatenate([sign * part[..., half:], part[..., :half]], axis=-1)
        return np.concatenate([part * cosines + turned * sines, x[..., width:]], axis=-1)

    return rotate


def in_halves(waves):
    return np.tile(waves, 2)


def side_by_side(waves):
    return np.repeat(waves, 2, axis=1)


def padded(waves):
    return np.tile(np.where(np.arange(32) < 23, waves, 1), 2)


def test_a_part_of_the_columns_may_rotate():
    quarter = rotating(in_halves, width=16)
    for function in (quarter, lambda q, k: (quarter(q), quarter(k))):
        found = check_recipe(function, "timesteps", "16 of 64 columns rotate, the others pass.")
        assert (found.shape, found.base) == ((50, 16), 10_000)
    behind = rotating(in_halves, width=32)
    found = diagnose(lambda x: np.concatenate([x[..., :32], behind(x[..., 32:])], axis=-1))
    assert (found.verdict, found.shape) == ("right", (50, 32))


def test_what_rotates_wrongly_is_told_with_its_columns():
    for function, said in {
        rotating(side_by_side): "columns of a pair, 32 apart, by two angles in columns 0 to 63 of",
        rotating(padded): "a vector of length 1 to 1.4 in columns 23 to 31 and 55 to 63 of 64.",
    }.items():
        found = diagnose(function)
        first, last = found.tables.values()
        assert (first.verdict, last.verdict, [*found.tables]) == ("right", "wrong", ["cos", "sin"])
        assert last.findings[0].mistake == "not-a-rotation"
        assert said in last.findings[0].evidence


def test_what_is_wrong_with_a_call_is_a_warning():
    seen = diagnose(lambda x: x + right_table(len(x), x.shape[-1])[:, None])
    assert seen.correct
    assert seen.warnings[0].startswith("It adds along axis 0")
    seen = diagnose(lambda x: x + right_table(9, x.shape[-1])[7])
    assert seen.warnings == ("It adds the same row to all tokens.",)


def test_what_a_module_returns_counts_more_than_its_frequencies(torch):
    class Raised(torch.nn.Module):
        def __init__(self, power):
            super().__init__()
            self.register_buffer("inv_freq", 10_000 ** (-torch.arange(0, 64, 2) / 64))
            self.power = power

        def forward(self, x):
            angles = torch.outer(torch.arange(x.size(1)), self.inv_freq**self.power)
            return x + torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)

    found = diagnose(Raised(1.1))
    assert names(found) == ["wrong-base"]
    assert (diagnose(Raised(1)).recipe, diagnose(Raised(1)).warnings) == ("paper", ())
