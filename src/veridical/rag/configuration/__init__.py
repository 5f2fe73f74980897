"""``veridical.yaml`` of a RAG project: what is asked, how, and what the numbers must reach."""

from veridical.rag.configuration.reading import Configuration, read_configuration
from veridical.rag.configuration.sections import (
    DatasetSection,
    HttpSection,
    JudgeSection,
    MetricBounds,
    OpenaiSection,
    PipelineSection,
    PrivacySection,
    RunSection,
)

__all__ = [
    "Configuration",
    "DatasetSection",
    "HttpSection",
    "JudgeSection",
    "MetricBounds",
    "OpenaiSection",
    "PipelineSection",
    "PrivacySection",
    "RunSection",
    "read_configuration",
]
