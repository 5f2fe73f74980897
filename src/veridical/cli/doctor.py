"""``veridical doctor``: what this installation can do."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from typing import Annotated, Any

from cyclopts import Parameter

from veridical import __version__
from veridical.cli.output import emit, emit_json
from veridical.cli.project_file import find_project_file
from veridical.errors import VeridicalError
from veridical.exit_codes import BAD_DATA, OK
from veridical.extras import install_command, requirements

__all__ = ["doctor"]


def doctor(
    *, json: Annotated[bool, Parameter(show_default=False, help="Print one JSON document.")] = False
) -> int:
    """Say what this installation can do."""
    required = requirements()
    packages = {name: _version(name) for name in map(_name, required.pop(None, ()))}
    extras = {str(extra): _extra(needed) for extra, needed in required.items()}
    problems = [f"{name} is not installed" for name, found in packages.items() if found is None]
    kernels = _kernels(problems)
    project = _project(problems)
    report = {
        "schema": "veridical.doctor/1",
        "veridical": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "kernels": kernels,
        "project_file": project,
        "packages": packages,
        "extras": extras,
        "problems": problems,
    }
    if json:
        emit_json(report)
    else:
        emit("\n".join(_lines(report)))
    return BAD_DATA if problems else OK


def _name(requirement: str) -> str:
    return re.split(r"[<>=!~\[ (]", requirement, maxsplit=1)[0]


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _extra(needed: Iterable[str]) -> dict[str, Any]:
    """Return what an extra brings, and whether all of it is there."""
    packages = {name: _version(name) for name in map(_name, needed)}
    return {"installed": None not in packages.values(), "packages": packages}


def _kernels(problems: list[str]) -> str | None:
    try:
        from veridical.kernels.choice import loaded_backend

        return loaded_backend()
    except (VeridicalError, ImportError) as error:
        problems.append(str(error).split("\n")[0])
        return None


def _project(problems: list[str]) -> str | None:
    try:
        project = find_project_file()
    except VeridicalError as error:
        problems.append(str(error).split("\n")[0])
        return None
    return None if project is None else str(project.path)


def _lines(report: dict[str, Any]) -> Iterator[str]:
    slow = "" if report["kernels"] == "compiled" else " (the same numbers, slower)"
    facts = {
        "veridical": report["veridical"],
        "python": f"{report['python']} ({sys.executable})",
        "platform": report["platform"],
        "kernels": f"{report['kernels'] or 'unusable'}{slow}",
        "settings": report["project_file"] or "no project file",
    }
    yield from (f"{name.ljust(12)}{fact}" for name, fact in facts.items())
    yield ""
    for name, version in report["packages"].items():
        yield f"{name.ljust(12)}{version or 'MISSING'}"
    yield ""
    for extra, entry in report["extras"].items():
        state = "installed" if entry["installed"] else f"absent: {install_command(extra)}"
        yield f"extra {extra.ljust(10)} {state}"
    yield ""
    yield from (f"problem: {problem}" for problem in report["problems"])
    if not report["problems"]:
        yield "Everything that is needed is there."
