"""``veridical validate``: a model file in, one validation report out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from veridical.cli.keeping import check_saving
from veridical.cli.options import OUTPUT, Json, Level, Markdown, Report, Seed
from veridical.cli.output import emit, emit_json, one_form, talk
from veridical.cli.saving import Save, StoreAt, Tag
from veridical.cli.targets import check_targets
from veridical.exit_codes import FAILED, OK, UNDECIDED

__all__ = ["validate"]

if TYPE_CHECKING:
    from veridical.validation.model_validation import Validation
    from veridical.validation.record import ValidationRecord

_CODES = {"met": OK, "not met": FAILED, "undecided": UNDECIDED}


def validate(
    model: Annotated[Path, Parameter(help="The model file: samples, columns, policy.")],
    /,
    *,
    report: Report = None,
    docx: Annotated[
        Path | None, Parameter(group=OUTPUT, help="Write the report as a text document.")
    ] = None,
    date: Annotated[
        str | None,
        Parameter(group=OUTPUT, help="The day that the report bears, 2026-11-30; today if none."),
    ] = None,
    previous: Annotated[
        str | None,
        Parameter(help="An earlier validation by the name it was saved under, to be held beside."),
    ] = None,
    level: Level = 0.95,
    seed: Seed = 0,
    markdown: Markdown = False,
    json: Json = False,
    save: Save = None,
    tag: Tag = None,
    store: StoreAt = None,
) -> int:
    """Measure a model on two samples, and write the report that a validator reads.

    Exit code 0 where every policy is met, 1 where a rule is not, 3 where that is undecided.
    """
    check_saving(save, tag)
    one_form(json=json, markdown=markdown)
    from veridical.validation import validate_model
    from veridical.validation.description import read_description
    from veridical.validation.word import check_installed

    described = read_description(model)
    check_targets(
        report,
        docx,
        sources=[described.development, described.out_of_time],
        others=[str(model), *described.policy_files],
        store=store,
    )
    if docx is not None:
        check_installed()
    before = _earlier(previous, store)
    validation = validate_model(model, date=date, level=level, seed=seed)
    if before is not None:
        validation = validation.beside(before)
    if report is not None:
        talk(f"report: {validation.report(report)}")
    if docx is not None:
        talk(f"docx: {validation.docx(docx)}")
    _show(validation, json=json, markdown=markdown)
    if save is not None:
        for run in validation.save(save[0] if save else None, tags=tag or (), store=store):
            talk(f"saved: {run.label}")
    return _CODES[validation.verdict]


def _show(validation: Validation, *, json: bool, markdown: bool) -> None:
    if json:
        emit_json(validation.to_dict())
    elif markdown:
        from veridical.validation.markdown import validation_markdown

        emit(validation_markdown(validation))
    else:
        emit(repr(validation))


def _earlier(previous: str | None, store: str | None) -> ValidationRecord | None:
    """Return the validation to be held beside, looked for before anything is measured."""
    if previous is None:
        return None
    from veridical.validation.record import earlier

    return earlier(previous, store)
