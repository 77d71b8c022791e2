"""Signing in to the demo club of a running service, as a browser does it."""

import re
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar


def sign_in(address, role="scorekeeper"):
    """Sign in with the one click that the first page offers; gives the opener and its cookies."""
    cookies = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    with opener.open(address, timeout=10) as answer:
        page = answer.read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    fields = urllib.parse.urlencode({"csrfmiddlewaretoken": token, "role": role}).encode()
    with opener.open(urllib.parse.urljoin(address, "/demo/sign-in"), fields, timeout=10) as answer:
        assert "Sign out" in answer.read().decode()
    return opener, cookies
