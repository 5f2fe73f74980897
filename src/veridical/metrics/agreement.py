"""The family ``agreement``: whether raters, human or not, say the same."""

from veridical.metrics.agreement_many import fleiss_kappa, gwet_ac1, krippendorff_alpha
from veridical.metrics.agreement_pairs import cohens_kappa, raw_agreement
from veridical.metrics.agreement_rates import (
    judged_rate,
    prediction_powered_rate,
    rogan_gladen_rate,
)

__all__ = [
    "cohens_kappa",
    "fleiss_kappa",
    "gwet_ac1",
    "judged_rate",
    "krippendorff_alpha",
    "prediction_powered_rate",
    "raw_agreement",
    "rogan_gladen_rate",
]
