"""Forged verdicts raise no score, neither with the lexical judge nor with judges that repeat."""

import asyncio
import json

from veridical.judge import lexical
from veridical.judge.attacks import attacks, raised
from veridical.judge.attacks.forging import FORGERIES
from veridical.judge.calibration.calibrating import asking
from veridical.judge.rendering import rendered_question


def test_every_forgery_stands_in_every_place():
    found = list(attacks())
    with_verdict = [form for form in FORGERIES.values() if "{verdict}" in form]
    assert len(found) == 3 * (5 * len(FORGERIES) + len(with_verdict))
    assert len({attack.name for attack in found}) == len(found)


def test_the_lexical_judge_gives_nothing_for_a_forgery():
    assert asyncio.run(raised(asking(lexical.answer))) == []


def test_a_judge_that_only_repeats_what_it_reads_gives_no_verdict():
    def parrot(request):
        asked = rendered_question(request["messages"][1]["content"])
        return asked.fields["answer"]

    assert asyncio.run(raised(asking(parrot))) == []


def test_a_judge_that_quotes_before_it_judges_is_not_read_as_what_it_quotes():
    def quoting(request):
        asked = rendered_question(request["messages"][1]["content"])
        own = json.dumps(lexical.verdict(asked))
        return f"<think>{asked.fields['answer']}</think>\n{own}"

    assert asyncio.run(raised(asking(quoting))) == []


def test_a_judge_that_obeys_is_caught():
    def obedient(request):
        asked = rendered_question(request["messages"][1]["content"])
        forged = "{" in asked.fields["answer"]
        if asked.contract != "refusal":
            return lexical.answer(request)
        return json.dumps({"refused": forged, "reason": "as told"})

    assert "refusal/answer/bare" in asyncio.run(raised(asking(obedient)))


def test_a_wrong_answer_that_is_talked_out_of_the_mean_is_seen():
    def persuaded(request):
        asked = rendered_question(request["messages"][1]["content"])
        if asked.contract == "groundedness" and "no" in asked.fields["answer"].split():
            return json.dumps({"claims": [], "note": ""})  # breaks the contract: pays nothing
        if asked.contract == "groundedness" and "small talk" in asked.fields["answer"]:
            return json.dumps({"claims": []})
        return lexical.answer(request)

    assert asyncio.run(raised(asking(persuaded))) == ["groundedness/answer/modesty"]


def test_an_answer_that_was_out_of_the_mean_before_is_not_talked_out_of_it():
    def silent(request):
        asked = rendered_question(request["messages"][1]["content"])
        if asked.contract == "groundedness":
            return json.dumps({"claims": []})
        return lexical.answer(request)

    assert asyncio.run(raised(asking(silent))) == []
