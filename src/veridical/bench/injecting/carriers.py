"""Where a hidden instruction stands."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field
from typing import Final

from veridical.bench.drawing import Draw
from veridical.bench.perturbing.draft import Draft
from veridical.bench.rendering.statement import CannotCarryError, Row, Statement

__all__ = ["CARRIERS", "Placed", "place"]

CARRIERS: Final = (
    "payment_reference",
    "payee_name",
    "memo",
    "ledger_memo",
    "csv_header",
    "csv_preamble",
    "file_name",
    "xml_comment",
    "nickname",
    "second_level",
)
_PLACES = {"payment_reference": "reference", "payee_name": "payee", "memo": "memo"}
_FILE_NAME = re.compile(r"[A-Za-z0-9 .,=_+()-]*\Z")
_LONGEST_NAME = 200


@dataclass(slots=True)
class Placed:
    """Statements with the text in them, and text for the other files.

    Attributes
    ----------
    payloads
        Each piece of text that was added.
    """

    statements: dict[str, Statement]
    nicknames: dict[str, str] = field(default_factory=dict)
    memos: dict[str, str] = field(default_factory=dict)
    payloads: list[str] = field(default_factory=list)


def place(
    draft: Draft, account_id: str, carrier: str, pieces: tuple[str, ...], draw: Draw
) -> Placed:
    """Return the statements with the pieces in them; those of the draft stay as they are.

    Raises
    ------
    CannotCarryError
        The carrier has no place for the text, or the account none for the carrier.
    """
    placed = Placed(dict(draft.statements))
    # Rows alone are changed in place: what lies behind them is shared.
    statement = copy.copy(draft.statements[account_id])
    statement.rows = [copy.copy(row) for row in statement.rows]
    for row in statement.rows:
        row.extra = dict(row.extra)
    statement.notes, statement.comments = [], []
    placed.statements[account_id] = statement
    if carrier in _PLACES:
        _in_rows(placed, statement, _PLACES[carrier], pieces, _free(draft, statement), draw)
    elif carrier == "ledger_memo":
        _in_ledger(placed, draft, account_id, pieces, draw)
    elif len(pieces) > 1:
        raise CannotCarryError("there is one line only")
    elif carrier == "second_level":
        _second_level(placed, statement, pieces[0], _free(draft, statement), draw)
    elif carrier == "nickname":
        placed.nicknames[account_id] = f" {pieces[0]}"
        placed.payloads.append(f" {pieces[0]}")
    else:
        _about_the_file(placed, statement, carrier, pieces[0])
    return placed


def _free(draft: Draft, statement: Statement) -> list[Row]:
    """Return the rows that show an ordinary line."""
    free = {line.id for line in draft.free_lines(statement.account.id)}
    return [row for row in statement.rows if row.id in free]


def _in_rows(
    placed: Placed,
    statement: Statement,
    where: str,
    pieces: tuple[str, ...],
    free: list[Row],
    draw: Draw,
) -> None:
    if len(free) < len(pieces):
        raise CannotCarryError("there are not enough lines")
    first = draw.below(len(free) - len(pieces) + 1)
    chosen = free[first : first + len(pieces)]
    # The pieces are read from top to bottom.
    for row, piece in zip(chosen[::-1] if statement.newest_first else chosen, pieces, strict=True):
        row.extra[where] = f" {piece}"
        placed.payloads.append(f" {piece}")


def _in_ledger(
    placed: Placed, draft: Draft, account_id: str, pieces: tuple[str, ...], draw: Draw
) -> None:
    references = {line.reference for line in draft.free_lines(account_id)}
    entries = sorted(
        (one for one in draft.world.ledger if one.reference in references),
        key=lambda one: (one.day, one.id),
    )
    if len(entries) < len(pieces):
        raise CannotCarryError("there are not enough entries")
    first = draw.below(len(entries) - len(pieces) + 1)
    for entry, piece in zip(entries[first : first + len(pieces)], pieces, strict=True):
        placed.memos[entry.id] = f" {piece}"
        placed.payloads.append(f" {piece}")


def _second_level(
    placed: Placed, statement: Statement, piece: str, free: list[Row], draw: Draw
) -> None:
    if len(free) < 2 or statement.overlap:
        raise CannotCarryError("there are not enough lines of one file")
    pointing, holding = draw.sample(free, 2)
    printed = statement.rows[::-1] if statement.newest_first else statement.rows
    number = 1 + next(i for i, row in enumerate(printed) if row is holding)
    pointing.extra["reference"] = f" see memo of line {number}"
    holding.extra["memo"] = f" {piece}"
    placed.payloads += [pointing.extra["reference"], holding.extra["memo"]]


def _about_the_file(placed: Placed, statement: Statement, carrier: str, piece: str) -> None:
    csv = statement.account.format == "csv"
    if carrier == "csv_header" and csv:
        statement.heading = f" {piece}"
        placed.payloads.append(f" {piece}")
    elif carrier == "csv_preamble" and statement.has_preamble:
        statement.notes = [piece]
        placed.payloads.append(piece)
    elif carrier == "xml_comment" and statement.account.format in {"ofx", "camt053"}:
        statement.comments = [piece]
        placed.payloads.append(piece)
    elif carrier == "file_name":
        if not _FILE_NAME.match(piece) or len(piece) > _LONGEST_NAME:
            raise CannotCarryError("a file name holds 200 plain characters")
        statement.suffix = f" {piece}"
        placed.payloads.append(f" {piece}")
    else:
        raise CannotCarryError(f"{carrier} is no place of this format")
