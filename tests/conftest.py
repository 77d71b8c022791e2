"""What every test can ask for: the real services."""

pytest_plugins = [
    "tests.services.browser",
    "tests.services.postgres",
    "tests.services.rabbitmq",
    "tests.services.valkey",
]
