"""``read_corpus``: the documents that a pipeline answers from."""

from __future__ import annotations

import errno
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Final

from veridical import strict_json
from veridical.errors import FileFormatError, FileMissingError
from veridical.rag.answer_fields import BadAnswerError, identifier

__all__ = ["Corpus", "Document", "json_lines", "read_corpus"]

_IDS: Final = ("id", "_id", "doc_id", "document_id", "docno")
_TEXTS: Final = ("text", "contents", "content", "body")
_SUFFIXES: Final = {".md", ".txt"}
_HEADING: Final = re.compile(r"^#[ \t]+(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """One document.

    Attributes
    ----------
    id
        Distinct in its corpus.
    text
        What it says.
    title
        What it is about, or "".
    record
        The object that it was read from, under the names that its file has, so that a corpus which
        is written again can be read by whatever read the first.
    """

    id: str
    text: str
    title: str
    record: Mapping[str, Any]

    def copied(self, copy_id: str, text: str) -> Document:
        """Return a copy under another id and with another text."""
        names = _name_in(self.record, _IDS), _name_in(self.record, _TEXTS)
        record = {**self.record, names[0]: copy_id, names[1]: text}
        return Document(copy_id, text, self.title, record)


@dataclass(frozen=True)
class Corpus:
    """Documents in the order of their file, or of their paths in a folder.

    Attributes
    ----------
    documents
        With distinct ids.
    is_folder
        Whether they are files of a folder; their ids are then the paths in it.
    """

    documents: tuple[Document, ...]
    is_folder: bool = False

    @cached_property
    def by_id(self) -> Mapping[str, Document]:
        """Each document by its id."""
        return {document.id: document for document in self.documents}

    @cached_property
    def content(self) -> bytes:
        """One JSON object a line: the file that it is written as, unless it is a folder."""
        return json_lines(document.record for document in self.documents)

    @cached_property
    def sha256(self) -> str:
        """Hash of these lines."""
        return hashlib.sha256(self.content).hexdigest()

    def of(self, documents: Iterable[Document]) -> Corpus:
        """Return a corpus of the same kind with other documents."""
        found = tuple(documents)
        if self.is_folder:
            found = tuple(sorted(found, key=lambda one: PurePosixPath(one.id).parts))
        return replace(self, documents=found)

    def copy_id(self, document_id: str, number: int) -> str:
        """Return an id for a copy that no document has; a file keeps its ending.

        Examples
        --------
        >>> Corpus((), is_folder=True).copy_id("fees/cards.md", 3)
        'fees/cards-copy-0003.md'
        """
        mark = f"-copy-{number:04d}"
        while True:
            path = PurePosixPath(document_id)
            wanted = f"{document_id}{mark}"
            if self.is_folder:
                wanted = str(path.with_name(f"{path.stem}{mark}{path.suffix}"))
            if wanted not in self.by_id:
                return wanted
            mark += "x"


def json_lines(records: Iterable[Mapping[str, Any]]) -> bytes:
    """Return objects as a file of JSON, one a line."""
    text = "".join(f"{strict_json.dumps(record, indent=None)}\n" for record in records)
    # A lone surrogate has no UTF-8 form, and its backslash form is what JSON calls it.
    return text.encode("utf-8", "backslashreplace")


def read_corpus(path: str | Path) -> Corpus:
    """Return the documents of a file or a folder.

    Parameters
    ----------
    path
        A file of JSON objects, one a line, with ``id`` (or ``_id``, ``doc_id``, ``document_id``,
        ``docno``), ``text`` (or ``contents``, ``content``, ``body``) and perhaps ``title``; or a
        folder, of which every ``.md`` and ``.txt`` file is a document under its path; its title is
        its first heading, or its name.

    Raises
    ------
    FileMissingError
        There is no such file or folder.
    FileFormatError
        A line is no document, an id stands twice, or there is no document at all.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
    ...     _ = file.write(b'{"docno": "fees", "text": "A card costs 18 euros."}'), file.flush()
    ...     [one.id for one in read_corpus(file.name).documents]
    ['fees']
    """
    source = Path(path)
    seen: dict[str, str] = {}
    documents = []
    for where, document in _of_folder(source) if source.is_dir() else _of_file(source):
        if document.id in seen:
            raise FileFormatError(
                f"the id {document.id[:80]!r} stands twice",
                where=where,
                why=f"it stands in {seen[document.id]} too",
                fix="give each document an id of its own",
            )
        seen[document.id] = where
        documents.append(document)
    if not documents:
        raise FileFormatError(
            "the corpus has no document",
            where=str(path)[:200],
            fix="write one JSON object a line, or give a folder of .md and .txt files",
        )
    return Corpus((), source.is_dir()).of(documents)


def _of_folder(folder: Path) -> Iterator[tuple[str, Document]]:
    for file in folder.rglob("*"):
        if file.suffix.lower() in _SUFFIXES and file.is_file():
            name = file.relative_to(folder).as_posix()
            text = _decoded(_content(file), str(file))
            heading = _HEADING.search(text) if file.suffix.lower() == ".md" else None
            title = heading[1].strip() if heading else file.stem
            yield str(file), Document(name, text, title, {"id": name, "text": text})


def _of_file(file: Path) -> Iterator[tuple[str, Document]]:
    for number, line in enumerate(_content(file).split(b"\n"), 1):
        where = f"{file}:{number}"
        text = _decoded(line, where)
        if not text.strip():
            continue
        try:
            record = strict_json.loads(text)
        except FileFormatError as error:
            error.where = where
            raise
        yield where, _document(record, where)


def _content(file: Path) -> bytes:
    try:
        if file.is_char_device():
            raise OSError(errno.EINVAL, "it is a device, which may have no end")
        return file.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except FileNotFoundError:
        raise FileMissingError(
            "there is no such corpus", where=str(file)[:200], fix="give a file or a folder"
        ) from None
    except (OSError, ValueError) as error:
        raise FileFormatError(
            f"the corpus cannot be read: {getattr(error, 'strerror', None) or error}",
            where=str(file)[:200],
            fix="give a file that can be read",
        ) from error


def _decoded(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileFormatError(
            "this is not UTF-8", where=where, fix="save the corpus as UTF-8"
        ) from error


def _document(record: Any, where: str) -> Document:
    if not isinstance(record, dict):
        raise FileFormatError(
            "a corpus has one JSON object a line", where=where, fix="correct the line"
        )
    text, title = record.get(_name_in(record, _TEXTS)), record.get("title")
    try:
        document_id = identifier(record.get(_name_in(record, _IDS)), "the document")
        if not isinstance(text, str):
            raise BadAnswerError("the document has no text")
    except BadAnswerError as error:
        raise FileFormatError(
            error.what,
            where=where,
            why=f"the columns are {', '.join(map(repr, record))[:200] or 'none'}",
            fix=f"name them {_IDS[0]} and {_TEXTS[0]}",
        ) from None
    return Document(document_id, text, title if isinstance(title, str) else "", record)


def _name_in(record: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in record), names[0])
