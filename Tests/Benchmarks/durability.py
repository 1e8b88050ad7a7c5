#!/usr/bin/env python3
"""Kills the program, fills its disk and tears its files, and checks that it keeps what it has promised (S25).

    make durability                                                    50 kills amid 1,000 sign-ups, 80 failing writes
    python3 -B Tests/Benchmarks/durability.py --small --program P      5 kills amid 50, no times judged, as CI does

It is killed with SIGKILL while several people sign up, again and again over the same folder: everybody who was told
that their account exists has it afterwards, the database is whole, and the program answers again within a second. If
the log of the last writes is cut or garbled, it starts with what is whole. At each of the first forty writes and syncs
of the database in turn, the disk starts to fail, with ENOSPC and with EIO: a form gets 503, pages are served, and what
was acknowledged is kept, whether the disk recovers or the program is killed first. On a full disk a form gets a page
with 503 while pages are served and `/readyz` tells the truth, and once there is room, forms are accepted again. On a
read-only disk it refuses to start, in one line, or, if a killed program has left its log, goes on with reads only. For
the disk, a file system is mounted in a namespace of its own (`unshare`); if that is not allowed, this part is left out,
which is printed. One line sums it up; exits with 1 if anything is wrong.
"""

import argparse
import contextlib
import errno
import http.client
import json
import mmap
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

from program import ENVIRONMENT, PROGRAM, Browser, Program
from subjects import compiled

PASSWORD = "a-good-new-password-7"
PEOPLE_AT_ONCE = 6
# How long a start may take until it answers.
START_SECONDS = 1.0
GONE = (OSError, http.client.HTTPException, StopIteration, json.JSONDecodeError, SystemExit)


def sign_up(program, address):
    """Whether somebody was told that their account is there."""
    return sign_up_status(program, address) == 200


def sign_up_status(program, address):
    """200 if somebody was told that their account is there, otherwise the status at which it ended."""
    browser = Browser(program)
    if (status := browser.open("/sign-up")) != 200:
        return status
    if (status := browser.submit({"email_address": address, "password": PASSWORD})) != 200:
        return status
    status, body = program.backstage("GET", f"messages?to={urllib.parse.quote(address)}")
    messages = json.loads(body) if status == 200 else []
    if not messages:
        return 404
    if (status := browser.submit({"code": messages[0]["code"]})) != 200:
        return status
    return 200 if json.loads(browser.body)["page"] == "account" else 404


def killed_amid_sign_ups(program, acknowledged, count, round_number):
    """Kills it once this many were told; those who were told are added."""
    enough = threading.Event()
    told = []

    def go(person):
        for number in range(1_000):
            if enough.is_set():
                return
            address = f"kim-{round_number}-{person}-{number}@example.com"
            with contextlib.suppress(*GONE):
                if sign_up(program, address):
                    told.append(address)
                    if len(told) >= count:
                        enough.set()

    threads = [threading.Thread(target=go, args=(person,)) for person in range(PEOPLE_AT_ONCE)]
    for thread in threads:
        thread.start()
    enough.wait(300)
    program.process.kill()
    program.process.wait()
    enough.set()
    for thread in threads:
        thread.join()
    acknowledged += told
    return len(told) >= count


def integrity(folder):
    """What SQLite itself finds, in a copy, since looking must not change what the program will find."""
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        with contextlib.closing(sqlite3.connect(Path(copy) / "main.sqlite")) as database:
            return database.execute("PRAGMA integrity_check").fetchone()[0]


def started(path, folder, api, environment=None):
    """A program on the folder, and how long it took until it answered."""
    begin = time.monotonic()
    program = Program(path, "--api", api, "--data", str(folder), environment=environment)
    status, _, _ = program.ask("GET", "/readyz")
    return program, time.monotonic() - begin, status


def addresses(program):
    """The addresses of all users, as backstage lists them."""
    found, after = set(), ""
    while True:
        users = json.loads(program.backstage("GET", f"users?limit=100{after}")[1])
        found.update(address for user in users for address in emails(user))
        if len(users) < 100:
            return found
        after = f"&after={users[-1]['id']}"


def emails(user):
    # A list of texts, or of objects that have one.
    return [email if isinstance(email, str) else email["email_address"] for email in user.get("email_addresses", [])]


def kills(arguments, failures):
    acknowledged, times = [], []
    with tempfile.TemporaryDirectory() as folder:
        # The folder is made once, with its key and its first users: this start is not judged.
        started(arguments.program, folder, arguments.api)[0].stop()
        for number in range(arguments.kills):
            program, seconds, ready = started(arguments.program, folder, arguments.api)
            times.append(seconds)
            if ready != 200:
                failures.append(f"/readyz was {ready} after a start")
            lost = set(acknowledged) - addresses(program)
            if lost:
                failures.append(f"{len(lost)} were lost by kill {number}: {sorted(lost)[:3]}")
            if not killed_amid_sign_ups(program, acknowledged, arguments.sign_ups // arguments.kills, number):
                failures.append(f"round {number}: too few could sign up")
            if (found := integrity(folder)) != "ok":
                failures.append(f"after kill {number}: {found}")
        torn(arguments, folder, set(acknowledged), failures)
        program, seconds, _ = started(arguments.program, folder, arguments.api)
        times.append(seconds)
        with program:
            lost = set(acknowledged) - addresses(program)
            for address in random.sample(acknowledged, min(5 if arguments.small else 50, len(acknowledged))):
                browser = Browser(program)
                if browser.sign_in(address, PASSWORD) != 200 or json.loads(browser.body)["page"] != "account":
                    lost.add(address)
        if lost:
            failures.append(f"{len(lost)} were lost: {sorted(lost)[:3]}")
    # A single start may be disturbed by other work on the machine; with few starts that says nothing.
    slow = [seconds for seconds in times if seconds > START_SECONDS]
    if not arguments.small and len(slow) > len(times) // 20:
        failures.append(f"{len(slow)} of {len(times)} starts took longer than {START_SECONDS:.0f} s, {max(slow):.1f} s")
    return (
        f"{len(acknowledged):,} told under {arguments.kills} kills, {len(lost)} lost,"
        f" answering again after {sorted(times)[len(times) // 2]:.2f} s (at most {max(times):.2f} s)"
    )


def torn(arguments, folder, acknowledged, failures):
    """Cuts or garbles the last part of the log of a killed program, which a sync would have kept whole."""
    chance = random.Random(arguments.seed)
    for _ in range(arguments.tears):
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(folder, copy, dirs_exist_ok=True)
            log = Path(copy) / "main.sqlite-wal"
            data = bytearray(log.read_bytes() if log.exists() else b"")
            if not data:
                failures.append("a killed program left no log to tear")
                return
            place = len(data) - chance.randrange(1, min(len(data), 20_000))
            if chance.random() < 0.5:
                del data[place:]
            else:
                data[place:] = chance.randbytes(len(data) - place)
            log.write_bytes(data)
            program, _, ready = started(arguments.program, copy, arguments.api)
            with program:
                kept = addresses(program)
                works = sign_up(program, "after@example.com")
            if ready != 200 or not works or not kept:
                failures.append(f"with a torn log: ready {ready}, {len(kept)} users, sign-up {works}")
            # A commit is there as a whole or not at all, and those before it stay.
            if len(acknowledged - kept) > PEOPLE_AT_ONCE:
                failures.append(f"a torn end of the log lost {len(acknowledged - kept)}")
            if (found := integrity(copy)) != "ok":
                failures.append(f"with a torn log: {found}")


class FailingDisk:
    """Writes and syncs of a program's database, which fail when they are told to: `failing_writes.c`."""

    def __init__(self, folder):
        library = compiled("failing_writes.c", Path(folder) / "failing_writes.so", "-shared", "-fPIC", "-ldl")
        plan = Path(folder) / "plan"
        plan.write_bytes(bytes(12))
        with plan.open("r+b") as file:
            self.plan = mmap.mmap(file.fileno(), 12)
        self.environment = ENVIRONMENT | {"LD_PRELOAD": str(library), "FAILING_WRITES": str(plan)}

    def fail(self, number, error):
        """Fails from this write on, counted from now; 0 ends that."""
        self.plan[4:8] = bytes(4)
        self.plan[8:12] = struct.pack("=I", error)
        self.plan[0:4] = bytes(4)
        self.plan[4:8] = struct.pack("=I", number)


def broken_disk(arguments, failures):
    """At each of the first writes in turn the disk starts to fail; then it recovers, or the program is killed first."""
    acknowledged, statuses, recovered, tries = [], set(), [], 0
    with tempfile.TemporaryDirectory() as folder:
        disk, data = FailingDisk(folder), Path(folder) / "data"

        def start():
            program, _, ready = started(arguments.program, data, arguments.api, disk.environment)
            lost = set(acknowledged) - addresses(program)
            if ready != 200 or lost:
                failures.append(f"after a broken disk: ready {ready}, {len(lost)} lost: {sorted(lost)[:3]}")
            return program

        for error in (errno.ENOSPC, errno.EIO):
            for number in range(1, 41, arguments.write_step):
                name, tries = f"{errno.errorcode[error]} at write {number}", tries + 1
                with start() as program:
                    disk.fail(number, error)
                    for person in range(10):
                        address = f"broken-{error}-{number}-{person}@example.com"
                        if (status := sign_up_status(program, address)) != 200:
                            break
                        acknowledged.append(address)
                    statuses.add(status)
                    reads = [Browser(program).open(path) for path in ("/sign-in", "/sign-up", "/healthz")]
                    if status != 503 or reads != [200, 200, 200] or program.process.poll() is not None:
                        failures.append(f"{name}: a form {status}, pages {reads}, ended {program.process.poll()}")
                    if tries % 2:
                        disk.fail(0, 0)
                        begin = time.monotonic()
                        address = f"recovered-{error}-{number}@example.com"
                        while not (again := sign_up(program, address)) and time.monotonic() < begin + 5:
                            time.sleep(0.05)
                        recovered.append(time.monotonic() - begin)
                        if not again or Browser(program).open("/readyz") != 200:
                            failures.append(f"{name}: no sign-up went through in five seconds after it")
                        acknowledged += [address] if again else []
                    program.process.kill()
                    program.process.wait()
                    disk.fail(0, 0)
                if (found := integrity(data)) != "ok":
                    failures.append(f"{name}: {found}")
        start().stop()
    return (
        f"the disk failed at {tries} writes: {', '.join(map(str, sorted(statuses)))}, {len(acknowledged)} acknowledged"
        f" and kept, accepted again after {max(recovered):.1f} s at most"
    )


def disk(arguments, failures):
    """On a file system of its own: full, with room again, and read-only."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder], capture_output=True)
        if mounted.returncode:
            return "no disk could be mounted: left out"
        try:
            return filled(arguments, Path(folder), failures) + ", " + unwritable(arguments, Path(folder), failures)
        finally:
            subprocess.run(["umount", "-l", folder], check=False)


def filled(arguments, folder, failures):
    data, filler = folder / "data", folder / "filler"
    acknowledged = []
    program, _, _ = started(arguments.program, data, arguments.api)
    with program:
        browser = Browser(program)
        if sign_up(program, "before@example.com"):
            acknowledged.append("before@example.com")
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while file.write(b"x" * 4096):
                pass
        statuses = []
        # The log still has room for a few.
        for number in range(300):
            browser.cookies.clear()
            browser.open("/sign-up")
            address = f"full-{number}@example.com"
            statuses.append(browser.submit({"email_address": address, "password": PASSWORD}))
            if statuses[-1] != 200:
                break
        page = browser.body.decode()
        if statuses[-1] != 503 or '"errors":[{' not in page or program.process.poll() is not None:
            failures.append(f"a form on a full disk: {statuses[-1]}, {page[:200]}")
        reads = [browser.open(path) for path in ("/sign-in", "/forgot-password", "/healthz")]
        if reads != [200, 200, 200]:
            failures.append(f"pages on a full disk: {reads}")
        full = browser.open("/readyz")
        if full != 503:
            failures.append(f"/readyz on a full disk: {full}")
        filler.unlink()
        begin = time.monotonic()
        while not (again := sign_up(program, f"again-{time.monotonic_ns()}@example.com")):
            if time.monotonic() > begin + 5:
                break
        seconds = time.monotonic() - begin
        if not again or browser.open("/readyz") != 200:
            failures.append("with room again, no sign-up went through in five seconds")
        sign_up(program, "room@example.com") and acknowledged.append("room@example.com")
        program.process.kill()
        program.process.wait()
    if (found := integrity(data)) != "ok":
        failures.append(f"after a full disk: {found}")
    program, _, _ = started(arguments.program, data, arguments.api)
    with program:
        lost = set(acknowledged) - addresses(program)
    if lost or len(acknowledged) < 2:
        failures.append(f"around a full disk: {lost or 'nobody could sign up'}")
    return f"full disk: {statuses[-1]}, pages {reads[0]}, ready {full}, accepted again after {seconds:.1f} s"


def unwritable(arguments, folder, failures):
    """A data folder that was left in order cannot be opened; one with a log can still be read, and says so."""
    for name, end in (("clean", "stop"), ("killed", "kill")):
        program, _, _ = started(arguments.program, folder / name, arguments.api)
        program.process.kill() if end == "kill" else program.stop()
        program.process.wait()
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    command = [arguments.program, "serve", "--port", "0", "--api", arguments.api, "--data", str(folder / "clean")]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=20)
        lines = ran.stderr.strip().splitlines()
        if ran.returncode <= 0 or len(lines) != 1 or str(folder) not in lines[0]:
            failures.append(f"a start on a disk that cannot be written: {ran.returncode}, {lines}")
        told = f"exit {ran.returncode}"
    except subprocess.TimeoutExpired:
        failures.append("a start on a disk that cannot be written did not end")
        told = "no end"
    program, _, ready = started(arguments.program, folder / "killed", arguments.api)
    with program:
        browser = Browser(program)
        page = browser.open("/sign-up")
        form = browser.submit({"email_address": "unwritable@example.com", "password": PASSWORD})
    if (ready, page, form) != (503, 200, 503):
        failures.append(f"on a disk that cannot be written: ready {ready}, page {page}, form {form}")
    return f"unwritable disk: {told}, or ready {ready}, pages {page}, form {form}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--api", choices=("clerk", "entra"), default="clerk")
    parser.add_argument("--small", action="store_true", help="5 kills, 50 sign-ups, 2 torn logs, 4 failing writes")
    parser.add_argument("--kills", type=int)
    parser.add_argument("--sign-ups", type=int)
    parser.add_argument("--tears", type=int)
    parser.add_argument("--write-step", type=int, help="let every Nth of the first forty writes fail")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments = parser.parse_args()
    for name, large, small in (("kills", 50, 5), ("sign_ups", 1_000, 50), ("tears", 20, 2), ("write_step", 1, 20)):
        if getattr(arguments, name) is None:
            setattr(arguments, name, small if arguments.small else large)
    # In a namespace of its own, nobody else sees the mount, and it goes when this ends.
    alone = ["unshare", "--mount", "--map-root-user"]
    if "VESTIBULE_ALONE" not in os.environ and shutil.which("unshare") and not subprocess.run([*alone, "true"], capture_output=True).returncode:
        os.environ["VESTIBULE_ALONE"] = "1"
        os.execvp(alone[0], [*alone, sys.executable, "-B", *sys.argv])
    failures = []
    told = [kills(arguments, failures), broken_disk(arguments, failures), disk(arguments, failures)]
    for failure in failures:
        print(failure)
    print(
        f"durability {arguments.api}: {told[0]}; {arguments.tears} torn logs; {told[1]}; {told[2]}:"
        f" {'failed' if failures else 'ok'}"
    )
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
