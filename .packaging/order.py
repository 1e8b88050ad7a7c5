"""Has the functions that serve pages lie side by side in the release program.

Usage: python3 .packaging/order.py PROGRAM ORDER LINK…

Writes their names to ORDER and links anew by the command LINK, which gives ORDER to lld as `--symbol-ordering-file`; nothing where that
has been done since PROGRAM was built. Ends with 1 where the linker did not follow.

A system maps a program's code 64 KB at a time (Linux: fault_around_bytes), and a linker leaves functions with their modules: the
thousands that a start needs, 2 MB, would bring in 12 MB. Which they are is told by qemu-user: it runs the program, which serves a page and
lets people in, and logs each block of code when it comes to it. Without qemu-user, which is said, all functions stay where they are: the
program is as good, but larger in memory.
"""

import bisect
import http.cookiejar
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

PIECE_BYTES = 65_536
# Seconds; all takes ten.
PATIENCE = 120
PASSWORD = "walk-right-in-42"
HTML, JSON = "text/html", "application/json"
# Nothing of the caller's: the program's variables are options.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
# Of the functions in ORDER, how many follow one another: not the few in objects that are linked as a whole.
LEAST_SHARE = 0.8


class Functions:
    """The functions of a program, by where they lie."""

    def __init__(self, program):
        listed = subprocess.run(["nm", "--defined-only", program], check=True, stdout=subprocess.PIPE, text=True, errors="replace")
        self.names = {}
        for address, kind, name in (line.split(maxsplit=2) for line in listed.stdout.splitlines()):
            if kind in "tTwW":
                self.names.setdefault(int(address, 16), []).append(name)
        self.addresses = sorted(self.names)

    def names_at(self, blocks):
        """The names of the functions to which blocks of code belong."""
        within = (block for block in blocks if self.addresses[0] <= block <= self.addresses[-1])
        return {
            name for block in within
            for name in self.names[self.addresses[bisect.bisect_right(self.addresses, block) - 1]]
        }

    def placed(self, names):
        """For each function in turn whether it is one of those."""
        return [not names.isdisjoint(self.names[address]) for address in self.addresses]

    def piece_count(self, names):
        """In how many pieces they lie that the system maps at once."""
        return len({address // PIECE_BYTES for address, is_one in zip(self.addresses, self.placed(names)) if is_one})


class Browser:
    """Somebody with cookies, and the page before them, as HTML or as JSON."""

    def __init__(self, base, accept=HTML):
        self.base, self.accept = base, accept
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def open(self, path, form=None):
        request = urllib.request.Request(f"{self.base}{path}", form, {"Accept": self.accept})
        try:
            answer = self.opener.open(request, timeout=PATIENCE)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        self.page = answer.read().decode()
        self.path = urllib.parse.urlsplit(answer.url).path

    def submit(self, **fields):
        """Sends the page's first form."""
        if self.accept == JSON:
            form = json.loads(self.page)["forms"][0]
            action, token = form["action"], form["token"]
        else:
            form = re.search(r'<form[^>]* action="([^"]+)".*?name="form_token" value="([^"]+)"', self.page, re.S)
            action, token = form.groups()
        self.open(action, urllib.parse.urlencode({"form_token": token, **fields}).encode())

    def expect(self, path):
        if self.path != path:
            raise SystemExit(f"a walk ended at {self.path}, not at {path}")


def sign_in_and_out(base, accept):
    browser = Browser(base, accept)
    browser.open("/sign-in")
    browser.submit(identifier="", password="")
    browser.submit(identifier="ada@example.com", password="not-the-password-1")
    browser.submit(identifier="ada@example.com", password=PASSWORD)
    browser.expect("/account")
    browser.open("/sign-out")
    browser.submit()
    browser.expect("/sign-in")


def sign_up_and_reset(base, accept):
    """With an address of Clerk's for tests, whose code is always the same."""
    address = f"{accept.replace('/', '-')}+clerk_test@example.com"
    browser = Browser(base, accept)
    browser.open("/sign-up")
    browser.submit(email_address="ada@example.com", password=PASSWORD)
    browser.submit(email_address=address, password=PASSWORD)
    browser.submit(code="424242")
    browser.expect("/account")
    browser = Browser(base, accept)
    browser.open("/forgot-password")
    browser.submit(identifier=address)
    browser.submit(code="424242")
    browser.submit(password=f"{PASSWORD}-too")
    browser.expect("/account")


def blocks(emulator, program, options, walks):
    """Where the blocks lie of a start with its first page, then those of the walks that follow it."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        served = subprocess.Popen(
            [emulator, "-d", "in_asm,nochain", "-D", log, program, "serve", *options, "--port", "0", "--log-level", "critical"],
            cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        try:
            base = re.search(r"(http://\S+)/ \(pages\)", served.stdout.readline())[1]
            Browser(base).open("/sign-in")
            first_bytes = log.stat().st_size
            # Twice: what the first sign-in leaves behind is there for the second.
            for accept in (HTML, JSON):
                for walk in walks:
                    walk(base, accept)
            maps = Path(f"/proc/{served.pid}/maps").read_text()
        finally:
            # What it does when it is asked to end is not what serves.
            served.kill()
            served.wait()
        start = int(re.search(rf"^([0-9a-f]+)-\S+ \S+ 0+ .*/{re.escape(program.name)}$", maps, re.M)[1], 16)
        logged = log.read_bytes()
    return [
        [int(each, 16) - start for each in re.findall(rb"^IN: .*\n0x([0-9a-f]+)", part, re.M)]
        for part in (logged[:first_bytes], logged[first_bytes:])
    ]


def record(emulator, program, order):
    """Writes down which functions serve."""
    functions = Functions(program)
    runs = (
        (["--in-memory"], (sign_in_and_out, sign_up_and_reset)),
        # A service's start. What follows is as above, but for the hash of a password, which would take a minute here.
        ([], ()),
        (["--in-memory", "--api", "entra"], (sign_in_and_out,)),
    )
    parts = [functions.names_at(part) for run in runs for part in blocks(emulator, program, *run)]
    # By name, whoever linked them how before; which thread came first does not matter either.
    names = list(dict.fromkeys(name for part in parts for name in sorted(part)))
    draft = order.with_suffix(".new")
    draft.write_text("".join(f"{name}\n" for name in names))
    draft.rename(order)
    print(f"{len(names)} functions serve, in {functions.piece_count(set(names))} pieces of {PIECE_BYTES} bytes", flush=True)


def check(program, order):
    """Ends where the program was not linked by the order."""
    functions, names = Functions(program), set(order.read_text().splitlines())
    placed = functions.placed(names)
    share = sum(this and before for before, this in zip(placed, placed[1:])) / max(sum(placed), 1)
    print(f"they lie in {functions.piece_count(names)} now; {share:.0%} follow one another")
    if share < LEAST_SHARE:
        sys.exit(f"the linker did not follow {order}: at least {LEAST_SHARE:.0%} have to. Was something compiled by other flags?"
                 f" Remove {program.parent} and build again.")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__.split("\n\n")[1])
    program, order, link = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    if order.stat().st_mtime > program.stat().st_mtime:
        return
    emulator = shutil.which(f"qemu-{platform.machine()}")
    if emulator is None or shutil.which("nm") is None:
        print("qemu-user or binutils are missing: functions stay where the linker puts them, and some 6 MB more are in memory after a start.")
        return
    record(emulator, program.resolve(), order)
    program.unlink()
    subprocess.run(link, check=True)
    check(program, order)
    os.utime(order)


if __name__ == "__main__":
    main()
