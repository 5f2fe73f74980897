"""The catalogue: everything there is to know about each metric, as data.

The docstring of a metric is its entry; targets come from the shipped policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from veridical.measures import Definition, Measure, Parameter
from veridical.metrics import every_measure
from veridical.policy import Rule, load_policy
from veridical.regulation import load_regulations

__all__ = ["CatalogueEntry", "catalogue", "entry_of"]

STANDARD = ("metric-standard", "fairness-standard")


@dataclass(frozen=True)
class CatalogueEntry:
    """One form of one metric.

    Attributes
    ----------
    measure, definition
        The measure object, and what its author declared.

    Examples
    --------
    >>> entry = next(entry for entry in catalogue() if entry.id == "binary.roc_auc")
    >>> entry.family, entry.bounds, entry.target
    ('binary', (0, 1), {'at_least': 0.95})
    """

    measure: Measure
    definition: Definition

    @property
    def id(self) -> str:
        """``binary.recall@fpr=``: the name of the form without its values."""
        return self.definition.id

    @property
    def family(self) -> str:
        """The family, ``binary``."""
        return self.definition.family

    @property
    def name(self) -> str:
        """The name in its family, ``recall``."""
        return self.definition.name

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names that are accepted."""
        return self.definition.aliases

    @property
    def definition_text(self) -> str:
        """What it is, in a sentence or two."""
        return self._section("") or ""

    @property
    def formula(self) -> str | None:
        """The formula."""
        return self._section("Formula")

    @property
    def undefined(self) -> str | None:
        """When it has no value."""
        return self._section("When it is undefined")

    @property
    def references(self) -> str | None:
        """Where it comes from."""
        return self._section("References")

    @property
    def parameters(self) -> tuple[dict[str, Any], ...]:
        """Name, domain, whether required, and default of each parameter."""
        return tuple(
            {
                "name": parameter.name,
                "domain": parameter.domain,
                "required": parameter.required,
                "default": None if parameter.required else parameter.default,
            }
            for parameter in self.definition.parameters
        )

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """Smallest and largest possible value; None where there is none."""
        return self.definition.bounds

    @property
    def better(self) -> str:
        """``"higher"``, ``"lower"`` or ``"target"``."""
        return self.definition.better

    @property
    def interval(self) -> str | None:
        """How its interval is made, in words; None where there is none."""
        method = self.definition.interval
        if method is None:
            return None
        first = (getattr(method, "__doc__", None) or "").strip().split("\n")[0].rstrip(".")
        return first.replace("``", "") or str(getattr(method, "__name__", "")).replace("_", " ")

    @cached_property
    def target(self) -> dict[str, float] | None:
        """The target of the metric standard; a policy decides, not the catalogue.

        For a form with a fixed point, one target for each point that the standard names.
        """
        row = load_regulations().row(self.id)
        if row is not None and row.target is not None:
            return row.target.bounds
        targets = _targets()
        exact = targets.get(self.id)
        points = {name: limit for name, limit in targets.items() if name.startswith(self.id)}
        return exact or ({n: next(iter(t.values())) for n, t in points.items()} or None)

    @property
    def purpose(self) -> str | None:
        """What the standard measures it for; None where it does not."""
        row = load_regulations().row(self.id)
        return None if row is None else row.purpose

    @property
    def symbol(self) -> str | None:
        """What the standard writes for it; None where it does not name it."""
        row = load_regulations().row(self.id)
        return None if row is None else row.symbol

    @property
    def reading(self) -> str | None:
        """What a value means, of a metric of the standard."""
        row = load_regulations().row(self.id)
        return None if row is None else row.reading

    @property
    def standard(self) -> str:
        """The target of the standard in words; empty where it has none."""
        return _target(self.target)

    @property
    def range(self) -> str:
        """The smallest and the largest possible value in words."""
        low, high = self.bounds
        return f"{_bound(low, 'no lower bound')} to {_bound(high, 'no upper bound')}"

    @property
    def evidence(self) -> tuple[str, ...]:
        """What the standard takes it as evidence for, each text with its status of a day."""
        return tuple(load_regulations().sentences(self.id))

    @property
    def module(self) -> str:
        """The module that implements it."""
        return self.definition.function.__module__

    def facts(self) -> dict[str, str]:
        """Return what is said about it in a word or a line, by label; empty ones are left out.

        Examples
        --------
        >>> {entry.id: entry.facts()["range"] for entry in catalogue()}["binary.mcc"]
        '-1 to 1'
        """
        definition = self.definition
        facts = {
            "symbol": self.symbol or "",
            "better": definition.better,
            "range": self.range,
            "interval": self.interval or "none",
            "purpose": self.purpose or "",
            "standard": self.standard,
            "reading": self.reading or "",
            "parameters": "; ".join(_parameter(p) for p in definition.parameters),
            "needs": ", ".join(_needs(definition)),
            "aliases": ", ".join(definition.aliases),
            "beside it": ", ".join(definition.companions),
        }
        return {label: fact for label, fact in facts.items() if fact}

    def _section(self, heading: str) -> str | None:
        documentation: Mapping[str, str] = self.definition.documentation
        return documentation.get(heading)

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as one JSON object."""
        return {
            "metric": self.id,
            "family": self.family,
            "definition": self.definition_text,
            "formula": self.formula,
            "undefined": self.undefined,
            "parameters": list(self.parameters),
            "settings": list(self.definition.settings),
            "better": self.better,
            "bounds": list(self.bounds),
            "target": self.target,
            "symbol": self.symbol,
            "purpose": self.purpose,
            "reading": self.reading,
            "evidence": load_regulations().to_dicts(self.id),
            "interval": self.interval,
            "probabilities": self.definition.probabilities,
            "aliases": list(self.aliases),
            "companions": list(self.definition.companions),
            "references": self.references,
            "module": self.module,
        }


def catalogue() -> list[CatalogueEntry]:
    """Return every form of every metric, ours first, those of other packages after.

    Examples
    --------
    >>> {str(entry.measure): entry.definition.better for entry in catalogue()}["binary.recall"]
    'higher'
    """
    return [entry for measure in every_measure() for entry in entry_of(measure)]


def entry_of(measure: Measure) -> list[CatalogueEntry]:
    """Return the entry of a measure with parameters, or of each form of a bare one."""
    forms = [measure.definition] if measure.parameters else list(measure.forms.values())
    return [CatalogueEntry(measure, definition) for definition in forms]


def _targets() -> dict[str, dict[str, float]]:
    rules: list[Rule] = [rule for name in STANDARD for rule in load_policy(name).rules]
    return {
        str(rule.metric): {
            name: float(limit)
            for name in ("at_least", "at_most")
            if (limit := getattr(rule, name)) is not None
        }
        for rule in rules
        if rule.group is None
    }


def _target(target: Mapping[str, float] | None) -> str:
    words = {"at_least": "at least", "at_most": "at most", "below": "below"}
    return ", ".join(f"{words.get(k, f'{k} at least')} {v:g}" for k, v in (target or {}).items())


def _bound(bound: float | None, words: str) -> str:
    return words if bound is None else f"{bound:g}"


def _parameter(parameter: Parameter) -> str:
    default = "required" if parameter.required else f"default {parameter.default}"
    return f"{parameter.name}: {parameter.domain} ({default})"


def _needs(definition: Definition) -> Iterator[str]:
    if definition.probabilities:
        yield "forecasts in [0, 1]"
    yield from (f"{name}=" for name in definition.settings if name != "level")
