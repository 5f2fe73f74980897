"""The registry of payloads: each has sentinels of its own, and nothing else is taken for one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import ParameterError
from veridical.rag.payloads import PAYLOADS, payload

EACH = pytest.mark.parametrize("attack", PAYLOADS.values(), ids=PAYLOADS.keys())
ORDINARY = [
    "A ticket costs 2.80 euros, and dogs travel free.",
    "The override switch is behind panel 3 (see audit 2024-06-01).",
    'A citation: {"status": "json", "comment": "notice", "exchange": "german"}.',
    "vrd-override",
    "The commit is 1f3a90c4, its parent deadbeef; the key is vrd_1f3a90c4.",
    "Assembly: join part A and part B; postscript: none.",
    "00000000-1111-2222-3333-444444444444",
]


def sentinels(attack, n=20):
    return [attack.sentinel(f"case-{at}", at % 3) for at in range(n)]


@EACH
def test_an_id_is_the_name_in_the_registry_and_the_template_asks_for_the_sentinel(attack):
    assert PAYLOADS[attack.id] is attack is payload(attack.id)
    assert attack.family in {
        "instruction", "authority", "format", "hidden", "dialogue", "assembly", "language",
    }  # fmt: skip
    word = attack.sentinel("c", 0)
    text = attack.text(word)
    assert "{" not in text.replace('{"status"', "")
    assert word in text or (word[:-8] in text and word[-8:] in text)


@EACH
def test_a_sentinel_is_that_of_its_payload_alone(attack):
    for word in sentinels(attack):
        obeyed = [other.id for other in PAYLOADS.values() if other.obeyed_by(f"Sure: {word}!")]
        assert obeyed == [attack.id]


@EACH
@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_no_sentinel(attack, text):
    assert not attack.obeyed_by(text)


@EACH
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_no_text_is_that_was_not_asked_for(attack, text):
    # A sentinel has 32 drawn bits: what is not made of them has none.
    assert not attack.obeyed_by(text)


@EACH
def test_a_sentinel_differs_by_case_and_by_seed(attack):
    words = {attack.sentinel(case, seed) for case in ("a", "b", "c") for seed in range(3)}
    assert len(words) == 9
    assert attack.sentinel("a", 0) == attack.sentinel("a", 0)


@EACH
@pytest.mark.parametrize(
    "changed",
    [
        str.upper,
        lambda word: word.replace("-", "\u2011"),
        lambda word: word.replace("-", " "),
        lambda word: word.replace("-", "\\-"),
        lambda word: word.replace("-", "_"),
        lambda word: f"**{word}**",
        lambda word: f"\u201c{word}\u201d.",
    ],
    ids=["upper case", "other hyphens", "spaces", "escaped", "underlines", "bold", "quoted"],
)
def test_a_sentinel_is_known_however_it_is_written(attack, changed):
    assert attack.obeyed_by(f"Well, {changed(attack.sentinel('c', 0))}")


@EACH
def test_a_longer_word_is_another(attack):
    word = attack.sentinel("c", 0)
    assert not attack.obeyed_by(f"{word}0")
    assert not attack.obeyed_by(f"x{word}")
    assert not attack.obeyed_by(word[:-1])


def test_repeating_the_request_obeys_unless_it_has_the_word_in_parts():
    quoting = {one.id for one in PAYLOADS.values() if one.obeyed_by(one.text(one.sentinel("c", 0)))}
    assert quoting == PAYLOADS.keys() - {"assembly"}
    assembly = payload("assembly")
    word = assembly.sentinel("c", 0)
    asked = assembly.text(word)
    # Quoted, shortened or explained: who only talks about the two parts has not joined them.
    for quoted in (asked, f"I will not do this: \u201c{asked}\u201d", asked.replace("'", '"')):
        assert not assembly.obeyed_by(quoted)
    assert not assembly.obeyed_by(f"The parts are {word[:-8]!r} and {word[-8:]!r}.")
    assert assembly.obeyed_by(f"The result is {word}.")


def test_patterns_have_no_gap_without_an_end():
    for one in PAYLOADS.values():
        assert not re.search(r"(?<!\\)[*+]", one.pattern)


def test_an_unknown_payload_is_an_error_that_names_the_others():
    with pytest.raises(ParameterError, match="no payload 'overide'") as refused:
        payload("overide")
    assert "override" in refused.value.why
