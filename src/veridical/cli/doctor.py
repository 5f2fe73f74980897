"""``veridical doctor``: what this installation can do."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Annotated, Any, Self

from cyclopts import Parameter

from veridical import __version__
from veridical.cli.output import emit, emit_json
from veridical.cli.project_file import find_project_file
from veridical.errors import VeridicalError
from veridical.exit_codes import BAD_DATA, OK
from veridical.extras import install_command, requirements
from veridical.report.visible import visible

__all__ = ["Problem", "doctor"]


def doctor(
    *, json: Annotated[bool, Parameter(show_default=False, help="Print one JSON document.")] = False
) -> int:
    """Say what this installation can do."""
    required = requirements()
    needed = {_name(requirement): requirement for requirement in required.pop(None, ())}
    packages = {name: _version(name) for name in needed}
    extras = {str(extra): _extra(needed) for extra, needed in required.items()}
    problems = [
        Problem(f"{name} is not installed", f"pip install '{needed[name]}'")
        for name, found in packages.items()
        if found is None
    ]
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
        "problems": [asdict(one) for one in problems],
    }
    if json:
        emit_json(report)
    else:
        emit("\n".join(_lines(report)))
    return BAD_DATA if problems else OK


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and one thing to do about it."""

    problem: str
    fix: str

    @classmethod
    def of(cls, error: VeridicalError) -> Self:
        """Return the problem that an error tells, with its place and all that it lists."""
        where = f" ({error.where})" if error.where else ""
        return cls("; ".join([f"{error.what}{where}", *error.listed]), error.fix)


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


def _kernels(problems: list[Problem]) -> str | None:
    try:
        from veridical.kernels.choice import loaded_backend

        return loaded_backend()
    except VeridicalError as error:
        problems.append(Problem.of(error))
    except ImportError as error:
        problems.append(Problem(str(error).split("\n")[0], "install veridical again"))
    return None


def _project(problems: list[Problem]) -> str | None:
    try:
        project = find_project_file()
    except VeridicalError as error:
        problems.append(Problem.of(error))
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
    for one in report["problems"]:
        yield f"problem: {visible(one['problem'])}"
        yield f"  fix: {visible(one['fix'])}"
    if not report["problems"]:
        yield "Everything that is needed is there."
