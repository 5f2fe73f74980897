"""The lesson on judges: its worked numbers, and that it equals the library."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.errors import InputError, ParameterError
from veridical.judge.calibration.agreement import Judged, PromptCalibration, Thresholds
from veridical.judge.calibration.samples import Sample, band
from veridical.lessons import judges as lesson
from veridical.lessons import lesson_called
from veridical.lessons.judges import AnswerShown, Duel, Judge
from veridical.lessons.metrics import Confusion, cohens_kappa
from veridical.metrics.agreement_rates import prediction_powered_rate, rogan_gladen_rate
from veridical.results import Measured, Skipped
from veridical.summaries import ConfusionCounts
from veridical.summaries.judged_sample import JudgedSample

close = pytest.approx
bands = st.sampled_from(lesson.BANDS)
counts = st.integers(0, 30)


@st.composite
def samples(draw):
    labelled = Confusion(draw(counts), draw(counts), draw(counts), draw(counts))
    passed = labelled.tp + labelled.fp + draw(counts)
    judged = passed + labelled.fn + labelled.tn + draw(counts)
    return labelled, passed, judged


def fast(labelled, passed, judged):
    one = labelled
    return JudgedSample(ConfusionCounts(one.tp, one.fp, one.fn, one.tn), passed, judged)


# Equal to the library


@settings(max_examples=50)
@given(st.lists(st.tuples(bands, bands), min_size=1, max_size=30))
def test_a_judge_against_people(pairs):
    people, judge = map(list, zip(*pairs, strict=True))
    judged = tuple(
        Judged(
            Sample(
                id=str(index),
                contract="groundedness",
                question="q",
                answer="a",
                label=float(label),
                source="constructed",
            ),
            (said,),
        )
        for index, (label, said) in enumerate(pairs)
    )
    library = PromptCalibration("groundedness", judged, Thresholds())
    assert lesson.exact(people, judge) == close(library.exact.value)
    assert lesson.within_one(people, judge) == close(library.within.value)
    assert lesson.leniency(people, judge) == close(library.bias.value)
    assert lesson.best_constant(people) == close(library.best_constant)
    if isinstance(library.kappa, Measured):
        assert cohens_kappa(people, judge) == close(library.kappa.value)


@given(st.floats(0, 1))
def test_bands(score):
    assert lesson.band(score) == band(score)


@given(samples())
def test_rogan_and_gladen(sample):
    result = rogan_gladen_rate.function(fast(*sample))
    if isinstance(result, Skipped):
        with pytest.raises((InputError, ParameterError)):
            lesson.rogan_gladen_of(*sample)
    else:
        assert lesson.rogan_gladen_of(*sample) == close(result.value)


@given(samples())
def test_prediction_powered(sample):
    quick = fast(*sample)
    result = prediction_powered_rate.function(quick)
    if isinstance(result, Skipped):
        with pytest.raises(InputError):
            lesson.prediction_powered(*sample)
        return
    ours = lesson.prediction_powered(*sample)
    assert (ours.rate, ours.trust) == close((result.value, quick.power), abs=1e-12)
    assert ours.error**2 == close(quick.corrected_variance(quick.power), abs=1e-12)
    alone = lesson.labels_alone(sample[0])
    assert alone.error**2 == close(quick.corrected_variance(0), abs=1e-12)


# Laws


@given(st.floats(0, 1), st.floats(0.5, 1), st.floats(0.55, 1))
def test_the_correction_undoes_what_the_judge_does(rate, sensitivity, specificity):
    seen = lesson.apparent_rate(rate, sensitivity, specificity)
    assert lesson.rogan_gladen(seen, sensitivity, specificity) == close(rate, abs=1e-9)


@pytest.mark.parametrize("length", [0.0, 1.0])
@pytest.mark.parametrize("own", [0.0, 0.5])
def test_swapping_reveals_the_order_and_nothing_else(length, own):
    shown = lesson.duels(100)
    assert lesson.consistency(lesson.verdicts(Judge(length=length, own=own), shown)) == 1
    leaning = lesson.verdicts(Judge(first=0.5, length=length, own=own), shown)
    assert lesson.consistency(leaning) < 1
    assert lesson.first_wins(leaning) > 0.5
    # Where both orders agree, the leaning to the first never decided.
    for winner, duel in zip(lesson.agreed(leaning), shown, strict=True):
        a, b = (Judge(length=length, own=own).worth(one) for one in duel)
        assert winner in {"tie", "a" if a > b else "b"}


def test_a_judge_without_leaning_is_people():
    shown = lesson.duels(50, seed=3)
    winners = lesson.agreed(lesson.verdicts(Judge(), shown))
    assert winners == [lesson.people(duel) for duel in shown]


# By hand


def test_three_judges():
    people, judges = lesson.three_judges()
    assert [people.count(one) for one in lesson.BANDS] == [4, 4, 12]
    found = {
        name: (lesson.exact(people, judge), lesson.within_one(people, judge))
        for name, judge in judges.items()
    }
    assert found == {
        "always in part": (4 / 20, 1),
        "always right": (12 / 20, 16 / 20),
        "reads": (17 / 20, 1),
    }
    assert lesson.best_constant(people) == 0.6
    assert [cohens_kappa(people, judge) for judge in judges.values()][:2] == [0, 0]
    # 11 + 3 + 3 agree; by chance (12 x 12 + 4 x 5 + 4 x 3) / 400.
    chance = Fraction(12 * 12 + 4 * 5 + 4 * 3, 400)
    kappa = (Fraction(17, 20) - chance) / (1 - chance)
    assert cohens_kappa(people, judges["reads"]) == close(float(kappa))
    assert lesson.leniency(people, judges["reads"]) == close((-0.5 + 0.5 + 0.5) / 20)


def test_ten_points_look_like_seven():
    seen = [lesson.apparent_rate(rate, 0.9, 0.8) for rate in (0.5, 0.6)]
    assert seen == close([0.55, 0.62])
    assert lesson.rogan_gladen_of(*lesson.chosen_sample()) == close(0.5 / 0.7)


def test_a_hundred_labels_and_a_judge():
    # The judge passes 69 of the 100 and 1,231 of the other 1,900.
    labelled, passed, judged = lesson.drawn_sample()
    said = passed / judged
    trust = (0.63 - 0.70 * 0.69) / (said * (1 - said) * 2_000 / 1_999 * (1 + 100 / 1_900))
    powered = lesson.prediction_powered(labelled, passed, judged)
    assert powered.trust == close(trust)
    assert powered.rate == close(0.70 + trust * (1_231 / 1_900 - 0.69))
    assert lesson.labels_alone(labelled).error == close(math.sqrt(0.7 * 0.3 / 100))
    assert powered.interval == close((0.608, 0.741), abs=5e-4)


def test_one_duel():
    short, long = AnswerShown(0.0, 100, False), AnswerShown(-0.5, 200, True)
    duel = [Duel(short, long)]
    assert lesson.people(duel[0]) == "a"
    assert lesson.verdicts(Judge(), duel) == [("a", "a")]
    assert lesson.verdicts(Judge(length=0.6), duel) == [("b", "b")]
    assert lesson.verdicts(Judge(own=0.6), duel) == [("b", "b")]
    assert lesson.verdicts(Judge(first=0.6), duel) == [("a", "b")]
    assert lesson.longer_wins(["b"], duel) == lesson.own_wins(["b"], duel) == 1
    assert lesson.longer_wins(["a"], duel) == lesson.own_wins(["a"], duel) == 0


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (InputError, lambda: lesson.exact(["1"], [])),
        (InputError, lambda: lesson.exact([], [])),
        (InputError, lambda: lesson.within_one(["1"], ["good"])),
        (ParameterError, lambda: lesson.apparent_rate(1.1, 0.9, 0.8)),
        (ParameterError, lambda: lesson.rogan_gladen(0.5, 0.5, 0.5)),
        (InputError, lambda: lesson.rogan_gladen_of(Confusion(1, 0, 1, 0), 1, 2)),
        (InputError, lambda: lesson.prediction_powered(Confusion(0, 0, 0, 0), 1, 2)),
        (InputError, lambda: lesson.prediction_powered(Confusion(1, 1, 1, 1), 2, 3)),
        (InputError, lambda: lesson.longer_wins(["tie"], lesson.duels(1))),
    ],
)
def test_what_cannot_be_meant_is_refused(error, call):
    with pytest.raises(error):
        call()


# What is drawn


def test_the_figure():
    [axes] = lesson_called("judges").figures()["judged_rate"].axes
    lenient, usual, guesses, truth = (line.get_xydata().tolist() for line in axes.get_lines())
    assert lenient == [[0, close(0.4)], [1, close(0.98)]]
    assert usual == [[0, close(0.2)], [1, close(0.9)]]
    assert guesses == [[0, 0.5], [1, 0.5]]
    assert truth == [[0, 0], [1, 1]]
    # 0.2 + 0.7 p = p.
    assert lesson.apparent_rate(2 / 3, 0.9, 0.8) == close(2 / 3)
