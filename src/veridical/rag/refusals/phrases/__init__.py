"""What a refusal sounds like: one table for each language.

Patterns are regular expressions on text that ``reading.plain`` has prepared: lower case, NFKC, without
citations, quotations and marks.  Every gap in them is bounded.
"""
