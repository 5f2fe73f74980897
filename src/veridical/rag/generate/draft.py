"""``draft_cases``: a first golden set, written by a model and to be checked by a person."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from importlib.resources import files
from itertools import count as numbers
from typing import Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from veridical.judge.completions import Completion
from veridical.judge.endpoint import Bill, Endpoint, NoReplyError
from veridical.judge.reading import ReplyError, read_object
from veridical.judge.verdicts import Usage
from veridical.rag.generate.corpus import Corpus, Document
from veridical.rag.generate.made import Generated, check_count, drawn
from veridical.rag.matching import stands_in

__all__ = ["LONGEST", "Draft", "draft_cases", "draft_prompt"]

LONGEST: Final = 20_000
"""Documents of more characters are left out, and said to be: nothing is cut."""

Ended: TypeAlias = Literal["", "budget", "stop"]


class _Reply(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    question: str | None
    answer: str | None
    quote: str | None


@dataclass(frozen=True, slots=True)
class Draft:
    """What came of asking a model.

    Attributes
    ----------
    made
        The cases, each with ``metadata.generated.draft`` true.
    left_out
        Id of a document to why it has no case: ``too_long``, ``nothing_to_ask``, ``not_quoted``,
        ``schema``, ``budget``, ``stop``, or the code of a call or reply that failed.
    usage
        What all calls took.
    ended
        ``budget`` or ``stop`` where the model could not be asked about every document.
    cause
        What the first call that failed was told.
    """

    made: Generated
    left_out: Mapping[str, str]
    usage: Usage
    ended: Ended = ""
    cause: str = ""


def draft_prompt() -> str:
    """Return the instructions that the model is given."""
    return files(__package__).joinpath("draft_prompt.txt").read_text(encoding="utf-8")


async def draft_cases(
    corpus: Corpus,
    endpoint: Endpoint,
    *,
    count: int = 40,
    seed: int = 0,
    concurrency: int = 8,
    redact: Callable[[str], str] = str,
) -> Draft:
    """Return drafts of ``qa`` cases, one for each drawn document.

    Parameters
    ----------
    corpus
        What the pipeline answers from.
    endpoint
        The model that writes, with its budget.
    count
        How many documents are drawn; all of them where there are fewer.
    seed
        Of the draw.
    concurrency
        How many documents are asked about at a time.
    redact
        What takes out of a document what the model must not see.

    Returns
    -------
    Draft
        In the order of the corpus, whatever order the replies came in.  A reply counts only if it
        is one JSON object of the form that was asked for, and its quotation stands in the document,
        white space apart: a question about something else than the document is no case.

    Raises
    ------
    ParameterError
        A count or a seed that there is not.
    """
    check_count(count)
    places = range(len(corpus.documents))
    chosen = sorted(drawn(seed, "draft").sample(places, min(count, len(places))))
    asking = _Asking(endpoint, asyncio.Semaphore(concurrency))
    documents = [
        replace(one, title=redact(one.title), text=redact(one.text))
        for one in (corpus.documents[place] for place in chosen)
    ]
    replies = await asyncio.gather(*map(asking.draft, documents))
    left_out: dict[str, str] = {}
    cases: list[dict[str, Any]] = []
    for document, reply in zip(documents, replies, strict=True):
        if isinstance(reply, str):
            left_out[document.id] = reply
        else:
            cases.append(_case(len(cases) + 1, document, *reply, seed))
    usage = _sum(asking.usages)
    return Draft(Generated(tuple(cases)), left_out, usage, asking.ended, asking.cause)


@dataclass(slots=True)
class _Asking:
    """One model at work on many documents, until it must not be asked any more."""

    endpoint: Endpoint
    slots: asyncio.Semaphore
    ended: Ended = ""
    cause: str = ""
    usages: list[Usage] = field(default_factory=list)

    async def draft(self, document: Document) -> tuple[_Reply, Completion] | str:
        """Return what the model wrote about a document, or why that is no case."""
        if len(document.text) > LONGEST:
            return "too_long"
        async with self.slots:
            return self.ended or await self._drafted(document)

    async def _drafted(self, document: Document) -> tuple[_Reply, Completion] | str:
        messages = _messages(document)
        key = hashlib.sha256(messages[1]["content"].encode("utf-8", "backslashreplace"))
        bill = Bill(key.hexdigest())
        try:
            came = await self.endpoint.reply(messages, bill)
            reply = _Reply.model_validate(read_object(came.text)[1])
        except NoReplyError as end:
            if end.kind in {"budget", "stop"}:
                self.ended = "budget" if end.kind == "budget" else "stop"
            self.cause = self.cause or end.detail
            return end.code
        except ReplyError as error:
            return error.code
        except ValidationError:
            return "schema"
        finally:
            self.usages.append(bill.usage)
        return _unusable(reply, document) or (reply, came)


def _sum(usages: list[Usage]) -> Usage:
    costs = [one.cost for one in usages if one.cost is not None]
    return Usage(
        calls=sum(one.calls for one in usages),
        input_tokens=sum(one.input_tokens for one in usages),
        output_tokens=sum(one.output_tokens for one in usages),
        estimated=any(one.estimated for one in usages),
        cost=sum(costs, Decimal(0)) if costs else None,
    )


def _unusable(reply: _Reply, document: Document) -> str:
    """Return why a reply of the right form is no case; "" where it is one."""
    question, answer, quote = reply.question or "", reply.answer or "", reply.quote or ""
    if not (question.strip() and answer.strip() and quote.strip()):
        return "nothing_to_ask"
    return "" if stands_in(quote, document.text) else "not_quoted"


def _messages(document: Document) -> list[dict[str, str]]:
    data = f"{document.title}\n{document.text}".strip()
    for attempt in numbers():
        # Drawn from the text, so that it cannot be written into it beforehand.
        digest = hashlib.sha256(f"{attempt}\n{data}".encode("utf-8", "backslashreplace"))
        delimiter = f"==={digest.hexdigest()[:24]}"
        if delimiter not in data:
            break
    shown = f"Delimiter: {delimiter}\n\n{delimiter} document\n{data}\n{delimiter} end\n"
    return [
        {"role": "system", "content": draft_prompt()},
        {"role": "user", "content": shown},
    ]


def _case(
    number: int, document: Document, reply: _Reply, came: Completion, seed: int
) -> dict[str, Any]:
    return {
        "id": f"draft-{number:04d}",
        "kind": "qa",
        "question": reply.question,
        "expected_answer": reply.answer,
        "expected_source_ids": [document.id],
        "tags": ["generated", "draft"],
        "metadata": {
            "generated": {
                "by": "veridical rag generate draft",
                "seed": seed,
                "draft": True,
                "model": came.model,
                "prompt_sha256": hashlib.sha256(draft_prompt().encode()).hexdigest(),
            },
            "quote": reply.quote,
        },
    }
