"""The rules that amend a draft of a diagnosis, one after the other."""

import math
from dataclasses import dataclass, replace

import numpy as np

from posenc_clinic.families.known_recipes import (
    ALLOWED_WITH_STEPS,
    ALWAYS_ALLOWED,
    BY_LADDER,
    KNOWN_RECIPES,
    OTHER_BASE,
    followed,
)
from posenc_clinic.families.rope_bases import has_rope_base
from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.mistakes import CATALOGUE
from posenc_clinic.mistakes.finding import Finding, finding, seen_as, title_of

FAR_START = 10  # position from which a table is rather a part of a longer one
EIGHT_BITS = 100, 130  # factors of whole numbers that 8 bits hold


@dataclass
class Draft:
    """A diagnosis that rules amend: the fit that is believed, and what is said of it so far."""

    best: FittedTable
    meant: str | None  # the recipe that it should follow, if one was named
    based: bool  # whether its base was named
    seen: set[str]  # names of what was found at first
    findings: list[Finding]
    recipe: str | None
    known: str  # the recipe by which it is judged, or ""
    allowed: frozenset[str]  # names that belong to that
    detail: str = ""
    explained: bool = True

    @property
    def mistakes(self) -> list[str]:
        """Names of the findings that are no conventions."""
        return [each.mistake for each in self.findings if not each.convention]


def other_recipe(meant: str, lacks: str = "") -> Finding:
    """The finding that a table does not follow the recipe that was meant."""
    evidence = f"Another recipe was meant: {KNOWN_RECIPES[meant].what}{lacks}"
    return finding("other-recipe", evidence)


def _multiplied(draft: Draft, each: Finding) -> Finding | None:
    """Positions of rotations, multiplied by a number, and others by whole turns."""
    step, view = draft.best.step, draft.best.view
    turns = step / (2 * math.pi)
    turned = turns > 0.5 and math.isclose(turns, round(turns)) and draft.best.recipe.width > 2
    rotates = draft.best.is_of_one_function or view.rotates
    wrong = turned or (rotates and step > 1 and step == round(step))
    return replace(each, convention=False) if wrong and each.mistake == "position-step" else None


def _begins_anywhere(draft: Draft, each: Finding) -> Finding | None:
    """Positions that have steps, or are a part of a table."""
    part = each.mistake == "one-based-positions" and draft.best.start >= FAR_START
    spaced = each.mistake in ALLOWED_WITH_STEPS and draft.seen & ALWAYS_ALLOWED
    if not (spaced or (part and not draft.meant)):
        return None
    why = "Positions that don't go up by 1 may start anywhere, and run either way."
    return replace(
        each, convention=True, why=why, remedy="Leave it as it is if these positions are meant."
    )


def _unlike_recipe(draft: Draft, each: Finding) -> Finding | None:
    """A convention that the recipe does not have."""
    if not draft.known or not each.convention or each.mistake in draft.allowed:
        return None
    why = "The recipe that was meant does not have it, so weights that expect it misread the table."
    return replace(each, convention=False, why=why)


def _of_recipe(draft: Draft, each: Finding) -> Finding | None:
    """What belongs to the recipe."""
    other_base = draft.based and each.mistake in OTHER_BASE
    if not draft.known or each.convention or other_base or each.mistake not in draft.allowed:
        return None
    why = "It belongs to the recipe that the table follows."
    if draft.known != draft.recipe:
        why = f"It belongs to the recipe that was meant. {KNOWN_RECIPES[draft.known].means}"
    return replace(
        each,
        convention=True,
        why=why,
        remedy="If weights were trained with it, leave it as it is. Only if the paper's "
        f"table is meant: {each.remedy}",
    )


# What a finding is by the recipe of its table: the first that says something counts.
JUDGEMENTS = (_multiplied, _begins_anywhere, _unlike_recipe, _of_recipe)


def _judge_by_recipe(draft: Draft) -> None:
    """Split the findings into those that belong to a recipe and those that deviate from it."""
    for place, each in enumerate(draft.findings):
        each = next((found for judge in JUDGEMENTS if (found := judge(draft, each))), each)
        if each.convention or (draft.based and each.mistake in OTHER_BASE & draft.allowed):
            said = f"{CATALOGUE[each.mistake].what} {CATALOGUE[each.mistake].detail(draft.best)}"
            each = replace(each, evidence=said.strip(), cell=None)
        draft.findings[place] = each
    if known := draft.known:
        lacks = KNOWN_RECIPES[known].lacks(draft.seen)
        if lacks or known not in BY_LADDER or not BY_LADDER[known].exact(draft.best):
            said = f" The table lacks {' and '.join(map(title_of, lacks))}." * bool(lacks)
            draft.findings.append(other_recipe(known, said))


# What a cache for rotations may have, rather than a table that has one function by mistake.
TRAITS_OF_CACHES = frozenset({"cosine-everywhere", "sine-everywhere", "wrong-base"})
OF_CACHES = TRAITS_OF_CACHES | {"wrong-divisor", "odd-denominators", "low-precision-angles"}
OF_CACHES |= {"missing-column"}


def _tell_mistake_of_cache_alone(draft: Draft) -> None:
    """Leave out what a cache for rotations has on purpose, beside a mistake."""
    best = draft.best
    halves = best.is_of_one_function and best.layout == "halves" and "wrong-base" in draft.seen
    if not draft.known and (best.view.rotates or halves) and has_rope_base(best):
        own = TRAITS_OF_CACHES - ({"wrong-base"} if draft.based else set())
        if {*draft.mistakes} - own:
            draft.findings = [each for each in draft.findings if each.mistake not in own]


def _describe_recipe(draft: Draft) -> None:
    """Say what a recipe leaves open, and if a circle is closed early."""
    if not draft.recipe:
        return
    draft.detail = KNOWN_RECIPES[draft.recipe].detail(draft.best)
    rows, period = draft.best.rows_per_turn, draft.best.view.period
    if draft.recipe == "circle" and period == rows + 1:
        early = f"Rows 0 and {rows} are alike, but the table repeats after {period} rows."
        draft.findings.append(seen_as("circle-closed-early", early))


def _doubt_scale(draft: Draft) -> None:
    """Take a factor of whole numbers for one of 8 bits, and an odd one for learned."""
    if draft.meant or draft.mistakes != ["scaled"]:
        return
    scale, table = draft.best.recipe.scale, draft.best.view.table
    if not (rest := followed(draft.best, draft.seen - {"scaled"}, None)):
        return
    if (table == np.rint(table)).all() and EIGHT_BITS[0] < scale < EIGHT_BITS[1]:
        draft.recipe = rest
        draft.findings = [one for one in draft.findings if one.mistake != "scaled"]
        draft.detail = f"Its whole numbers are the values times {scale:.6g}, as they are where 8 "
        draft.detail += "bits are kept: divide by it."
    elif not _is_plain_factor(draft.best):
        draft.explained = False
        draft.detail = f"Divided by {scale:.6g}, it follows a known recipe: "
        draft.detail += f"{KNOWN_RECIPES[rest].what} If this factor is meant, as where it is "
        draft.detail += "learned, the table is right."


def _doubt_far_fetched(draft: Draft) -> None:
    """Take a table of one function for a cache, rather than for one with many mistakes."""
    others = {*draft.mistakes} - OF_CACHES
    far_fetched = len(others) > 1 or "repeated-row-block" in others
    if draft.best.is_of_one_function and not draft.meant and far_fetched:
        draft.explained = False
        draft.detail = "It may be a cache for rotations (RoPE), but of no kind that is known here."


def _doubt_turns(draft: Draft) -> None:
    """Leave open whether positions from 0 to 1 were meant, of which one is a whole turn."""
    if draft.mistakes == ["position-step"] and math.isclose(draft.best.step, 2 * math.pi):
        draft.explained = False
        draft.detail = "Its positions are multiplied by 2 pi, as those in pictures are that run "
        draft.detail += "from 0 to 1. At whole ones the fastest pair never moves."


def _doubt_width(draft: Draft) -> None:
    """Leave open whether an odd number of columns rotates, or their number is off by one."""
    width, divisor = draft.best.recipe.width, draft.best.odd_divisor
    others = {*draft.mistakes} - TRAITS_OF_CACHES - {"wrong-divisor"}
    if divisor == width - 1 and not (draft.meant or draft.based or others):
        draft.explained = False
        draft.findings = [one for one in draft.findings if one.mistake not in TRAITS_OF_CACHES]
        draft.detail = "It may be a cache for rotations (RoPE) whose exponents are over "
        draft.detail += f"{divisor:g}. That is right where a model rotates {divisor:g} columns, "
        draft.detail += f"and a mistake where it rotates {width}."


def _is_plain_factor(fitted: FittedTable) -> bool:
    """Check whether a program is likely to have multiplied by this factor, and not training."""
    scale, width = abs(fitted.recipe.scale), fitted.recipe.width
    likely = [float(f"{scale:.1g}"), width, width**0.5, width**-0.5, (2 / width) ** 0.5]
    return fitted.recipe.scale < 0 or any(math.isclose(scale, one, rel_tol=1e-3) for one in likely)


RULES = (  # each amends a diagnosis if it applies
    *(_judge_by_recipe, _tell_mistake_of_cache_alone, _describe_recipe, _doubt_scale),
    *(_doubt_far_fetched, _doubt_turns, _doubt_width),
)
