"""Worlds in which nothing is wrong."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from veridical.bench.drawing import Draw
from veridical.bench.money import q
from veridical.bench.perturbing.applying import make
from veridical.bench.rendering.files import naive_sum
from veridical.bench.world.building import Numbers, build
from veridical.bench.world.templates import TEMPLATES
from veridical.bench.world.truth import true_balance
from veridical.bench.world.zones import ZONES, local, utc


def key(name):
    return lambda component: Draw("worlds", name, component)


@pytest.fixture(params=sorted(TEMPLATES))
def world(request):
    return build(request.param, key(request.param))[0]


def test_there_are_twelve_templates_with_every_format_and_dialect():
    plans = [plan for one in TEMPLATES.values() for plan in one.accounts]
    assert len(TEMPLATES) >= 12
    assert {plan.format for plan in plans} == {"csv", "ofx", "mt940", "camt053", "bai2"}
    assert {plan.dialect for plan in plans} == {"plain", "split", "signed", "bare"}
    assert {len(one.accounts) for one in TEMPLATES.values()} == {1, 2, 3, 4}


def test_a_world_has_30_to_150_lines(world):
    assert 30 <= sum(len(one.lines) for one in world.accounts) <= 150


def test_every_line_is_explained_once(world):
    entries = {}
    for one in world.ledger:
        entries.setdefault(one.reference, []).append((one.account_id, one.amount))
    orders = {one.reference: (one.account_id, one.amount) for one in world.orders}
    assert not entries.keys() & orders.keys()
    for account in world.accounts:
        for line in account.lines:
            if line.reference in entries:
                assert entries[line.reference] == [(account.id, line.amount)]
            else:
                owner, amount = orders[line.reference]
                assert owner == account.id
                assert amount in {line.amount, None}


def test_every_ledger_entry_has_its_line(world):
    lines = {line.reference for one in world.accounts for line in one.lines}
    assert {one.reference for one in world.ledger} <= lines


def test_no_two_amounts_are_of_one_size(world):
    sizes = [abs(line.amount) for one in world.accounts for line in one.lines + one.previous]
    assert len(sizes) == len(set(sizes))


def test_no_amount_is_given_twice_where_there_is_little_choice():
    numbers = Numbers(Draw("numbers"))
    draw = Draw("amounts")
    given = [numbers.amount(draw, 101, 160) for _ in range(50)]
    assert len(set(given)) == 50
    assert not numbers.claim(-given[0])


def test_lines_lie_well_within_the_period(world):
    for account in world.accounts:
        for line in account.lines:
            assert world.start + timedelta(days=2) <= line.booked <= world.end - timedelta(days=2)


def test_ids_of_lines_differ_as_numbers(world):
    ids = [int(line.id) for one in world.accounts for line in one.lines + one.previous]
    assert len(ids) == len(set(ids))


def test_opening_is_the_previous_closing_and_not_the_closing(world):
    for account in world.accounts:
        assert account.opening == account.previous_closing
        assert true_balance(account, world.end) != account.opening


@pytest.mark.parametrize("template_id", sorted(TEMPLATES))
def test_in_a_clean_case_print_naive_sum_and_truth_are_one(template_id):
    made = make(template_id, (), key(template_id))
    for account_id, statement in made.draft.statements.items():
        truth = made.truth[account_id]
        assert statement.closing == q(truth) == naive_sum(statement)
        assert abs(truth) >= 100


@pytest.mark.parametrize("zone", sorted(ZONES))
def test_clocks_agree_with_the_time_zone_database(zone):
    moment = datetime(2025, 12, 30, tzinfo=UTC)
    while moment < datetime(2026, 12, 2, tzinfo=UTC):
        expected = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        assert local(moment.replace(tzinfo=None), zone) == expected
        moment += timedelta(minutes=53)


@pytest.mark.parametrize("zone", sorted(ZONES))
@pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 7, 1), date(2026, 10, 31)])
def test_a_clock_is_turned_into_a_moment_and_back(zone, day):
    clock = datetime.combine(day, datetime.min.time()) + timedelta(hours=23, minutes=40)
    assert local(utc(clock, zone), zone) == clock
