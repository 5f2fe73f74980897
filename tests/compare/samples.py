"""Two models on the same rows, drawn with a seed."""

import numpy as np

import veridical as vd


def two_models(n, prevalence, seed, *, better=0.0):
    """Return labels and two scores in (0, 1); ``better`` is the lead of the first."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(n, dtype=bool)
    labels[: max(2, rng.binomial(n, prevalence))] = True
    shared = rng.normal(size=n)

    def scores(separation):
        noise = 0.7 * shared + 0.7 * rng.normal(size=n)
        return 1 / (1 + np.exp(-(labels * separation + noise - np.log(1 / prevalence))))

    return labels, scores(2.0 + better), scores(2.0)


def evaluated(labels, p, q, metrics=None, **settings):
    """Evaluate both columns, without intervals unless asked for."""
    data = {"y": labels, "p": p, "q": q, **settings.pop("columns", {})}
    return vd.evaluate(
        data, metrics, label="y", score=["p", "q"], **{"intervals": False, **settings}
    )


def compared(labels, p, q, metric, **settings):
    """Compare the two columns in one metric."""
    ev = evaluated(labels, p, q, metric, **settings)
    return vd.compare(ev.subject("p"), ev.subject("q"), metric)
