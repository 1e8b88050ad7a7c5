#!/usr/bin/env python3
"""Crowds the program with slow clients, and checks whether others notice (S6).

    make slowclients                                                    4,000 clients, a minute and a half
    python3 -B Tests/Benchmarks/slow_clients.py --small --program P     200 clients, some seconds, as CI does: others may take three times as long as without them

Four kinds: a head that comes byte by byte, a body that does, a client that asks for many pages and reads none, and one
that is answered and then says nothing. First a few of each, for which there is room: each is closed at its deadline,
and not before. Then as many as were asked for, 200 per second; a client that is closed, to make room or at the
deadline, comes again. Meanwhile another address asks for pages and sends forms, each on a connection of its own: all
are answered, and 99 of 100 within 100 ms. In the end the program has as many files open as before. One line sums it up;
exits with 1 if anything is wrong.
"""

import argparse
import http.client
import itertools
import json
import multiprocessing
import resource
import select
import socket
import sys
import time
import urllib.parse
from collections import deque

from program import PROGRAM, Program

# Seconds from the end of what was sent at once, by Sources/MicroHTTPServer/Options.swift.
DEADLINES = {"head": 5, "body": 10, "reads nothing": 30, "idle": 30}
# What may be added to a deadline: the interval of the sweeps, and what a busy machine takes.
SLACK = 2.0
LIMIT_MS = 100
SLOW_ADDRESS, OTHER_ADDRESS = "127.0.0.2", "127.0.0.1"
TICKS_A_SECOND = 10
FILE = "/public/backstage.css"


class SlowClient:
    def __init__(self, kind, program):
        self.kind, self.port = kind, program.port
        self.socket = socket.socket()
        self.socket.setblocking(False)
        if kind == "reads nothing":
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.bind((SLOW_ADDRESS, 0))
        self.socket.connect_ex(("127.0.0.1", self.port))
        self.begun = False
        self.since = time.monotonic()

    def begin(self, authority):
        """Sends what is not slow, once there is a connection."""
        self.begun = True
        self.since = time.monotonic()
        page = f"GET /sign-in HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode()
        form = (
            f"POST /sign-in HTTP/1.1\r\nHost: {authority}\r\nContent-Length: 60000\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        ).encode()
        # More than the kernel buffers for a client that does not read, and no work to produce.
        files = f"GET {FILE} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode() * 200
        first = {"head": page[:20], "body": form, "reads nothing": files, "idle": page}[self.kind]
        self.socket.send(first)

    def drip(self):
        # A client that reads nothing learns of the end only by the answer to a further byte.
        if self.begun and self.kind != "idle":
            self.socket.send(b"a")


class Crowd:
    """Many of them, some of each kind."""

    def __init__(self, program, count, rate, comes_again):
        self.program, self.rate, self.comes_again = program, rate, comes_again
        self.waiting = deque(itertools.islice(itertools.cycle(DEADLINES), count))
        self.clients = {}
        self.epoll = select.epoll()
        self.lives = {kind: [] for kind in DEADLINES}

    def hold(self, seconds):
        begin = time.monotonic()
        opened, tick = 0, 0
        while (now := time.monotonic()) < begin + seconds and (self.waiting or self.clients):
            while self.waiting and opened < self.rate * (now - begin):
                self.open(self.waiting.popleft())
                opened += 1
            if tick < TICKS_A_SECOND * (now - begin):
                tick += 1
                for number, client in list(self.clients.items()):
                    if number % TICKS_A_SECOND == tick % TICKS_A_SECOND:
                        self.trying(client, client.drip)
            for number, events in self.epoll.poll(0.01):
                self.noticed(self.clients[number], events)

    def open(self, kind):
        client = SlowClient(kind, self.program)
        self.clients[client.socket.fileno()] = client
        self.epoll.register(client.socket, select.EPOLLOUT | select.EPOLLRDHUP)

    def noticed(self, client, events):
        if events & (select.EPOLLHUP | select.EPOLLERR | select.EPOLLRDHUP):
            return self.closed(client)
        if events & select.EPOLLOUT and not client.begun:
            reads = 0 if client.kind == "reads nothing" else select.EPOLLIN | select.EPOLLRDHUP
            self.epoll.modify(client.socket, reads)
            self.trying(client, lambda: client.begin(self.program.authority))
        elif events & select.EPOLLIN:
            self.trying(client, lambda: self.read(client))

    def read(self, client):
        if not client.socket.recv(1 << 16):
            self.closed(client)
        elif client.kind == "idle":
            client.since = time.monotonic()

    def trying(self, client, act):
        try:
            act()
        except BlockingIOError:
            pass
        except OSError:
            self.closed(client)

    def closed(self, client):
        if self.clients.pop(client.socket.fileno(), None) is None:
            return
        self.epoll.unregister(client.socket)
        client.socket.close()
        if client.begun:
            self.lives[client.kind].append(time.monotonic() - client.since)
        if self.comes_again:
            self.waiting.append(client.kind)

    def disperse(self):
        for client in self.clients.values():
            client.socket.close()
        self.clients.clear()


def ask(port, authority, method, body=None, cookie=""):
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=(OTHER_ADDRESS, 0))
    headers = {"Host": authority, "Accept": "application/json"}
    if body is not None:
        headers |= {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
    connection.request(method, "/sign-in", body, headers)
    response = connection.getresponse()
    answer = response.status, response.headers, response.read()
    connection.close()
    return answer


def probe(port, authority, pipe):
    """Asks for the page and sends its form until it is told to end; says how long each took, and what failed."""
    times, failures = [], []

    def timed(expected, *request):
        begin = time.monotonic()
        try:
            answer = ask(port, authority, *request)
            times.append(time.monotonic() - begin)
            if answer[0] == expected:
                return answer
            failures.append(f"{request[0]} was answered {answer[0]}")
        except (OSError, http.client.HTTPException) as error:
            failures.append(f"{request[0]}: {error!r}")
        return None

    for number in itertools.count():
        if pipe.poll():
            break
        if page := timed(200, "GET"):
            cookie = page[1]["Set-Cookie"].split(";")[0]
            token = json.loads(page[2])["forms"][0]["token"]
            form = {"form_token": token, "identifier": f"nobody{number}@example.com", "password": "not-it-1"}
            timed(422, "POST", urllib.parse.urlencode(form), cookie)
        time.sleep(0.01)
    pipe.send((times, failures))


class Probes:
    """Another client, in a process of its own, so that work on the crowd does not count as its time."""

    def __enter__(self):
        return self

    def __init__(self, program):
        self.pipe, theirs = multiprocessing.Pipe()
        arguments = (program.port, program.authority, theirs)
        self.process = multiprocessing.get_context("fork").Process(target=probe, args=arguments)
        self.process.start()
        self.times, self.failures = [], []

    def __exit__(self, *_):
        self.pipe.send("end")
        if self.pipe.poll(60):
            self.times, self.failures = self.pipe.recv()
        else:
            self.failures = ["the probes did not end"]
            self.process.kill()
        self.process.join()

    def percentile(self, part):
        return sorted(self.times)[int(len(self.times) * part)] * 1000 if self.times else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--small", action="store_true", help="200 clients, and only the deadlines below ten seconds")
    parser.add_argument("--clients", type=int)
    parser.add_argument("--seconds", type=float, help="how long the crowd is there")
    parser.add_argument("--rate", type=int, default=200, help="how many connect in a second")
    arguments = parser.parse_args()
    clients = arguments.clients or (200 if arguments.small else 4_000)
    seconds = arguments.seconds or (4 if arguments.small else 60)
    longest = 9 if arguments.small else 33
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = clients + 1_000 if most == resource.RLIM_INFINITY else min(clients + 1_000, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))

    failures = []
    with Program(arguments.program, "--in-memory") as program:
        if (status := program.ask("GET", FILE)[0]) != 200:
            failures.append(f"{FILE} was answered {status}")
        for _ in range(50):
            ask(program.port, program.authority, "GET")
        descriptors, before = program.settled_descriptors(), program.megabytes()
        few = Crowd(program, min(clients, 200), arguments.rate, comes_again=False)
        many = Crowd(program, clients, arguments.rate, comes_again=True)
        with Probes(program) as calm:
            few.hold(longest)
        with Probes(program) as crowded:
            many.hold(seconds)
        peak = program.peak_megabytes()
        few.disperse()
        many.disperse()
        left, after = program.settled_descriptors(descriptors, 40), program.megabytes()
        alive = program.process.poll() is None

    for kind, deadline in DEADLINES.items():
        if deadline + 0.5 > longest:
            continue
        lives = few.lives[kind]
        if len(lives) != min(clients, 200) // len(DEADLINES):
            failures.append(f"{kind}: {len(lives)} clients were closed at their deadline")
        elif min(lives) < deadline - 0.2 or max(lives) > deadline + SLACK:
            failures.append(f"{kind}: closed after {min(lives):.1f} to {max(lives):.1f} s, not {deadline}")
    for kind, lives in many.lives.items():
        if max(lives, default=0) > DEADLINES[kind] + SLACK:
            failures.append(f"{kind}: closed after {max(lives):.1f} s in the crowd, not {DEADLINES[kind]}")
    for probes in (calm, crowded):
        failures += sorted({f"{probes.failures.count(failure)} × {failure}" for failure in probes.failures})
    # A debug program on a machine that others share may be slow without a crowd, too.
    limit = max(LIMIT_MS, 3 * calm.percentile(0.99)) if arguments.small else LIMIT_MS
    if crowded.percentile(0.99) > limit:
        failures.append(f"99 of 100 probes took {crowded.percentile(0.99):.0f} ms; the limit is {limit:.0f}")
    if left != descriptors:
        failures.append(f"{left} files are open; before there were {descriptors}")
    if after > 96:
        failures.append(f"{after:.1f} MB are held; the limit is 96")
    if not alive:
        failures.append("the program has ended")
    for failure in failures:
        print(failure)
    lives = ", ".join(f"{kind} {max(lives):.1f} s" for kind, lives in few.lives.items() if lives)
    comings = sum(map(len, many.lives.values()))
    print(
        f"slowclients: {clients:,} for {seconds:.0f} s ({comings:,} times one was closed), {len(crowded.times):,} probes,"
        f" {len(calm.failures) + len(crowded.failures)} failed, p50 {crowded.percentile(0.5):.1f} ms,"
        f" p99 {crowded.percentile(0.99):.1f} ms ({calm.percentile(0.99):.1f} without); closed after: {lives}; {before:.1f} MB before, {peak:.1f} MB at most,"
        f" {after:.1f} MB after, {left - descriptors:+} descriptors: {'failed' if failures else 'ok'}"
    )
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
