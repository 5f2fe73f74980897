"""``veridical rag cache``: what is kept of the replies of judges."""

import json

import pytest

from veridical.cli.rag.cache import cache
from veridical.errors import ParameterError
from veridical.store import Store


@pytest.fixture
def place(tmp_path) -> str:
    path = str(tmp_path / "runs.db")
    with Store(path) as store:
        for at in range(3):
            model = "judge-1" if at else "other"
            store.verdicts().put(str(at), b"{}", contract="refusal", model=model)
    return path


def test_what_is_kept_is_told(place, capsys):
    assert cache(store=place, json=True) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "veridical.rag_cache/1"
    assert [(one["model"], one["n"]) for one in document["kept"]] == [("judge-1", 2), ("other", 1)]


def test_some_or_all_is_deleted(place, capsys):
    assert cache("prune", model="other", store=place) == 0
    assert capsys.readouterr().out == "deleted 1\njudge-1  refusal  2 replies\n"
    assert cache("prune", older_than=1, store=place) == 0
    assert capsys.readouterr().out.startswith("deleted 0")
    assert cache("clear", store=place) == 0
    assert cache(store=place) == 0
    assert capsys.readouterr().out == "deleted 2\nnothing is kept\n"


@pytest.mark.parametrize(
    ("action", "options"),
    [("prune", {}), ("clear", {"model": "m"}), ("stats", {"older_than": 1}),
     ("prune", {"older_than": -1})],
)  # fmt: skip
def test_what_contradicts_itself_is_refused(place, action, options):
    with pytest.raises(ParameterError):
        cache(action, store=place, **options)
