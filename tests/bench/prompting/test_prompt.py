"""What an agent is told: complete, the same for every case, and held by its hashes."""

import hashlib
import json
import re
import unicodedata

import pytest

from veridical import strict_json
from veridical.bench.locking import computed_lock, shipped_lock
from veridical.bench.prompting import (
    hashes,
    policy_text,
    prompt_for,
    prompt_template,
    task_view,
    tool_schemas,
)
from veridical.bench.submissions.parsing import parse
from veridical.bench.suites import generate
from veridical.bench.vocabulary import VOCABULARY

FLAGS = [
    "duplicate_transaction",
    "missing_transaction",
    "unmatched_transaction",
    "amount_mismatch",
    "sign_error",
    "cutoff_ambiguity",
    "opening_balance_mismatch",
    "balance_discontinuity",
    "returned_item",
    "stale_item",
    "currency_conflict",
    "ambiguous_amount",
    "incomplete_data",
    "suspicious_instruction",
]


def test_the_vocabulary_is_the_closed_list_of_fourteen_in_its_order():
    assert list(VOCABULARY) == FLAGS


def test_the_prompt_shows_policy_and_vocabulary_verbatim():
    prompt = prompt_template()
    assert policy_text() in prompt
    for name, meaning in VOCABULARY.items():
        assert f"- {name}: {meaning}\n" in prompt
    assert [int(n) for n in re.findall(r"^(\d+)\. ", policy_text(), re.MULTILINE)] == [
        *range(1, 11)
    ]


def test_every_place_of_the_template_is_filled():
    assert re.findall(r"\{[a-z]+\}", prompt_template()) == ["{files}"]


def test_the_example_in_the_prompt_parses():
    example = re.search(r'\{"accounts".*?"notes": "optional"\}', prompt_template(), re.DOTALL)
    parsing = parse(example[0])
    assert parsing.reason is None


def test_the_hash_is_that_of_the_text_without_a_case():
    text = prompt_template()
    assert text == unicodedata.normalize("NFC", text)
    assert "\r" not in text
    assert hashes()["prompt_sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_another_seed_leaves_the_prompt_hash_alone():
    before = hashes()
    suites = [generate("mine", seed, 8) for seed in ("one", "another")]
    assert suites[0].manifest_sha256 != suites[1].manifest_sha256
    assert hashes() == before


def test_a_case_adds_names_and_sizes_of_its_files_and_nothing_else(dev):
    case = dev.cases[0]
    listing = "\n".join(f"- {one.name} ({one.size} bytes)" for one in case.inputs)
    head, tail = prompt_template().split("{files}")
    assert prompt_for(case) == head + listing + tail


def test_the_task_holds_no_word_about_how_the_case_was_made(dev):
    for case in dev.cases:
        task = task_view(case)
        seen = json.dumps(
            [task.case_id, task.files, task.prompt.replace(prompt_template()[:-9], "")]
        )
        assert case.seed not in seen
        assert case.template_id not in seen
        for one in case.perturbations:
            assert one.id not in seen
        for balances in case.candidate_balances.values():
            assert not any(str(balance) in seen for balance in balances)


def test_the_schema_of_submit_asks_for_what_the_parser_wants():
    submit = next(one for one in tool_schemas() if one["name"] == "submit")["parameters"]
    pattern = submit["properties"]["accounts"]["items"]["properties"]["closing_balance"]["pattern"]
    for text in ("1250.00", "-3", "0.123456", "1,250.00", "1e3", "+1", ".5", "1.1234567"):
        document = {
            "accounts": [{"account_id": "A1", "closing_balance": text, "currency": "GBP"}],
            "flags": [],
            "confidence": "low",
        }
        assert (re.match(pattern, text) is not None) == (parse(json.dumps(document)).reason is None)
    assert [one["name"] for one in tool_schemas()] == ["list_files", "read_file", "submit"]


@pytest.mark.parametrize("name", sorted(hashes()))
def test_the_lock_holds_every_hash_of_what_agents_are_told(name):
    assert shipped_lock()[name] == hashes()[name]


LOCKS = {"1.0.0": "3502571c4897a9880dcb4eed829d1cb88f50d9a2ad23ab8bbd53036c7ab1dc95"}
"""Version of the bench to the hash of its lock: a version is added, and none is changed."""


def test_a_version_of_the_bench_means_one_lock():
    """Scores of one version are compared: whoever writes the lock anew needs another version."""
    assert strict_json.sha256(shipped_lock()) == LOCKS[shipped_lock()["bench_version"]]


def test_the_lock_is_what_is_computed_from_all_that_is_installed():
    """A difference is another version of the bench; `tools/bench_lock.py` writes its lock."""
    assert shipped_lock() == computed_lock()
