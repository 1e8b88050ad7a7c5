#!/usr/bin/env python3
"""Loads the program, and checks that it goes on working and keeps no more than it should (S32).

    make soak                                                  a million requests over each API: half an hour
    python3 -B Tests/Benchmarks/soak.py --small --program P    some seconds, as CI does

First come many sign-ins in a row, and a form that is sent four times at once, which must make one mail. Then come many
mixed requests, as HTML and as JSON: pages, wrong passwords, sign-ins with and without a sign-out, refused sign-ups and
begun resets. The memory that is held is printed after each tenth of them, with its growth since the first; it must end
below the limit (64 MB for the release program), no more than 10 MB above what was held after 100,000 (if there are that
many), and stay there for a fifth more. No answer may be a 5xx, and at the end the program must have as many files open
as at its start. A line for each API sums it up; exits with 1 if anything is wrong.
"""

import argparse
import http.client
import json
import sys
import threading
import time
import urllib.parse

from program import PASSWORD, PROGRAM, Browser, Program


def page(browser, user):
    for path in ("/sign-in", "/sign-up", "/forgot-password"):
        expect(browser.open(path), 200)


def wrong_password(browser, user):
    expect(browser.sign_in(user, "not-the-password-1"), 422)


def sign_in(browser, user):
    expect(browser.sign_in(user), 200)


def sign_in_and_out(browser, user):
    expect(browser.sign_in(user), 200)
    expect(browser.open("/sign-out"), 200)
    expect(browser.submit(), 200)


def refused_sign_up(browser, user):
    browser.cookies.clear()
    expect(browser.open("/sign-up"), 200)
    expect(browser.submit({"email_address": user, "password": "a-long-one-of-ours-7"}), 422)


def password_reset(browser, user):
    browser.cookies.clear()
    expect(browser.open("/forgot-password"), 200)
    expect(browser.submit({"identifier": user}), 200)


MIX = (page, wrong_password, sign_in, sign_in_and_out, refused_sign_up, password_reset)


def expect(status, expected):
    if status != expected:
        raise AssertionError(f"answered {status}, not {expected}")


def did(act, browser, visitor, failures):
    """Does it once, and notes what went wrong; False if no answer came: then the visitor goes home."""
    try:
        act(browser, visitor.address)
    except AssertionError as error:
        failures.append(f"{act.__name__}: {error}")
    except (OSError, http.client.HTTPException) as error:
        failures.append(f"{act.__name__}: {error!r}")
        visitor.hang_up()
        return False
    return True


def visit(visitor, until, failures):
    """Does one thing after the other, first as HTML, then as JSON, until enough requests were sent."""
    while True:
        for act in MIX:
            for browser in visitor.browsers:
                if visitor.count >= until:
                    # Others may take so long that a kept connection would be cut.
                    return visitor.hang_up()
                if not did(act, browser, visitor, failures):
                    return


class Visitor:
    """Someone with an account of their own: wrong passwords from many at one account would lock it."""

    def __init__(self, program, number):
        self.address = f"visitor{number}@example.com"
        self.browsers = [Browser(program, accept=kind) for kind in ("text/html", "application/json")]
        program.add_user({"email_addresses": [self.address], "password": PASSWORD})

    @property
    def count(self):
        return sum(browser.count for browser in self.browsers)

    @property
    def faults(self):
        return sum(browser.faults for browser in self.browsers)

    def hang_up(self):
        for browser in self.browsers:
            browser.connection.close()


def at_once(acts):
    """Does all of it at the same time."""
    threads = [threading.Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def sign_ins(visitors, count, failures):
    """Signs in again and again, each visitor an equal part of them."""

    def go(visitor):
        for number in range(count // len(visitors)):
            if not did(sign_in, visitor.browsers[number % 2], visitor, failures):
                return

    at_once([lambda visitor=visitor: go(visitor) for visitor in visitors])


def four_times(program, failures):
    """Sends one form four times at once, on connections of their own: one mail, and four equal answers."""
    visitor = Visitor(program, "-at-once")
    browser = visitor.browsers[1]
    expect(browser.open("/forgot-password"), 200)
    action, token = browser.form(None)
    body = urllib.parse.urlencode({"form_token": token, "identifier": visitor.address})
    headers = browser.headers | {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items()),
    }
    answers = []

    def send():
        connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=60)
        connection.request("POST", action, body, headers)
        response = connection.getresponse()
        answers.append((response.status, response.headers["Location"]))
        connection.close()

    at_once([send] * 4)
    _, messages = program.backstage("GET", f"messages?to={urllib.parse.quote(visitor.address)}")
    mails = len(json.loads(messages))
    print(f"a form sent four times at once: {mails} mail, answered {sorted(set(answers))}", flush=True)
    if mails != 1 or set(answers) != {(303, "/forgot-password/code")} or len(answers) != 4:
        failures.append(f"a form sent four times at once: {mails} mails, {answers}")


def soak(arguments, api):
    """What one API's program did wrong, after one line that sums it up."""
    failures = []
    with Program(arguments.program, "--in-memory", "--api", api) as program:
        print(f"{0:>9} requests {program.megabytes():6.1f} MB", flush=True)
        visitors = [Visitor(program, number) for number in range(arguments.connections)]
        # One sign-in first: what is opened on first use stays open.
        sign_ins(visitors, len(visitors), failures)
        for visitor in visitors:
            visitor.hang_up()
        descriptors = program.settled_descriptors()
        begin = time.monotonic()
        sign_ins(visitors, arguments.sign_ins, failures)
        seconds = time.monotonic() - begin
        print(f"{arguments.sign_ins:>9} sign-ins {program.megabytes():6.1f} MB {arguments.sign_ins / seconds:6.0f}/s")
        four_times(program, failures)

        before = sum(visitor.count for visitor in visitors)
        begin, sizes = time.monotonic(), []
        for step in range(1, 13):
            until = (before + arguments.requests * step // 10) // arguments.connections
            at_once([lambda visitor=visitor: visit(visitor, until, failures) for visitor in visitors])
            sent = sum(visitor.count for visitor in visitors) - before
            sizes.append((sent, program.megabytes()))
            print(
                f"{sent:>9} requests {sizes[-1][1]:6.1f} MB {sent / (time.monotonic() - begin):6.0f}/s"
                f" {sizes[-1][1] - sizes[0][1]:+6.1f} MB",
                flush=True,
            )
        left_early = sum(visitor.count < until for visitor in visitors)
        for visitor in visitors:
            visitor.hang_up()
        left = program.settled_descriptors(descriptors)
        alive = program.process.poll() is None
    end, last = sizes[9][1], sizes[-1][1]
    # What is held once that has settled; a shorter run says nothing about it.
    early = next((size for sent, size in sizes[:5] if sent >= SETTLED), None)
    growth = "" if early is None else f" ({end - early:+.1f} MB since {SETTLED:,})"
    faults = sum(visitor.faults for visitor in visitors)
    if not alive:
        failures.append("the program has ended")
    if left_early:
        failures.append(f"{left_early} visitors of {len(visitors)} did not send all that they should")
    if faults:
        failures.append(f"{faults} answers of 5xx")
    if left != descriptors:
        failures.append(f"{left} files are open; at the start there were {descriptors}")
    if end > arguments.limit_mb:
        failures.append(f"{end:.1f} MB are held; the limit is {arguments.limit_mb:.0f}")
    if early is not None and end - early > arguments.growth_mb:
        failures.append(f"{end - early:.1f} MB more than after {SETTLED:,}; the limit is {arguments.growth_mb:.0f}")
    if last - end > arguments.last_growth_mb:
        failures.append(f"a fifth more added {last - end:.1f} MB; the limit is {arguments.last_growth_mb:.0f}")
    print(
        f"soak {api}: {sizes[-1][0]:,} requests, {end:.1f} MB{growth}, a fifth more {last - end:+.1f} MB,"
        f" {left - descriptors:+} descriptors, {faults} × 5xx: {'failed' if failures else 'ok'}",
        flush=True,
    )
    return failures


SETTLED = 100_000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--api", choices=("clerk", "entra"), help="only this one")
    parser.add_argument("--small", action="store_true", help="100 sign-ins and 600 requests over each")
    parser.add_argument("--sign-ins", type=int)
    parser.add_argument("--requests", type=int)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--limit-mb", type=float, help="what the process may hold at the end: 64, small 96, since the debug program takes more")
    parser.add_argument("--growth-mb", type=float, default=10, help="what may be added after 100,000 requests")
    parser.add_argument("--last-growth-mb", type=float, default=4, help="what a fifth more requests may add to it")
    arguments = parser.parse_args()
    arguments.sign_ins = arguments.sign_ins or (100 if arguments.small else 20_000)
    arguments.requests = arguments.requests or (600 if arguments.small else 1_000_000)
    arguments.limit_mb = arguments.limit_mb or (96 if arguments.small else 64)

    failures = []
    for api in (arguments.api,) if arguments.api else ("clerk", "entra"):
        failures += [f"{api}: {failure}" for failure in soak(arguments, api)]
    for failure in sorted(set(failures)):
        print(f"{failures.count(failure)} × {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
