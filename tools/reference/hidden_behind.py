"""What a good value may hide: the rows of the hand-written page, metric by metric."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["hidden_behind"]

_ROW = re.compile(r"^\| (`.*?) \| (.*?) \|$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def hidden_behind(page: str, names: Iterable[str]) -> dict[str, str]:
    r"""Return what the page says of each metric of a family, as Markdown without links.

    Parameters
    ----------
    page
        Markdown: a section for one family or more, with a table whose first column has names.
    names
        Of the metrics of one family.  Families may have names in common: the section is the one
        that has them all.

    Examples
    --------
    >>> hidden_behind("## A\n| `x`, `y` | that z. *Look at* z |", ["x", "y"])["y"]
    'that z. *Look at* z'
    """
    wanted = set(names)
    for section in page.split("\n## "):
        rows = _ROW.findall(_LINK.sub(r"\1", _COMMENT.sub("", section)))
        told = {name: text for cell, text in rows for name in re.findall(r"`([^`]+)`", cell)}
        if wanted <= told.keys():
            return {name: told[name] for name in wanted}
    return {}
