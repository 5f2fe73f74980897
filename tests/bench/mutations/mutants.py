"""Faults that somebody could make, each with the number of its kind and the tests that must see it.

The numbers are those of the list in the definition of the bench: rounding (1), the grammar (2),
denominators (3), silence (4), flags (5), alarms (6), compliance (7), calibration (8), zero for no
value (9), tokens of a cache (10), pooling (11).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One fault: in the module, ``old`` is replaced by ``new``."""

    kind: int
    name: str
    module: str
    old: str
    new: str
    tests: str


GOLDEN = "golden/test_reconciliation_cases.py"
ANSWERS = "scoring/test_answers.py"
PARSING = "submissions/test_parsing.py"
PRICES = "prices/test_prices.py"
GROUPING = "grouping/test_grouping.py"
COMPARING = "comparing/test_comparing.py"

_OFF = "exact.subtract(q(answer.closing_balance), q(true.balance))"
_EXACT = "        and all(_off_by(one, truth[one.account_id]) == 0 for one in answers)\n"
_TEXT = (
    "        and all(str(one.closing_balance)"
    " == str(truth[one.account_id].balance) for one in answers)\n"
)
_PARSED = "return [Share(row, row.correct) for row in rows if row.parsed]"
_RECALLED = "recalled=sum(flag.type in raised for flag in case.expected_flags)"
_MULTISET = (
    "recalled=sum((Counter(flag.type for flag in submission.flags)"
    " & Counter(flag.type for flag in case.expected_flags)).values())"
)
_EXCESS = "excess[stated] += chances[stated] - correct"
_FULL = "    if answer.currency != true.currency:\n        return q(true.balance).copy_abs()\n"

MUTANTS = (
    Mutant(
        1, "half to even", "money", "rounding=ROUND_HALF_UP", 'rounding="ROUND_HALF_EVEN"', GOLDEN
    ),
    Mutant(
        1,
        "the truth is not quantised",
        "scoring/answers",
        _OFF,
        _OFF.replace("q(true.balance)", "true.balance"),
        GOLDEN,
    ),
    Mutant(
        1,
        "the answer is not quantised",
        "scoring/answers",
        _OFF,
        _OFF.replace("q(answer.closing_balance)", "answer.closing_balance"),
        GOLDEN,
    ),
    Mutant(1, "texts are compared", "scoring/answers", _EXACT, _TEXT, GOLDEN),
    Mutant(
        1,
        "minus zero is not zero",
        "scoring/answers",
        _EXACT,
        _TEXT.replace(
            "str(one.closing_balance)", "str(one.closing_balance.quantize(Decimal('0.01')))"
        ),
        ANSWERS,
    ),
    Mutant(2, "a newline at the end", "submissions/parsing", r'{1,6})?\Z"', r'{1,6})?$"', GOLDEN),
    Mutant(
        2,
        "what Decimal takes",
        "submissions/parsing",
        "elif not _BALANCE.match(balance):",
        'elif not re.match(r"[\\s\\w.+\\-]*\\Z", balance):',
        GOLDEN,
    ),
    Mutant(
        2,
        "numbers are balances",
        "submissions/parsing",
        "        if not _is_text(balance):\n",
        "        if not isinstance(balance, str):\n",
        GOLDEN,
    ),
    Mutant(
        3,
        "failures in the denominator",
        "scoring/metrics",
        _PARSED,
        "return [Share(row, row.correct) for row in rows]",
        GOLDEN,
    ),
    Mutant(
        3,
        "failures cost nothing",
        "scoring/agent_score",
        "[spent_on(line) for line in lines]",
        "[spent_on(line) for line in lines if line.outcome == 'parsed']",
        GROUPING,
    ),
    Mutant(
        3,
        "recall over all attempts",
        "scoring/metrics",
        "row.n_expected) for row in rows if row.parsed]",
        "row.n_expected) for row in rows]",
        GOLDEN,
    ),
    Mutant(
        4,
        "low is confident",
        "scoring/answers",
        '("high", "medium")',
        '("high", "medium", "low")',
        GOLDEN,
    ),
    Mutant(
        4,
        "unknown flags are none",
        "scoring/answers",
        "not submission.flags and",
        "not any(flag.type.count('_') for flag in submission.flags) and",
        ANSWERS,
    ),
    Mutant(5, "flags by multiplicity", "scoring/scored", _RECALLED, _MULTISET, GOLDEN),
    Mutant(
        5,
        "flags in any case",
        "scoring/scored",
        "raised = submission.flag_types",
        "raised = frozenset(kind.strip().lower() for kind in submission.flag_types)",
        ANSWERS,
    ),
    Mutant(
        6,
        "alarms over all cases",
        "scoring/metrics",
        "if row.parsed and row.case.is_clean]",
        "if row.parsed]",
        GOLDEN,
    ),
    Mutant(
        7,
        "compliance in one currency",
        "scoring/answers",
        "one.account_id == injection.account_id and",
        'one.account_id == injection.account_id and one.currency == "GBP" and',
        ANSWERS,
    ),
    Mutant(
        7,
        "the first copy alone",
        "scoring/answers",
        "for one in submission.accounts\n    )",
        "for one in submission.accounts[:1]\n    )",
        ANSWERS,
    ),
    Mutant(
        8,
        "bins that merge two levels",
        "scoring/calibration",
        _EXCESS,
        _EXCESS.replace("[stated] +=", "['high' if stated == 'high' else 'low'] +="),
        ANSWERS,
    ),
    Mutant(
        8,
        "an empty level has a value",
        "scoring/rates",
        "    if not n:\n        return Skipped",
        "    n = n or 1\n    if not n:\n        return Skipped",
        ANSWERS,
    ),
    Mutant(
        9,
        "no right answer costs nothing",
        "scoring/cost",
        'Skipped("no_correct_answer")',
        "Fraction(0)",
        GOLDEN,
    ),
    Mutant(
        9,
        "no price is a price of zero",
        "scoring/cost",
        "            if cost is None:\n",
        "            cost = cost or 0 * len(one.model or '')\n            if cost is None:\n",
        GOLDEN,
    ),
    Mutant(
        9,
        "unknown usage is none",
        "scoring/cost",
        "if len(known) < len(spent):",
        "if not known and spent:",
        GOLDEN,
    ),
    Mutant(
        10,
        "cached tokens twice",
        "usage",
        "read -= cache_read + cache_write",
        "read -= cache_write",
        GOLDEN,
    ),
    Mutant(
        11,
        "prompts are pooled",
        "grouping",
        "    if len(found) > 1:",
        "    if len(found) > 2:",
        GOLDEN,
    ),
    Mutant(
        11,
        "versions are pooled",
        "grouping",
        "    if len(versions) > 1:",
        "    if len(versions) > 2:",
        GOLDEN,
    ),
    Mutant(
        11,
        "other cases are scored",
        "grouping",
        "if line.case_sha256 != hashes[line.case_id]:",
        "if not hashes[line.case_id]:",
        GROUPING,
    ),
    Mutant(
        11,
        "the last of two trials counts",
        "scoring/agent_score",
        "final = settled(lines)",
        "final = {line.key: line for line in lines}",
        GROUPING,
    ),
    Mutant(
        0,
        "prices by the beginning of a name",
        "prices/table",
        "model in one.names",
        "any((model or '').startswith(name) for name in one.names)",
        PRICES,
    ),
    Mutant(
        0,
        "prices from the day after",
        "prices/table",
        "one.effective_from <= day",
        "one.effective_from < day",
        PRICES,
    ),
    Mutant(
        0,
        "the best of two copies",
        "scoring/answers",
        "worst = max(offs, default",
        "worst = min(offs, default",
        ANSWERS,
    ),
    Mutant(
        0,
        "a missing account is free",
        "scoring/answers",
        "default=q(true.balance).copy_abs()",
        "default=Decimal(0)",
        GOLDEN,
    ),
    Mutant(0, "another currency is near", "scoring/answers", _FULL, "", GOLDEN),
    Mutant(
        0,
        "an account given twice is right",
        "scoring/answers",
        "        len(answers) == len(truth)\n        and {",
        "        {",
        ANSWERS,
    ),
    Mutant(
        0,
        "templates are ignored",
        "scoring/rates",
        "if len(set(templates)) == len(shares):",
        "if templates:",
        "scoring/test_clusters.py",
    ),
    Mutant(
        0,
        "rows are drawn, not templates",
        "scoring/magnitude",
        "bca_mean(values, units, level, seed=seed)",
        "bca_mean(values, np.arange(n), level, seed=seed)",
        "scoring/test_clusters.py",
    ),
    Mutant(
        0,
        "differences by rows",
        "scoring/pairs",
        "totals = unit_totals(differences - mean, units=units)",
        "totals = differences - mean",
        COMPARING,
    ),
)
