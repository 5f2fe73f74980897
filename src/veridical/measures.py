"""Measure objects: what is measured, apart from who computes it.

The author of a metric writes a short function on a summary and decorates it::

    @metric("binary", summary=ConfusionCounts, interval=intervals.wilson, bounds=(0, 1))
    def recall(counts): ...

    @recall.form("fpr", summary=ScoreTable, parameters=[number("fpr", low=0, high=1)])
    def recall_at_fpr(table, fpr): ...

``recall`` is then a ``Measure``: ``recall(fpr=0.001)`` is another, ``str()`` of it is its only
stored identity (``binary.recall@fpr=0.001``), and equality and hash follow from that string.  The
docstring is the catalogue entry.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from veridical.docstrings import sections
from veridical.errors import MetricNameError, ParameterError
from veridical.results import Result

if TYPE_CHECKING:
    from decimal import Decimal

__all__ = [
    "Definition",
    "Measure",
    "Parameter",
    "choice",
    "format_value",
    "integer",
    "metric",
    "number",
    "registered",
]

Better: TypeAlias = Literal["higher", "lower", "target"]
Value: TypeAlias = int | float | str
Function = TypeVar("Function", bound=Callable[..., Result])
REQUIRED = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a metric: its type, range and default."""

    name: str
    kind: type[int | float | str]
    default: Any = REQUIRED
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is REQUIRED

    @property
    def domain(self) -> str:
        """The legal values, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        kind = "an integer" if self.kind is int else "a number"
        if math.isfinite(self.low) and math.isfinite(self.high):
            return f"{kind} from {self.low:g} to {self.high:g}"
        return f"{kind} of at least {self.low:g}" if math.isfinite(self.low) else kind

    def read(self, given: Any) -> Value:
        """Return the value that ``given`` (a number or text) stands for, checked."""
        value: Any
        try:
            if isinstance(given, bool) or (self.kind is str) != isinstance(given, str):
                value = self._from_text(given)
            else:
                value = self.kind(given)
            if self.kind is int and not isinstance(given, str) and value != given:
                raise ValueError
        except (TypeError, ValueError, ArithmeticError):
            raise self._refused(given) from None
        if self.choices and value not in self.choices:
            raise self._refused(given)
        if self.kind is not str and not (self.low <= value <= self.high and math.isfinite(value)):
            raise self._refused(given)
        return value  # type: ignore[no-any-return]

    def _from_text(self, given: Any) -> Any:
        if not isinstance(given, str):
            raise TypeError
        text = given.strip()
        if self.kind is str:
            return text
        if text.isdecimal() and len(text) < 18:
            return self.kind(int(text))
        number = _decimal(text)
        if self.kind is int and not (abs(number) < 1e18 and number == number.to_integral_value()):
            raise ValueError
        return self.kind(number)

    def _refused(self, given: Any) -> ParameterError:
        shown = repr(given)[:80]
        return ParameterError(f"{self.name} is {self.domain}, not {shown}", fix="correct it")


def _decimal(text: str) -> Decimal:
    """Read a number, or a percentage: 0.07 / 100 is another double than 0.0007."""
    from decimal import Decimal

    return Decimal(text[:-1]) / 100 if text.endswith("%") else Decimal(text)


def number(name: str, default: Any = REQUIRED, *, low: float, high: float = math.inf) -> Parameter:
    """Declare a real-valued parameter in [low, high]."""
    return Parameter(name, float, default, low, high)


def integer(name: str, default: Any = REQUIRED, *, low: int, high: float = math.inf) -> Parameter:
    """Declare an integer parameter in [low, high]."""
    return Parameter(name, int, default, low, high)


def choice(name: str, options: Iterable[str], default: Any = REQUIRED) -> Parameter:
    """Declare a parameter with a closed list of values."""
    return Parameter(name, str, default, choices=tuple(options))


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """Everything known about one form of a metric; a row of the catalogue.

    Attributes
    ----------
    family, name, point
        ``binary``, ``recall``, and None or the parameter that the form is bound to (``"fpr"``).
    function
        ``summary, **parameters, **settings -> Result``.
    summary
        The type of summary it is computed from.
    parameters
        Its parameters; ``main`` names the one that a bare ``@v`` binds to.
    settings
        Evaluation settings that it reads as keyword arguments: ``"threshold"``, ``"costs"``.
    better
        ``"higher"``, ``"lower"`` or ``"target"``.
    bounds
        Smallest and largest possible value; None where there is none.
    interval
        How its interval is made, a method of ``veridical.metrics.intervals``; None gives none.
    statistic
        ``(summary, **arguments)`` -> what can be resampled or compared unit by unit: a function
        of resampled walks, the value of each query, what each text adds.
    aliases, companions, probabilities
        Other names; metrics always reported beside it; whether it needs forecasts in [0, 1].
    """

    family: str
    name: str
    point: str | None
    function: Callable[..., Result]
    summary: type
    parameters: tuple[Parameter, ...] = ()
    main: str | None = None
    settings: tuple[str, ...] = ()
    better: Better = "higher"
    bounds: tuple[float | None, float | None] = (None, None)
    interval: Callable[..., Any] | None = None
    statistic: Callable[..., Any] | None = None
    aliases: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    probabilities: bool = False

    @property
    def id(self) -> str:
        """``binary.recall@fpr=``: the name of the form without its values."""
        if self.point is not None and self.parameter(self.point).required:
            return f"{self.family}.{self.name}@{self.point}="
        at_main = self.main is not None and self.parameter(self.main).required
        return f"{self.family}.{self.name}" + (f"@{self.main}" if at_main else "")

    def parameter(self, name: str) -> Parameter:
        """Return the parameter called ``name``."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        known = ", ".join(p.name for p in self.parameters) or "none"
        raise ParameterError(
            f"{self.family}.{self.name} has no parameter {name!r}",
            fix=f"its parameters are: {known}",
        )

    @property
    def documentation(self) -> Mapping[str, str]:
        """The docstring by section: ``""`` (the summary), ``Formula``, ``References``, ..."""
        return sections(self.function.__doc__ or "")


@dataclass(eq=False)
class Measure:
    """A metric, perhaps with parameters: a value that can be compared, hashed and printed.

    Examples
    --------
    >>> from veridical import binary
    >>> str(binary.recall(fpr=0.001)), binary.recall(fpr=0.001) == binary.recall(fpr=1e-3)
    ('binary.recall@fpr=0.001', True)
    """

    family: str
    name: str
    forms: dict[str | None, Definition]
    parameters: Mapping[str, Value] = field(default_factory=dict)

    def __call__(self, **parameters: Any) -> Measure:
        """Return the measure with these parameters."""
        merged = {**self.parameters, **parameters}
        definition = self._form(merged)
        values = {name: definition.parameter(name).read(v) for name, v in merged.items()}
        return Measure(self.family, self.name, self.forms, values)

    def __matmul__(self, value: Any) -> Measure:
        """Bind the main parameter: ``retrieval.ndcg @ 10``."""
        for definition in self.forms.values():
            if definition.main is not None:
                return self(**{definition.main: value})
        points = " or ".join(f"{self.family}.{self.name}@{p}=..." for p in self.forms if p)
        raise ParameterError(
            f"{self.family}.{self.name} has no main parameter for @ to bind",
            fix=f"write {points}" if points else f"write {self.family}.{self.name}",
        )

    def _form(self, parameters: Mapping[str, Any]) -> Definition:
        for point, definition in self.forms.items():
            if point is not None and point in parameters:
                return definition
        if None in self.forms:
            return self.forms[None]
        for point, definition in self.forms.items():
            if point is not None and not definition.parameter(point).required:
                return definition
        choices = " or ".join(definition.id + "..." for definition in self.forms.values())
        raise ParameterError(f"{self.family}.{self.name} needs a parameter", fix=f"write {choices}")

    @property
    def definition(self) -> Definition:
        """The definition of the form that the parameters select."""
        return self._form(self.parameters)

    @property
    def function(self) -> Callable[..., Result]:
        """The plain function behind the selected form."""
        return self.definition.function

    def arguments(self) -> dict[str, Value]:
        """Return all parameters with defaults filled in; a required one that is absent raises."""
        filled: dict[str, Value] = {}
        for parameter in self.definition.parameters:
            value = self.parameters.get(parameter.name, parameter.default)
            if value is REQUIRED:
                raise ParameterError(
                    f"{self} needs {parameter.name}, {parameter.domain}",
                    fix=f"write {self.definition.id}..."
                    if self.definition.point
                    else f"{self}@...",
                )
            if value is not None:
                filled[parameter.name] = value
        return filled

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        if not self.parameters:
            return f"{self.family}.{self.name}"
        given = dict(self.parameters)
        definition = self._form(given) if self.forms else None
        at = ""
        if definition is not None:
            for parameter in definition.parameters:
                if not parameter.required and given.get(parameter.name) == parameter.default:
                    given.pop(parameter.name, None)
            if definition.point in given:
                at = f"@{definition.point}={format_value(given.pop(definition.point))}"
            elif definition.main in given:
                at = f"@{format_value(given.pop(definition.main))}"
        rest = "".join(f",{key}={format_value(given[key])}" for key in sorted(given))
        return f"{self.family}.{self.name}{at}{rest}"

    def __repr__(self) -> str:
        return (
            f"<measure {self.family}.{self.name}>" if not self.parameters else f"<measure {self}>"
        )

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Measure) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def form(self, point: str, **fields: Any) -> Callable[[Function], Function]:
        """Decorate a function as the form of this metric that is bound to ``point``."""

        def add(function: Function) -> Function:
            _add_form(self, point, function, fields)
            return function

        return add


_REGISTRY: dict[str, Measure] = {}


def registered() -> Mapping[str, Measure]:
    """Return every metric that has been registered so far, by ``family.name``."""
    return _REGISTRY


def metric(
    family: str, *, name: str | None = None, point: str | None = None, **fields: Any
) -> Callable[[Callable[..., Result]], Measure]:
    """Make a function on a summary into a measure object, and register it.

    Parameters
    ----------
    family, name
        Its canonical name is ``family.name``; the name defaults to the function's.
    point
        The parameter that its only or first form is bound to (``partial_auc@fpr=``).
    **fields
        The other attributes of ``Definition``.
    """

    def register(function: Callable[..., Result]) -> Measure:
        own = name or function.__name__
        key = f"{family}.{own}"
        measure = Measure(family, own, {})
        if key in _REGISTRY and _REGISTRY[key].forms:
            raise MetricNameError(
                f"the metric {key} exists already",
                why="a stored name must mean one thing",
                fix="choose another name or family",
            )
        _add_form(measure, point, function, fields)
        _REGISTRY[key] = measure
        return _documented(measure, function)

    return register


def _add_form(
    measure: Measure, point: str | None, function: Callable[..., Result], fields: dict[str, Any]
) -> None:
    for plural in ("parameters", "settings", "aliases", "companions"):
        fields[plural] = tuple(fields.get(plural, ()))
    measure.forms[point] = Definition(measure.family, measure.name, point, function, **fields)


def _documented(measure: Measure, function: Callable[..., Result]) -> Measure:
    # The measure stands where the function stood: doctest, help() and Sphinx find its docstring.
    measure.__doc__ = function.__doc__
    measure.__module__ = function.__module__
    measure.__wrapped__ = function  # type: ignore[attr-defined]
    return measure


def format_value(value: Value) -> str:
    """Return the shortest text that reads back as ``value``.

    Examples
    --------
    >>> format_value(10), format_value(2.0), format_value(0.001), format_value("exp")
    ('10', '2', '0.001', 'exp')
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return value if isinstance(value, str) else repr(value)
