from django.db import migrations, models


def of_members(apps, _editor):
    """So far only owners could make endpoints on pages; what keys made sees less from now on."""
    endpoints = apps.get_model("replays", "WebhookEndpoint")
    endpoints.objects.filter(created_by__isnull=False).update(reveals=True)


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0013_privacy'),
    ]

    operations = [
        migrations.AddField(
            model_name='webhookendpoint',
            name='reveals',
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(of_members, migrations.RunPython.noop),
    ]
