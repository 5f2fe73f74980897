"""Texts ranked by the direction of their vectors, which a small language model gives them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from veridical.embeddings import load_model

__all__ = ["ByMeaning"]


class ByMeaning:
    """Texts that can be searched by meaning; needs the extra ``embeddings`` of veridical.

    Parameters
    ----------
    texts
        What is searched.
    model
        Folder or package of the model; by default the one that is installed.

    Raises
    ------
    MissingExtraError
        The extra or the model is not installed.
    """

    def __init__(self, texts: Sequence[str], model: str | None = None) -> None:
        self._model = load_model(model)
        self._vectors = self._directions(texts)

    def ranked(self, question: str) -> list[int]:
        """Return the places of all texts, the one with the largest cosine first."""
        cosines = self._vectors @ self._directions([question])[0]
        return [int(place) for place in np.argsort(-cosines, kind="stable")]

    def _directions(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        tokens = self._model.tokenised(texts, self._model.folder.sentence_window)
        vectors = self._model.text_vectors(tokens)
        lengths: npt.NDArray[np.float64] = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / lengths
