#!/usr/bin/env python3
"""Moves clocks under the running program, and checks that it goes on and lets everybody in (S34).

    make clocks                                                    both clocks, a few minutes
    python3 -B Tests/Benchmarks/clocks.py --small --program P      one jump of each, as CI does

An hour, a day, ten years and past 2038, each forward and back again: first the world's clock, by backstage, then the
machine's as the program sees it, by libfaketime if it is installed (Debian: faketime), which leaves the monotonic clock
alone. After each jump pages answer, a new user signs in, a user who was signed in still is or is told to sign in again,
a code can be got, and no limit that was set before the jump holds for longer than a quarter of an hour: a lock, the
wait for another code, and the throttle. One line sums it up; exits with 1 if anything is wrong.
"""

import argparse
import contextlib
import glob
import http.client
import itertools
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from program import ENVIRONMENT, PASSWORD, PROGRAM, Browser, Program

HOUR, DAY = 3_600, 86_400
JUMPS = {
    "an hour": HOUR, "a day": DAY, "ten years": 3_653 * DAY,
    # Just past the first second that 32 bits cannot hold.
    "past 2038": 2**31 - int(time.time()) + 10,
}
STUCK = 15 * 60
SETTINGS = {"lockout_attempts": 3, "lockout_seconds": STUCK, "resend_cooldown_seconds": 30}
NUMBERS = itertools.count(1)


class Found(list):
    def expect(self, condition, text):
        if not condition:
            self.append(text)


def page_of(browser):
    return json.loads(browser.body)["page"]


def newcomer(program):
    address = f"kim{next(NUMBERS)}@example.com"
    program.add_user({"email_addresses": [address], "password": PASSWORD})
    return address


def signed_in(program, address=None):
    """A browser after a sign-in with the right password, and whether it is in."""
    browser = Browser(program)
    status = browser.sign_in(address or newcomer(program))
    return browser, status == 200 and page_of(browser) == "account"


def locked(program):
    """Somebody whose account is locked now."""
    address = newcomer(program)
    browser = Browser(program)
    for _ in range(SETTINGS["lockout_attempts"] + 1):
        browser.sign_in(address, "not-the-password-1")
    return address, "locked" in browser.body.decode()


def waiting(program):
    """A browser that was sent a code and must wait for another, and whether that is so."""
    browser = Browser(program)
    browser.open("/forgot-password")
    status = browser.submit({"identifier": newcomer(program)})
    return browser, status == 200 and page_of(browser) == "forgot-password-code"


def works(program, what, found, before):
    """Checks everything once at the present time; `before` are the browsers that were signed in before."""
    found.expect(program.process.poll() is None, f"{what}: the program has ended")
    for path in ("/sign-in", "/sign-up", "/forgot-password", "/backstage/clock", "/healthz", "/readyz"):
        status = Browser(program, accept="text/html").open(path)
        found.expect(status == 200, f"{what}: {path} was answered {status}")
    found.expect(signed_in(program)[1], f"{what}: a new user cannot sign in")
    for browser in before:
        with contextlib.suppress(http.client.RemoteDisconnected):
            # The connection was kept while nobody asked.
            browser.connection.close()
        status = browser.open("/account")
        found.expect(status == 200, f"{what}: a user who was signed in was answered {status}")
        if status == 200 and page_of(browser) != "account":
            found.expect(page_of(browser) == "sign-in", f"{what}: a user who was signed in is on {page_of(browser)}")
            found.expect(signed_in(program)[1], f"{what}: a user who was signed in cannot sign in again")


def unlocked(program, address, advance):
    """Whether somebody can sign in with the right password after a quarter of an hour."""
    if signed_in(program, address)[1]:
        return True
    advance(STUCK + 1)
    return signed_in(program, address)[1]


def sent_again(browser, advance):
    """Whether another code is sent, at the latest after a quarter of an hour."""
    for wait in (0, STUCK):
        if wait:
            advance(wait)
        browser.connection.close()
        if browser.open("/forgot-password/code") != 200:
            return False
        if page_of(browser) != "forgot-password-code":
            return page_of(browser) == "forgot-password"  # The attempt is over, and has to begin again.
        resend = [form for form in json.loads(browser.body)["forms"] if form["name"] == "resend"]
        if resend and browser.submit(action=resend[0]["action"]) == 200:
            notices = [notice["code"] for notice in json.loads(browser.body)["notices"]]
            if any("sent" in code for code in notices):
                return True
    return False


def jumps(program, move, advance, which, found, names):
    """Makes these jumps there and back: `move` sets how far the clock is off, `advance` lets time pass."""
    before = [signed_in(program)[0] for _ in range(2)]
    for name in names:
        seconds = JUMPS[name]
        for direction, there in (("on", seconds), ("back", -seconds)):
            # The clock is not moved back by more than eleven years.
            if direction == "back" and seconds > 11 * 365 * DAY:
                continue
            what = f"{which} {name} {direction}"
            address, was_locked = locked(program)
            found.expect(was_locked, f"{what}: three failures did not lock")
            browser, has_code = waiting(program)
            found.expect(has_code, f"{what}: no code was sent")
            move(there)
            works(program, what, found, before)
            there_in = signed_in(program)[0]
            stuck, is_locked = locked(program)
            found.expect(is_locked, f"{what}: three failures did not lock there")
            found.expect(sent_again(browser, advance), f"{what}: no other code is sent")
            found.expect(unlocked(program, address, advance), f"{what}: an earlier lock still holds")
            move(0)
            works(program, f"{what} and again", found, [*before, there_in])
            found.expect(unlocked(program, stuck, advance), f"{what}: a lock set there still holds after the return")
            move(0)


def world_clock(arguments, found):
    with Program(arguments.program, "--in-memory", "--api", arguments.api) as program:
        program.backstage("PATCH", "instance", json.dumps(SETTINGS))

        def move(seconds):
            program.backstage("POST", "clock", json.dumps({"reset": True}))
            advance(seconds)

        def advance(seconds):
            status, body = program.backstage("POST", "clock", json.dumps({"advance_seconds": seconds}))
            found.expect(not seconds or status == 200, f"the world's clock was not moved: {body[:200]!r}")

        jumps(program, move, advance, "the world's clock,", found, arguments.jumps[:1] if arguments.small else arguments.jumps)


def machine_clock(arguments, found):
    libraries = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    if not libraries:
        return "left out (libfaketime is not installed)"
    with tempfile.TemporaryDirectory() as folder:
        offset = Path(folder) / "offset"
        passed = 0

        def move(seconds):
            nonlocal passed
            passed = seconds
            offset.write_text(f"{seconds:+d}s\n")
            # The library reads the file again whenever the clock is read.

        def advance(seconds):
            move(passed + seconds)

        move(0)
        environment = ENVIRONMENT | {
            # Jemalloc reads the clock when it is first asked for memory, and the library asks for memory before it can
            # give a time: each would wait for the other. So memory comes from the C library here.
            "LD_PRELOAD": f"{libraries[0]}:libc.so.6", "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1",
        }
        options = ("--in-memory", "--api", arguments.api)
        # Its log has times that are not those of this run.
        how = {"environment": environment, "errors": subprocess.DEVNULL}
        with Program(arguments.program, *options, **how) as program:
            program.backstage("PATCH", "instance", json.dumps(SETTINGS))
            begin = json.loads(program.backstage("GET", "clock")[1])["now"]
            move(DAY)
            if json.loads(program.backstage("GET", "clock")[1])["now"][:10] == begin[:10]:
                return "left out (the program does not see it)"
            move(0)
            jumps(program, move, advance, "the machine's clock,", found, arguments.jumps[-1:] if arguments.small else arguments.jumps)
        if not arguments.small:
            with Program(arguments.program, *options, "--throttle", "on", **how) as program:
                throttled(program, move, found)
    return "the machine's"


def throttled(program, move, found):
    """The throttle holds for a minute of monotonic time, whatever the clock says."""
    for seconds in (-DAY, 3_653 * DAY):
        move(0)
        browser, status = Browser(program), 0
        browser.open("/sign-in")
        for number in range(40):
            status = browser.submit({"identifier": f"nobody{number}@example.com", "password": "not-it-1"})
            if status == 429:
                break
        found.expect(status == 429, f"forty forms were not throttled: {status}")
        move(seconds)
        end = time.monotonic() + 70
        while not (free := signed_in(program, "ada@example.com")[1]) and time.monotonic() < end:
            time.sleep(2)
        found.expect(free, f"the throttle holds for longer than a minute after a jump of {seconds} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--api", choices=("clerk", "entra"), default="clerk")
    parser.add_argument("--small", action="store_true", help="one jump of each clock, and no wait for the throttle")
    arguments = parser.parse_args()
    arguments.jumps = ("an hour", "past 2038") if arguments.small else tuple(JUMPS)
    found = Found()
    world_clock(arguments, found)
    told = machine_clock(arguments, found)
    for line in sorted(set(found)):
        print(line)
    print(
        f"clocks: {', '.join(arguments.jumps)}, there and back; the world's clock, {told}:"
        f" {'failed' if found else 'ok'}"
    )
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
