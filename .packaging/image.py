"""An OCI image, made of the program and of what it needs from the Debian packages of this machine.

No container engine is needed, and the root holds no shell: the program, its libraries, the authorities that TLS
trusts, and one user.
"""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

from licences import COMMON, expression, licences
from tree import Tree, zipped

USER = 65532
# The flavours of libcurl that the program looks for, in its order.
OPENED = ("libcurl-gnutls.so.4", "libcurl.so.4")
HOME = "var/lib/vestibule"


def make(product, out):
    """The layout as a folder, and as one tar beside it, which is returned."""
    name = f"vestibule-{product.version}-image-{product.architecture}"
    blobs = {}

    def blob(kind, data, **more):
        digest = hashlib.sha256(data).hexdigest()
        blobs[digest] = data
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data), **more}

    # What comes from Debian lies below: a new program alone is a small download.
    layers, plain = [], []
    for tree in (base(product.path), program(product)):
        tar = tree.tar(product.moment)
        plain.append("sha256:" + hashlib.sha256(tar).hexdigest())
        layers.append(blob("layer.v1.tar+gzip", zipped(tar, product.level)))
    created = f"{product.date:%Y-%m-%dT%H:%M:%SZ}"
    labels = {
        "org.opencontainers.image.title": "vestibule",
        "org.opencontainers.image.version": product.version,
        "org.opencontainers.image.licenses": expression(),
        "org.opencontainers.image.created": created,
    }
    if product.commit.hash:
        labels["org.opencontainers.image.revision"] = product.commit.hash
    config = blob("config.v1+json", compact({
        "architecture": product.architecture, "os": "linux", "created": created,
        "config": {
            "User": f"{USER}:{USER}",
            "Entrypoint": ["/usr/bin/vestibule"],
            "Cmd": ["serve"],
            # Inside, the loopback is reached by nobody: who may reach it is said where the port is published.
            "Env": ["PATH=/usr/bin", "VESTIBULE_HOST=0.0.0.0", "VESTIBULE_ALLOW_NON_LOOPBACK=on",
                    "VESTIBULE_PUBLIC_URL=http://localhost:8080", f"VESTIBULE_DATA=/{HOME}",
                    # Otherwise Swift's queues report that they may not raise a thread's priority.
                    "LIBDISPATCH_LOG=NO"],
            "ExposedPorts": {"8080/tcp": {}},
            "Volumes": {f"/{HOME}": {}},
            "WorkingDir": f"/{HOME}",
            "StopSignal": "SIGTERM",
            "Labels": labels,
        },
        "rootfs": {"type": "layers", "diff_ids": plain},
        "history": [{"created": created, "created_by": "Debian's libraries"},
                    {"created": created, "created_by": "vestibule"}],
    }))
    manifest = blob("manifest.v1+json", compact({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config, "layers": layers, "annotations": labels,
    }), platform={"architecture": product.architecture, "os": "linux"}, annotations={
        "org.opencontainers.image.ref.name": product.version,
        "io.containerd.image.name": f"docker.io/library/vestibule:{product.version}",
    })
    layout = Tree()
    layout.add("oci-layout", compact({"imageLayoutVersion": "1.0.0"}))
    layout.add("index.json", compact({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest],
    }))
    for digest, data in blobs.items():
        layout.add(f"blobs/sha256/{digest}", data)
    folder, target = out / name, out / f"{name}.tar"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    layout.write(folder, product.moment)
    target.write_bytes(layout.tar(product.moment))
    return target


def program(product):
    tree = Tree()
    tree.add("usr/bin/vestibule", product.bytes, 0o755)
    for path, content in licences().items():
        tree.add(f"usr/share/doc/vestibule/{path}", content)
    return tree


def base(path):
    """All but the program."""
    tree = Tree()
    for name in ("bin", "lib", "lib64"):
        tree.link(name, f"usr/{name}")
        tree.folder(f"usr/{name}")
    for name in ("dev", "proc", "sys"):
        tree.folder(name)
    tree.folder("tmp", 0o1777)
    tree.folder(HOME, 0o700, owner=USER)
    tree.add("etc/passwd", f"root:x:0:0:root:/:/sbin/nologin\nvestibule:x:{USER}:{USER}::/{HOME}:/sbin/nologin\n")
    tree.add("etc/group", f"root:x:0:\nvestibule:x:{USER}:\n")
    tree.add("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n")
    tree.add("etc/debian_version", Path("/etc/debian_version").read_bytes())
    tree.add("usr/lib/os-release", Path("/usr/lib/os-release").read_bytes())
    tree.link("etc/os-release", "../usr/lib/os-release")
    authorities = "etc/ssl/certs/ca-certificates.crt"
    tree.add(authorities, Path("/", authorities).read_bytes())
    needed = libraries(path)
    for library in needed:
        # Debian's /lib is a link to /usr/lib, and so it is here.
        place = re.sub(r"^/(lib\w*)/", r"usr/\1/", str(library)).lstrip("/")
        tree.add(place, library.read_bytes(), 0o755 if "/ld-linux" in place else 0o644)
    # The licence texts for which Debian's packages, and ours, refer to this folder.
    for text in COMMON.iterdir():
        place = str(text).lstrip("/")
        if text.is_symlink():
            tree.link(place, text.readlink())
        else:
            tree.add(place, text.read_bytes())
    # For whoever asks for licences, and for programs that look for versions with known weaknesses.
    for package in sorted({"base-files", "ca-certificates"} | packages_of(needed)):
        text = Path("/usr/share/doc", package, "copyright")
        if text.exists():
            tree.add(f"usr/share/doc/{package}/copyright", text.read_bytes())
        status = subprocess.run(["dpkg-query", "--status", package], stdout=subprocess.PIPE, check=True).stdout
        tree.add(f"var/lib/dpkg/status.d/{package}", status)
    return tree


def libraries(path):
    """The dynamic loader and every library that the program needs, directly or not."""
    return sorted(linked(path) | {opened()} | linked(opened()))


def linked(path):
    lines = subprocess.run(["ldd", path], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    missing = [line.strip() for line in lines if "not found" in line]
    if missing:
        raise SystemExit(f"{path}: {', '.join(missing)}")
    return {Path(found[1]) for line in lines if (found := re.search(r"(?:^\s*|=> )(/\S+) \(", line))}


def opened():
    """What the program is not linked with but opens when an auth API is to be called."""
    known = subprocess.run(["/sbin/ldconfig", "--print-cache"], stdout=subprocess.PIPE, check=True, text=True).stdout
    for name in OPENED:
        if found := re.search(rf"^\s{re.escape(name)} .*=> (/\S+)$", known, re.M):
            return Path(found[1])
    raise SystemExit(f"None of {', '.join(OPENED)} is installed")


def packages_of(files):
    """The Debian packages that files are from; none for Swift's runtime, which debug programs are linked with."""
    # The list of packages has a file where its package put it, before or after Debian made /lib a link to /usr/lib.
    names = {name for file in files for real in (str(file), str(file.resolve()))
             for name in (real, f"/usr{real}", real.removeprefix("/usr"))}
    found = subprocess.run(["dpkg-query", "--search", *sorted(names)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return {re.split("[:,]", line)[0] for line in found.stdout.decode().splitlines() if not line.startswith("diversion ")}


def compact(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
