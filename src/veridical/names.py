"""The grammar of metric names: ``family.name[@v][,key=v...]`` to a measure, and back.

``parse(str(m)) == m`` for every measure.  Old, foreign and short names are accepted wherever only
one metric answers to them; otherwise the error lists the candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from veridical.errors import MetricNameError, ParameterError
from veridical.measures import Definition, Measure, registered

__all__ = ["near_names", "parse"]

# "Recall@0.1% FPR"; a space or a percent sign must part the two, for "ece@1e9" is a number.
_PERCENT_POINT = re.compile(
    r"^(?P<name>[^@,]+)@\s*(?P<value>[\d.e+-]+(?:\s*%|(?=\s)))\s*(?P<point>[a-z]\w*)$"
)
# "trec.P_5" and "trec.P.5", as trec_eval and its wrappers write a cut-off.
_TREC_CUT = re.compile(r"^(trec\.[a-z]\w*?)[._](\d+(?:\.\d+)?)$")


def _folded(name: str) -> str:
    return re.sub(r"[\s\-]+", "_", name.strip()).casefold()


def parse(text: str, families: Iterable[str] | None = None) -> Measure:
    """Return the measure that ``text`` names.

    Parameters
    ----------
    text
        Canonical name, alias or short name, with or without parameters.
    families
        Where to look for short names; None looks everywhere.

    Raises
    ------
    MetricNameError
        Nothing answers to the name, or several metrics do.
    ParameterError
        A parameter is unknown or out of range.
    """
    shown = repr(text[:80])
    name, arguments = _split(text)
    candidates = _candidates(name, None if families is None else tuple(families))
    if not candidates:
        near = _of_trec_eval(text) or near_names(name)
        raise MetricNameError(
            f"there is no metric {shown}",
            fix=f"did you mean {' or '.join(near)}?" if near else "see `veridical metrics`",
        )
    fitting = [m for m in candidates if any(_accepts(d, arguments) for d in m.forms.values())]
    if len(candidates) > 1:
        # Of several with this name, one that cannot read the value is not meant.
        fitting = [m for m in fitting if any(_reads(d, arguments) for d in m.forms.values())]
    if len(fitting) > 1:
        listed = ", ".join(f"{m.family}.{m.name}" for m in fitting)
        raise MetricNameError(
            f"{shown} could be several metrics: {listed}", fix="write one in full"
        )
    if not fitting:
        raise _no_form(candidates[0], arguments, shown)
    return _bound(fitting[0], arguments)


def _split(text: str) -> tuple[str, list[tuple[str | None, str]]]:
    """Split ``name@v,key=v`` into the name and its arguments; a bare value has the key None."""
    text = text.strip()
    if match := _PERCENT_POINT.match(text.casefold()):
        return _folded(match["name"]), [(match["point"], match["value"])]
    if match := _TREC_CUT.match(text.casefold()):
        return match[1], [(None, match[2])]
    head, at, rest = text.partition("@")
    if not at:
        head, _, rest = text.partition(",")
    arguments: list[tuple[str | None, str]] = []
    items = [part.strip() for part in rest.split(",")]
    if at and "" in items:
        raise MetricNameError(
            f"{text[:80]!r} leaves a value out",
            why="the metric without it is another one",
            fix=f"write the value, or {head} alone",
        )
    for item in filter(None, items):
        key, equals, value = item.partition("=")
        arguments.append((_folded(key), value.strip()) if equals else (None, item))
    return _folded(head), arguments


def _candidates(name: str, families: tuple[str, ...] | None) -> list[Measure]:
    """Return who has the name, in the order of the families, whichever was loaded first."""
    exact = registered().get(name)
    if exact is not None:
        return [exact]
    found = [
        measure
        for measure in registered().values()
        if (families is None or measure.family in families) and name in _names(measure)
    ]
    return sorted(found, key=str if families is None else lambda m: families.index(m.family))


def _names(measure: Measure) -> set[str]:
    names = {measure.name}
    for definition in measure.forms.values():
        names.update(_folded(alias) for alias in definition.aliases)
    return names | {f"{measure.family}.{name}" for name in names}


def _accepts(definition: Definition, arguments: list[tuple[str | None, str]]) -> bool:
    keys = {definition.main if key is None else key for key, _ in arguments}
    known = {parameter.name for parameter in definition.parameters}
    point_given = (
        definition.point is None
        or definition.point in keys
        or not definition.parameter(definition.point).required
    )
    return None not in keys and keys <= known and point_given


def _reads(definition: Definition, arguments: list[tuple[str | None, str]]) -> bool:
    if not _accepts(definition, arguments):
        return False
    try:
        for key, value in arguments:
            definition.parameter(str(definition.main if key is None else key)).read(value)
    except ParameterError:
        return False
    return True


def _no_form(measure: Measure, arguments: list[tuple[str | None, str]], shown: str) -> Exception:
    forms = list(measure.forms.values())
    keys = {key for key, _ in arguments}
    bound = sorted({d.point for d in forms if d.point in keys and d.point is not None})
    if len(bound) > 1:
        return ParameterError(
            f"{' and '.join(bound)} cannot be combined in {shown}", fix="hold one of them fixed"
        )
    wanted = [d for d in forms if d.point in keys or (None in keys and d.point and len(keys) == 1)]
    for definition in wanted or forms:
        for key in keys - {None}:
            definition.parameter(str(key))  # raises with the list of what there is
    examples = ", ".join(f"{d.id}{_example(d)}" for d in forms)
    if any(d.point and _folded(f"{d.point}") == v for d in forms for _, v in arguments):
        return MetricNameError(f"{shown} needs a value", fix=f"write for example {examples}")
    return ParameterError(
        f"{shown} is not a form of {measure.family}.{measure.name}",
        fix=f"its forms are: {examples}",
    )


def _example(definition: Definition) -> str:
    if definition.point is None:
        return ""
    return "0.001" if definition.point == "fpr" else "0.9"


def _bound(measure: Measure, arguments: list[tuple[str | None, str]]) -> Measure:
    given: dict[str, str] = {}
    definition = next(d for d in measure.forms.values() if _accepts(d, arguments))
    for key, value in arguments:
        name = definition.main if key is None else key
        if name is None or name in given:
            raise ParameterError(f"{name} is given twice", fix="give it once")
        given[name] = value
    return Measure(measure.family, measure.name, measure.forms)(**given)


def _of_trec_eval(text: str) -> list[str]:
    """Return the name with its family where it is one that trec_eval prints, such as P_5."""
    name = f"trec.{text.strip()}"
    cut = _TREC_CUT.match(name.casefold())
    return [name] if cut and _candidates(cut[1], None) else []


def near_names(name: str, limit: int = 3) -> list[str]:
    """Return the canonical names nearest to a misspelt one, best first."""
    spellings: dict[str, str] = {}
    for key, measure in registered().items():
        for spelling in _names(measure):
            spellings.setdefault(spelling, key)
    import difflib

    close = difflib.get_close_matches(_folded(name), spellings, n=2 * limit, cutoff=0.6)
    return list(dict.fromkeys(spellings[spelling] for spelling in close))[:limit]
