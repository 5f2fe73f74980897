"""How somebody reads a number who knows one notation only; both agents and gates need it."""

from __future__ import annotations

import re
from decimal import Decimal

__all__ = ["naive_number"]

_RUN = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def naive_number(text: str) -> Decimal:
    """Return the first dot-decimal number once commas are dropped; 0 where there is none.

    Examples
    --------
    >>> [str(naive_number(text)) for text in ("-1,250.00", "145,23", "(17.50)", "")]
    ['-1250.00', '14523', '17.50', '0']
    """
    found = _RUN.search(text.replace(",", ""))
    return Decimal(found[0]) if found else Decimal(0)
