"""The conditions that a number holds under: JSON values that do not change."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from veridical.errors import ParameterError

__all__ = ["NO_CONDITIONS", "Conditions"]

_PLAIN: Final = {str, int, bool, type(None)}


class _FrozenObject(Mapping[str, Any]):
    """A JSON object inside conditions: immutable and hashable; the order of keys is nothing."""

    __slots__ = ("_fields",)

    def __init__(self, fields: Mapping[Any, Any]) -> None:
        self._fields = {str(key): _freeze(value) for key, value in fields.items()}

    def __getitem__(self, key: str) -> Any:
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __hash__(self) -> int:
        return hash(frozenset(self._fields.items()))

    def __repr__(self) -> str:
        return repr(_thaw(self))


def _freeze(value: Any) -> Any:
    if type(value) in _PLAIN:  # most are, and an abstract class is slow to ask
        return value
    if isinstance(value, Mapping):
        return _FrozenObject(value)
    if isinstance(value, (list, tuple)):
        return tuple(_freeze(v) for v in value)
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        raise ParameterError(
            f"a condition is never {value}",
            fix="leave the condition out, or write it as None or a text",
        )
    return value


def _thaw(value: Any) -> Any:
    if isinstance(value, _FrozenObject):
        return {key: _thaw(inner) for key, inner in value.items()}
    return [_thaw(v) for v in value] if isinstance(value, tuple) else value


class Conditions(Mapping[str, Any]):
    """The conditions that a number holds under, as an immutable mapping.

    Two kinds stand side by side.  *Settings* were chosen before the measurement (threshold, k,
    bins, weights, golden-set hash): two results may only be compared when these are equal.
    *Observed* conditions were found by it (the threshold that attains a false-positive rate, the
    prevalence, how many rows were left out): they are printed, and never forbid a comparison.

    Parameters
    ----------
    settings
        Name to JSON value.  Lists become tuples, objects read-only mappings; non-finite floats
        are refused.
    observed
        The same, for what the measurement found.

    Examples
    --------
    >>> at = Conditions({"fpr": 0.001}, observed={"threshold": 0.92})
    >>> at["threshold"], sorted(at)
    (0.92, ['fpr', 'threshold'])
    >>> at.differences(Conditions({"fpr": 0.01}, observed={"threshold": 0.5}))
    ['fpr']
    """

    __slots__ = ("_observed", "_settings")

    def __init__(
        self,
        settings: Mapping[str, Any] | None = None,
        observed: Mapping[str, Any] | None = None,
    ) -> None:
        found = {k: _freeze(v) for k, v in (observed or {}).items()}
        # A name observed by the measurement is no longer a setting.
        self._settings = {k: _freeze(v) for k, v in (settings or {}).items() if k not in found}
        self._observed = found

    @property
    def settings(self) -> dict[str, Any]:
        """What was chosen before the measurement."""
        return dict(self._settings)

    @property
    def observed(self) -> dict[str, Any]:
        """What the measurement found."""
        return dict(self._observed)

    def __getitem__(self, key: str) -> Any:
        if key in self._observed:
            return self._observed[key]
        return self._settings[key]

    def __iter__(self) -> Iterator[str]:
        yield from self._settings
        yield from self._observed

    def __len__(self) -> int:
        return len(self._settings) + len(self._observed)

    def __hash__(self) -> int:
        return hash((frozenset(self._settings.items()), frozenset(self._observed.items())))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Conditions):
            return self._settings == other._settings and self._observed == other._observed
        if isinstance(other, Mapping):
            return dict(self) == dict(other)
        return NotImplemented

    def __repr__(self) -> str:
        inside = ", ".join(f"{key}={_thaw(value)!r}" for key, value in self.items())
        return f"Conditions({inside})"

    def also(self, **settings: Any) -> Conditions:
        """Return these conditions with further settings."""
        return Conditions({**self._settings, **settings}, self._observed) if settings else self

    def found(self, **observed: Any) -> Conditions:
        """Return these conditions with further observed ones."""
        return Conditions(self._settings, {**self._observed, **observed}) if observed else self

    def differences(self, other: Conditions) -> list[str]:
        """Return the names of the settings in which the two differ, sorted."""
        names = self._settings.keys() | other._settings.keys()
        absent = object()
        return sorted(
            name
            for name in names
            if self._settings.get(name, absent) != other._settings.get(name, absent)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return one flat JSON object (settings first, then observed)."""
        return {key: _thaw(value) for key, value in self.items()}


NO_CONDITIONS = Conditions()
