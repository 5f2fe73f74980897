"""What JSON readers disagree about is no JSON."""

import pytest

from veridical import strict_json
from veridical.errors import FileFormatError


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e999", "1" * 5000])
@pytest.mark.parametrize("form", ["{}", "[{}]", '{{"a": {{"b": {}}}}}'])
def test_a_number_that_is_not_finite(number, form):
    with pytest.raises(FileFormatError) as caught:
        strict_json.loads(form.format(number))
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("number", ["1.7976931348623157e308", "5e-324", "1e-400", "-0.0"])
def test_the_extremes_are_numbers(number):
    assert strict_json.loads(number) == float(number)
