"""``EmbeddingModel``: texts to vectors, with a name and a hash."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from veridical.embeddings.encoder import Encoder
from veridical.embeddings.folder import ModelFolder, find_model, read_model_folder
from veridical.errors import FileFormatError, MissingExtraError, ParameterError
from veridical.extras import install_command

__all__ = ["EmbeddingModel", "Tokenised", "load_model"]

TOKENS_AT_ONCE = 4096

Floats = npt.NDArray[np.float32]


class Tokenised(NamedTuple):
    """One text as a model reads it.

    Attributes
    ----------
    ids
        Numbers of its tokens, those that every text begins and ends with among them.
    own
        bool, shape (tokens,): whether it is a token of the text, and none of these.
    cut
        Whether the text went on beyond the window.
    """

    ids: tuple[int, ...]
    own: npt.NDArray[np.bool_]
    cut: bool


class EmbeddingModel:
    """A model in a folder of this machine.

    Attributes
    ----------
    folder
        What the folder says about it.
    sha256
        Hash of its weights, tokeniser and configuration.
    """

    def __init__(self, folder: ModelFolder) -> None:
        self.folder = folder

    @cached_property
    def sha256(self) -> str:
        """Hash of the files that decide what comes out."""
        hashed = hashlib.sha256()
        for name in ("config.json", "tokenizer.json", "model.safetensors"):
            with (self.folder.path / name).open("rb") as file:
                hashed.update(hashlib.file_digest(file, "sha256").digest())
        hashed.update(f"{self.folder.pooling} {self.folder.sentence_window}".encode())
        return hashed.hexdigest()

    @cached_property
    def _tokeniser(self) -> Any:
        tokenizers = _imported("tokenizers")
        try:
            tokeniser = tokenizers.Tokenizer.from_file(str(self.folder.path / "tokenizer.json"))
        except Exception as error:  # whatever the library raises, it is a bare Exception
            raise self._damaged("tokenizer.json", error) from error
        tokeniser.no_padding()
        return tokeniser

    @cached_property
    def _encoder(self) -> Encoder:
        safetensors = _imported("safetensors.numpy")
        try:
            weights = safetensors.load_file(self.folder.path / "model.safetensors")
        except Exception as error:  # the same
            raise self._damaged("model.safetensors", error) from error
        return Encoder(weights, self.folder.architecture)

    def _damaged(self, file: str, error: Exception) -> FileFormatError:
        return FileFormatError(
            f"{file} of the model {self.folder.name!r} cannot be read: {error}",
            where=str(self.folder.path),
            fix="save the model again",
        )

    def tokenised(self, texts: Sequence[str], window: int) -> list[Tokenised]:
        """Return texts as tokens, of which no more than ``window`` each."""
        plain = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        self._tokeniser.enable_truncation(window)
        return [
            Tokenised(
                tuple(one.ids),
                np.array(one.special_tokens_mask, dtype=np.int64) == 0,
                bool(one.overflowing),
            )
            for one in self._tokeniser.encode_batch(plain)
        ]

    def token_vectors(self, texts: Sequence[Tokenised], layer: int) -> list[Floats]:
        """Return the vectors of the tokens of each text, shape (tokens, dimensions)."""
        vectors: list[Floats] = [np.zeros((0, 0), np.float32)] * len(texts)
        for part in _of_one_length(texts):
            ids = np.array([texts[at].ids for at in part], dtype=np.int64)
            for at, states in zip(part, self._encoder.states(ids, layer), strict=True):
                vectors[at] = states
        return vectors

    def text_vectors(self, texts: Sequence[Tokenised]) -> npt.NDArray[np.float64]:
        """Return one vector a text, shape (texts, dimensions)."""
        pool, layers = _POOLED[self.folder.pooling], self.folder.architecture.layers
        vectors: list[Floats] = [np.zeros(0, np.float32)] * len(texts)
        for part in _of_one_length(texts):
            ids = np.array([texts[at].ids for at in part], dtype=np.int64)
            for at, states in zip(part, self._encoder.states(ids, layers), strict=True):
                vectors[at] = pool(states)
        return np.array(vectors, dtype=np.float64)

    def layer(self, wanted: int | None) -> int:
        """Return a layer that there is; by default the last one."""
        layers = self.folder.architecture.layers
        if wanted is None:
            return layers
        if wanted > layers:
            raise ParameterError(
                f"there is no layer {wanted} in the model {self.folder.name!r}",
                fix=f"give a layer from 0 to {layers}",
            )
        return wanted


def load_model(name: str | os.PathLike[str] | None = None) -> EmbeddingModel:
    """Return a model on this machine; see ``find_model``.

    Raises
    ------
    MissingExtraError
        The extra ``embeddings`` is not installed, or no model is named and none is there.
    FileMissingError, FileFormatError
        There is no such model, or it is not one that is read here.
    """
    for library in ("safetensors", "tokenizers"):
        _imported(library)
    found, path = find_model(name)
    stamps = tuple(file.stat().st_mtime_ns for file in sorted(path.iterdir()))
    return _loaded(found, path.resolve(), stamps)


@lru_cache(maxsize=1)
def _loaded(name: str, path: Path, stamps: tuple[int, ...]) -> EmbeddingModel:  # noqa: ARG001 - a changed file is another model
    return EmbeddingModel(read_model_folder(name, path))


def _imported(library: str) -> Any:
    try:
        return import_module(library)
    except ImportError as error:
        raise MissingExtraError(
            f"{library.partition('.')[0]} is not installed, and embedding texts needs it",
            fix=install_command("embeddings"),
        ) from error


def _of_one_length(texts: Sequence[Tokenised]) -> Iterator[list[int]]:
    """Yield the places of texts of one length, a few at a time: nothing needs padding."""
    places: dict[int, list[int]] = {}
    for at, text in enumerate(texts):
        places.setdefault(len(text.ids), []).append(at)
    for length, those in sorted(places.items()):
        size = max(1, TOKENS_AT_ONCE // max(length, 1))
        for start in range(0, len(those), size):
            yield those[start : start + size]


_POOLED: dict[str, Callable[[Floats], Floats]] = {
    "cls": lambda states: states[0],
    "max": lambda states: states.max(axis=0),
    "mean": lambda states: states.mean(axis=0),
}
