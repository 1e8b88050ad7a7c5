"""The example configuration for HAProxy, as it is shipped, in front of two servers."""

import base64
import hashlib
import http.client
import os
import pwd
import re
import socket
import ssl
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from roots import ENVIRONMENT, PROGRAM, PROJECT, run, sign_in

NAME = "sign-in.example.com"
EXAMPLE = PROJECT / ".packaging/haproxy.cfg"


class ProxyTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        keys, certificate, both = (cls.folder / name for name in ("keys", "certificate.pem", "both.pem"))
        keys.write_bytes(base64.b64encode(os.urandom(32)) + b"\n")
        keys.chmod(0o600)
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1",
            "-keyout", both, "-out", certificate)
        both.write_text(both.read_text() + certificate.read_text())
        cls.context = ssl.create_default_context(cafile=certificate)

        # The example's own servers, started as its header says, each with accounts of its own.
        cls.text = text = as_whoever_runs_this(EXAMPLE.read_text().replace("/etc/haproxy/vestibule.pem", str(both)))
        options = re.search(r"^#\s+vestibule (.+)$", text, re.M)[1].replace("KEYS", str(keys)).replace("--port 8081", "--port 0")
        for port in ("8081", "8082"):
            server = subprocess.Popen([str(PROGRAM), *options.split(), "--in-memory", "--log-level", "error"],
                                      stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
            cls.addClassCleanup(stop, server)
            text = text.replace(f"127.0.0.1:{port}", "127.0.0.1:" + re.search(r":(\d+)/", server.stdout.readline())[1])
        cls.configuration, cls.proxy, cls.port = cls.served(text, cls)
        cls.base = f"https://127.0.0.1:{cls.port}"

    @classmethod
    def served(cls, text, scope):
        """Runs HAProxy with this example until the test or the class ends: its file, process and port."""
        plain, tls = free_ports(2)
        text = text.replace("bind :::80 v4v6\n", f"bind 127.0.0.1:{plain}\n").replace("bind :::443 v4v6 ", f"bind 127.0.0.1:{tls} ")
        configuration = cls.folder / f"haproxy-{tls}.cfg"
        configuration.write_text(text)
        proxy = subprocess.Popen(["haproxy", "-q", "-db", "-f", str(configuration)], env=ENVIRONMENT)
        (cls.addClassCleanup if scope is cls else scope.addCleanup)(stop, proxy)
        cls.wait_until_answered(200, tls)
        return configuration, proxy, tls

    @classmethod
    def wait_until_answered(cls, status, port):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                if cls.status("GET", "/sign-in", port=port) == status:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"/sign-in was not answered {status} in 20 seconds")

    @classmethod
    def status(cls, method, path, address="127.0.0.1", port=None):
        """The status that a client at that address gets."""
        browser = http.client.HTTPSConnection(
            "127.0.0.1", port or cls.port, context=cls.context, source_address=(address, 0), timeout=20)
        browser.request(method, path, headers={"Host": NAME})
        status = browser.getresponse().status
        browser.close()
        return status

    def test_example_is_valid(self):
        said = run("haproxy", "-c", "-f", self.configuration)
        self.assertNotIn("WARNING", said)

    def test_who_speaks_to_the_world_is_not_root(self):
        settings = dict(re.findall(r"(?m)^    (user|group|chroot) (.+)$", EXAMPLE.read_text()))
        self.assertEqual(settings, {"user": "haproxy", "group": "haproxy", "chroot": "/var/lib/haproxy"})
        if os.geteuid() == 0:
            user = pwd.getpwnam("haproxy")
            status = Path(f"/proc/{self.proxy.pid}/status").read_text()
            for kind, number in (("Uid", user.pw_uid), ("Gid", user.pw_gid)):
                self.assertEqual(set(re.search(rf"(?m)^{kind}:\t(.+)$", status)[1].split()), {str(number)})
            self.assertEqual(os.readlink(f"/proc/{self.proxy.pid}/root"), "/var/lib/haproxy")

    def test_the_packages_service_is_one_server(self):
        """It is run with the variables that the header names, behind the example without the other server."""
        variables = dict(re.findall(r"(?m)^#   (VESTIBULE_\w+)=(.+)$", EXAMPLE.read_text()))
        self.assertTrue(variables.pop("VESTIBULE_PUBLISHABLE_KEY"))
        port = variables.pop("VESTIBULE_PORT")
        text, removed = re.subn(r"(?m)^    server two .+\n", "", self.text)
        self.assertEqual(removed, 1)
        self.assertIn(f"server one 127.0.0.1:{port} ", text)
        # The API is emulated, which is otherwise for this machine alone.
        server = subprocess.Popen(
            [str(PROGRAM), "--port", "0", "--in-memory", "--allow-non-loopback", "--log-level", "error"],
            stdout=subprocess.PIPE, text=True, env=ENVIRONMENT | variables)
        self.addCleanup(stop, server)
        text = text.replace(f"127.0.0.1:{port}", "127.0.0.1:" + re.search(r":(\d+)/", server.stdout.readline())[1])
        _, _, tls = self.served(text, self)
        place, page, _ = sign_in(f"https://127.0.0.1:{tls}", NAME, self.context)
        self.assertEqual(place, "/account")
        self.assertIn("ada@example.com", page)

    def test_mark_in_the_cookies_name(self):
        mark = hashlib.sha256(f"https://{NAME}".encode()).hexdigest()[:8]
        self.assertIn(f"cookie __Host-vestibule-{mark}-0 prefix", EXAMPLE.read_text())

    def test_visits_stay_where_they_began(self):
        """Each server has accounts and sessions of its own here, so a sign-in succeeds only on the same one."""
        chosen = set()
        for _ in range(6):
            place, page, jar = sign_in(self.base, NAME, self.context)
            self.assertEqual(place, "/account")
            self.assertIn("ada@example.com", page)
            chosen.add(next(each.value.split("~")[0] for each in jar if each.name.startswith("__Host-vestibule-")))
        self.assertEqual(chosen, {"one", "two"})

    def test_checks_are_not_for_the_world(self):
        self.assertEqual(self.status("GET", "/readyz"), 404)

    def test_too_many_forms_from_one_address(self):
        self.assertIn(429, {self.status("POST", "/sign-in", "127.0.0.2") for _ in range(62)})
        self.assertEqual(self.status("GET", "/sign-in", "127.0.0.2"), 200)
        self.assertNotEqual(self.status("POST", "/sign-in", "127.0.0.3"), 429)


def as_whoever_runs_this(text):
    """The example without what only root may do: become another user, or have another root."""
    return text if os.geteuid() == 0 else re.sub(r"(?m)^    (user|group|chroot) .+\n", "", text)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def stop(process):
    process.terminate()
    process.communicate(timeout=20)


if __name__ == "__main__":
    unittest.main()
