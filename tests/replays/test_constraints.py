"""Whatever must be there once is held by the database, not by a look before a write."""

import pytest
from django.apps import apps
from django.db import connection

pytestmark = pytest.mark.storage

NATURAL_KEYS = {
    "replays_apikey": {("prefix",)},
    "replays_audit": {("log_id", "version", "engine", "ruleset_digest")},
    "replays_auditjob": {("log_id",)},
    "replays_case": {("club_id", "number"), ("log_id", "seq", "kind")},
    "replays_caseevent": {("case_id", "number")},
    "replays_casetext": {("event_id",)},
    "replays_club": {("slug",)},
    "replays_clubruleset": {("club_id", "slug", "version")},
    "replays_dealentry": {("match_id", "key"), ("match_id", "place"), ("match_id", "number")},
    "replays_decision": {("event_id",), ("club_id", "number")},
    "replays_desk": {("club_id",)},
    "replays_entrant": {("evening_id", "player_id")},
    "replays_evening": {("club_id", "key"), ("public_id",)},
    "replays_evidence": {("case_id", "digest"), ("event_id",)},
    "replays_feedentry": set(),
    "replays_findingpolicy": {("club_id", "code")},
    "replays_findingrow": {("log_id", "number")},
    "replays_freetext": {("batch_id",)},
    "replays_handkey": set(),
    "replays_handlog": {("public_id",)},
    "replays_hold": {("log_id",)},
    "replays_link": {("public_id",), ("digest",)},
    "replays_logbatch": {("log_id", "first_line")},
    "replays_matchfinding": {("match_id", "number")},
    "replays_matchrow": {("public_id",), ("identity",)},
    "replays_matchseat": {("match_id", "seat")},
    "replays_membership": {("club_id", "user_id")},
    "replays_outcome": {("upload_id", "number")},
    "replays_party": {("case_id", "seat")},
    "replays_player": {("club_id", "ref")},
    "replays_processbeat": {("host", "pid", "started_at")},
    "replays_scoresheet": {("public_id",)},
    "replays_seat": {("log_id", "seat")},
    "replays_shadowpart": {("run_id", "number")},
    "replays_shadowrun": {("public_id",)},
    "replays_table": {("public_id",), ("evening_id", "name")},
    "replays_tablematch": {("table_id", "number")},
    "replays_tableseat": {("match_id", "player_id"), ("match_id", "seat")},
    "replays_throttle": set(),
    "replays_tombstone": {("public_id",), ("number",), ("identity",)},
    "replays_trailentry": set(),
    "replays_upload": {("public_id",)},
    "replays_uploadchunk": {("upload_id", "number")},
    "replays_webhookattempt": set(),
    "replays_webhookdelivery": {("public_id",)},
    "replays_webhookendpoint": {("public_id",)},
}


def test_every_natural_key_is_unique_in_the_database(db):
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_app_config("replays").get_models():
            table = model._meta.db_table
            constraints = connection.introspection.get_constraints(cursor, table).values()
            found[table] = {
                tuple(each["columns"])
                for each in constraints
                if each["unique"] and not each["primary_key"]
            }

    assert found == NATURAL_KEYS


def test_models_and_migrations_agree(db, capsys):
    from django.core.management import call_command

    call_command("makemigrations", "replays", check=True, dry_run=True, verbosity=0)
