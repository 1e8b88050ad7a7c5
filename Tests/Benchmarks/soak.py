#!/usr/bin/env python3
"""Sends the program many mixed requests and prints what memory it holds after each tenth of them.

Page requests, wrong passwords, sign-ins with and without a sign-out, refused sign-ups and begun resets, as HTML
and as JSON. The last column is the growth since a tenth of the requests: a process that forgets stays flat.
"""

import argparse
import threading
import time

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


def visit(visitor, until, failures):
    """Does one thing after the other, first as HTML, then as JSON, until enough requests were sent."""
    while True:
        for act in MIX:
            for browser in visitor.browsers:
                if visitor.count >= until:
                    return
                try:
                    act(browser, visitor.address)
                except AssertionError as error:
                    failures.append(f"{act.__name__}: {error}")


class Visitor:
    """Someone with an account: wrong passwords of many at one account would lock it."""

    def __init__(self, program, number):
        self.address = f"visitor{number}@example.com"
        self.browsers = [Browser(program, accept=kind) for kind in ("text/html", "application/json")]
        program.add_user({"email_addresses": [self.address], "password": PASSWORD})

    @property
    def count(self):
        return sum(browser.count for browser in self.browsers)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--api", choices=("clerk", "entra"), default="clerk")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--limit-mb", type=float, help="fail where the process holds more at the end")
    arguments = parser.parse_args()

    failures = []
    with Program(arguments.program, "--in-memory", "--api", arguments.api) as program:
        print(f"{0:>9} requests {program.megabytes():6.1f} MB", flush=True)
        visitors = [Visitor(program, number) for number in range(arguments.connections)]
        begin, first = time.monotonic(), None
        for step in range(1, 11):
            until = arguments.requests * step // 10 // arguments.connections
            threads = [threading.Thread(target=visit, args=(visitor, until, failures)) for visitor in visitors]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            sent = sum(visitor.count for visitor in visitors)
            megabytes = program.megabytes()
            first = first or megabytes
            seconds = time.monotonic() - begin
            print(
                f"{sent:>9} requests {megabytes:6.1f} MB {sent / seconds:6.0f}/s {megabytes - first:+6.1f} MB",
                flush=True,
            )
    for failure in sorted(set(failures)):
        print(f"{failures.count(failure)} × {failure}")
    if failures or arguments.limit_mb and megabytes > arguments.limit_mb:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
