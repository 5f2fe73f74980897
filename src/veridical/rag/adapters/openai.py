"""A model behind chat completions, asked without any retrieval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veridical.rag.adapters.answering import CallFailedError
from veridical.rag.adapters.requests import Caller, secret
from veridical.rag.answers import Answer, Chunk

if TYPE_CHECKING:
    from veridical.rag.cases import Case
    from veridical.rag.configuration.sections import PipelineSection

__all__ = ["OpenaiCalling"]


class OpenaiCalling:
    """The question as one message, after the system message if there is one.

    Parameters
    ----------
    settings
        Of the pipeline; its target is the address up to ``/v1``.
    """

    has_retrieve = False

    def __init__(self, settings: PipelineSection) -> None:
        assert settings.openai is not None  # noqa: S101 - the configuration was checked
        self._model = settings.openai
        key = self._model.api_key_env
        keys = [] if key is None else [secret(key)]
        headers = {"authorization": f"Bearer {keys[0]}"} if keys else {}
        url = f"{str(settings.target).rstrip('/')}/chat/completions"
        self._caller = Caller(url, settings, headers, keys)

    async def open(self) -> None:
        """Open the client."""
        await self._caller.open()

    async def close(self) -> None:
        """Close the client."""
        await self._caller.close()

    async def answer(self, case: Case) -> Answer:
        """Ask the model once."""
        model = self._model
        system = [] if model.system is None else [{"role": "system", "content": model.system}]
        body: dict[str, Any] = {
            "model": model.model,
            "messages": [*system, {"role": "user", "content": case.question}],
        }
        if model.temperature is not None:
            body["temperature"] = model.temperature
        if model.max_output_tokens is not None:
            body["max_tokens"] = model.max_output_tokens
        reply = await self._caller.called(body)
        try:
            text = reply["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError) as error:
            raise CallFailedError("bad_reply", "the reply is no chat completion") from error
        if not isinstance(text, str):
            raise CallFailedError("bad_reply", "the completion has no text")
        return Answer(text)

    async def retrieve(self, case: Case) -> tuple[Chunk, ...]:
        """There is no retrieval."""
        raise CallFailedError("no_retrieve", f"case {case.id[:40]!r} has no retrieval of its own")
