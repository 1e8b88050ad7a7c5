"""Starts the program on a free port of this machine, and speaks to it as a browser does."""

import http.client
import json
import os
import re
import subprocess
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, ".build", "release", "vestibule")
PASSWORD = "walk-right-in-42"


class Program:
    """A running program; leaving the `with` ends it."""

    def __init__(self, path, *options):
        command = [path, "--port", "0", "--log-level", "error", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            self.process.kill()
            raise SystemExit(f"{' '.join(command)}: {line or 'no address was printed'}")
        self.port = int(found[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)

    def megabytes(self):
        """What the process holds of the machine's memory."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    def processor_seconds(self):
        """What the process has had of the processors: what else the machine does hardly counts."""
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{task}/schedstat") as times:
                total += int(times.read().split()[0])
        return total / 1e9

    def backstage(self, method, path, body=None, world=None):
        """The status and the bytes that one of backstage's calls is answered."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        headers = {"Host": self.host(world), "X-Vestibule-Backstage": "1"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, f"/backstage/api/{path}", body, headers)
        response = connection.getresponse()
        answer = response.status, response.read()
        connection.close()
        return answer

    def add_user(self, user, world=None):
        status, body = self.backstage("POST", "users", json.dumps(user), world)
        if status != 200:
            raise SystemExit(f"an account was refused: {body.decode()}")

    def host(self, world=None):
        return f"{world + '.' if world else ''}localhost:{self.port}"


class Browser:
    """A kept connection with its cookies."""

    def __init__(self, program, world=None, accept="application/json"):
        self.connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=60)
        self.headers = {"Host": program.host(world), "Accept": accept}
        self.cookies = {}
        self.count = 0
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
