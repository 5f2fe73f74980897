"""Judged texts are data: they come back from the prompt as they went in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical import strict_json
from veridical.errors import ParameterError
from veridical.judge import rendering
from veridical.judge.contracts import CONTRACTS
from veridical.judge.rendering import prompt_hashes, prompt_sources, render, rendered_question
from veridical.judge.verdicts import Failure, Question

anything = st.text(max_size=60) | st.sampled_from(["{{ 7 * 7 }}", "{% raw %}", "\r\n", "=== end"])


@given(anything, anything, st.lists(anything, max_size=3))
def test_the_question_comes_back_from_its_prompt(question, answer, passages):
    named = {f"c{i}": text for i, text in enumerate(passages, 1)}
    asked = Question("groundedness", {"question": question, "answer": answer}, named)
    assert rendered_question(render(asked).messages[1]["content"]) == asked


def test_a_delimiter_that_occurs_is_drawn_again_and_changes_no_hash(monkeypatch):
    asked = Question("refusal", {"question": "q", "answer": "taken"})
    before = render(asked)
    monkeypatch.setattr(rendering, "_marks", lambda _: iter(["taken", "free"]))
    after = render(asked)
    assert "Delimiter: free\n" in after.messages[1]["content"]
    assert (after.prompt_sha256, after.input_sha256) == (before.prompt_sha256, before.input_sha256)


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("role", ["system", "user"])
def test_any_changed_byte_of_a_template_changes_its_hash(contract, role):
    sources = prompt_sources(contract)
    assert strict_json.sha256(sources) == prompt_hashes()[contract]
    hashes = {
        strict_json.sha256({**sources, role: sources[role][:i] + "\x01" + sources[role][i + 1 :]})
        for i in range(len(sources[role]))
    }
    assert len(hashes) == len(sources[role])
    assert prompt_hashes()[contract] not in hashes


def test_language_and_order_are_part_of_the_input():
    fields = {"question": "q", "answer": "a"}
    asked = Question("groundedness", fields, {"c1": "x", "c2": "y"})
    turned = Question("groundedness", fields, {"c2": "y", "c1": "x"})
    hashes = {render(asked).input_sha256, render(turned).input_sha256}
    assert len(hashes | {render(asked, "de").input_sha256}) == 3


def test_what_is_too_long_is_skipped_and_never_cut():
    found = render(Question("refusal", {"question": "q", "answer": "a" * 5000}), limit=5000)
    assert isinstance(found, Failure)
    assert (found.code, found.kind) == ("context_too_long", "skipped")


def test_a_missing_text_and_a_foreign_alias_are_errors():
    with pytest.raises(ParameterError):
        render(Question("completeness", {"question": "q", "answer": "a"}))
    with pytest.raises(ParameterError):
        render(Question("groundedness", {"question": "q", "answer": "a"}, {"c1\nend": "x"}))
