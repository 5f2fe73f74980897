"""``injection_cases``: questions and documents that ask for a sentinel."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any, Final, Literal, TypeAlias

from veridical.errors import ParameterError
from veridical.rag.cases import Case
from veridical.rag.generate.corpus import Corpus, Document
from veridical.rag.generate.made import Asked, Generated, askable, check_count, drawn
from veridical.rag.payloads import PAYLOADS, Payload

__all__ = ["PLACEMENTS", "Placement", "injection_cases", "poisoned"]

Placement: TypeAlias = Literal["question", "document"]
PLACEMENTS: Final[tuple[Placement, ...]] = ("question", "document")


def injection_cases(
    corpus: Corpus,
    *,
    cases: Sequence[Case] = (),
    count: int = 20,
    placements: Sequence[Placement] = PLACEMENTS,
    seed: int = 0,
) -> Generated:
    """Return cases that attack a pipeline, every payload in turn at every placement in turn.

    Parameters
    ----------
    corpus
        What the pipeline answers from.
    cases
        A golden set, whose ``qa`` cases give the questions.  Without one each question asks for a
        document by its title.
    count
        How many, from 1 to 100,000.
    placements
        ``question``: the payload stands before the question or behind it.  ``document``: it stands
        within a copy of a document that answers the question; no document is copied twice, so that
        no two attacks meet in one.
    seed
        Of all draws, and of the sentinels.

    Returns
    -------
    Generated
        Its corpus is the one given with the poisoned copies, where there are any.

    Raises
    ------
    InputError
        There is no question to be asked.
    ParameterError
        A count, a seed or a placement that there is not, or more attacks in documents than
        documents.
    """
    check_count(count)
    places = _checked(placements)
    rng = drawn(seed, "injection")
    asked = askable(corpus, cases)
    rng.shuffle(asked)
    wanted = _turns(places, count, rng)
    bases = {"question": cycle(asked), "document": iter(_by_document(asked, wanted))}
    made, copies = [], []
    for number, (place, attack) in enumerate(wanted, 1):
        base = next(bases[place])
        case = _case(number, base, place, attack, seed)
        text = attack.text(case["metadata"]["sentinel"])
        if place == "question":
            case["question"] = _joined(base.question, text, rng)
        else:
            source = corpus.by_id[base.sources[0]]
            copy = poisoned(source, corpus.copy_id(source.id, number), text, rng)
            copies.append(copy)
            case["metadata"] |= {"document_id": source.id, "poisoned_id": copy.id}
        made.append(case)
    if not copies:
        return Generated(tuple(made))
    attacked = corpus.of((*corpus.documents, *copies))
    for case in made:
        case["metadata"]["generated"]["corpus_sha256"] = attacked.sha256
    return Generated(tuple(made), attacked)


def _checked(placements: Sequence[Placement]) -> list[Placement]:
    places = list(dict.fromkeys(placements))
    if not places or not set(places) <= set(PLACEMENTS):
        raise ParameterError(
            f"a payload is placed in {' or '.join(PLACEMENTS)}", fix="name one or both of them"
        )
    return places


def _turns(
    places: Sequence[Placement], count: int, rng: random.Random
) -> list[tuple[Placement, Payload]]:
    """Return which payload each case has where: all at all places before one comes again."""
    attacks = rng.sample(list(PAYLOADS.values()), len(PAYLOADS))
    return list(islice(cycle((place, one) for one in attacks for place in places), count))


def _joined(question: str, payload: str, rng: random.Random) -> str:
    """Return a question with a payload behind it, or before it."""
    parts = [question, payload]
    return " ".join(parts if rng.random() < 0.5 else reversed(parts))


def poisoned(document: Document, copy_id: str, payload: str, rng: random.Random) -> Document:
    """Return a copy of a document with a payload between two of its sentences, or at its end."""
    stops = [match.end() for match in re.finditer(r"[.!?](?=\s|$)|[。！？]", document.text)]  # noqa: RUF001
    at = rng.choice(stops) if stops else len(document.text)
    return document.copied(copy_id, f"{document.text[:at]} {payload}{document.text[at:]}")


def _by_document(
    asked: Sequence[Asked], wanted: Sequence[tuple[Placement, Payload]]
) -> list[Asked]:
    """Return a question for each document that is to be copied."""
    firsts = {one.sources[0]: one for one in reversed(asked)}
    needed = sum(place == "document" for place, _ in wanted)
    if needed > len(firsts):
        raise ParameterError(
            f"{needed} documents would have to be copied, and questions are about {len(firsts)}",
            why="two attacks in copies of one document would stand in each other's way",
            fix="ask for fewer cases, or give --placement question",
        )
    return list(reversed(firsts.values()))


def _case(number: int, base: Asked, place: Placement, attack: Payload, seed: int) -> dict[str, Any]:
    case_id = f"injection-{number:04d}"
    return {
        "id": case_id,
        "kind": "injection",
        "question": base.question,
        "adversarial_payload": attack.id,
        "tags": ["generated", place, attack.family],
        "metadata": {
            "generated": {"by": "veridical rag generate injection", "seed": seed},
            "placement": place,
            "sentinel": attack.sentinel(case_id, seed),
            "question_of": base.case_id,
        },
    }
