#!/usr/bin/env python3
"""Measures what many accounts in a world, and many worlds, cost a page.

    make growth                                                 100,000 accounts, 2,000 worlds: a minute
    python3 -B Tests/Benchmarks/growth.py --small --program P   5,000 accounts, 50 worlds, 15 s, as CI does: 1.5 is allowed

Two programs run side by side, a small one and a large one, and are asked in turn. The processor time that they take is
compared; a ratio of 1 means that size costs nothing, and 1.2 is what a page may cost. One line sums it up; exits with 1
if anything costs more.
"""

import argparse
import json
import statistics
import tempfile
import time

from program import PASSWORD, PROGRAM, Browser, Program


def account(number):
    return {
        "email_addresses": [f"person{number}@example.com"],
        "username": f"person{number}",
        "first_name": "Person",
        "last_name": str(number),
        "password": PASSWORD,
    }


def users_file(count):
    file = tempfile.NamedTemporaryFile("w", suffix=".json")
    json.dump([account(number) for number in range(count)], file)
    file.flush()
    return file


def expect(answer, expected=200):
    status = answer[0] if isinstance(answer, tuple) else answer
    if status != expected:
        raise SystemExit(f"answered {status}, not {expected}")


def pages(program, person, world=None):
    """What is measured, by name: each a function that asks once."""
    browser = Browser(program, world)
    signed_in = Browser(program, world)
    expect(signed_in.sign_in(person))
    return {
        "sign-in page": lambda: expect(browser.open("/sign-in")),
        "sign-in": lambda: expect(browser.sign_in(person)),
        "wrong password": lambda: expect(browser.sign_in(person, "not-the-password"), 422),
        "account page": lambda: expect(signed_in.open("/account")),
        "user by identifier": lambda: expect(
            program.backstage("GET", f"users?identifier={person}", world=world)
        ),
        "page of users": lambda: expect(program.backstage("GET", "users?limit=1", world=world)),
    }


def compare(title, programs, acts, rounds):
    """Asks both in turn; returns, by name, how many times as much each act costs in the large one."""
    times = {name: ([], []) for name in acts[0]}
    for number in range(rounds):
        # A wrong password comes between right ones, so that no account is locked.
        for name, measured in times.items():
            asked = list(zip(programs, acts, measured))
            # The second to be asked finds the processor's caches warm, so each is second equally often.
            for program, act, durations in asked if number % 2 else reversed(asked):
                before = program.processor_seconds()
                act[name]()
                durations.append(program.processor_seconds() - before)
    print(f"\n{title:<24}{'small':>10}{'large':>10}{'ratio':>8}")
    ratios = {}
    for name, measured in times.items():
        medians = [statistics.median(durations) * 1000 for durations in measured]
        ratio = ratios[f"{title}: {name}"] = medians[1] / medians[0]
        print(f"{name:<24}{medians[0]:>7.2f} ms{medians[1]:>7.2f} ms{ratio:>8.2f}", flush=True)
    return ratios


def accounts(arguments):
    options = ("--api", arguments.api, "--in-memory", "--users")
    with users_file(arguments.accounts) as many, users_file(1) as one:
        begin = time.perf_counter()
        with Program(arguments.program, *options, many.name) as large:
            seconds, start = time.perf_counter() - begin, large.processor_seconds()
            print(
                f"start with {arguments.accounts} accounts: {seconds:.1f} s,"
                f" {start:.1f} s of a processor, {large.megabytes():.0f} MB"
            )
            with tempfile.TemporaryDirectory() as folder:
                stored = ("--api", arguments.api, "--data", folder, "--users", many.name)
                begin = time.perf_counter()
                with Program(arguments.program, *stored):
                    print(f"the same in a data folder: {time.perf_counter() - begin:.1f} s")
            with Program(arguments.program, *options, one.name) as small:
                last = f"person{arguments.accounts - 1}@example.com"
                ratios = compare(
                    "accounts", (small, large), (pages(small, "person0@example.com"), pages(large, last)),
                    arguments.rounds,
                )
            slow = listing(large, arguments.accounts)
            slow += document(large, arguments.document_megabytes)
    return ratios, slow + ([f"start: {start:.1f} s of a processor"] if start > 10 else [])


def listing(program, count):
    """Reads all users page by page."""
    found, after, times = 0, "", []
    while True:
        begin = time.perf_counter()
        status, body = program.backstage("GET", f"users?limit=100{after}")
        times.append(time.perf_counter() - begin)
        expect(status)
        users = json.loads(body)
        found += len(users)
        if len(users) < 100:
            break
        after = f"&after={users[-1]['id']}"
    first, last = (statistics.median(part) for part in (times[:20], times[-20:]))
    print(f"all {found} users in {sum(times):.1f} s, last pages {last / first:.2f} × the first")
    return [] if found == count and last < 2 * first else [f"listing: {found} of {count}, {last / first:.2f}"]


def document(program, limit):
    program.forget_peak()
    rested = program.megabytes()
    begin, before = time.perf_counter(), program.processor_seconds()
    status, exported = program.backstage("GET", "export")
    expect(status)
    read = time.perf_counter()
    expect(program.backstage("POST", "import", exported))
    written = time.perf_counter()
    grown = program.peak_megabytes() - rested
    print(
        f"export of {len(exported) / 1e6:.0f} MB in {read - begin:.1f} s, import in {written - read:.1f} s,"
        f" {program.processor_seconds() - before:.1f} s of a processor, at most {grown:.0f} MB more"
        f" than {rested:.0f}, then {program.megabytes():.0f} MB"
    )
    return [f"document: {grown:.0f} MB more at its peak"] if grown > limit else []


def worlds(arguments):
    options = ("--api", arguments.api, "--in-memory")
    with Program(arguments.program, *options) as small, Program(arguments.program, *options) as large:
        begin = time.perf_counter()
        for number in range(arguments.worlds):
            expect(large.backstage("GET", "clock", world=f"world{number}"))
        each = (time.perf_counter() - begin) / arguments.worlds
        print(f"\n{arguments.worlds} worlds, {each * 1000:.1f} ms each, {large.megabytes():.0f} MB")
        ada, world = "ada@example.com", f"world{arguments.worlds - 1}"
        return compare(
            "worlds", (small, large), (pages(small, ada, "world0"), pages(large, ada, world)), arguments.rounds
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--api", choices=("clerk", "entra"), default="clerk")
    parser.add_argument("--small", action="store_true", help="5,000 accounts, 50 worlds, 20 rounds")
    parser.add_argument("--accounts", type=int)
    parser.add_argument("--worlds", type=int)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--limit", type=float, help="how many times as much a page may cost: 1.2, small 1.5")
    parser.add_argument(
        "--document-megabytes", type=int, default=200, help="how much memory an export and an import may need"
    )
    arguments = parser.parse_args()
    arguments.accounts = arguments.accounts or (5_000 if arguments.small else 100_000)
    arguments.worlds = arguments.worlds or (50 if arguments.small else 2_000)
    arguments.rounds = arguments.rounds or (20 if arguments.small else 200)
    arguments.limit = arguments.limit or (1.5 if arguments.small else 1.2)
    ratios, slow = accounts(arguments)
    ratios |= worlds(arguments)
    slow += [f"{name} {ratio:.2f}" for name, ratio in ratios.items() if ratio > arguments.limit]
    for line in slow:
        print(f"slow: {line}")
    print(
        f"growth: {arguments.accounts:,} accounts, {arguments.worlds:,} worlds: what is asked costs"
        f" {min(ratios.values()):.2f} to {max(ratios.values()):.2f} times as much: {'failed' if slow else 'ok'}"
    )
    raise SystemExit(1 if slow else 0)


if __name__ == "__main__":
    main()
