"""The state machine: which events follow from which periods."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import ConfigurationError, MismatchError
from veridical.monitor import MonitorRules, Observation, State, Status, read_rules
from veridical.monitor.states import answering, observing, worst
from veridical.stability.traffic_light import Light
from veridical.store.journal import Event
from veridical.store.run import moment

LIGHTS = {
    "s": Light.STABLE, "m": Light.MODERATE, "S": Light.SIGNIFICANT, "?": Light.INSUFFICIENT_DATA,
}  # fmt: skip
SHORT = {
    State.STABLE: "stable", State.MONITORING_ALERT: "alert", State.RETRAIN_REQUESTED: "requested",
    State.DISPATCHED: "dispatched", State.COOLDOWN: "rest",
}  # fmt: skip
WHEN = moment("2026-01-01T00:00:00.000000Z")


class Watched:
    """A monitor without a store."""

    def __init__(self, **rules):
        self.rules = read_rules(rules)
        body = {"rules": self.rules.to_dict(), "reference": {"sha256": "0"}}
        self.events = [Event(1, WHEN, "started", body, "seal 1")]

    @property
    def status(self):
        return Status.of("m", self.events)

    def add(self, new):
        for kind, body in new:
            number = len(self.events) + 1
            self.events.append(Event(number, WHEN, kind, body, f"seal {number}"))

    def see(self, light, period=None):
        name = period or f"p{len(self.status.observations)}"
        seen = Observation(name, LIGHTS[light], "score", 0.2, 100, f"sha of {name}")
        self.add(observing(self.status, seen, "anna", {"id": name}, f"id of {name}"))
        return SHORT[self.status.state]

    def dispatch(self):
        sent = {"id": self.status.pending.id, "number": 1, "outcome": "delivered", "detail": ""}
        moved = {"from": str(self.status.state), "to": "DISPATCHED", "period": "", "why": ""}
        self.add([("attempted", sent), ("moved", moved)])

    def answer(self, answer):
        self.add(answering(self.status, answer, "bert", "because"))


PLAIN = [
    ("sss", ["stable"] * 3),
    ("sms", ["stable", "alert", "stable"]),
    ("mmS", ["alert", "alert", "requested"]),
    ("S", ["requested"]),  # straight from stable
    ("S s S", ["requested"] * 3),  # a request waits: periods are recorded, and move nothing
    ("m?", ["alert", "alert"]),  # too little data keeps the state
    ("?", ["stable"]),
]


@pytest.mark.parametrize(("lights", "states"), PLAIN)
def test_the_plain_rules(lights, states):
    watched = Watched()
    assert [watched.see(light) for light in lights.replace(" ", "")] == states


WINDOWS = [
    (2, 3, "SsS", ["stable", "stable", "requested"]),
    (2, 3, "SssS", ["stable"] * 4),  # the first one left the window
    (2, 3, "mSs", ["stable", "alert", "alert"]),
    (2, 3, "mms s", ["stable", "alert", "alert", "stable"]),
    (2, 2, "S?S", ["stable", "stable", "requested"]),  # what says nothing takes no place
    (3, 3, "SSS", ["stable", "stable", "requested"]),
]


@pytest.mark.parametrize(("needed", "periods", "lights", "states"), WINDOWS)
def test_windows(needed, periods, lights, states):
    watched = Watched(needed=needed, periods=periods)
    assert [watched.see(light) for light in lights.replace(" ", "")] == states


@pytest.mark.parametrize(
    ("cooldown", "lights", "states"),
    [
        (1, "SS", ["rest", "requested"]),
        (2, "SSS", ["rest", "rest", "requested"]),
        (2, "SSs", ["rest", "rest", "stable"]),
        (2, "ssm", ["rest", "rest", "alert"]),
        (0, "S", ["requested"]),
    ],
)
@pytest.mark.parametrize("answer", ["acked", "rejected"])
def test_after_an_answer_it_rests(cooldown, lights, states, answer):
    watched = Watched(cooldown=cooldown)
    watched.see("S")
    watched.dispatch()
    assert watched.status.state is State.DISPATCHED
    watched.answer(answer)
    assert [watched.see(light) for light in lights] == states


def test_a_person_may_have_to_approve_and_may_reject_before_it_goes_out():
    watched = Watched(approval="person")
    watched.see("S")
    assert not watched.status.pending.approved
    with pytest.raises(MismatchError, match="acked"):
        watched.answer("acked")  # nothing was sent
    watched.answer("rejected")
    assert watched.status.state is State.COOLDOWN
    assert watched.status.pending is None


def test_a_period_is_recorded_once():
    watched = Watched()
    watched.see("S", "2026-01")
    before = list(watched.events)
    watched.see("S", "2026-01")
    assert watched.events == before
    other = Observation("2026-01", Light.STABLE, "score", 0.0, 100, "another sha")
    with pytest.raises(MismatchError, match="2026-01"):
        observing(watched.status, other, "anna", {}, "id")


def test_each_move_says_value_thresholds_rules_and_who():
    watched = Watched(name="house")
    watched.see("S")
    (moved,) = [event.body for event in watched.events if event.kind == "moved"]
    assert moved["value"] == 0.2
    assert moved["thresholds"] == [0.10, 0.25]
    assert (moved["rules"], moved["rules_sha256"]) == ("house", watched.rules.sha256)
    assert moved["actor"] == "anna"


@given(
    st.text("smS?", max_size=30),
    st.integers(1, 4),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from(["automatic", "person"]),
)
def test_there_is_one_request_for_each_time_it_was_asked_for(lights, needed, more, rest, approval):
    watched = Watched(needed=needed, periods=needed + more, cooldown=rest, approval=approval)
    for light in lights:
        watched.see(light)
        if watched.status.state is State.RETRAIN_REQUESTED and len(watched.events) % 3:
            watched.dispatch()
            watched.answer("acked")
    moves = [event.body for event in watched.events if event.kind == "moved"]
    assert len(watched.status.requests) == sum(m["to"] == "RETRAIN_REQUESTED" for m in moves)
    assert len({one.id for one in watched.status.requests}) == len(watched.status.requests)
    # Each move begins where the last one ended.
    ends = ["STABLE", *(move["to"] for move in moves)]
    assert [move["from"] for move in moves] == ends[:-1]
    assert str(watched.status.state) == ends[-1]


def test_the_worst_light_counts_and_too_little_data_only_alone():
    assert worst([Light.INSUFFICIENT_DATA, Light.STABLE]) is Light.STABLE
    assert worst([Light.STABLE, Light.SIGNIFICANT, Light.MODERATE]) is Light.SIGNIFICANT
    assert worst([Light.INSUFFICIENT_DATA]) is Light.INSUFFICIENT_DATA
    assert worst([]) is Light.INSUFFICIENT_DATA


@pytest.mark.parametrize(
    "rules",
    [
        {"needed": 3, "periods": 2},
        {"needed": "2"},
        {"unknown": 1},
        {"target": {"kind": "command"}},
        {"target": {"kind": "webhook", "url": "ftp://x"}},
        {"attempts": 0},
        ["no table"],
    ],
)
def test_rules_that_are_none(rules, tmp_path):
    import json

    path = tmp_path / "rules.yaml"
    path.write_text(json.dumps(rules))
    with pytest.raises(ConfigurationError, match=str(path)):
        read_rules(path)


def test_the_shipped_rules_are_the_plain_ones():
    rules = MonitorRules()
    assert (rules.needed, rules.periods, rules.approval) == (1, 1, "automatic")
    assert rules.target.name == "coordinator"
