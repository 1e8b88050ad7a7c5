"""Makes what is installed: a Debian package, a tarball, an OCI image.

Usage: python3 .packaging/make.py deb|tarball|image [--program FILE] [--out FOLDER] [--quick]

The same commit, program and system packages give the same bytes: times are the commit's (commit.py) or
SOURCE_DATE_EPOCH, owners and modes are fixed, entries are sorted. Needs what Debian's dpkg-dev and binutils hold, and no
network.
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import image
from commit import commit_of
from documents import documents
from licences import common_licences, licences
from manual import manual
from tree import Tree, zipped

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
SUMMARY = "front door of sign-in, on localhost"
MAINTAINER = "Vestibule maintainers <maintainers@vestibule.invalid>"
# What the program opens when an auth API is to be called, and so does not name among those it is linked with.
LIBCURL = "libcurl3-gnutls (>= 7.87.0) | libcurl4 (>= 7.87.0)"
# The five libraries that a release program takes from the system, beside those of C and C++.
TARBALL_PACKAGES = "libmicrohttpd12 libcurl3-gnutls libqrencode4 libsqlite3-0 libjemalloc2"
# Where the tarball's service is installed, with everything it needs: everything below /usr is dpkg's.
OWN_FOLDER = "/opt/vestibule"
INSTALL = f"""\
It needs these packages on Debian 12, the last one only to call a real auth API:

  apt-get install {TARBALL_PACKAGES} ca-certificates

Then bin/vestibule serves http://localhost:8080, wherever this folder is. README.md says what it is for, and
`man -l share/man/man1/vestibule.1.gz` shows the manual. Shell completions are in share.

To install it as a service, run these commands in this folder as root. They also install a newer version over it:

  mkdir -p {OWN_FOLDER} /etc/systemd/system /etc/sysusers.d /etc/default
  cp -r --remove-destination . {OWN_FOLDER}
  cp systemd/system/vestibule.service /etc/systemd/system
  cp sysusers.d/vestibule.conf /etc/sysusers.d
  cp --no-clobber default/vestibule /etc/default
  systemd-sysusers vestibule.conf
  systemctl daemon-reload
  systemctl enable vestibule
  systemctl restart vestibule

Its options are variables in /etc/default/vestibule, and its data are in /var/lib/vestibule. To remove it (also before
you install the Debian package, since a unit in /etc/systemd/system would override the package's):

  systemctl disable --now vestibule
  rm -r {OWN_FOLDER} /etc/systemd/system/vestibule.service /etc/sysusers.d/vestibule.conf
  systemctl daemon-reload

Options, data and user remain, and the package uses them as well. If you do not need them, remove them, too:

  rm -r /etc/default/vestibule /var/lib/vestibule
  userdel vestibule
"""
# Sums over all that compiler and linker were told, paths included: they differ from one folder to the next.
BUILD_SECTIONS = (".swift_modhash", ".note.gnu.build-id")
# Length of the name, of what follows, the type, then `GNU` and a zero: `man 5 elf`, Nhdr.
NOTE_HEAD_BYTES = 16


def output(*command, **settings):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **settings).stdout


def without_build(program):
    """The program's bytes with no module's sum, and with an id that is the sum of itself.

    The sections stay: without them binutils would leave out which part becomes read-only, too.
    """
    program_bytes = bytearray(program.read_bytes())
    found = {}
    for line in output("readelf", "--section-headers", "--wide", program).decode().splitlines():
        section = re.search(r"] (\S+) +\S+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) ", line)
        if section and section[1] in BUILD_SECTIONS:
            found[section[1]] = int(section[2], 16), int(section[3], 16)
    for name, (start, length) in found.items():
        start += NOTE_HEAD_BYTES if name.startswith(".note") else 0
        length -= NOTE_HEAD_BYTES if name.startswith(".note") else 0
        found[name] = start, length
        program_bytes[start:start + length] = bytes(length)
    if ".note.gnu.build-id" in found:
        start, length = found[".note.gnu.build-id"]
        program_bytes[start:start + length] = hashlib.sha1(program_bytes).digest()[:length]
    return bytes(program_bytes)


def with_default_command(script, command):
    """Bash's completions, where the options of the default command are offered without its name, too.

    The parser's own script offers them behind that name alone, which most people leave out.
    """
    words = '    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")\n'
    if script.count(words) != 1:
        raise SystemExit("the completions of bash are not as they were: where do they read the words of the line?")
    return script.replace(words, f"""{words}
    # The default command may be left out: its options come first then
    if [[ "${{unparsed_words[0]}}" = -* ]]; then
        local -a repeating_flags non_repeating_flags repeating_options non_repeating_options
        _vestibule_{command}
        return
    fi
""")


class Product:
    """The program that is packed, and what it says of itself."""

    def __init__(self, path, quick):
        self.quick = quick
        # The program's variables are options, and others with its prefix would be refused.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("VESTIBULE_")}
        self.ask = lambda *options: output(path, *options, env=environment).decode()
        self.path = path
        self.level = 1 if quick else 6
        self.version = re.search(r"\d+\.\d+[\w.+~]*", self.ask("--version"))[0]
        self.commit = commit_of(PROJECT, self.version, path)
        self.moment = int(os.environ.get("SOURCE_DATE_EPOCH") or self.commit.moment)
        self.date = datetime.datetime.fromtimestamp(self.moment, datetime.UTC)
        self.architecture = output("dpkg", "--print-architecture").decode().strip()
        with tempfile.TemporaryDirectory() as folder:
            stripped = Path(folder, "vestibule")
            # The section names the compilers; nothing reads it.
            output("strip", "--strip-all", "--remove-section=.comment", "-o", stripped, path)
            self.bytes = without_build(stripped)

    def tree(self, reading, prefix=""):
        """What every package has: the program, its manual and the completions of three shells."""
        tree = Tree()
        tree.add(f"{prefix}bin/vestibule", self.bytes, 0o755)
        description = json.loads(self.ask("--experimental-dump-help"))
        page = manual(description, self.version, self.date, reading)
        tree.add(f"{prefix}share/man/man1/vestibule.1.gz", zipped(page.encode(), 9))
        for shell, path in (("bash", "bash-completion/completions/vestibule"),
                            ("zsh", "zsh/vendor-completions/_vestibule"),
                            ("fish", "fish/vendor_completions.d/vestibule.fish")):
            # They are read by a shell, never run: a first line that names one is left out.
            script = re.sub(r"^#!.*\n", "", self.ask("--generate-completion-script", shell))
            if shell == "bash":
                script = with_default_command(script, description["command"]["defaultSubcommand"])
            tree.add(f"{prefix}share/{path}", script)
        return tree


def tarball(product, out):
    """One folder that runs where it is unpacked."""
    name = f"vestibule-{product.version}-linux-{product.architecture}"
    tree = product.tree(OWN_FOLDER)
    for path, content in documents({}).items():
        tree.add(path, content)
    tree.add("LICENSE", (PROJECT / "LICENSE").read_bytes())
    for path, content in licences().items():
        tree.add(path.upper(), content)
    for licence, content in common_licences().items():
        tree.add(f"licenses/{licence}", content)
    tree.add("INSTALL", INSTALL)
    unit = (HERE / "vestibule.service").read_text()
    tree.add("systemd/system/vestibule.service", unit.replace("=/usr/bin/vestibule ", f"={OWN_FOLDER}/bin/vestibule "))
    tree.add("sysusers.d/vestibule.conf", (HERE / "sysusers.conf").read_bytes())
    tree.add("default/vestibule", (HERE / "debian/default").read_bytes())
    tree.add("examples/haproxy.cfg", (HERE / "haproxy.cfg").read_bytes())
    target = out / f"{name}.tar.gz"
    target.write_bytes(zipped(tree.below(name).tar(product.moment), product.level))
    return target


def deb(product, out):
    version = f"{product.commit.version(product.version)}-1"
    reading = "usr/share/doc/vestibule"
    tree = product.tree(f"/{reading}", "usr/")
    changes = (f"vestibule ({version}) unstable; urgency=medium\n\n  * What is new stands in changelog.gz.\n\n"
               f" -- {MAINTAINER}  {product.date:%a, %d %b %Y %H:%M:%S} +0000\n")
    # Two of them have names of Debian's own. All others stay as they are: gzipped they would have other names than links say.
    for path, content in documents({"CHANGELOG.md": "changelog.gz", "LICENSE": "copyright"}).items():
        tree.add(f"{reading}/{path}", zipped(content, 9) if path.endswith(".gz") else content)
    tree.add(f"{reading}/changelog.Debian.gz", zipped(changes.encode(), 9))
    for path, content in licences().items():
        tree.add(f"{reading}/{path}", content)
    tree.add(f"{reading}/examples/haproxy.cfg", (HERE / "haproxy.cfg").read_bytes())
    tree.add("usr/share/lintian/overrides/vestibule", (HERE / "debian/lintian-overrides").read_bytes())
    # Debian 12's own folder of units; newer systems have /lib as a link to /usr/lib.
    tree.add("lib/systemd/system/vestibule.service", (HERE / "vestibule.service").read_bytes())
    tree.add("usr/lib/sysusers.d/vestibule.conf", (HERE / "sysusers.conf").read_bytes())
    tree.add("etc/default/vestibule", (HERE / "debian/default").read_bytes())
    target = out / f"vestibule_{version}_{product.architecture}.deb"
    with tempfile.TemporaryDirectory() as folder:
        libraries = shared_libraries(tree["usr/bin/vestibule"].content, Path(folder))
        kibibytes = sum(-(-len(entry.content or b"") // 1024) or 1 for _, entry in tree.sorted())
        control = {
            "Package": "vestibule", "Version": version, "Architecture": product.architecture,
            "Maintainer": MAINTAINER, "Installed-Size": kibibytes,
            # Makes the service's user; the second is for systems without systemd.
            "Depends": f"{libraries}, systemd | systemd-standalone-sysusers",
            "Recommends": "ca-certificates", "Suggests": "haproxy",
            "Section": "web", "Priority": "optional",
            "Description": f"{SUMMARY}\n{(HERE / 'debian/description').read_text().rstrip()}",
        }
        sums = "".join(f"{hashlib.md5(entry.content).hexdigest()}  {path}\n" for path, entry in tree.sorted() if entry.content is not None)
        tree.add("DEBIAN/control", "".join(f"{key}: {value}\n" for key, value in control.items()))
        tree.add("DEBIAN/md5sums", sums)
        tree.add("DEBIAN/conffiles", "/etc/default/vestibule\n")
        for script in ("postinst", "prerm", "postrm"):
            tree.add(f"DEBIAN/{script}", (HERE / "debian" / script).read_bytes(), 0o755)
        root = Path(folder, "root")
        root.mkdir()
        tree.write(root, product.moment)
        os.utime(root, (product.moment, product.moment))
        # One thread: what xz writes depends on whether there are several.
        packing = ["-Zgzip", "-z1"] if product.quick else ["-Zxz", "-z6", "--threads-max=1"]
        output("dpkg-deb", "--root-owner-group", *packing, "--build", root, target, env=os.environ | {"SOURCE_DATE_EPOCH": str(product.moment)})
    return target


def shared_libraries(program, folder):
    """The Debian packages, with versions, whose libraries the program needs."""
    Path(folder, "debian").mkdir()
    Path(folder, "debian/control").write_text("Source: vestibule\n\nPackage: vestibule\nArchitecture: any\n")
    Path(folder, "vestibule").write_bytes(program)
    Path(folder, "vestibule").chmod(0o755)
    # A debug program has Swift's runtime outside of any package.
    found = output("dpkg-shlibdeps", "-O", "--ignore-missing-info", "-evestibule", cwd=folder, stderr=subprocess.DEVNULL)
    return f"{found.decode().strip().removeprefix('shlibs:Depends=')}, {LIBCURL}"


def main():
    parser = argparse.ArgumentParser(description="Makes what is installed.")
    parser.add_argument("kind", choices=["deb", "tarball", "image"])
    parser.add_argument("--program", type=Path, default=PROJECT / ".build/release/vestibule")
    parser.add_argument("--out", type=Path, default=PROJECT / ".build/packages")
    parser.add_argument("--quick", action="store_true", help="compress little, as for a test")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    product = Product(given.program.resolve(), given.quick)
    made = {"deb": deb, "tarball": tarball, "image": image.make}[given.kind](product, given.out.resolve())
    print(f"{made} ({made.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
