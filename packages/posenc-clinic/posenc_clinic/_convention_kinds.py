"""The recipes of caches for rotations, and of what no ladder gives."""

from posenc_clinic._convention import RECOMPUTE, KnownRecipe
from posenc_clinic._mistake import FittedTable
from posenc_clinic._rope_bases import rotary, scaling

FACTORS = "These are factors to multiply with, not a table to add to words."
ROTATE = f"{FACTORS} Added to words, they would be a mistake: both columns of a pair hold the {{}}."
ONCE = f"{FACTORS} Added to words, they would be a mistake: no pair has both functions."
CACHED = "transformers: in halves for Llama and GPT-NeoX, side by side for GPT-J"
CELLS = "Rows are not places in a line: weights that expect the paper's table misread it."


def _once(fitted: FittedTable) -> bool:
    return fitted.recipe.odd == 0.5 and rotary(fitted)


def _never(fitted: FittedTable) -> bool:
    """Of what no ladder gives."""
    return False


OF_KINDS = {
    "rope-cosines": KnownRecipe(
        what="A cache of cosines for rotations (RoPE), each of them twice.",
        means=ROTATE.format("cosine"),
        traits=frozenset({"cosine-everywhere"}),
        also=frozenset({"halves-layout", "wrong-base", "wrong-divisor"}),
        users=CACHED,
        exact=rotary,
        detail=scaling,
    ),
    "rope-sines": KnownRecipe(
        what="A cache of sines for rotations (RoPE), each of them twice.",
        means=ROTATE.format("sine"),
        traits=frozenset({"sine-everywhere"}),
        also=frozenset({"halves-layout", "wrong-base", "wrong-divisor"}),
        users=CACHED,
        exact=rotary,
        detail=scaling,
    ),
    "rope-cosines-once": KnownRecipe(
        what="A cache of cosines for rotations (RoPE), one for each pair.",
        means=ONCE,
        traits=frozenset({"cosine-everywhere", "odd-denominators"}),
        also=frozenset({"wrong-base", "missing-column"}),
        exact=_once,
        detail=scaling,
        asked=True,
    ),
    "rope-sines-once": KnownRecipe(
        what="A cache of sines for rotations (RoPE), one for each pair.",
        means=ONCE,
        traits=frozenset({"sine-everywhere", "odd-denominators"}),
        also=frozenset({"wrong-base", "missing-column"}),
        exact=_once,
        detail=scaling,
        asked=True,
    ),
    "rope-cache": KnownRecipe(
        what="A cache for rotations (RoPE), each pair a cosine and a sine, with a base of theirs.",
        means=FACTORS,
        traits=frozenset({"cosine-first", "wrong-base"}),
        also=frozenset({"halves-layout"}),
        exact=rotary,
        detail=scaling,
    ),
    "rope-llama3": KnownRecipe(
        what="A cache for rotations (RoPE), whose slow pairs are slowed down by a factor, with a "
        "ramp from 1 turn to 4 within the original length.",
        means=FACTORS,
        users="meta-llama/llama-models and transformers",
        exact=_never,
    ),
    "rope-yarn": KnownRecipe(
        what="A cache for rotations (RoPE), scaled by YaRN: slow pairs are slowed down by a "
        "factor, with a ramp over the pairs between 32 turns and 1.",
        means=FACTORS,
        users="jquesnelle/yarn and transformers",
        exact=_never,
    ),
    "rope-by-parts": KnownRecipe(
        what="A cache for rotations (RoPE), scaled by parts: slow pairs are slowed down by a "
        "factor, with a ramp from 1 turn to 32 within the original length.",
        means=FACTORS,
        exact=_never,
    ),
    "rope-factors": KnownRecipe(
        what="A cache for rotations (RoPE), whose pairs are slowed down by a factor each, the more "
        "the slower they are, or stand still from one pair on.",
        means=f"{FACTORS} No formula gives these factors: compare them with those of the model.",
        users="transformers, as longrope of Phi-3 and as proportional of Gemma 4",
        exact=_never,
        title="a cache with factors of its own",
    ),
    "grid": KnownRecipe(
        what="The cells of a grid, such as the patches of a picture: its row stands before its "
        "column.",
        means=CELLS,
        users="DETR",
        exact=_never,
    ),
    "grid-column-first": KnownRecipe(
        what="The cells of a grid, such as the patches of a picture: its column stands before its "
        "row.",
        means=CELLS,
        users="MAE, SimpleViT (vit-pytorch) and positionalencoding2d (wzlxjtu)",
        exact=_never,
    ),
    "loftr": KnownRecipe(
        what="The cells of a grid, counted from 1, with frequencies exp(-2 * i): a lost "
        "parenthesis (/ d_model // 2 for / (d_model // 2)), kept for weights trained with it.",
        means="All but a few pairs hardly move. Leave it as it is for those weights, and mend it "
        "before training others. " + CELLS,
        users="LoFTR (unless temp_bug_fix is set)",
        exact=_never,
    ),
    "octaves": KnownRecipe(
        what="Octaves: each wave turns twice as fast as the one before.",
        means="They are for points in space: rows are points in any order, not places of words.",
        users="NeRF (bmild/nerf)",
        exact=_never,
    ),
    "fourier-features": KnownRecipe(
        what="Fourier features: every pair on its circle, each with a frequency of its own, and no "
        "ladder.",
        means="Shifts are rotations, as in the paper; but other frequencies can't be computed, so "
        "keep these with the weights. " + RECOMPUTE,
        exact=_never,
    ),
    "learned": KnownRecipe(
        what="Numbers that training seems to have made: no formula gives them.",
        means="Whether they are right, no formula can tell: keep them with the weights that were "
        "trained with them. There are none for positions beyond the last row. " + RECOMPUTE,
        exact=_never,
        title="a table that looks trained",
    ),
}
