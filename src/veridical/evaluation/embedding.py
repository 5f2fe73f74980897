"""From texts and a model to what the metrics of embeddings need."""

from __future__ import annotations

import csv
import hashlib
import math
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from veridical.embeddings import (
    EmbeddingModel,
    greedy_matches,
    inverse_document_frequencies,
    load_model,
)
from veridical.embeddings.model import Tokenised
from veridical.errors import FileFormatError, FileMissingError, ParameterError
from veridical.measures import Measure
from veridical.metrics.text_results import SegmentSums
from veridical.overlap.segments import Segments
from veridical.results import Conditions
from veridical.summaries.cosines import Cosines, cosines_of
from veridical.summaries.token_matches import TokenMatches

__all__ = ["Embedder", "Found", "read_baseline"]

LETTERS_AT_ONCE = 1 << 17  # some hundred megabytes of vectors
PLACES = {"bertscore_precision": 0, "bertscore_recall": 1, "bertscore_f1": 2}
HEAD = ["LAYER", "P", "R", "F"]

Floats = npt.NDArray[np.float64]
Baseline = tuple[float, float, float]


class Found(NamedTuple):
    """What a metric is computed from, and under which conditions.

    Attributes
    ----------
    summary
        As the metric takes it.
    n
        How many segments there are.
    added
        What each segment adds; None where that is unknown.
    conditions, notes
        The model and its hash; what was cut.
    """

    summary: Any
    n: int
    added: SegmentSums | None
    conditions: Conditions = Conditions()
    notes: tuple[str, ...] = ()


class Embedder:
    """Embeds candidates and references, by a model that is loaded when a measure asks for it.

    Parameters
    ----------
    segments
        Candidates and their references.
    model
        A folder, an installed package that carries a model, or None.
    baseline
        A file of baselines to rescale BERTScore by, or None.
    """

    def __init__(
        self,
        segments: Segments,
        model: str | os.PathLike[str] | None = None,
        baseline: str | os.PathLike[str] | None = None,
    ) -> None:
        self._segments = segments
        self._named = model
        self._baseline = baseline
        self._scores: dict[tuple[int, str], Floats] = {}
        self._read: dict[int, dict[str, Tokenised]] = {}

    @cached_property
    def _model(self) -> EmbeddingModel:
        return load_model(self._named)

    def found(self, measure: Measure) -> Found:
        """Return what a measure needs to know about the texts.

        Raises
        ------
        MissingExtraError, FileMissingError, FileFormatError
            There is no model, or it cannot be read.
        ParameterError
            There is no such layer, in the model or in the baselines.
        """
        folder = self._model.folder
        settings: dict[str, Any] = {"model_sha256": self._model.sha256}
        if measure.definition.summary is Cosines:
            window = folder.sentence_window
            each = self._cosines(window)
            there = each[~np.isnan(each)]
            summary: Cosines | TokenMatches
            summary = Cosines(tuple(sorted(there.tolist())), len(each) - len(there))
        else:
            window = folder.token_window
            arguments = measure.arguments()
            layer = settings["layer"] = self._model.layer(arguments.get("layer"))  # type: ignore[arg-type]
            scores = self._matches(window, layer, str(arguments["idf"]))
            if self._baseline is not None:
                scores, settings["baseline_sha256"] = _rescaled(scores, layer, self._baseline)
            summary, each = TokenMatches.from_scores(scores), scores[:, PLACES[measure.name]]
        observed: dict[str, Any] = {"model": folder.name, "window": window}
        cut = sum(text.cut for text in self._tokens(window).values())
        if cut:
            observed["texts_cut"] = cut
        notes = ("texts_cut",) if cut else ()
        added = SegmentSums(each[:, np.newaxis])
        return Found(summary, len(each), added, Conditions(settings, observed), notes)

    def _tokens(self, window: int) -> dict[str, Tokenised]:
        """Return each distinct text as the model reads it."""
        if window not in self._read:
            texts = list(dict.fromkeys([*self._segments.candidates, *self._segments.references]))
            read = self._model.tokenised(texts, window)
            self._read[window] = dict(zip(texts, read, strict=True))
        return self._read[window]

    def _cosines(self, window: int) -> Floats:
        """Return the largest cosine of each candidate with a reference of its own."""
        tokens, segments = self._tokens(window), self._segments
        place = {text: at for at, text in enumerate(tokens)}
        vectors = self._model.text_vectors(list(tokens.values()))
        candidates = np.repeat([place[text] for text in segments.candidates], segments.times)
        references = np.array([place[text] for text in segments.references], dtype=np.int64)
        cosines = cosines_of(vectors[candidates], vectors[references])
        empty = np.array([not text.own.any() for text in tokens.values()])
        cosines[empty[candidates] | empty[references]] = 0.0
        return _best(cosines, segments)

    def _matches(self, window: int, layer: int, idf: str) -> Floats:
        """Return precision, recall and F1 of each candidate, shape (segments, 3)."""
        if (layer, idf) not in self._scores:
            tokens = self._tokens(window)
            weights = None
            if idf == "yes":
                documents = [tokens[text].ids for text in self._segments.references]
                weights = inverse_document_frequencies(documents)
            unseen = math.log(len(self._segments.references) + 1)
            parts = [
                self._matches_of(part, tokens, layer, weights, unseen)
                for part in self._segments.parts(LETTERS_AT_ONCE)
            ]
            self._scores[layer, idf] = np.concatenate(parts)
        return self._scores[layer, idf]

    def _matches_of(
        self,
        part: Segments,
        tokens: Mapping[str, Tokenised],
        layer: int,
        weights: Mapping[int, float] | None,
        unseen: float,
    ) -> Floats:
        texts = list(dict.fromkeys([*part.candidates, *part.references]))
        states = self._model.token_vectors([tokens[text] for text in texts], layer)
        vectors = dict(zip(texts, states, strict=True))

        def weight(text: str) -> Floats:
            own = tokens[text].own.astype(np.float64)
            if weights is None:
                return own
            return own * [weights.get(one, unseen) for one in tokens[text].ids]

        candidates = [part.candidates[at] for at in np.repeat(np.arange(len(part)), part.times)]
        scores = [
            greedy_matches(vectors[one], vectors[other], weight(one), weight(other))
            if tokens[one].own.any() and tokens[other].own.any()
            else (0.0, 0.0, 0.0)
            for one, other in zip(candidates, part.references, strict=True)
        ]
        return _best(np.array(scores), part)


def _best(values: Floats, segments: Segments) -> Floats:
    """Return the largest value over the references of each segment; NaN only if all are."""
    best: Floats = np.fmax.reduceat(values, segments.first[:-1], axis=0)
    return best


def _rescaled(scores: Floats, layer: int, file: str | os.PathLike[str]) -> tuple[Floats, str]:
    """Return (x - b)/(1 - b) and the hash of the file of baselines."""
    found, sha256 = read_baseline(file)
    if layer not in found:
        raise ParameterError(
            f"there is no baseline of layer {layer}",
            where=os.fspath(file),
            fix=f"give layer= one of: {', '.join(map(str, sorted(found)))}",
        )
    of_layer = np.array(found[layer])
    return (scores - of_layer) / (1 - of_layer), sha256


def read_baseline(file: str | os.PathLike[str]) -> tuple[dict[int, Baseline], str]:
    """Return the baselines of each layer and the hash of their file.

    Parameters
    ----------
    file
        CSV with the head ``LAYER,P,R,F``, one layer a line, as bert-score's own tables are.

    Raises
    ------
    FileMissingError, FileFormatError
        There is no such file, or it is no such table.
    """
    path = Path(file)
    if not path.is_file():
        raise FileMissingError(f"there is no file {os.fspath(file)!r}", fix="check the path")
    data = path.read_bytes()
    try:
        head, *lines = [line for line in csv.reader(data.decode("utf-8").splitlines()) if line]
    except (ValueError, csv.Error):
        head, lines = [], []
    found: dict[int, Baseline] = {}
    for number, line in enumerate(lines, 2):
        try:
            layer, (p, r, f) = int(line[0]), map(float, line[1:])
        except ValueError:
            layer, p, r, f = -1, math.nan, math.nan, math.nan
        if layer < 0 or layer in found or not all(abs(x) < 1 for x in (p, r, f)):
            raise FileFormatError(
                "this is no baseline of a layer: a number, and three below 1",
                where=f"{os.fspath(file)}:{number}",
                fix="write lines like 9,0.31,0.31,0.31, each layer once",
            )
        found[layer] = (p, r, f)
    if [name.strip() for name in head] != HEAD or not found:
        raise FileFormatError(
            "a table of baselines begins with LAYER,P,R,F",
            where=f"{os.fspath(file)}:1",
            fix="give the table of the same model",
        )
    return found, hashlib.sha256(data).hexdigest()
