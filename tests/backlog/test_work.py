"""Claims, leases, takeovers and completions through the commands, on the database's clock."""

from __future__ import annotations

import time

import pytest

from tests.backlog.desk import ROUTE, Desk

LEASE = 1800.0


def test_the_first_claim_prints_token_secret_and_lease(desk: Desk) -> None:
    """Case 26, and the keys that programs read."""
    id = desk.add("One")
    one = desk.claim(id, "o1", "--lease", "600")
    assert (one["granted"], one["fencing_token"], one["owner"]) == (True, 1, "o1")
    assert (one["lease_seconds"], one["reason"], one["region"]) == (600, None, "local")
    assert len(one["secret"]) == 32
    assert one["lease_expires_at"].endswith("Z")


@pytest.mark.parametrize(
    ("argv", "rc", "reason"),
    [
        (("local-9",), 6, "missing"),
        (("local-1", "--owner", "o2"), 3, "contended"),
        (("local-1", "--owner", "o1"), 3, "contended"),
        (("local-2", "--owner", "o2"), 1, "waiting"),
    ],
)
def test_a_refused_claim_says_why_in_data(
    desk: Desk, argv: tuple[str, ...], rc: int, reason: str
) -> None:
    """Cases 27, 28: nothing created, nothing changed, no marker."""
    one = desk.add("One")
    desk.add("Two", "--blocked-by", one)
    desk.claim(one)
    before = desk("status", one)
    found = desk.refused("claim", *argv, rc=rc)
    assert (found["granted"], found["reason"], found["fencing_token"]) == (False, reason, None)
    assert desk.paste(found["error"]["run"]).rc == 0
    after = desk("status", one)
    if "renew" not in found["error"]["run"]:
        assert after == before
    assert after["fencing_token"] == 1


def test_the_lease_is_clamped_and_the_default_is_one(desk: Desk) -> None:
    """Cases 31, 32, 33: what is granted is reported; a lease of nothing is an error."""
    one, two = desk.add("One"), desk.add("Two")
    assert desk.claim(one, "o1", "--lease", "99999")["lease_seconds"] == 7200
    assert desk.claim(two)["lease_seconds"] == LEASE
    assert desk("renew", two, "--token", "1")["lease_seconds"] == LEASE
    assert desk("renew", one, "--token", "1")["lease_shortened"] is True
    for lease in ("0", "-1"):
        assert desk.done("renew", two, "--token", "1", "--lease", lease).rc == 2
    assert desk.done("claim", desk.add("Three"), "--owner", " ").rc == 2


def test_a_renewal_of_an_old_token_is_superseded(desk: Desk) -> None:
    """Cases 39, 74: refused, and told from a lapse."""
    id = desk.add("One")
    desk.claim(id)
    desk("release", id, "--token", "1")
    desk.claim(id, "o2")
    found = desk.refused("renew", id, "--token", "1", rc=3)
    assert (found["reason"], found["granted"], found["lease_shortened"]) == (
        "superseded",
        False,
        None,
    )
    assert found["error"]["who"] == "o2"
    assert desk.paste(found["error"]["run"]).rc == 0


def test_a_lapsed_renewal_names_the_claim_that_works(desk: Desk) -> None:
    """Cases 62, 66: one re-claim of one's own, no attempt more, disclosed."""
    id = desk.add("One")
    desk.claim(id)
    desk.later(LEASE + 60)
    assert desk("status", id)["state"] == "lapsed"
    found = desk.refused("renew", id, "--token", "1", "--session", "o1", rc=1)
    assert found["reason"] == "lapsed"
    again = desk.paste(found["error"]["run"], session="o1")
    assert again.rc == 0
    assert "near miss" in again.out
    assert desk("status", id)["fencing_token"] == 2
    assert desk("show", id)["attempts"] == 1
    assert [one["kind"] for one in desk("show", id)["grants"]] == ["work", "reclaim"]


def test_a_release_gives_back_exactly_the_current_token(desk: Desk) -> None:
    """Cases 41 to 44."""
    id = desk.add("One")
    desk.claim(id)
    assert desk.refused("release", id, "--token", "99", rc=3)["reason"] == "stale"
    argv = ("release", id, "--token", "1", "--note", "half", "--location", "feat/x")
    assert desk(*argv)["released"]
    assert desk(*argv)["released"]
    assert desk("status", id)["state"] == "released"
    one = desk.claim(id, "o2")
    assert (one["fencing_token"], one["note"], one["location"]) == (2, "half", "feat/x")
    assert desk.refused("release", id, "--token", "1", rc=3)["reason"] == "stale"
    assert desk("status", id)["held"]
    never = desk.add("Two")
    assert desk.refused("release", never, "--token", "1", rc=1)["reason"] == "unclaimed"


def test_status_tells_five_states_apart_and_never_the_secret(desk: Desk) -> None:
    """Cases 2.5 and 57."""
    assert desk("status", "local-9") == {
        "id": "local-9",
        "exists": False,
        "state": "never",
        "held": False,
        "fencing_token": None,
        "released_fencing_token": None,
        "owner": None,
        "region": None,
        "lease_expires_at": None,
        "eligible_at": None,
        "attempts": 0,
        "authoritative": False,
    }
    id = desk.add("One")
    assert desk("status", id)["state"] == "never"
    secret = desk.claim(id)["secret"]
    done = desk.done("status", id, "--json")
    assert done.json["state"] == "held"
    assert secret not in done.out
    assert secret not in desk.done("show", id, "--json").out
    assert desk("status", id)["authoritative"] is False


def test_writes_while_somebody_holds_need_the_token(desk: Desk) -> None:
    """Cases 47, 48, 49, 53, 54."""
    id = desk.add("One")
    desk.claim(id)
    found = desk.refused("edit", id, "--note", "x", rc=3)
    assert (found["error"]["code"], found["error"]["who"]) == ("claim-required", "o1")
    assert desk("edit", id, "--note", "x", "--token", "1")["note"] == "x"
    desk.later(LEASE + 1)
    assert desk("edit", id, "--note", "late", "--token", "1")["late"]
    desk("release", id, "--token", "1")
    assert desk.refused("edit", id, "--note", "y", "--token", "1", rc=1)["error"]["code"] == (
        "claim-released"
    )
    desk.claim(id, "o2")
    assert desk.refused("edit", id, "--note", "y", "--token", "1", rc=3)["error"]["code"] == (
        "stale-token"
    )
    assert desk.refused("complete", id, "--token", "1", "--evidence", "HEAD", rc=3)
    assert desk("show", id)["note"] == "late"


def test_a_wrong_secret_is_refused(desk: Desk) -> None:
    id = desk.add("One")
    secret = desk.claim(id)["secret"]
    found = desk.refused("renew", id, "--token", "1", "--secret", "0" * 32, rc=1)
    assert found["reason"] == "wrong_secret"
    assert desk("renew", id, "--token", "1", "--secret", secret)["granted"]


def test_a_takeover_waits_for_quarantine_and_names_whom_it_follows(desk: Desk) -> None:
    """Cases 64, 68, 69, 70: the printed commands lead through it."""
    id = desk.add("One")
    desk.claim(id)
    desk.later(LEASE + 60)
    found = desk.refused("claim", id, "--owner", "o2", rc=1)
    assert found["reason"] == "quarantined"
    assert found["eligible_at"]
    assert desk.paste(found["error"]["run"]).rc == 0
    desk.later(LEASE * 2 + 3700)
    found = desk.refused("claim", id, "--owner", "o2", rc=1)
    assert (found["reason"], found["holder"], found["holder_token"]) == ("takeover_record", "o1", 1)
    assert desk.refused("claim", id, "--owner", "o2", "--takeover", rc=2)
    old = ("--takeover", "--from", "o1", "--token", "7")
    assert desk.refused("claim", id, "--owner", "o2", *old, rc=1)["reason"] == "takeover_record"
    assert desk.paste(found["error"]["run"]).rc == 0
    assert desk("status", id)["owner"] == "o2"
    show = desk("show", id)
    assert show["attempts"] == 2
    assert [one["kind"] for one in show["grants"]] == ["work", "takeover"]


def test_signs_of_work_keep_a_takeover_away(desk: Desk) -> None:
    """Cases 65, 66: a finding and a commit within the hour; who acts after a takeover collides."""
    id = desk.add("One")
    desk.claim(id, "o1")
    take = ("claim", id, "--owner", "o2", "--takeover", "--from", "o1", "--token", "1")
    desk.later(LEASE * 2 + 3700)
    desk("note", id, "I am at it.", session="o1")
    found = desk.refused(*take, rc=1)
    assert found["reason"] == "live_evidence:comment"
    desk.later(LEASE * 2 + 7400)
    day = int(time.time() + LEASE * 2 + 7000)
    tree = desk.world.git("rev-parse", "main^{tree}")
    desk.patch.setenv("GIT_COMMITTER_DATE", f"@{day} +0000")
    tip = desk.world.git("commit-tree", "-m", "late", tree)
    desk.patch.delenv("GIT_COMMITTER_DATE")
    desk.world.git("update-ref", "refs/heads/one", tip)
    found = desk.refused(*take, "--branch", "one", rc=1)
    assert found["reason"] == "live_evidence:push"
    desk.later(LEASE * 2 + 11000)
    assert desk(*take, "--branch", "one")["kind"] == "takeover"
    assert not desk("note", id, "mine", session="o2")["collision"]
    desk.later(LEASE * 2 + 11001)
    assert desk("note", id, "and mine", session="o1")["collision"]
    assert "a person decides" in desk.text("note", id, "still here", session="o1")
    assert desk("why", id)["why"][0]["code"] == "defect"


def test_the_gate_before_a_push_is_a_renewal(desk: Desk) -> None:
    """Case 73: a superseded worker's `renew && git push` ends at the renewal; its work stays."""
    id = desk.add("One")
    desk.claim(id)
    mine = desk.commit("mine.py", "one")
    desk("release", id, "--token", "1")
    desk.claim(id, "o2")
    found = desk.refused("renew", id, "--token", "1", rc=3)
    assert "stop and report" in found["error"]["reason"]
    assert desk.world.git("rev-parse", "one") == mine


def test_an_outcome_is_no_attempt(desk: Desk) -> None:
    """Case 82: neither the end of a claim nor what the mirror is told of it counts."""
    id = desk.add("One")
    desk.claim(id)
    desk("release", id, "--token", "1")
    desk("mirror")
    assert desk("show", id)["attempts"] == 1


def test_next_takes_by_priority_and_leaves_files_in_flight_alone(desk: Desk) -> None:
    """Cases 61, 116, 118, 119."""
    low = desk.add("Low", "--priority", "P3")
    top = desk.add("Top", "--priority", "P0", "--anchor", "app.py")
    same = desk.add("Same file", "--priority", "P1", "--anchor", "app.py")
    study = desk.add("Study", "--phase", "research", "--anchor", "app.py", "--priority", "P2")
    got = [desk("claim", "--next", "--owner", f"o{n}")["id"] for n in range(3)]
    assert got == [top, study, low]
    found = desk.refused("claim", "--next", "--owner", "o9", rc=1)
    assert found["reason"] == "overlapping"
    assert same in found["error"]["reason"]
    assert desk.paste(found["error"]["run"]).rc == 0
    assert desk.refused("claim", rc=2)
    assert desk.refused("claim", low, "--next", rc=2)


def test_completion_proves_its_act_and_says_what_became_ready(desk: Desk) -> None:
    """Cases 108, 137, 138."""
    one, other = desk.add("One"), desk.add("Other")
    two = desk.add("Two", "--blocked-by", one)
    desk.add("Three", "--blocked-by", one, "--blocked-by", other)
    assert desk.refused("complete", one, "--evidence", "HEAD", rc=1)["error"]["code"] == "no-claim"
    desk.claim(one)
    argv = ("complete", one, "--token", "1")
    assert desk.refused(*argv, rc=1)["error"]["code"] == "no-evidence"
    assert desk.refused(*argv, "--evidence", "nothing", rc=1)["error"]["code"] == "evidence-unknown"
    side = desk.commit("b.py", "side")
    found = desk.refused(*argv, "--evidence", side, rc=1)
    assert found["error"]["code"] == "not-merged"
    desk.world.git("checkout", "-q", "main")
    desk.world.git("merge", "-q", "--no-ff", "-m", "m", "side")
    done = desk(*argv, "--evidence", side, "--strength", "observed")
    assert (done["state"], done["ready"]) == ("complete", [two])
    assert desk("show", one)["trail"][-1]["commit"] == side
    assert not desk(*argv, "--evidence", side)["changed"]


def test_a_file_is_evidence_by_its_hash(desk: Desk) -> None:
    id = desk.add("One")
    desk.claim(id)
    (desk.world.repo / "proof.json").write_text("{}\n")
    desk("complete", id, "--token", "1", "--evidence", "proof.json")
    assert desk("show", id)["trail"][-1]["artefacts"] == [
        ["proof.json", "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"]
    ]
    two = desk.add("Two")
    desk.claim(two)
    found = desk.refused(
        "complete", two, "--token", "1", "--evidence", "HEAD", "--strength", "sure", rc=1
    )
    assert found["error"]["code"] == "strength-unknown"


def test_a_reserved_merge_is_completed_by_its_name_only(desk: Desk) -> None:
    id = desk.add("One", "--reserved-by", "pm")
    desk.claim(id)
    argv = ("complete", id, "--token", "1", "--evidence", "HEAD")
    assert desk.refused(*argv, rc=1)["error"]["code"] == "merge-reserved"
    assert desk(*argv, "--session", "pm")["state"] == "complete"


def test_what_was_tried_too_often_is_swept_once(desk: Desk) -> None:
    """Cases 86, 92: skipped, parked by the sweep; a second sweep does nothing."""
    id = desk.add("One")
    for _ in range(3):
        token = desk.claim(id)["fencing_token"]
        desk("release", id, "--token", str(token))
    assert desk.refused("claim", id, "--owner", "o1", rc=1)["reason"] == "poison"
    assert desk("ready")["verdict"] == "all_poison"
    assert desk("sweep")["parked"] == [id]
    assert desk("sweep")["parked"] == []
    assert desk("show", id)["route"]["owner"] == "pm"


def test_a_holder_parks_under_its_token(desk: Desk) -> None:
    id = desk.add("One")
    desk.claim(id)
    assert desk.refused("park", id, *ROUTE, rc=3)["error"]["code"] == "claim-required"
    assert desk.park(id, "--token", "1")["state"] == "parked"
    assert desk("status", id)["state"] == "released"


def test_the_row_of_a_direct_deployment(desk: Desk) -> None:
    """Case 141: only after the merge, not by a worker, not with a claim history."""
    row = ("record", "Hot fix", "--id", "issue-7", "--pr", "12", "--commit")
    side = desk.commit("fix.py", "side")
    assert desk.refused(*row, side, rc=1)["error"]["code"] == "not-merged"
    assert desk.refused(*row, "main", "--role", "worker", rc=1)["error"]["code"] == "not-by-worker"
    one = desk(*row, "main")
    assert (one["state"], one["direct"], one["pull"]) == ("complete", True, 12)
    assert desk.ready() == []
    later = desk.add("Later", "--blocked-by", "issue-7")
    assert desk.ready() == [later]
    desk.claim(later)
    found = desk.refused("record", "x", "--id", later, "--pr", "1", "--commit", "main", rc=1)
    assert found["error"]["code"] in ("claim-history", "item-exists")


def test_an_unknown_state_is_reconciled_under_an_admin_claim(desk: Desk) -> None:
    """Cases 12, 13: excluded and named until somebody repairs it."""
    id = desk.add("One")
    desk.sql("UPDATE items SET state = 'invalid' WHERE id = ?", id)
    assert desk.ready() == []
    assert desk.refused("reconcile", id, "--state", "live", rc=2)
    token = str(desk.claim(id, "pm", "--admin")["fencing_token"])
    assert desk("reconcile", id, "--state", "live", "--token", token)["state"] == "live"
    assert desk.ready() == [id]
    assert desk("show", id)["attempts"] == 0


def test_a_claim_waits_its_turn_for_a_while(desk: Desk) -> None:
    """Case 29: `timeout`, nothing left behind; what does not pass by itself is said at once."""
    id = desk.add("One")
    desk.claim(id)
    found = desk.refused("claim", id, "--owner", "o2", "--wait", "0.05", rc=3)
    assert (found["granted"], found["reason"], found["holder"]) == (False, "timeout", "o1")
    assert desk.paste(found["error"]["run"]).rc == 0
    assert desk.refused("claim", id, "--owner", "o2", "--wait", "0", rc=2)
    assert desk.refused("claim", "local-9", "--owner", "o2", "--wait", "600", rc=6)
    desk("release", id, "--token", "1")
    assert desk.claim(id, "o2", "--wait", "600")["fencing_token"] == 2
