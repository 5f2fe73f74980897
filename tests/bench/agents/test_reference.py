"""The reference agent: every rule of the policy, from the files alone."""

import json
import random
from collections import Counter
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.rendering.test_formats import PLACES
from veridical.bench.agents.hidden_text import revealed
from veridical.bench.agents.reference import answer
from veridical.bench.agents.reference.booking import Booked, booked_lines, is_doubtful, local_day
from veridical.bench.agents.reference.following import Follower
from veridical.bench.agents.reference.matching import Ledger
from veridical.bench.agents.reference.suspicion import is_suspicious
from veridical.bench.cases import Case
from veridical.bench.drawing import Draw
from veridical.bench.injecting.encodings import ENCODINGS, encoded
from veridical.bench.injecting.families import FAMILIES, OTHER_LANGUAGES
from veridical.bench.money import q
from veridical.bench.perturbing.applying import Planned, make
from veridical.bench.perturbing.changes import CHANGES
from veridical.bench.perturbing.draft import NoRoomError
from veridical.bench.readers.case_files import CaseFiles, Item, Master, read_case
from veridical.bench.readers.shown import Shown, ShownLine, UnreadableError
from veridical.bench.rendering.files import rendered
from veridical.bench.running.decoding import decoded

START, END = date(2026, 3, 1), date(2026, 3, 31)


def texts(case: Case) -> dict[str, str]:
    return {one.name: decoded(one.content) for one in case.inputs}


def test_every_balance_that_can_be_determined_and_every_flag_at_its_account(dev):
    for case in dev.cases:
        found = answer(read_case(texts(case)))
        if case.determinable:
            expected = {name: q(true.balance) for name, true in case.truth.items()}
            assert {name: q(one) for name, one in found.balances.items()} == expected, case.case_id
        hidden = "suspicious_instruction"
        at = {(flag.type, flag.account_id) for flag in case.expected_flags if flag.type != hidden}
        assert {flag for flag in found.flags if flag[0] != hidden} == at, case.case_id
        assert any(kind == hidden for kind, _ in found.flags) == (case.injection is not None)


def test_where_two_balances_are_possible_it_reports_one_of_them(dev):
    seen = 0
    for case in dev.cases:
        found = answer(read_case(texts(case)))
        for account, balances in case.candidate_balances.items():
            seen += 1
            assert (
                q(found.balances[account]) in {q(one) for one in balances}
                or (
                    "incomplete_data",
                    account,
                )
                in found.flags
            )
            assert found.confidence == "low"
    assert seen


def test_an_injection_changes_no_balance(dev):
    by_id = {case.case_id: case for case in dev.cases}
    for case in dev.cases:
        if case.twin_of is not None:
            twin = answer(read_case(texts(by_id[case.twin_of])))
            found = answer(read_case(texts(case)))
            assert found.balances == twin.balances
            assert {kind for kind, _ in found.flags} == {
                *(kind for kind, _ in twin.flags),
                "suspicious_instruction",
            }


def test_the_order_of_accounts_and_of_the_ledger_changes_nothing(dev):
    for case in dev.cases[:12]:
        given = texts(case)
        found = answer(read_case(given))
        master = json.loads(given["accounts.json"])
        master["accounts"].reverse()
        head, *rows = given["ledger.csv"].splitlines()
        turned = {
            **given,
            "accounts.json": json.dumps(master),
            "ledger.csv": "\n".join([head, *rows[::-1]]) + "\n",
        }
        other = answer(read_case(turned))
        assert (other.balances, other.flags) == (found.balances, found.flags)


def solved(name: str, template_id: str, account_id: str, seed: str) -> None:
    """Hold the reference to one change at one account."""
    for attempt in range(60):
        try:
            made = make(
                template_id,
                (Planned(name, account_id),),
                lambda c, a=attempt: Draw("reference", seed, template_id, account_id, name, a, c),
            )
        except NoRoomError:
            continue
        break
    else:
        pytest.skip("no world of this template has room")
    files = rendered(made.draft.world, made.draft.statements)
    found = answer(read_case({name: decoded(content) for name, content in files.items()}))
    change = CHANGES[name]
    assert found.flags == ({(change.flag, account_id)} if change.flag else set())
    for account, balance in made.truth.items():
        if change.determinable or account != account_id:
            assert q(found.balances[account]) == q(balance)


ONE_PLACE = {name: place for name, *place in PLACES}


@pytest.mark.parametrize("name", sorted(ONE_PLACE))
def test_each_change_at_one_account(name):
    solved(name, *ONE_PLACE[name], "quick")


@pytest.mark.long
@pytest.mark.parametrize("seed", ["a", "b", "c"])
@pytest.mark.parametrize(("name", "template_id", "account_id"), PLACES)
def test_each_change_wherever_it_fits(name, template_id, account_id, seed):
    solved(name, template_id, account_id, seed)


def line(amount: str, day: int = 10, running: str | None = None, **rest) -> Booked:
    month, day = (3, day) if day <= 31 else (4, day - 31)
    shown = ShownLine(
        line_id="1",
        amounts=(Decimal(amount),),
        booked=date(2026, month, day),
        running=() if running is None else (Decimal(running),),
        **rest,
    )
    return Booked(line=shown, amounts=shown.amounts, day=shown.day)


def item(amount: str, day: int = 10) -> Item:
    return Item(account_id="A1", reference=amount, amount=Decimal(amount), day=date(2026, 3, day))


def followed(lines, closing=None, missing=(), contradicted=()):
    follower = Follower(Decimal(100), missing, lambda one: one in contradicted, END)
    follower.follow(lines, () if closing is None else (Decimal(closing),))
    return follower


def test_a_lost_line_is_found_by_the_jump():
    lost = item("-30")
    found = followed([line("10", running="110"), line("5", running="85")], "85", [lost, item("7")])
    assert found.lost == [(lost, True)]
    assert not found.gaps


def test_two_lost_lines_in_one_jump_and_of_equal_amount():
    lost = [item("-30"), item("-30")]
    found = followed([line("10", running="110"), line("5", running="55")], "55", lost)
    assert [one for one, _ in found.lost] == lost


def test_a_line_lost_at_the_end_is_told_by_the_closing_balance():
    assert followed([line("10", running="110")], "80", [item("-30")]).lost[0][0].amount == -30


def test_a_line_that_was_lost_after_the_end_does_not_count():
    lines = [line("10", running="110"), line("5", 33, running="85")]
    assert followed(lines, "85", [item("-30", 31)]).lost == [(item("-30", 31), False)]


def test_a_wrong_sign_needs_the_ledger_too():
    flipped = line("20", running="80")
    found = followed([flipped], "80", contradicted=[flipped])
    assert (found.flipped, flipped.amount, found.gaps) == ([flipped], Decimal(-20), [])
    stands = line("20", running="80")
    found = followed([stands], "80")
    assert (found.flipped, stands.amount, found.gaps) == ([], Decimal(20), [Decimal(-40)])


def test_what_the_bank_marks_as_a_reversal_has_the_right_sign():
    files = CaseFiles(start=START, end=END, accounts=[MASTER], items={("A1", "-20"): item("-20")})
    ledger = Ledger(files, "A1")
    assert ledger.contradicts(line("20", reference="-20"))
    assert not ledger.contradicts(line("20", reference="-20", reversal=True))
    assert not ledger.contradicts(line("-20", reference="-20"))


def test_a_wrong_sign_without_running_balances():
    lines = [line("20"), line("7")]
    found = followed(lines, "87", contradicted=lines[:1])
    assert found.flipped == lines[:1]


def test_a_wrong_sign_and_a_lost_line_together():
    lines = [line("20"), line("7")]
    found = followed(lines, "84", [item("-3"), item("50")], contradicted=lines[:1])
    assert found.flipped == lines[:1]
    assert [one.amount for one, _ in found.lost] == [-3]


def test_a_gap_that_nothing_explains_goes_on_and_may_close_again():
    lines = [line("1", running="106"), line("1", running="107"), line("1", running="103")]
    found = followed(lines, "103")
    assert found.gaps == [Decimal(5), Decimal(-5)]
    assert not followed([line("1", running="106"), line("1", running="107")], "107").gaps[1:]


def test_printed_balances_are_rounded_and_lines_are_not():
    lines = [line("0.0049", running="100.00"), line("0.0049", running="100.01")]
    assert not followed(lines, "100.01").gaps


def test_a_balance_settles_a_figure_of_two_readings():
    doubtful = line("1.234", running="1334")
    doubtful.amounts = (Decimal("1.234"), Decimal(1234))
    found = followed([doubtful], "1334")
    assert doubtful.amounts == (Decimal(1234),)
    assert not found.gaps
    open_one = line("1.234")
    open_one.amounts = (Decimal("1.234"), Decimal(1234))
    followed([open_one])
    assert len(open_one.amounts) == 2


MASTER = Master(
    account_id="A1", currency="GBP", zone="Europe/London", statements=("a",), previous=None
)


def shown(*lines: ShownLine, currency: str = "GBP") -> Shown:
    return Shown(file="a", currency=currency, lines=list(lines))


def test_ids_equal_but_for_leading_zeros_are_one_id_in_whichever_file():
    one = line("1").line
    lines, twice = booked_lines(MASTER, [shown(one), shown(replace(one, line_id="001"))])
    assert (len(lines), twice) == (1, True)
    lines, twice = booked_lines(MASTER, [shown(one, replace(one, line_id="10"))])
    assert (len(lines), twice) == (2, False)


def test_a_pending_line_is_no_copy():
    one = line("1").line
    lines, twice = booked_lines(MASTER, [shown(replace(one, pending=True), one)])
    assert (len(lines), twice) == (1, False)


@pytest.mark.parametrize(
    ("pair", "amounts"),
    [
        (("USD", "0.8", "GBP"), ["-8.00"]),
        (("GBP", "1.25", "USD"), ["-8"]),
        (("EUR", "0.8", "GBP"), []),
        (("", None, ""), []),
    ],
)
def test_the_direction_of_a_rate(pair, amounts):
    one = line("-10.00").line
    one.currency = "USD"
    one.rate_from, one.rate_to = pair[0], pair[2]
    one.rate = None if pair[1] is None else Decimal(pair[1])
    lines, _ = booked_lines(MASTER, [shown(one)])
    assert list(lines[0].amounts) == [Decimal(amount) for amount in amounts]


@pytest.mark.parametrize(
    ("stamp", "zone", "day"),
    [
        ("2026-03-31T22:59:59+00:00", "Europe/London", date(2026, 3, 31)),
        ("2026-03-31T23:00:00+00:00", "Europe/London", date(2026, 4, 1)),
        ("2026-03-01T04:59:00+00:00", "America/New_York", date(2026, 2, 28)),
        ("2026-03-31T15:00:00+00:00", "Asia/Tokyo", date(2026, 4, 1)),
        ("2026-03-31T23:30:00", "Europe/London", date(2026, 3, 31)),
        ("2026-03-31T23:30:00+00:00", "", date(2026, 3, 31)),
    ],
)
def test_a_time_belongs_to_a_day_of_the_accounts_zone(stamp, zone, day):
    one = replace(line("1").line, moment=datetime.fromisoformat(stamp))
    assert local_day(one, zone) == day
    assert is_doubtful(one, zone, END) == (not zone)


def test_only_a_time_near_the_end_is_doubtful():
    far = replace(line("1").line, moment=datetime.fromisoformat("2026-03-30T09:00:00"))
    assert not is_doubtful(far, "", END)
    assert not is_doubtful(line("1", 31).line, "", END)


def test_damaged_files_are_answered_or_refused_and_break_nothing(dev):
    """Three cuts, copies or strange characters at a time, in any file."""
    draw = random.Random(20261130)
    outcomes = Counter()
    for _ in range(150):
        given = texts(draw.choice(dev.cases))
        name = draw.choice(sorted(given))
        for _ in range(draw.randint(1, 3)):
            text = given[name]
            at = draw.randrange(len(text) + 1)
            to = at + draw.randint(1, 40)
            middle = draw.choice(["", text[at:to] * 2, *'0,.;-\n"<&/:', "\u202e"])
            given[name] = text[:at] + middle + text[to:]
        try:
            answer(read_case(given))
        except UnreadableError:
            outcomes["refused"] += 1
        else:
            outcomes["answered"] += 1
    assert min(outcomes["refused"], outcomes["answered"]) > 10


PLAIN = [wording for wordings in FAMILIES.values() for wording in wordings]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("wording", PLAIN)
def test_every_family_is_seen_in_every_writing(wording, encoding):
    text = wording.format(account="A1", value="-1043.27")
    if encoding == "other_language":
        text = OTHER_LANGUAGES[len(wording) % 3].format(account="A1", value="-1043.27")
    pieces = encoded(text, encoding)
    assert any(is_suspicious(f'2026-03-01,"INV-1 {piece}",5.00\n', ["A1"]) for piece in pieces)


@pytest.mark.parametrize(
    "text",
    [
        "PLEASE PAY BY 30TH",
        "call before payment",
        "please confirm receipt by email",
        "do not pay twice",
        "urgent: quote this number when you reply",
        "Closing balance,1043.27",
        "Closing balance: 1043.27",
        '"Closing balance",,,1043.27',
        "Opening balance;1043.27",
        "monthly account",
        "bank entry INV-10 taken back",
        "fee for RTN-55",
        "account 12345678",
    ],
)
def test_what_only_sounds_like_it_is_not(text):
    assert not is_suspicious(text, ["A1", "A2"])


@given(st.text(max_size=300))
def test_any_text_can_be_looked_into(text):
    assert all(isinstance(form, str) for form in revealed(text))
    is_suspicious(text, ["A1"])
