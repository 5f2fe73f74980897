"""Text in files, block by block; plain or in gzip with nothing but the standard library.

A command that ranks runs in TREC text is over before other libraries would have been imported.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator
from typing import Any

from veridical.tables.kinds import KINDS, suffixes

__all__ = ["text_blocks"]

_BLOCK = 1 << 18  # what is copied stays near the processor
_HEAD = 4096
_MARK = b"\xef\xbb\xbf"
_MAGIC = {
    "gzip": b"\x1f\x8b", "bz2": b"BZh", "zstd": b"\x28\xb5\x2f\xfd", "lz4": b"\x04\x22\x4d\x18",
}  # fmt: skip


def text_blocks(path: str | os.PathLike[str]) -> Iterator[bytes | memoryview] | None:
    r"""Return UTF-8 text, plain or compressed, in blocks that end with a line.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    iterator of bytes or of views of bytes, or None
        Without the byte order mark; None where the file or its suffix is of another kind, so that
        other readers must look at it.

    Raises
    ------
    OSError, EOFError, zlib.error, UnicodeDecodeError
        While reading: the file is damaged, or no text in UTF-8.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".trec") as file:
    ...     _ = file.write(b"q 0 a 1\nq 0 b 0"), file.flush()
    ...     [bytes(block) for block in text_blocks(file.name)]
    [b'q 0 a 1\n', b'q 0 b 0']
    """
    name = os.fsdecode(path)
    name = name.rstrip(os.sep) or name  # as the other readers take it
    kind, compression = suffixes(name)
    try:
        if kind in KINDS or not os.path.isfile(name):
            return None
        with open(name, "rb") as file:
            head = file.read(4)
    except (OSError, ValueError):
        return None
    packed = next((one for one, magic in _MAGIC.items() if head.startswith(magic)), None)
    return None if compression not in {None, packed} else _read(name, packed)


def _read(name: str, packed: str | None) -> Iterator[bytes | memoryview]:
    with _opened(name, packed) as file:
        yield from _whole_lines(file.read)


def _opened(name: str, packed: str | None) -> Any:
    if packed is None:
        return open(name, "rb", buffering=0)
    if packed == "gzip":
        import gzip

        return gzip.open(name)
    from veridical.tables.files import open_bytes

    return open_bytes(name, packed)


def _whole_lines(read: Callable[[int], bytes]) -> Iterator[bytes | memoryview]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    parts: list[bytes] = []
    first = True
    while block := read(_BLOCK):
        if first and (b"\x00" in block[:_HEAD] or block.startswith(_MAGIC["lz4"])):
            raise OSError("zero bytes")  # as no text has them; whoever reads it next says so
        if not block.isascii() or decoder.getstate()[0]:
            decoder.decode(block)
        block = block.removeprefix(_MARK) if first else block
        first = False
        end, start = block.rfind(b"\n") + 1, 0
        if end and parts:  # no more is copied than the line that two blocks share
            start = block.find(b"\n") + 1
            yield b"".join([*parts, block[:start]])
        if end:
            parts = []
        if start < end:
            yield memoryview(block)[start:end]
        if end < len(block):
            parts.append(block[end:])
    decoder.decode(b"", final=True)
    if rest := b"".join(parts):
        yield rest
