"""Options that are whole numbers: ``--seed 1.5`` is refused, where the parser would round it."""

from __future__ import annotations

import re
from typing import Final, get_args

from cyclopts import App, ArgumentCollection, CoercionError

__all__ = ["check_whole_numbers"]

_DIGITS: Final = re.compile(r"[+-]?[0-9]{1,100}")


def check_whole_numbers(
    _app: App, _commands: tuple[str, ...], arguments: ArgumentCollection
) -> None:
    """Raise unless every option of type int is spelled in digits; called by the parser."""
    for argument in arguments:
        if int not in (argument.hint, *get_args(argument.hint)):
            continue
        for token in argument.tokens:
            if not _DIGITS.fullmatch(token.value):
                raise CoercionError(
                    msg=f"{token.value[:80]!r} is not a whole number",
                    argument=argument,
                    token=token,
                    target_type=int,
                )
