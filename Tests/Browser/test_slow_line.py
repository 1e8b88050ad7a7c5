"""Pages that arrive over a slow line in two parts: they are drawn once, whole, so that nothing moves under a hand."""

import http.server
import threading
import urllib.request

import pytest

from conftest import WATCH_FOR_SHIFTS

# Long enough for a browser to draw what it has: some frames.
PAUSE = "() => new Promise(done => setTimeout(done, 120))"


class SlowLine(http.server.ThreadingHTTPServer):
    """Passes requests on to a program; the rest of the page that is cut waits until it is let through."""

    daemon_threads = True

    def __init__(self, port):
        super().__init__(("127.0.0.1", 0), Handler)
        self.program = f"http://localhost:{port}"
        self.page, self.cut = None, 0
        self.rest = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with urllib.request.urlopen(self.server.program + self.path) as answer:
            body = answer.read()
            self.send_response(answer.status)
            for name in ("Content-Type", "Cache-Control", "Content-Security-Policy"):
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.path == self.server.page:
            self.wfile.write(body[:self.server.cut])
            self.wfile.flush()
            self.server.rest.wait(10)
            body = body[self.server.cut:]
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def line(program):
    with SlowLine(program.port) as line:
        threading.Thread(target=line.serve_forever, daemon=True).start()
        yield line
        line.rest.set()
        line.shutdown()


@pytest.mark.parametrize("path", ["/backstage/atlas/sign-in/signed-out", "/backstage/settings"])
def test_a_page_that_comes_in_parts_is_drawn_whole(visit, line, path):
    tab = visit()
    tab.origin = f"http://localhost:{line.server_port}"
    tab.page.context.add_init_script(WATCH_FOR_SHIFTS)
    tab.page.goto(f"{tab.origin}{path}")
    with urllib.request.urlopen(line.program + path) as answer:
        page = answer.read()
    ends = [at + 1 for at, byte in enumerate(page) if byte == ord(">") and at > page.index(b"<body")]
    moved = []
    for cut in ends[::max(1, len(ends) // 24)]:
        line.page, line.cut = path, cut
        line.rest.clear()
        tab.page.goto(f"{tab.origin}{path}", wait_until="commit")
        tab.page.evaluate(PAUSE)
        line.rest.set()
        tab.page.wait_for_load_state()
        tab.wait_until_drawn()
        if shifts := tab.shifts():
            moved.append(f"behind {page[cut - 40:cut].decode(errors='replace')!r}: {shifts}")
    assert not moved, "\n" + "\n".join(moved)
