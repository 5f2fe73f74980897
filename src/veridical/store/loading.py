"""``load_run``: one run from the store, with one call."""

from __future__ import annotations

import os
from dataclasses import replace

from veridical.store.run import Run
from veridical.store.runs import Store

__all__ = ["load_run"]


def load_run(
    reference: str = "latest", *, store: str | os.PathLike[str] | Store | None = None
) -> Run:
    """Return a run that was saved.

    Parameters
    ----------
    reference
        An id or a name, or the beginning of one that is enough; ``latest`` for the newest
        finished run.  A name that several runs have stands for the newest.
    store
        Where runs are kept: a path or a URL; None for ``VERIDICAL_STORE`` of the environment, and
        without it ``.veridical/veridical.db``.

    Returns
    -------
    Run
        A mapping from metric to result, as the evaluation was, with its settings, its
        environment and the commit.

    Raises
    ------
    RunNotFoundError
        There is none, or there are several.
    StoreError
        The store cannot be read.

    Examples
    --------
    >>> import tempfile, veridical as vd
    >>> ev = vd.evaluate({"y": [1, 0], "p": [0.9, 0.6]}, label="y", score="p")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = ev.save("first", store=f"{folder}/runs.db")
    ...     load_run("first", store=f"{folder}/runs.db")["roc_auc"].value
    1.0
    """
    if isinstance(store, Store):
        return store.load(reference)
    with Store(store, create=False) as opened:
        run = opened.load(reference)
        return replace(run, parts=dict(run.parts))  # all of it, while the store is open
