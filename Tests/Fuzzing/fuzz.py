#!/usr/bin/env python3
"""Sends the program what nobody sensible sends, and looks that it neither ends nor answers with a fault of its own.

Worlds to import, header fields, cookies, trace ids and clocks, each changed at random from something good, for some
seconds each. A seed makes a run repeatable. What was found stands as a case in the tests of its room; this finds more.
"""

import argparse
import json
import os
import random
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Benchmarks"))
from program import PROGRAM, Browser, Program  # noqa: E402

NUMBERS = (0, -1, 1, 2**31, 2**53, 2**63 - 1, -(2**63), 10**30, 1e300, -1e300, 0.5, 253402300799999, -62135596800000)
TEXTS = ("", "\x00", "\ud800", "a" * 5000, "null", "{}", "[]", "%", "%00", "é", "\u202e", "../..", "'", '"', "\\u0000")
OTHERS = (None, True, False, [], {}, [[]], {"": None})


def value(chance):
    return chance.choice((chance.choice(NUMBERS), chance.choice(TEXTS), chance.choice(OTHERS)))


def changed(document, chance):
    """The same JSON with one thing in it changed, wherever it lies."""
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
    """The same bytes with a few of them changed, gone or twice there."""
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
        # Whatever was taken has to work.
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


HEAD = (
    b"POST /sign-in?a=%20 HTTP/1.1\r\nHost: localhost:PORT\r\nOrigin: http://localhost:PORT\r\nAccept: text/html;q=0.5\r\n"
    b"Accept-Language: en-GB, de;q=0.3\r\nCookie: a=b; timezone=Europe/Berlin\r\nX-Vestibule-World: team\r\n"
    b"Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\nContent-Length: 25\r\n\r\nform_token=x&identifier=y"
)


def headers(program, chance, _):
    head = scrambled(HEAD.replace(b"PORT", str(program.port).encode()), chance)
    with socket.create_connection(("127.0.0.1", program.port), timeout=0.5) as connection:
        connection.sendall(head)
        connection.shutdown(socket.SHUT_WR)
        try:
            answer = connection.recv(200)
        except (TimeoutError, ConnectionError):
            return
    if answer[9:12].isdigit():
        yield int(answer[9:12]), answer


KINDS = (imports, headers, cookies, traces, clocks)


def run(kind, path, api, seconds, seed):
    """Says what one kind has brought about; the program is started anew for it."""
    chance, statuses, found = random.Random(seed), {}, []
    with Program(path, "--in-memory", "--api", api) as program:
        Browser(program).sign_in("ezra@example.com")
        world = json.loads(program.backstage("GET", "export")[1])
        end = time.monotonic() + seconds
        while time.monotonic() < end and program.process.poll() is None:
            try:
                for status, body in kind(program, chance, world):
                    statuses[status] = statuses.get(status, 0) + 1
                    # Said of what is not emulated, of a world that cannot be had, and of another HTTP.
                    if status >= 500 and status not in (501, 503, 505):
                        found.append(f"{status} {body[:300]!r}")
            except (ConnectionError, TimeoutError):
                time.sleep(0.2)
        if program.process.poll() is not None:
            found.append(f"the program ended with {program.process.returncode}")
    print(f"{kind.__name__:<8} {api:<6} seed {seed}: {dict(sorted(statuses.items()))}", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--api", choices=("clerk", "entra"), default="clerk")
    parser.add_argument("--seconds", type=float, default=60, help="for each kind")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--only", choices=[kind.__name__ for kind in KINDS])
    arguments = parser.parse_args()
    found = []
    for kind in KINDS:
        if arguments.only in (None, kind.__name__):
            found += run(kind, arguments.program, arguments.api, arguments.seconds, arguments.seed)
    for line in sorted(set(found)):
        print(line)
    raise SystemExit(1 if found else 0)


if __name__ == "__main__":
    main()
