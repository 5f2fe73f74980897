"""``veridical rag cache``: what is kept of the replies of judges."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from veridical.cli.options import Json
from veridical.cli.output import emit, emit_json
from veridical.cli.saving import StoreAt
from veridical.errors import ParameterError

if TYPE_CHECKING:
    from veridical.store.verdicts import KeptVerdicts

__all__ = ["cache"]


def cache(
    action: Annotated[
        Literal["stats", "prune", "clear"],
        Parameter(help="stats shows what is kept, prune deletes some of it, clear all."),
    ] = "stats",
    *,
    older_than: Annotated[
        float | None, Parameter(help="Of prune: replies older than so many days.")
    ] = None,
    model: Annotated[str | None, Parameter(help="Of prune: replies of this model.")] = None,
    store: StoreAt = None,
    json: Json = False,
) -> int:
    """Show or delete the replies of judges that a store keeps."""
    from veridical.store import Store

    if (action == "prune") != (older_than is not None or model is not None):
        raise ParameterError(
            "prune, and it alone, is told what to delete",
            fix="give prune with --older-than DAYS or --model, or clear",
        )
    if older_than is not None and not 0 <= older_than <= 36_500:
        raise ParameterError("--older-than is a number of days", fix="give 30, say")
    with Store(store, create=False) as opened:
        verdicts = opened.verdicts()
        deleted = None
        if action != "stats":
            age = None if older_than is None else timedelta(days=older_than)
            deleted = verdicts.delete(older_than=age, model=model)
        kept = verdicts.kept()
    if json:
        groups = [_entry(one) for one in kept]
        emit_json({"schema": "veridical.rag_cache/1", "deleted": deleted, "kept": groups})
    else:
        lines = [] if deleted is None else [f"deleted {deleted:,}"]
        lines += [f"{ascii(one.model)[1:-1]}  {one.contract}  {one.n:,} replies" for one in kept]
        emit("\n".join(lines) or "nothing is kept")
    return 0


def _entry(kept: KeptVerdicts) -> dict[str, object]:
    return {
        "contract": kept.contract,
        "model": kept.model,
        "n": kept.n,
        "bytes": kept.size,
        "oldest": kept.oldest.isoformat(),
        "newest": kept.newest.isoformat(),
    }
