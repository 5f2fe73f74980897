"""A model folder of a few kilobytes with random weights, and its forward pass in plain loops."""

import json
import math

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "moon", "is", "yellow"]
WORDS += ["friday", "monday", "not", "very"]
SHAPE = {"layers": 2, "heads": 2, "size": 8, "wide": 12, "positions": 20}


def write(folder, *, seed=0, prefix="", **config):
    """Write the folder of a BERT, or of a RoBERTa where ``model_type`` says so."""
    folder.mkdir(parents=True, exist_ok=True)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    words = {word: at for at, word in enumerate(special + WORDS)}
    tokeniser = Tokenizer(models.WordPiece(words, unk_token="[UNK]"))  # noqa: S106 - a word
    tokeniser.normalizer = normalizers.BertNormalizer()
    tokeniser.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokeniser.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokeniser.enable_truncation(3)  # as folders often have it: what is here must not decide
    tokeniser.enable_padding()
    tokeniser.save(str(folder / "tokenizer.json"))
    settings = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "num_hidden_layers": SHAPE["layers"],
        "num_attention_heads": SHAPE["heads"],
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": SHAPE["positions"],
        "pad_token_id": 0,
        **config,
    }
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    weights = random_weights(len(words), seed)
    save_file({prefix + name: one for name, one in weights.items()}, folder / "model.safetensors")
    return folder


def random_weights(words, seed):
    """Return weights by the names of the model's own library."""
    generator = np.random.default_rng(seed)
    size, wide = SHAPE["size"], SHAPE["wide"]
    shapes = {
        "embeddings.word_embeddings.weight": (words, size),
        "embeddings.position_embeddings.weight": (SHAPE["positions"], size),
        "embeddings.token_type_embeddings.weight": (2, size),
    }
    norms = ["embeddings.LayerNorm"]
    for at in range(SHAPE["layers"]):
        name = f"encoder.layer.{at}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes[f"{name}.attention.{part}.weight"] = (size, size)
            shapes[f"{name}.attention.{part}.bias"] = (size,)
        shapes[f"{name}.intermediate.dense.weight"] = (wide, size)
        shapes[f"{name}.intermediate.dense.bias"] = (wide,)
        shapes[f"{name}.output.dense.weight"] = (size, wide)
        shapes[f"{name}.output.dense.bias"] = (size,)
        norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
    for norm in norms:
        shapes[f"{norm}.weight"] = shapes[f"{norm}.bias"] = (size,)
    return {k: generator.normal(size=shape).astype(np.float32) for k, shape in shapes.items()}


def states_by_loops(weights, ids, layers, first_position=0):
    """Return the vectors of one text's tokens, written token by token and head by head."""
    w = {name: one.astype(np.float64) for name, one in weights.items()}
    heads, size = SHAPE["heads"], SHAPE["size"]
    width = size // heads

    def normal(x, name):
        z = (x - x.mean()) / math.sqrt(((x - x.mean()) ** 2).mean() + 1e-12)
        return z * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(x, name):
        return w[f"{name}.weight"] @ x + w[f"{name}.bias"]

    def gelu(x):
        return np.array([v * 0.5 * (1 + math.erf(v / math.sqrt(2))) for v in x])

    xs = [
        normal(
            w["embeddings.word_embeddings.weight"][token]
            + w["embeddings.position_embeddings.weight"][first_position + at]
            + w["embeddings.token_type_embeddings.weight"][0],
            "embeddings.LayerNorm",
        )
        for at, token in enumerate(ids)
    ]
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        attention = f"{name}.attention.self"
        q, k, v = ([linear(x, f"{attention}.{p}") for x in xs] for p in ("query", "key", "value"))
        after = []
        for at, x in enumerate(xs):
            seen = np.zeros(size)
            for head in range(heads):
                part = slice(head * width, (head + 1) * width)
                likeness = [float(q[at][part] @ one[part]) / math.sqrt(width) for one in k]
                share = [math.exp(one) for one in likeness]
                for weight, one in zip(share, v, strict=True):
                    seen[part] += weight / sum(share) * one[part]
            met = normal(
                x + linear(seen, f"{name}.attention.output.dense"),
                f"{name}.attention.output.LayerNorm",
            )
            wide = linear(gelu(linear(met, f"{name}.intermediate.dense")), f"{name}.output.dense")
            after.append(normal(met + wide, f"{name}.output.LayerNorm"))
        xs = after
    return np.array(xs)
