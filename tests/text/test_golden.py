"""Text overlap: worked numbers, the golden cases, other programs' published values."""

import json

import pytest

import veridical as vd
from veridical.errors import InputError, MismatchError, UnsupportedTypeError

REFERENCE = "The meeting was moved to Friday because the manager is sick."


def value(metric, candidates, references):
    return vd.measure(metric, candidates, references, intervals=False).value


@pytest.fixture(scope="module")
def cases(shared):
    path = shared / "golden" / "retrieval_text_cases.json"
    every = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return {case["id"]: (case["input"], case["expected"]) for case in every}


@pytest.fixture(scope="module")
def sacrebleu_cases(shared):
    path = shared / "data" / "sacrebleu" / "sacrebleu_cases.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "bleu", "rouge"),
    [
        (
            "Since the boss is ill, the team rescheduled the meeting for Friday.",
            0.15851165692617156,
            0.2608695652173913,
        ),
        (REFERENCE.replace("Friday", "Monday"), 0.733365826056299, 0.9090909090909091),
        (REFERENCE, 1.0, 1.0),
    ],
)
def test_wording_is_not_truth(text, bleu, rouge):
    assert value("text.bleu", [text], [REFERENCE]) == pytest.approx(bleu, abs=1e-15)
    assert value("text.rouge_l", [text], [REFERENCE]) == pytest.approx(rouge, abs=1e-15)


def test_short_worked_texts(cases):
    assert value("text.rouge_l", ["a b c d"], ["a c d e"]) == 0.75
    given, expected = cases["txt-06-bleu-clipping"]
    one = "bleu,order=1,tokeniser=none"
    assert value(one, ["the the the the"], ["the cat is here"]) == 0.25
    assert value(one, [given["hyp"]], [given["ref"]]) == pytest.approx(expected["p1"], abs=1e-15)


def test_bleu_variants_are_explicit(cases):
    given, expected = cases["txt-01-bleu-short-identical"]
    strict = "corpus_bleu,tokeniser=none,smoothing=none,effective_order=no"
    loose = "corpus_bleu,tokeniser=none,effective_order=yes"
    pair = [given["hyp"]], [given["ref"]]
    assert 100 * value(loose, *pair) == expected["exp_smoothing_effective_order"]
    assert 100 * value(strict, *pair) == expected["no_smoothing_no_effective_order"]
    given, expected = cases["txt-04-bleu-exp-smoothing"]
    pair = [given["hyp"]], [given["ref"]]
    assert 100 * value("corpus_bleu", *pair) == pytest.approx(expected["exp"], abs=1e-9)
    assert value("corpus_bleu,smoothing=none", *pair) == expected["none"]


@pytest.mark.parametrize("metric", ["bleu", "corpus_bleu", "chrf", "rouge_1", "rouge_l"])
def test_an_empty_candidate_scores_nothing(metric):
    assert value(metric, [""], ["the cat"]) == 0.0


def test_rouge_cases(cases):
    given, expected = cases["txt-08-rougeL-order"]
    for score in ("precision", "recall", "f1"):
        found = value(f"rouge_l,score={score}", [given["hyp"]], [given["ref"]])
        assert found == pytest.approx(expected[score], abs=1e-15)
    given, expected = cases["txt-09-rouge-empty"]
    for metric in ("rouge_1", "rouge_2", "rouge_l"):
        assert [value(metric, [a], [b]) for a, b in given["pairs"]] == expected["f1"]
    given, expected = cases["txt-11-rouge-unicode"]
    for name, key in (
        ("rouge_1", "unicode_tokeniser"),
        ("rouge_1,tokeniser=rouge_score", "rouge_score_compat_ascii_tokeniser"),
    ):
        assert [value(name, [a], [b]) for a, b in given["pairs"]] == expected[key]
    given, expected = cases["txt-13-rouge-stemmer"]
    pair = [given["hyp"]], [given["ref"]]
    assert value("rouge_1", *pair) == expected["no_stemmer_f1"]
    assert value("rouge_1,tokeniser=rouge_score_stemmed", *pair) == expected["porter_f1"]
    given, expected = cases["txt-14-rouge-case-punct"]
    found = value("rouge_1,tokeniser=rouge_score", [given["hyp"]], [given["ref"]])
    assert found == expected["f1"]


def test_chrf_of_identical_text(cases):
    given, expected = cases["txt-15-chrf-identical"]
    assert 100 * value("chrf", [given["hyp"]], [given["ref"]]) == expected["chrf"]
    assert value("chrf", ["a"], ["a"]) == 1.0


@pytest.mark.parametrize(
    "metric", ["bleu", "corpus_bleu", "chrf", "rouge_1", "rouge_l", "rouge_lsum"]
)
@pytest.mark.parametrize(
    "text", ["สวัสดีครับ", "我喜欢你。", "مرحبا بالعالم", "こんにちは", "नमस्ते दुनिया"]
)
def test_identical_text_scores_one_in_any_script(metric, text):
    assert value(metric, [text], [text]) == 1.0
    assert value("ter", [text], [text]) == 0.0


def test_a_script_without_spaces_is_split_and_the_conditions_say_so():
    result = vd.measure("corpus_bleu", ["我喜欢你们"], ["我喜欢他们"], intervals=False)
    assert result.conditions["tokeniser"] == "13a_characters"
    assert 0 < result.value < 1
    assert vd.measure("corpus_bleu", ["a"], ["a"]).conditions["tokeniser"] == "13a"


def test_corpus_bleu_of_sacrebleus_own_tests(sacrebleu_cases):
    streams = sacrebleu_cases["corpus_bleu"]
    assert len(streams) == 5
    for case in streams:
        arguments = dict(case["args"])
        given = {
            "tokeniser": arguments.pop("tokenize", "13a"),
            "smoothing": arguments.pop("smooth_method", "exp"),
        }
        assert not arguments
        references = [list(own) for own in zip(*case["refs"], strict=True)]
        metric = vd.text.corpus_bleu(effective_order="no", **given)
        assert 100 * value(metric, case["hyps"], references) == pytest.approx(
            case["score"], abs=1e-5
        )
    case = sacrebleu_cases["max_ngram_order_2dp"]
    references = [list(own) for own in zip(*case["refs"], strict=True)]
    for order, score in case["scores"].items():
        metric = vd.text.corpus_bleu(order=int(order), effective_order="no")
        assert round(100 * value(metric, case["hyps"], references), 2) == score


def test_raw_bleu_of_sacrebleus_own_tests(sacrebleu_cases):
    metric = vd.text.corpus_bleu(
        tokeniser="none", smoothing="floor", floor=0.01, effective_order="yes"
    )
    for case in sacrebleu_cases["raw_bleu_floor_0.01"]:
        references = [list(own) for own in zip(*case["refs"], strict=True)]
        found = value(metric, case["hyps"], references)
        assert found == pytest.approx(case["score_over_100"], abs=1e-6)


def test_sentence_bleu_of_sacrebleus_own_tests(sacrebleu_cases):
    for case in sacrebleu_cases["sentence_bleu_effective_order"]:
        metric = vd.text.bleu(
            tokeniser=case.get("tokenize", "13a"),
            smoothing=case["smooth"],
            effective_order="yes",
            case="lower" if case.get("lowercase") else "mixed",
        )
        if case.get("value") is not None:
            value_name = {"floor": "floor", "add-k": "added"}[case["smooth"]]
            metric = metric(**{value_name: case["value"]})
        found = 100 * value(metric, [case["hyp"]], [case["ref"]])
        assert found == pytest.approx(case["score"], abs=case.get("tol", 1e-6)), case


def test_chrf_of_sacrebleus_own_tests(sacrebleu_cases):
    for case in sacrebleu_cases["chrf_order6_beta3"]:
        metric = vd.text.chrf(beta=3, effective_order="no" if case["eps_smoothing"] else "yes")
        found = 100 * value(metric, case["hyps"], case["refs"])
        assert found == pytest.approx(case["score"], abs=case.get("tol", 1e-4)), case
    for case in sacrebleu_cases["sentence_chrf_eps_default_beta"]:
        found = 100 * value("chrf,effective_order=no", [case["hyp"]], [case["ref"]])
        assert found == pytest.approx(case["score"], abs=1e-6)


def test_values_of_the_original_rouge(shared):
    path = shared / "data" / "rouge" / "rouge155_cases.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    names = {
        "rouge1": "rouge_1",
        "rouge2": "rouge_2",
        "rougeL": "rouge_l",
        "rougeLsum": "rouge_lsum",
    }
    parts = {"p": "precision", "r": "recall", "f": "f1"}
    tokenisers = {"no_stemmer": "rouge_score", "stemmer": "rouge_score_stemmed"}
    compared = 0
    for pair in document["pairs"]:
        for kind, split in tokenisers.items():
            for name, scores in pair.get(kind, {}).items():
                for part, expected in scores.items():
                    metric = f"{names[name]},tokeniser={split},score={parts[part]}"
                    found = value(metric, [pair["prediction"]], [pair["target"]])
                    assert found == pytest.approx(expected, abs=document["tol"])
                    compared += 1
    assert compared > 20


def test_the_signature_is_sacrebleus():
    result = vd.measure("corpus_bleu", ["a b c d"], [["a b c d", "a b"]], intervals=False)
    version = f"version:veridical-{vd.__version__}"
    expected = f"nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|{version}"
    assert result.conditions["signature"] == expected


def test_what_does_not_fit_is_refused():
    with pytest.raises(MismatchError, match="3 candidates and 2 references"):
        vd.evaluate_text(["a", "b", "c"], ["a", "b"])
    with pytest.raises(MismatchError, match="transposed"):
        vd.evaluate_text(["a", "b", "c"], [["a", "b", "c"], ["d", "e", "f"]])
    with pytest.raises(UnsupportedTypeError, match="list of texts"):
        vd.evaluate_text("a", ["a"])
    with pytest.raises(InputError, match="NoneType"):
        vd.evaluate_text([None], ["a"])
    with pytest.raises(InputError, match="no reference"):
        vd.evaluate_text(["a"], [[]])


def test_no_segment_is_skipped():
    for name in ("bleu", "corpus_bleu", "chrf", "ter", "rouge_1", "rouge_lsum"):
        assert str(vd.measure(name, [], []).reason) == "no_rows"


def test_one_line_is_one_sentence_and_a_note_says_so():
    assert "no_line_break" in vd.measure("rouge_lsum", ["a. b."], ["a. b."]).notes
    assert "no_line_break" not in vd.measure("rouge_lsum", ["a.\nb."], ["a.\nb."]).notes


def test_several_systems():
    ev = vd.evaluate_text({"x": ["a b"], "y": ["a c"]}, ["a b"], ["rouge_1"], intervals=False)
    assert ev["x", "rouge_1"].value == 1.0
    assert ev["y", "rouge_1"].value == 0.5
