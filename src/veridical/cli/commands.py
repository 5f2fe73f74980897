"""Which commands there are: what each does, what it ends with, and which function does it.

Nothing of a command is imported before it runs: help is printed from these tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

__all__ = ["COMMANDS", "GROUPS", "Command", "all_commands"]

_DONE: Final = "0 done"
_MEASURED: Final = "0 done, 3 nothing could be measured"
_COMPARED: Final = "0 done, 3 nothing could be compared"
_JUDGED: Final = "0 it passes, 1 it does not, 3 undecided"
_ASKED: Final = "0 done, whatever the values are, 2 the budget is spent"
_SOUND: Final = "0 nothing is wrong"
_SCORED: Final = "0 done, 3 nothing could be scored"
_RUN: Final = "0 done, whatever was answered"


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes
    ----------
    does
        What it does, as its group lists it.
    ends
        Its own exit codes, in words; those that any command may end with are told beside them.
    function
        ``module:function`` below ``veridical.cli``; by default both are called as the command.
    """

    does: str
    ends: str = _DONE
    function: str = ""

    def target(self, words: str) -> str:
        """Return the import string of its function.

        Parameters
        ----------
        words
            The command as it is written, such as ``"rag serve-mock"``.

        Examples
        --------
        >>> Command("Serve.").target("rag serve-mock")
        'veridical.cli.rag.serve_mock:serve_mock'
        """
        path = words.replace("-", "_").split()
        return f"veridical.cli.{self.function or '.'.join(path) + ':' + path[-1]}"


COMMANDS: Final[Mapping[str, Command]] = {
    "evaluate": Command("Measure how good the scores in a file are.", _MEASURED),
    "rank": Command("Measure how well runs rank the documents of a golden set.", _MEASURED),
    "agree": Command("Measure how far raters agree, beyond chance.", _MEASURED),
    "drift": Command("Measure how far data have moved since a reference.", _MEASURED),
    "fairness": Command("Measure how differently decisions treat groups.", _MEASURED),
    "validate": Command(
        "Write the validation report of a model: HTML, and a text document.",
        "0 every rule is met, 1 one is not, 3 undecided",
    ),
    "text": Command("Measure how much of its wording a text shares with references.", _MEASURED),
    "summarise": Command("Write a small file that stands for the rows, and holds none."),
    "merge": Command("Pool such files, and measure the whole.", _MEASURED),
    "compare": Command("Say whether one run is better than another.", _COMPARED),
    "trend": Command("Follow one metric over many runs.", _MEASURED),
    "gate": Command("Say whether a run passes a policy.", _JUDGED),
    "ablate": Command("Say what each factor of an experiment moves.", _MEASURED),
    "view": Command(
        "Show the runs of a store in the browser, on this machine alone; Ctrl-C ends it."
    ),
    "metrics": Command("List the metrics, or explain one."),
    "learn": Command("Learn how one knows whether a model is any good: lessons that ask first."),
    "example": Command("Write synthetic data to try things on."),
    "doctor": Command("Say what this installation can do.", _SOUND),
}
"""Those that stand alone."""

GROUPS: Final[Mapping[str, tuple[str, Mapping[str, Command]]]] = {
    "runs": (
        "What was measured before, and is kept.",
        {
            "list": Command("List runs, newest first.", function="runs:list_runs"),
            "show": Command(
                "Show one run: where it came from, and its table.", function="runs:show_run"
            ),
            "export": Command("Write runs into one portable file.", function="runs:export_runs"),
            "import": Command(
                "Take in the runs of a portable file, all or none.", function="runs:import_runs"
            ),
            "delete": Command("Delete runs, with all they hold.", function="runs:delete_runs"),
            "verify": Command(
                "Recompute every hash, and name what is damaged.",
                "0 every hash is right, 1 something is damaged",
                function="runs:verify_runs",
            ),
        },
    ),
    "rag": (
        "Whether a pipeline that retrieves and answers is any good.",
        {
            "init": Command("Write a small project that works, to begin with."),
            "validate": Command("Check the configuration and the dataset; nobody is asked."),
            "doctor": Command("Look at all that a run needs, and say what is wrong.", _SOUND),
            "estimate": Command(
                "Count the calls of a run, and what they may cost; nobody is asked."
            ),
            "run": Command(
                "Ask the pipeline every case, then the judge, and keep the run.", _ASKED
            ),
            "resume": Command("Go on with a run that was interrupted.", _ASKED),
            "rescore": Command(
                "Score the answers of a run again, under other settings or another judge.", _ASKED
            ),
            "compare": Command(
                "Say whether one pipeline is better than another, case by case.", _COMPARED
            ),
            "gate": Command("Say whether a run reaches the bounds of its configuration.", _JUDGED),
            "report": Command(
                "Show a run with the evidence for every claim, and write it for others."
            ),
            "calibrate": Command(
                "Hold the judge against labelled answers, prompt by prompt.",
                "0 the judge keeps the thresholds, 1 it does not, 2 the budget is spent",
            ),
            "generate": Command(
                "Make cases from a corpus: attacks, questions without an answer, drafts.",
                "0 done, 2 the budget is spent, 3 no document has a draft",
            ),
            "cache": Command("Say what is kept of the judge's replies, or forget it."),
            "serve-mock": Command(
                "Serve a judge on this machine, with faults where they are asked for."
            ),
        },
    ),
    "bench": (
        "Whether an agent that reconciles bank accounts is any good.",
        {
            "gen": Command(
                "Write the cases of a suite: what an agent may see, and apart from it the truth."
            ),
            "verify-suite": Command(
                "Hold a suite to its gates, with agents whose answers are known.",
                "0 the suite holds, 1 it does not",
            ),
            "prompt": Command("Print what every agent is told."),
            "run": Command("Run an agent on a suite, and keep what it did.", _RUN),
            "resume": Command("Go on with a run that was interrupted.", _RUN),
            "score": Command("Score the trajectories of agents: four figures in one row.", _SCORED),
            "report": Command(
                "Show every table of some agents, and write the page with one case opened.", _SCORED
            ),
            "compare": Command(
                "Say whether one agent is better than another, case by case.", _COMPARED
            ),
            "gate": Command("Say whether an agent passes a policy.", _JUDGED),
        },
    ),
    "bench prices": (
        "What tokens cost: tables that people enter.",
        {
            "check": Command(
                "Check a price table, and say what it holds.", function="bench.prices:check"
            ),
            "example": Command(
                "Print a worked example with invented names.", function="bench.prices:example"
            ),
        },
    ),
    "monitor": (
        "Whether a model still works, period by period.",
        {
            "start": Command(
                "Freeze a reference, and begin to watch.", function="monitor.start:start"
            ),
            "observe": Command(
                "Measure a period against the reference, record it, and say what follows.",
                "0 done, whatever follows from it",
                function="monitor.start:observe",
            ),
            "status": Command(
                "Show the state, the periods, what moved it, and the requests.",
                function="monitor.status:status",
            ),
            "report": Command(
                "Show how every watched column moved, and write the page with charts.",
                function="monitor.report:report",
            ),
            "list": Command(
                "List the monitors of a store.", function="monitor.status:list_monitors"
            ),
            "approve": Command(
                "Let the pending request to retrain go out.", function="monitor.status:approve"
            ),
            "dispatch": Command(
                "Deliver what may go out and is due; run it as often as you like.",
                "0 nothing waits that may go out, 69 a request still does",
                function="monitor.status:dispatch",
            ),
            "ack": Command(
                "Record that the request was acknowledged.", function="monitor.status:ack"
            ),
            "reject": Command(
                "Record that the request was rejected, before or after it went out.",
                function="monitor.status:reject",
            ),
        },
    ),
}
"""What each group is about, and its commands; a group within another is named by both words."""


@cache
def all_commands() -> Mapping[str, Command]:
    """Return every command by its words.

    Examples
    --------
    >>> all_commands()["bench prices check"].does
    'Check a price table, and say what it holds.'
    """
    grouped = {
        f"{group} {name}": command
        for group, (_, commands) in GROUPS.items()
        for name, command in commands.items()
    }
    return {**COMMANDS, **grouped}
