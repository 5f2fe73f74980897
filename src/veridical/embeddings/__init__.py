"""Vectors of tokens and texts, from a model that lies on this machine; none is ever fetched."""

from veridical.embeddings.folder import DEFAULT_PACKAGE, find_model
from veridical.embeddings.matching import greedy_matches, inverse_document_frequencies
from veridical.embeddings.model import EmbeddingModel, load_model

__all__ = [
    "DEFAULT_PACKAGE",
    "EmbeddingModel",
    "find_model",
    "greedy_matches",
    "inverse_document_frequencies",
    "load_model",
]
