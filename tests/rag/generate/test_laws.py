"""Whatever the corpus and the seed: generated cases are cases, and what they say of it holds."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import assume, given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.rag.cases import Case
from veridical.rag.dataset import read_dataset
from veridical.rag.generate import (
    Corpus,
    Document,
    injection_cases,
    read_corpus,
    unanswerable_cases,
    write_generated,
)
from veridical.rag.payloads import PAYLOADS

TEXTS = st.text(st.characters(codec=None), max_size=40) | st.sampled_from(["One. Two.", "{x} é"])
IDS = st.text(min_size=1, max_size=8).filter(str.strip)
SEEDS = st.integers(0, 2**63 - 1)


@st.composite
def corpora(draw):
    """A corpus of a few documents with any texts and titles."""
    ids = draw(st.lists(IDS, min_size=2, max_size=8, unique=True))
    return Corpus(
        tuple(
            Document(id_, text, title, {"id": id_, "text": text, "title": title})
            for id_, text, title in ((one, draw(TEXTS), draw(TEXTS)) for one in ids)
        )
    )


@st.composite
def golden_sets(draw, corpus):
    """No golden set, or one whose cases name documents of the corpus."""
    ids = [one.id for one in corpus.documents]
    chosen = draw(st.lists(st.lists(st.sampled_from(ids), min_size=1, max_size=3), max_size=4))
    return [
        Case(id=f"q{n}", question=f"What is {n}?", expected_sources=dict.fromkeys(one, 1.0))
        for n, one in enumerate(chosen)
    ]


def written(made):
    """The dataset and the corpus that are read back from what is written."""
    with tempfile.TemporaryDirectory() as folder:
        *beside, path = write_generated(made, Path(folder, "made.jsonl"))
        return read_dataset(path), *map(read_corpus, beside)


@given(st.data(), corpora(), SEEDS, st.integers(1, 25))
def test_attacks(data, corpus, seed, count):
    golden = data.draw(golden_sets(corpus))
    try:
        made = injection_cases(corpus, cases=golden, count=count, seed=seed)
    except InputError:  # nothing can be asked for
        assume(False)
    except ValueError:  # more attacks than documents
        assert count > 1
        made = injection_cases(corpus, cases=golden, count=count, placements=["question"])
    dataset, *beside = written(made)
    assert len(dataset.cases) == count
    assert beside == ([made.corpus] if made.corpus is not None else [])
    for case in dataset.cases:
        sentinel = case.metadata["sentinel"]
        copy = case.metadata.get("poisoned_id")
        place = case.question if copy is None else made.corpus.by_id[copy].text
        assert PAYLOADS[case.adversarial_payload].text(sentinel) in place
    sentinels = [case.metadata["sentinel"] for case in dataset.cases]
    assert len(set(sentinels)) == count


@given(st.data(), corpora(), SEEDS)
def test_questions_without_an_answer(data, corpus, seed):
    golden = data.draw(golden_sets(corpus))
    try:
        made = unanswerable_cases(corpus, cases=golden, count=1, seed=seed)
    except ValueError:  # nothing can be asked for, or nothing would be left
        assume(False)
    dataset, reduced = written(made)
    [case] = dataset.cases
    assert reduced == made.corpus
    assert not {one.id for one in reduced.documents} & set(case.metadata["held_out"])
    kept = {one.text for one in reduced.documents}
    assert not kept & {corpus.by_id[id_].text for id_ in case.metadata["held_out"]} - {""}
    assert case.metadata["generated"]["corpus_sha256"] == reduced.sha256
    assert made == unanswerable_cases(corpus, cases=golden, count=1, seed=seed)
