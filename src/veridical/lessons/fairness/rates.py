"""Section 1: the rates of two groups, their difference, their ratio, and the four fifths."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from veridical.errors import InputError, ParameterError

__all__ = ["Share", "counted", "difference", "four_fifths", "other_outcome", "ratio"]


class Share(NamedTuple):
    """How many of a group were decided favourably, of how many.

    Examples
    --------
    >>> Share(40, 100).rate
    0.4
    """

    hits: int
    n: int

    @property
    def rate(self) -> float:
        """The share as a number; a group of nobody has none.

        Raises
        ------
        InputError
            There is nobody in the group.
        """
        if self.n == 0:
            raise InputError("a group of nobody has no rate")
        return self.hits / self.n


def counted(
    decisions: Sequence[Hashable], groups: Sequence[Hashable], favourable: Hashable
) -> dict[Hashable, Share]:
    """Return the share of favourable decisions in each group.

    Parameters
    ----------
    decisions, groups
        Of each person, in the same order.
    favourable
        The decision that is good for whom it is about: 0 where 1 is a denial.

    Examples
    --------
    >>> counted([0, 1, 1, 0], ["a", "a", "b", "b"], favourable=0)
    {'a': Share(hits=1, n=2), 'b': Share(hits=1, n=2)}
    """
    if len(decisions) != len(groups):
        raise InputError(f"{len(decisions)} decisions and {len(groups)} groups: one of both each")
    shares: dict[Hashable, Share] = {}
    for decision, group in zip(decisions, groups, strict=True):
        hits, n = shares.get(group, Share(0, 0))
        shares[group] = Share(hits + (decision == favourable), n + 1)
    return shares


def difference(group: Share, reference: Share) -> float:
    """Return the demographic parity difference: the rate of the group less that of the reference.

    Examples
    --------
    >>> round(difference(Share(40, 100), Share(50, 100)), 2)
    -0.1
    """
    return group.rate - reference.rate


def ratio(group: Share, reference: Share) -> float:
    """Return the disparate impact ratio: the rate of the group over that of the reference.

    Raises
    ------
    ParameterError
        Nobody of the reference was decided favourably: nothing can be divided by 0.

    Examples
    --------
    >>> ratio(Share(40, 100), Share(50, 100))
    0.8
    """
    if not reference.rate:
        raise ParameterError("there is no ratio to a rate of 0", fix="read the difference")
    return group.rate / reference.rate


def four_fifths(group: Share, reference: Share) -> bool:
    """Return whether the ratio lies from 4/5 to 5/4, decided on whole numbers.

    Division rounds: 6 of 10 against 15 of 20 is exactly four fifths, and its quotient a little
    less.  True where nobody of either group was decided favourably; the library says that there is
    no ratio then.

    Examples
    --------
    >>> four_fifths(Share(6, 10), Share(15, 20)), (6 / 10) / (15 / 20)
    (True, 0.7999999999999999)
    >>> four_fifths(Share(39, 100), Share(50, 100))
    False
    """
    mine, other = group.hits * reference.n, reference.hits * group.n
    return 5 * mine >= 4 * other and 4 * mine <= 5 * other


def other_outcome(share: Share) -> Share:
    """Return how many were decided the other way.

    Examples
    --------
    >>> other_outcome(Share(98, 100))
    Share(hits=2, n=100)
    """
    return Share(share.n - share.hits, share.n)
