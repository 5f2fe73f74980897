"""A pipeline behind HTTP: a body from a template, and paths into what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veridical.errors import ConfigurationError
from veridical.rag.adapters.answering import CallFailedError
from veridical.rag.adapters.paths import Path
from veridical.rag.adapters.requests import Caller, secret
from veridical.rag.answer_fields import answer_of
from veridical.rag.configuration.sections import HttpSection

if TYPE_CHECKING:
    from veridical.rag.answers import Answer, Chunk
    from veridical.rag.cases import Case
    from veridical.rag.configuration.sections import PipelineSection

__all__ = ["HttpCalling"]


class HttpCalling:
    """One request a case.

    Parameters
    ----------
    settings
        Of the pipeline, with its ``http`` section or the defaults of that.

    Raises
    ------
    ConfigurationError
        A template or a path does not parse, or a key is not set.
    """

    has_retrieve = False

    def __init__(self, settings: PipelineSection) -> None:
        self._http = http = settings.http or HttpSection()
        keys = {name: secret(variable) for name, variable in http.headers_env.items()}
        self._caller = Caller(
            str(settings.target), settings, {**http.headers, **keys}, keys.values()
        )
        self._body = _compiled(http.json_body)
        self._answer = Path(http.answer)
        self._chunks = None if http.chunks is None else Path(http.chunks)
        self._citations = None if http.citations is None else Path(http.citations)
        fields = {
            "id": http.chunk_id,
            "text": http.chunk_text,
            "score": http.chunk_score,
            "document_id": http.document_id,
        }
        self._fields = {name: Path(path) for name, path in fields.items() if path is not None}

    async def open(self) -> None:
        """Open the client."""
        await self._caller.open()

    async def close(self) -> None:
        """Close the client."""
        await self._caller.close()

    async def answer(self, case: Case) -> Answer:
        """Ask once."""
        known = {"id": case.id, "question": case.question, "language": case.language}
        reply = await self._caller.called(_rendered(self._body, known), self._http.method)
        found: dict[str, Any] = {"text": self._answer.one(reply)}
        if self._chunks is not None:
            found["retrieved_chunks"] = [self._chunk(one) for one in _listed(self._chunks, reply)]
        if self._citations is not None:
            found["citations"] = _listed(self._citations, reply)
        return answer_of(found)

    async def retrieve(self, case: Case) -> tuple[Chunk, ...]:
        """There is no retrieval of its own."""
        raise CallFailedError("no_retrieve", f"case {case.id[:40]!r} has no retrieval of its own")

    def _chunk(self, given: Any) -> dict[str, Any]:
        chunk = {name: path.one(given) for name, path in self._fields.items()}
        document = chunk.pop("document_id", None)
        return chunk if document is None else {**chunk, "metadata": {"document_id": document}}


def _listed(path: Path, reply: Any) -> list[Any]:
    """Return what a path leads to: each of the things, or the list of them."""
    found = path.all(reply)
    return found[0] if len(found) == 1 and isinstance(found[0], list) else found


def _compiled(given: Any) -> Any:
    """Return a body whose texts are templates."""
    if isinstance(given, str):
        from jinja2 import TemplateError
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        try:
            return ImmutableSandboxedEnvironment(autoescape=False).from_string(given)
        except TemplateError as error:
            raise ConfigurationError(
                f"a template of pipeline.http.json does not parse: {error}", fix="correct it"
            ) from error
    if isinstance(given, dict):
        return {str(key): _compiled(value) for key, value in given.items()}
    return [_compiled(value) for value in given] if isinstance(given, list) else given


def _rendered(given: Any, case: dict[str, Any]) -> Any:
    if isinstance(given, dict):
        return {key: _rendered(value, case) for key, value in given.items()}
    if isinstance(given, list):
        return [_rendered(value, case) for value in given]
    if not hasattr(given, "render"):
        return given
    try:
        return given.render(case=case)
    except Exception as error:
        raise CallFailedError("template", f"the body cannot be written: {error}"[:200]) from error
