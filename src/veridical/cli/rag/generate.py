"""``veridical rag generate``: cases that nobody had to write."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from cyclopts import Group, Parameter

from veridical.cli.options import DATA, OUTPUT, Json
from veridical.cli.output import emit, emit_json, talk
from veridical.errors import ParameterError
from veridical.exit_codes import BUDGET, SERVICE, UNDECIDED

if TYPE_CHECKING:
    from veridical.rag.cases import Case
    from veridical.rag.generate import Corpus, Generated
    from veridical.rag.generate.draft import Draft

__all__ = ["generate"]

Kind: TypeAlias = Literal["injection", "unanswerable", "draft"]
Placed: TypeAlias = Literal["question", "document"]

_WHAT = Group("What to make", sort_key=2)
_USUAL_COUNTS: Final = {"injection": 20, "unanswerable": 10, "draft": 40}


def generate(
    kind: Annotated[
        Kind,
        Parameter(
            help="injection: attacks with a sentinel; unanswerable: questions whose documents are "
            "held out; draft: questions and answers that the judge's model writes, to be checked."
        ),
    ],
    /,
    *,
    corpus: Annotated[
        Path,
        Parameter(
            group=DATA, help="Documents: JSON lines with id and text, or a folder of .md and .txt."
        ),
    ],
    output: Annotated[
        Path,
        Parameter(
            name=["--output", "-o"],
            group=OUTPUT,
            help="The file of cases; a changed corpus goes beside it, as NAME.corpus.jsonl, or as "
            "the folder NAME.corpus.",
        ),
    ],
    cases: Annotated[
        Path | None,
        Parameter(
            group=DATA, help="Cases whose questions are taken; by default titles are asked for."
        ),
    ] = None,
    count: Annotated[int | None, Parameter(group=_WHAT, help="How many cases.")] = None,
    placement: Annotated[
        list[Placed] | None,
        Parameter(
            group=_WHAT,
            help="Of injection: where the attacks stand; repeat it. By default in both.",
        ),
    ] = None,
    seed: Annotated[int, Parameter(group=_WHAT, help="Determines every random draw.")] = 0,
    config: Annotated[
        Path | None,
        Parameter(
            group=_WHAT,
            help="Of draft: the configuration that names the model; by default veridical.yaml "
            "where there is one.",
        ),
    ] = None,
    force: Annotated[
        bool,
        Parameter(group=OUTPUT, show_default=False, help="Replace a file of cases that is there."),
    ] = False,
    json: Json = False,
) -> int:
    """Make cases from a corpus, each marked as generated; the same seed makes the same bytes."""
    _check_options(kind, placement=placement, cases=cases, config=config)
    from veridical.rag.dataset import read_cases
    from veridical.rag.generate import check_output, read_corpus, write_generated

    documents = read_corpus(corpus)
    check_output(output, documents, [corpus, *([cases] if cases else [])], force=force)
    number = _USUAL_COUNTS[kind] if count is None else count
    draft = None
    if kind == "draft":
        from veridical.cli.rag.drafting import drafted

        draft = drafted(documents, config, number, seed)
        made = draft.made
    else:
        golden = [] if cases is None else read_cases(cases)
        made = _drawn(kind, documents, golden, number, placement, seed)
    written = write_generated(made, output) if made.cases else []
    if json:
        emit_json(_document(kind, made, written, draft))
    else:
        emit("\n".join(_lines(made, written)))
    return 0 if draft is None else _ended(draft)


def _check_options(kind: Kind, **given: object) -> None:
    belongs = {
        "placement": ["injection"],
        "cases": ["injection", "unanswerable"],
        "config": ["draft"],
    }
    for name, kinds in belongs.items():
        if given[name] is not None and kind not in kinds:
            raise ParameterError(f"--{name} is for {' and '.join(kinds)}", fix="remove it")


def _drawn(
    kind: Kind,
    documents: Corpus,
    golden: list[Case],
    count: int,
    placement: list[Placed] | None,
    seed: int,
) -> Generated:
    from veridical.rag.generate import injection_cases, unanswerable_cases
    from veridical.rag.generate.injection import PLACEMENTS

    if kind == "unanswerable":
        return unanswerable_cases(documents, cases=golden, count=count, seed=seed)
    places = placement or PLACEMENTS
    return injection_cases(documents, cases=golden, count=count, placements=places, seed=seed)


def _ended(draft: Draft) -> int:
    """Say which documents have no draft, and return the exit code."""
    for why, n in Counter(draft.left_out.values()).most_common():
        ids = [ascii(one)[1:-1][:40] for one, reason in draft.left_out.items() if reason == why]
        talk(f"without a draft: {n:,}, {why}: {', '.join(ids[:3])}{', ...' if n > 3 else ''}")
    if draft.cause:
        talk(f"cause: {draft.cause}")
    if draft.ended:
        return BUDGET if draft.ended == "budget" else SERVICE
    if draft.made.cases:
        return 0
    return SERVICE if draft.cause else UNDECIDED


def _document(
    kind: Kind, made: Generated, written: list[Path], draft: Draft | None
) -> dict[str, Any]:
    told = {} if draft is None else {"left_out": draft.left_out, "usage": asdict(draft.usage)}
    return {
        "schema": "veridical.rag_generate/1",
        "kind": kind,
        "n": len(made.cases),
        "corpus_sha256": None if made.corpus is None else made.corpus.sha256,
        "written": [str(one) for one in written],
        **told,
    }


def _lines(made: Generated, written: list[Path]) -> list[str]:
    if not written:
        return ["no case was made, and nothing is written"]
    lines = [f"{written[-1]}: {len(made.cases):,} cases"]
    if made.corpus is not None:
        n = len(made.corpus.documents)
        lines.append(f"{written[0]}: {n:,} documents, for the pipeline to answer them from")
    return lines
