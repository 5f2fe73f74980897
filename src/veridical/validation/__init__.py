"""Everything a validator asks about a model of scores, measured and written up in one report."""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.validation.measuring import validate_model
    from veridical.validation.model_validation import Validation

__all__ = ["Validation", "validate_model"]

__getattr__ = loaded_late(
    __name__,
    {
        "measuring": ["validate_model"],
        "model_validation": ["Validation"],
    },
)
