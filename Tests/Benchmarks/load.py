"""Loads: what wrk asks, and what it measured."""

import itertools
import json
import re
import shutil
import subprocess
from dataclasses import dataclass

from subjects import HERE, Missing, Subject

RUNS = itertools.count(1)


@dataclass(frozen=True)
class Request:
    """One request, asked again and again. `{n}` in path and body counts up."""

    method: str
    path: str
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    status: int = 200


@dataclass(frozen=True)
class Journey:
    """Steps of a browser, from an empty jar to the page that says who is signed in.

    In a body `{token}` is the hidden field of the page before, `{n}` differs in every journey, and `{browser}` in every
    browser, so that accounts are not in each other's way.
    """

    token_field: str
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Measured:
    """Requests or journeys: how many per second, and how much processor time each takes, in microseconds.

    The percentiles are milliseconds of one request; the megabytes are those that are held after the last.
    """

    per_second: float
    p50: float
    p99: float
    processor: float
    megabytes: float


def check_tools() -> None:
    if not shutil.which("wrk"):
        raise Missing("wrk (Debian: wrk)")


def measure(subject: Subject, load: Request | Journey, seconds: float, connections: int = 64) -> Measured:
    """Runs the load and fails loudly when an answer was not the one expected."""
    match load:
        case Request():
            verify(subject, load)
            return _run(subject, "request.lua", 1, connections, seconds, arguments_of(load, subject), load.status >= 400)
        case Journey():
            # In addition to a journey's number within its run, so that no two make the same account.
            run = f"{next(RUNS)}x{{n}}"
            steps = [step.replace("{n}", run) for step in load.steps]
            arguments = [subject.authority, load.token_field, *steps]
            return _run(subject, "journey.lua", 8, 8, seconds, arguments, False)


def verify(subject: Subject, load: Request) -> None:
    body = load.body.replace("{n}", "0") or None
    status, _, _ = subject.ask(load.method, load.path.replace("{n}", "0"), body, **dict(load.headers))
    if status != load.status:
        raise SystemExit(f"{subject.name}: {load.method} {load.path} answered {status}, not {load.status}")


def arguments_of(load: Request, subject: Subject) -> list[str]:
    headers = {"Host": subject.authority} | dict(load.headers)
    if load.body:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    return [load.method, load.path, load.body, *(f"{name}={value}" for name, value in headers.items())]


def _run(subject, script, threads, connections, seconds, arguments, refusals_expected) -> Measured:
    before = subject.processor_seconds()
    run = subprocess.run(
        ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s", "--latency",
         "-s", HERE / script, f"http://127.0.0.1:{subject.port}", "--", *arguments],
        capture_output=True, text=True, check=True,
    )
    used = subject.processor_seconds() - before
    found = re.search(r"RESULT (.*)", run.stdout)
    result = json.loads(found[1])
    expected = result["requests"] if refusals_expected else 0
    if result["failed"] or result["refused"] != expected:
        raise SystemExit(f"{subject.name}: {arguments[:2]}: not as expected: {result}\n{run.stdout}")
    return Measured(
        per_second=result["requests"] / result["seconds"], p50=result["p50"], p99=result["p99"],
        processor=used / max(1, result["requests"]) * 1e6, megabytes=subject.megabytes(),
    )
