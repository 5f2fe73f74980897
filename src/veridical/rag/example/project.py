"""The files of the project, and how they come into a folder: all of them, or none."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from veridical.errors import OutputError

__all__ = ["project_files", "write_project"]

_HERE: Final = Path(__file__).parent
# The configuration comes last: where it stands, all that it speaks of does.
_FILES: Final = (
    "my_rag/__init__.py",
    "my_rag/answering.py",
    "my_rag/bm25.py",
    "my_rag/by_meaning.py",
    "documents.jsonl",
    "cases.jsonl",
    "veridical.yaml",
)


def project_files() -> dict[str, bytes]:
    """Return the content of each file by its path within the project."""
    return {name: (_HERE / name).read_bytes() for name in _FILES}


def write_project(folder: str | Path, *, force: bool = False) -> list[Path]:
    """Write the project into a folder.

    Parameters
    ----------
    folder
        Is made where it is not there.
    force
        Whether files of the same names may be replaced.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    OutputError
        A file would be replaced, or cannot be written: then everything is as it was before.
    """
    _refuse_replacing(Path(folder), force=force)
    try:
        target = Path(os.path.realpath(folder))
        with ExitStack() as undo:
            _write(target, undo)
            undo.pop_all()
    except (OSError, ValueError) as error:
        raise OutputError(
            f"the project cannot be written: {getattr(error, 'strerror', None) or error}",
            where=str(folder)[:200],
            fix="free space or change permissions, or name another folder",
        ) from error
    return [Path(folder) / name for name in _FILES]


def _refuse_replacing(folder: Path, *, force: bool) -> None:
    for name in _FILES:
        place = folder / name
        if os.path.lexists(place) and (place.is_dir() or not force):
            raise OutputError(
                f"the folder has {name} already",
                where=str(folder)[:200],
                why="it may be somebody's work",
                fix="name another folder, or replace files of these names with --force",
            )


def _write(target: Path, undo: ExitStack) -> None:
    """Write all files beside their places, then move them there; ``undo`` knows the way back."""
    for folder in (*reversed(target.parents), target, target / "my_rag"):
        if not folder.is_dir():
            folder.mkdir()
            undo.callback(folder.rmdir)
    # In the folder itself, because a rename is atomic only within one file system.
    draft = target / f".veridical-{secrets.token_hex(4)}.part"
    draft.mkdir()
    undo.callback(shutil.rmtree, draft)
    for at, content in enumerate(project_files().values()):
        (draft / f"{at}").write_bytes(content)
    for at, name in enumerate(_FILES):
        place, old = target / name, draft / f"{at}.old"
        if os.path.lexists(place):
            place.rename(old)
            undo.callback(old.rename, place)
        (draft / f"{at}").rename(place)
        undo.callback(place.unlink)
    shutil.rmtree(draft, ignore_errors=True)
