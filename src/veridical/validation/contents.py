"""``document_of``: everything that a validation report says, in reading order."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from veridical import __version__
from veridical.metrics import find
from veridical.policy import PolicyVerdict
from veridical.policy.parts import shows_skill
from veridical.policy.verdict import PolicyRow
from veridical.regulation import CAUTION, Evidence, Instrument, load_regulations
from veridical.report.display import count_text
from veridical.report.judgements import band_notes, judgements
from veridical.validation.compared_sections import (
    benchmark_section,
    fairness_section,
    stability_section,
)
from veridical.validation.document import (
    Block,
    Bullets,
    Document,
    Paragraph,
    Section,
    Signatures,
    Table,
    legible,
)
from veridical.validation.limits import FEW, Noted
from veridical.validation.result_tables import interval_text, share_text, value_text
from veridical.validation.score_sections import score_sections
from veridical.validation.since_section import since_section

if TYPE_CHECKING:
    from veridical.evaluation import Evaluation
    from veridical.validation.model_validation import Validation

__all__ = ["OVERALL", "document_of"]

OVERALL = {
    "met": "Every rule of every policy is met, and at least one that a forecast without skill "
    "would fail.",
    "not met": "At least one rule is not met.",
    "undecided": "No rule is broken, and that is not enough: a rule is undecided, skipped or "
    "vacuous, or none of them asks for skill.",
}
"""What each verdict means."""


def document_of(validation: Validation) -> Document:
    """Return the content of the report.

    Parameters
    ----------
    validation
        What was measured.
    """
    file = validation.description.file
    document = Document(
        title=f"Validation of {file.name} {file.version}",
        facts=(
            ("Verdict", validation.verdict),
            ("Model", f"{file.name} {file.version}"),
            ("Owner", " ".join(file.owner.split())),
            ("Date", validation.date.isoformat()),
            ("Made with", f"veridical {__version__}, python {platform.python_version()}"),
            ("Seed", str(validation.out_of_time.settings.seed)),
            ("Intervals", f"{100 * validation.out_of_time.settings.level:g}%"),
        ),
        sections=(
            _purpose(validation),
            *score_sections(validation),
            stability_section(validation),
            fairness_section(validation),
            benchmark_section(validation),
            *(() if validation.since is None else (since_section(validation.since),)),
            _limits(validation),
            _verdicts(validation),
            _sign_off(),
        ),
    )
    checked: Document = legible(document)
    return checked


def _paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a free text, each on one line."""
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def _purpose(validation: Validation) -> Section:
    return Section(
        "purpose",
        "Purpose and data",
        "Purpose and data",
        (
            *map(Paragraph, _paragraphs(validation.description.file.purpose)),
            _samples(validation),
            _roles(validation),
        ),
    )


def _samples(validation: Validation) -> Table:
    data = validation.description.data
    return Table(
        "Samples",
        ("Sample", "File", "Rows", "Left out", "Events", "Prevalence"),
        (
            _sample("development", data.development, validation.development, validation.row_level),
            _sample("out-of-time", data.out_of_time, validation.out_of_time, validation.row_level),
        ),
        frozenset({2, 3, 4, 5}),
    )


def _sample(name: str, path: str, ev: Evaluation, level: float | None) -> tuple[str, ...]:
    source, n, events = ev.source, int(ev.source["n_rows"]), int(ev.source["n_positive"])
    return (
        name,
        PurePath(path).name,
        count_text(n),
        count_text(source["n_skipped"]),
        count_text(events),
        share_text(events, n, level),
    )


def _roles(validation: Validation) -> Table:
    data, costs = validation.description.data, validation.description.costs
    threshold = validation.threshold
    favourable = {0: "not to be flagged", 1: "to be flagged", None: ""}[data.favourable]
    told = {
        "Outcome": data.label,
        "Event": "" if data.positive is None else str(data.positive),
        "Score": data.score,
        "Champion": data.champion or "none",
        "Groups": ", ".join(data.groups) or "none",
        "Proxies": ", ".join(data.proxies) or "none",
        "Weight": data.weight or "",
        "Cluster": data.cluster or "",
        "Favourable": favourable,
        "Features": ", ".join(data.features) or "none",
        "Threshold": f"none: {validation.threshold_from}"
        if threshold is None
        else f"{threshold!r}, from {validation.threshold_from}",
        "Prices": "none"
        if costs is None
        else ", ".join(f"{name} {price}" for name, price in costs.to_dict().items()),
        "Development sha256": str(validation.development.source["sha256"]),
        "Out-of-time sha256": str(validation.out_of_time.source["sha256"]),
    } | {f"Policy {one.name} {one.version} sha256": one.sha256 for one in validation.verdicts}
    return Table(
        "What is what", ("Part", "Is"), tuple((part, said) for part, said in told.items() if said)
    )


def _limits(validation: Validation) -> Section:
    limits = validation.limits
    blocks: list[Block] = []
    for title, texts in (
        ("Stated by the owner of the model.", tuple(" ".join(t.split()) for t in limits.stated)),
        ("Parts that were not measured.", limits.absent),
        ("On the data, and how they were measured.", limits.remarks),
    ):
        if texts:
            blocks += [Paragraph(title), Bullets(texts)]
    for title, head, noted in (
        ("Rules that say nothing on these data", "Vacuous rule", limits.vacuous),
        (f"Numbers that rest on fewer than {FEW} units", "How many", limits.few),
        ("Notes beside numbers", "Note", limits.noted),
    ):
        if noted:
            blocks.append(_noted(title, head, noted))
    if limits.skipped:
        blocks.append(
            Table(
                "What was skipped, and why",
                ("Metric", "Reason", "Because", "Fix", "Where"),
                tuple(
                    (one.metric, str(one.reason), one.detail, one.reason.fix, "; ".join(one.places))
                    for one in limits.skipped
                ),
            )
        )
    else:
        blocks.append(Paragraph("No number was skipped."))
    return Section("limits", "Limits", "Limitations", tuple(blocks))


def _noted(title: str, head: str, noted: Sequence[Noted]) -> Table:
    rows = tuple((one.sentence, "; ".join(one.places)) for one in noted)
    return Table(title, (head, "Where"), rows)


def _verdicts(validation: Validation) -> Section:
    blocks: list[Block] = [
        Paragraph(f"Overall: {validation.verdict}. {OVERALL[validation.verdict]}"),
    ]
    for verdict in validation.verdicts:
        blocks += _policy(verdict)
    blocks += [
        Paragraph(
            "A rule is undecided where the interval straddles its bound or too few units decide. "
            "A vacuous rule is one that a forecast without skill, or the most unequal decisions at "
            "the same rates, would meet too.",
            quiet=True,
        ),
        *_texts(validation.verdicts),
        Paragraph(CAUTION),
    ]
    return Section("verdict", "Verdict", "Verdict, rule by rule", tuple(blocks))


def _policy(verdict: PolicyVerdict) -> Iterator[Block]:
    skill = "" if shows_skill(verdict) or not verdict.rows else " No rule that is met shows skill."
    source = f", source {verdict.source}" if verdict.source else ""
    yield Paragraph(
        f"Policy {verdict.name} {verdict.version} (sha256 {verdict.sha256}{source}): "
        f"{verdict.verdict}.{skill}"
    )
    yield Table(
        f"Rules of {verdict.name}",
        ("Rule", "About", "Found", "Interval", "Verdict", "Remark", "Evidence"),
        tuple(_rule(row) for row in verdict.rows),
        frozenset({2, 3}),
    )
    bands = [one for one in judgements(verdict) if one.rule.startswith("band of ")]
    if bands:
        yield Table(
            f"Bands of {verdict.name}",
            ("Band", "About", "Found", "Remark"),
            tuple((one.rule, one.subject, one.value, one.remark) for one in bands),
            frozenset({2}),
        )
    yield from (Paragraph(text, quiet=True) for text in band_notes(verdict))


def _rule(row: PolicyRow) -> tuple[str, ...]:
    places = (row.result.subject, row.result.group)
    return (
        row.rule,
        ", ".join(place for place in places if place) or "all rows",
        value_text(row.result),
        interval_text(row.result),
        f"{row.verdict}, vacuous" if row.vacuous else row.verdict,
        ". ".join(filter(None, (row.why, row.note and f"Note: {row.note}"))),
        "; ".join(
            f"evidence for {evidence.theme} of {instrument.name}, status as of {as_of}"
            for evidence, instrument, as_of in _evidence(row.result.metric)
        )
        or "none by the standard",
    )


def _evidence(metric: str) -> Iterator[tuple[Evidence, Instrument, str]]:
    table = load_regulations()
    for evidence, instrument in table.of(find(metric).definition.id):
        yield evidence, instrument, table.as_of


def _texts(verdicts: Sequence[PolicyVerdict]) -> Iterator[Table]:
    """Yield the texts that the rules are evidence for, with their status."""
    table, found = load_regulations(), dict[str, Instrument]()
    for verdict in verdicts:
        for row in verdict.rows:
            found |= {one.id: one for _, one, _ in _evidence(row.result.metric)}
    if found:
        yield Table(
            f"Texts, status as of {table.as_of}",
            ("Text", "What it asks", "Status", "Source"),
            tuple(
                (
                    f"{one.name}: {one.title}",
                    one.asks,
                    "; ".join(filter(None, (one.status, one.told, table.warning(one)))),
                    one.source + ("" if one.checked else "; not yet checked against the original"),
                )
                for one in found.values()
            ),
        )


def _sign_off() -> Section:
    return Section(
        "sign-off",
        "Sign-off",
        "Sign-off",
        (
            Paragraph("Filled in by hand, by people who have read the limitations.", quiet=True),
            Signatures(
                ("Owner of the model", "Validator", "Approver"),
                ("Name", "Decision", "Conditions", "Date", "Signature"),
            ),
        ),
    )
