"""How fast and how heavy the program is, side by side with others in one run.

    make bench                                everything that is installed here, medians of three rounds
    python3 -B Tests/Benchmarks/bench.py --only pages,start --seconds 2 --rounds 1
    make bench ARGS=--strict                  fails if one of its targets is missed

Every figure is taken in turn with the others of its table, on loopback, and reported as a ratio, which
holds even if the machine is slow. What is not installed is named and left out; the peers that are
installed or built for this are kept in `.build/benchmarks`.
"""

import argparse
import dataclasses
import json
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import load
import subjects
from load import Journey, Measured, Request
from program import PASSWORD, PROGRAM, Program
from subjects import MAIN, Missing, Route, Subject

JSON = (("Accept", "application/json"),)
C = "C program, constant page"
MUSTACHE = "Hummingbird + swift-mustache, a page like it"
PAGE = "GET /sign-in, fresh"
TWIN = "its JSON twin"
REFUSED = "POST /sign-in, empty fields, 422"
CALL = "POST /forgot-password, unknown, 422"
ACCOUNT = "GET /account, signed in"

# What a stub of Clerk's Frontend API answers at once to a sign-in; a number is put in place of the trace id.
REFUSAL = json.dumps({
    "errors": [{"code": "form_password_incorrect", "message": "is incorrect",
                "long_message": "Password is incorrect. Try again, or use another method.",
                "meta": {"param_name": "password"}}],
    "clerk_trace_id": "0123456789abcdef0123456789abcdef",
}).encode()

SIGN_IN = Journey("form_token", (
    "GET /sign-in",
    f"POST /sign-in form_token={{token}}&identifier=ada@example.com&password={PASSWORD}",
    "GET /account",
))
SIGN_UP = Journey("form_token", (
    "GET /sign-up",
    f"POST /sign-up form_token={{token}}&email_address=n{{n}}%2Bclerk_test@example.com&password={PASSWORD}",
    "GET /sign-up/verify",
    "POST /sign-up/verify form_token={token}&code=424242",
    "GET /account",
))
RESET = Journey("form_token", (
    "GET /forgot-password",
    "POST /forgot-password form_token={token}&identifier=rosa{browser}%2Bclerk_test@example.com",
    "GET /forgot-password/code",
    "POST /forgot-password/code form_token={token}&code=424242",
    "GET /forgot-password/new",
    "POST /forgot-password/new form_token={token}&password=walk-right-in-{n}",
    "GET /account",
))
ALLAUTH_SIGN_IN = Journey("csrfmiddlewaretoken", (
    "GET /accounts/login/",
    f"POST /accounts/login/ csrfmiddlewaretoken={{token}}&login=ada@example.com&password={PASSWORD}",
    "GET /accounts/email/",
))
ALLAUTH_SIGN_UP = Journey("csrfmiddlewaretoken", (
    "GET /accounts/signup/",
    "POST /accounts/signup/ csrfmiddlewaretoken={token}&email=n{n}%2Bclerk_test@example.com"
    f"&password1={PASSWORD}",
    "GET /accounts/confirm-email/",
    "POST /accounts/confirm-email/ csrfmiddlewaretoken={token}&code=424242",
    "GET /accounts/email/",
))
ALLAUTH_RESET = Journey("csrfmiddlewaretoken", (
    "GET /accounts/password/reset/",
    "POST /accounts/password/reset/ csrfmiddlewaretoken={token}&email=rosa{browser}%2Bclerk_test@example.com",
    "GET /accounts/password/reset/confirm/",
    "POST /accounts/password/reset/confirm/ csrfmiddlewaretoken={token}&code=424242",
    "GET /accounts/password/reset/complete/",
    "POST /accounts/password/reset/complete/ csrfmiddlewaretoken={token}"
    "&password1=walk-right-in-{n}&password2=walk-right-in-{n}",
    "GET /accounts/email/",
))


@dataclasses.dataclass
class Aim:
    """A figure, and the bound that it must keep."""

    name: str
    now: float
    least: float | None = None
    most: float | None = None

    @property
    def is_reached(self) -> bool:
        return (self.least is None or self.now >= self.least) and (self.most is None or self.now <= self.most)

    def row(self) -> str:
        bound = f"{self.least:,g} or more" if self.most is None else f"{self.most:,g} or less"
        return f"| {self.name} | {self.now:,.4g} | {bound} | {'reached' if self.is_reached else '**missed**'} |"


class Bench:
    """One run: the folder, the rounds, the rows."""

    def __init__(self, options):
        self.options = options
        self.stack = ExitStack()
        self.folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.kept = MAIN / ".build" / "benchmarks"
        self.kept.mkdir(parents=True, exist_ok=True)
        self.left_out: list[str] = []
        self.aims: list[Aim] = []

    def aim(self, name: str, now: float, **bound: float) -> None:
        self.aims.append(Aim(name, now, **bound))

    def start(self, make, *arguments, **named) -> Subject | None:
        try:
            subject = make(*arguments, **named)
        except Missing as missing:
            self.left_out.append(str(missing))
            return None
        self.stack.callback(subject.stop)
        return subject

    def vestibule(self, *options: str) -> Subject:
        return self.start(Program, self.options.program, *options)

    def in_turn(self, runs: dict[str, tuple[Subject | None, Request | Journey]]) -> dict[str, Measured]:
        """Each load for some seconds, one after the other, round after round; the medians."""
        runs = {name: run for name, run in runs.items() if run[0]}
        rounds: dict[str, list[Measured]] = {name: [] for name in runs}
        for name, (subject, asked) in runs.items():
            load.measure(subject, asked, max(1, self.options.seconds // 4))
        for _ in range(self.options.rounds):
            for name, (subject, asked) in runs.items():
                rounds[name].append(load.measure(subject, asked, self.options.seconds))
        return {name: median(measured) for name, measured in rounds.items()}


def median(measured: list[Measured]) -> Measured:
    def middle(name):
        return statistics.median(getattr(one, name) for one in measured)

    return Measured(*(middle(field.name) for field in dataclasses.fields(Measured)))


def form(subject: Subject, path: str) -> tuple[str, str]:
    """The token of a page's main form, and the cookies that belong to it."""
    _, headers, body = subject.ask("GET", path, Accept="application/json")
    cookies = "; ".join(line.split(";")[0] for line in headers.get_all("Set-Cookie") or [])
    return json.loads(body)["forms"][0]["token"], cookies


def post(subject: Subject, path: str, fields: str, status: int) -> Request:
    token, cookies = form(subject, path)
    return Request("POST", path, f"form_token={token}&{fields}", (("Cookie", cookies),), status)


def signed_in(subject: Subject) -> str:
    token, cookies = form(subject, "/sign-in")
    body = f"form_token={token}&identifier=ada@example.com&password={PASSWORD}"
    status, headers, _ = subject.ask("POST", "/sign-in", body, Cookie=cookies)
    assert status == 303, status
    return "; ".join(line.split(";")[0] for line in headers.get_all("Set-Cookie"))


def yardstick(bench: Bench, vestibule: Subject) -> tuple[Subject | None, Subject | None]:
    """The C program and nginx, with the bytes of our own fresh sign-in page."""
    c = bench.start(subjects.constant_page, bench.folder, vestibule)
    return c, bench.start(subjects.nginx, bench.folder, vestibule.ask("GET", "/sign-in")[2])


def page_runs(bench: Bench) -> dict[str, tuple[Subject | None, Request]]:
    vestibule = bench.vestibule("--in-memory")
    c, nginx = yardstick(bench, vestibule)
    return {
        C: (c, Request("GET", subjects.PAGE)),
        "nginx, the page as a file": (nginx, Request("GET", subjects.PAGE)),
        MUSTACHE: (bench.start(subjects.hummingbird, bench.kept), Request("GET", "/sign-in")),
        PAGE: (vestibule, Request("GET", "/sign-in")),
        TWIN: (vestibule, Request("GET", "/sign-in", headers=JSON)),
        REFUSED: (vestibule, post(vestibule, "/sign-in", "identifier=&password=&vary={n}", 422)),
        CALL: (vestibule, post(vestibule, "/forgot-password", "identifier=n{n}@example.com", 422)),
        ACCOUNT: (vestibule, Request("GET", "/account", headers=(("Cookie", signed_in(vestibule)),))),
    }


def pages(bench: Bench) -> None:
    measured = bench.in_turn(page_runs(bench))
    table("Pages, emulator in process", measured, C)
    page, twin = measured[PAGE], measured[TWIN]
    if c := measured.get(C):
        bench.aim("Page × C", page.per_second / c.per_second, least=0.6)
        bench.aim("Page's p99 × C's", page.p99 / c.p99, most=1.2)
        bench.aim("Refused form × C", measured[REFUSED].per_second / c.per_second, least=0.2)
    if mustache := measured.get(MUSTACHE):
        bench.aim("Page × Hummingbird + swift-mustache", page.per_second / mustache.per_second, least=4)
    bench.aim("JSON twin × page", twin.per_second / page.per_second, least=1)
    bench.aim("Resets of an unknown address, per second", measured[CALL].per_second, least=5_000)
    bench.aim("Account pages, per second", measured[ACCOUNT].per_second, least=4_000)


def relay(bench: Bench) -> None:
    emulated = bench.vestibule("--in-memory", "--emulator-port", "0")
    emulator = Subject("emulator", emulated.process, emulated.next_port())
    environment = emulator.ask("GET", "/v1/environment")[2]
    json_type = {"Content-Type": "application/json"}
    stub = bench.start(subjects.constant, bench.folder, [
        Route("GET", "/v1/environment", 200, environment, json_type),
        Route("GET", "/v1/client", 200, b'{"response":null,"client":null}', json_type),
        Route("POST", "/v1/client/sign_ins", 422, REFUSAL, json_type),
    ], name="stub")
    if not stub:
        return
    vestibule = bench.vestibule(
        "--in-memory", "--throttle", "off", "--frontend-api-url", f"http://127.0.0.1:{stub.port}")
    relayed_form = "POST /sign-in relayed to it, 422"
    runs = {
        "the stub itself": (stub, Request("POST", "/v1/client/sign_ins", "identifier={n}", status=422)),
        relayed_form: (
            vestibule, post(vestibule, "/sign-in", f"identifier=n{{n}}@example.com&password={PASSWORD}", 422)),
    }
    measured = bench.in_turn(runs)
    table("Relayed over a socket to a stub that answers at once", measured, "the stub itself")
    one = {name: load.measure(*run, bench.options.seconds, connections=1) for name, run in runs.items()}
    direct, relayed = (one[name].p50 for name in runs)
    added = (relayed - direct) * 1000
    print(f"Added at p50, one connection: {added:.0f} µs\n")
    bench.aim("Relayed forms, per second", measured[relayed_form].per_second, least=8_000)
    bench.aim("Added to a relayed form at p50, µs", added, most=150)


def journeys(bench: Bench) -> None:
    users = bench.folder / "users.json"
    users.write_text(json.dumps([
        {"email_addresses": [address], "password": PASSWORD}
        for address in ("ada@example.com", *(f"rosa{browser}+clerk_test@example.com" for browser in range(8)))
    ]))
    options = ("--users", str(users))
    memory = bench.vestibule("--in-memory", *options)
    stored = bench.vestibule("--data", str(bench.folder / "stored"), *options)
    cheapest = bench.start(subjects.allauth, bench.kept, "cheapest")
    default = bench.start(subjects.allauth, bench.kept, "default")
    peer, ours = "django-allauth, cheapest hash", "--in-memory"
    for title, runs in (
        ("Sign-ins", {peer: (cheapest, ALLAUTH_SIGN_IN), ours: (memory, SIGN_IN)}),
        ("Sign-ups", {peer: (cheapest, ALLAUTH_SIGN_UP), ours: (memory, SIGN_UP)}),
        ("Password resets", {peer: (cheapest, ALLAUTH_RESET), ours: (memory, RESET)}),
    ):
        measured = bench.in_turn(runs)
        table(f"{title} over HTTP, eight browsers", measured, peer)
        if peer in measured:
            bench.aim(f"{title} × django-allauth", measured[ours].per_second / measured[peer].per_second, least=6)
    peer, ours = "django-allauth, default hash", "stored"
    measured = bench.in_turn({peer: (default, ALLAUTH_SIGN_IN), ours: (stored, SIGN_IN)})
    table("Sign-ins over HTTP, passwords hashed at the default cost", measured, peer)
    if peer in measured:
        bench.aim("Stored sign-ins × django-allauth", measured[ours].per_second / measured[peer].per_second, least=10)


def start(bench: Bench) -> None:
    """From the start of the process to the first page, and the memory then."""
    milliseconds, megabytes = [], []
    for _ in range(max(5, bench.options.rounds)):
        before = time.perf_counter()
        with Program(bench.options.program, "--in-memory") as program:
            status, _, _ = program.ask("GET", "/sign-in")
            milliseconds.append((time.perf_counter() - before) * 1000)
            assert status == 200, status
            megabytes.append(program.megabytes())
    print("## Start\n")
    time_taken, memory = statistics.median(milliseconds), statistics.median(megabytes)
    print(f"First page after {time_taken:.0f} ms, {memory:.0f} MB then\n")
    bench.aim("First page after its start, ms", time_taken, most=40)
    bench.aim("Memory then, MB", memory, most=32)


def table(title: str, measured: dict[str, Measured], base: str) -> None:
    print(f"## {title}\n")
    print("| | per second | ratio | p50 ms | p99 ms | processor µs | MB |\n|---|--:|--:|--:|--:|--:|--:|")
    unit = measured[base].per_second if base in measured else None
    for name, one in measured.items():
        ratio = f"{one.per_second / unit:.3f}" if unit else "–"
        times = f"{one.p50:.2f} | {one.p99:.2f}"
        used = f"{one.processor:,.0f} | {one.megabytes:.0f}"
        print(f"| {name} | {one.per_second:,.0f} | {ratio} | {times} | {used} |")
    print(flush=True)


SECTIONS = {"pages": pages, "relay": relay, "journeys": journeys, "start": start}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--seconds", type=int, default=5, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--strict", action="store_true", help="fail if a target is missed, or could not be measured")
    parser.add_argument("--only", default=",".join(SECTIONS), help="of " + ", ".join(SECTIONS))
    options = parser.parse_args()
    try:
        load.check_tools()
    except Missing as missing:
        raise SystemExit(f"Missing: {missing}") from None
    bench = Bench(options)
    with bench.stack:
        for section in options.only.split(","):
            SECTIONS[section](bench)
    print("## Targets\n\n| | now | target | |\n|---|--:|--:|---|")
    for aim in bench.aims:
        print(aim.row())
    for name in bench.left_out:
        print(f"Left out: {name}")
    missed = [aim.name for aim in bench.aims if not aim.is_reached] + bench.left_out
    if options.strict and missed:
        raise SystemExit(f"Missed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
