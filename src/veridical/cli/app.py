"""Which commands there are.  Each is imported when it runs, never to print the list."""

from __future__ import annotations

import sys
from functools import partial

from cyclopts import App, Parameter

from veridical import __version__
from veridical.cli.configuration import configure
from veridical.cli.exit_words import ALL_CODES, exit_words
from veridical.cli.plain_help import IndentedFormatter
from veridical.cli.whole_numbers import check_whole_numbers

__all__ = ["BENCH", "BENCH_PRICES", "COMMANDS", "MONITOR", "RAG", "RUNS", "build_app"]

COMMANDS = {
    "evaluate": "Measure how good the scores in a file are.",
    "rank": "Measure how well runs rank the documents of a golden set.",
    "agree": "Measure how far raters agree, beyond chance.",
    "drift": "Measure how far data have moved since a reference.",
    "fairness": "Measure how differently decisions treat groups.",
    "validate": "Write the validation report of a model: HTML, and a text document.",
    "text": "Measure how much of its wording a text shares with references.",
    "summarise": "Write a small file that stands for the rows, and holds none.",
    "merge": "Pool such files, and measure the whole.",
    "compare": "Say whether one run is better than another.",
    "trend": "Follow one metric over many runs.",
    "gate": "Say whether a run passes a policy.",
    "ablate": "Say what each factor of an experiment moves.",
    "view": "Show the runs of a store in the browser, on this machine alone; Ctrl-C ends it.",
    "metrics": "List the metrics, or explain one.",
    "learn": "Learn how one knows whether a model is any good: lessons that ask first.",
    "example": "Write synthetic data to try things on.",
    "doctor": "Say what this installation can do.",
}
RUNS = {
    "list": "List runs, newest first.",
    "show": "Show one run: where it came from, and its table.",
    "export": "Write runs into one portable file.",
    "import": "Take in the runs of a portable file, all or none.",
    "delete": "Delete runs, with all they hold.",
    "verify": "Recompute every hash, and name what is damaged.",
}
RAG = {
    "init": "Write a small project that works, to begin with.",
    "validate": "Check the configuration and the dataset; nobody is asked.",
    "doctor": "Look at all that a run needs, and say what is wrong.",
    "estimate": "Count the calls of a run, and what they may cost; nobody is asked.",
    "run": "Ask the pipeline every case, then the judge, and keep the run.",
    "resume": "Go on with a run that was interrupted.",
    "rescore": "Score the answers of a run again, under other settings or another judge.",
    "compare": "Say whether one pipeline is better than another, case by case.",
    "gate": "Say whether a run reaches the bounds of its configuration.",
    "report": "Show a run with the evidence for every claim, and write it for others.",
    "calibrate": "Hold the judge against labelled answers, prompt by prompt.",
    "generate": "Make cases from a corpus: attacks, questions without an answer, drafts.",
    "cache": "Say what is kept of the judge's replies, or forget it.",
    "serve-mock": "Serve a judge on this machine, with faults where they are asked for.",
}
BENCH = {
    "gen": "Write the cases of a suite: what an agent may see, and apart from it the truth.",
    "verify-suite": "Hold a suite to its gates, with agents whose answers are known.",
    "prompt": "Print what every agent is told.",
    "run": "Run an agent on a suite, and keep what it did.",
    "resume": "Go on with a run that was interrupted.",
    "score": "Score the trajectories of agents: four figures in one row.",
    "report": "Show every table of some agents, and write the page with one case opened.",
    "compare": "Say whether one agent is better than another, case by case.",
    "gate": "Say whether an agent passes a policy.",
}
BENCH_PRICES = {
    "check": "Check a price table, and say what it holds.",
    "example": "Print a worked example with invented names.",
}
MONITOR = {
    "start": "Freeze a reference, and begin to watch.",
    "observe": "Measure a period against the reference, record it, and say what follows.",
    "status": "Show the state, the periods, what moved it, and the requests.",
    "report": "Show how every watched column moved, and write the page with charts.",
    "list": "List the monitors of a store.",
    "approve": "Let the pending request to retrain go out.",
    "dispatch": "Deliver what may go out and is due; run it as often as you like.",
    "ack": "Record that the request was acknowledged.",
    "reject": "Record that the request was rejected, before or after it went out.",
}
_OF_MONITOR = {
    "start": "start:start",
    "observe": "start:observe",
    "report": "report:report",
    "list": "status:list_monitors",
}
_OF_RUNS = {"list": "list_runs", "show": "show_run"}
_EPILOGUE = (
    "Every command takes --debug (a traceback when something fails). Options may stand in "
    "veridical.yaml, in [tool.veridical] of pyproject.toml, or in the environment as "
    "VERIDICAL_SEED and the like; what is on the command line wins."
)


def build_app() -> App:
    """Return the parser of the whole command line."""
    app = App(
        name="veridical",
        help="Is the model any good, and how do you know?",
        help_epilogue=_epilogue(ALL_CODES),
        version=f"veridical {__version__}",
        # Boxes are for people; a pipe gets plain text.
        help_formatter="default" if sys.stdout.isatty() else IndentedFormatter(),
        # --no-intervals and --json are one word each: no invented opposite.
        default_parameter=Parameter(negative=()),
    )
    app.config = (partial(configure, app), check_whole_numbers)
    for name, help_text in COMMANDS.items():
        _add(app, f"veridical.cli.{name}:{name}", name, help_text)
    runs = App(name="runs", help="What was measured before, and is kept.")
    for name, help_text in RUNS.items():
        function = _OF_RUNS.get(name, f"{name}_runs")
        _add(runs, f"veridical.cli.runs:{function}", f"runs {name}", help_text)
    app.command(runs)
    rag = App(name="rag", help="Whether a pipeline that retrieves and answers is any good.")
    for name, help_text in RAG.items():
        function = name.replace("-", "_")
        _add(rag, f"veridical.cli.rag.{function}:{function}", f"rag {name}", help_text)
    app.command(rag)
    bench = App(name="bench", help="Whether an agent that reconciles bank accounts is any good.")
    for name, help_text in BENCH.items():
        function = name.replace("-", "_")
        _add(bench, f"veridical.cli.bench.{function}:{function}", f"bench {name}", help_text)
    prices = App(name="prices", help="What tokens cost: tables that people enter.")
    for name, help_text in BENCH_PRICES.items():
        _add(prices, f"veridical.cli.bench.prices:{name}", f"bench prices {name}", help_text)
    bench.command(prices)
    app.command(bench)
    monitor = App(name="monitor", help="Whether a model still works, period by period.")
    for name, help_text in MONITOR.items():
        where = _OF_MONITOR.get(name, f"status:{name}")
        _add(monitor, f"veridical.cli.monitor.{where}", f"monitor {name}", help_text)
    app.command(monitor)
    return app


def _add(group: App, function: str, command: str, help_text: str) -> None:
    """Add a command, whose help says what it ends with."""
    name = command.rsplit(maxsplit=1)[-1]
    epilogue = _epilogue(exit_words(command))
    group.command(function, name=name, help=help_text, help_epilogue=epilogue)


def _epilogue(codes: str) -> str:
    return f"Exit codes: {codes}.\n\n{_EPILOGUE}"
