"""A metric that raises: one sentence, and the exit code of an internal error."""

from veridical import measures
from veridical.measures import metric
from veridical.summaries import Ranking


def raises(_):
    raise ZeroDivisionError("a bug of its author")


def test_it_is_named_and_the_traceback_is_there_for_the_asking(veridical, monkeypatch, tmp_path):
    monkeypatch.setattr(measures, "_REGISTRY", dict(measures.registered()))
    metric("acme", name="broken", summary=Ranking)(raises)
    (tmp_path / "rows.csv").write_text("y,p\n1,0.9\n0,0.1\n", encoding="utf-8")
    words = ["evaluate", "rows.csv", "--label", "y", "--score", "p", "-m", "acme.broken"]
    outcome = veridical(*words)
    assert outcome.code == 70
    assert "the metric acme.broken failed: ZeroDivisionError" in outcome.err
    assert "Traceback" not in outcome.err
    assert "raises" in veridical(*words, "--debug").err
