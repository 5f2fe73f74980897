"""The JSON Schema of ``veridical.yaml``, for editors: ``schema.json`` beside this file.

``python -m veridical.rag.configuration.schema`` writes it anew; a test holds it to the models.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from veridical import strict_json
from veridical.rag.configuration.sections import ConfigurationFile
from veridical.writing import write_atomically

__all__ = ["SCHEMA_FILE", "schema_text"]

SCHEMA_FILE = Path(__file__).with_name("schema.json")
_ID = "https://json-schema.org/draft/2020-12/schema"


def schema_text() -> str:
    """Return the schema as text: what ``schema.json`` holds."""
    schema = ConfigurationFile.model_json_schema()
    described = {"$schema": _ID, **_without_sections(schema)}
    return strict_json.dumps(described) + "\n"


def _without_sections(part: Any) -> Any:
    """Return a schema whose descriptions are the sentence of the docstring alone."""
    if isinstance(part, list):
        return [_without_sections(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        name: value.partition("\n")[0]
        if name == "description" and isinstance(value, str)
        else _without_sections(value)
        for name, value in part.items()
    }


if __name__ == "__main__":
    write_atomically(SCHEMA_FILE, schema_text())
