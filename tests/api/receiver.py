"""A receiver of webhooks on this machine, for tests: answers as it is told and keeps what came."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(ThreadingHTTPServer):
    """`answers` are (status, headers) for the next requests; the last one goes on.

    `meanwhile` is called while somebody waits for an answer.
    """

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Taking)
        self.answers = [(204, {})]
        self.got = []
        self.came = threading.Condition()
        self.meanwhile = lambda: None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/hooks"

    def wait_for(self, count, *, seconds=10):
        with self.came:
            return self.came.wait_for(lambda: len(self.got) >= count, timeout=seconds)


class _Taking(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        # Kept before it is answered: whoever has the answer finds it here.
        with self.server.came:
            answers = self.server.answers
            status, headers = answers.pop(0) if len(answers) > 1 else answers[0]
            self.server.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
            self.server.came.notify_all()
        self.server.meanwhile()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_about):
        pass


@contextmanager
def receiver():
    """A receiver that listens until the end of the block."""
    one = Receiver()
    thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield one
    finally:
        one.shutdown()
        one.server_close()
        thread.join()
