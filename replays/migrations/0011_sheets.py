"""Score sheets that somebody looks at before they become hands."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import replays.models.scope


class Migration(migrations.Migration):
    dependencies = [
        ("replays", "0010_evenings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ScoreSheet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.CharField(default=replays.models.scope.new_public_id, max_length=16, unique=True)),
                ("file", models.CharField(max_length=255)),
                ("body", models.BinaryField()),
                ("received_at", models.DateTimeField()),
                ("chosen", models.JSONField(default=dict)),
                ("club", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="sheets", to="replays.club")),
                ("upload", models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="replays.upload")),
                ("user", models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddIndex(
            model_name="scoresheet",
            index=models.Index(fields=["club", "received_at"], name="sheet_of_club"),
        ),
    ]
