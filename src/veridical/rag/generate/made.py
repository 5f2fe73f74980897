"""``Generated``: cases as they are written, and the corpus that belongs to them."""

from __future__ import annotations

import random
import re
import secrets
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from veridical.errors import InputError, OutputError, ParameterError
from veridical.rag.cases import Case
from veridical.rag.generate.corpus import Corpus, Document, json_lines
from veridical.writing import check_writable, write_atomically

__all__ = [
    "Asked",
    "Generated",
    "askable",
    "beside",
    "check_count",
    "check_output",
    "drawn",
    "write_generated",
]

_MOST: Final = 100_000
_WORDS_OF_A_TITLE: Final = 8


@dataclass(frozen=True, slots=True)
class Generated:
    """What was made.

    Attributes
    ----------
    cases
        JSON objects in the form of a dataset.
    corpus
        What the pipeline has to answer these cases from; None where it is what was given.
    """

    cases: tuple[Mapping[str, Any], ...]
    corpus: Corpus | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about documents.

    Attributes
    ----------
    question
        Its text.
    sources
        The documents that answer it.
    case_id
        The case that asks it; None where it was made of a title.
    """

    question: str
    sources: tuple[str, ...]
    case_id: str | None = None


def check_output(
    path: str | Path, corpus: Corpus, read: Iterable[str | Path], *, force: bool = False
) -> None:
    """Refuse a file of cases that cannot be written, or would replace somebody's work.

    Parameters
    ----------
    path
        Where the cases go, and their corpus ``beside`` them.
    corpus
        What they are made of.
    read
        Files and folders that must stay as they are.
    force
        Whether cases that are there already are replaced.

    Raises
    ------
    OutputError
        No file can be written there, or there is one.
    ParameterError
        It would replace one that is read.
    """
    target, other = check_writable(path), beside(path, corpus)
    kept = {Path(one).resolve() for one in read}
    for one in (target, other.resolve()):
        if one in kept:
            raise ParameterError(
                f"{one} would replace what it is made of", fix="give another name with -o"
            )
    if target.exists() and not force:
        raise OutputError(
            "the file of cases is there already",
            where=str(path)[:200],
            why="somebody may have corrected its cases by hand",
            fix="give another name with -o, or replace it with --force",
        )


def write_generated(made: Generated, path: str | Path) -> list[Path]:
    """Write cases, and beside them their corpus: a file of lines, or a folder.

    Returns
    -------
    list of Path
        What was written; the cases come last, so that they never stand without their corpus.

    Raises
    ------
    OutputError
        It cannot be written, or a folder is there already that would be.
    """
    written = []
    if made.corpus is not None and made.corpus.is_folder:
        files = {one.id: one.text.encode() for one in made.corpus.documents}
        written.append(_write_folder(beside(path, made.corpus), files))
    elif made.corpus is not None:
        written.append(write_atomically(beside(path, made.corpus), made.corpus.content))
    return [*written, write_atomically(path, json_lines(made.cases))]


def _write_folder(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write a new folder whole or not at all."""
    if folder.exists():
        raise OutputError(
            "there is such a folder already", where=str(folder), fix="remove it, or change -o"
        )
    part = folder.with_name(f".{folder.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        for name, content in files.items():
            file = part / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        part.rename(folder)
    except OSError as error:
        raise OutputError(
            f"the corpus cannot be written: {error.strerror or error}",
            where=str(folder),
            fix="free space, or write somewhere else",
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder


def beside(path: str | Path, corpus: Corpus) -> Path:
    """Return where the corpus of a file of cases goes: ``x.corpus.jsonl``, or ``x.corpus``."""
    ending = "corpus" if corpus.is_folder else "corpus.jsonl"
    return Path(path).with_name(f"{Path(path).stem}.{ending}")


def askable(corpus: Corpus, cases: Sequence[Case]) -> list[Asked]:
    """Return questions about the documents of a corpus.

    Parameters
    ----------
    corpus
        The documents.
    cases
        Of these the ``qa`` cases whose relevant sources are all in the corpus.  Where none are
        given each document that has a title of its own, or begins like no other, is asked for.

    Raises
    ------
    InputError
        None of the cases names a document of the corpus, or no document can be asked for.
    """
    asked = _of_cases(corpus, cases) if cases else _of_titles(corpus)
    if asked:
        return asked
    if cases:
        raise InputError(
            "no qa case has its expected_source_ids in the corpus",
            why=f"the first id of the corpus is {corpus.documents[0].id[:80]!r}",
            fix="give the corpus that the cases were written for, or no --cases",
        )
    raise InputError("no document has a title or a text of its own", fix="give a title to each")


def _of_cases(corpus: Corpus, cases: Sequence[Case]) -> list[Asked]:
    relevant = (
        (case, tuple(id_ for id_, grade in case.expected_sources.items() if grade > 0))
        for case in cases
        if case.kind == "qa"
    )
    return [
        Asked(case.question, sources, case.id)
        for case, sources in relevant
        if sources and all(source in corpus.by_id for source in sources)
    ]


def _of_titles(corpus: Corpus) -> list[Asked]:
    titles = [_title(document) for document in corpus.documents]
    times = Counter(title.casefold() for title in titles)
    return [
        Asked(f"What do the documents say about {title}?", (document.id,))
        for document, title in zip(corpus.documents, titles, strict=True)
        if title and times[title.casefold()] == 1
    ]


def _title(document: Document) -> str:
    words = document.title.split() or document.text.split()[:_WORDS_OF_A_TITLE]
    return re.sub(r"[?.!]+$", "", " ".join(words))


def drawn(seed: int, purpose: str) -> random.Random:
    """Return the source of all draws for one purpose; others draw nothing from it."""
    if seed < 0:
        raise ParameterError(f"a seed is at least 0, not {seed}", fix="correct it")
    return random.Random(f"veridical/{purpose}/{seed}")  # noqa: S311 - draws, no secrets


def check_count(count: int) -> None:
    """Refuse a number of cases that cannot be made."""
    if not 1 <= count <= _MOST:
        raise ParameterError(
            f"the number of cases is from 1 to {_MOST:,}, not {count}", fix="correct it"
        )
