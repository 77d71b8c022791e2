from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0007_matches")]

    operations = [
        migrations.CreateModel(
            name="ProcessBeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
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
                    models.UniqueConstraint(fields=("host", "pid", "started_at"), name="beat_once")
                ],
            },
        ),
    ]
