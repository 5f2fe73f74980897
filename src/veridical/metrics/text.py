"""The family ``text``: how much of its wording a text shares with references, not its truth."""

from veridical.metrics.text_embedding import (
    bertscore_f1,
    bertscore_precision,
    bertscore_recall,
    embedding_cosine,
)
from veridical.metrics.text_rouge import rouge_1, rouge_2, rouge_l, rouge_lsum
from veridical.metrics.text_translation import bleu, chrf, corpus_bleu, ter

__all__ = [
    "bertscore_f1",
    "bertscore_precision",
    "bertscore_recall",
    "bleu",
    "chrf",
    "corpus_bleu",
    "embedding_cosine",
    "rouge_1",
    "rouge_2",
    "rouge_l",
    "rouge_lsum",
    "ter",
]
