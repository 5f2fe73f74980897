"""``tokenise`` against the tokenisers' definitions, one text at a time."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.texts import ALPHABET, renumbered, texts
from veridical.errors import ParameterError
from veridical.kernels.tokens import as_texts, tokenise
from veridical.overlap.tokenisers import TOKENISERS


def check(given, name):
    found = tokenise(given, name)
    split = [TOKENISERS[name](text) for text in given]
    assert found.lengths.tolist() == [len(tokens) for tokens in split]
    assert found.ids.min(initial=0) == 0
    expected = renumbered(token for tokens in split for token in tokens)
    assert renumbered(found.ids.tolist()) == expected


@given(st.lists(texts, max_size=6), st.sampled_from(sorted(TOKENISERS)))
def test_equal_tokens_and_only_those_have_equal_numbers(given, name):
    check(given, name)


@pytest.mark.parametrize("name", TOKENISERS)
def test_texts_of_every_width_side_by_side(name):
    generator = random.Random(4)
    narrow, latin = ALPHABET[:45], "".join(c for c in ALPHABET if ord(c) < 256)
    words = ["the", "The", "relational", "caf\xe9", "\u4e2d", "x\U0001f600", "1,5", "don't"]
    given = [
        "".join(generator.choices(alphabet, k=generator.randint(0, 30)))
        for _ in range(50)
        for alphabet in (narrow, latin, ALPHABET)
    ]
    given += [" ".join(generator.choices(words, k=9)) for _ in range(100)]
    check(given, name)


@pytest.mark.parametrize("name", TOKENISERS)
def test_a_word_is_the_same_in_a_text_of_any_width(name):
    """Short and long words, read eight letters at once or one by one, and some that hold a NUL."""
    words = ["abcdefghijklmnopq"[:length] for length in range(1, 18)]
    words += [word.upper() for word in words] + [word[:-1] + "\xe9" for word in words]
    words += [
        "a\0",
        "a\0\0",
        "\0a",
        "abcdefgh\0",
        "abcdefg,",
        "abcdefgh,",
        "abcdefghi.",
        "1.5,000.00",
    ]
    given = [
        text for word in words for text in (word, f"{word} \xe9", f"{word} \u0416", f" {word}  x")
    ]
    check([*given, " ".join(words), "\u0416 ".join(words), f"{words[-1]} \U0001f600"], name)


def every_character(codes):
    """Each character alone, inside a word, and beside marks."""
    return [
        text
        for code in codes
        for text in (chr(code), f"a{chr(code)}b", f"1{chr(code)}.", f",{chr(code)}A")
    ]


@pytest.mark.parametrize("name", TOKENISERS)
def test_a_sample_of_all_characters(name):
    check(every_character([*range(256), *range(256, 0x3100, 7)]), name)


@pytest.mark.long
@pytest.mark.parametrize("name", TOKENISERS)
def test_all_characters(name):
    for start in range(0, 0x110000, 0x4000):
        check(every_character(range(start, start + 0x4000)), name)


def test_more_words_than_the_first_table_holds():
    given = [" ".join(f"w{n}" for n in range(start, start + 500)) for start in range(0, 9000, 250)]
    tokens = tokenise(given, "words")
    assert len(set(tokens.ids.tolist())) == 9250
    assert renumbered(tokens.ids.tolist())[-1] == 9249


def test_what_is_no_tokeniser_and_what_is_no_text():
    with pytest.raises(ParameterError, match="'nope'"):
        tokenise(["a"], "nope")
    tokens = tokenise(["a", "b"], "none")
    for bad in ([2], [-1], [0, 2]):
        with pytest.raises(ValueError, match="there are 2"):
            as_texts(bad, tokens)
    assert as_texts([2], tokens, ends=True).tolist() == [2]
