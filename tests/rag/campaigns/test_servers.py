"""Runs that are kept on a database server: killed, at the same time, out of budget, out of room."""

import random

from tests.rag.campaigns.test_budget import check_budget, paid  # noqa: F401
from tests.rag.campaigns.test_faults import check_schedule, check_together
from tests.rag.campaigns.test_full_disk import check_full_at
from tests.rag.campaigns.test_kills import SETTINGS, check_kills, slow  # noqa: F401
from tests.rag.campaigns.world import Settings
from tests.store.conftest import database, open_folder, server  # noqa: F401
from veridical.store import Store


def test_a_killed_run_goes_on(slow, database):  # noqa: F811
    check_kills(slow, database, SETTINGS, 1, random.Random(7))


def test_a_run_never_costs_more_than_it_may(paid, database, capsys):  # noqa: F811
    check_budget(paid, database, capsys, 1)


def test_faults_move_no_byte_and_runs_do_not_meet(world, database):  # noqa: F811
    with Store(database) as store:
        check_schedule(world, store, 1)
    check_together(world, database)


def test_a_full_disk_stops_a_run_that_goes_on_later(world, database):  # noqa: F811
    with Store(database) as store:
        assert check_full_at(world, store, Settings(), 9)
