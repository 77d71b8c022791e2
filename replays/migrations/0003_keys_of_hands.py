"""The identity of a hand goes into a table of its own, which holds it unique."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0002_people")]

    operations = [
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
        migrations.RunSQL(
            "INSERT INTO replays_handkey (identity, log_id) "
            "SELECT identity, id FROM replays_handlog",
            "DELETE FROM replays_handkey",
        ),
        migrations.AlterField(
            model_name="handlog",
            name="identity",
            field=models.BinaryField(max_length=32),
        ),
    ]
