"""What a monitor is held to: windows, rest, approval, and who is told to retrain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from veridical import strict_json
from veridical.checked_yaml import load_checked
from veridical.errors import ConfigurationError, FileMissingError

__all__ = ["MonitorRules", "Target", "read_rules"]

Text = Annotated[str, Field(min_length=1, max_length=4000)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Target(_Section):
    """Who gets a request to retrain.

    Attributes
    ----------
    name
        What the receiver is called.
    kind
        ``file`` writes each request into the folder ``path``; ``command`` starts ``argv`` with the
        request on its standard input; ``webhook`` posts it to ``url``.
    secret_env
        The variable that holds the secret by which a post is signed.
    allow_private
        Whether ``url`` may lead to an address that is not public.
    timeout_s
        For one attempt.
    """

    name: Text = "coordinator"
    kind: Literal["file", "command", "webhook"] = "file"
    path: Text = "retrain-requests"
    argv: Annotated[list[Text], Field(max_length=100)] = []
    url: str = ""
    secret_env: Text = "VERIDICAL_WEBHOOK_SECRET"  # noqa: S105 - the name of a variable
    allow_private: bool = False
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 30.0

    @model_validator(mode="after")
    def _has_what_its_kind_needs(self) -> Self:
        if self.kind == "command" and not self.argv:
            raise ValueError("a target of kind command needs argv, a list of words")
        if self.kind == "webhook" and not self.url.startswith(("http://", "https://")):
            raise ValueError("a target of kind webhook needs a url with http:// or https://")
        return self


class MonitorRules(_Section):
    """The rules of a monitor; the defaults are the plain ones.

    Attributes
    ----------
    name
        What the rules are called.
    needed, periods
        How many of the last periods must be moderate for an alert, significant for a request.
    min_rows
        A period with fewer rows says nothing.
    cooldown
        How many periods are only recorded after a request was answered.
    approval
        Whether a request goes out by itself, or waits until a person approves it.
    attempts, backoff_s, longest_wait_s
        How often a delivery is tried, the pause after the first failure (it doubles), and the
        longest pause.
    target
        Who gets it.
    """

    version: Literal[1] = 1
    name: Text = "plain"
    needed: Annotated[int, Field(ge=1, le=1000)] = 1
    periods: Annotated[int, Field(ge=1, le=1000)] = 1
    min_rows: Annotated[int, Field(ge=0)] = 0
    cooldown: Annotated[int, Field(ge=0, le=1000)] = 1
    approval: Literal["automatic", "person"] = "automatic"
    attempts: Annotated[int, Field(ge=1, le=100)] = 10
    backoff_s: Annotated[float, Field(gt=0, le=86_400)] = 30.0
    longest_wait_s: Annotated[float, Field(gt=0, le=604_800)] = 3600.0
    target: Target = Target()

    @model_validator(mode="after")
    def _window_holds_what_is_needed(self) -> Self:
        if self.needed > self.periods:
            raise ValueError(f"{self.needed} of {self.periods} periods can never be reached")
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as JSON."""
        return self.model_dump(mode="json")

    @property
    def sha256(self) -> str:
        """Hash of what the rules say."""
        return strict_json.sha256(self.to_dict())


def read_rules(source: str | Path | dict[str, Any]) -> MonitorRules:
    """Read rules from a YAML file, or from a mapping.

    Raises
    ------
    ConfigurationError
        It does not parse, or says something that is no rule.
    FileMissingError
        There is no such file.

    Examples
    --------
    >>> rules = read_rules({"needed": 2, "periods": 3, "approval": "person"})
    >>> rules.needed, rules.cooldown, rules.target.name
    (2, 1, 'coordinator')
    """
    if not isinstance(source, dict):
        path = Path(source)
        try:
            return load_checked(MonitorRules, path, "the file of rules", first_key="columns")[0]
        except FileNotFoundError:
            raise FileMissingError(
                "there is no file of rules", where=str(path)[:200], fix="name a YAML file"
            ) from None
    try:
        return MonitorRules.model_validate(source)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ConfigurationError(
            f"{place or 'the rules'}: {first['msg']}"[:300],
            where="the rules",
            fix=f"the keys are: {', '.join(MonitorRules.model_fields)}",
        ) from error
