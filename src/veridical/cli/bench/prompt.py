"""``veridical bench prompt``: what every agent is told, and the hashes of it."""

from __future__ import annotations

from veridical.cli.options import Json
from veridical.cli.output import emit, emit_json

__all__ = ["prompt"]


def prompt(*, json: Json = False) -> int:
    """Print the prompt without the files of a case; with --json its hashes and the tools too."""
    from veridical.bench.cases import BENCH_VERSION
    from veridical.bench.prompting import hashes, prompt_template, tool_schemas

    if json:
        emit_json(
            {
                "schema": "veridical.bench_prompt/1",
                "bench_version": BENCH_VERSION,
                **hashes(),
                "prompt": prompt_template(),
                "tools": list(tool_schemas()),
            }
        )
    else:
        emit(prompt_template())
    return 0
