"""Scripts for what no journey reaches, played against `vestibule emulate` over HTTP."""

import http.client
import json
import os
import queue
import subprocess
import threading
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

import scripts

READY_SECONDS = 30
VERSION = "2026-05-12"


class Refused(Exception):
    """A script's step did not answer as it must for the script to go on."""


class Emulator:
    """A running `vestibule emulate` on a free port."""

    def __init__(self, program: Path):
        self.process = subprocess.Popen(
            [str(program), "emulate", "--port", "0", "--in-memory"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={name: value for name, value in os.environ.items()
                 if not name.startswith("VESTIBULE_")},
        )
        lines: queue.Queue = queue.Queue()
        threading.Thread(target=lambda: lines.put(self.process.stdout.readline()),
                         daemon=True).start()
        try:
            line = lines.get(timeout=READY_SECONDS)
        except queue.Empty:
            line = ""
        if not line:
            self.stop()
            said = self.process.stderr.read().strip()
            raise Refused(f"vestibule emulate did not become ready: {said}")
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        address = urlsplit(line.split(" ")[2])
        self.host, self.port = address.hostname, address.port
        self.records: list[dict] = []

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)

    def send(self, method, target, fields, body=""):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        try:
            connection.request(method, target, body=body.encode(), headers=fields)
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read().decode()
        finally:
            connection.close()


class World:
    """One world of the emulator, for one script."""

    def __init__(self, emulator: Emulator, name: str):
        self.emulator = emulator
        self.name = name

    def backstage(self, method, path, json_body=None):
        fields = {"X-Vestibule-Backstage": "1", "X-Vestibule-World": self.name}
        if json_body is not None:
            fields["Content-Type"] = "application/json"
        body = json.dumps(json_body) if json_body is not None else ""
        status, _, text = self.emulator.send(method, f"/backstage/api/{path}", fields, body)
        if status >= 300:
            raise Refused(f"backstage {method} {path}: {status} {text[:200]}")
        return json.loads(text) if text else None

    def settings(self, **changes):
        self.backstage("PATCH", "instance", changes)

    def advance(self, seconds):
        self.backstage("POST", "clock", {"advance_seconds": seconds})

    def message(self, to):
        return self.backstage("GET", f"messages/latest?wait=5&to={quote(to)}")

    def code(self, to):
        return self.message(to)["code"]

    def totp(self, identifier):
        user = self.backstage("GET", f"users?identifier={quote(identifier)}")[0]
        return self.backstage("GET", f"users/{user['id']}/totp")["code"]

    def native(self):
        return Client(self, {"_is_native": "1"})

    def browser(self, origin="http://localhost:3000"):
        return Browser(self, {"__clerk_api_version": VERSION}, origin)


class Answer:
    def __init__(self, status, headers, text):
        self.status = status
        self.headers = {name.lower(): value for name, value in headers}
        self.cookies = [value for name, value in headers if name.lower() == "set-cookie"]
        self.text = text

    @property
    def json(self):
        return json.loads(self.text)

    @property
    def resource(self):
        return self.json["response"]

    @property
    def code(self):
        return self.json["errors"][0]["code"]


class Client:
    """A native client: keeps the token that comes in the header `Authorization`."""

    def __init__(self, world, query):
        self.world = world
        self.query = query
        self.token = None
        self.session = None

    def fields(self):
        fields = {"Clerk-API-Version": VERSION, "X-Vestibule-World": self.world.name}
        if self.token:
            fields["Authorization"] = self.token
        return fields

    def call(self, method, path, expect=200, query=None, fields=None, **form):
        """One call under /v1; `expect` is the status, or several."""
        pairs = dict(self.query, **(query or {}))
        if path.startswith("me") or path.startswith("organizations"):
            if self.session:
                pairs["_clerk_session_id"] = self.session
        base = path if path.startswith("/") else f"/v1/{path}"
        target = base + (f"?{urlencode(pairs)}" if pairs else "")
        sent = {**self.fields(), **(fields or {})}
        body = urlencode(form, doseq=True)
        if form or method != "GET":
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
        status, headers, text = self.world.emulator.send(method, target, sent, body)
        self.world.emulator.records.append({
            "source": "script", "method": method, "target": target,
            "requestFields": [list(field) for field in sent.items()], "requestBody": body,
            "status": status, "responseFields": [list(field) for field in headers],
            "responseBody": text,
        })
        answer = Answer(status, headers, text)
        self.keep(answer)
        expected = expect if isinstance(expect, tuple) else (expect,)
        if status not in expected:
            raise Refused(f"{method} {path} answered {status}: {text[:300]}")
        return answer

    def keep(self, answer):
        if "authorization" in answer.headers:
            token = answer.headers["authorization"].strip()
            # A bare scheme says that the client is gone.
            self.token = None if token == "Bearer" else token

    def get(self, path, **rest):
        return self.call("GET", path, **rest)

    def post(self, path, **rest):
        return self.call("POST", path, **rest)

    def patch(self, path, **rest):
        return self.call("PATCH", path, **rest)

    def delete(self, path, **rest):
        return self.call("DELETE", path, **rest)

    def sign_in(self, identifier, password="walk-right-in-42"):
        answer = self.post("client/sign_ins", identifier=identifier, password=password)
        self.session = answer.resource["created_session_id"]
        return answer


class Browser(Client):
    """A page in a browser: cookies, `Origin`, `_method`, the development browser's token."""

    def __init__(self, world, query, origin):
        super().__init__(world, query)
        self.origin = origin
        self.cookies = {}

    def fields(self):
        fields = {"Origin": self.origin, "X-Vestibule-World": self.world.name}
        if self.cookies:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return fields

    def keep(self, answer):
        for cookie in answer.cookies:
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value

    def begin(self):
        token = self.post("dev_browser").json["id"]
        self.query["__clerk_db_jwt"] = token
        return self

    def patch(self, path, **rest):
        return self.call("POST", path, **{**rest, "query": {"_method": "PATCH"}})

    def delete(self, path, **rest):
        return self.call("POST", path, **{**rest, "query": {"_method": "DELETE"}})


def records(program: Path) -> tuple[list[dict], list[str]]:
    """What the scripts recorded, and which of them could not be played to the end."""
    emulator = Emulator(program)
    failures = []
    try:
        for script in scripts.ALL:
            name = script.__name__.replace("_", "-")
            try:
                script(World(emulator, name[:40]))
            except (Refused, KeyError, TypeError, ValueError, IndexError) as error:
                failures.append(f"script {script.__name__}: {type(error).__name__}: {error}")
    finally:
        emulator.stop()
    return emulator.records, failures
