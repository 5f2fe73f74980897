"""Anything tabular in: files, frames, arrays and records, as checked rows.

``read_rows`` is the whole way; the single steps (``open_table``, ``read_labels``,
``read_scores``, ...) stand beside it.
"""

from typing import TYPE_CHECKING

from veridical.late import loaded_late

if TYPE_CHECKING:
    from veridical.tables.column import Column
    from veridical.tables.convert import column_from
    from veridical.tables.groups import Groups, read_clusters, read_groups
    from veridical.tables.hashing import ContentHash, content_hash
    from veridical.tables.identifiers import read_ids
    from veridical.tables.labels import LabelReader, read_labels
    from veridical.tables.lazy_frame import LazyTable, Query, is_spark
    from veridical.tables.places import Places
    from veridical.tables.rows import Roles, Rows, iter_rows, read_rows
    from veridical.tables.scores import (
        check_probabilities,
        read_costs,
        read_numbers,
        read_scores,
        read_weights,
    )
    from veridical.tables.source import open_table
    from veridical.tables.table import Table

__all__ = [
    "Column",
    "ContentHash",
    "Groups",
    "LabelReader",
    "LazyTable",
    "Places",
    "Query",
    "Roles",
    "Rows",
    "Table",
    "check_probabilities",
    "column_from",
    "content_hash",
    "is_spark",
    "iter_rows",
    "open_table",
    "read_clusters",
    "read_costs",
    "read_groups",
    "read_ids",
    "read_labels",
    "read_numbers",
    "read_rows",
    "read_scores",
    "read_weights",
]

__getattr__ = loaded_late(
    __name__,
    {
        "column": ["Column"],
        "convert": ["column_from"],
        "groups": ["Groups", "read_clusters", "read_groups"],
        "hashing": ["ContentHash", "content_hash"],
        "identifiers": ["read_ids"],
        "labels": ["LabelReader", "read_labels"],
        "lazy_frame": ["LazyTable", "Query", "is_spark"],
        "places": ["Places"],
        "rows": ["Roles", "Rows", "iter_rows", "read_rows"],
        "scores": [
            "check_probabilities",
            "read_costs",
            "read_numbers",
            "read_scores",
            "read_weights",
        ],
        "source": ["open_table"],
        "table": ["Table"],
    },
)
