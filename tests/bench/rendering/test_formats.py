"""Files are well formed by their own definitions, and every number survives."""

from decimal import Decimal
from functools import cache

import pytest

from tests.bench.reading import money, read
from veridical.bench.drawing import Draw
from veridical.bench.naive_numbers import naive_number
from veridical.bench.perturbing.applying import Planned, make
from veridical.bench.perturbing.changes import CHANGES
from veridical.bench.perturbing.draft import NoRoomError
from veridical.bench.rendering.files import naive_sum, rendered
from veridical.bench.rendering.numbers import NOTATIONS, written
from veridical.bench.world.templates import TEMPLATES

PLACES = [
    (name, template.id, f"A{position}")
    for name, change in CHANGES.items()
    for template in TEMPLATES.values()
    for position, plan in enumerate(template.accounts, 1)
    if change.fits(plan)
]


@cache  # nobody changes what it returns
def made(name, template_id, account_id):
    for attempt in range(50):
        try:
            return make(
                template_id,
                [Planned(name, account_id)],
                lambda component, n=attempt: Draw("formats", name, template_id, n, component),
            )
        except NoRoomError:
            continue
    raise AssertionError(f"no room for {name} in {template_id}")


@pytest.mark.parametrize(("name", "template_id", "account_id"), PLACES)
def test_what_is_shown_is_what_the_file_says(name, template_id, account_id):
    one = made(name, template_id, account_id)
    files = rendered(one.draft.world, one.draft.statements)
    for statement in (part for of in one.draft.statements.values() for part in of.parts()):
        if any(row.notation for row in statement.rows):
            continue  # two notations in one file: a reader needs to look at each number
        found = read(statement, files[statement.name])
        rows = statement.rows[::-1] if statement.newest_first else statement.rows
        order = (
            sorted(rows, key=lambda row: row.booked) if statement.account.format == "bai2" else rows
        )
        assert found.ids == [row.id for row in order]
        assert found.opening == statement.opening
        assert found.closing == statement.closing
        assert found.currency in {statement.currency, None}
        assert found.count in {len(rows) + statement.lost, None}
        assert found.pending == [row.pending for row in order]
        for amount, row in zip(found.amounts, order, strict=True):
            assert row.text or amount == row.amount
        if statement.account.format == "csv" and statement.show_running:
            assert found.running == [row.running for row in order]
        if statement.account.format in {"mt940", "camt053"}:
            assert found.reversed == [row.reversal for row in order]


def test_a_reader_that_knows_one_notation_gets_the_naive_sum():
    checked = 0
    for name, template_id, account_id in PLACES:
        plan = TEMPLATES[template_id].accounts[int(account_id[1:]) - 1]
        if plan.format != "csv" or plan.dialect != "plain" or checked > 60:
            continue
        one = made(name, template_id, account_id)
        statement = one.draft.statements[account_id]
        text = rendered(one.draft.world, one.draft.statements)[statement.name].decode()
        head, table = text.lstrip("\ufeff").split("\n\n", 1)
        opening = next(line for line in head.split("\n") if line.startswith("Opening"))
        total = naive_number(opening.split(",", 1)[1])
        for row in _rows(table):
            total += naive_number(row["Amount"]).quantize(Decimal("0.01"), "ROUND_HALF_UP")
        assert total == naive_sum(statement), name
        checked += 1
    assert checked > 20


def _rows(table):
    import csv

    return list(csv.DictReader(table.splitlines(keepends=True)))


@pytest.mark.parametrize("notation", sorted(NOTATIONS))
@pytest.mark.parametrize("amount", ["0.01", "-0.10", "999.99", "-1234.50", "1234567.8901", "12"])
def test_every_notation_can_be_read_back(notation, amount):
    text = written(Decimal(amount), notation)
    assert money(text, "," if "comma" in notation else ".") == Decimal(amount)


@pytest.mark.parametrize("notation", sorted(set(NOTATIONS) - {"dot"}))
def test_a_naive_reader_gets_every_other_notation_wrong(notation):
    amount = Decimal("-1234.56")
    assert naive_number(written(amount, notation)) != amount


def test_whole_amounts_lose_their_decimals_only_where_there_are_none():
    assert written(Decimal(120), whole=True) == "120"
    assert written(Decimal("120.50"), whole=True) == "120.50"
