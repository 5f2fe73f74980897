"""Runs in one portable file: the same runs give the same bytes, and nothing in it is trusted.

The file is a ZIP archive without compression and without times: ``manifest.json`` names every other
entry with its hash; each part of a run is an entry of its own, the documents readable JSON.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError, MismatchError, VeridicalError
from veridical.store.attempts import UNIT_STATES
from veridical.store.records import result_rows, seal
from veridical.store.run import (
    CONTEXT,
    DOCUMENT,
    KINDS,
    STATES,
    SUMMARIES,
    UNITS,
    Run,
    checked_name,
    checked_tags,
    is_id,
    moment,
    written,
)

__all__ = ["ATTEMPT_FIELDS", "UNIT_FIELDS", "Archived", "read_archive", "write_archive"]

_SCHEMA: Final = "veridical.runs/1"
_MANIFEST: Final = "manifest.json"
_LEDGER: Final = "ledger"
_PARTS: Final = frozenset({DOCUMENT, CONTEXT, SUMMARIES, UNITS})
_LARGEST: Final = 4 << 30
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
UNIT_FIELDS: Final = ("key", "position", "state", "payload_sha256", "claims")
ATTEMPT_FIELDS: Final = (
    "key", "n", "outcome", "error", "cost", "started", "ended", "artefact_sha256",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Archived:
    """One run as it stands in a file.

    Attributes
    ----------
    run
        The run with all its parts.
    units, attempts
        Its ledger, as columns.
    artefacts
        What the attempts produced, by hash.
    """

    run: Run
    units: Sequence[Mapping[str, Any]] = ()
    attempts: Sequence[Mapping[str, Any]] = ()
    artefacts: Mapping[str, bytes] | None = None


def write_archive(archived: Iterable[Archived]) -> bytes:
    """Return the file of some runs.

    Raises
    ------
    MismatchError
        One of them is still running.
    """
    entries: dict[str, bytes] = {}
    described = []
    for one in sorted(archived, key=lambda one: one.run.id):
        run = one.run
        if run.sha256 is None:
            raise MismatchError(
                "the run is still running", where=run.label, fix="export it when it has ended"
            )
        entries |= {f"runs/{run.id}/{name}": content for name, content in run.parts.items()}
        if one.units:
            ledger = {"units": list(one.units), "attempts": list(one.attempts)}
            entries[f"runs/{run.id}/{_LEDGER}"] = strict_json.canonical(ledger)
        entries |= {f"artefacts/{name}": content for name, content in (one.artefacts or {}).items()}
        described.append(run.to_dict())
    manifest = {
        "schema": _SCHEMA,
        "runs": described,
        "entries": {
            name: {"sha256": _digest(content), "size": len(content)}
            for name, content in entries.items()
        },
    }
    entries[_MANIFEST] = strict_json.canonical(manifest)
    return _zipped(entries)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _zipped(entries: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as file:
        for name in sorted(entries):
            entry = zipfile.ZipInfo(name)  # without the time, the bytes depend on the runs alone
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            file.writestr(entry, entries[name])
    return buffer.getvalue()


def read_archive(path: str | os.PathLike[str]) -> list[Archived]:
    """Return the runs of a file, every hash recomputed.

    Raises
    ------
    FileMissingError
        There is no such file.
    FileFormatError
        It is no such file, or was damaged or changed.
    """
    where = str(path)
    try:
        content = _read(Path(path))
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            return _runs(_entries(file))
    except FileMissingError:
        raise
    except (
        VeridicalError, zipfile.BadZipFile, AttributeError, KeyError, TypeError, ValueError,
        OverflowError, RuntimeError, EOFError, OSError, RecursionError,
    ) as error:  # fmt: skip
        what = error.what if isinstance(error, VeridicalError) else f"{error}"
        raise FileFormatError(
            f"the file was damaged or changed, or is something else: {what}"[:300],
            where=where[:200],
            why="nothing was imported",
            fix="export the runs again",
        ) from error


def _read(path: Path) -> bytes:
    if not path.is_file():
        raise FileMissingError("there is no such file", where=str(path)[:200], fix="check the path")
    if path.stat().st_size > _LARGEST:
        raise FileFormatError(
            f"it is larger than {_LARGEST:,} bytes", fix="export the runs in several files"
        )
    return path.read_bytes()


def _entries(file: zipfile.ZipFile) -> dict[str, bytes]:
    """Return what the manifest names, and nothing else may be there."""
    infos = {info.filename: info for info in file.infolist()}
    _require(len(infos) == len(file.infolist()), "an entry stands twice")
    _require(_MANIFEST in infos, "it has no manifest")
    _require(
        all(info.compress_type == zipfile.ZIP_STORED for info in infos.values()),
        "an entry is compressed",
    )
    held = file.read(_MANIFEST)
    manifest = strict_json.loads(held)
    _require(manifest["schema"] == _SCHEMA, f"its schema is not {_SCHEMA}")
    _require(strict_json.canonical(manifest) == held, "its manifest is not canonical")
    _require(infos.keys() - {_MANIFEST} == manifest["entries"].keys(), "entries come or go")
    entries = {_MANIFEST: held}
    for name, stated in manifest["entries"].items():
        entries[name] = file.read(name)
        same = len(entries[name]) == stated["size"] and _digest(entries[name]) == stated["sha256"]
        _require(same, f"{name[:100]} does not have its hash")
    return entries


def _runs(entries: dict[str, bytes]) -> list[Archived]:
    manifest = strict_json.loads(entries.pop(_MANIFEST))
    archived = [_run(described, entries) for described in manifest["runs"]]
    _require(not entries, f"{next(iter(entries), '')[:100]} belongs to no run")
    _require(len({one.run.id for one in archived}) == len(archived), "a run stands twice")
    return archived


def _run(described: Mapping[str, Any], entries: dict[str, bytes]) -> Archived:
    """Return one run, taking its entries out of the whole."""
    run_id, name = described["id"], described["name"]
    _require(isinstance(run_id, str) and is_id(run_id), "a run has an id that is none")
    prefix = f"runs/{run_id}/"
    parts = {
        key.removeprefix(prefix): entries.pop(key)
        for key in list(entries)
        if key.startswith(prefix)
    }
    ledger = strict_json.loads(parts.pop(_LEDGER, b'{"attempts":[],"units":[]}'))
    _require({DOCUMENT, CONTEXT} <= parts.keys() <= _PARTS, "a run lacks a part, or has another")
    run = Run(
        id=run_id,
        name=None if name is None else checked_name(name),
        tags=checked_tags(described["tags"]),
        kind=described["kind"],
        state=described["state"],
        created=moment(described["created"]),
        data_sha256=_hash(described["data_sha256"]),
        n_results=described["n_results"],
        sha256=described["sha256"],
        parts=parts,
    )
    hashes = {key: _digest(content) for key, content in parts.items()}
    _require(run.to_dict() == dict(described), "a run is not written as it should be")
    _require(run.kind in KINDS and run.state in STATES, "a run is of no known kind or state")
    _require(run.state != "running", "a run is still running")
    _require(seal(run, hashes) == run.sha256, f"run {run_id} does not have its hash")
    _require(len(result_rows(run)) == run.n_results, "a run has other results than it says")
    _ = (run.settings, run.environment, run.left_out, run.git, run.seed, run.summaries, run.units)
    units = [_unit(one) for one in ledger["units"]]
    attempts = [_attempt(one) for one in ledger["attempts"]]
    artefacts = {}
    for sha256 in {one["artefact_sha256"] for one in attempts} - {None}:
        key = f"artefacts/{sha256}"
        artefacts[sha256] = entries.pop(key)
        _require(_digest(artefacts[sha256]) == sha256, f"{key} does not have its hash")
    return Archived(run, units, attempts, artefacts)


def _unit(data: Mapping[str, Any]) -> dict[str, Any]:
    _require(tuple(sorted(data)) == tuple(sorted(UNIT_FIELDS)), "a unit has other fields")
    _require(data["state"] in UNIT_STATES, "a unit is in no known state")
    _require(_is_key(data["key"]), "the key of a unit is none")
    _require(all(_is_count(data[name]) for name in ("position", "claims")), "a count that is none")
    _hash(data["payload_sha256"], optional=False)
    running = data["state"] == "running"  # whoever worked on it is not here
    return {**data, "state": "pending" if running else data["state"]}


def _attempt(data: Mapping[str, Any]) -> dict[str, Any]:
    _require(tuple(sorted(data)) == tuple(sorted(ATTEMPT_FIELDS)), "an attempt has other fields")
    _require(_is_key(data["key"]) and _is_count(data["n"]), "an attempt at no unit")
    texts = (data["outcome"], data["error"] or "", data["cost"] or "")
    _require(all(isinstance(text, str) and "\0" not in text for text in texts), "a text is none")
    for name in ("started", "ended"):
        _require(written(moment(data[name])) == data[name], "a time is none")
    _hash(data["artefact_sha256"])
    return dict(data)


def _is_key(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 500 and "\0" not in value


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 31


def _hash(value: Any, *, optional: bool = True) -> str | None:
    if value is None and optional:
        return None
    _require(isinstance(value, str) and len(value) <= 64 and value.isprintable(), "a hash is none")
    return str(value)


def _require(holds: bool, what: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise FileFormatError(what, fix="export the runs again")
