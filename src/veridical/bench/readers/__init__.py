"""Five kinds of statement, ledger and master, read from their text alone.

Nothing here knows how a case was made: the readers go by what the formats say.
"""
