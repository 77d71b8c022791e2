"""Requests in logs: named by their route, for an address may hold the token of a link."""

import logging


class ByRoute(logging.Filter):
    """Names the route in what Django says of a request, and lets go of the request itself.

    ::

        Bad Request: /join/K_D60Xy4p04VnWW4yZN13Bi4     Bad Request: join/<str:token>
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Put the route in the place of the address; let every record through."""
        # What is written of a request shows its address too.
        request = record.__dict__.pop("request", None)
        if request is None or not isinstance(record.args, tuple):
            return True
        match = getattr(request, "resolver_match", None)
        route = match.route if match else "an unknown address"
        path = request.path
        told = (path, path.encode("unicode_escape").decode("ascii"))
        record.args = tuple(route if each in told else each for each in record.args)
        return True
