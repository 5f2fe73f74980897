"""The texts that the metric standard cites: dated data with a status and a source for each."""

from veridical.regulation.table import (
    CAUTION,
    Evidence,
    Instrument,
    Regulations,
    StandardRow,
    load_regulations,
)

__all__ = ["CAUTION", "Evidence", "Instrument", "Regulations", "StandardRow", "load_regulations"]
