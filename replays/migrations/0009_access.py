from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0008_processes'),
    ]

    operations = [
        migrations.CreateModel(
            name='Throttle',
            fields=[
                ('name', models.CharField(max_length=80, primary_key=True, serialize=False)),
                ('until', models.FloatField(default=0)),
            ],
        ),
        migrations.AddField(
            model_name='club',
            name='opens_hands',
            field=models.BooleanField(default=False),
        ),
    ]
