"""How a pipeline is asked: one file a kind, and ``answering`` that drives them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veridical.rag.adapters.answering import Adapter

if TYPE_CHECKING:
    from veridical.rag.adapters.answering import Calling
    from veridical.rag.configuration import Configuration

__all__ = ["Adapter", "adapter"]


def adapter(configuration: Configuration) -> Adapter:
    """Return what answers the cases of a configuration, an asynchronous context manager.

    Its ``answer`` never raises for a pipeline that fails: every failure is a ``CaseError``.

    Parameters
    ----------
    configuration
        Kind and target of the pipeline.

    Raises
    ------
    ConfigurationError
        The target cannot be found, or a template does not parse.
    MissingExtraError
        A library is not installed.
    """
    return Adapter(configuration.pipeline, _calling(configuration))


def _calling(configuration: Configuration) -> Calling:
    pipeline = configuration.pipeline
    target = pipeline.target
    if pipeline.kind == "python":
        from veridical.rag.adapters.python import PythonCalling

        return PythonCalling(str(target), configuration.folder)
    if pipeline.kind == "command":
        from veridical.rag.adapters.command import CommandCalling

        words = target.split() if isinstance(target, str) else list(target or ())
        return CommandCalling(words, configuration.folder, pipeline.max_response_bytes)
    if pipeline.kind == "http":
        from veridical.rag.adapters.http import HttpCalling

        return HttpCalling(pipeline)
    if pipeline.kind == "openai":
        from veridical.rag.adapters.openai import OpenaiCalling

        return OpenaiCalling(pipeline)
    from veridical.rag.adapters.static import StaticCalling

    return StaticCalling()
