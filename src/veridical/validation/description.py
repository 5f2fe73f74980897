"""``read_description``: a checked ``model.yaml``, with errors that name the line."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from veridical.checked_yaml import load_checked
from veridical.costs import Costs
from veridical.errors import FileMissingError, VeridicalError
from veridical.policy import Policy, load_policy, shipped_policies

__all__ = ["CostSection", "DataSection", "Description", "ModelFile", "read_description"]

_NOUN = "the model file"
_CERTIFYING = "compliant"

Name = Annotated[str, Field(min_length=1, max_length=200)]
Text = Annotated[str, Field(min_length=1, max_length=4000)]
Names = Annotated[tuple[Name, ...], Field(strict=False)]
Price = Annotated[int | float, Field(ge=0)] | Name


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class CostSection(_Section):
    """What errors cost; a price may be the name of a column.

    Attributes
    ----------
    fn, fp, review, currency
        As for ``Costs``.
    """

    fn: Price
    fp: Price
    review: Price = 0
    currency: Annotated[str, Field(min_length=1, max_length=20)] | None = None

    @model_validator(mode="after")
    def _are_costs(self) -> CostSection:
        try:
            self.costs  # noqa: B018 - it is made to see whether it can be
        except VeridicalError as error:
            raise ValueError(error.what) from None
        return self

    @property
    def costs(self) -> Costs:
        """The prices as ``evaluate`` takes them."""
        fn, fp, review = (
            price if isinstance(price, str) else Decimal(str(price))
            for price in (self.fn, self.fp, self.review)
        )
        return Costs(fn=fn, fp=fp, review=review, currency=self.currency)


class DataSection(_Section):
    """The two samples, and what their columns are.

    Attributes
    ----------
    development, out_of_time
        Files, beside the model file: what the model was made on, and what came later.
    label, positive
        Column of outcomes, and the one that counts as positive.
    score, champion
        Column of the model's scores, and of those of the model that is in use, on the same rows.
    threshold
        Scores at or above it are flagged.  By default the cheapest one on the development sample,
        where there are prices.
    costs
        Prices of errors; by default those of the policy.
    groups
        Columns whose values are measured separately.
    proxies
        Columns of protected groups, or of what stands for them.
    favourable
        What is good for whom a decision is about: 1 to be flagged, 0 not to be.
    favourable_label
        The label that is good for whom it is about, where labels are not 0 and 1.
    features, categorical
        Columns whose stability is measured; those of them that are codes and no numbers.
    weight
        Column of row weights >= 0.
    cluster
        Column of rows that belong together, such as those of one customer.
    missing
        ``"error"``, or ``"drop"`` to leave out rows without a label or score, and count them.
    """

    development: Text
    out_of_time: Text
    label: Name
    positive: str | int | float | bool | None = None
    score: Name
    champion: Name | None = None
    threshold: float | None = None
    costs: CostSection | None = None
    groups: Names = ()
    proxies: Names = ()
    favourable: Literal[0, 1] | None = None
    favourable_label: str | int | float | bool | None = None
    features: Names = ()
    categorical: Names = ()
    weight: Name | None = None
    cluster: Name | None = None
    missing: Literal["error", "drop"] = "error"

    @model_validator(mode="after")
    def _fits(self) -> DataSection:
        if self.proxies and self.favourable is None:
            raise ValueError("proxies need favourable: 0 where a flag is bad for them, else 1")
        if self.champion == self.score:
            raise ValueError("the champion has a score column of its own")
        unknown = [name for name in self.categorical if name not in self.features]
        if unknown:
            raise ValueError(f"categorical names {unknown[0]!r}, which is no feature")
        return self


class ModelFile(_Section):
    """What a ``model.yaml`` says.

    Attributes
    ----------
    name, version, purpose, owner
        Of the model, in its owner's words.
    data
        The two samples.
    policy
        Name of a shipped policy or a file beside the model file, or several.
    limitations
        What its owner knows that no number shows.
    """

    name: Name
    version: int | Name
    purpose: Text
    owner: Text
    data: DataSection
    policy: Annotated[tuple[Name, ...], Field(strict=False, min_length=1)]
    limitations: Annotated[tuple[Text, ...], Field(strict=False)] = ()

    @field_validator("version", mode="before")
    @classmethod
    def _is_written_out(cls, version: Any) -> Any:
        if isinstance(version, (float, bool)):
            told = f"version is text: write it in quotes, '{version}'"
            raise ValueError(told)  # noqa: TRY004 - what pydantic turns into its own
        return version

    @field_validator("policy", mode="before")
    @classmethod
    def _may_be_one(cls, named: Any) -> Any:
        return (named,) if isinstance(named, str) else named

    @field_validator("name", "purpose", "owner", "limitations")
    @classmethod
    def _certifies_nothing(cls, said: Any) -> Any:
        texts = said if isinstance(said, tuple) else (said,)
        if any(_CERTIFYING in text.lower() for text in texts):
            raise ValueError(f"a validation certifies nothing: leave out the word {_CERTIFYING!r}")
        return said


@dataclass(frozen=True)
class Description:
    """A checked model file.

    Attributes
    ----------
    path
        Where it is; other files are found beside it.
    file
        What it says.
    policies
        Its policies, checked.
    """

    path: Path
    file: ModelFile
    policies: tuple[Policy, ...]

    @property
    def data(self) -> DataSection:
        """The two samples."""
        return self.file.data

    @property
    def development(self) -> str:
        """The file of what the model was made on."""
        return str(self.path.parent / self.data.development)

    @property
    def out_of_time(self) -> str:
        """The file of what came later."""
        return str(self.path.parent / self.data.out_of_time)

    @property
    def policy_files(self) -> list[str]:
        """The files of policies that stand beside it."""
        shipped = shipped_policies()
        return [str(self.path.parent / n) for n in self.file.policy if n not in shipped]

    @property
    def costs(self) -> Costs | None:
        """The prices of the model file, or of the first policy that has some."""
        if self.data.costs is not None:
            return self.data.costs.costs
        return next((one.costs.costs for one in self.policies if one.costs is not None), None)


def read_description(path: str | Path) -> Description:
    """Return the checked description of a model.

    Parameters
    ----------
    path
        A ``model.yaml``.

    Raises
    ------
    FileMissingError
        There is none, or no such policy.
    ConfigurationError
        A key is unknown, or a value cannot be: with line, and for a key with the nearest legal one.
    """
    file = Path(path)
    try:
        checked, _ = load_checked(ModelFile, file, _NOUN, first_key="name")
    except FileNotFoundError:
        raise FileMissingError(
            "there is no model file", where=str(file)[:200], fix="name a YAML file"
        ) from None
    shipped = shipped_policies()
    policies = tuple(
        load_policy(name if name in shipped else _beside(file, name))
        for name in dict.fromkeys(checked.policy)
    )
    return Description(file, checked, policies)


def _beside(file: Path, name: str) -> Path | str:
    """Return a file beside the model file; the bare name where there is none, for its error."""
    found = file.parent / name
    return found if found.exists() or found.suffix else name
