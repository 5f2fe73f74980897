"""What trec_eval prints, in the form in which it prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from veridical.errors import MetricNameError
from veridical.measures import Measure
from veridical.metrics import find

if TYPE_CHECKING:
    from veridical.ranking.evaluation import RankingEvaluation

__all__ = ["ALL", "OFFICIAL", "trec_metrics", "trec_name", "trec_text"]

CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
LEVELS = tuple(f"trec.iprec_at_recall@{level / 10:g}" for level in range(11))


def _at(name: str, cuts: Sequence[int] = CUTS) -> tuple[str, ...]:
    return tuple(f"trec.{name}@{k}" for k in cuts)


OFFICIAL = (
    "trec.num_q", "trec.num_ret", "trec.num_rel", "trec.num_rel_ret", "trec.map", "trec.gm_map",
    "trec.rprec", "trec.bpref", "trec.recip_rank", *LEVELS, *_at("p"),
)  # fmt: skip
"""What trec_eval prints when no measure is named."""

ALL = (
    *OFFICIAL, *_at("recall"), "trec.infap", "trec.gm_bpref", "trec.11pt_avg", "trec.bing",
    "trec.ndcg", "trec.ndcg_rel", "trec.rndcg", *_at("ndcg_cut"), *_at("map_cut"),
    *_at("success", (1, 5, 10)), "trec.set_p", "trec.set_relative_p",
    "trec.set_recall", "trec.set_map", "trec.set_f",
    "trec.num_nonrel_judged_ret", "trec.rbp", "trec.rbp_resid",
)  # fmt: skip
"""What ``-m all_trec`` stands for here."""

_NAMES = {
    "p": "P", "rprec": "Rprec", "infap": "infAP", "bing": "binG", "rndcg": "Rndcg",
    "set_p": "set_P", "set_relative_p": "set_relative_P", "set_f": "set_F",
}  # fmt: skip
_WHOLE = "num_"
_OF_THE_WHOLE_RUN = ("num_q", "gm_map", "gm_bpref")


def trec_metrics(names: Sequence[str] | None) -> list[str]:
    """Return the canonical names of measures as trec_eval's users write them.

    Parameters
    ----------
    names
        ``"map"``, ``"ndcg_cut.10"``, ``"P_5"``, ``"official"``, ``"all_trec"``; None is the
        official set.

    Raises
    ------
    MetricNameError
        A measure is not one of trec_eval's.

    Examples
    --------
    >>> trec_metrics(["ndcg_cut_10", "trec.map"])
    ['trec.ndcg_cut@10', 'trec.map']
    """
    sets = {"official": OFFICIAL, "all_trec": ALL}
    found: list[str] = []
    for name in names or ["official"]:
        if name in sets:
            found += sets[name]
            continue
        measure = find(name if name.startswith(("trec.", "retrieval.")) else f"trec.{name}", ())
        if measure.family != "trec":
            raise MetricNameError(f"{name!r} is no measure of trec_eval", fix="leave --trec out")
        found.append(str(measure))
    return list(dict.fromkeys(found))


def trec_name(measure: Measure) -> str:
    """Return the name that trec_eval prints.

    Examples
    --------
    >>> trec_name(find("trec.iprec_at_recall@0.1")), trec_name(find("trec.P.5"))
    ('iprec_at_recall_0.10', 'P_5')
    """
    name = _NAMES.get(measure.name, measure.name)
    for value in measure.parameters.values():
        name += f"_{value:.2f}" if isinstance(value, float) else f"_{value}"
    return name


def trec_text(ev: RankingEvaluation, *, per_query: bool = False) -> str:
    """Return the lines that trec_eval prints, of one run after the other.

    Parameters
    ----------
    ev
        An evaluation of measures of trec_eval.
    per_query
        Whether to print the lines of every query too, as ``-q`` does.
    """
    return "\n".join(
        line for subject in ev.subjects for line in _lines(ev, subject, per_query=per_query)
    )


def _lines(ev: RankingEvaluation, subject: str, *, per_query: bool) -> Iterator[str]:
    part = ev.subject(subject)
    measures = [find(result.metric) for result in part.results]
    if per_query:
        values = {m: part.query_values(m) for m in measures if m.name not in _OF_THE_WHOLE_RUN}
        first = next(iter(values.values()), None)
        shown = [] if first is None else [at for at, ok in enumerate(first.defined) if ok]
        for at in sorted(shown, key=lambda at: first.ids[at] if first else ""):
            for measure, column in values.items():
                yield _line(measure, column.ids[at], float(column.values[at]))
    yield f"{'runid':<22}\tall\t{_run_id(ev, subject)}"
    for measure, result in zip(measures, part.results, strict=True):
        yield _line(measure, "all", result.value if result.ok else 0.0)


def _line(measure: Measure, query: str, value: float | None) -> str:
    number = f"{value:.0f}" if measure.name.startswith(_WHOLE) else f"{value:.4f}"
    return f"{trec_name(measure):<22}\t{query}\t{number}"


def _run_id(ev: RankingEvaluation, subject: str) -> str:
    """Return the tag, of which trec_eval prints the first word."""
    tag: str = ev.source["runs"][subject]["tag"] or ""
    return (tag.split() or [subject])[0]
