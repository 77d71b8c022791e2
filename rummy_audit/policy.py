"""The content security policy, which is the same for nearly every answer: worded once."""

from csp.constants import HEADER
from csp.middleware import CSPMiddleware, PolicyParts
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import cached_property

_OF_THE_SETTINGS = PolicyParts()


class ContentPolicy(CSPMiddleware):
    """Middleware: as django-csp's own, which words the policy anew for every answer."""

    @cached_property
    def _usual(self) -> str:
        return build_policy()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Put the policy of the settings on an answer that asks for no other."""
        parts = self.get_policy_parts(request, response)
        exempt = getattr(response, "_csp_exempt", False)
        if parts != _OF_THE_SETTINGS or exempt or settings.DEBUG:
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, self._usual)
        return response
