"""A suite as folders: what an agent may see apart from what is true."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from veridical import strict_json
from veridical.bench.suites.generating import Suite
from veridical.errors import OutputError

__all__ = ["write_suite"]


def write_suite(suite: Suite, folder: str | Path) -> Path:
    """Write ``manifest.json``, and for each case ``inputs/`` and ``truth/case.json``.

    Parameters
    ----------
    folder
        Must not exist.  It appears whole or not at all.

    Raises
    ------
    OutputError
        It exists, or cannot be written.
    """
    target = Path(folder).absolute()
    if os.path.lexists(target):
        raise OutputError("the folder of the suite exists", where=str(folder), fix="name a new one")
    try:
        return _written(suite, target)
    except OSError as error:
        raise OutputError(
            f"the suite cannot be written: {error.strerror or error}",
            where=str(folder),
            fix="free space, or name a folder elsewhere",
        ) from error


def _written(suite: Suite, target: Path) -> Path:
    made = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}-", dir=target.parent))
    try:
        for case in suite.cases:
            inputs, truth = (made / case.case_id / name for name in ("inputs", "truth"))
            inputs.mkdir(parents=True)
            truth.mkdir()
            for one in case.inputs:
                (inputs / one.name).write_bytes(one.content or b"")
            _json(truth / "case.json", case.to_dict())
        _json(made / "manifest.json", suite.manifest())
        made.chmod(0o755)
        made.rename(target)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return target


def _json(path: Path, document: object) -> None:
    path.write_bytes((strict_json.dumps(document) + "\n").encode())
