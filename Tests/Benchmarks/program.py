"""The program under test, on a free port of this machine, and a browser that speaks to it."""

import http.client
import json
import os
import re
import subprocess
import time
import urllib.parse

from subjects import MAIN, Subject

# An absolute path, since some are started in another folder.
PROGRAM = os.path.abspath(os.environ.get("VESTIBULE_PROGRAM") or MAIN / ".build/release/vestibule")
PASSWORD = "walk-right-in-42"


# The program's variables are options, and the tests' own would be refused as unknown ones.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("VESTIBULE_")}


class Program(Subject):
    """A running program, as soon as it says that it listens."""

    def __init__(self, path, *options, environment=None, errors=None, under=()):
        command = [*under, path, "serve", "--port", "0", "--log-level", "critical", *options]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment or ENVIRONMENT
        )
        super().__init__("vestibule", process, 0)
        self.port = self.next_port()

    def next_port(self):
        """The port in the next line that it prints: of the pages, then of the emulator."""
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            self.process.kill()
            raise SystemExit(f"{' '.join(self.process.args)}: {line or 'no address was printed'}")
        return int(found[1])

    def backstage(self, method, path, body=None, world=None):
        """The status and the bytes of the answer to one of backstage's calls."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        headers = {"Host": self.of_world(world), "X-Vestibule-Backstage": "1"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, f"/backstage/api/{path}", body, headers)
        response = connection.getresponse()
        answer = response.status, response.read()
        connection.close()
        return answer

    def descriptors(self):
        """How many files, sockets too, the process has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def settled_descriptors(self, expected=None, seconds=10):
        """The same, once it is as many as expected, or has stopped changing: a connection that was closed here is
        noticed there a moment later."""
        before, end = self.descriptors(), time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.5)
            now = self.descriptors()
            if now == expected or expected is None and now == before:
                return now
            before = now
        return before

    def add_user(self, user, world=None):
        status, body = self.backstage("POST", "users", json.dumps(user), world)
        if status != 200:
            raise SystemExit(f"an account was refused: {user}: {body.decode()}")


class Browser:
    """A kept connection with its cookies."""

    def __init__(self, subject, world=None, accept="application/json", language="en"):
        self.connection = http.client.HTTPConnection("127.0.0.1", subject.port, timeout=60)
        self.headers = {"Host": subject.of_world(world), "Accept": accept, "Accept-Language": language}
        self.cookies = {}
        self.count = 0
        # How many answers were the program's own fault.
        self.faults = 0
        self.body = b""

    def open(self, path, form=None):
        """Asks for a page, or sends a form, and goes where the answer leads; returns the status."""
        while True:
            headers = dict(self.headers)
            if self.cookies:
                headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            if form is not None:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
                form = urllib.parse.urlencode(form)
            self.connection.request("GET" if form is None else "POST", path, form, headers)
            response = self.connection.getresponse()
            self.body = response.read()
            self.count += 1
            self.faults += response.status >= 500
            for line in response.headers.get_all("Set-Cookie") or []:
                name, _, value = line.split(";")[0].partition("=")
                if "Max-Age=0" in line:
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = value
            if response.status != 303:
                return response.status
            path, form = response.headers["Location"], None

    def submit(self, fields=None, action=None):
        """Sends the page's form of that action, or its first one."""
        found, token = self.form(action)
        return self.open(found, {"form_token": token, **(fields or {})})

    def form(self, action):
        if self.headers["Accept"] == "application/json":
            forms = [(form["action"], form["token"]) for form in json.loads(self.body)["forms"]]
        else:
            forms = re.findall(
                r'<form[^>]* action="([^"]*)".*?name="form_token" value="([^"]*)"', self.body.decode(), re.DOTALL
            )
        return next(form for form in forms if action in (None, form[0]))

    def sign_in(self, identifier, password=PASSWORD):
        self.cookies.clear()
        self.open("/sign-in")
        return self.submit({"identifier": identifier, "password": password})
