"""Notations of numbers; each can be read in one way only, for two decimals are always printed."""

from __future__ import annotations

from decimal import Decimal

__all__ = ["NOTATIONS", "SIGN_NOTATIONS", "written"]

# Decimal sign, separator of thousands, and what a minus looks like around the digits.
NOTATIONS: dict[str, tuple[str, str, tuple[str, str]]] = {
    "dot": (".", "", ("-", "")),
    "comma": (",", "", ("-", "")),
    "dots_comma": (",", ".", ("-", "")),
    "space_comma": (",", "\u00a0", ("-", "")),
    "minus_sign": (".", "", ("\u2212", "")),
    "trailing_minus": (".", "", ("", "-")),
    "parentheses": (".", "", ("(", ")")),
}
SIGN_NOTATIONS = ("minus_sign", "trailing_minus", "parentheses")


def written(amount: Decimal, notation: str = "dot", *, whole: bool = False) -> str:
    """Return an amount in a notation, with the decimals that it has and at least two.

    Parameters
    ----------
    amount
        Exact.
    notation
        One of ``NOTATIONS``.
    whole
        Without decimals, where there are none.

    Examples
    --------
    >>> written(Decimal("-1234.5"), "dots_comma"), written(Decimal("-17"), "parentheses")
    ('-1.234,50', '(17.00)')
    """
    point, group, (before, after) = NOTATIONS[notation]
    digits = f"{abs(amount):f}"
    integer, _, fraction = digits.partition(".")
    fraction = fraction.rstrip("0")
    fraction = "" if whole and not fraction else fraction.ljust(2, "0")
    if group:
        integer = f"{int(integer):,}".replace(",", group)
    text = integer + (point + fraction if fraction else "")
    return f"{before}{text}{after}" if amount < 0 else text
