"""Matches with a dirty flag, what their audits found, and whether a club shows money."""

import hashlib

import django.db.models.deletion
import msgspec
from django.db import migrations, models
from django.db.models.functions import Now

import replays.models.scope


def owe_audits(apps, schema_editor):
    """Make the matches of the hands that are here, each to be audited."""
    hands = apps.get_model("replays", "HandLog").objects.exclude(match="")
    of = ("club", "source", "event", "match")
    rows = apps.get_model("replays", "MatchRow").objects
    rows.bulk_create(
        (
            rows.model(
                club_id=club,
                public_id=replays.models.scope.new_public_id(),
                identity=hashlib.sha256(msgspec.json.encode([club, source, event, name])).digest(),
                source=source,
                event=event,
                name=name,
                version=1,
                due=Now(),
            )
            for club, source, event, name in hands.order_by(*of).values_list(*of).distinct()
        ),
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [("replays", "0006_cases")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="money",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="MatchRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("due", models.DateTimeField()),
                ("lease", models.CharField(blank=True, max_length=32)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("failed", models.BooleanField(default=False)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("public_id", models.CharField(default=replays.models.scope.new_public_id, max_length=16, unique=True)),
                ("identity", models.BinaryField(max_length=32, unique=True)),
                ("source", models.CharField(blank=True, max_length=500)),
                ("event", models.CharField(blank=True, max_length=500)),
                ("name", models.CharField(max_length=500)),
                ("version", models.PositiveIntegerField(default=0)),
                ("audited_version", models.PositiveIntegerField(default=0)),
                ("engine", models.CharField(blank=True, max_length=32)),
                ("report", models.BinaryField(default=b"")),
                ("family", models.CharField(blank=True, max_length=20)),
                ("format", models.CharField(blank=True, max_length=500)),
                ("verdict", models.CharField(choices=[("waiting", "waiting"), ("clean", "clean"), ("flagged", "flagged"), ("irregular", "irregular"), ("failed", "could not be judged")], default="waiting", max_length=10)),
                ("deal_count", models.PositiveIntegerField(default=0)),
                ("winner", models.PositiveSmallIntegerField(null=True)),
                ("errors", models.PositiveIntegerField(default=0)),
                ("breaches", models.PositiveIntegerField(default=0)),
                ("club", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="matches", to="replays.club")),
                ("last_log", models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="replays.handlog")),
            ],
        ),
        migrations.CreateModel(
            name="MatchSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                ("total", models.BigIntegerField(null=True)),
                ("points", models.BigIntegerField()),
                ("deal_count", models.PositiveIntegerField()),
                ("deals_won", models.PositiveIntegerField()),
                ("won", models.BooleanField()),
                ("match", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="replays.matchrow")),
            ],
        ),
        migrations.CreateModel(
            name="MatchFinding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("code", models.CharField(max_length=60)),
                ("category", models.CharField(max_length=20)),
                ("severity", models.CharField(max_length=10)),
                ("handled", models.BooleanField(default=False)),
                ("seq", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField(null=True)),
                ("club", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="replays.club")),
                ("log", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="match_findings", to="replays.handlog")),
                ("match", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="findings", to="replays.matchrow")),
            ],
        ),
        migrations.AddIndex(
            model_name="matchrow",
            index=models.Index(fields=["club", "-id"], name="match_newest"),
        ),
        migrations.AddIndex(
            model_name="matchrow",
            index=models.Index(fields=["club", "verdict", "-id"], name="match_by_verdict"),
        ),
        migrations.AddIndex(
            model_name="matchrow",
            index=models.Index(fields=["club", "event"], name="match_of_event"),
        ),
        migrations.AddIndex(
            model_name="matchrow",
            index=models.Index(condition=models.Q(("failed", False), ("version__gt", models.F("audited_version"))), fields=["attempts", "due"], name="match_due"),
        ),
        migrations.AddConstraint(
            model_name="matchseat",
            constraint=models.UniqueConstraint(fields=("match", "seat"), name="match_seat_once"),
        ),
        migrations.AddIndex(
            model_name="matchfinding",
            index=models.Index(fields=["club", "code", "-log"], name="match_finding_by_code"),
        ),
        migrations.AddConstraint(
            model_name="matchfinding",
            constraint=models.UniqueConstraint(fields=("match", "number"), name="match_finding_once"),
        ),
        migrations.RunPython(owe_audits, migrations.RunPython.noop),
    ]
