"""``unanswerable_cases``: questions whose documents are held out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veridical.errors import ParameterError
from veridical.rag.cases import Case
from veridical.rag.generate.corpus import Corpus, Document
from veridical.rag.generate.made import Asked, Generated, askable, check_count, drawn

__all__ = ["unanswerable_cases"]


def unanswerable_cases(
    corpus: Corpus, *, cases: Sequence[Case] = (), count: int = 10, seed: int = 0
) -> Generated:
    """Return questions that the reduced corpus does not answer, and that corpus.

    Parameters
    ----------
    corpus
        What the pipeline answers from.
    cases
        A golden set: its ``qa`` cases are drawn from, and the sources of each drawn one are held
        out.  Without one documents are drawn, and each question asks for one by its title.
    count
        How many.
    seed
        Of all draws.

    Returns
    -------
    Generated
        Its corpus is the one given without what is held out, and without documents that say the
        same to the letter; its hash stands in each case.  Whether another document happens to
        answer as well nobody has checked: ``metadata.generated.unchecked`` says so.

    Raises
    ------
    InputError
        There is no question to be asked.
    ParameterError
        There are not that many questions, or no document would be left.
    """
    check_count(count)
    rng = drawn(seed, "unanswerable")
    asked = askable(corpus, cases)
    if count > len(asked):
        raise ParameterError(
            f"there are {len(asked)} questions with documents to hold out, not {count}",
            fix=f"ask for {len(asked)} at most, or give a larger dataset",
        )
    chosen = rng.sample(asked, count)
    reduced = _without(corpus, {source for one in chosen for source in one.sources})
    if not reduced.documents:
        raise ParameterError(
            "no document would be left", why="all are held out", fix="ask for fewer cases"
        )
    made = (_case(number, one, reduced, seed) for number, one in enumerate(chosen, 1))
    return Generated(tuple(made), reduced)


def _without(corpus: Corpus, held_out: set[str]) -> Corpus:
    """Return the corpus without documents, and without others that say the same."""
    texts = {_folded(corpus.by_id[one]) for one in held_out} - {""}
    return corpus.of(
        one for one in corpus.documents if one.id not in held_out and _folded(one) not in texts
    )


def _folded(document: Document) -> str:
    return " ".join(document.text.casefold().split())


def _case(number: int, asked: Asked, reduced: Corpus, seed: int) -> dict[str, Any]:
    return {
        "id": f"unanswerable-{number:04d}",
        "kind": "unanswerable",
        "question": asked.question,
        "tags": ["generated"],
        "metadata": {
            "generated": {
                "by": "veridical rag generate unanswerable",
                "seed": seed,
                "corpus_sha256": reduced.sha256,
                "unchecked": "whether another document answers too",
            },
            "held_out": list(asked.sources),
            "question_of": asked.case_id,
        },
    }
