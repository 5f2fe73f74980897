"""``Phrases``: the table of one language."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

__all__ = ["Phrases"]


@dataclass(frozen=True)
class Phrases:
    """How a language declines to answer.

    Attributes
    ----------
    cues
        Pieces of words, one of which every refusal has; a text without any is not looked at further.
    refusals
        "I cannot find", "the documents do not mention", "not enough information".
    fillers
        What may stand beside a refusal without answering anything: thanks, apologies, advice, offers,
        what the documents are about instead.
    turns
        "but", "however": what follows is judged by itself.
    concessions
        "although", "while" at the beginning of a sentence: what stands before its comma answers
        nothing.
    """

    cues: tuple[str, ...]
    refusals: tuple[str, ...]
    fillers: tuple[str, ...]
    turns: tuple[str, ...]
    concessions: tuple[str, ...]

    def cued(self, text: str) -> bool:
        """Return whether a text has a cue."""
        return any(cue in text for cue in self._cues)

    @cached_property
    def _cues(self) -> tuple[str, ...]:
        return tuple(unicodedata.normalize("NFKC", cue) for cue in self.cues)

    @cached_property
    def refusal(self) -> re.Pattern[str]:
        """Matches a refusal."""
        return _any_of(self.refusals)

    @cached_property
    def filler(self) -> re.Pattern[str]:
        """Matches what answers nothing."""
        return _any_of(self.fillers)

    @cached_property
    def turn(self) -> re.Pattern[str]:
        """Matches where a sentence turns, semicolons among it."""
        return _any_of((*self.turns, ";"))

    @cached_property
    def concession(self) -> re.Pattern[str]:
        """Matches the beginning of a sentence that concedes something first."""
        return _any_of(self.concessions)


def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    # Texts are NFKC, which takes some letters of Hindi apart: so must the patterns be.
    return re.compile(unicodedata.normalize("NFKC", "|".join(f"(?:{one})" for one in patterns)))
