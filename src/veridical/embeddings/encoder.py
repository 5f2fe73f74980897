"""The forward pass of a BERT in numpy: few enough lines to be read, and no framework to install."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from veridical.embeddings.folder import Architecture
from veridical.errors import FileFormatError

__all__ = ["Encoder"]

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]


class Encoder:
    """A stack of layers that turn tokens into vectors, in float32.

    Parameters
    ----------
    weights
        By name, as the model's own library writes them.
    shape
        How they belong together.

    Raises
    ------
    FileFormatError
        A weight is missing.
    """

    def __init__(self, weights: Mapping[str, npt.NDArray[np.generic]], shape: Architecture) -> None:
        end = "embeddings.word_embeddings.weight"
        first = next((name for name in weights if name.endswith(end)), end)
        self._prefix = first.removesuffix(end)
        self._weights = {
            name: np.asarray(array, dtype=np.float32) for name, array in weights.items()
        }
        self._shape = shape
        for name in self._names():
            if self._prefix + name not in weights:
                raise FileFormatError(f"the weight {name} is missing", fix="save the model again")

    def _names(self) -> Iterator[str]:
        for kind in ("word", "position", "token_type"):
            yield f"embeddings.{kind}_embeddings.weight"
        parts = ["embeddings.LayerNorm"]
        for at in range(self._shape.layers):
            parts += [f"encoder.layer.{at}.{part}" for part in _PARTS]
        for part in parts:
            yield from (f"{part}.weight", f"{part}.bias")

    def states(self, ids: Ids, layer: int) -> Floats:
        """Return the vectors of tokens after some layers, shape (texts, tokens, dimensions).

        Parameters
        ----------
        ids
            Numbers of tokens, shape (texts, tokens): all texts are of one length.
        layer
            How many layers to go through; 0 gives the embeddings that they begin with.
        """
        start = self._shape.first_position
        x = self._weight("embeddings.word_embeddings")[ids]
        x = x + self._weight("embeddings.token_type_embeddings")[0]
        x = x + self._weight("embeddings.position_embeddings")[start : start + ids.shape[1]]
        x = self._normal(x, "embeddings.LayerNorm")
        for at in range(layer):
            name = f"encoder.layer.{at}"
            met = self._linear(self._attention(x, f"{name}.attention.self"), f"{name}.{_PARTS[3]}")
            x = self._normal(x + met, f"{name}.{_PARTS[4]}")
            wide = _gelu(self._linear(x, f"{name}.{_PARTS[5]}"))
            x = self._normal(x + self._linear(wide, f"{name}.{_PARTS[6]}"), f"{name}.{_PARTS[7]}")
        return x

    def _attention(self, x: Floats, name: str) -> Floats:
        texts, tokens, dimensions = x.shape
        heads = self._shape.heads

        def split(part: str) -> Floats:
            rows = self._linear(x, f"{name}.{part}").reshape(texts, tokens, heads, -1)
            return np.swapaxes(rows, 1, 2)

        query, key, value = (split(part) for part in ("query", "key", "value"))
        likeness = query @ np.swapaxes(key, 2, 3) / np.float32(math.sqrt(dimensions / heads))
        share = np.exp(likeness - likeness.max(axis=-1, keepdims=True))
        share /= share.sum(axis=-1, keepdims=True)
        met: Floats = np.swapaxes(share @ value, 1, 2).reshape(texts, tokens, dimensions)
        return met

    def _linear(self, x: Floats, name: str) -> Floats:
        flat = x.reshape(-1, x.shape[-1]) @ self._weight(name).T + self._weight(name, "bias")
        rows: Floats = flat.reshape(*x.shape[:-1], -1)
        return rows

    def _normal(self, x: Floats, name: str) -> Floats:
        centred = x - x.mean(axis=-1, keepdims=True)
        variance = (centred**2).mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(variance + np.float32(self._shape.epsilon))
        normal: Floats = scaled * self._weight(name) + self._weight(name, "bias")
        return normal

    def _weight(self, name: str, kind: str = "weight") -> Floats:
        return self._weights[f"{self._prefix}{name}.{kind}"]


_PARTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
)


def _gelu(x: Floats) -> Floats:
    from scipy.special import erf

    grown: Floats = x * (1 + erf(x * np.float32(math.sqrt(0.5)))) / 2
    return grown
