"""``VerdictCache``: valid replies, kept in the run store by everything that could change them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from veridical import strict_json
from veridical.errors import FileFormatError
from veridical.judge.verdicts import Contract
from veridical.store.together import Together
from veridical.store.verdicts import NewVerdict

if TYPE_CHECKING:
    from veridical.judge.rendering import Rendered
    from veridical.judge.settings import JudgeSettings
    from veridical.store.group_commit import GroupCommit

__all__ = ["Kept", "VerdictCache", "cache_key"]

_FORM: Final = "veridical.verdict/1"


@dataclass(frozen=True, slots=True)
class Kept:
    """A valid reply as it is kept.

    Attributes
    ----------
    raw
        Its text, as it came.
    model
        The model that was served.
    dropped
        Parameters that were not sent because the endpoint refuses them.
    """

    raw: str
    model: str | None
    dropped: tuple[str, ...]

    def to_bytes(self) -> bytes:
        """Return it as one JSON object."""
        return strict_json.canonical(
            {"schema": _FORM, "raw": self.raw, "model": self.model, "dropped": list(self.dropped)}
        )

    @classmethod
    def of_bytes(cls, content: bytes | None) -> Kept | None:
        """Read back what ``to_bytes`` wrote; None for anything else."""
        try:
            held: Any = {} if content is None else strict_json.loads(content)
            return cls(held["raw"], held["model"], tuple(held["dropped"]))
        except (FileFormatError, KeyError, TypeError):
            return None


def cache_key(settings: JudgeSettings, rendered: Rendered, repeat: int) -> str:
    """Return the hash of everything that could change a reply.

    That is endpoint, model, parameters, prompt, input, and the how manieth repeat it is; no key of
    the endpoint and no delimiter of a prompt is in it.
    """
    return strict_json.sha256(
        {
            "schema": _FORM,
            "endpoint": settings.endpoint,
            "model": settings.model,
            "parameters": settings.parameters,
            "prompt": rendered.prompt_sha256,
            "input": rendered.input_sha256,
            "repeat": repeat,
        }
    )


class VerdictCache:
    """The replies that a store keeps, for many tasks that ask at once.

    A reply may quote what was judged: a run that keeps no texts is given no cache.

    Parameters
    ----------
    commit
        The writer of the store.
    """

    def __init__(self, commit: GroupCommit) -> None:
        self._commit = commit
        self._verdicts = commit.store.verdicts()
        self._looking = Together(self._found)
        self._keeping = Together(self._put)

    async def get(self, key: str) -> Kept | None:
        """Return the reply that is kept under a key; None where there is none."""
        return Kept.of_bytes(await self._looking(key))

    async def put(self, key: str, kept: Kept, *, contract: Contract, model: str) -> Kept:
        """Keep a reply, durably, unless another process was faster; return the one that is kept."""
        content = await self._keeping(NewVerdict(key, kept.to_bytes(), contract, model))
        return Kept.of_bytes(content) or kept

    async def _found(self, keys: list[str]) -> list[bytes | None]:
        found = await asyncio.to_thread(self._verdicts.get_all, keys)
        return [found.get(key) for key in keys]

    async def _put(self, new: list[NewVerdict]) -> list[bytes]:
        return await self._commit(lambda connection: self._verdicts.put_all_in(connection, new))
