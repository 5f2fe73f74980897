"""The detector on the lines that it was not tuned on, and on text that means it ill."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rag.refusals.measuring import counts, lines
from veridical.rag.refusals import LANGUAGES, refused
from veridical.rag.refusals.detector import _table
from veridical.rag.refusals.reading import LIMIT, opening, plain

# A failing test shows its lines: none of the held-out half may be among them.
TUNED = [one for language in LANGUAGES for one in lines(language) if not one.held_out]
DECLINING = [line for line in TUNED if line.refused]
USUAL = [
    json.loads(row)
    for row in (Path(__file__).parent / "usual.jsonl").read_text(encoding="utf-8").splitlines()
]
ANSWERS = {
    "de": "Die Frist beträgt 30 Tage.",
    "en": "The return period is 30 days.",
    "es": "El plazo es de 30 días.",
    "fr": "Le délai est de 30 jours.",
    "hi": "वापसी की अवधि 30 दिन है।",
    "it": "Il termine è di 30 giorni.",
    "ja": "返品期間は30日間です。",
    "nl": "De termijn is 30 dagen.",
    "pt": "O prazo é de 30 dias.",
    "zh": "退货期限是三十天整。",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_lines_of_both_kinds_on_both_sides(language):
    own = list(lines(language))
    assert len(own) >= 40
    assert len({line.text for line in own}) == len(own)
    for half in (True, False):
        labels = [line.refused for line in own if line.held_out is half]
        assert min(labels.count(True), labels.count(False)) >= 8


@pytest.mark.parametrize("told", [False, True])
def test_f1_on_the_held_out_half(told):
    assert counts(*LANGUAGES, held_out=True, told=told).f1 >= 0.9
    each = {one: counts(one, held_out=True, told=told).f1 for one in LANGUAGES}
    assert min(each.values()) >= 0.8, each


def test_what_assistants_usually_say():
    assert [row for row in USUAL if refused(row["text"]) is not row["refused"]] == []


def test_a_refusal_followed_by_an_answer_is_an_answer():
    start = "I could not find X in the manual"
    assert refused(f"{start}.")
    assert not refused(f"{start}, but the return period is 30 days.")
    assert not refused(f"{start}. The return period is 30 days.")
    assert not refused(f"{start}. Sorry. However, the return period is 30 days.")
    assert not refused(f"{start}; the return period is 30 days.")
    assert not refused(f"Although {start}, the return period is 30 days.")
    assert refused(f"{start}, but you can ask the service desk.")


def test_any_refusal_with_an_answer_behind_it_is_an_answer():
    followed = [(f"{line.text} {ANSWERS[line.language]}", line.language) for line in DECLINING]
    assert [text for text, language in followed if refused(text, language)] == []


def test_only_the_first_two_sentences_may_refuse():
    assert refused("Hm. I don't know.")
    assert not refused("Hm. Well now. I don't know.")


@pytest.mark.parametrize("mark", ["[1]", "[c1][c2]", "(doc-3)", "【4†source】", "[^2]", "[1, 3]"])
def test_citations_are_not_seen(mark):
    assert plain(f"we open at nine {mark}.").split() == ["we", "open", "at", "nine", "."]
    assert refused(f"The documents {mark} do not {mark} say {mark}.")
    assert not refused(f"I do not find it in the manual {mark}. It is 12 mm wide {mark}.")


def test_what_is_quoted_is_not_said():
    assert not refused('The sign reads "we cannot answer this" [1].')
    assert not refused("The screen shows `no information available` while it updates.")
    assert refused('"I don\'t know."')  # the answer is nothing but the quotation
    assert refused('The documents do not mention "free parking".')


@pytest.mark.parametrize(
    "decorated",
    [
        lambda text: "\u200f\u202b" + "\u200b ".join(text.split(" ")) + "\ufeff",
        lambda text: "## Answer\n\n" + text,
        lambda text: "- **" + text.replace("*", "") + "**\n",
        lambda text: text.replace("'", "\u2019"),
        lambda text: text + " [7][c2] ",
        lambda text: text.replace(" ", "\u00a0"),
    ],
)
def test_decoration_does_not_change_the_verdict(decorated):
    assert [one.text for one in TUNED if refused(decorated(one.text)) is not one.refused] == []


def test_no_refusal_is_without_a_cue():
    # Cues only save time: where the phrases match, there is one.
    for line in DECLINING:
        beginning = " ".join(opening(line.text)[:2])
        for code in LANGUAGES:
            table = _table(code)
            assert table.cued(beginning) or not table.refusal.search(beginning), line


def test_full_width_letters_and_marks_are_ordinary_ones():
    assert refused(
        "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in "I do not know.")
    )
    assert refused("抱歉\uff0c资料中没有相关信息\uff01")
    assert refused("抱歉, 资料中没有相关信息!")


def test_patterns_and_texts_take_letters_apart_in_the_same_way():
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert refused(unicodedata.normalize(form, "दस्तावेज़ में इसका कोई ज़िक्र नहीं है।"), "hi")
        assert refused(
            unicodedata.normalize(form, "El texto no dice nada; no tengo información."), "es"
        )


def test_a_language_selects_its_table():
    assert refused("Das weiß ich nicht.", "de")
    assert refused("Das weiß ich nicht.", "de_AT")
    assert not refused("Das weiß ich nicht.", "it")
    assert refused("Das weiß ich nicht.", "tlh")  # no table of its own: each is tried


def test_nothing_is_no_refusal():
    for text in ("", "  \n", "\u200b\u200f", "...", "[1]", "\ud800", "?" * 50, "**", "🙂"):
        assert not refused(text)


class Counted(str):
    """A text that counts how many of its characters are looked at."""

    __slots__ = ("looked",)

    def __iter__(self):
        self.looked = 0
        for letter in str.__iter__(self):
            self.looked += 1
            yield letter


def test_only_the_beginning_of_a_long_text_is_read():
    text = Counted("I do not know. " + "The sources say nothing. " * 400_000)
    assert len(text) == 10_000_015
    assert refused(text)
    assert text.looked <= LIMIT + 101
    assert refused("\u200b" * 100_000 + "I do not know.")
    # What NFKC makes longer is cut again: here eighteen letters of one.
    assert len(plain("\ufdfa" * LIMIT)) <= LIMIT


def test_the_last_sentence_counts_where_the_text_ends_with_it():
    # What is not seen, and white space at the end, do not make a text one that goes on.
    answered = "I do not know. " + "The sources say nothing. " * 100 + "The fee is 30 euros."
    assert len(answered) < LIMIT
    for unseen in (answered, answered.replace(" ", " \u200b\u200b\u2060"), answered + " " * LIMIT):
        assert opening(unseen)[-1] == "the fee is 30 euros."
        assert not refused(unseen)
    exactly = answered.rjust(LIMIT).replace(" ", ".", LIMIT - len(answered))
    assert len(exactly) == LIMIT
    assert opening(exactly)[-1] == "the fee is 30 euros."
    # One that does go on is not judged by half a sentence.
    assert opening(exactly[1:] + " And")[-1] == "the fee is 30 euros."
    assert opening(exactly[4:] + " And a half")[-1] == "the fee is 30 euros."


@given(
    st.lists(
        st.sampled_from(
            ["no ", "documents ", "i cannot ", "(1, 2", "[", '"', "但", "ません", "नहीं ", "not; "]
        )
        | st.text(max_size=3),
        max_size=60,
    )
)
def test_any_text_has_a_verdict(parts):
    assert refused("".join(parts)) in {True, False}


def test_gaps_of_patterns_are_bounded():
    # What makes a regular expression slow is a gap without an end, or one within another.
    for code in LANGUAGES:
        phrases = _table(code)
        for pattern in (phrases.refusal, phrases.filler, phrases.turn, phrases.concession):
            assert "{0,}" not in pattern.pattern
            for endless in (".*", ".+", "]*", "]+", ")*", ")+", r"\s+", r"\s*"):
                assert endless not in pattern.pattern, (code, endless)
