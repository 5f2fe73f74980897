"""Between a ``Run`` and the rows of its tables; and the seal over everything in it."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.results import Result
from veridical.store.run import Run, RunHead, moment, written
from veridical.store.schema import to_column

__all__ = [
    "Packed",
    "StoredParts",
    "check_seal",
    "head_of",
    "pack",
    "result_rows",
    "run_row",
    "seal",
    "unpack",
]

_NOT_SMALLER: Final = 512
_COMPRESSED_ALREADY: Final = b"ARROW1"


class Packed(NamedTuple):
    """Content as it is kept: ``encoding`` says how, ``sha256`` and ``size`` are of the original."""

    encoding: str
    sha256: str
    size: int
    content: bytes


def pack(content: bytes) -> Packed:
    """Return content as it is kept: compressed where that helps.

    Examples
    --------
    >>> packed = pack(b"again and " * 1000)
    >>> packed.encoding, len(packed.content) < 200, unpack(packed) == b"again and " * 1000
    ('zlib', True, True)
    """
    digest, size = hashlib.sha256(content).hexdigest(), len(content)
    if size < _NOT_SMALLER or content.startswith(_COMPRESSED_ALREADY):
        return Packed("none", digest, size, content)
    return Packed("zlib", digest, size, zlib.compress(content, 3))


def unpack(packed: Packed, where: str = "") -> bytes:
    """Return what was packed.

    Raises
    ------
    FileFormatError
        It is damaged: it does not have its hash.
    """
    if {type(packed.content), type(packed.size)} != {bytes, int}:
        raise _damaged(where)  # a column of SQLite holds a value of any type
    content = packed.content
    if packed.encoding == "zlib":
        try:  # never more than it says, so that a small file cannot fill the memory
            content = zlib.decompressobj().decompress(content, max(packed.size, 0) + 1)
        except zlib.error as error:
            raise _damaged(where) from error
    elif packed.encoding != "none":
        raise _damaged(where)
    if len(content) != packed.size or hashlib.sha256(content).hexdigest() != packed.sha256:
        raise _damaged(where)
    return content


def _damaged(where: str) -> FileFormatError:
    return FileFormatError(
        "what is stored does not have its hash: it was damaged or changed",
        where=where,
        why="numbers from it would mean nothing",
        fix="see what else is damaged with `veridical runs verify`",
    )


class StoredParts(Mapping[str, bytes]):
    """The parts of a run, each read when it is asked for, and kept."""

    def __init__(self, hashes: Mapping[str, str], read: Callable[[str], bytes]) -> None:
        self.hashes = dict(hashes)
        self._read = read
        self._held: dict[str, bytes] = {}

    def __getitem__(self, name: str) -> bytes:
        if name not in self.hashes:
            raise KeyError(name)
        if name not in self._held:
            self._held[name] = self._read(name)
        return self._held[name]

    def __contains__(self, name: object) -> bool:
        return name in self.hashes

    def __iter__(self) -> Iterator[str]:
        return iter(self.hashes)

    def __len__(self) -> int:
        return len(self.hashes)


def seal(head: RunHead, hashes: Mapping[str, str]) -> str:
    """Return the hash over everything in a run: its head, and its parts by their hashes."""
    described = {**head.to_dict(), "sha256": None}
    return strict_json.sha256({"schema": "veridical.run/1", **described, "parts": dict(hashes)})


def check_seal(head: RunHead, hashes: Mapping[str, str]) -> None:
    """Refuse a run whose head or parts are not those that were sealed.

    Raises
    ------
    FileFormatError
        It was damaged or changed; a running one has no seal yet.
    """
    if head.state != "running" and seal(head, hashes) != head.sha256:
        raise _damaged(head.label)


def run_row(run: RunHead) -> dict[str, Any]:
    """Return the columns of a run."""
    return {
        "id": run.id,
        "name": run.name,
        "kind": run.kind,
        "state": run.state,
        "created": written(run.created),
        "data_sha256": run.data_sha256,
        "n_results": run.n_results,
        "sha256": run.sha256,
    }


def head_of(row: Any, tags: tuple[str, ...]) -> RunHead:
    """Return the head of a run from its columns.

    Raises
    ------
    FileFormatError
        The row is damaged.
    """
    try:
        created = moment(row.created)
    except (TypeError, ValueError) as error:
        raise FileFormatError(
            f"the time of a run is none: {ascii(row.created)[:60]}",
            where=str(row.id)[:80],
            fix="see what else is damaged with `veridical runs verify`",
        ) from error
    return RunHead(
        id=row.id,
        name=row.name,
        tags=tags,
        kind=row.kind,
        state=row.state,
        created=created,
        data_sha256=row.data_sha256,
        n_results=row.n_results,
        sha256=row.sha256,
    )


def result_rows(run: Run) -> list[dict[str, Any]]:
    """Return what lists and trends look for, one row a result."""
    return [_result_row(run.id, at, result) for at, result in enumerate(run.results)]


def _result_row(run_id: str, position: int, result: Result) -> dict[str, Any]:
    interval = result.interval
    return {
        "run_id": run_id,
        "position": position,
        "metric": to_column(result.metric),
        "subject": to_column(result.subject),
        "slice": to_column(result.group),
        "value": result.value,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "n": result.n,
        "skip": None if result.ok else str(result.reason),
    }
