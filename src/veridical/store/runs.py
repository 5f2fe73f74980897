"""``Store``: where runs are kept."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from sqlalchemy import Connection, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from veridical.errors import MismatchError, RunNotFoundError, StoreError
from veridical.measures import Measure
from veridical.store import schema
from veridical.store.archive import read_archive, write_archive
from veridical.store.database import PATIENCE_S, Database
from veridical.store.finding import found_among
from veridical.store.journal import Journal, journals
from veridical.store.ledger import Ledger
from veridical.store.location import Location, locate
from veridical.store.migrating import prepare
from veridical.store.queries import Point, heads_of, points_of, results_like, runs_like, whole
from veridical.store.records import (
    Packed,
    StoredParts,
    check_seal,
    pack,
    result_rows,
    run_row,
    seal,
    unpack,
)
from veridical.store.run import Run, RunHead, State, new_id
from veridical.store.spending import Spending
from veridical.store.travelling import insert_runs, with_ledger
from veridical.store.verdicts import Verdicts
from veridical.store.verifying import Damage, verified
from veridical.writing import check_writable, write_atomically

__all__ = ["Point", "Store"]

_UNFINISHED: Final = ("running", "interrupted")


class Store:
    """A place where runs are kept: a file of SQLite, or a PostgreSQL database.

    One store is used by one process; many processes may have the same place open.  A run is saved
    whole or not at all.

    Parameters
    ----------
    where
        A path or a URL; None for ``VERIDICAL_STORE``, and without it ``.veridical/veridical.db``.
    create
        Whether to make a file that is not there.
    patience_s
        How long to wait for other writers, in seconds.

    Raises
    ------
    StoreError
        It cannot be opened, is locked, is not ours, or was written by a newer version.

    Examples
    --------
    >>> import tempfile, veridical as vd
    >>> ev = vd.evaluate({"y": [1, 0], "p": [0.9, 0.6]}, label="y", score="p")
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/runs.db") as store:
    ...     _ = ev.save("first", tags=["try"], store=store)
    ...     store.load("first")["roc_auc"].value, [run.name for run in store.runs(tag="try")]
    (1.0, ['first'])
    """

    def __init__(
        self,
        where: str | os.PathLike[str] | None = None,
        *,
        create: bool = True,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._database = Database(locate(where), create=create, patience_s=patience_s)
        try:
            prepare(self._database)
        except BaseException:  # nobody else could close what this opened
            self._database.close()
            raise

    @property
    def database(self) -> Database:
        """What it reads and writes with."""
        return self._database

    @property
    def location(self) -> Location:
        """Where it is."""
        return self._database.location

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open; a later use opens it again."""
        self._database.close()

    def save(self, run: Run) -> Run:
        """Keep a run, whole or not at all, and return it with its id and its hash.

        Parameters
        ----------
        run
            What ``draft`` or ``ResultSet.save`` made.  An id that is taken is replaced by another.
        """
        while True:
            sealed, packed = _sealed(run)
            try:
                with self._database.writing() as connection:
                    connection.execute(insert(schema.runs).values(run_row(sealed)))
                    _insert_rest(connection, sealed, packed)
                return replace(sealed, parts=self._parts(sealed.id, packed))
            except StoreError as error:
                if not isinstance(error.__cause__, IntegrityError) or not self._has(run.id):
                    raise
                run = replace(run, id=new_id(run.created))

    def update(self, run: Run) -> Run:
        """Replace an unfinished run by a later state of it.

        Raises
        ------
        RunNotFoundError
            There is no such run.
        MismatchError
            It is finished, and what is finished does not change.
        """
        sealed, packed = _sealed(run)
        with self._database.writing() as connection:
            changed = connection.execute(
                update(schema.runs)
                .where(schema.runs.c.id == run.id, schema.runs.c.state.in_(_UNFINISHED))
                .values(run_row(sealed))
            )
            if changed.rowcount != 1:
                raise self._unchangeable(connection, run)
            for table in (schema.tags, schema.results, schema.parts):
                connection.execute(delete(table).where(table.c.run_id == run.id))
            _insert_rest(connection, sealed, packed)
        return replace(sealed, parts=self._parts(sealed.id, packed))

    def load(self, reference: str = "latest") -> Run:
        """Return the run that ``reference`` stands for; its parts are read when asked for.

        Parameters
        ----------
        reference
            An id or a name, or the beginning of one that is enough; ``latest`` for the newest
            finished run.  A name that several runs have stands for the newest.

        Raises
        ------
        RunNotFoundError
            There is none, or there are several.
        FileFormatError
            It was damaged or changed.
        """
        head = self.find(reference)
        with self._database.reading() as connection:
            rows = connection.execute(
                select(schema.parts.c.name, schema.parts.c.sha256).where(
                    schema.parts.c.run_id == head.id
                )
            ).all()
        hashes = {row.name: row.sha256 for row in rows}
        check_seal(head, hashes)
        return Run.of(head, StoredParts(hashes, lambda name: self._part(head, name)))

    def find(self, reference: str) -> RunHead:
        """Return the head of the run that ``reference`` stands for; see ``load``."""
        with self._database.reading() as connection:
            run_id = found_among(connection, reference, self.location.shown)
            return heads_of(connection, select(schema.runs).where(schema.runs.c.id == run_id))[0]

    def runs(
        self,
        *,
        kind: str | None = None,
        name: str | None = None,
        tag: str | None = None,
        state: State | None = None,
        since: datetime | None = None,
        metric: str | Measure | None = None,
        limit: int | None = None,
    ) -> list[RunHead]:
        """Return the heads of runs, newest first.

        Parameters
        ----------
        kind, name, tag, state
            Only runs with this one.
        since
            Only runs that were created then or later.
        metric
            Only runs with a result of this metric.
        limit
            At most so many.
        """
        query = runs_like(
            kind=kind, name=name, tag=tag, state=state, since=since, metric=metric, limit=limit
        )
        with self._database.reading() as connection:
            return heads_of(connection, query)

    def points(
        self,
        metrics: Iterable[str | Measure] | None = None,
        *,
        runs: Sequence[str] | None = None,
        name: str | None = None,
        subject: str | None = None,
        group: str | None = None,
    ) -> list[Point]:
        """Return single results without loading their runs, oldest run first.

        Parameters
        ----------
        metrics
            Canonical names; None for all.
        runs, name
            Only of runs with these ids, with this name.
        subject
            Only of this model, run or system; None for all.
        group
            The slice; None for everything.
        """
        query = results_like(metrics, runs=runs, name=name, subject=subject, group=group)
        with self._database.reading() as connection:
            return points_of(connection, query)

    def delete(self, references: Iterable[str]) -> list[RunHead]:
        """Delete runs with all they hold, and return what went."""
        heads = list({head.id: head for head in map(self.find, references)}.values())
        with self._database.writing() as connection:
            for head in heads:
                connection.execute(delete(schema.runs).where(schema.runs.c.id == head.id))
            used = exists().where(schema.attempts.c.artefact_sha256 == schema.artefacts.c.sha256)
            connection.execute(delete(schema.artefacts).where(~used))
        return heads

    def export(self, references: Iterable[str] | None, path: str | os.PathLike[str]) -> list[Run]:
        """Write runs into one portable file, whole or not at all, and return them.

        The same runs give the same bytes.

        Parameters
        ----------
        references
            Which runs; None for all that are not running.
        path
            The file.

        Raises
        ------
        MismatchError
            One of them is still running.
        OutputError
            The file cannot be written.
        """
        check_writable(Path(path))
        wanted = None if references is None else {self.find(one).id for one in references}
        at = schema.runs.c
        query = select(schema.runs).order_by(at.id)
        chosen = at.state != "running" if wanted is None else at.id.in_(sorted(wanted))
        with self._database.reading() as connection:
            heads = heads_of(connection, query.where(chosen))
            found = [with_ledger(connection, whole(connection, head)) for head in heads]
        write_atomically(Path(path), write_archive(found))
        return [one.run for one in found]

    def import_file(self, path: str | os.PathLike[str]) -> tuple[list[Run], list[Run]]:
        """Take in the runs of a portable file, all or none; return the new ones and all of them.

        A run that is there already, and is the same, is left as it is.

        Raises
        ------
        FileMissingError, FileFormatError
            There is no such file; it was damaged or changed.
        MismatchError
            Another run has an id of the file.
        """
        archived = read_archive(path)
        with self._database.writing() as connection:
            new = insert_runs(connection, archived)
        return new, [one.run for one in archived]

    def verify(self, references: Iterable[str] | None = None) -> tuple[int, list[Damage]]:
        """Recompute every hash; return how many runs were checked, and what is damaged.

        Parameters
        ----------
        references
            Which runs; None for all, and for the file itself.
        """
        ids = None if references is None else [self.find(one).id for one in references]
        return verified(self._database, ids)

    def ledger(self, run_id: str) -> Ledger:
        """Return the ledger of a run: its units, and the attempts at them."""
        return Ledger(self._database, run_id)

    def spending(self, run_id: str) -> Spending:
        """Return the budget of a run: what it may spend, and did."""
        return Spending(self._database, run_id)

    def verdicts(self) -> Verdicts:
        """Return the replies of judges that are kept, whichever run asked for them."""
        return Verdicts(self._database)

    def journal(self, name: str) -> Journal:
        """Return a journal: events that are only ever added."""
        return Journal(self._database, name)

    def journals(self) -> list[str]:
        """Return the names of all journals."""
        return journals(self._database)

    def _parts(self, run_id: str, packed: dict[str, Packed]) -> StoredParts:
        return StoredParts(
            {name: one.sha256 for name, one in packed.items()},
            lambda name: self._part(self.find(run_id), name),
        )

    def _part(self, head: RunHead, name: str) -> bytes:
        at = schema.parts.c
        with self._database.reading() as connection:
            row = connection.execute(
                select(at.encoding, at.sha256, at.size, at.content).where(
                    at.run_id == head.id, at.name == name
                )
            ).one_or_none()
        if row is None:
            raise RunNotFoundError(
                "the run was deleted meanwhile",
                where=head.label,
                fix="see `veridical runs list` for what is there",
            )
        return unpack(Packed(row.encoding, row.sha256, row.size, row.content), head.label)

    def _has(self, run_id: str) -> bool:
        with self._database.reading() as connection:
            query = select(schema.runs.c.id).where(schema.runs.c.id == run_id)
            return connection.execute(query).first() is not None

    def _unchangeable(self, connection: Connection, run: Run) -> Exception:
        state = connection.execute(
            select(schema.runs.c.state).where(schema.runs.c.id == run.id)
        ).scalar()
        if state is None:
            return RunNotFoundError(
                "there is no such run",
                where=run.label,
                fix="see `veridical runs list` for what is there",
            )
        return MismatchError(
            f"the run is {state}",
            where=run.label,
            why="what is finished does not change",
            fix="save it as a new run",
        )


def _sealed(run: Run) -> tuple[Run, dict[str, Packed]]:
    packed = {name: pack(content) for name, content in sorted(run.parts.items())}
    run = replace(run, n_results=len(run.results), sha256=None)
    if run.state != "running":
        hashes = {name: one.sha256 for name, one in packed.items()}
        run = replace(run, sha256=seal(run, hashes))
    return run, packed


def _insert_rest(connection: Connection, run: Run, packed: dict[str, Packed]) -> None:
    rows = {
        schema.tags: [{"run_id": run.id, "tag": tag} for tag in run.tags],
        schema.results: result_rows(run),
        schema.parts: [
            {"run_id": run.id, "name": name, **one._asdict()} for name, one in packed.items()
        ],
    }
    for table, values in rows.items():
        if values:
            connection.execute(insert(table), values)
