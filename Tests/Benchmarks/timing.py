#!/usr/bin/env python3
"""Checks whether anybody can tell who has an account, from the answers or from how long they take (S19).

    make timing                                                    2,000 pairs of each, twenty minutes
    python3 -B Tests/Benchmarks/timing.py --small --program P      one pair of each, and no times, as CI does

With `enumeration_protection` on, somebody with an account and somebody without one, in turn and in random order, sign
in with a wrong password, sign up, and begin a reset; over worlds in memory and on disk. Status, header fields and body
must be the same except for tokens and times. By the times, Mann and Whitney's rank test must not tell one kind from the
other (p > 0.01, two-sided, by the normal approximation with ties), and the medians must lie within 3 ms. By chance, one
test in a hundred says otherwise: then it is repeated with as many pairs, and a real difference shows again. One line
for each sums it up; exits with 1 if anything is wrong.
"""

import argparse
import json
import math
import random
import re
import statistics
import sys
import tempfile
import time
import urllib.parse
from collections import Counter

from program import PASSWORD, PROGRAM, Browser, Program

# Equally long and with the same initial, which pages show, so that what was typed does not tell them apart.
KNOWN, UNKNOWN = "nancy@example.com", "nobod@example.com"
GAP_MS, LEAST_P = 3, 0.01
FLOWS = {
    "sign-in": ("/sign-in", {"password": "not-the-password-1"}, "identifier"),
    "sign-up": ("/sign-up", {"password": "a-long-one-of-ours-7"}, "email_address"),
    "reset": ("/forgot-password", {}, "identifier"),
}


def rank_test(left, right):
    """The two-sided p of Mann and Whitney's U, by the normal approximation with the correction for ties."""
    ranked = sorted([(value, 0) for value in left] + [(value, 1) for value in right])
    values = [value for value, _ in ranked]
    ties, ranks, place = Counter(values), {}, 0
    for value in sorted(ties):
        ranks[value] = place + (ties[value] + 1) / 2
        place += ties[value]
    m, n = len(left), len(right)
    if not values or values[0] == values[-1]:
        return 1.0
    u = sum(ranks[value] for value in left) - m * (m + 1) / 2
    total = m + n
    variance = m * n / 12 * (total + 1 - sum(t**3 - t for t in ties.values()) / (total * (total - 1)))
    z = max(0, abs(u - m * n / 2) - 0.5) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2))


def plain(text, identifier):
    """The answer without what differs in every answer."""
    text = text.replace(identifier, "IDENTIFIER").replace(urllib.parse.quote(identifier), "IDENTIFIER")
    text = text.replace(identifier.replace("@", "<wbr>@"), "IDENTIFIER")
    text = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z?", "TIME", text)
    text = re.sub(r"\d{1,2}:\d\d(:\d\d)?( [AP]M)?", "TIME", text)
    text = re.sub(r'("token":"|name="form_token" value=")[^"]*', r"\1TOKEN", text)
    text = re.sub(r'("reference":")[^"]*', r"\1REFERENCE", text)
    # The reference of a page, as `<code>` shows it, and the files' versions.
    return re.sub(r"\b[0-9a-z]{4}-[0-9a-z]{4}\b|\b[0-9a-f]{12,32}\b", "REFERENCE", text)


def shape(response, body, identifier):
    fields = sorted(
        (name.lower(), plain(value, identifier)) for name, value in response.getheaders() if name not in ("Date", "Set-Cookie")
    )
    # Sealed: only its length can be seen, which differs by what is random in it.
    cookies = [line.partition("=")[0] for line in response.headers.get_all("Set-Cookie") or []]
    return response.status, tuple(fields), tuple(cookies), plain(body.decode(), identifier)


class Trier:
    """Someone who tries both, on one connection."""

    def __init__(self, program, accept):
        self.browser = Browser(program, accept=accept)

    def attempt(self, flow, identifier):
        """Seconds for the form, the bytes of its cookies, and the shape of its answer and of the page after it."""
        path, fields, name = FLOWS[flow]
        browser = self.browser
        browser.cookies.clear()
        # Without the bar above the pages of an emulated API, which hides nothing.
        browser.open(f"{path}?present=off")
        action, token = browser.form(path)
        body = urllib.parse.urlencode({"form_token": token, name: identifier, **fields})
        headers = browser.headers | {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items()),
        }
        begin = time.perf_counter()
        browser.connection.request("POST", action, body, headers)
        response = browser.connection.getresponse()
        page = response.read()
        seconds = time.perf_counter() - begin
        seen = [shape(response, page, identifier)]
        sealed = sum(len(line) for line in response.headers.get_all("Set-Cookie") or [])
        if response.status == 303:
            for line in response.headers.get_all("Set-Cookie") or []:
                name, _, value = line.split(";")[0].partition("=")
                browser.cookies[name] = value
            status = browser.open(response.headers["Location"])
            seen.append((status, plain(browser.body.decode(), identifier)))
        return seconds, sealed, seen


def pairs(trier, flow, count, chance):
    """Milliseconds, sizes and shapes of both, in turn; a toss decides who comes first in each pair."""
    times, sizes, shapes = ({KNOWN: [], UNKNOWN: []} for _ in range(3))
    for _ in range(count):
        for identifier in chance.sample((KNOWN, UNKNOWN), 2):
            seconds, sealed, seen = trier.attempt(flow, identifier)
            times[identifier].append(seconds * 1000)
            sizes[identifier].append(sealed)
            if seen not in shapes[identifier]:
                shapes[identifier].append(seen)
    return times, sizes, shapes


def judge(program, storage, flow, arguments, failures):
    chance = random.Random(arguments.seed)
    for accept in ("text/html", "application/json"):
        _, _, shapes = pairs(Trier(program, accept), flow, 1 if arguments.small else 5, chance)
        # One shape for each kind, and both the same.
        if shapes[KNOWN] != shapes[UNKNOWN] or len(shapes[KNOWN]) != 1:
            failures.append(f"{flow}, {storage}, {accept}: the answers differ: {difference(shapes)}")
    if arguments.small:
        return f"{flow} {storage}: the same answers"
    trier = Trier(program, "application/json")
    pairs(trier, flow, 20, chance)
    for attempt in range(2):
        times, sizes, _ = pairs(trier, flow, arguments.pairs, chance)
        medians = {who: statistics.median(taken) for who, taken in times.items()}
        gap, p = medians[KNOWN] - medians[UNKNOWN], rank_test(times[KNOWN], times[UNKNOWN])
        size_p = rank_test(sizes[KNOWN], sizes[UNKNOWN])
        if min(p, size_p) > LEAST_P and abs(gap) <= GAP_MS:
            break
    if size_p <= LEAST_P:
        failures.append(f"{flow}, {storage}: the cookies' sizes tell them apart, p {size_p:.2g}")
    if p <= LEAST_P or abs(gap) > GAP_MS:
        failures.append(f"{flow}, {storage}: {gap:+.3f} ms, p {p:.2g}")
    again = "" if attempt == 0 else ", measured again"
    return f"{flow} {storage}: {medians[KNOWN]:.2f} ms, {gap:+.3f} ms, p {p:.3f}, sizes p {size_p:.3f}{again}"


def difference(shapes):
    texts = [json.dumps(shapes[who], default=str) for who in (KNOWN, UNKNOWN)]
    place = next((i for i, (a, b) in enumerate(zip(*texts)) if a != b), min(map(len, texts)))
    return [text[max(0, place - 80) : place + 120] for text in texts]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--small", action="store_true", help="one pair of each, and no times")
    parser.add_argument("--pairs", type=int, default=2_000)
    parser.add_argument("--storage", choices=("memory", "disk"), help="only this one")
    parser.add_argument("--only", choices=FLOWS)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments = parser.parse_args()
    failures, told = [], []
    for storage in (arguments.storage,) if arguments.storage else ("memory", "disk"):
        with tempfile.TemporaryDirectory() as folder:
            options = ("--in-memory",) if storage == "memory" else ("--data", folder)
            with Program(arguments.program, *options) as program:
                program.add_user({"email_addresses": [KNOWN], "password": PASSWORD})
                # Locks would end the tries; what they do is the same for both.
                settings = {"enumeration_protection": True, "lockout_attempts": 0}
                status, body = program.backstage("PATCH", "instance", json.dumps(settings))
                if status != 200:
                    sys.exit(f"the settings were refused: {body.decode()}")
                for flow in FLOWS:
                    if arguments.only in (None, flow):
                        told.append(judge(program, storage, flow, arguments, failures))
                        print(told[-1], flush=True)
    for failure in failures:
        print(failure)
    pairs_told = "1" if arguments.small else f"{arguments.pairs:,}"
    print(f"timing: {pairs_told} × {len(told)} pairs: {'failed' if failures else 'ok'}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
