#!/usr/bin/env python3
"""Compares what a page, its twin, a refused form, an account page and a sign-in cost with what they cost when this was
written; a page in Arabic with a brand with the plain page; and a page and a sign-in in one of 200 worlds, each with a
story, with those in a world that is alone.

    make gate                                               the release program
    python3 -B Tests/Benchmarks/gate.py --build debug       the program that the tests build, as CI does

`VESTIBULE_PROGRAM` names another program, which is compared with the same figures, of a release or a debug program.

What the first five cost is counted in instructions, by qemu-user: nothing else that the machine does counts, and a
small increase is enough to show. They are not counted with another compiler or kind of processor than the figures below
are for, or without qemu-user: then processor time is compared instead, as a ratio to that of the C program, which
answers with the same bytes over the same library in the same run, request by request in turn. So neither the speed of
the machine nor other work on it matters much. The pairs are always compared by processor time. What others do to the
caches of a shared machine does matter, for minutes at a time, and only ever makes things dearer; so whatever is too
slow is measured again, and the cheapest counts. A figure may exceed the one below by its tolerance; if it exceeds that
every time, this ends with 1. If something has become cheaper for good, lower its figures below.
"""

import argparse
import contextlib
import json
import os
import platform
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import subjects
from instructions import CountedProgram
from program import Browser, Program
from subjects import Missing

# Thousands of instructions of the program.
INSTRUCTIONS = {
    "release": {"page": 105, "twin": 105, "refused form": 245, "account": 1_540, "sign-in": 11_890},
    "debug": {"page": 928, "twin": 930, "refused form": 1_650, "account": 10_700, "sign-in": 44_700},
}
# With which Swift, and for which processor.
COUNTED_FOR = "6.3", "x86_64"
INSTRUCTIONS_TOLERANCE = 1.05
# How often each is asked before and while it is counted.
COUNTED = 20
# Processor time of the program, as a multiple of the C program's for its constant page.
RATIOS = {
    "release": {"page": 3.4, "twin": 3.4, "refused form": 10.0, "account": 27.0, "sign-in": 130.0},
    "debug": {"page": 15.0, "twin": 15.0, "refused form": 38.0, "account": 138.0, "sign-in": 460.0},
}
TOLERANCE = 1.3
# How often it is measured if something is too slow.
TRIES = 10
# How much a page in another language with a brand may cost, as a multiple of the plain one.
BRANDED = 1.1
# How many worlds there are at once, each with a story, and how much more a request to one of them may then cost.
WORLDS, CROWDED = 200, 1.2
BRAND = str(subjects.MAIN / "templates" / "brands" / "zap" / "brand.json")
# How often each is asked in a round, so that all take about as long.
COUNTS = {"C": 100, "page": 50, "branded page": 50, "twin": 50, "refused form": 25, "account": 10, "sign-in": 4}
COUNTS |= {"story": 50, "story of many": 50, "its sign-in": 4, "sign-in of many": 4}
# In each of these pairs, the cost of one is given as a multiple of the other's.
COMPARED = {"story of many": ("story", CROWDED), "sign-in of many": ("its sign-in", CROWDED), "branded page": ("page", BRANDED)}
PAIRED = set(COMPARED) | {plain for plain, _ in COMPARED.values()}


def expect(status, expected):
    if status != expected:
        raise SystemExit(f"answered {status}, not {expected}")


def world_with_story(program, number):
    """The name of a new world in which a story begins: each story in turn."""
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


def own_acts(program):
    """What is compared with figures, by name: functions that ask once."""
    fresh, twin = Browser(program, accept="text/html"), Browser(program)
    refused, person = Browser(program, accept="text/html"), Browser(program)
    member = Browser(program, accept="text/html")
    expect(refused.open("/sign-in"), 200)
    expect(member.sign_in("ada@example.com"), 200)

    def fresh_page():
        fresh.cookies.clear()
        expect(fresh.open("/sign-in"), 200)

    def fresh_twin():
        twin.cookies.clear()
        expect(twin.open("/sign-in"), 200)

    def refused_form():
        # One field varies; otherwise the guard against double submits would answer without doing the work.
        expect(refused.submit({"identifier": "", "password": "", "vary": refused.count}), 422)

    return {
        "page": fresh_page,
        "twin": fresh_twin,
        "refused form": refused_form,
        "account": lambda: expect(member.open("/account"), 200),
        "sign-in": lambda: expect(person.sign_in("ada@example.com"), 200),
    }


def acts(program, branded, alone, crowded):
    """What is measured, by name: who answers, and a function that asks once."""
    arabic = Browser(branded, accept="text/html", language="ar")

    def branded_page():
        arabic.cookies.clear()
        expect(arabic.open("/sign-in"), 200)

    story, its_sign_in = story_acts(alone, 1)
    story_of_many, sign_in_of_many = story_acts(crowded, WORLDS)
    return {
        **{name: (program, act) for name, act in own_acts(program).items()},
        "branded page": (branded, branded_page),
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


def measured(program, rounds, names):
    """Each one's ratio to the first of these, by the cheapest of many short rounds, the one least disturbed."""
    options = ["--in-memory", "--throttle", "off"]
    with contextlib.ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        vestibule, alone, crowded = (running.enter_context(Program(program, *options)) for _ in range(3))
        branded = running.enter_context(Program(program, *options, "--brand", BRAND))
        asked = acts(vestibule, branded, alone, crowded)
        if "C" in names:
            c = running.enter_context(subjects.constant_page(folder, vestibule))
            constant = Browser(c)
            asked["C"] = c, lambda: expect(constant.open(subjects.PAGE), 200)
        costs = [{name: cost(*asked[name], COUNTS[name]) for name in names} for _ in range(rounds)]
    cheapest = {name: min(costs_of_round[name] for costs_of_round in costs) for name in names}
    return {name: cheapest[name] / cheapest[names[0]] for name in names}


def counted(path):
    """Thousands of instructions of one request, by name; raises Missing where no figures are known to compare them with."""
    version, processor = COUNTED_FOR
    swift = shutil.which("swift")
    known = swift and subprocess.run([swift, "--version"], capture_output=True, text=True).stdout
    if platform.machine() != processor or f"Swift version {version}" not in (known or ""):
        raise Missing(f"figures of this compiler and processor: they are of Swift {version} on {processor}")
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        with CountedProgram(Path(folder), path, "--in-memory", "--throttle", "off") as program:
            asked = own_acts(program)
            # The first sign-in waits for the key of the world's session tokens, which is made in the background.
            asked["sign-in"]()
            for name, act in asked.items():
                for _ in range(COUNTED):
                    act()
                before = program.instructions()
                for _ in range(COUNTED):
                    act()
                found[name] = (program.instructions() - before) / COUNTED / 1_000
    return found


def judged_by_instructions(path, figures):
    """Which of them are too many; None if they cannot be counted, which is printed."""
    try:
        found = counted(path)
    except Missing as missing:
        print(f"Only processor time, not instructions, since this is missing: {missing}\n")
        return None
    dear = {name for name, count in found.items() if count > figures[name] * INSTRUCTIONS_TOLERANCE}
    print(f"{'instructions':<16}{'thousands':>10}{'at most':>10}")
    for name, count in found.items():
        limit = figures[name] * INSTRUCTIONS_TOLERANCE
        print(f"{name:<16}{count:>10,.0f}{limit:>10,.0f}{'  too many' if name in dear else ''}")
    print(flush=True)
    return dear


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", choices=RATIOS, default="release")
    parser.add_argument("--rounds", type=int, default=40)
    arguments = parser.parse_args()
    ratios = RATIOS[arguments.build]
    built = subjects.MAIN / ".build" / arguments.build / "vestibule"
    program = os.path.abspath(os.environ.get("VESTIBULE_PROGRAM") or built)
    dear = judged_by_instructions(program, INSTRUCTIONS[arguments.build])
    if dear is None:
        names, held, dear = list(COUNTS), ratios, set()
    else:
        names, held = [name for name in COUNTS if name in PAIRED], {}
    found, slow = {}, set()
    for _ in range(TRIES):
        again = measured(program, arguments.rounds, names)
        found = {name: min(ratio, found.get(name, ratio)) for name, ratio in again.items()}
        limits = {name: ratio * TOLERANCE for name, ratio in held.items()}
        limits |= {name: found[plain] * times for name, (plain, times) in COMPARED.items()}
        slow = {name for name, limit in limits.items() if found[name] > limit}
        if not slow:
            break
    print(f"{'processor time':<16}{'× ' + names[0]:>8}{'at most':>10}")
    for name, ratio in list(found.items())[1:]:
        limit = f"{limits[name]:>10.2f}" if name in limits else ""
        print(f"{name:<16}{ratio:>8.2f}{limit}{'  too slow' if name in slow else ''}")
    raise SystemExit(1 if slow or dear else 0)


if __name__ == "__main__":
    main()
