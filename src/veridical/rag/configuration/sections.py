"""The sections of ``veridical.yaml``, each a closed model: the published schema is made of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

__all__ = [
    "ConfigurationFile",
    "DatasetSection",
    "HttpSection",
    "JudgeSection",
    "MetricBounds",
    "OpenaiSection",
    "PipelineSection",
    "PriceSection",
    "PrivacySection",
    "RunSection",
]

Text = Annotated[str, Field(min_length=1, max_length=4000)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Amount = Annotated[float, Field(ge=0, le=1_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]
Bound = Annotated[float, Field(ge=0, le=1)]

_TARGETS = {
    "python": "module:function",
    "http": "an address",
    "command": "a list of words",
    "openai": "an address up to /v1",
}


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class DatasetSection(_Section):
    """Where the cases are.

    Attributes
    ----------
    path
        A file of JSON objects, one a line, beside the configuration.
    map
        Field of a case to the column that has it.
    """

    path: Text = "cases.jsonl"
    map: dict[Text, Text] = {}


class HttpSection(_Section):
    """How a pipeline behind HTTP is asked, and where in its reply things stand.

    Attributes
    ----------
    method
        Of the request; ``GET`` sends the fields of the body as its query.
    headers, headers_env
        Name to text, and name to the variable that holds the text: for keys.
    json_body
        Written ``json``: the body, in which texts are templates that know ``case``.
    answer, chunks, citations
        Paths such as ``$.data.answer`` and ``$.data.contexts[*]``; without ``chunks`` the pipeline
        does not expose what it retrieved.
    chunk_id, chunk_text, chunk_score, document_id
        Paths within one chunk, the first steps of which are names.
    """

    method: Literal["GET", "POST", "PUT"] = "POST"
    headers: dict[Text, str] = {}
    headers_env: dict[Text, Text] = {}
    json_body: Any = Field(default={"question": "{{ case.question }}"}, alias="json")
    answer: Text = "$.answer"
    chunks: Text | None = None
    chunk_id: Text = "id"
    chunk_text: Text = "text"
    chunk_score: Text | None = None
    document_id: Text | None = None
    citations: Text | None = None

    @model_validator(mode="after")
    def _has_a_query(self) -> HttpSection:
        if self.method == "GET" and not isinstance(self.json_body, dict):
            raise ValueError("json: is an object where the method is GET: its fields are the query")
        return self


class OpenaiSection(_Section):
    """Which model answers, and what it is told.

    Attributes
    ----------
    model
        As the endpoint names it.
    api_key_env
        The variable that holds the key.
    system
        The message before the question; None for none.
    temperature, max_output_tokens
        As sent; None leaves them to the endpoint.
    """

    model: Text
    api_key_env: Text | None = None
    system: Text | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.0
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None


class PipelineSection(_Section):
    """What is evaluated.

    Attributes
    ----------
    kind
        ``python``, ``http``, ``command``, ``openai``, or ``static``: answers of the dataset.
    target
        ``module:callable``, an address, or the words of a command; nothing for ``static``.
    timeout_s, concurrency, retries
        Of one call; how many cases at once; how often a call is made again that may yet succeed.
    max_response_bytes
        The largest reply that is read.
    http, openai
        Of these kinds alone.
    """

    kind: Literal["python", "http", "command", "openai", "static"] = "static"
    target: Text | Annotated[list[Text], Field(min_length=1)] | None = None
    timeout_s: Seconds = 60.0
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 8
    retries: Annotated[int, Field(ge=0, le=20)] = 3
    max_response_bytes: Annotated[int, Field(ge=1)] = 10_000_000
    http: HttpSection | None = None
    openai: OpenaiSection | None = None

    @model_validator(mode="after")
    def _fits_its_kind(self) -> PipelineSection:
        if (self.target is None) != (self.kind == "static"):
            kind = f"a pipeline of kind {self.kind}"
            if self.target is not None:
                raise ValueError(f"{kind} has no target: its answers stand in the dataset")
            raise ValueError(f"{kind} needs a target: {_TARGETS[self.kind]}")
        if isinstance(self.target, list) and self.kind != "command":
            raise ValueError(f"the target of kind {self.kind} is one text")
        if self.kind == "openai" and self.openai is None:
            raise ValueError("a pipeline of kind openai needs openai: {model: ...}")
        for name in ("http", "openai"):
            if getattr(self, name) is not None and self.kind != name:
                raise ValueError(f"{name}: belongs to a pipeline of kind {name}, not {self.kind}")
        return self


class RunSection(_Section):
    """How cases are run and scored.

    Attributes
    ----------
    k, source_match
        Cut-off of the retrieval metrics; ``chunk`` or ``document``.
    repeats, seed
        How often each case is asked; what determines all random draws.
    """

    k: Annotated[int, Field(ge=1, le=10_000)] = 5
    source_match: Literal["chunk", "document"] = "chunk"
    repeats: Annotated[int, Field(ge=1, le=1000)] = 1
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0


class PriceSection(_Section):
    """What a million tokens cost; null where it is unknown."""

    input_per_mtok: Amount | None = None
    output_per_mtok: Amount | None = None


class JudgeSection(_Section):
    """The judge; what each setting means says ``veridical.judge.settings.JudgeSettings``."""

    base_url: Text | None = None
    model: Text | None = None
    api_key_env: Text | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.0
    max_output_tokens: Annotated[int, Field(ge=1)] = 2048
    reasoning_tokens: Annotated[int, Field(ge=0)] = 0
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 8
    language: Text = "en"
    response_format: Literal["auto", "json_object", "none"] = "auto"
    price: PriceSection = PriceSection()
    max_cost_usd: Amount | None = None


class MetricBounds(_Section):
    """What ``gate`` holds a metric to.

    Attributes
    ----------
    min, max
        Between which the value must lie.
    max_error_rate
        Largest share of cases that may have ended in an error.
    """

    min: Bound | None = None
    max: Bound | None = None
    max_error_rate: Share | None = None

    @model_validator(mode="after")
    def _bounds_something(self) -> MetricBounds:
        if self.min is None and self.max is None and self.max_error_rate is None:
            raise ValueError("give min, max or max_error_rate")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min:g} is above max {self.max:g}")
        return self


class PrivacySection(_Section):
    """What may be written.

    Attributes
    ----------
    store_text
        ``full``, ``hashed``: the hashes of texts, ``none``.
    redact
        ``email``, ``phone``, ``secret``, or ``regex:`` and a pattern.
    """

    store_text: Literal["full", "hashed", "none"] = "full"
    redact: list[Text] = []


class ConfigurationFile(_Section):
    """Settings of ``veridical rag``."""

    version: Literal[1]
    dataset: DatasetSection = DatasetSection()
    pipeline: PipelineSection = PipelineSection()
    run: RunSection = RunSection()
    judge: JudgeSection = JudgeSection()
    metrics: dict[Text, MetricBounds] = {}
    store: Text = "sqlite:///.veridical/runs.db"
    privacy: PrivacySection = PrivacySection()

    @field_validator("version", mode="before")
    @classmethod
    def _known_version(cls, version: Any) -> Any:
        if type(version) is not int or version != 1:
            raise ValueError(f"version is 1, not {version!r:.40}")
        return version
