"""The three tools of one run: what was called is kept, and the limits are held."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from veridical import strict_json
from veridical.bench.agents.protocol import Page, RunEndedError, Verdict
from veridical.bench.running.decoding import LARGEST_PAGE, decoded, page_of
from veridical.bench.submissions.parsing import Parsing, parse

if TYPE_CHECKING:
    from veridical.bench.cases import Case, Limits

__all__ = ["MOST_CALLS", "RecordedTools", "kept"]

MOST_CALLS: Final = 1_000
"""Calls of tools in one run; an agent that goes round in circles fills no disk."""
_LARGEST_KEPT: Final = 1 << 20
"""Bytes beyond which a submission is refused: of such a text the beginning is kept."""
_LONGEST_ARGUMENTS: Final = 1 << 16
"""Characters kept of the arguments of one call; the submission that counts is kept apart."""


class RecordedTools:
    """Tools over the files of a case in memory.

    Parameters
    ----------
    case
        Only its files are reachable from here.
    limits
        Turns and seconds, counted from now.
    clock
        Seconds that never go back.

    Attributes
    ----------
    calls
        What was called, as a trajectory keeps it.
    submission_raw, parsing
        The submission that counts, and what it parsed to; None where none was made.
    attempts
        How often ``submit`` was called.
    """

    def __init__(
        self, case: Case, limits: Limits, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._texts = {one.name: decoded(one.content or b"") for one in case.inputs}
        self._sizes = [(one.name, one.size) for one in case.inputs]
        self._contents = {one.name: one.content or b"" for one in case.inputs}
        self._limits = limits
        self._clock = clock
        self._end = clock() + limits.seconds
        self._turns = 0
        self._told = False
        self._closed: str | None = None
        self.calls: list[dict[str, Any]] = []
        self.submission_raw: str | None = None
        self.parsing: Parsing | None = None
        self.attempts = 0

    @property
    def ended(self) -> str | None:
        """Why the run is over; None while it goes on."""
        return self._closed

    def close(self, stop_reason: str) -> None:
        """End the run: whatever is called from now on changes nothing."""
        self._closed = self._closed or stop_reason

    def next_turn(self) -> None:
        """Begin a turn."""
        self._check()
        if self._turns >= self._limits.turns:
            self.close("turn_limit")
            self._check()
        self._turns += 1
        self._told = False

    def list_files(self) -> list[tuple[str, int]]:
        """Return name and size in bytes of each file."""
        self._check()
        self._keep("list_files", "{}", strict_json.canonical(self._sizes))
        return list(self._sizes)

    def read_file(self, name: str, offset: int = 0, limit: int = LARGEST_PAGE) -> Page:
        """Return a piece of a file."""
        self._check()
        asked = strict_json.canonical({"name": name, "offset": offset, "limit": limit}).decode()
        text = self._texts.get(name)
        if text is None:
            self._keep("read_file", asked, b"")
            raise LookupError("no such file")
        if offset < 0 or limit < 1:
            self._keep("read_file", asked, b"")
            raise ValueError("offset is at least 0 and limit at least 1")
        piece, following = page_of(text, offset, limit)
        self._keep("read_file", asked, piece.encode("utf-8", "surrogatepass"))
        return Page(piece, following, len(text))

    def submit(self, json_text: str) -> Verdict:
        """Parse a submission; a valid one ends the run."""
        if not isinstance(json_text, str):
            raise TypeError("submit takes the text of a JSON object, as json.dumps gives it")
        self._check()
        self.attempts += 1
        self.parsing = parse(json_text)
        self.submission_raw = kept(json_text)
        reason = self.parsing.reason
        if reason is None:
            self.close("submitted")
            verdict = Verdict(accepted=True)
        else:
            verdict = Verdict(accepted=False, reason=None if self._told else reason)
            # An agent without turns gives one submission a turn.
            self._told = self._turns > 0
            if self._turns == 0 and self.attempts >= self._limits.turns:
                self.close("turn_limit")
        self._keep("submit", self.submission_raw, (reason or "accepted").encode())
        return verdict

    def raw_files(self) -> Mapping[str, bytes]:
        """Return the bytes of all files by name."""
        return dict(self._contents)

    def unreadable(self, name: str, arguments: str) -> None:
        """Keep a call that named no tool, or whose arguments could not be read."""
        self._check()
        self._keep(name[:100], arguments, b"")

    def name_last(self, call_id: str) -> None:
        """Give the last call the id that a model gave it."""
        if self.calls:
            self.calls[-1]["id"] = call_id[:200]

    def _check(self) -> None:
        if self._closed is None:
            if self._clock() >= self._end:
                self._closed = "time_limit"
            elif len(self.calls) >= MOST_CALLS:
                self._closed = "turn_limit"
        if self._closed is not None:
            raise RunEndedError(self._closed)

    def _keep(self, name: str, arguments: str, result: bytes) -> None:
        self.calls.append(
            {
                "id": f"call-{len(self.calls) + 1}",
                "name": name,
                "arguments_raw": arguments[:_LONGEST_ARGUMENTS],
                "result_sha256": hashlib.sha256(result).hexdigest(),
                "result_bytes": len(result),
                "started_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            }
        )


def kept(text: str) -> str:
    """Return a text to keep; of one that is refused for its size the beginning alone.

    It stays too large, so that it is refused again when it is scored.
    """
    return text if len(text) <= _LARGEST_KEPT + 1 else text[: _LARGEST_KEPT + 1]
