"""The recipes that tables follow on purpose: what each has, who uses it, and what it means."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isclose, log

from posenc._arguments import Layout
from posenc_clinic.families.rope_bases import describe_scaling, has_rope_base
from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.fitting.table_model import Functions, Recipe
from posenc_clinic.mistakes import CATALOGUE

ALWAYS_ALLOWED = frozenset({"position-step"})  # no recipe says which positions to ask for
ALLOWED_WITH_STEPS = frozenset({"one-based-positions", "reversed-positions", "negated-angle"})

RECOMPUTE = "No order of columns gives the paper's values, so weights that expect those misread it."


@dataclass(frozen=True)
class KnownRecipe:
    """A recipe: the mistakes and conventions that it has, by the names that findings have.

    `users` are programs seen to follow it. `means` says what it is for weights that expect the
    table of the paper. A table may also have what is in `also`, and must satisfy `exact`. `detail`
    says what it leaves open.
    """

    what: str
    means: str
    traits: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    users: str = ""
    exact: Callable[[FittedTable], bool] = lambda fitted: True
    detail: Callable[[FittedTable], str] = lambda fitted: ""

    @property
    def said(self) -> str:
        """The recipe in a few sentences."""
        users = f" It was found in {self.users}." if self.users else ""
        return f"{self.what}{users} {self.means}"

    def lacks(self, names: set[str]) -> list[str]:
        """The traits of the recipe that a table with these findings lacks."""
        return [name for name in CATALOGUE if name in self.traits - names]

    def allows(self, names: set[str]) -> frozenset[str]:
        """The names that a table with these findings may have by this recipe."""
        with_steps = ALLOWED_WITH_STEPS if ALWAYS_ALLOWED & names else frozenset()
        return self.traits | self.also | ALWAYS_ALLOWED | with_steps

    def gives(self, fitted: FittedTable, names: set[str]) -> bool:
        """Check whether a table with these findings follows the recipe exactly."""
        return not self.lacks(names) and names <= self.allows(names) and self.exact(fitted)


FACTORS = "These are factors for queries and keys, not a table to add to embeddings."
OTHER_BASE = frozenset({"wrong-base", "wrong-divisor"})
CACHED = "transformers: in halves for Llama and GPT-NeoX, side by side for GPT-J"
CELLS = "Rows are not positions in a text, so weights that expect the paper's table misread it."


def _of_one_function(function: str, twice: bool) -> KnownRecipe:
    """Describe a cache of cosines or of sines, in both columns of each pair or one for each."""
    times, why = "one for each pair", "no pair has both functions"
    if twice:
        times, why = "each of them twice", f"both columns of a pair hold the {function}"
    return KnownRecipe(
        what=f"A cache of {function}s for rotations (RoPE), {times}.",
        means=f"{FACTORS} Added, they would be a mistake: {why}.",
        traits=frozenset({f"{function}-everywhere", *["odd-denominators"][twice:]}),
        also=OTHER_BASE | {"halves-layout" if twice else "missing-column"},
        users=CACHED * twice,
        exact=lambda fitted: (
            (twice or fitted.recipe.odd_column_offset == 0.5) and has_rope_base(fitted)
        ),
        detail=describe_scaling,
    )


OF_CACHES = {
    "rope-cosines": _of_one_function("cosine", True),
    "rope-sines": _of_one_function("sine", True),
    "rope-cosines-once": _of_one_function("cosine", False),
    "rope-sines-once": _of_one_function("sine", False),
    "rope-cache": KnownRecipe(
        what="A cache for rotations (RoPE), each pair a cosine and a sine, with a base of RoPE.",
        means=FACTORS,
        traits=frozenset({"cosine-first", "wrong-base"}),
        also=frozenset({"halves-layout"}),
        exact=has_rope_base,
        detail=describe_scaling,
    ),
}

WITHOUT_LADDER = {  # recognised in other ways
    "rope-llama3": KnownRecipe(
        what="A cache for rotations (RoPE), whose slow pairs are slowed down by a factor, with a "
        "ramp from 1 turn to 4 within the original length.",
        means=FACTORS,
        users="meta-llama/llama-models and transformers",
    ),
    "rope-yarn": KnownRecipe(
        what="A cache for rotations (RoPE), scaled by YaRN: slow pairs are slowed down by a "
        "factor, with a ramp over the pairs between 32 turns and 1.",
        means=FACTORS,
        users="jquesnelle/yarn and transformers",
    ),
    "rope-by-parts": KnownRecipe(
        what="A cache for rotations (RoPE), scaled by parts: slow pairs are slowed down by a "
        "factor, with a ramp from 1 turn to 32 within the original length.",
        means=FACTORS,
    ),
    "rope-factors": KnownRecipe(
        what="A cache for rotations (RoPE), in which each pair is slowed down by a factor of its "
        "own, slower pairs by more, or in which pairs do not rotate from one of them on.",
        means=f"{FACTORS} No formula gives these factors: compare them with those of the model.",
        users="transformers, as longrope of Phi-3 and as proportional of Gemma 4",
    ),
    "grid": KnownRecipe(
        what="The cells of a grid, such as the patches of an image, with the row encoded before "
        "the column.",
        means=CELLS,
        users="DETR",
    ),
    "grid-column-first": KnownRecipe(
        what="The cells of a grid, such as the patches of an image, with the column encoded "
        "before the row.",
        means=CELLS,
        users="MAE, SimpleViT (vit-pytorch) and positionalencoding2d (wzlxjtu)",
    ),
    "grid-3d": KnownRecipe(
        what="The cells of a grid of three axes, such as frames, rows and columns of a video.",
        means=CELLS,
        users="Open-Sora Plan, Prithvi and positional-encodings; with a cosine and a sine in each "
        "pair, rotations (RoPE) of Wan",
    ),
    "rope-axes": KnownRecipe(
        what="A cache for rotations (RoPE) by several axes: each pair rotates by the place along "
        "one of them.",
        means=FACTORS,
        users="DINOv3, EVA, Pixtral, HunyuanImage and, as M-RoPE, Qwen2-VL and Qwen3-VL",
    ),
    "offsets": KnownRecipe(
        what="Sines and cosines of offsets, from far before a token to far after it.",
        means="Rows are distances between two tokens, not positions: attention reads the row of "
        "each distance. " + RECOMPUTE,
        users="Transformer-XL, XLNet and Conformers (ESPnet, WeNet, NeMo, SpeechBrain)",
    ),
    "circles": KnownRecipe(
        what="Pairs that each come round in a whole number of rows, as the hours of a day do.",
        means="Rows a whole turn apart are alike in a pair, as they should be for times that "
        "recur, but not for positions of tokens.",
    ),
    "rearranged": KnownRecipe(
        what="The frequencies of one ladder, in an order of their own, or several times.",
        means="Every column is right by itself. For weights that expect another order, reorder "
        "the columns.",
        users="Flax's Llama, Ernie 4.5 VL, Pixtral, TGAT and, for each head, U-TAE",
    ),
    "bands": KnownRecipe(
        what="Waves whose frequencies go up by one step, from the slowest to the fastest.",
        means="They tell near positions apart better than far ones. " + RECOMPUTE,
        users="Perceiver; the eigenvectors of a path, as Laplacian encodings have them, are such",
    ),
    "loftr": KnownRecipe(
        what="The cells of a grid, counted from 1, with frequencies exp(-2 * i): a lost "
        "parenthesis (/ d_model // 2 for / (d_model // 2)), kept for weights trained with it.",
        means="All but a few pairs hardly rotate. Leave it as it is for those weights, and fix it "
        "before training others. " + CELLS,
        users="LoFTR (unless temp_bug_fix is set)",
    ),
    "octaves": KnownRecipe(
        what="Octaves: each wave is twice as fast as the one before.",
        means="They are for points in space: rows are points in any order, not a text's positions.",
        users="NeRF (bmild/nerf)",
    ),
    "fourier-features": KnownRecipe(
        what="Fourier features: every pair is on the unit circle, and each has a frequency of its "
        "own.",
        means="Shifts are rotations, as in the paper. But no formula gives the frequencies, so "
        "keep them with the weights. " + RECOMPUTE,
    ),
    "alibi": KnownRecipe(
        what="ALiBi: a penalty for each head that grows with the distance, or its slopes.",
        means="It is added to the scores of attention, not to embeddings.",
        users="Bloom, MPT, MLX and x-transformers",
    ),
    "t5-buckets": KnownRecipe(
        what="T5's buckets: which row of a table of biases is for each offset.",
        means="They are indices, not numbers to add.",
        users="T5 and transformers",
    ),
    "learned": KnownRecipe(
        what="Numbers that training seems to have made: no formula gives them.",
        means="No formula shows whether they are right, so keep them with the weights that were "
        "trained with them. There are none for positions beyond the last row. " + RECOMPUTE,
    ),
}


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
        exact=lambda fitted: not fitted.rows_per_turn,
    ),
    "paper-halves": KnownRecipe(
        what="The paper's frequencies, with all sines before all cosines.",
        means=REORDER,
        traits=frozenset({"halves-layout"}),
    ),
    "cosine-first": KnownRecipe(
        what="The paper's frequencies, with each cosine before its sine.",
        means=REORDER,
        traits=frozenset({"cosine-first"}),
        users="caches for rotations (RoPE) that hold complex numbers, as freqs_cis of Llama 2 does",
        exact=lambda fitted: not fitted.rows_per_turn,
    ),
    "timesteps": KnownRecipe(
        what="The paper's frequencies, with all cosines before all sines.",
        means=REORDER,
        traits=frozenset({"cosine-first", "halves-layout"}),
        also=FILLED,
        users="guided-diffusion, DiT, Stable Diffusion and VibeVoice; a cache for rotations (RoPE) "
        "that holds all cosines, then all sines, is the same",
    ),
    "tensor2tensor": KnownRecipe(
        what="Exponents that reach 1 in d_model / 2 - 1 steps, in halves; a column of zeros fills "
        "up an odd width.",
        means=RECOMPUTE,
        traits=LADDER,
        also=FILLED,
        users="Tensor2Tensor, Whisper, fairseq, DDPM, diffusers (by default), Pegasus-X, SimpleViT "
        "(in one dimension), OpenNMT (where it concatenates) and MLinJulia",
    ),
    "musicgen": KnownRecipe(
        what="Exponents that reach 1 in d_model / 2 - 1 steps, in halves, with all cosines first.",
        means=RECOMPUTE,
        traits=LADDER | {"cosine-first"},
        users="MusicGen",
    ),
    "gemma-audio": KnownRecipe(
        what="Exponents that reach 1 in d_model / 2 - 1 steps, and positions from n - 1 down to 0.",
        means=RECOMPUTE,
        traits=frozenset({"tensor2tensor-ladder", "reversed-positions"}),
        also=frozenset({"halves-layout"}),
        users="the audio encoder of Gemma 4",
    ),
    "fairseq": KnownRecipe(
        what="Tensor2Tensor's frequencies in halves, with row padding_idx, which is 0 or 1, all "
        "zeros. The first token is read from the row after it.",
        means=RECOMPUTE,
        traits=LADDER,
        also=FILLED | {"zeroed-first-row", "constant-row"},
        users="fairseq",
        exact=_padding_row,
    ),
    "fairseq2": KnownRecipe(
        what="Tensor2Tensor's frequencies in halves, and row 0 all zeros; row r is position r - 1.",
        means=RECOMPUTE,
        traits=LADDER | {"zeroed-first-row", "one-based-positions"},
        also=FILLED,
        users="fairseq2",
        exact=lambda fitted: fitted.start == -1,
    ),
    "padding-first": KnownRecipe(
        what="The paper's table, with row 0 all zeros for padding; tokens are counted from 1.",
        means="Row r is position r. If tokens are counted from 0, the first one has no position.",
        traits=frozenset({"zeroed-first-row"}),
        users="PaddlePaddle, and in code that follows an idiom of 2017",
    ),
    "frames": KnownRecipe(
        what="The paper's table in halves, after a row of zeros.",
        means="Row r is position r - 1, and the first row gets nothing.",
        traits=frozenset({"zeroed-first-row", "one-based-positions", "halves-layout"}),
        users="the frames of Kimi K2.5's vision",
        exact=lambda fitted: fitted.start == -1,
    ),
    "unit-rows": KnownRecipe(
        what="Tensor2Tensor's frequencies in halves, times sqrt(2 / d_model), so that rows have "
        "length 1.",
        means="Multiply it by sqrt(d_model / 2) for weights that expect values from -1 to 1.",
        traits=LADDER | {"scaled"},
        also=frozenset({"cosine-first"}),
        users="MLX (by default)",
        exact=lambda fitted: isclose(
            fitted.recipe.scale, (2 / fitted.recipe.width) ** 0.5, rel_tol=1e-3
        ),
    ),
    "scaled-sinusoidal": KnownRecipe(
        what="The paper's table, times 1 / sqrt(d_model), a factor that is learned later.",
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
        means="Both numbers depend on the length. For weights that expect the paper's table, "
        "subtract the constant and divide by the factor.",
        traits=frozenset({"scaled", "shifted-mean"}),
        users="PatchTST and tsai",
        exact=_centred,
    ),
    "circle": KnownRecipe(
        what="One pair that makes a turn in a whole number of rows, such as months in a year.",
        means="Rows a whole turn apart are alike, as they should be for times that recur, but not "
        "for positions of tokens.",
        traits=frozenset({"position-step"}),
        also=ALLOWED_WITH_STEPS | {"cosine-first", "repeated-row-block"},
        exact=lambda fitted: fitted.rows_per_turn > 0,
        detail=lambda fitted: f"It makes a turn in {fitted.rows_per_turn} rows.",
    ),
}

BY_LADDER = OF_LADDERS | OF_CACHES
KNOWN_RECIPES = BY_LADDER | WITHOUT_LADDER


def followed(fitted: FittedTable, names: set[str], meant: str | None) -> str | None:
    """Name the recipe that a table with these findings follows exactly: the one meant, if so."""
    if meant in BY_LADDER and BY_LADDER[meant].gives(fitted, names):
        return meant
    return next((name for name, known in BY_LADDER.items() if known.gives(fitted, names)), None)


# The known recipes of pairs, by what those hold, and whether their exponents reach 1.
NAME_OF_PAIRS: dict[tuple[Functions, Layout, bool], str] = {
    ("sin cos", "interleaved", False): "paper",
    ("sin cos", "halves", False): "paper-halves",
    ("sin cos", "halves", True): "tensor2tensor",
    ("cos sin", "interleaved", False): "cosine-first",
    ("cos sin", "halves", False): "timesteps",
    ("cos sin", "halves", True): "musicgen",
    ("cos cos", "interleaved", False): "rope-cosines",
    ("cos cos", "halves", False): "rope-cosines",
    ("sin sin", "interleaved", False): "rope-sines",
    ("sin sin", "halves", False): "rope-sines",
}


def known_pairs(d: int, *bases: float) -> Iterator[tuple[str, Recipe, float]]:
    """Yield the known recipes of pairs and their bases: the first, and of caches the others."""
    for (functions, layout, reaching), name in NAME_OF_PAIRS.items():
        others = () if functions == "sin cos" or reaching else bases[1:]
        for base in dict.fromkeys((bases[0], *others)):
            drop = log(base) / max(0.5, d / 2 - reaching)
            known = "rope-cache" if functions == "cos sin" and base != bases[0] else name
            yield known, Recipe(d, drop, layout=layout, functions=functions), base
