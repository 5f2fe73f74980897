"""Refit the two models behind ``hmda_scores.csv`` and write their scores in the same form.

Run from the project's root, in the environment that ``make setup`` creates::

    python examples/credit/refit.py out/hmda_scores.csv

Each application is scored by models that never saw it: five stratified folds, each scored by
models fitted on the other four.  The applicant's race is left out of the features.  Digits differ
a little between versions of scikit-learn.
"""

import argparse
from pathlib import Path

import pandas as pd
from sklearn.base import ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

HERE = Path(__file__).resolve().parent

MODELS: dict[str, ClassifierMixin] = {
    "p_logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "p_boosting": HistGradientBoostingClassifier(max_iter=150, learning_rate=0.05, random_state=0),
}


def score(applications: pd.DataFrame) -> pd.DataFrame:
    """Return one row an application: its label, its groups and its out-of-fold probabilities."""
    denied = (applications["deny"] == "yes").astype(int)
    features = pd.get_dummies(applications.drop(columns=["deny", "afam"]), drop_first=True)
    folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
    scores = pd.DataFrame(
        {
            "application_id": range(1, len(applications) + 1),
            "denied": denied,
            "black": applications["afam"],
            "single": applications["single"],
        }
    )
    for name, model in MODELS.items():
        p = cross_val_predict(model, features, denied, cv=folds, method="predict_proba")[:, 1]
        scores[name] = p.round(6)
    return scores


def main() -> None:
    """Refit, write the file, and print the area under each ROC curve."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path, help="the CSV file to write")
    output = parser.parse_args().output
    scores = score(pd.read_csv(HERE / "hmda.csv"))
    output.parent.mkdir(parents=True, exist_ok=True)
    scores.to_csv(output, index=False, lineterminator="\n")
    for name in MODELS:
        print(f"{name}: ROC-AUC {roc_auc_score(scores['denied'], scores[name]):.4f}")
    print(f"wrote {output}")


if __name__ == "__main__":
    main()
