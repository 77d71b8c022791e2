"""Cases, what is said and pinned in them, and decisions."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("replays", "0005_feed_and_webhooks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Case",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("seq", models.PositiveIntegerField(default=0)),
                ("kind", models.CharField(max_length=30)),
                ("code", models.CharField(blank=True, max_length=60)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "not sent yet"),
                            ("open", "waiting for a referee"),
                            ("assigned", "with a referee"),
                            ("decided", "decided, may be appealed"),
                            ("appealed", "appealed, waiting for another referee"),
                            ("final", "final"),
                            ("withdrawn", "withdrawn"),
                            ("duplicate", "joined to another case"),
                            ("no-action", "closed without a decision"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("level", models.PositiveSmallIntegerField(default=0)),
                ("version", models.PositiveIntegerField(default=1)),
                ("opened_at", models.DateTimeField()),
                ("acknowledged_at", models.DateTimeField(null=True)),
                ("since", models.DateTimeField()),
                ("held_at", models.DateTimeField(null=True)),
                ("touched_at", models.DateTimeField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                ("due_at", models.DateTimeField(null=True)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to="replays.club",
                    ),
                ),
                (
                    "duplicate_of",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="duplicates",
                        to="replays.case",
                    ),
                ),
                (
                    "holder",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "log",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to="replays.handlog",
                    ),
                ),
                (
                    "opener",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CaseEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("via", models.CharField(blank=True, max_length=40)),
                ("verb", models.CharField(max_length=20)),
                ("before", models.CharField(blank=True, max_length=10)),
                ("after", models.CharField(max_length=10)),
                ("level", models.PositiveSmallIntegerField(default=0)),
                (
                    "audience",
                    models.CharField(
                        choices=[
                            ("parties", "the parties and the officials"),
                            ("officials", "the officials"),
                        ],
                        default="parties",
                        max_length=10,
                    ),
                ),
                ("data", models.JSONField(default=dict)),
                ("text_digest", models.CharField(blank=True, max_length=64)),
                ("digest", models.CharField(max_length=64)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="replays.case",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CaseText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("salt", models.CharField(max_length=32)),
                ("body", models.TextField()),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="text",
                        to="replays.caseevent",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("level", models.PositiveSmallIntegerField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("granted", "the complaint is right"),
                            ("partly", "the complaint is right in part"),
                            ("refused", "the complaint is not right"),
                        ],
                        max_length=10,
                    ),
                ),
                ("code", models.CharField(blank=True, max_length=60)),
                ("clause", models.CharField(max_length=200)),
                (
                    "effect",
                    models.CharField(
                        choices=[
                            ("none", "the points stay as the rules give them"),
                            ("points", "the points below count"),
                            ("void", "the hand is void: it counts for nobody"),
                        ],
                        max_length=10,
                    ),
                ),
                ("points", models.JSONField(default=dict)),
                ("winner", models.PositiveSmallIntegerField(null=True)),
                ("cites", models.JSONField(default=list)),
                ("overturns", models.BooleanField(default=False)),
                ("version", models.PositiveIntegerField()),
                ("head", models.CharField(max_length=64)),
                ("report_digest", models.CharField(blank=True, max_length=64)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="replays.case",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="replays.club",
                    ),
                ),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decision",
                        to="replays.caseevent",
                    ),
                ),
                (
                    "log",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="replays.handlog",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Desk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("file_hours", models.PositiveIntegerField(blank=True, null=True)),
                ("claim_hours", models.PositiveIntegerField(default=24)),
                ("decide_hours", models.PositiveIntegerField(default=168)),
                ("appeal_hours", models.PositiveIntegerField(default=72)),
                ("levels", models.PositiveSmallIntegerField(default=1)),
                ("idle_minutes", models.PositiveIntegerField(default=120)),
                ("least_text", models.PositiveSmallIntegerField(default=20)),
                ("by_decided", models.BooleanField(default=True)),
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="desk",
                        to="replays.club",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Evidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("event", "an event of the log"),
                            ("note", "a note"),
                            ("what-if", "a what-if"),
                            ("image", "a picture"),
                        ],
                        max_length=10,
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("data", models.JSONField(default=dict)),
                ("media_type", models.CharField(blank=True, max_length=20)),
                ("size", models.PositiveIntegerField(default=0)),
                ("body", models.BinaryField(null=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="evidence",
                        to="replays.case",
                    ),
                ),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="evidence",
                        to="replays.caseevent",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Party",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "side",
                    models.CharField(
                        choices=[
                            ("reporter", "opened the case"),
                            ("answers", "it is about"),
                            ("concerned", "played in the hand"),
                        ],
                        max_length=10,
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(null=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parties",
                        to="replays.case",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="replays.player",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(fields=["club", "state", "due_at"], name="case_queue"),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(fields=["state", "due_at"], name="case_due"),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(
                fields=("club", "number"), name="case_once_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ("open", "assigned", "decided", "appealed"))),
                fields=("log", "seq", "kind"),
                name="case_once_a_place",
            ),
        ),
        migrations.AddConstraint(
            model_name="caseevent",
            constraint=models.UniqueConstraint(fields=("case", "number"), name="case_event_once"),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(fields=["club", "code", "-number"], name="decision_by_code"),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.UniqueConstraint(
                fields=("club", "number"), name="decision_once_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="evidence",
            constraint=models.UniqueConstraint(fields=("case", "digest"), name="evidence_once"),
        ),
        migrations.AddIndex(
            model_name="party",
            index=models.Index(fields=["user", "case"], name="party_of_user"),
        ),
        migrations.AddConstraint(
            model_name="party",
            constraint=models.UniqueConstraint(
                condition=models.Q(("seat__isnull", False)),
                fields=("case", "seat"),
                name="party_once_a_seat",
            ),
        ),
    ]
