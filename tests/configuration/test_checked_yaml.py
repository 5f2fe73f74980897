"""A file held against a model: all that is wrong is told, where it stands, and what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field, field_validator

from veridical.checked_yaml import load_checked
from veridical.errors import ConfigurationError


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Price(Closed):
    amount: float
    currency: str = "EUR"


class Rule(Closed):
    metric: str
    at_least: float | None = None
    price: Price | dict[str, float] | None = None

    @field_validator("metric")
    @classmethod
    def _named(cls, value: str) -> str:
        if value == "nothing":
            raise ValueError("there is no such metric")
        return value


class File(Closed):
    version: int
    rules: list[Rule]
    by_name: dict[str, Rule] = Field(default={}, alias="by-name")


def refused(tmp_path: Path, text: str) -> ConfigurationError:
    path = tmp_path / "f.yaml"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as error:
        load_checked(File, path, "the file", first_key="version")
    return error.value


def test_what_holds_is_returned_with_its_lines(tmp_path):
    path = tmp_path / "f.yaml"
    path.write_text("version: 1\nrules:\n- metric: ece\n  price: {amount: 1}\n")
    checked, lines = load_checked(File, path, "the file", first_key="version")
    assert checked.rules[0].price.amount == 1
    assert lines["rules", 0, "price"] == 4


def test_one_problem_is_the_error(tmp_path):
    error = refused(tmp_path, "version: 1\nrules:\n- metric: nothing\n")
    assert error.what == "the file does not hold: there is no such metric"
    assert error.where == f"{tmp_path}/f.yaml:3, rules.1.metric"
    assert error.listed == ()


def test_all_problems_are_told_in_the_order_of_the_file(tmp_path):
    text = """version: one
rules:
- metric: nothing
- at_least: 1
- metrik: ece
  at_least: much
by-name:
  mine: {metric: ece, at_most: 3}
extra: 1
"""
    error = refused(tmp_path, text)
    assert error.what == "the file does not hold: 7 problems"
    told = [one.removeprefix(f"{tmp_path}/f.yaml:").split(":")[0] for one in error.listed]
    assert told == [
        "1, version",
        "3, rules.1.metric",
        "4, rules.2",
        "5, rules.3.metrik",
        "6, rules.3.at_least",
        "8, by-name.mine.at_most",
        "9, extra",
    ]
    assert "'metric' is missing; add it" in error.listed[2]


def test_a_misspelt_key_is_not_missing_too(tmp_path):
    error = refused(tmp_path, "version: 1\nrules:\n- metrik: ece\n")
    assert error.what == "the file does not hold: there is no key 'metrik'"
    assert error.fix == "did you mean 'metric'?"


def test_keys_are_those_of_the_place(tmp_path):
    for text, keys in (
        ("version: 1\nrules:\n- {metric: ece, zzz: 1}\n", "metric, at_least, price"),
        (
            "version: 1\nrules: []\nby-name: {mine: {metric: ece, zzz: 1}}\n",
            "metric, at_least, price",
        ),
        ("version: 1\nrules: []\nzzz: 1\n", "version, rules, by-name"),
    ):
        assert refused(tmp_path, text).fix == f"the keys here are: {keys}"


def test_a_value_of_several_types_is_one_problem(tmp_path):
    error = refused(tmp_path, "version: 1\nrules:\n- {metric: ece, price: dear}\n")
    assert error.where.endswith("f.yaml:3, rules.1.price")
    assert error.listed == ()


def test_an_empty_file_lacks_what_must_be_there(tmp_path):
    error = refused(tmp_path, "# nothing\n")
    assert [one.split(": ")[1] for one in error.listed] == [
        "'version' is missing; add it",
        "'rules' is missing; add it",
    ]


def test_a_list_is_no_mapping(tmp_path):
    error = refused(tmp_path, "- 1\n")
    assert (error.what, error.fix) == ("the file is no mapping of keys", "begin with version:")
