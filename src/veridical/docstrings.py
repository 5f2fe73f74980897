"""Reading the sections of a numpydoc docstring: the catalogue's one source."""

from __future__ import annotations

import inspect

__all__ = ["sections"]


def sections(docstring: str) -> dict[str, str]:
    r"""Split a docstring at its underlined headings.

    Returns
    -------
    dict
        Heading to text, in order; the text before the first heading under ``""``.

    Examples
    --------
    >>> sections("Recall.\n\nFormula\n-------\nTP / P")
    {'': 'Recall.', 'Formula': 'TP / P'}
    """
    found: dict[str, list[str]] = {"": []}
    current = found[""]
    lines = inspect.cleandoc(docstring).splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        underline = after.strip()
        if line.strip() and len(underline) >= 3 and set(underline) == {"-"}:
            current = found.setdefault(line.strip(), [])
        elif not (line.strip() and set(line.strip()) == {"-"} and len(line.strip()) >= 3):
            current.append(line)
    return {heading: "\n".join(body).strip() for heading, body in found.items()}
