"""``JudgeSettings``: which judge is asked, how, and what it may cost."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final, Literal, Self, TypeAlias
from urllib.parse import urlsplit

from veridical.errors import ConfigurationError
from veridical.judge.verdicts import Verdict

__all__ = [
    "DEFAULT_KEY",
    "VARIABLES",
    "JudgeSettings",
    "Price",
    "ResponseFormat",
    "variable_told",
]

ResponseFormat: TypeAlias = Literal["auto", "json_object", "none"]

DEFAULT_KEY: Final = "VERIDICAL_JUDGE_API_KEY"
"""Where the key is looked for unless ``api_key_env`` names another variable."""

VARIABLES: Final[dict[str, tuple[str, ...]]] = {
    "base_url": ("VERIDICAL_JUDGE_BASE_URL",),
    "model": ("VERIDICAL_JUDGE_MODEL", "RAGPROOF_JUDGE_MODEL"),
    "input_per_mtok": (
        "VERIDICAL_JUDGE_INPUT_COST_PER_MTOK",
        "RAGPROOF_JUDGE_INPUT_COST_PER_MTOK",
    ),
    "output_per_mtok": (
        "VERIDICAL_JUDGE_OUTPUT_COST_PER_MTOK",
        "RAGPROOF_JUDGE_OUTPUT_COST_PER_MTOK",
    ),
    "max_cost_usd": ("VERIDICAL_MAX_COST_USD", "RAGPROOF_MAX_COST_USD"),
}
"""The variables of each setting, the one that wins first."""

_MTOK: Final = Decimal(1_000_000)
_LEAST = {"max_output_tokens": 1, "reasoning_tokens": 0, "concurrency": 1, "retries": 0}
_SECONDS = ("timeout_s", "connect_timeout_s", "backoff_s", "longest_wait_s")


@dataclass(frozen=True, slots=True)
class Price:
    """What tokens cost, in the currency of the budget.

    Attributes
    ----------
    input_per_mtok, output_per_mtok
        For a million tokens.

    Examples
    --------
    >>> Price(Decimal("2.50"), Decimal(10)).cost(1000, 100)
    Decimal('0.0035')
    """

    input_per_mtok: Decimal
    output_per_mtok: Decimal

    def cost(self, input_tokens: int, output_tokens: int) -> Decimal:
        """Return what a call costs."""
        total = self.input_per_mtok * input_tokens + self.output_per_mtok * output_tokens
        return (total / _MTOK).normalize() + Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """A judge behind an OpenAI-compatible endpoint.

    Attributes
    ----------
    base_url
        What ``/chat/completions`` is appended to.
    model
        The model that is asked for.
    api_key_env
        The variable that holds the key; None for ``VERIDICAL_JUDGE_API_KEY``, and for no key where
        that is not set.  The key itself is never part of the settings.
    temperature
        0 unless there is a reason.
    max_output_tokens, reasoning_tokens
        The most that a reply may take, and what the model may think before it; their sum is the
        cap that is sent.
    concurrency
        How many requests are under way at most.
    language
        In which the judge gives its reasons.
    response_format
        ``auto`` asks for a JSON object until the endpoint refuses to; ``none`` never does.
    price
        None where it is unknown.
    max_cost_usd
        The most that a run may spend, None for no limit.
    timeout_s, connect_timeout_s
        For a whole exchange, and for its connection.
    retries
        How often a request is sent again that did not come through.
    backoff_s, longest_wait_s
        How long the first pause is, and any pause at most.
    longest_prompt
        The most characters of a prompt; a longer one is skipped as ``context_too_long``.
    largest_response
        The most bytes of a response, decompressed.

    Raises
    ------
    ConfigurationError
        A value cannot be.

    Examples
    --------
    >>> settings = JudgeSettings(base_url="http://127.0.0.1:8643/v1/", model="judge-1")
    >>> settings.url, settings.output_cap
    ('http://127.0.0.1:8643/v1/chat/completions', 2048)
    """

    base_url: str
    model: str
    api_key_env: str | None = None
    temperature: float | None = 0.0
    max_output_tokens: int = 2048
    reasoning_tokens: int = 0
    concurrency: int = 8
    language: str = "en"
    response_format: ResponseFormat = "auto"
    price: Price | None = None
    max_cost_usd: Decimal | None = None
    timeout_s: float = 120.0
    connect_timeout_s: float = 10.0
    retries: int = 5
    backoff_s: float = 0.5
    longest_wait_s: float = 60.0
    longest_prompt: int = 400_000
    largest_response: int = 4_000_000

    def __post_init__(self) -> None:
        _check_url(self.base_url)
        if not self.model.strip():
            raise _wrong("model", self.model, "name the model of the judge")
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise _wrong(name, getattr(self, name), f"give at least {least}")
        for name in _SECONDS:
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise _wrong(name, getattr(self, name), "give a positive number of seconds")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise _wrong("temperature", self.temperature, "give a number from 0 to 2")
        if self.response_format not in {"auto", "json_object", "none"}:
            raise _wrong("response_format", self.response_format, "give auto, json_object or none")

    @classmethod
    def from_configuration(
        cls,
        values: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Self | None:
        """Return the judge that the configuration and the environment name.

        Parameters
        ----------
        values
            The ``judge`` section of a configuration; what the environment says wins.
        environment
            The variables; None for those of the process.

        Returns
        -------
        JudgeSettings or None
            None where no judge is configured: neither an address nor a model.

        Raises
        ------
        ConfigurationError
            Half a judge, or a value that cannot be.

        Examples
        --------
        >>> JudgeSettings.from_configuration({}, {}) is None
        True
        >>> JudgeSettings.from_configuration(
        ...     {"base_url": "http://127.0.0.1:1/v1"}, {"RAGPROOF_JUDGE_MODEL": "judge-1"}
        ... ).model
        'judge-1'
        """
        given = {key: value for key, value in (values or {}).items() if value is not None}
        given |= {"price": dict(given.get("price") or {})}
        for name, text in _from_environment(os.environ if environment is None else environment):
            place = given["price"] if name.endswith("_per_mtok") else given
            place[name] = text
        if not given.get("base_url") and not given.get("model"):
            return None
        for name in ("base_url", "model"):
            if not given.get(name):
                raise ConfigurationError(
                    f"the judge has no {name}",
                    where=f"judge.{name}",
                    fix=f"set it in veridical.yaml, or in {VARIABLES[name][0]}",
                )
        given["price"] = _price(given["price"])
        if "max_cost_usd" in given:
            given["max_cost_usd"] = _money("max_cost_usd", given["max_cost_usd"])
        unknown = set(given) - set(cls.__slots__)
        if unknown:
            raise _wrong(min(unknown), given[min(unknown)], "remove it: there is no such setting")
        return cls(**given)

    @property
    def url(self) -> str:
        """Where requests go."""
        return f"{self.endpoint}/chat/completions"

    @property
    def endpoint(self) -> str:
        """The address without a slash at its end."""
        return self.base_url.rstrip("/")

    @property
    def output_cap(self) -> int:
        """The most tokens of one response."""
        return self.max_output_tokens + self.reasoning_tokens

    @property
    def parameters(self) -> dict[str, Any]:
        """What else is asked for, as far as it can change a reply."""
        return {
            "temperature": self.temperature,
            "max_output_tokens": self.max_output_tokens,
            "reasoning_tokens": self.reasoning_tokens,
            "response_format": self.response_format,
            "language": self.language,
        }

    def identity(self, verdicts: Iterable[Verdict] = ()) -> dict[str, Any]:
        """Return the conditions that verdicts hold under.

        Parameters
        ----------
        verdicts
            All of a run: which model was served, and what was not sent because the endpoint
            refuses it, is known from them alone, so that a resumed run says the same.
        """
        from veridical.judge.rendering import prompt_hashes

        given = list(verdicts)
        return {
            "model": self.model,
            "served": sorted({one.model for one in given if one.model is not None}),
            "endpoint": self.endpoint,
            "parameters": self.parameters,
            "dropped": sorted({name for one in given for name in one.dropped}),
            "prompts": dict(sorted(prompt_hashes().items())),
        }

    def key(self, environment: Mapping[str, str] | None = None) -> str | None:
        """Return the key of the endpoint; None where none is needed.

        Raises
        ------
        ConfigurationError
            The variable that should hold it does not.
        """
        variables = os.environ if environment is None else environment
        name = self.api_key_env or DEFAULT_KEY
        key = variables.get(name, "").strip()
        if not key and self.api_key_env is not None:
            raise ConfigurationError(
                f"the variable {variable_told(name)} with the key of the judge is not set",
                where="judge.api_key_env",
                fix="export it, or correct the name: the key itself belongs into no file",
            )
        if not key.isascii() or not key.isprintable():
            raise ConfigurationError(
                "the key of the judge holds characters that no request can carry",
                where=variable_told(name),
                fix="copy it again",
            )
        return key or None

    def check_budget(self) -> None:
        """Refuse a budget that cannot be kept.

        Raises
        ------
        ConfigurationError
            There is a limit, and no price.
        """
        if self.max_cost_usd is not None and self.price is None:
            raise ConfigurationError(
                f"the price of {self.model[:80]!r} is unknown, so a budget cannot be kept",
                where="judge.max_cost_usd",
                why="a limit that is not checked is none",
                fix="set judge.price.input_per_mtok and output_per_mtok, or remove the limit",
            )


def _from_environment(environment: Mapping[str, str]) -> list[tuple[str, str]]:
    found = (
        (name, [environment.get(v, "").strip() for v in VARIABLES[name]]) for name in VARIABLES
    )
    return [(name, next(filter(None, texts))) for name, texts in found if any(texts)]


def _price(values: Mapping[str, Any]) -> Price | None:
    given = {name: value for name, value in values.items() if value is not None}
    if not given:
        return None
    names = ("input_per_mtok", "output_per_mtok")
    for name in (*names, *given):
        if name not in given or name not in names:
            raise _wrong(f"price.{name}", given.get(name), "give both prices, of input and output")
    return Price(*(_money(f"price.{name}", given[name]) for name in names))


def _money(name: str, value: Any) -> Decimal:
    try:
        amount = Decimal(str(value).strip())
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or not 0 <= amount <= 1_000_000:
        raise _wrong(name, value, "give an amount such as 2.50")
    return amount


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        secret = "@" in parts.netloc or bool(parts.query or parts.fragment)
        whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole, secret = False, "@" in url
    if secret:
        raise ConfigurationError(
            "the address of the judge holds more than an address",
            where="judge.base_url",
            why="what stands before @ or after ? may be a secret, and the address is on record",
            fix="give the key by judge.api_key_env",
        )
    if not whole or not url.isascii() or not url.isprintable() or " " in url:
        raise _wrong(
            "base_url", url, "give http:// or https:// with a host, such as https://host/v1"
        )


def _wrong(name: str, value: object, fix: str) -> ConfigurationError:
    return ConfigurationError(f"{name} is {str(value)[:80]!r}", where=f"judge.{name}", fix=fix)


def variable_told(name: str) -> str:
    """Return the name of a variable as it may be printed: a key may stand there by mistake.

    Examples
    --------
    >>> variable_told("JUDGE_KEY"), variable_told("sk-1234")
    ("'JUDGE_KEY'", '(not shown: it may be a key)')
    """
    usual = re.fullmatch("[A-Z_][A-Z0-9_]{0,63}", name)
    return repr(name) if usual else "(not shown: it may be a key)"
