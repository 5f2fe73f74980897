"""Twelve kinds of account holder."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TEMPLATES", "AccountPlan", "Template"]


@dataclass(frozen=True, slots=True)
class AccountPlan:
    """How one account is made.

    Attributes
    ----------
    lines
        Least and most.
    opening
        Least and most, in units of the currency; negative of an overdraft.
    size
        Least and most of a line, in hundredths.
    receipts
        Percentage of lines that are credits.
    whole
        Amounts are whole numbers.
    stamps
        ``utc`` where the bank shows times.
    """

    currency: str
    zone: str
    format: str
    dialect: str = "plain"
    lines: tuple[int, int] = (30, 45)
    opening: tuple[int, int] = (8_000, 40_000)
    size: tuple[int, int] = (1_500, 240_000)
    receipts: int = 50
    whole: bool = False
    stamps: str = "date"


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of account holder."""

    id: str
    accounts: tuple[AccountPlan, ...]


_LONDON, _BERLIN, _YORK = "Europe/London", "Europe/Berlin", "America/New_York"

TEMPLATES: dict[str, Template] = {
    one.id: one
    for one in (
        Template("shop-gbp-csv", (AccountPlan("GBP", _LONDON, "csv", lines=(45, 80)),)),
        Template(
            "sme-gbp-3acct",
            (
                AccountPlan("GBP", _LONDON, "csv", lines=(25, 40)),
                AccountPlan("GBP", _LONDON, "ofx", lines=(12, 20), stamps="utc"),
                AccountPlan("EUR", _LONDON, "camt053", lines=(12, 20)),
            ),
        ),
        Template("trade-eur-mt940", (AccountPlan("EUR", _BERLIN, "mt940", lines=(35, 70)),)),
        Template(
            "works-eur-camt",
            (
                AccountPlan("EUR", _BERLIN, "camt053", lines=(30, 50), stamps="utc"),
                AccountPlan("EUR", _BERLIN, "csv", "split", lines=(15, 30)),
            ),
        ),
        Template("depot-usd-bai2", (AccountPlan("USD", _YORK, "bai2", lines=(40, 75)),)),
        Template(
            "clinic-usd-2acct",
            (
                AccountPlan("USD", "America/Chicago", "csv", "bare", lines=(30, 55)),
                AccountPlan("USD", "America/Chicago", "ofx", lines=(15, 30)),
            ),
        ),
        Template("studio-usd-ofx", (AccountPlan("USD", _YORK, "ofx", lines=(30, 60)),)),
        Template(
            "export-4acct",
            (
                AccountPlan("GBP", _LONDON, "csv", "signed", lines=(20, 30), stamps="utc"),
                AccountPlan("EUR", _LONDON, "mt940", lines=(12, 20)),
                AccountPlan("USD", _LONDON, "bai2", lines=(12, 20)),
                AccountPlan("SEK", "Europe/Stockholm", "csv", "split", lines=(12, 20)),
            ),
        ),
        Template(
            "agency-jpy",
            (
                AccountPlan(
                    "JPY",
                    "Asia/Tokyo",
                    "csv",
                    lines=(30, 50),
                    whole=True,
                    opening=(300_000, 900_000),
                    size=(120_000, 9_000_000),
                ),
                AccountPlan("USD", "Asia/Tokyo", "csv", "signed", lines=(12, 20)),
            ),
        ),
        Template(
            "overdraft-chf",
            (
                AccountPlan(
                    "CHF", "Europe/Zurich", "camt053", lines=(30, 55), opening=(-30_000, -9_000)
                ),
                AccountPlan("CHF", "Europe/Zurich", "csv", "bare", lines=(15, 25)),
            ),
        ),
        Template(
            "wholesale-gbp-long", (AccountPlan("GBP", _LONDON, "csv", "split", lines=(90, 150)),)
        ),
        Template(
            "club-gbp-small",
            (
                AccountPlan(
                    "GBP",
                    _LONDON,
                    "csv",
                    "signed",
                    lines=(30, 45),
                    opening=(2_000, 6_000),
                    size=(500, 30_000),
                ),
            ),
        ),
    )
}
