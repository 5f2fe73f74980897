"""``case/1``: what an agent is given, what is true, and what was done to the files in between."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from veridical import strict_json
from veridical.errors import FileFormatError

__all__ = [
    "BENCH_VERSION",
    "CASE_SCHEMA",
    "Case",
    "ExpectedFlag",
    "Injection",
    "InputFile",
    "Limits",
    "Perturbed",
    "TaskView",
    "Truth",
]

BENCH_VERSION = "1.0.0"
CASE_SCHEMA = "case/1"


@dataclass(frozen=True, slots=True)
class InputFile:
    """One file that an agent is given.

    Attributes
    ----------
    name
        A plain file name, without folders.
    sha256, size
        Hash in hexadecimal, and number of bytes.
    content
        What stands in it, or None where only the case was read.
    """

    name: str
    sha256: str
    size: int
    content: bytes | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, name: str, content: bytes) -> InputFile:
        """Return the file of ``name`` that holds ``content``."""
        return cls(name, hashlib.sha256(content).hexdigest(), len(content), content)


@dataclass(frozen=True, slots=True)
class Truth:
    """What an account holds at the end of the period: exact, not rounded."""

    balance: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Perturbed:
    """One change between what happened and what the files show.

    Attributes
    ----------
    id, variant
        Which perturbation, and which kind of it; ``twin`` is a benign look-alike.
    account_id
        The account whose files were changed.
    lines
        The lines of the statement or entries of the ledger that are concerned.
    expects_flag
        The type of flag that it calls for, or None.
    bites
        Whether the naive sum of the account is wrong because of it.
    """

    id: str
    variant: str
    account_id: str
    lines: tuple[str, ...]
    expects_flag: str | None
    bites: bool


@dataclass(frozen=True, slots=True)
class ExpectedFlag:
    """A flag that a careful reader raises."""

    type: str
    account_id: str


@dataclass(frozen=True, slots=True)
class Injection:
    """An instruction hidden in the bank's data, and the balance that it asks for."""

    account_id: str
    value: Decimal
    family: str
    carrier: str
    encoding: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case with all that is known about it; an agent sees a `TaskView` of it alone.

    Attributes
    ----------
    case_id, template_id, seed, tier
        The seed is that of the suite; the tier is the number of changes that call for a flag.
    start, end
        First and last day of the period.
    inputs
        The files, by name.
    truth
        By account id; never empty.
    determinable
        Whether the files allow one answer only.
    candidate_balances
        By account id, where they do not: at least two that agree with the files.
    is_clean
        Neither a change nor an injection.
    benign_noise
        Changed, and yet no flag is called for.
    twin_of
        Of an injected case: the case that is the same but for the payload.
    """

    case_id: str
    template_id: str
    seed: str
    tier: int
    start: date
    end: date
    inputs: tuple[InputFile, ...]
    truth: Mapping[str, Truth]
    determinable: bool
    candidate_balances: Mapping[str, tuple[Decimal, ...]]
    perturbations: tuple[Perturbed, ...]
    expected_flags: tuple[ExpectedFlag, ...]
    is_clean: bool
    benign_noise: bool
    twin_of: str | None
    injection: Injection | None
    bench_version: str = BENCH_VERSION

    @property
    def sha256(self) -> str:
        """Hash of the canonical case; it holds the hashes of the files."""
        return strict_json.sha256(self.to_dict())

    def file(self, name: str) -> bytes:
        """Return what stands in the file of this name; ``KeyError`` where there is none."""
        for one in self.inputs:
            if one.name == name and one.content is not None:
                return one.content
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """Return the case as ``case/1``; contents of files are not part of it."""
        return {
            "schema": CASE_SCHEMA,
            "bench_version": self.bench_version,
            "case_id": self.case_id,
            "template_id": self.template_id,
            "seed": self.seed,
            "tier": self.tier,
            "period": {"start": self.start.isoformat(), "end": self.end.isoformat()},
            "inputs": [
                {"name": one.name, "sha256": one.sha256, "bytes": one.size} for one in self.inputs
            ],
            "truth": {
                account: {"balance": str(true.balance), "currency": true.currency}
                for account, true in self.truth.items()
            },
            "determinable": self.determinable,
            "candidate_balances": {
                account: [str(one) for one in balances]
                for account, balances in self.candidate_balances.items()
            },
            "perturbations": [
                {**asdict(one), "lines": list(one.lines)} for one in self.perturbations
            ],
            "expected_flags": [asdict(one) for one in self.expected_flags],
            "is_clean": self.is_clean,
            "benign_noise": self.benign_noise,
            "twin_of": self.twin_of,
            "injection": None
            if self.injection is None
            else {**asdict(self.injection), "value": str(self.injection.value)},
        }

    @classmethod
    def from_dict(
        cls, data: Mapping[str, Any], contents: Mapping[str, bytes] | None = None
    ) -> Case:
        """Read ``case/1``.

        Parameters
        ----------
        data
            As `to_dict` gives it.
        contents
            The files by name; each is held to its hash.

        Raises
        ------
        FileFormatError
            It is not a case, or a file is not the one the case was made with.
        """
        try:
            if data["schema"] != CASE_SCHEMA:
                raise FileFormatError(
                    f"this is {ascii(data['schema'])[:80]}, not {CASE_SCHEMA}",
                    fix="generate the suite with this version",
                )
            return _from_dict(data, contents)
        except FileFormatError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            raise FileFormatError(
                f"this is no {CASE_SCHEMA}: {type(error).__name__} {ascii(str(error))[:80]}",
                fix="generate the suite again",
            ) from error


def _from_dict(data: Mapping[str, Any], contents: Mapping[str, bytes] | None) -> Case:
    injection = data["injection"]
    return Case(
        bench_version=data["bench_version"],
        case_id=data["case_id"],
        template_id=data["template_id"],
        seed=data["seed"],
        tier=data["tier"],
        start=date.fromisoformat(data["period"]["start"]),
        end=date.fromisoformat(data["period"]["end"]),
        inputs=tuple(_input_file(one, contents) for one in data["inputs"]),
        truth={
            account: Truth(Decimal(true["balance"]), true["currency"])
            for account, true in data["truth"].items()
        },
        determinable=data["determinable"],
        candidate_balances={
            account: tuple(map(Decimal, balances))
            for account, balances in data["candidate_balances"].items()
        },
        perturbations=tuple(
            Perturbed(**{**one, "lines": tuple(one["lines"])}) for one in data["perturbations"]
        ),
        expected_flags=tuple(ExpectedFlag(**one) for one in data["expected_flags"]),
        is_clean=data["is_clean"],
        benign_noise=data["benign_noise"],
        twin_of=data["twin_of"],
        injection=None
        if injection is None
        else Injection(**{**injection, "value": Decimal(injection["value"])}),
    )


def _input_file(data: Mapping[str, Any], contents: Mapping[str, bytes] | None) -> InputFile:
    noted = InputFile(data["name"], data["sha256"], data["bytes"])
    if contents is None:
        return noted
    found = InputFile.of(noted.name, contents[noted.name])
    if found != noted:
        raise FileFormatError(
            f"the file {noted.name!a} is not the one this case was made with",
            fix="generate the suite again",
        )
    return found


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use; whoever goes beyond it gets no further."""

    turns: int = 40
    seconds: float = 300.0


@dataclass(frozen=True, slots=True)
class TaskView:
    """What an agent is told about a case.

    Attributes
    ----------
    case_id
        Says nothing about what is in the case.
    prompt
        The task, the policy and the vocabulary.
    files
        Name and size in bytes of each file.
    limits
        Turns and seconds.
    """

    case_id: str
    prompt: str
    files: tuple[tuple[str, int], ...]
    limits: Limits
