#!/usr/bin/env python3
"""Holds what a page, its twin, a refused form and a sign-in cost against what they cost when this was written, a page
in Arabic with a brand against the plain one, and a page and a sign-in of a world with a story that has 199 others beside it
against those of one that has none.

    make gate                                               the release program
    python3 -B Tests/Benchmarks/gate.py --build debug       the one that the tests are of, as CI has it

The cost is processor time, told as a ratio to that of the C program, which answers with the same bytes over the same
library in the same run, request by request in turn: so neither the speed of the machine nor what else it does counts
for much. What others do to the caches of a shared machine does count, for minutes at a time, and only ever makes
things dearer: so what is too slow is measured again, and the cheapest counts. A ratio may be TOLERANCE times the one
below; where it is more each time, this ends with 1. Where something has become cheaper for good, its ratio below goes
down with it.
"""

import argparse
import contextlib
import json
import re
import tempfile
from pathlib import Path

import subjects
from program import Browser, Program

# Processor time of the program, as a multiple of the C program's for its constant page.
RATIOS = {
    "release": {"page": 3.5, "twin": 3.5, "refused form": 14.5, "sign-in": 155.0},
    "debug": {"page": 18.0, "twin": 17.5, "refused form": 52.0, "sign-in": 725.0},
}
TOLERANCE = 1.3
# How often it is measured, where something is too slow.
TRIES = 10
# How much a page in another language with a brand may cost, as a multiple of the plain one.
BRANDED = 1.1
# How many worlds there are at once, each with a story, and how much that may cost what one of them is asked.
WORLDS, CROWDED = 200, 1.2
BRAND = str(subjects.MAIN / "templates" / "brands" / "zap" / "brand.json")
# How often each is asked in a round: about as long, all of them.
COUNTS = {"C": 100, "page": 50, "branded page": 50, "twin": 50, "refused form": 25, "sign-in": 4}
COUNTS |= {"story": 50, "story of many": 50, "its sign-in": 4, "sign-in of many": 4}
# Of these, what one costs is told as a multiple of the other.
COMPARED = {"story of many": ("story", CROWDED), "sign-in of many": ("its sign-in", CROWDED), "branded page": ("page", BRANDED)}


def expect(status, expected):
    if status != expected:
        raise SystemExit(f"answered {status}, not {expected}")


def world_with_story(program, number):
    """The name of a new world in which a story begins: each of them in turn."""
    stories = json.loads(program.backstage("GET", "stories")[1])
    name = stories[number % len(stories)]["name"]
    status, headers, body = program.ask("POST", f"/backstage/api/stories/{name}", X_Vestibule_Backstage="1")
    found = re.match(r"http://([^.]+)\.", headers["Location"] or "")
    if status != 303 or not found:
        raise SystemExit(f"the story {name} did not begin: {status}, {body.decode()}")
    return found[1]


def story_acts(program, count):
    """A page and a sign-in in the first of so many worlds, each with its story."""
    worlds = [world_with_story(program, number) for number in range(count)]
    page, person = (Browser(program, worlds[0], accept) for accept in ("text/html", "application/json"))

    def story_page():
        page.cookies.clear()
        expect(page.open("/sign-in"), 200)

    return (program, story_page), (program, lambda: expect(person.sign_in("ada@example.com"), 200))


def acts(c, program, branded, alone, crowded):
    """What is measured, by name: who answers, and a function that asks once."""
    constant, fresh, twin = Browser(c), Browser(program, accept="text/html"), Browser(program)
    arabic = Browser(branded, accept="text/html", language="ar")
    refused, person = Browser(program, accept="text/html"), Browser(program)
    expect(refused.open("/sign-in"), 200)

    def fresh_page():
        fresh.cookies.clear()
        expect(fresh.open("/sign-in"), 200)

    def branded_page():
        arabic.cookies.clear()
        expect(arabic.open("/sign-in"), 200)

    def fresh_twin():
        twin.cookies.clear()
        expect(twin.open("/sign-in"), 200)

    def refused_form():
        # A field varies, or the guard against double submits would answer in place of the work.
        expect(refused.submit({"identifier": "", "password": "", "vary": refused.count}), 422)

    story, its_sign_in = story_acts(alone, 1)
    story_of_many, sign_in_of_many = story_acts(crowded, WORLDS)
    return {
        "C": (c, lambda: expect(constant.open(subjects.PAGE), 200)),
        "page": (program, fresh_page),
        "branded page": (branded, branded_page),
        "twin": (program, fresh_twin),
        "refused form": (program, refused_form),
        "sign-in": (program, lambda: expect(person.sign_in("ada@example.com"), 200)),
        "story": story,
        "story of many": story_of_many,
        "its sign-in": its_sign_in,
        "sign-in of many": sign_in_of_many,
    }


def cost(subject, act, count):
    """Seconds of processor time for one request."""
    before = subject.processor_seconds()
    for _ in range(count):
        act()
    return (subject.processor_seconds() - before) / count


def measured(program, rounds):
    """The ratios: of each the cheapest of many short rounds, the one that was least disturbed."""
    options = ["--in-memory", "--throttle", "off"]
    with contextlib.ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        vestibule, alone, crowded = (running.enter_context(Program(program, *options)) for _ in range(3))
        branded = running.enter_context(Program(program, *options, "--brand", BRAND))
        c = running.enter_context(subjects.constant_page(folder, vestibule))
        asked = acts(c, vestibule, branded, alone, crowded)
        costs = [{name: cost(*asked[name], count) for name, count in COUNTS.items()} for _ in range(rounds)]
    cheapest = {name: min(costs_of_round[name] for costs_of_round in costs) for name in COUNTS}
    return {name: cheapest[name] / cheapest["C"] for name in COUNTS if name != "C"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", choices=RATIOS, default="release")
    parser.add_argument("--rounds", type=int, default=40)
    arguments = parser.parse_args()
    ratios = RATIOS[arguments.build]
    program = str(subjects.MAIN / ".build" / arguments.build / "vestibule")
    found, slow = {}, set()
    for _ in range(TRIES):
        again = measured(program, arguments.rounds)
        found = {name: min(ratio, found.get(name, ratio)) for name, ratio in again.items()}
        limits = {name: ratio * TOLERANCE for name, ratio in ratios.items()}
        limits |= {name: found[plain] * times for name, (plain, times) in COMPARED.items()}
        slow = {name for name, limit in limits.items() if found[name] > limit}
        if not slow:
            break
    print(f"{'processor time':<16}{'× C':>8}{'at most':>10}")
    for name, ratio in found.items():
        limit = f"{limits[name]:>10.1f}" if name in limits else ""
        print(f"{name:<16}{ratio:>8.1f}{limit}{'  too slow' if name in slow else ''}")
    raise SystemExit(1 if slow else 0)


if __name__ == "__main__":
    main()
