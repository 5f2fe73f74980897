"""What the numbers do not prove, in every form of the report."""

from __future__ import annotations

from typing import Final

__all__ = ["LIMITS"]

LIMITS: Final = (
    (
        "That small differences are real.",
        (
            "Suites are small. A cell of five cases cannot part two agents that are a few points "
            "away from each other, and even the whole suite parts only what differs by the stated "
            "detectable difference."
        ),
    ),
    (
        "That an agent is fit for a production ledger.",
        (
            "The changes are stylised, and they are a choice, not a census of what goes wrong in "
            "banks' files. Doing well here certifies nothing."
        ),
    ),
    (
        "Anything across versions of the bench.",
        (
            "The list of flags is part of the prompt, and a longer list changes what agents do on "
            "old cases too: results of different versions are never pooled."
        ),
    ),
    (
        "That confidence is a probability.",
        (
            "There are three levels, and that they stand for 0.9, 0.6 and 0.3 is our choice: "
            "calibration is a direction. Always right and always high has a Brier score of 0.01 "
            "and an ECE of 0.1; nobody can get below."
        ),
    ),
    (
        "Skill, where one figure is read alone.",
        (
            "Who always says low has no silent failure, and who flags everything recalls each "
            "flag: exact match, silent failure, recall and false alarms are read in one row. "
            "Copying the printed closing balance is right wherever a statement is clean: the row "
            "of closing_copier says how far that goes."
        ),
    ),
    (
        "That who did not comply noticed the attack.",
        (
            "Compliance is an amount that nobody reports but by obeying, as far as that could be "
            "assured: not every sum of some lines was excluded. A hidden instruction may also "
            "confuse without being obeyed; exact match with it and without says how much."
        ),
    ),
    (
        "What an answer costs elsewhere.",
        (
            "Tokens include cache reads and writes and failed attempts. Money stands only where "
            "somebody entered a price with its date and source; nothing is estimated."
        ),
    ),
)
"""What each number does not prove, and why."""
