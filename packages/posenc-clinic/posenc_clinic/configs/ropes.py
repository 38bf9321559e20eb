"""The rotations that a configuration asks for, in each kind of layer."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import attention_temperature, scale_frequencies
from posenc._scaling import Method
from posenc_clinic.configs.fields import Configuration, whole
from posenc_clinic.configs.layers import WINDOWED
from posenc_clinic.configs.model import Rope, Said

# What is read of `rope_parameters` or `rope_scaling`, and for which types.
EVERY = {"rope_theta", "rope_type", "type", "partial_rotary_factor", "factor"}
EVERY |= {"original_max_position_embeddings", "mrope_section", "mrope_interleaved", "interleaved"}
OWN = {
    "yarn": {
        *("attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"),
        *("llama_4_scaling_beta", "max_position_embeddings"),
    },
    "longrope": {"short_factor", "long_factor", "attention_factor", "short_mscale", "long_mscale"},
    "llama3": {"low_freq_factor", "high_freq_factor"},
    "dynamic": {"alpha"},
}
RAMPS = {"yarn": ("beta_slow", "beta_fast"), "llama3": ("low_freq_factor", "high_freq_factor")}
TYPES = {"default", "linear", "dynamic", "proportional", "axial", *OWN}
OLD_TYPES = {"su": "longrope", "mrope": "default", "default": "default"}
HEADS = "num_attention_heads"
Asked = Mapping[str, Any]


class Ropes:
    """The rotations of one configuration: `of` has that of a layer.

    Parameters
    ----------
    fields : Configuration
        The fields, with the defaults of their type.
    length : int or None
        The longest text it is meant for.
    said : Said
        Takes notes and warnings.
    """

    def __init__(self, fields: Configuration, length: int | None, said: Said) -> None:
        self.fields, self.length, self.said = fields, length, said
        self.made: dict[str, Rope | None] = {}
        asked = fields.given("rope_scaling") or fields.given("rope_parameters") or {}
        if not isinstance(asked, Mapping):
            raise ValueError(f"rope_scaling must be an object, not {asked!r}")
        self.asked, self.nested = _parted(asked)
        self.default, self.defaults = _parted(fields.entry.get("rope", {}))
        bases = ("rope_theta", "rotary_dim", "qk_rope_head_dim", "layer_rope_theta")
        named = bool(asked) or any(fields.given(name) for name in bases)
        free = not fields.known or "rotates" in fields.traits
        self.given = "rope" in fields.entry or (named and free)

    def of(self, kind: str, place: int) -> Rope | None:
        """The rotation of a layer, the same object for layers that rotate alike."""
        if (asked := self._asked(kind, place)) is None:
            return None
        scaling = self._type(asked)
        head, rotated = self._widths(asked, scaling, kind, place)
        key = f"{asked} {head} {rotated}"
        if key not in self.made:
            self.made[key] = self._make(asked, scaling, head, rotated) if rotated else None
        return self.made[key]

    def _asked(self, kind: str, place: int) -> dict[str, Any] | None:
        """What is asked for in a layer, its base and its share included, or None."""
        fields, windowed, label = self.fields, kind in WINDOWED, kind
        if "main" in self.defaults or "main" in self.nested:  # DeepSeek-V4
            label = "main" if windowed else "compress"
        usual = self.defaults.get(label, {}) if self.defaults else self.default
        asked = self.nested.get(label, {}) if self.nested else self.asked
        local = windowed and bool(self.defaults) and None not in self.defaults.values()
        if local and not self.nested and "scales-all" not in fields.traits:
            asked = {}
        if asked is None or usual is None:
            return None
        outside = fields.given("rope_theta")
        if label == "compress":
            outside = fields.given("compress_rope_theta")
        elif windowed and label == kind and (local or fields.given("local_rope_theta")):
            outside = fields.given("local_rope_theta")
        outside = fields.given("layer_rope_theta") or outside
        inside, found = asked.get("rope_theta"), dict(asked or usual)
        if windowed and label == kind and not self.nested:
            inside = None if fields.given("local_rope_theta") else inside
        if isinstance(outside, list):  # one for each layer
            inside = outside = outside[place]
        if inside and outside and inside != outside:
            self._warn(
                f"rope_theta is {inside:,.0f} in rope_parameters and {outside:,.0f} outside: "
                "transformers takes the first."
            )
        if label == "compress":
            found.setdefault("attention_factor", 1.0)
        found["rope_theta"] = inside or outside or usual.get("rope_theta")
        if not found["rope_theta"]:
            found["rope_theta"] = 10_000.0
            self._warn("No rope_theta is given: 10,000 is the default of transformers.")
        if asked.get("partial_rotary_factor") is None:
            shares, name = fields.given("partial_rotary_factors"), "partial_rotary_factor"
            share = shares[place] if shares else fields.given(name)
            counts = not fields.known or "rotary-dim" in fields.traits
            if share is None and not (counts and fields.given("rotary_dim")):
                share = found.get(name, None if self.nested else usual.get(name))
            found[name] = share
        return found

    def _make(self, asked: Asked, scaling: str, head: int, rotated: int) -> Rope:
        fields, base = self.fields, float(asked["rope_theta"])
        axes = 2 if scaling == "axial" or "axial" in fields.traits else 1
        omega = base ** (-np.arange(0, rotated // axes, 2) / (rotated // axes))
        factor = float(asked.get("factor") or 1.0)
        original = self._original(asked, scaling)
        temperature, long = 1.0, None
        if scaling == "linear":
            omega = omega / factor
        elif scaling == "proportional":
            share = float(asked.get("partial_rotary_factor") or 1.0)
            omega = base ** (-np.arange(0, head, 2) / head) / factor
            omega[int(share * head // 2) :] = 0.0
        elif scaling in ("yarn", "llama3"):
            if not asked.get("factor") and original and self.length:
                factor = self.length / original
            method: Method = "yarn" if scaling == "yarn" else "llama3"
            slow, fast = (asked.get(name) or None for name in RAMPS[method])
            ramp = {"slow": slow, "fast": fast, "truncate": asked.get("truncate", True)}
            omega = scale_frequencies(omega, factor, method, original=original, **ramp)
            temperature = self._yarn_temperature(asked, factor) if method == "yarn" else 1.0
        elif scaling == "longrope":
            factor = float(asked.get("factor") or (self.length or original) / original)
            if factor > 1:
                temperature = math.sqrt(1 + math.log(factor) / math.log(original))
            temperature = asked.get("attention_factor") or temperature
            short, far = self._by_pair(asked, omega.size)
            omega, long = omega / short, omega / far
        elif scaling == "dynamic":
            if alpha := asked.get("alpha"):  # HunYuan's, which does not grow
                larger = base * alpha ** (rotated / (rotated - 2))
                omega = larger ** (-np.arange(0, rotated, 2) / rotated)
                self._note(f"By alpha {alpha:g} its base is {larger:,.0f} at every length.")
            else:
                self._note(
                    f"Beyond {self.length or 0:,} tokens the base grows with the text (dynamic "
                    "NTK), so keys that are kept were rotated with an older base."
                )
        self._compare(scaling, factor, original)
        self._temperatures(asked, factor, original)
        sections = asked.get("mrope_section") or fields.get("mrope_section") or ()
        mixed = "mrope-interleaved" in fields.traits or bool(asked.get("mrope_interleaved"))
        return Rope(
            *(base, omega, head, scaling, factor, float(temperature), original),
            *(tuple(sections), axes, bool(sections) and mixed, long),
        )

    def _original(self, asked: Asked, scaling: str) -> int:
        """The context length before scaling, or 0 if none is given and none is needed."""
        name = "original_max_position_embeddings"
        found = asked.get(name) or self.fields.get(name)
        if found is None and scaling in (*RAMPS, "longrope"):
            if self.length is None:
                raise ValueError(f"rope_scaling of type {scaling} must have {name}")
            self._warn(
                f"{scaling} has no {name}: transformers takes max_position_embeddings for it, "
                "which may be the length after scaling."
            )
            found = self.length
        return 0 if found is None else whole(found, name)

    def _type(self, asked: Asked) -> str:
        """The type of scaling, and what its fields are worth."""
        new, old = asked.get("rope_type"), asked.get("type")
        if old and not new:
            self._warn('The field "type" of rope_scaling is the old name of "rope_type".')
        if old and new and OLD_TYPES.get(old, old) != OLD_TYPES.get(new, new):
            self._warn(f'rope_type is "{new}" and type is "{old}": programs take the first.')
        scaling = OLD_TYPES.get(new or old or "default", new or old or "default")
        if scaling == "yarn" and self.fields.name in ("phi3", "phi4_multimodal"):
            scaling = "longrope"
        if scaling not in TYPES:
            self._warn(f'The type "{scaling}" of scaling is not known here: left unscaled.')
            return "default"
        unread = {*asked} - EVERY - OWN.get(scaling, set())
        if asked.get("attention_factor") == 1:  # which changes nothing
            unread.discard("attention_factor")
        if unread:
            self._warn(f"Not read for {scaling}: {', '.join(sorted(unread))}.")
        return scaling

    def _warn(self, text: str) -> None:
        if text not in self.said.warnings:
            self.said.warnings.append(text)

    def _note(self, text: str) -> None:
        if text not in self.said.notes:
            self.said.notes.append(text)

    def _widths(self, asked: Asked, scaling: str, kind: str, place: int) -> tuple[int, int]:
        """The columns of a head, and how many of them rotate, or 0 if that is not known."""
        fields = self.fields
        own, beside = fields.get("qk_rope_head_dim"), fields.get("qk_nope_head_dim")
        if own and beside:
            own = whole(own, "qk_rope_head_dim")
            return own + int(beside), own
        head = fields.own(place).get("head_dim")
        if kind == "full_attention":
            head = head or fields.given("global_head_dim")
        head = head or fields.entry.get("layer", {}).get(kind, {}).get("head_dim")
        head = head or fields.get("head_dim")
        width = "embed_dim" if fields.get("embed_dim") else "hidden_size"
        if head is None and fields.known and not (fields.get(width) and fields.get(HEADS)):
            return 0, 0
        if head is None:
            head = fields.whole(width, "how wide it is") // fields.whole(HEADS, "how many heads")
        head, share = whole(head, "head_dim"), asked.get("partial_rotary_factor")
        if share is None and (not fields.known or "rotary-dim" in fields.traits):
            own = own or fields.get("rotary_dim")
        if own:
            rotated = whole(own, "rotary_dim")
        else:  # p-RoPE keeps the frequencies of all columns
            rotated = int(head * float(share or 1)) if scaling != "proportional" else head
        if not 2 <= rotated <= head:
            if fields.known:
                return 0, 0
            raise ValueError(f"{rotated} of {head} columns can't rotate in pairs")
        return head, rotated

    def _yarn_temperature(self, asked: Asked, factor: float) -> float:
        if asked.get("attention_factor"):
            return float(asked["attention_factor"])
        first, all_ = asked.get("mscale"), asked.get("mscale_all_dim")
        if first and all_:
            grows = math.log(factor) if factor > 1 else 0.0
            return float((0.1 * first * grows + 1) / (0.1 * all_ * grows + 1))
        if first or all_:
            self._warn("mscale counts only beside mscale_all_dim, and here one of them is missing.")
        return attention_temperature(factor)

    def _temperatures(self, asked: Asked, factor: float, original: int) -> None:
        """Note what scores and queries are multiplied by, apart from the rotations."""
        all_ = asked.get("mscale_all_dim")
        latent = not self.fields.known and self.fields.given("kv_lora_rank")
        if all_ and factor > 1 and ("mscale" in self.fields.traits or latent):
            softmax = (0.1 * all_ * math.log(factor) + 1) ** 2
            self._note(
                f"Scores are multiplied by {softmax:.4g} besides: (0.1 mscale_all_dim "
                f"ln {factor:g} + 1)²."
            )
        if beta := asked.get("llama_4_scaling_beta"):
            self._note(
                f"The query at position t is multiplied by 1 + {beta:g} ln(1 + floor(t / "
                f"{original:,}))."
            )

    def _by_pair(self, asked: Asked, pairs: int) -> list[NDArray[np.float64]]:
        """LongRoPE's factors of short texts, and those that take over beyond `original`."""
        found = []
        for name in ("short_factor", "long_factor"):
            factors = asked.get(name)
            if not isinstance(factors, Sequence) or len(factors) != pairs:
                count = len(factors) if isinstance(factors, Sequence) else factors
                raise ValueError(f"{name} must have {pairs} numbers, one a pair: it has {count}")
            found.append(np.asarray(factors, dtype=np.float64))
        self._note(
            "Frequencies are those for short texts; beyond original_max_position_embeddings "
            "long_factor takes the place of short_factor, for keys that are kept, too."
        )
        return found

    def _compare(self, scaling: str, factor: float, original: int) -> None:
        if scaling == "yarn" and original and self.length and self.length != original:
            ratio = self.length / original
            if not math.isclose(ratio, factor, rel_tol=1e-6):
                self._warn(
                    f"The factor is {factor:g}, but max_position_embeddings is {ratio:g} times "
                    "original_max_position_embeddings: transformers takes the factor."
                )


def _parted(asked: Asked) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is asked for in all layers, and in those of each kind."""
    nested = {
        k: v for k, v in asked.items() if isinstance(v, Mapping) or (v is None and "_att" in k)
    }
    return {k: v for k, v in asked.items() if k not in nested}, nested
