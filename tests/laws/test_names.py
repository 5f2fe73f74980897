"""A measure is its name: ``parse(str(m)) == m`` for every registered metric."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical as vd
from tests.laws.registry import bound, forms, label, legal_values
from veridical.errors import MetricNameError, ParameterError
from veridical.measures import format_value
from veridical.metrics import find
from veridical.names import near_names, parse

FORMS = forms()
ANY_FORM = st.sampled_from(FORMS)


@pytest.mark.parametrize("form", FORMS, ids=label)
@given(data=st.data())
def test_parse_reads_back_what_str_wrote(form, data):
    measure = data.draw(bound(form))
    name = str(measure)
    again = parse(name)
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == name
    assert again.arguments() == measure.arguments()
    assert again.definition is form[1]


@given(ANY_FORM, st.data())
def test_every_alias_reads_the_same(form, data):
    measure, definition = form
    for alias in definition.aliases:
        if "@" in alias:
            continue
        given = {p.name: data.draw(legal_values(p)) for p in definition.parameters if p.required}
        text = ",".join(f"{key}={format_value(value)}" for key, value in given.items())
        assert parse(f"{alias},{text}", {measure.family}) == measure(**given)
        assert parse(f"{measure.family}.{alias},{text}") == measure(**given)


@given(ANY_FORM, st.data())
def test_the_order_of_parameters_and_their_spelling_do_not_matter(form, data):
    measure = data.draw(bound(form))
    items = list(measure.parameters.items())
    shuffled = data.draw(st.permutations(items))
    text = ", ".join(f"{key} = {format_value(value)}" for key, value in shuffled)
    assert parse(f"{measure.family}.{measure.name},{text}") == measure


@given(ANY_FORM, st.data())
def test_defaults_are_left_out_and_change_nothing(form, data):
    measure = data.draw(bound(form))
    # A default of None stands for no value (no cut at k), which cannot be spelt out.
    parameters = measure.definition.parameters
    defaults = {p.name: p.default for p in parameters if not p.required and p.default is not None}
    spelt_out = measure(**{**defaults, **measure.parameters})
    assert spelt_out == measure
    assert hash(spelt_out) == hash(measure)
    assert len({spelt_out, measure}) == 1


@given(st.sampled_from(FORMS), st.sampled_from(FORMS), st.data())
def test_equality_is_equality_of_names(one, two, data):
    a, b = data.draw(bound(one)), data.draw(bound(two))
    assert (a == b) is (str(a) == str(b))
    assert a != str(a)


@given(st.one_of(st.integers(-(10**17), 10**17), st.floats(allow_nan=False, allow_infinity=False)))
def test_a_number_is_written_so_that_it_reads_back(value):
    assert type(value)(float(format_value(value))) == float(value)


@given(st.text(max_size=40))
def test_any_text_is_a_metric_or_a_clear_error(text):
    try:
        measure = find(text)
    except (MetricNameError, ParameterError) as error:
        answer = error
    else:
        assert parse(str(measure)) == measure
        return
    assert answer.fix
    assert len(str(answer)) < 1000


@pytest.mark.parametrize("form", FORMS, ids=label)
def test_a_misspelling_by_one_letter_finds_its_way_back(form):
    measure = form[0]
    name = f"{measure.family}.{measure.name}"
    assert name in near_names(name[:-1] + "x")


def test_errors_of_names_survive_pickling():
    with pytest.raises(MetricNameError) as caught:
        find("binary.recal")
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert (type(again), str(again)) == (MetricNameError, str(caught.value))


@pytest.mark.parametrize("form", FORMS, ids=label)
def test_every_metric_is_an_attribute_of_its_family(form):
    measure = form[0]
    assert getattr(getattr(vd, measure.family), measure.name) is measure


@pytest.mark.parametrize("name", ["recall@", "recall@,", "roc_auc@", "recall@fpr=0.1,", "ap@ "])
def test_a_value_that_was_left_out_is_no_default(name):
    with pytest.raises(MetricNameError, match="leaves a value out"):
        find(name)
