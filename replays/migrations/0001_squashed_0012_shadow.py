import django.db.models.deletion
import replays.models.scope
from django.conf import settings
from django.db import migrations, models
from replays.migrations._tables import Tables


class Migration(migrations.Migration):
    replaces = [
        ("replays", "0001_first"),
        ("replays", "0002_people"),
        ("replays", "0003_keys_of_hands"),
        ("replays", "0004_rulesets_of_clubs"),
        ("replays", "0005_feed_and_webhooks"),
        ("replays", "0006_cases"),
        ("replays", "0007_matches"),
        ("replays", "0008_processes"),
        ("replays", "0009_access"),
        ("replays", "0010_evenings"),
        ("replays", "0011_sheets"),
        ("replays", "0012_shadow"),
    ]

    initial = True

    dependencies = [
        ("account", "0009_emailaddress_unique_primary_email"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("auth", "__first__"),
        ("axes", "0010_accessattemptexpiration"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [
        Tables(
            [
                migrations.CreateModel(
                    name="Club",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("slug", models.SlugField(unique=True)),
                        ("name", models.CharField(max_length=100)),
                        ("money", models.BooleanField(default=False)),
                        ("opens_hands", models.BooleanField(default=False)),
                    ],
                ),
                migrations.CreateModel(
                    name="ProcessBeat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("host", models.CharField(max_length=100)),
                        ("pid", models.PositiveIntegerField()),
                        ("started_at", models.DateTimeField()),
                        ("kind", models.CharField(max_length=10)),
                        ("at", models.DateTimeField()),
                        ("memory", models.PositiveBigIntegerField()),
                        ("counts", models.JSONField(default=dict)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("host", "pid", "started_at"), name="beat_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Throttle",
                    fields=[
                        (
                            "name",
                            models.CharField(max_length=80, primary_key=True, serialize=False),
                        ),
                        ("until", models.FloatField(default=0)),
                    ],
                ),
                migrations.CreateModel(
                    name="ApiKey",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("name", models.CharField(max_length=100)),
                        ("prefix", models.CharField(max_length=16, unique=True)),
                        ("digest", models.BinaryField(max_length=32)),
                        ("scopes", models.JSONField(default=list)),
                        ("rate", models.PositiveIntegerField(default=6000)),
                        ("created_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField(null=True)),
                        ("revoked_at", models.DateTimeField(null=True)),
                        ("last_used_at", models.DateTimeField(null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="keys",
                                to="replays.club",
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="ClubRuleset",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("slug", models.SlugField()),
                        ("version", models.PositiveIntegerField()),
                        ("name", models.CharField(max_length=100)),
                        ("base", models.CharField(max_length=100)),
                        ("settings", models.JSONField(default=dict)),
                        ("digest", models.CharField(max_length=64)),
                        ("active", models.BooleanField(default=False)),
                        ("valid_from", models.DateField(null=True)),
                        ("created_at", models.DateTimeField()),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rulesets",
                                to="replays.club",
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("club", "slug", "version"), name="club_ruleset_version_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Desk",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
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
                    name="FindingPolicy",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("code", models.CharField(max_length=60)),
                        (
                            "act",
                            models.CharField(
                                choices=[("count", "count it"), ("case", "open a case")],
                                max_length=10,
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="policies",
                                to="replays.club",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("club", "code"), name="policy_once_a_code"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Link",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "public_id",
                            models.CharField(
                                default=replays.models.scope.new_public_id,
                                max_length=16,
                                unique=True,
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("invitation", "invitation"),
                                    ("table", "table"),
                                    ("share", "shared hand"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("digest", models.BinaryField(max_length=32, unique=True)),
                        ("scope", models.JSONField(default=dict)),
                        ("created_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField(null=True)),
                        ("revoked_at", models.DateTimeField(null=True)),
                        ("used_at", models.DateTimeField(null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="links",
                                to="replays.club",
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Membership",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("owner", "owner"),
                                    ("referee", "referee"),
                                    ("scorekeeper", "scorekeeper"),
                                    ("player", "player"),
                                    ("viewer", "viewer"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("since", models.DateTimeField()),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to="replays.club",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("club", "user"), name="member_once_a_club"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Player",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("ref", models.CharField(max_length=500)),
                        ("name", models.CharField(blank=True, max_length=500)),
                        ("aliases", models.JSONField(blank=True, default=list)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="players",
                                to="replays.club",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="players",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("club", "ref"), name="player_once_a_club"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ShadowRun",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "public_id",
                            models.CharField(
                                default=replays.models.scope.new_public_id,
                                max_length=16,
                                unique=True,
                            ),
                        ),
                        ("words", models.CharField(blank=True, max_length=100)),
                        ("chosen", models.JSONField(default=dict)),
                        ("unreadable", models.PositiveIntegerField(default=0)),
                        ("created_at", models.DateTimeField()),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="shadow_runs",
                                to="replays.club",
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["club", "-id"], name="shadow_newest")],
                    },
                ),
                migrations.CreateModel(
                    name="TrailEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("via", models.CharField(max_length=40)),
                        ("address", models.GenericIPAddressField(null=True)),
                        ("verb", models.CharField(max_length=40)),
                        ("target", models.CharField(blank=True, max_length=64)),
                        ("before", models.JSONField(null=True)),
                        ("after", models.JSONField(null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="trail",
                                to="replays.club",
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
                    options={
                        "indexes": [models.Index(fields=["club", "-id"], name="trail_newest")],
                    },
                ),
                migrations.CreateModel(
                    name="Upload",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("due", models.DateTimeField()),
                        ("lease", models.CharField(blank=True, max_length=32)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("failed", models.BooleanField(default=False)),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        (
                            "public_id",
                            models.CharField(
                                default=replays.models.scope.new_public_id,
                                max_length=16,
                                unique=True,
                            ),
                        ),
                        ("source", models.CharField(blank=True, max_length=500)),
                        ("event", models.CharField(blank=True, max_length=500)),
                        ("file", models.CharField(max_length=255)),
                        ("size", models.PositiveBigIntegerField()),
                        ("sha256", models.CharField(max_length=64)),
                        ("line_count", models.PositiveIntegerField(default=0)),
                        ("received_at", models.DateTimeField()),
                        ("finished_at", models.DateTimeField(null=True)),
                        ("seen", models.PositiveIntegerField(default=0)),
                        ("line", models.PositiveIntegerField(default=0)),
                        ("created", models.PositiveIntegerField(default=0)),
                        ("appended", models.PositiveIntegerField(default=0)),
                        ("duplicate", models.PositiveIntegerField(default=0)),
                        ("conflict", models.PositiveIntegerField(default=0)),
                        ("rejected", models.PositiveIntegerField(default=0)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="uploads",
                                to="replays.club",
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
                    options={
                        "indexes": [
                            models.Index(fields=["club", "-id"], name="upload_newest"),
                            models.Index(
                                condition=models.Q(("failed", False), ("finished_at", None)),
                                fields=["attempts", "due"],
                                name="upload_due",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WebhookEndpoint",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "public_id",
                            models.CharField(
                                default=replays.models.scope.new_public_id,
                                max_length=16,
                                unique=True,
                            ),
                        ),
                        ("url", models.CharField(max_length=2000)),
                        ("words", models.CharField(blank=True, max_length=100)),
                        ("events", models.JSONField(default=list)),
                        ("secret", models.CharField(max_length=100)),
                        ("old_secret", models.CharField(blank=True, max_length=100)),
                        ("old_secret_until", models.DateTimeField(null=True)),
                        ("created_at", models.DateTimeField()),
                        ("disabled_at", models.DateTimeField(null=True)),
                        ("disabled_why", models.CharField(blank=True, max_length=200)),
                        ("slow_until", models.DateTimeField(null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="webhooks",
                                to="replays.club",
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Evening",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "public_id",
                            models.CharField(
                                default=replays.models.scope.new_public_id,
                                max_length=16,
                                unique=True,
                            ),
                        ),
                        ("name", models.CharField(max_length=100)),
                        ("date", models.DateField()),
                        ("key", models.CharField(max_length=120)),
                        ("ruleset", models.CharField(max_length=100)),
                        ("correction_minutes", models.PositiveSmallIntegerField(default=30)),
                        ("created_at", models.DateTimeField()),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="evenings",
                                to="replays.club",
                            ),
                        ),
                        (
                            "players",
                            models.ManyToManyField(
                                related_name="evenings",
                                through="replays.Entrant",
                                to="replays.player",
                            ),
                        ),
                        (
                            "referee",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["club", "-date", "-id"], name="evening_newest")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("club", "key"), name="evening_once_a_club"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ScoreSheet",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "public_id",
                            models.CharField(
                                default=replays.models.scope.new_public_id,
                                max_length=16,
                                unique=True,
                            ),
                        ),
                        ("file", models.CharField(max_length=255)),
                        ("body", models.BinaryField()),
                        ("received_at", models.DateTimeField()),
                        ("chosen", models.JSONField(default=dict)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sheets",
                                to="replays.club",
                            ),
                        ),
                        (
                            "upload",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="replays.upload",
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
                    options={
                        "indexes": [
                            models.Index(fields=["club", "received_at"], name="sheet_of_club")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ShadowPart",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("due", models.DateTimeField()),
                        ("lease", models.CharField(blank=True, max_length=32)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("failed", models.BooleanField(default=False)),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        ("number", models.PositiveIntegerField()),
                        ("body", models.BinaryField(default=b"")),
                        ("stored", models.JSONField(default=list)),
                        ("found", models.JSONField(null=True)),
                        ("finished_at", models.DateTimeField(null=True)),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="parts",
                                to="replays.shadowrun",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("failed", False), ("finished_at", None)),
                                fields=["attempts", "due"],
                                name="shadow_due",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("run", "number"), name="shadow_part_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="UploadChunk",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("body", models.BinaryField()),
                        (
                            "upload",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="chunks",
                                to="replays.upload",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("upload", "number"), name="chunk_once_an_upload"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WebhookDelivery",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("due", models.DateTimeField()),
                        ("lease", models.CharField(blank=True, max_length=32)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("failed", models.BooleanField(default=False)),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        (
                            "public_id",
                            models.CharField(
                                default=replays.models.scope.new_public_id,
                                max_length=16,
                                unique=True,
                            ),
                        ),
                        ("event", models.CharField(max_length=20)),
                        ("body", models.BinaryField()),
                        ("made_at", models.DateTimeField()),
                        ("delivered_at", models.DateTimeField(null=True)),
                        (
                            "endpoint",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deliveries",
                                to="replays.webhookendpoint",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("delivered_at", None), ("failed", False)),
                                fields=["endpoint", "due"],
                                name="webhook_due",
                            ),
                            models.Index(fields=["endpoint", "-id"], name="webhook_newest"),
                            models.Index(fields=["made_at"], name="webhook_oldest"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Entrant",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="replays.player",
                            ),
                        ),
                        (
                            "evening",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entrants",
                                to="replays.evening",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("evening", "player"), name="entrant_once_an_evening"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Table",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "public_id",
                            models.CharField(
                                default=replays.models.scope.new_public_id,
                                max_length=16,
                                unique=True,
                            ),
                        ),
                        ("name", models.CharField(max_length=40)),
                        (
                            "evening",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="tables",
                                to="replays.evening",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("evening", "name"), name="table_once_an_evening"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WebhookAttempt",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("milliseconds", models.PositiveIntegerField()),
                        ("status", models.PositiveSmallIntegerField(null=True)),
                        ("why", models.CharField(blank=True, max_length=200)),
                        (
                            "delivery",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="tries",
                                to="replays.webhookdelivery",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="TableMatch",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("name", models.CharField(max_length=60)),
                        ("format", models.CharField(max_length=20)),
                        ("entry_fee", models.PositiveIntegerField(null=True)),
                        ("point_value", models.PositiveIntegerField(null=True)),
                        ("fee", models.PositiveIntegerField(null=True)),
                        ("started_at", models.DateTimeField()),
                        ("locked_at", models.DateTimeField(null=True)),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="matches",
                                to="replays.table",
                            ),
                        ),
                        (
                            "upload",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="replays.upload",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("table", "number"), name="match_once_a_table"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TableSeat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("seat", models.PositiveSmallIntegerField()),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="seats",
                                to="replays.tablematch",
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
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("match", "seat"), name="table_seat_once"
                            ),
                            models.UniqueConstraint(
                                fields=("match", "player"), name="table_player_once"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Audit",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("version", models.PositiveIntegerField()),
                        ("head", models.CharField(max_length=64)),
                        ("engine", models.CharField(max_length=32)),
                        ("ruleset", models.CharField(max_length=500)),
                        ("ruleset_digest", models.CharField(max_length=64)),
                        ("verdict", models.CharField(max_length=10)),
                        ("report", models.BinaryField()),
                        ("report_digest", models.CharField(max_length=64)),
                        ("made_at", models.DateTimeField()),
                        (
                            "log",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="audits",
                                to="replays.handlog",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("log", "version", "engine", "ruleset_digest"),
                                name="audit_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AuditJob",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("due", models.DateTimeField()),
                        ("lease", models.CharField(blank=True, max_length=32)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("failed", models.BooleanField(default=False)),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        (
                            "log",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="job",
                                to="replays.handlog",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("failed", False)),
                                fields=["attempts", "due"],
                                name="audit_due",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Case",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
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
                    options={
                        "indexes": [
                            models.Index(fields=["club", "state", "due_at"], name="case_queue"),
                            models.Index(fields=["state", "due_at"], name="case_due"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("club", "number"), name="case_once_a_number"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(
                                    ("state__in", ("open", "assigned", "decided", "appealed"))
                                ),
                                fields=("log", "seq", "kind"),
                                name="case_once_a_place",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CaseEvent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
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
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("case", "number"), name="case_event_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CaseText",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
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
                    name="DealEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("place", models.PositiveSmallIntegerField()),
                        ("number", models.PositiveSmallIntegerField()),
                        ("key", models.CharField(max_length=64)),
                        ("entered_at", models.DateTimeField()),
                        ("device", models.CharField(blank=True, max_length=32)),
                        ("taken_back", models.BooleanField(default=False)),
                        ("confirmed_version", models.PositiveIntegerField(default=0)),
                        ("confirmed_at", models.DateTimeField(null=True)),
                        ("confirmed_seat", models.PositiveSmallIntegerField(default=0)),
                        (
                            "log",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="replays.handlog",
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
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="deals",
                                to="replays.tablematch",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("match", "key"), name="deal_sent_once"),
                            models.UniqueConstraint(
                                fields=("match", "place"), name="deal_place_once"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("taken_back", False)),
                                fields=("match", "number"),
                                name="deal_number_once",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Decision",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
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
                    options={
                        "indexes": [
                            models.Index(
                                fields=["club", "code", "-number"], name="decision_by_code"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("club", "number"), name="decision_once_a_number"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Evidence",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
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
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("case", "digest"), name="evidence_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="FeedEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("version", models.PositiveIntegerField()),
                        ("verdict", models.CharField(max_length=10)),
                        ("open", models.BooleanField()),
                        ("errors", models.PositiveIntegerField(default=0)),
                        ("breaches", models.PositiveIntegerField(default=0)),
                        ("notes", models.PositiveIntegerField(default=0)),
                        ("at", models.DateTimeField()),
                        (
                            "audit",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="replays.audit",
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="replays.club",
                            ),
                        ),
                        (
                            "log",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="verdicts",
                                to="replays.handlog",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["club", "id"], name="feed_of_club")],
                    },
                ),
                migrations.CreateModel(
                    name="FindingRow",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("code", models.CharField(max_length=60)),
                        ("category", models.CharField(max_length=20)),
                        ("severity", models.CharField(max_length=10)),
                        ("handled", models.BooleanField(default=False)),
                        ("seq", models.PositiveIntegerField()),
                        ("seat", models.PositiveSmallIntegerField(null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="replays.club",
                            ),
                        ),
                        (
                            "log",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="findings",
                                to="replays.handlog",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["club", "code", "-log"], name="finding_by_code")
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("log", "number"), name="finding_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="FreeText",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("body", models.BinaryField()),
                        (
                            "batch",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="free_text",
                                to="replays.logbatch",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="HandKey",
                    fields=[
                        (
                            "identity",
                            models.BinaryField(max_length=32, primary_key=True, serialize=False),
                        ),
                        (
                            "log",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="replays.handlog",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="HandLog",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "public_id",
                            models.CharField(
                                default=replays.models.scope.new_public_id,
                                max_length=16,
                                unique=True,
                            ),
                        ),
                        ("identity", models.BinaryField(max_length=32)),
                        ("source", models.CharField(blank=True, max_length=500)),
                        ("event", models.CharField(blank=True, max_length=500)),
                        ("name", models.CharField(max_length=500)),
                        ("ruleset", models.CharField(max_length=500)),
                        ("detail", models.CharField(max_length=10)),
                        ("match", models.CharField(blank=True, max_length=500)),
                        ("deal", models.BigIntegerField(null=True)),
                        ("table", models.CharField(blank=True, max_length=500)),
                        ("ingested_at", models.DateTimeField()),
                        ("version", models.PositiveIntegerField(default=1)),
                        ("seq", models.PositiveIntegerField()),
                        ("line_count", models.PositiveIntegerField()),
                        ("ended_after", models.PositiveIntegerField(null=True)),
                        ("chain", models.BinaryField(max_length=32)),
                        ("head", models.CharField(max_length=64)),
                        ("core_digest", models.CharField(max_length=64)),
                        (
                            "verdict",
                            models.CharField(
                                choices=[
                                    ("waiting", "waiting"),
                                    ("clean", "clean"),
                                    ("flagged", "flagged"),
                                    ("irregular", "irregular"),
                                    ("unfinished", "unfinished"),
                                    ("impossible", "impossible"),
                                    ("unreadable", "unreadable"),
                                    ("failed", "could not be judged"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("audited_version", models.PositiveIntegerField(default=0)),
                        ("errors", models.PositiveIntegerField(default=0)),
                        ("breaches", models.PositiveIntegerField(default=0)),
                        ("notes", models.PositiveIntegerField(default=0)),
                        (
                            "audit",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="replays.audit",
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="hands",
                                to="replays.club",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["club", "-id"], name="hand_newest"),
                            models.Index(fields=["club", "verdict", "-id"], name="hand_by_verdict"),
                            models.Index(
                                condition=models.Q(("match", ""), _negated=True),
                                fields=["club", "match", "deal"],
                                name="hand_of_match",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LogBatch",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("first_line", models.PositiveIntegerField()),
                        ("first_seq", models.PositiveIntegerField()),
                        ("last_seq", models.PositiveIntegerField()),
                        ("body", models.BinaryField()),
                        ("chain", models.BinaryField(max_length=32)),
                        ("received_at", models.DateTimeField()),
                        (
                            "log",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="batches",
                                to="replays.handlog",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("log", "first_line"), name="batch_once_a_place"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MatchFinding",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("code", models.CharField(max_length=60)),
                        ("category", models.CharField(max_length=20)),
                        ("severity", models.CharField(max_length=10)),
                        ("handled", models.BooleanField(default=False)),
                        ("seq", models.PositiveIntegerField()),
                        ("seat", models.PositiveSmallIntegerField(null=True)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="replays.club",
                            ),
                        ),
                        (
                            "log",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="match_findings",
                                to="replays.handlog",
                            ),
                        ),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="findings",
                                to="replays.matchrow",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                fields=["club", "code", "-log"], name="match_finding_by_code"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("match", "number"), name="match_finding_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MatchRow",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("due", models.DateTimeField()),
                        ("lease", models.CharField(blank=True, max_length=32)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("failed", models.BooleanField(default=False)),
                        ("reason", models.CharField(blank=True, max_length=500)),
                        (
                            "public_id",
                            models.CharField(
                                default=replays.models.scope.new_public_id,
                                max_length=16,
                                unique=True,
                            ),
                        ),
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
                        (
                            "verdict",
                            models.CharField(
                                choices=[
                                    ("waiting", "waiting"),
                                    ("clean", "clean"),
                                    ("flagged", "flagged"),
                                    ("irregular", "irregular"),
                                    ("failed", "could not be judged"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("deal_count", models.PositiveIntegerField(default=0)),
                        ("winner", models.PositiveSmallIntegerField(null=True)),
                        ("errors", models.PositiveIntegerField(default=0)),
                        ("breaches", models.PositiveIntegerField(default=0)),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="matches",
                                to="replays.club",
                            ),
                        ),
                        (
                            "last_log",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="replays.handlog",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["club", "-id"], name="match_newest"),
                            models.Index(
                                fields=["club", "verdict", "-id"], name="match_by_verdict"
                            ),
                            models.Index(fields=["club", "event"], name="match_of_event"),
                            models.Index(
                                condition=models.Q(
                                    ("failed", False), ("version__gt", models.F("audited_version"))
                                ),
                                fields=["attempts", "due"],
                                name="match_due",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MatchSeat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("seat", models.PositiveSmallIntegerField()),
                        ("total", models.BigIntegerField(null=True)),
                        ("points", models.BigIntegerField()),
                        ("deal_count", models.PositiveIntegerField()),
                        ("deals_won", models.PositiveIntegerField()),
                        ("won", models.BooleanField()),
                        (
                            "match",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="seats",
                                to="replays.matchrow",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("match", "seat"), name="match_seat_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Outcome",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("created", "new"),
                                    ("appended", "continued"),
                                    ("duplicate", "already here"),
                                    ("conflict", "differs from the stored hand"),
                                    ("rejected", "could not be read"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("name", models.CharField(blank=True, max_length=500)),
                        ("line", models.PositiveIntegerField(default=0)),
                        ("column", models.PositiveIntegerField(default=0)),
                        ("found", models.TextField(blank=True)),
                        ("expected", models.TextField(blank=True)),
                        ("raw", models.BinaryField(null=True)),
                        (
                            "log",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="replays.handlog",
                            ),
                        ),
                        (
                            "upload",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="outcomes",
                                to="replays.upload",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                fields=["upload", "kind", "number"], name="outcome_by_kind"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("upload", "number"), name="outcome_once_a_hand"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Party",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
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
                    options={
                        "indexes": [models.Index(fields=["user", "case"], name="party_of_user")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("seat__isnull", False)),
                                fields=("case", "seat"),
                                name="party_once_a_seat",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Seat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("seat", models.PositiveSmallIntegerField()),
                        ("name", models.CharField(blank=True, max_length=500)),
                        ("ref", models.CharField(blank=True, max_length=500)),
                        (
                            "log",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="seats",
                                to="replays.handlog",
                            ),
                        ),
                        (
                            "player",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="seats",
                                to="replays.player",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("log", "seat"), name="seat_once_a_hand")
                        ],
                    },
                ),
            ]
        )
    ]
