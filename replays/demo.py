"""The example hands: the rulebooks' own, right and wrong, loaded once."""

from importlib import resources

from replays import running
from replays.models import Upload, default_club

_SOURCE = "demo"


def load() -> int:
    """Load and judge the example hands, here and now; return how many were judged."""
    club = default_club()
    files = sorted(
        (file for file in resources.files("replays").joinpath("demo_hands").iterdir()),
        key=lambda file: file.name,
    )
    known = set(Upload.objects.filter(club=club, source=_SOURCE).values_list("file", flat=True))
    fresh = [file for file in files if file.name not in known]
    if not fresh:
        return 0
    from replays import uploads  # noqa: PLC0415 - the engine takes its time to load

    for file in fresh:
        with file.open("rb") as content:
            uploads.receive(content, club=club, file=file.name, source=_SOURCE)
    return running.work_off()
