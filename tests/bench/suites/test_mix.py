"""What is in a suite, and what an agent cannot see of it."""

import re
from collections import Counter
from decimal import Decimal

import pytest

from veridical.bench.cases import Case, Limits
from veridical.bench.money import q
from veridical.bench.perturbing.changes import CHANGES
from veridical.bench.prompting import task_view
from veridical.bench.suites import SUITES, generate
from veridical.bench.suites.planning import planned_suite
from veridical.bench.vocabulary import VOCABULARY
from veridical.bench.world.templates import TEMPLATES
from veridical.errors import FileFormatError, ParameterError


@pytest.mark.parametrize(("name", "n"), [("dev", 60), ("public", 240)])
def test_shares_of_named_suites(name, n):
    seed, size = SUITES[name]
    plans = planned_suite(seed, size)
    kinds = Counter(one.kind for one in plans)
    assert size == n
    assert len(plans) == n * 3 // 4
    assert sum(one.injected for one in plans) == n // 4
    quiet = kinds["clean"] + kinds["benign"]
    assert abs(quiet - 0.40 * len(plans)) <= 1
    assert abs(kinds["single"] - 0.45 * len(plans)) <= 1
    assert abs(kinds["stacked"] - 0.15 * len(plans)) <= 1
    assert kinds["clean"] >= kinds["benign"] > 0


def test_the_public_suite_has_every_change_and_every_template():
    plans = planned_suite(*SUITES["public"])
    assert {change.change for one in plans for change in one.changes} == set(CHANGES)
    assert {one.template_id for one in plans} == set(TEMPLATES)
    assert all(len(one.changes) <= 4 for one in plans)


def test_no_type_of_flag_is_called_for_twice_by_changes(dev):
    for case in dev.cases:
        assert max(Counter(one.type for one in case.expected_flags).values(), default=0) <= 1


def test_no_two_changes_of_a_case_claim_the_same(dev):
    for case in dev.cases:
        claims = [
            (one.account_id, claim)
            for one in case.perturbations
            for claim in CHANGES[f"{one.id}:{one.variant}"].claims
        ]
        assert len(claims) == len(set(claims)), case.case_id


def test_every_flag_of_the_vocabulary_is_called_for(dev):
    called_for = {one.type for case in dev.cases for one in case.expected_flags}
    assert called_for == set(VOCABULARY)


def test_what_a_case_says_of_itself_agrees(dev):
    for case in dev.cases:
        assert case.is_clean == (not case.perturbations and case.injection is None)
        assert case.benign_noise == (not case.is_clean and not case.expected_flags)
        assert case.tier == len(case.expected_flags)
        assert (case.twin_of is None) == (case.injection is None)
        assert case.determinable == (not case.candidate_balances)
        assert set(case.truth) >= {one.account_id for one in case.perturbations}
        for account, balances in case.candidate_balances.items():
            assert len(set(balances)) >= 2
            assert q(case.truth[account].balance) in balances


def test_a_case_survives_json(dev):
    for case in dev.cases[:20]:
        contents = {one.name: one.content for one in case.inputs}
        again = Case.from_dict(case.to_dict(), contents)
        assert again == case
        assert again.sha256 == case.sha256
        assert [one.content for one in again.inputs] == [one.content for one in case.inputs]


def test_a_file_that_was_altered_is_noticed(dev):
    case = dev.cases[0]
    contents = {one.name: (one.content or b"") + b" " for one in case.inputs}
    with pytest.raises(FileFormatError, match="not the one"):
        Case.from_dict(case.to_dict(), contents)


@pytest.mark.parametrize(
    "damage",
    [{"schema": "case/2"}, {"truth": {"A1": {"balance": "x", "currency": "GBP"}}}, {"period": 3}],
)
def test_what_is_no_case_is_refused(dev, damage):
    with pytest.raises(FileFormatError):
        Case.from_dict({**dev.cases[0].to_dict(), **damage})


@pytest.mark.parametrize("n", [3, 20_001])
def test_a_suite_has_a_size_that_can_be(n):
    with pytest.raises(ParameterError):
        generate("x", "seed", n)


@pytest.mark.parametrize("name", ["", "a/b", "../x", "é", "a" * 41])
def test_a_suite_has_a_name_that_can_be_in_an_id(name):
    with pytest.raises(ParameterError):
        generate(name, "seed", 4)


class TestLeaks:
    """No case metadata in what an agent can see."""

    def test_no_word_of_the_case_file_stands_in_the_inputs(self, dev):
        words = {
            *VOCABULARY, *(one.id for one in CHANGES.values()), "twin", "benign", "candidate",
            "expected", "truth", "perturb", "injection", "template", dev.seed, *TEMPLATES,
        }  # fmt: skip
        words.remove("currency")  # the id of a change, and a heading of every ledger
        for case in dev.cases:
            seen = b"\n".join(
                one.name.encode() + b"\n" + (one.content or b"") for one in case.inputs
            ).decode()
            found = {word for word in words if re.search(rf"\b{re.escape(word)}", seen)}
            assert not found, case.case_id

    def test_ids_of_cases_are_no_part_of_the_inputs(self, dev):
        for case in dev.cases:
            assert all(case.case_id.encode() not in (one.content or b"") for one in case.inputs)

    def test_a_view_of_a_case_holds_its_prompt_and_names_of_files(self, dev):
        for case in dev.cases[:10]:
            view = task_view(case, Limits())
            assert set(view.__slots__) == {"case_id", "prompt", "files", "limits"}
            assert view.files == tuple((one.name, one.size) for one in case.inputs)
            assert dev.seed not in view.prompt
            assert str(q(case.truth["A1"].balance)) not in view.prompt.replace("1250.00", "")

    def test_an_id_says_nothing_about_what_is_in_the_case(self):
        """Twins, clean and stacked cases stand in no part of the numbering."""
        suite = generate("many", "order", 120)
        places = [i for i, case in enumerate(suite.cases) if case.injection]
        mean = sum(places) / len(places)
        # The mean of 30 of 120 places: 59.5, with a standard deviation of about 5.5.
        assert abs(mean - 59.5) < 4 * 5.5

    def test_an_undetermined_balance_is_printed_nowhere(self, dev):
        for case in dev.cases:
            for account in case.candidate_balances:
                truth = f"{q(case.truth[account].balance)}".encode()
                files = [
                    one
                    for one in case.inputs
                    if one.name.startswith(f"{account}_{case.start:%Y-%m}")
                ]
                assert files
                # Of lines about midnight the printed balance is one of the candidates' own.
                midnight = any(one.id == "cutoff_zone" for one in case.perturbations)
                assert midnight or all(truth not in (one.content or b"") for one in files)


def test_truths_are_exact_and_mostly_have_two_decimals(dev):
    balances = [one.balance for case in dev.cases for one in case.truth.values()]
    assert all(isinstance(one, Decimal) for one in balances)
    assert any(q(one) != one for one in balances)
    assert sum(q(one) == one for one in balances) > len(balances) // 2
