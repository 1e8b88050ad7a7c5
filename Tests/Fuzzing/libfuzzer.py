#!/usr/bin/env python3
"""Lets libFuzzer look for bytes that break the code that reads them, under the address sanitizer (S35).

    make libfuzzer                        a minute for each target
    make libfuzzer ARGS="--only form"     one of them

The targets are those of `Targets/Target.swift`: forms, cookies, what is inside a seal, return addresses, hosts, answers
of the auth API, typed texts, `Retry-After`, and configurations. Each begins with the inputs in `corpus`, one per line,
and keeps inputs that reach more of the program in the build folder for the next run. An input that ends the program is
left there as `crash-…` and named here; add it as a case to the tests of its room. Exits with 1 if there is any.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

CORPUS = Path(__file__).resolve().parent / "corpus"
MAIN = CORPUS.parents[2]
BRAND = MAIN / "templates" / "brands" / "zap" / "brand.json"


def lines(name):
    return (CORPUS / name).read_bytes().splitlines()


def answers():
    """Which call of which API, which status, then the JSON: `Target.answered`."""
    for line in lines("answers.txt"):
        for call in range(4):
            for status in (0, 5):
                yield bytes([call, status]) + line


SEEDS = {
    "form": lambda: lines("forms.txt"),
    "cookie": lambda: [b"__Host-visit=AQ; visit=", b"visit=AQIDBA; language=de; present=off"],
    "visit": lambda: [],
    "redirect": lambda: lines("redirects.txt"),
    "host": lambda: [b"localhost:8080\n10.0.0.1, 127.0.0.1\nhttps", b"team.localhost:8080", b"[::1]:8080\n::1\nhttp"],
    "answer": answers,
    "text": lambda: lines("texts.txt"),
    "retry-after": lambda: lines("retry-after.txt"),
    "configuration": lambda: [BRAND.read_bytes(), b'{"sign_up_mode":"restricted","client_trust":"off","mfa_required":true}'],
}


def attempt(program, target, folder, seconds):
    """How many inputs were tried, and what was found."""
    seeds, found = folder / "seeds" / target, folder / "found" / target
    for path in (seeds, found):
        path.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[target]()):
        (seeds / str(number)).write_bytes(seed)
    command = [program, f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=4096", "-print_final_stats=1"]
    command += [f"-artifact_prefix={folder}/{target}-", str(found), str(seeds)]
    # What is made once and kept for ever is not a leak; and naming places in so large a program takes minutes.
    sanitizer = {"ASAN_OPTIONS": "symbolize=0:detect_leaks=0", "SWIFT_BACKTRACE": "enable=no"}
    environment = os.environ | sanitizer | {"FUZZ_TARGET": target}
    try:
        ran = subprocess.run(
            command, env=environment, capture_output=True, text=True, errors="replace", timeout=seconds + 120
        )
    except subprocess.TimeoutExpired:
        return [f"{target}: did not end"]
    tried = re.search(r"stat::number_of_executed_units: (\d+)", ran.stderr)
    reached = re.findall(r" cov: (\d+)", ran.stderr)
    print(f"{target:<14}{int(tried[1]) if tried else 0:>9} tried, {reached[-1] if reached else 0:>6} places reached", flush=True)
    if not ran.returncode and tried:
        return []
    return [f"{target}: ended with {ran.returncode}\n{ran.stderr[-3000:]}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(MAIN / ".build-fuzzing" / "debug" / "Fuzzing"))
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--only", choices=SEEDS)
    arguments = parser.parse_args()
    folder = MAIN / ".build-fuzzing" / "inputs"
    found = []
    for target in (arguments.only,) if arguments.only else SEEDS:
        found += attempt(arguments.program, target, folder, arguments.seconds)
    print("\n".join([*found, f"libfuzzer: {len(found)} found: {'failed' if found else 'ok'}"]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
