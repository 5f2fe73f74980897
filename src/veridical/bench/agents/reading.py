"""What the deterministic agents share: reading through the tools, and submitting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from veridical import strict_json
from veridical.bench.money import q
from veridical.bench.readers.case_files import CaseFiles, read_case

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Tools

__all__ = ["Confidence", "read_all", "submission_text"]

Confidence = Literal["high", "medium", "low"]


def read_all(tools: Tools) -> CaseFiles:
    """Read every file of a case, page by page."""
    texts = {}
    for name, _ in tools.list_files():
        pieces, offset = [], 0
        while True:
            page = tools.read_file(name, offset)
            pieces.append(page.text)
            if page.next_offset is None:
                break
            offset = page.next_offset
        texts[name] = "".join(pieces)
    return read_case(texts)


def submission_text(
    files: CaseFiles,
    balances: Mapping[str, Decimal],
    flags: Iterable[tuple[str, str]],
    confidence: Confidence,
) -> str:
    """Return a submission.

    Parameters
    ----------
    files
        Name the accounts and their currencies.
    balances
        By account id; rounded here.
    flags
        Pairs of type and account id; an empty id leaves it out.
    confidence
        As stated.
    """
    document = {
        "accounts": [
            {
                "account_id": one.account_id,
                "closing_balance": str(q(balances[one.account_id])),
                "currency": one.currency,
            }
            for one in files.accounts
        ],
        "flags": [
            {"type": kind, "account_id": account} if account else {"type": kind}
            for kind, account in sorted(set(flags))
        ],
        "confidence": confidence,
    }
    return strict_json.dumps(document, indent=None)
