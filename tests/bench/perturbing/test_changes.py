"""What each change does to facts and to what is shown."""

from collections import Counter
from datetime import datetime, time, timedelta
from decimal import Decimal
from itertools import combinations

import pytest

from tests.bench.rendering.test_formats import PLACES, made
from veridical.bench.drawing import Draw
from veridical.bench.money import q
from veridical.bench.perturbing.applying import Planned, make
from veridical.bench.perturbing.changes import CHANGES
from veridical.bench.perturbing.draft import NoRoomError
from veridical.bench.rendering.files import naive_sum, rendered
from veridical.bench.suites.planning import planned_suite
from veridical.bench.vocabulary import VOCABULARY
from veridical.bench.world.truth import counts
from veridical.bench.world.zones import local


def places(*names):
    return pytest.mark.parametrize(
        ("name", "template_id", "account_id"), [one for one in PLACES if one[0] in names]
    )


def test_every_change_fits_somewhere():
    assert {name for name, _, _ in PLACES} == set(CHANGES)


def test_there_are_seventeen_and_the_benign_requests():
    ids = {one.id for one in CHANGES.values()} - {"injection"}
    assert len(ids) == 17


def test_flags_are_of_the_vocabulary_and_look_alikes_call_for_none():
    assert {one.flag for one in CHANGES.values()} - {None} == set(VOCABULARY) - {
        "suspicious_instruction"
    }
    assert all(one.flag is None for one in CHANGES.values() if one.variant == "twin")


def test_what_must_bite_is_declared_so():
    biting = {one.name for one in CHANGES.values() if one.bites}
    lines = {"duplicate_line:a", "duplicate_line:exports", "dropped_line:a", "sign_flip:a"}
    figures = {"currency:a", "number_format:a", "text_and_precision:precision"}
    assert biting == lines | figures | {"cutoff_zone:a", "pending_lines:a"}


@pytest.mark.parametrize(("name", "template_id", "account_id"), PLACES)
def test_what_bites_leads_the_naive_astray_and_what_cannot_be_determined_has_candidates(
    name, template_id, account_id
):
    one = made(name, template_id, account_id)
    change = CHANGES[name]
    naive = naive_sum(one.draft.statements[account_id])
    truth = one.truth[account_id]
    if change.bites:
        assert abs(naive - q(truth)) >= Decimal("0.01")
    candidates = one.draft.candidates.get(account_id, ())
    assert bool(candidates) == (not change.determinable)
    assert truth in candidates or change.determinable
    assert len({q(balance) for balance in candidates}) in {0, *range(2, 9)}


class Shown:
    """A change, and the statement and facts of its account."""

    def __init__(self, name, template_id, account_id):
        self.made = made(name, template_id, account_id)
        self.draft = self.made.draft
        self.end = self.draft.world.end
        self.account = self.draft.world.account(account_id)
        self.statement = self.draft.statements[account_id]
        self.rows = self.statement.rows
        self.changed = self.made.perturbations[0]
        self.lines = {line.id: line for line in self.account.lines}
        self.truth = self.made.truth[account_id]

    def by_ids(self):
        return Counter(row.id.lstrip("0") for row in self.rows)

    def entries(self, reference):
        return [one.amount for one in self.draft.world.ledger if one.reference == reference]


@places("duplicate_line:a")
def test_a_line_is_shown_again_and_all_else_once(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    (line_id,) = one.changed.lines
    counted = one.by_ids()
    assert counted.pop(line_id) >= 2
    assert set(counted.values()) == {1}
    alike = {(row.amount, row.payee, row.booked) for row in one.rows if row.id.endswith(line_id)}
    assert len(alike) == 1


@places("duplicate_line:exports")
def test_two_exports_overlap_and_each_adds_up(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    first, second = one.statement.parts()
    assert first.name != second.name
    shared = {row.id for row in first.rows} & {row.id for row in second.rows}
    assert shared == set(one.changed.lines)
    assert {row.id for row in first.rows} | {row.id for row in second.rows} == one.lines.keys()
    for part in (first, second):
        assert part.opening + sum(row.amount for row in part.rows) == part.closing
    assert second.closing == q(one.truth)


@places("duplicate_line:twin")
def test_two_real_payments_differ_in_their_ids_alone(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    first, second = (one.lines[line_id] for line_id in one.changed.lines)
    assert (first.amount, first.booked, first.payee) == (second.amount, second.booked, second.payee)
    assert int(first.id) != int(second.id)
    assert one.entries(second.reference) == [second.amount]
    assert naive_sum(one.statement) == q(one.truth)


@places("dropped_line:a")
def test_a_lost_line_is_in_the_ledger_and_in_the_balances_behind_it(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    lost = [one.lines[line_id] for line_id in one.changed.lines]
    assert lost
    assert not {line.id for line in lost} & {row.id for row in one.rows}
    for line in lost:
        assert one.entries(line.reference) == [line.amount]
    missing = sum(line.amount for line in lost)
    assert (
        one.statement.closing - one.statement.opening - sum(r.amount for r in one.rows) == missing
    )
    assert one.statement.closing == q(one.truth)


@places("sign_flip:a")
def test_a_debit_shows_as_a_credit_against_balance_and_ledger(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    (line_id,) = one.changed.lines
    row = next(row for row in one.rows if row.id == line_id)
    assert row.amount == -one.lines[line_id].amount > 0
    assert one.entries(row.reference) == [-row.amount]
    at = one.rows.index(row)
    before = one.rows[at - 1].running if at else one.statement.opening
    assert row.running - before == -row.amount


@places("ledger_transposition:a")
def test_the_ledger_has_two_digits_the_wrong_way_round(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    line = one.lines[one.changed.lines[0]]
    (entry,) = one.entries(line.reference)
    assert entry != line.amount
    assert sorted(str(int(entry * 100))) == sorted(str(int(line.amount * 100)))
    assert entry == int(entry) or not one.account.whole
    # Swapped neighbours make a difference that nine divides.
    assert int((entry - line.amount) * 100) % 9 == 0


@places("ledger_transposition:twin", "netted_fee:a", "aggregation:a")
def test_differences_that_are_explained_add_up(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    lines = [one.lines[line_id] for line_id in one.changed.lines]
    reference = lines[0].reference.split("/")[0]
    entries = [e for e in one.draft.world.ledger if e.reference == reference]
    entries += [e for e in one.draft.world.ledger if e.memo == f"batch {reference}"]
    fees = sum(Decimal(e.memo.rsplit(" ", 1)[1]) for e in entries if e.memo.startswith("gross"))
    assert q(sum(e.amount for e in entries) - fees) == sum(line.amount for line in lines)


@places("netted_fee:b")
def test_a_fee_without_a_word_is_a_difference(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    line = one.lines[one.changed.lines[0]]
    (entry,) = one.entries(line.reference)
    assert 0 < entry - line.amount < line.amount / 5 + 2
    assert all("gross" not in e.memo for e in one.draft.world.ledger)


@places("cutoff_zone:a")
def test_one_line_falls_on_each_side_of_midnight(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    inside, outside = (one.lines[line_id] for line_id in one.changed.lines)
    assert local(inside.moment, one.account.zone).date() == one.end
    assert local(outside.moment, one.account.zone).date() == one.end + timedelta(days=1)
    assert counts(inside, one.end)
    assert not counts(outside, one.end)
    for line in one.account.lines:
        assert local(line.moment, one.account.zone).date() == line.booked
    # The print goes on over the line that is too late.
    assert one.statement.closing == q(one.truth + outside.amount)


@places("cutoff_zone:b")
def test_without_zone_and_offset_both_sides_agree_with_the_files(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    (line_id,) = one.changed.lines
    line = one.lines[line_id]
    assert one.account.zone == ""
    midnight = one.end + timedelta(days=1)
    assert abs(line.moment - datetime.combine(midnight, time.min)) <= timedelta(hours=1)
    low, high = one.draft.candidates[account_id]
    assert high - low == abs(line.amount)
    # No other line could fall on another side in any zone of the world.
    for other in one.account.lines:
        if other.id != line_id:
            hours = (midnight - other.moment.date()).days * 24 - other.moment.hour
            assert hours > 14


@places("pending_lines:a")
def test_pending_lines_move_no_balance(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    pending = [row for row in one.rows if row.pending]
    assert {row.id for row in pending} == set(one.changed.lines)
    assert all(row.running is None for row in pending)
    assert one.statement.closing == q(one.truth)
    assert one.statement.available == q(one.truth + sum(row.amount for row in pending))


@places("stale_cheque:a", "stale_cheque:twin")
def test_stale_is_more_than_180_days(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    entry = next(e for e in one.draft.world.ledger if e.id == one.changed.lines[0])
    age = (one.end - entry.day).days
    assert (age > 180) == (name == "stale_cheque:a")
    assert entry.reference not in {line.reference for line in one.account.lines}


@places("returned_item:a")
def test_a_payment_comes_back_with_a_fee(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    paid, back, fee = (one.lines[line_id] for line_id in one.changed.lines)
    assert 0 < -back.amount <= paid.amount
    assert paid.reference in back.memo
    assert back.reference == fee.reference != paid.reference
    assert not one.entries(back.reference)
    assert back.booked >= paid.booked


@places("restated_opening:a", "restated_opening:twin")
def test_an_opening_is_not_the_previous_closing(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    gap = one.statement.opening - one.account.previous_closing
    assert gap
    told = one.account.correction
    assert (told is None) == (name == "restated_opening:a")
    assert told is None or told[1] == gap


@places("bank_arithmetic:a")
def test_a_balance_breaks_and_no_ledger_item_explains_it(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    if one.account.format == "csv":
        running, jumps = one.statement.opening, []
        for row in one.rows:
            jumps.append(row.running - running - row.amount)
            running = row.running
        (jump, *others) = [jump for jump in jumps if jump]
        assert others in ([], [-jump])
    else:
        jump = one.statement.closing - q(one.truth)
    assert jump
    amounts = {abs(e.amount) for e in one.draft.world.ledger}
    assert abs(jump) not in amounts
    assert abs(jump) not in {2 * one for one in amounts}


@places("currency:a")
def test_a_foreign_line_counts_at_its_rate(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    assert any(one.lines[line_id].foreign for line_id in one.changed.lines)
    for line_id in one.changed.lines:
        line = one.lines[line_id]
        foreign = line.foreign
        if foreign is None:  # booked in the account's currency: the memo alone tells of the other
            assert " at 1 " in line.memo
            assert q(line.amount) == line.amount
            continue
        assert foreign.currency != one.account.currency
        if foreign.inverse:
            assert line.amount * foreign.rate == foreign.amount
        else:
            assert line.amount == foreign.amount * foreign.rate


@places("currency:b")
def test_a_head_names_another_currency(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    assert one.statement.currency != one.account.currency
    assert naive_sum(one.statement) == q(one.truth)


@places("number_format:b")
def test_nothing_in_the_file_settles_how_a_figure_is_read(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    (line_id,) = one.changed.lines
    files = rendered(one.draft.world, one.draft.statements)
    text = files[one.statement.name].decode()
    others = [row for row in one.rows if row.id != line_id]
    assert all(row.amount == int(row.amount) and abs(row.amount) < 1_000 for row in others)
    assert one.statement.opening == int(one.statement.opening) < 1_000
    assert "alance" not in text.replace("Opening balance", "")
    low, high = sorted(
        abs(balance - sum(r.amount for r in others) - one.statement.opening)
        for balance in one.draft.candidates[account_id]
    )
    assert high == low * 1_000


@places("truncated_export:a")
def test_a_tail_is_lost_and_the_ledger_allows_several(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    lost = [one.lines[line_id] for line_id in one.changed.lines]
    assert one.statement.lost == len(lost)
    assert one.statement.closing is None
    shown = one.statement.opening + sum(row.amount for row in one.rows)
    cleared = {row.reference for row in one.rows}
    open_items = [
        e.amount
        for e in one.draft.world.ledger
        if e.account_id == account_id and e.reference not in cleared
    ]
    assert len(open_items) == len(lost) + 1
    possible = {shown + sum(chosen) for chosen in combinations(open_items, len(lost))}
    assert set(one.draft.candidates[account_id]) == possible


@places("text_and_precision:precision")
def test_the_exact_sum_ends_on_half_a_penny(name, template_id, account_id):
    one = Shown(name, template_id, account_id)
    assert abs(one.truth) * 1000 % 10 == 5
    by_line = one.account.opening + sum(q(line.amount) for line in one.account.lines)
    assert by_line != q(one.truth)


def test_the_order_of_the_list_does_not_matter():
    tried = 0
    for number, plan in enumerate(planned_suite("orders", 400)):
        if len(plan.changes) < 2:
            continue
        one = _files(plan.template_id, plan.changes, number)
        if one is None:
            continue
        assert _files(plan.template_id, plan.changes[::-1], number) == one
        tried += 1
    assert tried > 25


def _files(template_id, planned, number):
    try:
        one = make(template_id, planned, lambda component: Draw("orders", number, component))
    except NoRoomError:
        return None
    return rendered(one.draft.world, one.draft.statements), one.truth, one.perturbations


def test_a_change_of_one_account_leaves_the_others_as_they_are():
    with_one = _files("export-4acct", [Planned("sign_flip:a", "A1")], 1)
    without = _files("export-4acct", [], 1)
    differing = {name for name in without[0] if without[0][name] != with_one[0][name]}
    assert all(name.startswith("A1_") for name in differing)
    assert len(differing) == 1
