"""The first reservation of a run, on every kind of store."""

from decimal import Decimal

from veridical.store import schema
from veridical.store.database import insert_all_unless_there, insert_unless_there
from veridical.store.drafts import draft
from veridical.store.spending import _SUMS

CENT = Decimal("0.01")


def test_a_budget_begins_with_its_first_reservation(store):
    spending = store.spending(store.save(draft(kind="rag", state="running")).id)
    assert [spending.reserve(CENT, 2 * CENT) for _ in range(3)] == [True, True, False]
    assert spending.spent().committed == 2 * CENT


def test_how_many_rows_were_new_is_known(store):
    ids = [store.save(draft(kind="rag", state="running")).id for _ in range(3)]
    rows = [{"run_id": one, **dict.fromkeys(_SUMS, 0)} for one in ids]
    with store.database.writing() as connection:
        first = [insert_unless_there(connection, schema.budgets, rows[0]) for _ in range(2)]
        rest = [insert_all_unless_there(connection, schema.budgets, rows) for _ in range(2)]
    assert (first, rest) == ([True, False], [2, 0])
