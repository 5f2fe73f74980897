"""One agent, one case, one time: a trajectory, whatever the agent does."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from veridical import strict_json
from veridical.bench.agents.protocol import AgentResult, InfraError, RunEndedError
from veridical.bench.prompting import hashes, task_view
from veridical.bench.running.tools import RecordedTools, kept
from veridical.bench.submissions.parsing import Parsing, parse
from veridical.bench.trajectories import Outcome, Trajectory
from veridical.bench.usage import normalised, recorded, total_of

if TYPE_CHECKING:
    from veridical.bench.agents.protocol import Agent
    from veridical.bench.cases import Case, Limits

__all__ = ["HARNESS_VERSION", "Conditions", "identity", "run_case"]

HARNESS_VERSION: Final = "1"
"""Grows with changes of the harness that touch no answer and no score."""
GRACE_S: Final = 2.0
"""For an agent to notice that its time is up."""
_MESSAGES_ROOM: Final = 4 << 20
"""Bytes of messages that are kept of one run."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What all trajectories of a run share.

    Attributes
    ----------
    run_id, suite
        Their names.
    limits
        What one case may use.
    """

    run_id: str
    suite: str
    limits: Limits


def identity(agent: Agent) -> dict[str, str]:
    """Return name, version and the hash of the configuration of an agent."""
    return {
        "name": str(agent.name)[:200],
        "version": str(agent.version)[:200],
        "config_sha256": strict_json.sha256(getattr(agent, "config", {})),
    }


def run_case(
    agent: Agent, case: Case, conditions: Conditions, *, trial: int = 0, attempt: int = 1
) -> Trajectory:
    """Let an agent work on a case, and return what it did.

    Parameters
    ----------
    agent
        May raise what it likes, and may never come back.
    case
        With its files.
    conditions
        Of the run.
    trial, attempt
        Which time this is.
    """
    tools = RecordedTools(case, conditions.limits)
    begun, clock = datetime.now(UTC), time.monotonic()
    ended = _result(agent, case, conditions.limits, tools, trial)
    latency = time.monotonic() - clock
    result = ended if isinstance(ended, AgentResult) else AgentResult()
    fault = ended if isinstance(ended, InfraError) else None
    raw, parsing = _submitted(tools, result)
    failed = fault is not None and parsing.submission is None
    usage, usage_reason = _usage(fault or result)
    retries = fault.retries if fault else result.retries
    error = {"class": fault.kind, "message": fault.message} if fault else None
    return Trajectory(
        run_id=conditions.run_id,
        bench_version=case.bench_version,
        prompt_sha256=hashes()["prompt_sha256"],
        suite=conditions.suite,
        case_id=case.case_id,
        case_sha256=case.sha256,
        template_id=case.template_id,
        trial=trial,
        attempt=attempt,
        agent=identity(agent),
        model_requested=_word(getattr(agent, "model", None), 200),
        model_returned=result.model,
        provider=result.provider or _word(getattr(agent, "provider", None), 200),
        sampling=dict(getattr(agent, "sampling", {})),
        started_at=begun.isoformat(timespec="milliseconds"),
        ended_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        latency_s=round(latency, 3),
        outcome="infra_error" if failed else cast("Outcome", parsing.outcome),
        stop_reason=_stop_reason(tools, result, fault),
        error={**error, "retries": retries} if error else _retried(retries),
        messages=result.messages,
        tool_calls=tuple(tools.calls),
        usage=usage,
        usage_reason=usage_reason,
        submission_raw=None if failed else raw,
        parsed=parsing.submission is not None,
        parse_reason=None if failed else parsing.reason,
        submit_attempts=tools.attempts,
        isolation=result.isolation,
        harness_version=HARNESS_VERSION,
    )


def _result(
    agent: Agent, case: Case, limits: Limits, tools: RecordedTools, trial: int
) -> AgentResult | InfraError:
    """Return how a run ended; it is left behind where it does not end in time."""
    ended: list[AgentResult | InfraError] = []

    def work() -> None:
        try:
            task = task_view(case, limits)
            recorded_trial = getattr(agent, "run_trial", None)
            result = (
                agent.run(task, tools)
                if recorded_trial is None
                else recorded_trial(task, tools, trial)
            )
            ended.append(_sound(result))
        except RunEndedError as error:
            # What was spent until then nobody knows: the agent kept it for itself.
            ended.append(AgentResult(stop_reason=error.stop_reason, usage=None))
        except InfraError as error:
            ended.append(_sound_fault(error))
        except BaseException as error:  # noqa: BLE001 - somebody else's code
            ended.append(InfraError("exception", _raised(error), usage=None))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(limits.seconds + GRACE_S)
    late = thread.is_alive()
    tools.close("time_limit" if late else "final_text")
    return ended[0] if ended else AgentResult(stop_reason="time_limit", usage=None)


def _submitted(tools: RecordedTools, result: AgentResult) -> tuple[str | None, Parsing]:
    if tools.parsing is not None:
        return tools.submission_raw, tools.parsing
    text = result.final_text
    raw = kept(text) if isinstance(text, str) else None
    return raw, parse(raw)


def _stop_reason(tools: RecordedTools, result: AgentResult, fault: InfraError | None) -> str:
    if tools.ended == "submitted":
        return "submitted"
    if fault is not None:
        return "infra_error"
    return result.stop_reason or tools.ended or "final_text"


def _retried(retries: int) -> dict[str, Any] | None:
    if not retries:
        return None
    return {"class": "retried", "message": "calls were repeated", "retries": retries}


def _usage(result: AgentResult | InfraError) -> tuple[dict[str, Any] | None, str | None]:
    """Return usage as a trajectory keeps it, or None and why it is unknown."""
    if result.usage is None:
        return None, "the agent does not know its usage"
    if result.shape is None:
        known = recorded(result.usage)
        calls = [] if known is None else [known]
        reason = None if known else "the agent's usage is no count of tokens"
    else:
        raw = result.usage if isinstance(result.usage, Sequence) else [result.usage]
        read = [normalised(result.shape, one) for one in raw]
        reason = next((why for usage, why in read if usage is None), None)
        calls = [usage for usage, _ in read if usage is not None]
        known = None if reason else total_of(calls)
    if known is None:
        return None, reason
    each = [one.to_dict() for one in calls]
    return {**known.to_dict(), "reasoning_included": True, "calls": each}, None


def _raised(error: BaseException) -> str:
    """Return what an agent raised, and where; its words may hold a key, and are left out."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"the agent raised {type(error).__name__}{where}"


def _sound(result: Any) -> AgentResult:
    """Return what an agent gave back as something that can be written: it may be anything."""
    if not isinstance(result, AgentResult):
        # A plain text is a submission; what it cost was not told.
        return AgentResult(final_text=_word(result, None), usage=None)
    return AgentResult(
        final_text=_word(result.final_text, None),
        messages=_plain(result.messages),
        usage=result.usage,
        shape=_word(result.shape, 40),
        model=_word(result.model, 200),
        provider=_word(result.provider, 200),
        stop_reason=_word(result.stop_reason, 100),
        retries=_count(result.retries),
        isolation=_word(result.isolation, 100),
    )


def _sound_fault(error: InfraError) -> InfraError:
    return InfraError(
        _word(error.kind, 40) or "infra",
        _word(error.message, 300) or "",
        retries=_count(error.retries),
        usage=error.usage,
        shape=_word(error.shape, 40),
    )


def _word(value: Any, longest: int | None) -> str | None:
    return str(value)[:longest] if isinstance(value, str) else None


def _count(value: Any) -> int:
    return value if type(value) is int and value >= 0 else 0


def _plain(messages: Any) -> tuple[Any, ...]:
    """Return messages as strict JSON, as many as there is room for."""
    kept_ones: list[Any] = []
    room = _MESSAGES_ROOM
    for message in messages if isinstance(messages, list | tuple) else ():
        content = _written(message)
        room -= len(content)
        if room < 0:
            kept_ones.append({"left_out": "what follows is too long"})
            break
        kept_ones.append(strict_json.loads(content))
    return tuple(kept_ones)


def _written(value: Any) -> bytes:
    try:
        return strict_json.canonical(value)
    except (TypeError, ValueError, RecursionError):
        return strict_json.canonical({"left_out": type(value).__name__})
