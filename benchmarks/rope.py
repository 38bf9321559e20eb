"""Measure `posenc.rope` and `posenc.torch.RotaryEncoding` against the usual ways, as ratios.

All are taken in turns in one process and on one thread, and medians are compared, so that a noisy
machine slows all alike. `python benchmarks/rope.py`; with the extra `frameworks`, PyTorch too.
"""

import platform
from importlib.util import find_spec

import mpmath
import numpy as np
from encode import medians, processor, ratios, show

from posenc import rope

SHAPE = 8, 4096, 128
FAR_POSITION = 10**6
MEMCPY = "limit: x.copy()"
RUNS = 41


def usual(x, offset=0):
    """Turn neighbours with angles in the dtype of `x`."""
    n, d_head = x.shape[-2:]
    omega = (10_000.0 ** (-np.arange(0, d_head, 2) / d_head)).astype(x.dtype)
    angles = np.arange(offset, offset + n, dtype=x.dtype)[:, np.newaxis] * omega
    cosines, sines = np.cos(angles), np.sin(angles)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = np.empty_like(x)
    turned[..., 0::2] = even * cosines - odd * sines
    turned[..., 1::2] = even * sines + odd * cosines
    return turned


def in_numpy():
    """Medians of the ways to turn an `x` of float32, and of a copy."""
    x = np.random.default_rng(0).normal(size=SHAPE).astype(np.float32)
    positions = np.arange(SHAPE[-2])
    return medians(
        {
            MEMCPY: x.copy,
            "posenc.rope": lambda: rope(x),
            "posenc.rope, halves": lambda: rope(x, layout="halves"),
            "posenc.rope, an array of positions": lambda: rope(x, positions=positions),
            "usual form": lambda: usual(x),
        },
        RUNS,
    )


def errors():
    """The worst error of a pair at a far position, in lengths of the pair."""
    x = np.random.default_rng(0).normal(size=(1, SHAPE[-1])).astype(np.float32)
    pairs = x[0, 0::2] + 1j * x[0, 1::2].astype(np.float64)
    with mpmath.workprec(120):
        for i in range(pairs.size):
            omega = mpmath.mpf(10_000) ** (mpmath.mpf(-i) / pairs.size)
            pairs[i] = complex(mpmath.mpc(complex(pairs[i])) * mpmath.expj(FAR_POSITION * omega))

    def off(y):
        return float(
            (abs(y[0, 0::2] + 1j * y[0, 1::2].astype(np.float64) - pairs) / abs(pairs)).max()
        )

    return {
        "posenc.rope": off(rope(x, offset=FAR_POSITION)),
        "usual form": off(usual(x, FAR_POSITION)),
    }


def in_torch():
    """Medians of turning queries and keys as transformers does, and as posenc does."""
    import torch
    from transformers import LlamaConfig
    from transformers.models.llama import modeling_llama as llama

    from posenc.torch import RotaryEncoding

    torch.set_num_threads(1)
    seconds = {}
    for name, shape, dtype, runs in (
        ("float32", (1, 8, 4096, 128), torch.float32, RUNS),
        ("bfloat16", (1, 8, 4096, 128), torch.bfloat16, RUNS),
        ("one token", (1, 32, 1, 128), torch.float32, 500),
    ):
        q, k = (torch.randn(shape).to(dtype) for _ in range(2))
        config = LlamaConfig(hidden_size=shape[-1], num_attention_heads=1, head_dim=shape[-1])
        angles = llama.LlamaRotaryEmbedding(config)
        halves, pairs = (RotaryEncoding(shape[-1], layout=by) for by in ("halves", "interleaved"))

        def theirs(q=q, k=k, angles=angles):
            positions = torch.arange(q.shape[-2])[None]
            return llama.apply_rotary_pos_emb(q, k, *angles(q, positions))

        with torch.no_grad():
            seconds[name] = medians(
                {
                    "transformers, halves": theirs,
                    "posenc, halves": lambda q=q, k=k, turn=halves: turn(q, k),
                    "posenc, interleaved": lambda q=q, k=k, turn=pairs: turn(q, k),
                },
                runs,
            )
    return seconds


def main():
    """Measure and print."""
    print(f"{processor()}, {platform.system()}, one thread")
    print(f"Python {platform.python_version()}, NumPy {np.__version__}")
    head = "x".join(map(str, SHAPE))
    show("time / copy of x, float32", ratios({head: in_numpy()}, MEMCPY))
    show(f"worst error at position {FAR_POSITION}, float32", {"in lengths": errors()})
    if find_spec("transformers") and find_spec("torch"):
        show("time / transformers, q and k", ratios(in_torch(), "transformers, halves"))


if __name__ == "__main__":
    main()
