"""A story on PostgreSQL outlives its server: beats go on after a restart, and what was lost is told
truly."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.postgres import cluster_or_skip
from thorp.store.postgres import PostgresSession
from thorp.store.session import ConnectionLost
from thorp.story import Ledger, open_ledger


def envelope(request_id: str) -> dict[str, Any]:
    return {
        "request_id": request_id,
        "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
        "operator": {"operator_id": "GEORGE", "input_text": f"Words of {request_id}."},
        "mode": {"kind": "BEAT"},
    }


def texts(ledger: Ledger) -> list[str]:
    return [
        each["text"]
        for each in ledger.page("GEORGE")["stream"]["entries"]
        if each["channel"] == "USER"
    ]


@pytest.mark.real("postgresql")
def test_beats_go_on_after_the_server_was_restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    with cluster_or_skip() as cluster, open_ledger(cluster.make_database()) as ledger:
        assert ledger.invoke(envelope("r-1"))[0] == 200
        cluster.crash()
        assert ledger.invoke(envelope("r-2")) == (503, {"error": "Ledger unreachable"})
        cluster.start()
        assert ledger.invoke(envelope("r-2"))[0] == 200
        cluster.crash()
        cluster.start()
        assert texts(ledger) == ["Words of r-1.", "Words of r-2."]
        assert ledger.invoke(envelope("r-3"))[0] == 200

        commit = PostgresSession.commit

        def commit_and_lose(session: PostgresSession) -> None:
            """The server goes away when it has committed, before it could say so."""
            monkeypatch.setattr(PostgresSession, "commit", commit)
            commit(session)
            cluster.crash()
            if comes_back:
                cluster.start()
            raise ConnectionLost("gone", "commit")

        comes_back = True
        monkeypatch.setattr(PostgresSession, "commit", commit_and_lose)
        found = ledger.respond(envelope("r-4"))
        assert (found.status, found.replayed) == (200, True)

        comes_back = False
        monkeypatch.setattr(PostgresSession, "commit", commit_and_lose)
        unsure = ledger.respond(envelope("r-5"))
        assert (unsure.status, json.loads(unsure.body)["error"]) == (503, "Ledger unreachable")
        assert "send the same request again" in unsure.body
        cluster.start()
        assert ledger.respond(envelope("r-5")).replayed
        assert texts(ledger) == [f"Words of r-{number}." for number in range(1, 6)]
        assert ledger.verify().difference is None
