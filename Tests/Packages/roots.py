"""Empty roots in which packages are installed, and the program that is started there."""

import http.cookiejar
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(PROJECT / ".packaging"))
sys.dont_write_bytecode = True

import image

PROGRAM = Path(os.environ.get("VESTIBULE_PROGRAM") or PROJECT / ".build/release/vestibule").resolve()
if not PROGRAM.exists():
    raise SystemExit(f"{PROGRAM} is missing: run make build, or name another program by VESTIBULE_PROGRAM")
LIBRARIES = image.libraries(PROGRAM)
# Sizes and linking are only checked for the release program: a debug one needs Swift's runtime beside it.
IS_RELEASE = not any(library.name == "libswiftCore.so" for library in LIBRARIES)
# A user who is not root can be root in a namespace of their own.
AS_ROOT = [] if os.geteuid() == 0 else ["unshare", "--map-root-user"]
# Nothing from the caller's environment: the program's variables are options.
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}

CHROOT = shutil.which("chroot", path=ENVIRONMENT["PATH"])
# Systemd and container engines give a program its /proc, and without one Swift's queues stop it now and then with an
# illegal instruction. Some containers forbid their root to mount anything; then it goes without.
WITH_PROCESSES = ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", '/bin/mount --rbind /proc "$ROOT/proc" && unset ROOT && exec "$0" "$@"']
if subprocess.run([*AS_ROOT, "/usr/bin/unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode:
    WITH_PROCESSES = []


def run(*command, **settings):
    """What a command prints to both outputs; if it fails, the test fails with that."""
    done = subprocess.run([str(part) for part in command], env=ENVIRONMENT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **settings)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}")
    return done.stdout


def make(kind, out):
    """A package of the program, in that folder."""
    options = [] if IS_RELEASE else ["--quick"]
    said = run(sys.executable, "-B", PROJECT / ".packaging/make.py", kind,
               "--program", PROGRAM, "--out", out, *options)
    return Path(re.match(r"(.+) \(", said)[1])


def add_libraries(root):
    """What the Debian packages that a program depends on would have brought."""
    for name in ("lib", "lib64"):
        Path(root, "usr", name).mkdir(parents=True, exist_ok=True)
        if not Path(root, name).exists():
            Path(root, name).symlink_to(f"usr/{name}")
    for library in LIBRARIES:
        target = Path(root, str(library).lstrip("/"))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, target)


def inside(root, *command, user=65532):
    """A command as that user in a root of its own."""
    who = [f"--userspec={user}:{user}"] if not AS_ROOT else []
    Path(root, "proc").mkdir(exist_ok=True)
    return [*AS_ROOT, *WITH_PROCESSES, CHROOT, *who, str(root), *command]


class Served:
    """A program that serves in a root of its own, until the block ends."""

    def __init__(self, root, *command, user=65532, **variables):
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            inside(root, *command, user=user), env=ENVIRONMENT | variables | {"ROOT": str(root)}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)/ \(pages\)", line)
        if not found:
            self.process.kill()
            _, said = self.process.communicate()
            raise AssertionError(f"{' '.join(self.process.args)} ended with {self.process.returncode}: {line}{said}")
        self.base = f"http://localhost:{found[1]}"
        self.port = int(found[1])
        urllib.request.urlopen(self.base + "/sign-in").close()
        self.start = time.monotonic() - self.started

    def memory(self):
        """How many megabytes of memory it uses."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends the program, which must obey."""
        self.process.terminate()
        _, said = self.process.communicate(timeout=20)
        if self.process.returncode:
            raise AssertionError(f"ended with {self.process.returncode}: {said}")


class SystemLog:
    """The lines that programs in a root of their own write to the system's log, until the block ends."""

    def __init__(self, root):
        self.path = Path(root, "dev/log")
        self.path.parent.mkdir(exist_ok=True)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(self.path))
        # Any user may write to it, whichever the program runs as.
        self.path.chmod(0o666)

    def lines(self):
        """The lines since the last call."""
        found = []
        while True:
            try:
                found.append(self.socket.recv(65_536, socket.MSG_DONTWAIT).decode())
            except BlockingIOError:
                return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.path.unlink()


def sign_in(base, host=None, context=None):
    """Signs ada in with the forms that a browser gets: the path where she ends, its page, and her cookies."""
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(
        urllib.request.HTTPCookieProcessor(jar), urllib.request.HTTPSHandler(context=context))
    headers = {"Host": host} if host else {}
    page = browser.open(urllib.request.Request(f"{base}/sign-in", headers=headers)).read().decode()
    form = urllib.parse.urlencode({
        "form_token": re.search('name="form_token" value="([^"]+)"', page)[1],
        "identifier": "ada@example.com",
        "password": "walk-right-in-42",
    }).encode()
    answer = browser.open(urllib.request.Request(f"{base}/sign-in", form, headers))
    return answer.url.removeprefix(base), answer.read().decode(), jar
