"""Documents as ``--json`` prints them, made by hand."""

from veridical import strict_json


def result(value, low=None, high=None, **fields):
    """Return one result as JSON; without a value it is skipped."""
    base = {
        "metric": "binary.roc_auc", "requested": None, "subject": "p", "group": None,
        "value": value, "n": 500, "n_rows": 500,
        "conditions": {"prevalence": 0.2, "positives": 100},
        "observed": ["positives", "prevalence"], "notes": [],
    }  # fmt: skip
    if value is None:
        base["skip"] = {"reason": "no_positives", "detail": "0 of 500 rows are positive"}
    elif low is not None:
        base["interval"] = {"low": low, "high": high, "level": 0.95, "method": "delong-logit"}
    return {**base, **fields}


def document(*results, **source):
    """Return a document of scores."""
    known = {"kind": "csv", "label": "y", "n_rows": 500, "n_positive": 100, "sha256": "a" * 64}
    return {
        "schema": "veridical.evaluation/1",
        "source": {**known, "level": 0.95, "seed": 0, **source},
        "results": list(results),
    }


def written(path, content):
    """Write a document, and return its path."""
    path.write_bytes(strict_json.dumps(content).encode("utf-8", "backslashreplace"))
    return path


def house(*rules):
    """Return a policy."""
    from veridical.policy import Policy

    return Policy(version=1, name="house", rules=list(rules))
