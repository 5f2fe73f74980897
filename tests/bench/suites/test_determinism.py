"""The same seed gives the same bytes, wherever and however it is asked."""

import os
import subprocess
import sys

import pytest

from veridical.bench.drawing import Draw
from veridical.bench.prompting import hashes
from veridical.bench.suites import generate

# A change of the generator that moves these makes another generator version, and other suites.
SMALL = "bc01d8fd09f48db81e0e84c41d080cf2278bd730ab192948f692840fe54cc60c"
DEV = "121d633cc59c82708f13ee9dd6d0a5b55c92688b587612392f39f8702833769a"
ASKED = (
    "from veridical.bench.suites import generate;"
    "print(generate('small', 'a seed', 24).manifest_sha256)"
)


def test_manifests_are_the_ones_that_were_recorded(dev):
    assert generate("small", "a seed", 24).manifest_sha256 == SMALL
    assert dev.manifest_sha256 == DEV


@pytest.mark.parametrize(
    "surroundings",
    [
        {"PYTHONHASHSEED": "0", "TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"},
        {"PYTHONHASHSEED": "4711", "TZ": "America/Los_Angeles", "LC_ALL": "C", "PYTHONUTF8": "0"},
    ],
)
def test_another_process_zone_locale_and_hash_seed_change_nothing(surroundings):
    asked = subprocess.run(
        [sys.executable, "-c", ASKED],
        env={**os.environ, **surroundings},
        capture_output=True,
        text=True,
        check=True,
    )
    assert asked.stdout.strip() == SMALL


def test_the_context_of_decimals_changes_nothing():
    from decimal import localcontext

    with localcontext() as context:
        context.prec = 6
        assert generate("small", "a seed", 24).manifest_sha256 == SMALL


def test_another_seed_is_another_suite_under_the_same_prompt():
    before = hashes()
    assert generate("small", "another seed", 24).manifest_sha256 != SMALL
    assert hashes() == before


def test_files_are_not_all_alike(dev):
    contents = {one.sha256 for case in dev.cases for one in case.inputs}
    assert len(contents) > 3 * len(dev.cases)


class TestDraw:
    def test_every_value_of_a_small_range_comes_up_about_equally_often(self):
        draw = Draw("seed", "case", "component")
        counts = [0] * 7
        for _ in range(7_000):
            counts[draw.below(7)] += 1
        # Chi-square with 6 degrees of freedom: 22.5 is the 0.999 quantile.
        assert sum((one - 1_000) ** 2 / 1_000 for one in counts) < 22.5

    def test_a_range_that_words_do_not_fill_evenly_favours_nobody(self):
        draw = Draw("seed", "case", "wide")
        third = 1 << 62
        low = sum(draw.below(3 * third) < third for _ in range(3_000))
        # 1,000 with a standard deviation of 26; remainders alone would give 1,500.
        assert abs(low - 1_000) < 4 * 26

    def test_keys_that_join_to_the_same_text_differ(self):
        assert Draw("a", "bc").below(1 << 60) != Draw("ab", "c").below(1 << 60)

    def test_nothing_can_be_drawn_from_nothing(self):
        with pytest.raises(ValueError, match="below 0"):
            Draw("a").below(0)

    def test_a_shuffle_is_a_permutation(self):
        assert sorted(Draw("a").shuffled(range(50))) == list(range(50))
