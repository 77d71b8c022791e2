"""What every test can ask for: the real services."""

import gc

pytest_plugins = [
    "tests.services.browser",
    "tests.services.postgres",
    "tests.services.rabbitmq",
    "tests.services.valkey",
]

# Nothing of what is loaded and collected is garbage: to look through it again and again takes a
# tenth of the time of all tests.
gc.disable()


def pytest_addoption(parser, pluginmanager):
    # Format and rules are tested without Django, and pytest's settings are the same for all.
    if not pluginmanager.has_plugin("django"):
        parser.addini("DJANGO_SETTINGS_MODULE", "not asked for without Django")


def pytest_collection_finish():
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()
