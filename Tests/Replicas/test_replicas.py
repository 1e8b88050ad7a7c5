"""Three replicas behind the example for HAProxy, one auth API behind them, and people in the middle of their flows.

Usage: python3 -B -m unittest discover -s Tests/Replicas

VESTIBULE_PROGRAM names the program that is run, by default .build/release/vestibule; VESTIBULE_FLOWS says how many
flows there are, by default 500.
"""

import base64
import http.client
import json
import os
import random
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
PROGRAM = Path(os.environ.get("VESTIBULE_PROGRAM") or PROJECT / ".build/release/vestibule").resolve()
EXAMPLE = PROJECT / ".packaging/haproxy.cfg"
NAME = "sign-in.example.com"
FLOWS = int(os.environ.get("VESTIBULE_FLOWS") or 500)
WORKERS = 16
# Nothing from the caller's environment: the program's variables are options.
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
# Longer than a proxy takes to try another server, and than a page may take.
PATIENCE = 30


class Replica:
    """A program that serves pages on a port of its own, and can be started there again."""

    def __init__(self, port, options, log):
        self.port, self.options, self.log = port, options, log
        self.process = self.metrics_port = None

    def start(self):
        with open(self.log, "ab") as errors:
            self.process = subprocess.Popen(
                [str(PROGRAM), *self.options, "--port", str(self.port), "--metrics-port", "0"], env=ENVIRONMENT,
                stdout=subprocess.PIPE, stderr=errors, text=True)
        lines = self.process.stdout.readline() + self.process.stdout.readline()
        metrics = re.search(r":(\d+)/metrics ", lines)
        if "(pages)" not in lines or not metrics:
            raise AssertionError(f"a replica did not start: {lines}{self.log.read_text()}")
        self.metrics_port = int(metrics[1])

    def is_asked_again_and_again(self):
        """Whether the proxy has asked often enough for the replica to know that it will ask again."""
        connection = http.client.HTTPConnection("127.0.0.1", self.metrics_port, timeout=PATIENCE)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        counts = re.findall(r'^vestibule_http_requests_total\{[^}]*route="/readyz"[^}]*\} (\d+)$', text, re.M)
        return sum(map(int, counts)) >= 2

    def lines(self, word):
        # The last one may be half written.
        written = self.log.read_text().rpartition("\n")[0]
        return sum(1 for line in written.splitlines() if json.loads(line)["message"] == word)

    def reload(self):
        """Makes it read its files again, and waits until it says what came of that."""
        before = self.lines("reloaded"), self.lines("not reloaded")
        self.process.send_signal(signal.SIGHUP)
        wait_until(lambda: (self.lines("reloaded"), self.lines("not reloaded")) != before, "a replica read its files again")
        if self.lines("not reloaded") != before[1]:
            raise AssertionError(self.log.read_text())

    def end(self, number=signal.SIGTERM):
        if self.process:
            self.process.send_signal(number)
            self.process.communicate(timeout=PATIENCE)
        return self.process and self.process.returncode


class Failure(Exception):
    """A request that got no usable answer."""


class Person:
    """Somebody in front of a browser, at an address of their own, who keeps cookies and retries what fails."""

    def __init__(self, number, connect, failures):
        self.email = f"person-{number}@example.com"
        self.source = f"127.1.{number // 250}.{number % 250 + 1}"
        self.connect, self.failures = connect, failures
        self.cookies, self.connection, self.page = {}, None, None
        self.post_failures = 0

    def answer(self, method, path, body=None):
        headers = {"Host": NAME, "Accept": "application/json"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            self.connection = self.connection or self.connect(self.source)
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            text = answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"{method} {path}: {error!r}") from error
        if answer.status >= 500:
            raise Failure(f"{method} {path}: {answer.status} {text[:200]}")
        for field in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = field.partition(";")[0].partition("=")
            self.cookies[name] = value
        if (answer.headers.get("Connection") or "").lower() == "close":
            self.leave()
        return answer.status, answer.headers.get("Location"), text

    def leave(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def ask(self, method, path, body=None):
        """The answer; a request without one is noted, and repeated as it was."""
        end = time.monotonic() + PATIENCE
        while True:
            start = time.monotonic()
            try:
                return self.answer(method, path, body)
            except Failure as failure:
                self.leave()
                self.failures.append((start, time.monotonic(), str(failure)))
                self.post_failures += method == "POST"
                if time.monotonic() > end:
                    raise

    def open(self, path):
        for _ in range(5):
            status, location, text = self.ask("GET", path)
            if status != 303:
                self.page = json.loads(text)
                return status
            path = location
        raise AssertionError(f"{path} leads in a circle")

    def submit(self, **values):
        form = self.page["forms"][0]
        body = urllib.parse.urlencode({"form_token": form["token"], **values})
        status, location, text = self.ask("POST", form["action"], body)
        if status == 303:
            return self.open(location)
        self.page = json.loads(text)
        return status

    def begin(self):
        self.open("/sign-up")
        self.submit(email_address=self.email, password="walk-right-in-42")
        assert self.page["page"] == "sign-up-verify", self.page
        # The proxy would close it while others begin, as it does with an idle browser.
        self.leave()

    def finish(self, code):
        self.open("/sign-up/verify")
        assert self.page["page"] == "sign-up-verify", self.page
        assert self.submit(code="000000") == 422, self.page
        assert self.page["forms"][0]["fields"][0]["errors"][0]["code"] == "form_code_incorrect", self.page
        # If the code was accepted, but the answer with the session was lost with a replica, the auth API repeats it.
        self.submit(code=code)
        assert self.page["page"] == "account", self.page
        assert self.page["facts"]["user"]["identifier"] == self.email, self.page
        self.leave()


class ReplicaTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.keys = [base64.b64encode(os.urandom(32)).decode() for _ in range(2)]
        cls.write_keys(cls.keys[0])
        certificate, both = cls.folder / "certificate.pem", cls.folder / "both.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1",
             "-keyout", both, "-out", certificate], check=True, capture_output=True)
        both.write_text(both.read_text() + certificate.read_text())
        cls.context = ssl.create_default_context(cafile=certificate)

        # A code may be asked for as often as there are people, and a wrong one typed once by each.
        cls.api = subprocess.Popen([str(PROGRAM), "emulate", "--port", "0", "--in-memory", "--log-level", "error"],
                                   env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(lambda: (cls.api.terminate(), cls.api.communicate(timeout=PATIENCE)))
        cls.api_url = re.search(r"(http://\S+)/ ", cls.api.stdout.readline())[1]

        text = EXAMPLE.read_text()
        if os.geteuid():
            # Only root may become another user, or have another root.
            text = re.sub(r"(?m)^    (user|group|chroot) .+\n", "", text)
        options = re.search(r"^#\s+vestibule (.+)$", text, re.M)[1].replace("--port 8081", "").replace("KEYS", str(cls.folder / "keys"))
        ports = free_ports(5)
        cls.replicas = [
            Replica(port, [*options.split(), "--frontend-api-url", cls.api_url, "--in-memory", "--log-format", "json"],
                    cls.folder / f"{port}.log")
            for port in ports[:3]
        ]
        for replica in cls.replicas:
            cls.addClassCleanup(replica.end)
            replica.start()
        text = text.replace("/etc/haproxy/vestibule.pem", str(both))
        text = text.replace("bind :::80 v4v6\n", f"bind 127.0.0.1:{ports[3]}\n").replace("bind :::443 v4v6 ", f"bind 127.0.0.1:{ports[4]} ")
        text = text.replace("127.0.0.1:8081", f"127.0.0.1:{ports[0]}").replace("127.0.0.1:8082", f"127.0.0.1:{ports[1]}")
        # Checked more often than in the example, each replica is known to be up, and may stop, sooner.
        text = text.replace("check inter 2s", "check inter 200ms")
        text = text.rstrip() + f"\n    server three 127.0.0.1:{ports[2]} cookie three\n"
        configuration = cls.folder / "haproxy.cfg"
        configuration.write_text(text)
        proxy = subprocess.Popen(["haproxy", "-q", "-db", "-f", str(configuration)], env=ENVIRONMENT)
        cls.addClassCleanup(lambda: (proxy.terminate(), proxy.wait(timeout=PATIENCE)))
        cls.port = ports[4]
        wait_until(cls.is_served, "the proxy served")
        # A replica that stops before that does not wait: a script that asks once must not hold up a stop.
        wait_until(lambda: all(replica.is_asked_again_and_again() for replica in cls.replicas), "the proxy asked twice")

    @classmethod
    def write_keys(cls, *keys):
        draft = cls.folder / "keys.new"
        draft.write_text("".join(f"{key}\n" for key in keys))
        draft.chmod(0o600)
        draft.rename(cls.folder / "keys")

    @classmethod
    def is_served(cls):
        try:
            person = Person(60_000, cls.through_proxy, [])
            status = person.answer("GET", "/sign-in")[0]
            person.leave()
            return status == 200
        except Failure:
            return False

    @classmethod
    def through_proxy(cls, source):
        return http.client.HTTPSConnection(
            "127.0.0.1", cls.port, context=cls.context, source_address=(source, 0), timeout=PATIENCE)

    def directly(self, replica):
        return lambda source: http.client.HTTPConnection(
            "127.0.0.1", replica.port, source_address=(source, 0), timeout=PATIENCE)

    def backstage(self, path):
        address = urllib.parse.urlsplit(self.api_url)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)
        connection.request("GET", f"/backstage/api/{path}", headers={"X-Vestibule-Backstage": "1"})
        answer = connection.getresponse()
        found = json.loads(answer.read())
        connection.close()
        return found if answer.status == 200 else None

    def mails(self, email):
        return self.backstage(f"messages?to={urllib.parse.quote(email)}")

    def accounts(self, email):
        return self.backstage(f"users?identifier={urllib.parse.quote(email)}")

    def test_no_flow_is_lost(self):
        """One replica is killed, all are restarted while their key changes, one is stopped, and every flow ends well.

        The moments at which that happens are drawn anew each time.
        """
        failures = []
        people = [Person(number, self.through_proxy, failures) for number in range(FLOWS)]
        with ThreadPoolExecutor(WORKERS) as workers:
            list(workers.map(Person.begin, people))
        self.assertEqual(failures, [])
        mark = next(name for name in people[0].cookies if name.endswith("-0"))
        servers = {person.cookies[mark].split("~")[0] for person in people}
        self.assertEqual(servers, {"one", "two", "three"})
        old = dict(people[-1].cookies)

        random.shuffle(people)
        done, moments = [], {}
        begun = threading.Semaphore(0)
        # Each at its share of the flows, so that there are some before, during and after it.
        disturbances = [(share + random.uniform(0, 0.08), name, action) for share, name, action in [
            (0.05, "killed", lambda: self.replicas[0].end(signal.SIGKILL)),
            (0.15, "back", lambda: self.bring_back(self.replicas[0])),
            (0.25, "second key", lambda: self.roll(self.keys[0], self.keys[1])),
            (0.35, "first restarted", lambda: self.restart(self.replicas[0])),
            (0.45, "second restarted", lambda: self.restart(self.replicas[1])),
            (0.55, "third restarted", lambda: self.restart(self.replicas[2])),
            (0.65, "first key", lambda: self.roll(self.keys[1], self.keys[0])),
            (0.75, "stopped", lambda: self.assertEqual(self.replicas[1].end(), 0)),
        ]]
        over = {name: threading.Event() for _, name, _ in disturbances}

        def finish(number):
            person = people[number]
            begun.release()
            # A slow disturbance must happen during flows, not after them.
            for share, name, _ in disturbances:
                if number / FLOWS > share + 0.1 and not over[name].wait(timeout=2 * PATIENCE):
                    raise AssertionError(f"this did not end: {name}")
            person.finish(self.mails(person.email)[0]["code"])
            done.append(person)

        def disturb():
            count = 0
            for share, name, action in disturbances:
                while count < share * FLOWS:
                    if not begun.acquire(timeout=2 * PATIENCE):
                        raise AssertionError(f"flows stood still before this: {name}")
                    count += 1
                moments[name] = [time.monotonic()]
                action()
                moments[name].append(time.monotonic())
                over[name].set()

        with ThreadPoolExecutor(WORKERS + 1) as workers:
            disturbing = workers.submit(disturb)
            finishing = [workers.submit(finish, number) for number in range(FLOWS)]
            for one in finishing:
                one.result()
            disturbing.result(timeout=2 * PATIENCE)

        self.assertEqual(len(done), FLOWS)
        killed = moments["killed"]
        others = [failure for failure in failures if not (failure[0] <= killed[1] and failure[1] >= killed[0])]
        print(f"{FLOWS} flows, {len(failures)} requests failed, {len(others)} of them not in flight at the kill:",
              ", ".join(f"{name} at {share:.0%}" for share, name, _ in disturbances))
        self.assertEqual(others, [])
        # A request that only reads is sent to another replica, unnoticed.
        self.assertEqual([what for _, _, what in failures if not what.startswith("POST ")], [])
        # A request is in flight for each worker, and one of them in three is with the replica that is killed.
        self.assertLessEqual(len(failures), WORKERS)
        for person in people:
            self.assertEqual(len(self.accounts(person.email)), 1)
            self.assertEqual(len(self.mails(person.email)), 1)

        # The keys were changed, not only read: a replica with only the new one opens only the new visits.
        self.write_keys(self.keys[1])
        alone = Replica(free_ports(1)[0], self.replicas[0].options, self.folder / "alone.log")
        self.addCleanup(alone.end)
        alone.start()
        late = Person(60_001, self.through_proxy, [])
        late.begin()
        late.finish(self.mails(late.email)[0]["code"])
        for cookies, page in [(late.cookies, "account"), (old, "sign-in")]:
            person = Person(60_002, self.directly(alone), [])
            person.cookies = {name: value.split("~")[-1] for name, value in cookies.items()}
            person.open("/account")
            person.leave()
            self.assertEqual(person.page["page"], page)

    def roll(self, *keys):
        self.write_keys(*keys)
        for replica in self.replicas:
            if replica.process.poll() is None:
                replica.reload()

    def restart(self, replica):
        """As in an update: the next one waits until the proxy knows this one again."""
        self.assertEqual(replica.end(), 0)
        self.bring_back(replica)

    def bring_back(self, replica):
        """A replica that is told to stop before it has been asked twice cannot know that somebody will ask again."""
        replica.start()
        wait_until(replica.is_asked_again_and_again, "the proxy asked twice")

    def test_double_submits(self):
        """A form that is sent twice at once causes one mail, whether to one replica, as the proxy has it, or to two."""
        def twice(number, first, second):
            person = Person(number, first, [])
            person.open("/sign-up")
            form = person.page["forms"][0]
            body = urllib.parse.urlencode(
                {"form_token": form["token"], "email_address": person.email, "password": "walk-right-in-42"})
            again = Person(number, second, [])
            again.cookies = {name: value.split("~")[-1] if second != first else value for name, value in person.cookies.items()}
            together = threading.Barrier(2)

            def send(one):
                together.wait(timeout=PATIENCE)
                return one.ask("POST", form["action"], body)[:2]

            with ThreadPoolExecutor(2) as workers:
                answers = list(workers.map(send, (person, again)))
            self.assertEqual(answers, [(303, "/sign-up/verify")] * 2)
            mails = self.mails(person.email)
            for one in (person, again):
                one.open("/sign-up/verify")
                for mail in mails:
                    if one.page["page"] == "sign-up-verify":
                        one.submit(code=mail["code"])
            self.assertIn("account", {person.page["page"], again.page["page"]})
            self.assertEqual(len(self.accounts(person.email)), 1)
            person.leave()
            again.leave()
            return len(mails)

        live = [replica for replica in self.replicas if replica.process.poll() is None]
        count = max(10, FLOWS // 10)
        proxied = [twice(50_000 + number, self.through_proxy, self.through_proxy) for number in range(count)]
        apart = [twice(55_000 + number, self.directly(live[0]), self.directly(live[-1])) for number in range(count)]
        print(f"{count} double submits: {sum(proxied)} mails through the proxy, {sum(apart)} over two replicas without it")
        self.assertEqual(proxied, [1] * count)
        self.assertEqual(apart, [1] * count)


def free_ports(count):
    """Below those that the system gives to clients: one that is freed for a restart must not be taken meanwhile."""
    end = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    ports = []
    for port in random.sample(range(1024, end), end - 1024):
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        ports.append(port)
        if len(ports) == count:
            return ports
    raise AssertionError("no port is free")


def wait_until(condition, what):
    """Looks until the condition holds; fails after a while."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not in {PATIENCE} seconds: {what}")
        time.sleep(0.02)


if __name__ == "__main__":
    unittest.main()
