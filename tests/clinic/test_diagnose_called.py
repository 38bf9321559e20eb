"""`diagnose` calls functions with the sizes they ask for, and modules for what they add."""

import warnings
from functools import partial

import numpy as np
import pytest

from posenc import SinusoidalEncoding, sinusoidal
from posenc_clinic import diagnose
from posenc_clinic.wrong_tables import right_table, wrong_table

LACKS_TORCH = "what needs torch: .venv/bin/pip install -e '.[frameworks]'"


def names(diagnosis):
    return [finding.mistake for finding in diagnosis.findings]


# Functions


def base_called_n(seq_len, d, n=10_000):
    return right_table(seq_len, d, base=n)


def row(t, width):
    """The encoding of one position; `t` can't be an array."""
    return [np.sin(t / 500 ** (j / width)) if j % 2 == 0 else 0.5 for j in range(width)]


def with_keywords(*, seq_length, embed_dim=512, base=500.0):
    return right_table(seq_length, embed_dim, base=base)


def from_positions(timesteps, embedding_dim):
    return np.asarray(sinusoidal(timesteps, embedding_dim, base=500))


def one_at_a_time(pos, d_model):
    i = np.arange(d_model)
    angle = pos / 500 ** (i // 2 * 2 / d_model)
    return np.where(i % 2, np.cos(angle), np.sin(angle))


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda n, d: right_table(n, d, base=500.0), id="n, d"),
        pytest.param(lambda d_model, max_len: right_table(max_len, d_model, base=500.0), id="d, n"),
        pytest.param(lambda a, b: right_table(a, b, base=500.0), id="unknown names"),
        pytest.param(lambda dim, rows: right_table(rows, dim, base=500.0), id="one known name"),
        pytest.param(lambda depth, q: right_table(q, depth, base=500.0), id="the other unknown"),
        pytest.param(lambda *sizes: right_table(*sizes, base=500.0), id="any number"),
        pytest.param(lambda max_len=9, d=8: right_table(max_len, d, base=500.0), id="defaults"),
        pytest.param(with_keywords, id="keywords"),
        pytest.param(partial(right_table, base=500.0), id="partial"),
        pytest.param(from_positions, id="an array of positions"),
        pytest.param(lambda position, d: right_table(position, d, base=500.0), id="a length"),
        pytest.param(one_at_a_time, id="one position"),
        pytest.param(lambda n, d: right_table(n, d, base=500.0)[None], id="one sentence"),
        pytest.param(lambda n, d: right_table(n, d, base=500.0).tolist(), id="a list"),
        pytest.param(lambda x: x + right_table(*x.shape[-2:], base=500.0), id="added to x"),
    ],
)
@pytest.mark.parametrize("sizes", [{}, {"n": 20, "d": 16}], ids=["as it is", "20 x 16"])
def test_a_function_is_called_with_the_sizes_it_asks_for(function, sizes):
    diagnosis = diagnose(function, **sizes)
    assert names(diagnosis) == ["wrong-base"]
    assert diagnosis.shape == ((20, 16) if sizes else (50, 64))
    assert diagnose(function, base=500, **sizes).findings == ()


def test_a_function_of_a_single_size_chooses_the_other():
    assert diagnose(lambda n: right_table(n, 8)).shape == (50, 8)
    assert diagnose(lambda dim: right_table(7, dim)).shape == (7, 64)
    assert diagnose(lambda: right_table(7, 8)).shape == (7, 8)


def test_the_length_is_not_taken_for_a_base_that_is_called_n():
    for function in (base_called_n, lambda length=4, d=4, n=10_000: base_called_n(length, d, n)):
        assert diagnose(function).findings == ()


def test_a_warning_of_a_call_that_came_to_nothing_is_not_passed_on():
    def said(positions, d):
        warnings.warn("an array" if np.ndim(positions) else "a length", stacklevel=1)
        return None if np.ndim(positions) else right_table(positions, d)

    with pytest.warns(UserWarning, match="a length") as caught:
        assert diagnose(said).findings == ()
    assert len(caught) == 1


def test_a_function_that_returns_a_wrong_table_is_diagnosed():
    assert names(diagnose(lambda n, d: wrong_table("cosine-everywhere", n=n, d=d))) == [
        "cosine-everywhere"
    ]


def test_rows_of_one_position_each_are_put_together():
    assert diagnose(row).shape == (50, 64)
    assert not diagnose(row).correct


def test_a_function_without_a_table_is_refused(refusal, subtests):
    for function, error, said in [
        (lambda n, d: 1 / 0, ValueError, "(n=50, d=64) raised ZeroDivisionError: division by zero"),
        (lambda a, b: exit("no"), ValueError, "(a=50, b=64) raised SystemExit: no"),
        (lambda pos, d: pos.x, ValueError, "(pos=(50,), d=64) raised AttributeError"),
        (lambda n, d: "text", TypeError, "returned 'text': pass something that returns a table"),
        (lambda n, d: None, TypeError, "returned None"),
        (lambda n, d: {"pe": 1}, TypeError, "returned {'pe': 1}"),
        (lambda n, d: print, TypeError, "returned <built-in function print>"),
        (lambda n, d: "long" * 99, TypeError, "returned 'longlong"),
        (lambda n, d: object(), TypeError, "table must hold real numbers, but its dtype is object"),
        (lambda n, d: n * d, ValueError, "table must have shape (n, d)"),
        (lambda n, d, c: 0, TypeError, "asks for more than n and d: n, d, c: pass lambda n, d:"),
        (lambda pos, i, d_model: 0, TypeError, "asks for more than n and d: pos, i, d_model"),
    ]:
        with subtests.test(function=function, error=error, said=said):
            message = refusal(error, diagnose, function)
            assert said in message
            assert "\n" not in message
            assert len(message) < 200


def test_sizes_too_small_are_refused(refusal, subtests):
    for sizes, error in [({"n": 2}, ValueError), ({"d": 1}, ValueError), ({"n": 5.0}, TypeError)]:
        with subtests.test(sizes=sizes, error=error):
            assert refusal(error, diagnose, sinusoidal, **sizes).startswith(
                f"{next(iter(sizes))} must be"
            )


# Layers


def test_a_layer_of_our_own_is_asked_what_it_adds():
    assert diagnose(SinusoidalEncoding(16, layout="halves")).shape == (50, 16)
    assert diagnose(SinusoidalEncoding, d=8).shape == (50, 8)
    assert names(diagnose(SinusoidalEncoding(16, base=500))) == ["wrong-base"]


class Weight:
    """A weight as Keras has it: with a name, a shape, a dtype and values."""

    dtype = "float32"

    def __init__(self, name, array):
        self.name, self.array, self.shape = name, array, array.shape

    def __array__(self, dtype=None, copy=None):
        return np.array(self.array, dtype)

    def __getitem__(self, at):
        return self.array[at]


class Layer:
    """A layer as Keras has it."""

    def __init__(self, *weights):
        self.weights = [*weights]

    def __call__(self, inputs, training=False):
        return inputs + right_table(*inputs.shape[1:], base=500.0)


def test_a_layer_of_keras_is_asked_for_its_weights_or_what_it_adds():
    kernel = Weight("kernel", np.full((64, 64), 0.1))
    assert names(diagnose(Layer(kernel))) == ["wrong-base"]
    held = Weight("position_embedding", wrong_table("degrees"))
    assert names(diagnose(Layer(kernel, held))) == ["degrees"]


# Modules of PyTorch


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason=LACKS_TORCH)


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
    assert names(diagnose(encoding(16, max_len=80))) == ["wrong-base"]
    assert diagnose(encoding(16, max_len=80)).shape == (80, 16)
    assert names(diagnose(encoding(16, max_len=80, name="anything"))) == ["wrong-base"]
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), encoding(16, max_len=80))
    assert diagnose(model).shape == (80, 16)
    assert diagnose(model.to(torch.bfloat16)).shape == (80, 16)


def test_a_module_without_a_buffer_is_asked_what_it_adds_and_left_as_it_was(encoding):
    for training in (True, False):
        module = encoding(16, max_len=80, name="").train(training)
        diagnosis = diagnose(module, d=16)
        assert names(diagnosis) == ["wrong-base"]
        assert diagnosis.shape == (50, 16)
        assert (module.training, module.dropout.training) == (training, training)


def test_a_class_of_modules_is_made_without_dropout(encoding, torch):
    assert diagnose(encoding, n=30, d=8).shape == (30, 8)

    class Required(encoding):
        def __init__(self, d_model, dropout, max_len=5000):
            super().__init__(d_model, dropout, max_len, name="")

    assert names(diagnose(Required)) == ["wrong-base"]


def test_modules_of_posenc_are_asked_what_they_add(torch):
    from posenc.torch import SinusoidalEncoding as Module

    assert diagnose(Module(16)).findings == ()
    assert names(diagnose(Module(16, base=500.0))) == ["wrong-base"]


def test_the_frequencies_of_a_rotary_module_become_a_cache(torch):
    for base, recipe in ((500.0, None), (10_000.0, "cosine-first"), (500_000.0, "rope-cache")):
        module = torch.nn.Module()
        module.register_buffer("inv_freq", base ** (-torch.arange(0, 64, 2) / 64))
        diagnosis = diagnose(module)
        assert names(diagnosis) == ["cosine-first"] + ["wrong-base"] * (base != 10_000)
        assert (diagnosis.correct, diagnosis.recipe) == (bool(recipe), recipe)
        assert diagnosis.base == pytest.approx(base)


def test_original_frequencies_do_not_count_beside_those_in_use(torch):
    module = torch.nn.Module()
    for name, base in (("inv_freq", 500.0), ("original_inv_freq", 10_000.0)):
        module.register_buffer(name, base ** (-torch.arange(0, 64, 2) / 64))
    assert diagnose(module).base == pytest.approx(500)


def test_a_module_may_say_in_its_own_name_that_it_holds_positions(torch):
    class SinePositionalEmbedding(torch.nn.Embedding):
        pass

    module = SinePositionalEmbedding(50, 64)
    module.weight.data = 8 * torch.from_numpy(right_table())
    assert names(diagnose(module)) == ["scaled"]


def test_a_module_of_positions_gets_a_tensor_of_them(torch):
    class Timesteps(torch.nn.Module):
        def forward(self, timesteps):
            angle = timesteps[:, None] * 500 ** -(torch.arange(8) / 8)
            return torch.cat([angle.sin(), angle.cos()], dim=1)

    assert set(names(diagnose(Timesteps()))) == {"halves-layout", "wrong-base"}


def test_a_module_of_several_tables_or_none_is_refused(encoding, torch, refusal):
    model = torch.nn.ModuleDict({"one": encoding(16, max_len=80), "two": encoding(8, max_len=80)})
    message = refusal(ValueError, diagnose, model)
    assert message == (
        "ModuleDict holds several tensors that may be positions: one.pe, two.pe: pass one of them"
    )
    message = refusal(ValueError, diagnose, torch.nn.Linear(100, 64))
    assert message.startswith("Linear(input=(1, 50, 64)) raised RuntimeError: ")


def test_the_weight_of_an_embedding_is_taken(torch):
    module = torch.nn.Embedding(50, 64)
    assert "freshly initialised" in str(diagnose(module))
    module.weight.data = torch.from_numpy(right_table(base=500.0))
    assert names(diagnose(module)) == ["wrong-base"]
