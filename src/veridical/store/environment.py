"""Where a run was made: versions and the commit, and nothing about whose machine it was."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from importlib import metadata
from typing import Any

__all__ = ["environment", "git_state"]

_LIBRARIES = ("numpy", "scipy", "pyarrow", "narwhals", "pandas", "polars")
_PATIENCE_S = 5.0
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


def environment() -> dict[str, Any]:
    """Return platform and versions; no host name, no user, no variable of the environment.

    A library counts if it is loaded: what is merely installed computed nothing.
    """
    from veridical import __version__, kernels

    versions = {name: _version(name) for name in _LIBRARIES if name in sys.modules}
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "machine": platform.machine(),
        "kernels": kernels.backend(),
        "versions": {"veridical": __version__, **versions},
    }


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"


def git_state() -> dict[str, Any] | None:
    """Return the commit of the working directory, and whether tracked files differ from it.

    None outside of a repository, before its first commit, or where git does not answer in time.
    """
    git = shutil.which("git")
    if git is None:
        return None
    # A repository may name programs that git would run for it; a file watcher is one of them.
    safely = [git, "--no-optional-locks", "-c", "core.fsmonitor=false"]
    words = ["status", "--porcelain=v2", "--branch", "--untracked-files=no", "--no-renames"]
    try:
        answer = subprocess.run(  # noqa: S603 - our own words, no shell
            [*safely, *words],
            capture_output=True,
            check=False,
            timeout=_PATIENCE_S,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if answer.returncode != 0:
        return None
    lines = answer.stdout.decode("utf-8", "replace").splitlines()
    commit = next((x.split()[-1] for x in lines if x.startswith("# branch.oid ")), "")
    if not _COMMIT.fullmatch(commit):
        return None
    return {"commit": commit, "dirty": any(line[:1] not in {"#", ""} for line in lines)}
