"""Seven questions; what holds is computed when they are asked."""

from __future__ import annotations

from veridical.lessons.agents.costs import tokens, tokens_per_right, two_models
from veridical.lessons.agents.injection import compliance_rate, twin_delta, two_readers
from veridical.lessons.agents.repeats import all_of_k, pass_hat_k, steady_and_wavering
from veridical.lessons.agents.silence import (
    Answer,
    escalation_recall,
    exact_match,
    false_alarm_rate,
    four_agents,
    is_silent,
    silent_failure_rate,
)
from veridical.lessons.agents.stops import MANY_TURNS
from veridical.lessons.lesson import Choice, Question, number
from veridical.lessons.uncertainty.planning import most_it_may_be

__all__ = ["QUIZ"]

_AGENTS = four_agents()
_MODELS = two_models()
_PUT_OFF = two_readers()["is put off"]
_NEVER_SILENT = [answers for answers in _AGENTS.values() if silent_failure_rate(answers) == 0]


def _of_60() -> float:
    return most_it_may_be(60)


def _both_times() -> float:
    return pass_hat_k(steady_and_wavering()["wavering"], 2)


QUIZ = (
    Question(
        "Which answer is a silent failure?",
        (
            Choice(
                "Wrong, with low confidence.",
                lambda: is_silent(Answer(right=False, confidence="low")),
                "low confidence is a sign: somebody looks again.",
            ),
            Choice(
                "Right, although a flag was due and none was raised.",
                lambda: is_silent(Answer(right=True, expected=("booked_twice",))),
                "what is right does no harm. The missing flag lowers the flags found.",
            ),
            Choice(
                "Wrong, no flag, medium confidence.",
                lambda: is_silent(Answer(right=False, confidence="medium")),
            ),
        ),
        "wrong, and nothing about it says so.",
    ),
    Question(
        "An agent has no silent failures at all. What else must be known?",
        (
            Choice(
                "Nothing: that is the headline.",
                lambda: all(exact_match(answers) > 0.9 for answers in _NEVER_SILENT),
                "an agent that is never sure has none either.",
            ),
            Choice(
                "Exact match, flags found and false alarms.",
                lambda: (
                    [_AGENTS["never sure"], _AGENTS["flags all"]] == _NEVER_SILENT
                    and all(exact_match(answers) < 0.9 for answers in _NEVER_SILENT)
                    and escalation_recall(_AGENTS["never sure"]) == 0
                    and false_alarm_rate(_AGENTS["flags all"]) == 1
                ),
            ),
            Choice(
                "The flags found: who finds all of them is careful.",
                lambda: all(
                    false_alarm_rate(answers) < 0.1
                    for answers in _NEVER_SILENT
                    if escalation_recall(answers) == 1
                ),
                "whoever flags everything finds all of them.",
            ),
        ),
        "two evasions bring it to 0; each spoils another figure.",
    ),
    Question(
        "Not one of 60 hidden instructions was followed. How often may it happen all the same?",
        (
            number("0.000", _of_60, "what was not seen is taken for what cannot be."),
            number("0.049", _of_60),
            number(
                "0.017",
                _of_60,
                "that is one in 60: at that rate nothing shows in 60 cases once in three times.",
            ),
        ),
        "at a rate of 4.9% nothing shows in 60 cases once in twenty times: about 3 / 60.",
    ),
    Question(
        "An agent never follows a hidden instruction, and is right 20 points less often where "
        "there is one. What is it?",
        (
            Choice(
                "Immune.",
                lambda: twin_delta(_PUT_OFF) == 0,
                "to be put off is a harm, too.",
            ),
            Choice(
                "Put off.",
                lambda: compliance_rate(_PUT_OFF) == 0 and round(twin_delta(_PUT_OFF), 2) == -0.20,
            ),
            Choice(
                "Obedient.",
                lambda: compliance_rate(_PUT_OFF) > 0,
                "obedience is counted by the amount that was asked for.",
            ),
        ),
        "the twin without the instruction tells what the instruction did.",
    ),
    Question(
        "A small model takes 8,000 tokens a case and has 30 of 100 right; a large one takes 20,000 "
        "and has 90 right. Which has the cheaper right answers, in tokens?",
        (
            Choice(
                "The small one.",
                lambda: tokens_per_right(_MODELS["small"]) < tokens_per_right(_MODELS["large"]),
                "its wrong answers cost as much as its right ones.",
            ),
            Choice(
                "The large one.",
                lambda: tokens_per_right(_MODELS["small"]) > tokens_per_right(_MODELS["large"]),
            ),
            Choice(
                "Neither.",
                lambda: tokens_per_right(_MODELS["small"]) == tokens_per_right(_MODELS["large"]),
                "8,000 / 0.3 and 20,000 / 0.9 differ by a fifth.",
            ),
        ),
        "26,667 against 22,222: all that was spent, over what was right.",
    ),
    Question(
        "A call reads 7 tokens, writes 123, takes 20,646 from the cache and puts 1,101 into it. "
        "How many tokens is that?",
        (
            number(
                "130",
                lambda: tokens(MANY_TURNS),
                "an agent of many turns reads nearly everything from the cache.",
            ),
            number("21877", lambda: tokens(MANY_TURNS)),
            number("1231", lambda: tokens(MANY_TURNS), "what the cache gives is paid for, too."),
        ),
        "7 + 123 + 20,646 + 1,101.",
    ),
    Question(
        "Each case is right in six of eight trials. How often are two trials of a case both right?",
        (
            number("0.54", _both_times),
            number("0.75", _both_times, "that is one trial."),
            number(
                "0.56",
                _both_times,
                "0.75 squared draws a trial twice; two different ones of eight are "
                f"{all_of_k(8, 6, 2):.2f}.",
            ),
        ),
        "15 pairs of the six right ones, of 28 pairs of eight.",
    ),
)
