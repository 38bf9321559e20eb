"""The recipes that tables follow on purpose: what each has, who uses it, and what it means."""

from math import isclose

from posenc_clinic._convention import FREE, RECOMPUTE, SPACED, KnownRecipe
from posenc_clinic._convention_kinds import OF_KINDS
from posenc_clinic._mistake import FittedTable

__all__ = ["FREE", "KNOWN", "SPACED", "KnownRecipe", "followed"]

SAME = "The values are those of section 3.5."
REORDER = (
    "The columns are the paper's in another order: reorder them for weights that expect those."
)


def _padding_row(fitted: FittedTable) -> bool:
    rows = fitted.blank_rows.tolist()
    return rows in ([0], [1]) and not fitted.view.table[rows].any()


def _centred(fitted: FittedTable) -> bool:
    table, noise = fitted.view.table, fitted.view.sample.noise + 1e-6
    return bool(abs(table.mean()) < noise and abs(table.std(ddof=1) - 0.1) < noise)


LADDER = frozenset({"tensor2tensor-ladder", "halves-layout"})
FILLED = frozenset({"zero-column"})  # as those programs fill up an odd width

OF_LADDERS = {
    "paper": KnownRecipe(
        what="Sines and cosines side by side, exponents 2 * i / d_model.",
        means=SAME,
        exact=lambda fitted: not fitted.period,
    ),
    "paper-halves": KnownRecipe(
        what="The paper's ladder, with all sines before all cosines.",
        means=REORDER,
        traits=frozenset({"halves-layout"}),
    ),
    "cosine-first": KnownRecipe(
        what="The paper's ladder, with each cosine before its sine.",
        means=REORDER,
        traits=frozenset({"cosine-first"}),
        users="caches for rotations (RoPE) that hold complex numbers, as freqs_cis of Llama 2 does",
        exact=lambda fitted: not fitted.period,
    ),
    "timesteps": KnownRecipe(
        what="The paper's ladder, with all cosines before all sines.",
        means=REORDER,
        traits=frozenset({"cosine-first", "halves-layout"}),
        also=FILLED,
        users="guided-diffusion, DiT, Stable Diffusion and VibeVoice; a cache for rotations (RoPE) "
        "that holds all cosines, then all sines, is the same",
    ),
    "tensor2tensor": KnownRecipe(
        what="A ladder of d_model / 2 - 1 steps, whose exponents reach 1, in halves; a column of "
        "zeros fills up an odd width.",
        means=RECOMPUTE,
        traits=LADDER,
        also=FILLED,
        users="Tensor2Tensor, Whisper, fairseq, DDPM, diffusers (by default), Pegasus-X, SimpleViT "
        "(in one dimension), OpenNMT (where it concatenates) and MLinJulia",
    ),
    "musicgen": KnownRecipe(
        what="A ladder of d_model / 2 - 1 steps in halves, with all cosines first.",
        means=RECOMPUTE,
        traits=LADDER | {"cosine-first"},
        users="MusicGen",
    ),
    "gemma-audio": KnownRecipe(
        what="A ladder of d_model / 2 - 1 steps, with positions from n - 1 down to 0.",
        means=RECOMPUTE,
        traits=frozenset({"tensor2tensor-ladder", "reversed-positions"}),
        also=frozenset({"halves-layout"}),
        users="the audio encoder of Gemma 4",
    ),
    "fairseq": KnownRecipe(
        what="Tensor2Tensor's ladder in halves, with row padding_idx, which is 0 or 1, all zeros. "
        "The first token is read from the row after it.",
        means=RECOMPUTE,
        traits=LADDER,
        also=FILLED | {"zeroed-first-row", "constant-row"},
        users="fairseq",
        exact=_padding_row,
    ),
    "fairseq2": KnownRecipe(
        what="Tensor2Tensor's ladder in halves, with row 0 all zeros; row r is position r - 1.",
        means=RECOMPUTE,
        traits=LADDER | {"zeroed-first-row", "one-based-positions"},
        also=FILLED,
        users="fairseq2",
        exact=lambda fitted: fitted.start == -1,
    ),
    "padding-first": KnownRecipe(
        what="The paper's table, with row 0 all zeros for pads; words are counted from 1.",
        means="Row r is position r; weights that count words from 0 find no position in row 0.",
        traits=frozenset({"zeroed-first-row"}),
        users="PaddlePaddle, and in code that follows an idiom of 2017",
    ),
    "scaled-sinusoidal": KnownRecipe(
        what="The paper's ladder, times 1 / sqrt(d_model), a factor that is learned later.",
        means="Multiply it by sqrt(d_model) for weights that expect the paper's table.",
        traits=frozenset({"scaled"}),
        also=frozenset({"halves-layout"}),
        users="x-transformers (ScaledSinusoidal)",
        exact=lambda fitted: isclose(
            fitted.recipe.scale,
            fitted.recipe.width**-0.5,
            rel_tol=1e-3,
            abs_tol=fitted.view.sample.noise / 4,  # of a sample, which is less exact than its mean
        ),
    ),
    "patchtst": KnownRecipe(
        what="The paper's table, less its mean, and divided by ten times its standard deviation.",
        means="Both numbers depend on the length. For weights that expect the paper's table, take "
        "the constant away and divide by the factor.",
        traits=frozenset({"scaled", "shifted-mean"}),
        users="PatchTST and tsai",
        exact=_centred,
    ),
    "circle": KnownRecipe(
        what="One pair that comes round in a whole number of rows, such as months in a year.",
        means="Rows a whole turn apart are alike, as they should be for times that recur, and "
        "should not for places of words.",
        traits=frozenset({"position-step"}),
        also=SPACED | {"cosine-first", "repeated-row-block"},
        exact=lambda fitted: fitted.period > 0,
        detail=lambda fitted: f"It comes round in {fitted.period} rows.",
    ),
}

KNOWN = OF_LADDERS | OF_KINDS


def followed(fitted: FittedTable, names: set[str], meant: str | None) -> str | None:
    """Return the recipe that a table with these findings follows exactly: the one meant, if so."""
    if meant and KNOWN[meant].gives(fitted, names):
        return meant
    likely = (name for name, known in KNOWN.items() if not known.asked)
    return next((name for name in likely if KNOWN[name].gives(fitted, names)), None)
