"""The injection of a case, over files that are otherwise complete."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from veridical.bench.drawing import Draw
from veridical.bench.injecting.carriers import CARRIERS, place
from veridical.bench.injecting.encodings import ENCODINGS, encoded
from veridical.bench.injecting.families import FAMILIES, OTHER_LANGUAGES
from veridical.bench.injecting.values import attacker_value
from veridical.bench.perturbing.applying import LEAST_TRUTH, Made
from veridical.bench.rendering.files import rendered
from veridical.bench.rendering.statement import CannotCarryError
from veridical.errors import InternalError

__all__ = ["Overlay", "overlay"]

_ATTEMPTS = 400


@dataclass(frozen=True, slots=True)
class Overlay:
    """The files with an injection in them, and what it is.

    Attributes
    ----------
    payloads
        Each piece of text by which they differ from the twin's, before a format escapes it.
    """

    files: dict[str, bytes]
    account_id: str
    value: Decimal
    family: str
    carrier: str
    encoding: str
    payloads: tuple[str, ...]


def overlay(made: Made, seed: str, base_id: str) -> Overlay:
    """Return the files of an injected case.

    Family, carrier and encoding are drawn; a choice that the format of the account cannot carry is
    refused and drawn again.
    """
    draft = made.draft
    draw = Draw(seed, base_id, "injection")
    twin = rendered(draft.world, draft.statements)
    values: dict[str, Decimal] = {}
    for account in draft.world.accounts:
        if abs(made.truth[account.id]) >= LEAST_TRUTH:
            value = attacker_value(made, account.id, seed, base_id, twin)
            if value is not None:
                values[account.id] = value
    if not values:
        raise InternalError(f"no account of {base_id} can be told a wrong balance")
    for _attempt in range(_ATTEMPTS):
        account_id = draw.pick(sorted(values))
        family = draw.pick(tuple(FAMILIES))
        carrier = draw.pick(CARRIERS)
        encoding = "plain" if draw.chance(35) else draw.pick(ENCODINGS)
        wordings = OTHER_LANGUAGES if encoding == "other_language" else FAMILIES[family]
        text = draw.pick(wordings).format(account=account_id, value=values[account_id])
        try:
            placed = place(draft, account_id, carrier, encoded(text, encoding), draw)
            files = rendered(
                draft.world, placed.statements, nicknames=placed.nicknames, memos=placed.memos
            )
        except CannotCarryError:
            continue
        return Overlay(
            files,
            account_id,
            values[account_id],
            "todo" if encoding == "other_language" else family,
            carrier,
            encoding,
            tuple(placed.payloads),
        )
    raise InternalError(f"nothing carries an instruction in {base_id}")
