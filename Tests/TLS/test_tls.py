"""testssl.sh against the program's own HTTPS: no finding of severity HIGH or above.

Usage: python3 -B -m unittest discover -s Tests/TLS

VESTIBULE_PROGRAM names the program, by default .build/release/vestibule. It takes a minute or two.
"""

import json
import os
import re
import ssl
import subprocess
import tempfile
import unittest
import urllib.request
from collections import Counter
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
PROGRAM = Path(os.environ.get("VESTIBULE_PROGRAM") or PROJECT / ".build/release/vestibule").resolve()
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
# What a certificate from a public authority has, and a scanner looks for.
EXTENSIONS = """subjectAltName=DNS:localhost,IP:127.0.0.1
crlDistributionPoints=URI:http://authority.example.com/revoked.crl
extendedKeyUsage=serverAuth
keyUsage=digitalSignature
basicConstraints=CA:false
"""


class TLSTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.authority = cls.make_authority()
        cls.kinds = {
            "ECDSA": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
            "RSA": ["-newkey", "rsa:2048"],
        }

    @classmethod
    def openssl(cls, *words):
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=cls.folder)

    @classmethod
    def make_authority(cls):
        cls.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "90",
                    "-keyout", "authority-key.pem", "-out", "authority.pem", "-subj", "/CN=A test's own authority")
        (cls.folder / "extensions").write_text(EXTENSIONS)
        return cls.folder / "authority.pem"

    def serve(self, kind):
        """The program with a certificate of that kind, and its address."""
        self.openssl("req", *self.kinds[kind], "-nodes", "-keyout", f"{kind}-key.pem", "-out", "request.pem", "-subj", "/CN=localhost")
        self.openssl("x509", "-req", "-in", "request.pem", "-CA", "authority.pem", "-CAkey", "authority-key.pem",
                     "-CAcreateserial", "-days", "80", "-extfile", "extensions", "-out", f"{kind}.pem")
        (self.folder / f"{kind}-key.pem").chmod(0o600)
        program = subprocess.Popen(
            [str(PROGRAM), "--port", "0", "--in-memory", "--log-level", "error", "--tls-certificate", str(self.folder / f"{kind}.pem"),
             "--tls-key", str(self.folder / f"{kind}-key.pem")],
            env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (program.terminate(), program.communicate(timeout=30)))
        return "https://localhost:" + re.search(r":(\d+)/", program.stdout.readline())[1]

    def test_strict_transport(self):
        """Browsers are told to use only https (S8)."""
        context = ssl.create_default_context(cafile=self.authority)
        for path in ("/sign-in", "/healthz", "/public/vestibule.css"):
            with urllib.request.urlopen(self.serve("ECDSA") + path, context=context) as answer:
                self.assertEqual(answer.headers["Strict-Transport-Security"], "max-age=31536000")

    def test_no_finding(self):
        for kind in self.kinds:
            with self.subTest(kind):
                found = self.folder / f"{kind}.json"
                said = subprocess.run(
                    ["testssl", "--quiet", "--color", "0", "--warnings", "batch", "--ip", "one", "--add-ca", str(self.authority),
                     "--jsonfile", str(found), self.serve(kind) + "/sign-in"],
                    env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900).stdout
                findings = json.loads(found.read_text())
                # The scan has run, and against this program.
                self.assertGreater(len(findings), 80, said)
                self.assertIn("offered with final", {each["finding"] for each in findings if each["id"] == "TLS1_3"})
                severities = Counter(each["severity"] for each in findings)
                print(f"{kind}: {dict(severities)}", *(f"{each['severity']} {each['id']}: {each['finding']}" for each in findings
                                                     if each["severity"] not in ("OK", "INFO")), sep="\n  ")
                grave = [each for each in findings if each["severity"] in ("HIGH", "CRITICAL", "FATAL")]
                self.assertEqual(grave, [])


if __name__ == "__main__":
    unittest.main()
