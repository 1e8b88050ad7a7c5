#!/usr/bin/env python3
"""Sends the program what no sensible client sends, and checks that it neither ends nor fails by itself (S35).

    make fuzz                                                  a minute of each kind, 100,000 posts, both APIs
    python3 -B Tests/Fuzzing/fuzz.py --small --program P       half a minute in all, as CI has it

Worlds to import, heads of requests (hosts, forwarded and other fields, framing), posted forms, return addresses,
sealed cookies, answers of the auth API (JSON and Retry-After), trace ids, clocks, and the files of the configuration:
each is something good that was changed at random, and most come from `corpus`. The answers are checked: no 5xx except
those that are meant, no markup from a text, no redirect except to a listed origin. A seed makes a run repeatable. The
program may be one that is built with `--sanitize=address`. Add what was found as a case to the tests of its room, and
to the corpus if it is of a new kind; this finds more.
"""

import argparse
import http.client
import http.server
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Benchmarks"))
from program import ENVIRONMENT, PASSWORD, PROGRAM, Browser, Program  # noqa: E402

CORPUS = Path(__file__).resolve().parent / "corpus"
MAIN = CORPUS.parents[2]


def lines(name):
    return (CORPUS / name).read_text("utf-8").splitlines()


FORMS, REDIRECTS, PLANTED, WAITS = map(lines, ("forms.txt", "redirects.txt", "texts.txt", "retry-after.txt"))
HEADS = [path.read_bytes().replace(b"\n", b"\r\n") for path in sorted((CORPUS / "heads").iterdir())]

NUMBERS = (0, -1, 1, 2**31, 2**53, 2**63 - 1, -(2**63), 10**30, 1e300, -1e300, 0.5, 253402300799999, -62135596800000)
TEXTS = ("", "\x00", "\ud800", "a" * 5000, "null", "{}", "[]", "%", "%00", "é", "\u202e", "../..", "'", '"', "\\u0000")
TEXTS += tuple(PLANTED)
OTHERS = (None, True, False, [], {}, [[]], {"": None})


def value(chance):
    return chance.choice((chance.choice(NUMBERS), chance.choice(TEXTS), chance.choice(OTHERS)))


def changed(document, chance):
    """The same JSON with one thing changed somewhere in it."""
    if isinstance(document, dict) and document and chance.random() < 0.97:
        name = chance.choice(list(document))
        copy = dict(document)
        if chance.random() < 0.03:
            del copy[name]
        else:
            copy[name] = changed(document[name], chance)
        return copy
    if isinstance(document, list) and document and chance.random() < 0.95:
        copy = list(document)
        place = chance.randrange(len(copy))
        copy[place] = changed(copy[place], chance)
        return copy
    if isinstance(document, str) and document[:1] in ("{", "[") and chance.random() < 0.8:
        try:
            return json.dumps(changed(json.loads(document), chance))
        except ValueError:
            pass
    return value(chance)


def scrambled(data, chance):
    """The same bytes with a few of them changed, removed or doubled."""
    data = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(3):
            case 0:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[place : place + chance.randrange(1, 40)]
            case 2:
                data[place:place] = data[place : place + chance.randrange(1, 40)]
    return bytes(data)


def imports(program, chance, world):
    document = changed(world, chance)
    if chance.random() < 0.3:
        document = changed(document, chance)
    body = json.dumps(document).encode()
    if chance.random() < 0.2:
        body = scrambled(body, chance)
    status, answer = program.backstage("POST", "import", body)
    if status == 200:
        # Whatever was accepted must work.
        for path in ("users", "messages", "traces", "clock", "faults", "instance"):
            yield program.backstage("GET", path)
        browser = Browser(program)
        yield browser.sign_in("ada@example.com"), browser.body
        yield program.backstage("GET", "export")
        yield program.backstage("DELETE", "faults")
        yield program.backstage("PATCH", "instance", json.dumps(world["instance"]))
    yield status, answer


def traces(program, chance, world):
    number = chance.choice((*NUMBERS, chance.randrange(10**20)))
    trace = dict(chance.choice(world["traces"]), id=f"trace_{number}")
    yield program.backstage("POST", "import", json.dumps({**world, "traces": [changed(trace, chance), trace]}))
    yield program.backstage("GET", "traces")
    Browser(program).open("/sign-in")


def clocks(program, chance, _):
    change = {chance.choice(("advance_seconds", "set", "freeze", "reset", "offset_seconds")): value(chance)}
    yield program.backstage("POST", "clock", json.dumps(change))
    yield program.backstage("GET", "clock")
    browser = Browser(program)
    yield browser.sign_in("ada@example.com"), browser.body


def cookies(program, chance, _):
    browser = Browser(program)
    browser.sign_in("mia@example.com")
    for name, text in list(browser.cookies.items()):
        data = scrambled(text.encode(), chance).translate(None, b"\r\n;\x00")
        browser.cookies[name] = data.decode("latin-1")
        if chance.random() < 0.2:
            browser.cookies[f"{name}{chance.randrange(9)}"] = text
    for path in ("/sign-in", "/sign-in/second-factor", "/account"):
        yield browser.open(path), browser.body


def headers(program, chance, _):
    head = scrambled(chance.choice(HEADS).replace(b"PORT", str(program.port).encode()), chance)
    with socket.create_connection(("127.0.0.1", program.port), timeout=10) as connection:
        connection.sendall(head)
        connection.shutdown(socket.SHUT_WR)
        try:
            answer = connection.recv(200)
        except ConnectionError:
            return
    if answer[9:12].isdigit():
        yield int(answer[9:12]), answer


class Planted(HTMLParser):
    """Whether a text has become an element or an attribute."""

    found = False

    def handle_starttag(self, _, attributes):
        self.found = self.found or ("id", "planted") in attributes

    @classmethod
    def is_in(cls, page):
        # Most pages do not have the word, and need no parser; JSON and downloads are not markup.
        if b"planted" not in page or page[:9].lower() != b"<!doctype":
            return False
        parser = cls()
        parser.feed(page.decode("utf-8", "replace"))
        return parser.found


ACTIONS = (
    "/sign-in", "/sign-in/password", "/sign-in/code", "/sign-in/second-factor", "/sign-in/device", "/sign-up", "/sign-up/verify",
    "/sign-up/continue", "/forgot-password", "/forgot-password/code", "/forgot-password/new", "/account", "/sign-out",
)


def posts(program, chance, _):
    """A page's own form, then many others with its cookie and, mostly, its token."""
    browser = Browser(program, accept="text/html")
    start = chance.choice(("/sign-in", "/sign-up", "/forgot-password"))
    browser.open(start)
    action, token = browser.form(start)
    headers = browser.headers | {"Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items())}
    for _ in range(100):
        form = scrambled(chance.choice(FORMS).encode(), chance)
        if chance.random() < 0.3:
            text = urllib.parse.quote(chance.choice(TEXTS).encode("utf-8", "surrogatepass"))
            form += f"&{chance.choice(('identifier', 'email_address', 'first_name', 'code'))}={text}".encode()
        form = f"form_token={token}&".encode() + form
        if chance.random() < 0.1:
            form = scrambled(form, chance)
        kind = "application/x-www-form-urlencoded"
        if chance.random() < 0.03:
            kind = scrambled(kind.encode(), chance).translate(None, b"\r\n\x00").decode("latin-1")
        path = action if chance.random() < 0.7 else chance.choice(ACTIONS)
        connection = browser.connection
        connection.request("POST", path, form, headers | {"Content-Type": kind})
        response = connection.getresponse()
        yield response.status, response.read()


def redirects(program, chance, _):
    """A return address, and where a sign-in with it leads."""
    address = chance.choice(REDIRECTS)
    if chance.random() < 0.8:
        address = scrambled(address.encode(), chance)
    browser = Browser(program, accept="text/html")
    yield browser.open(f"/sign-in?redirect_url={urllib.parse.quote(address)}"), browser.body
    action, token = browser.form("/sign-in")
    headers = browser.headers | {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items()),
    }
    form = {"form_token": token, "identifier": "ada@example.com", "password": PASSWORD}
    browser.connection.request("POST", action, urllib.parse.urlencode(form), headers)
    response = browser.connection.getresponse()
    page, location = response.read(), response.headers["Location"] or ""
    yield response.status, page
    # As a browser reads it: `\\` is `/`, and tabs and line breaks are dropped.
    seen = re.sub(r"[\t\r\n]", "", location).replace("\\", "/")
    if response.status == 303 and not re.match(r"/(?!/)|https://app\.example\.com(:443)?([/?#]|$)", seen, re.IGNORECASE):
        yield 599, f"{address!r} leads to {location}".encode()


class AuthAPI:
    """A relay in front of the emulated auth API that changes some of its answers."""

    def __init__(self, port, seed):
        chance, lock = random.Random(seed), threading.Lock()

        class Relay(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body in one piece: the kernel would hold back the second.
            wbufsize = -1

            def log_message(self, *_):
                pass

            def relay(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                emulator = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                kept = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
                emulator.request(self.command, self.path, body or None, kept | {"Host": f"127.0.0.1:{port}"})
                response = emulator.getresponse()
                status, answer = response.status, response.read()
                fields = [
                    pair for pair in response.getheaders()
                    if pair[0].lower() not in ("content-length", "transfer-encoding", "connection", "date")
                ]
                emulator.close()
                with lock:
                    status, answer, fields = self.otherwise(status, answer, fields)
                self.send_response_only(status)
                for name, value in fields:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(answer)

            def otherwise(self, status, answer, fields):
                if chance.random() < 0.5:
                    return status, answer, fields
                try:
                    answer = json.dumps(changed(json.loads(answer), chance)).encode()
                except ValueError:
                    pass
                if chance.random() < 0.1:
                    answer = scrambled(answer, chance)
                if chance.random() < 0.2:
                    status = chance.choice((200, 400, 401, 403, 404, 422, 429, 429, 500, 502, 503))
                    wait = chance.choice(WAITS)
                    if chance.random() < 0.5:
                        wait = scrambled(wait.encode(), chance).translate(None, b"\r\n\x00").decode("latin-1")
                    fields = [*fields, ("Retry-After", wait)]
                return status, answer, fields

            do_GET = do_POST = do_PATCH = do_DELETE = relay

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def upstream(program, chance, _):
    """Walks on through whatever page comes, while the auth API talks nonsense."""
    browser = Browser(program, accept="text/html")
    for path in ("/sign-in", "/sign-up", "/forgot-password"):
        yield browser.open(path), browser.body
        for _ in range(3):
            forms = re.findall(r'action="([^"]*)"', browser.body.decode())
            if not any(action in ACTIONS for action in forms):
                break
            fields = {
                "identifier": "ada@example.com", "password": PASSWORD, "code": "424242",
                "email_address": f"fuzz{chance.randrange(10**9)}@example.com",
            }
            try:
                yield browser.submit(fields), browser.body
            except StopIteration:
                break


def files(program, chance, world):
    """Settings, users, brands and keys that a start reads: accepted, or refused in one line."""
    folder = Path(program.folder)
    good = {
        "--brand": (MAIN / "templates/brands/zap/brand.json").read_bytes(),
        "--instance": json.dumps(world["instance"]).encode(),
        "--users": json.dumps([{"email_addresses": ["fuzz@example.com"], "password": PASSWORD}]).encode(),
        "--key-file": b"# first\n" + b"QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=\n" * 2,
    }
    option, data = chance.choice(list(good.items()))
    if option == "--key-file" or chance.random() < 0.3:
        data = scrambled(data, chance)
    else:
        data = json.dumps(changed(json.loads(data), chance)).encode()
    path = folder / "file"
    path.write_bytes(data)
    path.chmod(0o600)
    command = [program.path, "check", "--in-memory", option, str(path)]
    if option == "--key-file":
        command.remove("--in-memory")
    ran = subprocess.run(command, capture_output=True, env=ENVIRONMENT, cwd=folder, timeout=60)
    if ran.returncode < 0 or b"Sanitizer" in ran.stderr:
        yield 599, f"{option} {data!r}: ended with {ran.returncode}: {ran.stderr[-300:]}".encode()
    # Counted beside the statuses, and never judged.
    yield ran.returncode, b""


KINDS = (imports, headers, posts, redirects, cookies, upstream, traces, clocks, files)
OPTIONS = {
    headers: ("--trusted-proxy", "127.0.0.1"),
    redirects: ("--allow-redirect-origin", "https://app.example.com"),
}
APPLICATION = "5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911"
# What a page may answer while the auth API answers nonsense or reports a failure.
UPSTREAM = (502, 503, 504)
# How many inputs in a row may be hung up on: for some that is right, for all it is not.
IN_VAIN = 100


def real_service(path, api, emulator, seed):
    """The pages over an auth API that is not their own."""
    relay = AuthAPI(emulator, seed)
    if api == "clerk":
        return Program(path, "--frontend-api-url", f"http://127.0.0.1:{relay.port}", "--throttle", "off")
    tenant = f"http://127.0.0.1:{relay.port}/contoso.onmicrosoft.com"
    return Program(path, "--api", "entra", "--authority", tenant, "--client-id", APPLICATION, "--throttle", "off")


def run(kind, path, api, seconds, count, seed):
    """Runs one kind of input against a program started for it, and returns what was found."""
    chance, statuses, found = random.Random(seed), {}, []
    options = ["--in-memory", "--api", api, *OPTIONS.get(kind, ())]
    if kind is upstream:
        options += ["--emulator-port", "0"]
    with tempfile.TemporaryDirectory() as folder, Program(path, *options) as emulated:
        program = emulated
        if kind is upstream:
            program = real_service(path, api, emulated.next_port(), seed)
        program.path, program.folder = path, folder
        Browser(emulated).sign_in("ezra@example.com")
        world = json.loads(emulated.backstage("GET", "export")[1])
        begin, done, in_vain, meant = time.monotonic(), 0, 0, UPSTREAM if kind is upstream else (501, 503, 505)
        while program.process.poll() is None and (time.monotonic() < begin + seconds or done < count):
            try:
                for status, body in kind(program, chance, world):
                    done, in_vain = done + 1, 0
                    statuses[status] = statuses.get(status, 0) + 1
                    # These are meant: what is not emulated, a world that cannot be opened, another version of HTTP.
                    if status >= 500 and status not in meant:
                        found.append(f"{status} {body[:300]!r}")
                    if Planted.is_in(body):
                        found.append(f"a text has become markup: {body[:3000]!r}")
            except TimeoutError as error:
                # If one input waits, every one would, and for minutes.
                found.append(f"{kind.__name__}: no answer: {error}")
                break
            except (ConnectionError, http.client.HTTPException) as error:
                in_vain += 1
                if in_vain == IN_VAIN:
                    found.append(f"{kind.__name__}: {in_vain} inputs in a row were not answered: {error!r}")
                    break
                time.sleep(0.2)
        if not done:
            found.append(f"{kind.__name__}: nothing was answered")
        if program.process.poll() is not None:
            found.append(f"the program ended with {program.process.returncode}")
        program.stop()
    print(f"{kind.__name__:<9} {api:<6} seed {seed}: {done:>7} {dict(sorted(statuses.items()))}", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--api", choices=("clerk", "entra"), help="only this one")
    parser.add_argument("--small", action="store_true", help="a few seconds of each kind over Clerk's API")
    parser.add_argument("--seconds", type=float, help="for each kind")
    parser.add_argument("--posts", type=int, help="the least number of forms to post")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--only", choices=[kind.__name__ for kind in KINDS])
    arguments = parser.parse_args()
    seconds = arguments.seconds or (1.5 if arguments.small else 60)
    count = arguments.posts or (0 if arguments.small else 100_000)
    found = []
    for api in (arguments.api,) if arguments.api else ("clerk",) if arguments.small else ("clerk", "entra"):
        for kind in KINDS:
            if arguments.only in (None, kind.__name__):
                least = count if kind is posts else 0
                found += run(kind, arguments.program, api, seconds, least, arguments.seed)
    for line in sorted(set(found)):
        print(line)
    print(f"fuzz: seed {arguments.seed}, {len(set(found))} found: {'failed' if found else 'ok'}")
    raise SystemExit(1 if found else 0)


if __name__ == "__main__":
    main()
