"""``callable``: a function ``run(task, tools)`` of somebody's module."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from veridical.errors import ConfigurationError

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import AgentResult, Tools
    from veridical.bench.cases import TaskView

__all__ = ["CallableAgent"]


class CallableAgent:
    """An agent that is a function.

    Parameters
    ----------
    target
        ``"module:function"``; the module is looked for in the working directory, then where
        Python looks.
    name, version
        As reports show them; the version is the caller's to change.

    Raises
    ------
    ConfigurationError
        There is no such function.
    """

    def __init__(self, target: str, name: str | None = None, version: str = "1") -> None:
        self._function = _found(target)
        self.name = name or target
        self.version = version
        self.config: Mapping[str, Any] = {"kind": "callable", "target": target}

    def run(self, task: TaskView, tools: Tools) -> AgentResult:
        """Call the function."""
        result: AgentResult = self._function(task, tools)
        return result


def _found(target: str) -> Callable[..., Any]:
    module_name, colon, function = target.partition(":")
    if not (module_name and colon and function):
        raise ConfigurationError(
            f"{target[:80]!a} is no function", fix="write module:function, such as mine:run"
        )
    if (here := os.getcwd()) not in sys.path:  # noqa: PTH109 - sys.path holds strings
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module_name), function)
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(
            f"{target[:80]!a} cannot be imported: {type(error).__name__}",
            why=ascii(str(error))[:200],
            fix="name a module beside you, or one that is installed",
        ) from error
    if not callable(found):
        raise ConfigurationError(f"{target[:80]!a} is not callable", fix="name a function")
    return found  # type: ignore[no-any-return]
