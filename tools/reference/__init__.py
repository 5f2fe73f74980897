"""The reference, made from the code: metrics, commands, public names, and closed lists."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tools.reference.command_pages import command_pages, commands, is_group
from tools.reference.list_pages import list_pages
from tools.reference.metric_pages import metric_pages
from tools.reference.python_pages import python_pages
from tools.reference.shown_commands import shown_commands

__all__ = ["write_reference"]

# In the copy only: what they lead to is not in the repository.
_PAGES = """\
* [Metrics](metrics/index.md): definition, range, when undefined, interval, source.
* [Commands](commands/index.md): arguments, options, defaults, exit codes.
* [Python](python/index.md): the public names.
* [Why a number is absent](reasons.md), and [what a note beside a number says](notes.md).
* [Policies that are shipped](policies.md).
"""


def write_reference(docs: Path) -> None:
    """Write the pages of the reference among those of ``docs``, a copy that is built from."""
    from veridical.cli.app import build_app

    folder, above = docs / "reference", "../../"
    not_proved = (docs / "not-proved.md").read_text(encoding="utf-8")
    _write(folder / "metrics", metric_pages(not_proved))
    app = build_app()
    known = [words for words, one in commands(app) if not is_group(one)]
    shown = {
        words: one._replace(page=above + one.page)
        for words, one in shown_commands(docs, known).items()
    }
    _write(folder / "commands", command_pages(app, shown))
    _write(folder / "python", python_pages())
    _write(folder, list_pages())
    index = folder / "index.md"
    index.write_text(f"{index.read_text(encoding='utf-8').rstrip()}\n\n{_PAGES}", encoding="utf-8")


def _write(folder: Path, pages: Iterable[tuple[str, str]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages:
        (folder / name).write_text(text, encoding="utf-8")
