"""The programs that are measured: started on loopback, on free ports, and stopped by their own handle."""

import contextlib
import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
MAIN = HERE.parents[1]


# Where a peer serves the bytes of our page.
PAGE = "/page.html"


class Missing(Exception):
    """Something optional that is not installed; the message says what to install."""


@dataclass
class Subject:
    """A running program and where it answers."""

    name: str
    process: subprocess.Popen
    port: int
    host: str = "localhost"

    @property
    def authority(self) -> str:
        return f"{self.host}:{self.port}"

    def of_world(self, world: str | None) -> str:
        """The authority that names one of its worlds."""
        return f"{world}.{self.authority}" if world else self.authority

    def processor_seconds(self) -> float:
        """What it and its children have used so far, in user and kernel."""
        return sum(_processor_seconds(pid) for pid in self._processes())

    def megabytes(self) -> float:
        """What it and its children hold of the machine's memory."""
        return sum(_resident_bytes(pid) for pid in self._processes()) / 1e6

    def forget_peak(self) -> None:
        """Makes the peak count from now on."""
        for pid in self._processes():
            Path(f"/proc/{pid}/clear_refs").write_text("5")

    def peak_megabytes(self) -> float:
        """The most that it and its children have held."""
        return sum(_resident_bytes(pid, "VmHWM") for pid in self._processes()) / 1e6

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def _processes(self) -> list[int]:
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, children)]

    def ask(self, method: str, path: str, body: str | None = None, **headers: str):
        """One request; answers status, header fields and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Host": self.authority} | {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def stop(self) -> None:
        if self.process.stdin:
            self.process.stdin.close()
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _processor_seconds(pid: int) -> float:
    """By the process's own clock: in nanoseconds, of all its threads, ended ones too."""
    with contextlib.suppress(OSError):
        return time.clock_gettime(~pid << 3 | 2)  # what clock_getcpuclockid(3) answers for it
    return 0


def _resident_bytes(pid: int, name: str = "VmRSS") -> int:
    with contextlib.suppress(FileNotFoundError):
        status = Path(f"/proc/{pid}/status").read_text()
        if found := re.search(rf"{name}:\s+(\d+) kB", status):
            return int(found[1]) * 1024
    return 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass
class Route:
    """One constant answer of the C program."""

    method: str
    path: str
    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


def compiled(source: str, made: Path, *options: str) -> Path:
    """Compiles a C file beside this one into what the options ask for."""
    compiler = shutil.which("gcc") or shutil.which("clang")  # Swift brings clang along
    if not compiler:
        raise Missing(f"gcc: {source} is C")
    if not made.exists():
        subprocess.run([compiler, "-O2", "-o", made, HERE / source, *options], check=True)
    return made


def constant(folder: Path, routes: list[Route], name: str = "C") -> Subject:
    """The yardstick, `constant.c`, compiled here."""
    program = compiled("constant.c", folder / "constant", "-lmicrohttpd")
    lines = []
    for number, route in enumerate(routes):
        body = folder / f"{name}-{number}.body"
        body.write_bytes(route.body)
        lines.append(f"{route.method} {route.path} {route.status} {body}")
        lines += [f"{field}: {value}" for field, value in route.headers.items()]
        lines.append("")
    description = folder / f"{name}.routes"
    description.write_text("\n".join(lines) + "\n")
    process = subprocess.Popen(
        [program, description], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    return Subject(name, process, int(process.stdout.readline()), "127.0.0.1")


def constant_page(folder: Path, program: Subject) -> Subject:
    """The yardstick with the bytes and header fields of the program's own fresh sign-in page."""
    _, headers, page = program.ask("GET", "/sign-in")
    kept = {name: value for name, value in headers.items() if name not in ("Date", "Content-Length")}
    return constant(folder, [Route("GET", PAGE, 200, page, kept)])


def nginx(folder: Path, page: bytes) -> Subject:
    """nginx with the same page as a file."""
    if not shutil.which("nginx"):
        raise Missing("nginx (Debian: nginx-light)")
    root = folder / "nginx"
    root.mkdir(exist_ok=True)
    folder.chmod(0o755)  # its workers give up the rights of root
    (root / PAGE[1:]).write_bytes(page)
    port = free_port()
    (root / "nginx.conf").write_text(f"""
daemon off; worker_processes 2; pid {root}/pid; error_log {root}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; keepalive_requests 1000000000; types {{ text/html html; }}
  client_body_temp_path {root}; proxy_temp_path {root}; fastcgi_temp_path {root};
  uwsgi_temp_path {root}; scgi_temp_path {root};
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
""")
    process = subprocess.Popen(["nginx", "-p", root, "-c", root / "nginx.conf"], stderr=subprocess.DEVNULL)
    return _when_ready(Subject("nginx", process, port, "127.0.0.1"), PAGE)


def hummingbird(folder: Path) -> Subject:
    """A page with as much on it as ours, by Hummingbird and swift-mustache; its first build takes minutes."""
    if not shutil.which("swift"):
        raise Missing("swift: the peer on Hummingbird is built with it")
    package, built = HERE / "peer_hummingbird", folder / "hummingbird"
    made = subprocess.run(
        ["swift", "build", "--quiet", "-c", "release", "--package-path", package, "--scratch-path", built],
        capture_output=True, text=True,
    )
    if made.returncode:
        raise Missing(f"Hummingbird and swift-mustache: {made.stderr.strip()}")
    port = free_port()
    process = subprocess.Popen([built / "release" / "Peer", str(port), package / "templates"])
    return _when_ready(Subject("Hummingbird", process, port, "127.0.0.1"), "/sign-in")


def allauth(folder: Path, hasher: str) -> Subject:
    """django-allauth under gunicorn with two workers, and one account."""
    environment = folder / "python"
    marker = environment / "ready"
    if not marker.exists():
        made = subprocess.run([sys.executable, "-m", "venv", environment])
        packages = ["django", "django-allauth", "gunicorn"]
        if made.returncode or subprocess.run(
            [environment / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        ).returncode:
            raise Missing("django-allauth: PyPI cannot be reached")
        marker.touch()
    port = free_port()
    settings = os.environ | {
        "ALLAUTH_HASHER": hasher,
        "ALLAUTH_DATABASE": str(folder / f"allauth-{port}.sqlite3"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(HERE),
    }
    subprocess.run([environment / "bin/python", HERE / "peer_allauth.py"], env=settings, check=True)
    process = subprocess.Popen(
        [environment / "bin/gunicorn", "--workers", "2", "--threads", "4", "--bind", f"127.0.0.1:{port}",
         "--log-level", "error", "peer_allauth:application"],
        env=settings,
    )
    return _when_ready(Subject(f"django-allauth, {hasher}", process, port, "127.0.0.1"), "/accounts/login/")


def _when_ready(subject: Subject, path: str) -> Subject:
    for _ in range(400):
        with contextlib.suppress(OSError):
            subject.ask("GET", path)
            return subject
        time.sleep(0.05)
    subject.stop()
    raise Missing(f"{subject.name} did not start")
