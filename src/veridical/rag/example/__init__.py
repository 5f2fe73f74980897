"""The project that ``veridical rag init`` writes: a pipeline, its documents, and cases to ask."""

from __future__ import annotations

from veridical.rag.example.project import project_files, write_project

__all__ = ["project_files", "write_project"]
