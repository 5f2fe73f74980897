"""Synthetic data to try things on: made up, seeded, and said to be so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veridical.errors import ParameterError

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

__all__ = ["FRAUD_RATE", "fraud", "fraud_table"]

FRAUD_RATE = 0.0015
"""Share of frauds: 0.15%, as in card payments."""

_CHANNELS = ("card present", "online", "transfer")
_CHANNEL_SHARES = (0.55, 0.35, 0.10)
_FRAUD_CHANNEL_SHARES = (0.10, 0.70, 0.20)
_ROWS_OF_ONE_CUSTOMER = 12
_LARGEST = 50_000_000


def fraud(rows: int, seed: int = 0) -> Mapping[str, np.ndarray[Any, Any]]:
    """Return synthetic card transactions with fraud labels and the scores of a made-up model.

    Parameters
    ----------
    rows
        Number of transactions, from 1 to 50 million.
    seed
        The same seed and number of rows give the same data with one version of numpy.

    Returns
    -------
    dict
        ``transaction_id`` (int64, distinct), ``customer_id`` (int64), ``amount`` (float64, more
        than 0), ``channel`` (text), ``is_fraud`` (int8, round(0.0015 rows) of them 1, at least
        one from 2 rows on), ``score`` (float64 in (0, 1), roughly calibrated); each of shape
        (rows,).

    Raises
    ------
    ParameterError
        A number of rows or a seed out of range.

    Examples
    --------
    >>> data = fraud(rows=10_000, seed=0)
    >>> int(data["is_fraud"].sum()), sorted(data)
    (15, ['amount', 'channel', 'customer_id', 'is_fraud', 'score', 'transaction_id'])
    """
    import numpy as np

    if not 1 <= rows <= _LARGEST:
        raise ParameterError(
            f"rows is a whole number from 1 to {_LARGEST:,}, not {rows}", fix="correct it"
        )
    if seed < 0:
        raise ParameterError(f"a seed is at least 0, not {seed}", fix="correct it")
    rng = np.random.default_rng(seed)
    frauds = max(round(rows * FRAUD_RATE), int(rows > 1))
    is_fraud = np.zeros(rows, dtype=np.int8)
    is_fraud[rng.choice(rows, size=frauds, replace=False)] = 1
    at_fraud = is_fraud == 1
    amount = rng.lognormal(3.4, 1.0, size=rows)
    amount[at_fraud] = rng.lognormal(4.8, 1.2, size=frauds)
    channel = rng.choice(_CHANNELS, size=rows, p=_CHANNEL_SHARES)
    channel[at_fraud] = rng.choice(_CHANNELS, size=frauds, p=_FRAUD_CHANNEL_SHARES)
    customers = max(1, rows // _ROWS_OF_ONE_CUSTOMER)
    return {
        "transaction_id": np.arange(1, rows + 1, dtype=np.int64),
        "customer_id": rng.integers(1, customers + 1, size=rows, dtype=np.int64),
        "amount": np.maximum(np.round(amount, 2), 0.01),
        "channel": channel,
        "is_fraud": is_fraud,
        "score": _scores(rng, at_fraud),
    }


def _scores(
    rng: np.random.Generator, at_fraud: np.ndarray[Any, np.dtype[np.bool_]]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return probabilities of a model that separates the classes well, not perfectly.

    Evidence is N(0, 1) for the honest and N(3, 1) for frauds, so that Bayes' rule at the base
    rate gives the probability in closed form: logit p = logit(rate) + 3 x - 9 / 2.
    """
    import numpy as np

    shift = 3.0
    evidence = rng.standard_normal(len(at_fraud)) + shift * at_fraud
    prior = np.log(FRAUD_RATE / (1 - FRAUD_RATE))
    logit = prior + shift * evidence - shift**2 / 2
    probability: np.ndarray[Any, np.dtype[np.float64]] = 1 / (1 + np.exp(-logit))
    return probability.round(9).clip(1e-9, 1 - 1e-9)


def fraud_table(rows: int, seed: int = 0) -> pa.Table:
    """Return the same data as an Arrow table.

    Parameters
    ----------
    rows, seed
        As for ``fraud``.
    """
    import pyarrow as pa

    table = pa.table(dict(fraud(rows, seed)))
    # The file itself says what it is, wherever it is passed on.
    return table.replace_schema_metadata({"description": "synthetic, made by veridical"})
