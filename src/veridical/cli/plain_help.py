"""The text of ``--help`` in a pipe: one entry an item, whose further lines are indented."""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel
    from rich.console import Console, ConsoleOptions

__all__ = ["IndentedFormatter"]

_ENDLESS = 100_000
_INDENT = " " * 6


class IndentedFormatter:
    """The plain formatter of cyclopts, which folds a description and then puts it into its line."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print a group of entries."""
        from cyclopts.help import PlainFormatter
        from rich.console import Console

        whole = io.StringIO()
        endless = Console(file=whole, width=_ENDLESS, color_system=None)
        PlainFormatter()(endless, options, panel)
        for line in whole.getvalue().splitlines():
            folded = textwrap.fill(
                line.rstrip(),
                console.width,
                subsequent_indent=_INDENT,
                break_on_hyphens=False,
                break_long_words=False,
            )
            console.print(folded, highlight=False, markup=False, soft_wrap=True)

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """Print how the command is called."""
        from cyclopts.help import PlainFormatter

        PlainFormatter().render_usage(console, options, usage)

    def render_description(
        self, console: Console, options: ConsoleOptions, description: Any
    ) -> None:
        """Print what the command does."""
        from cyclopts.help import PlainFormatter

        PlainFormatter().render_description(console, options, description)
