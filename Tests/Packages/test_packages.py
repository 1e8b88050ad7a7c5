"""Makes each package, installs it into an empty root, and signs in there.

Usage: python3 -B -m unittest discover -s Tests/Packages

VESTIBULE_PROGRAM names the program that is packed, by default .build/release/vestibule. For a debug program neither
sizes nor linked libraries are checked.
"""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

from roots import AS_ROOT, ENVIRONMENT, IS_RELEASE, PROGRAM, PROJECT, Served, SystemLog, add_libraries, inside, make, run, sign_in

from commit import commit_of

# The limits for a packed release program, in bytes.
LIMITS = {"deb": 30e6, "tarball": 45e6, "image": 60e6}
# And in megabytes of memory after the first page; it takes more if the functions that serve are not side by side.
MEMORY_LIMIT = 33
LINKED = {"libmicrohttpd.so.12", "libqrencode.so.4", "libsqlite3.so.0", "libjemalloc.so.2"}
# The Swift packages as they were fetched for the build.
CHECKOUTS = PROJECT / ".build/checkouts"
# Present wherever libmicrohttpd12 is, which uses it for its certificates.
BROUGHT = {"libgnutls.so.30"}


class Package:
    """What the tests of each package share."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        # The image's user must be able to pass through.
        cls.folder.chmod(0o755)
        cls.made = make(cls.kind, cls.folder / "made")
        cls.root = cls.folder / "root"
        cls.root.mkdir()
        cls.install()

    def assert_signs_in(self, served):
        with served:
            memory = served.memory()
            place, page, _ = sign_in(served.base)
        self.assertEqual(place, "/account")
        self.assertIn("ada@example.com", page)
        size = self.made.stat().st_size
        print(f"{self.kind}: {size / 1e6:.1f} MB, first page after {served.start * 1000:.0f} ms, {memory:.0f} MB")
        if IS_RELEASE:
            self.assertLessEqual(memory, MEMORY_LIMIT)

    def assert_says_nothing_to_the_systems_log(self, served):
        """Swift's queues would write there with the first requests, unless they are told not to."""
        with SystemLog(self.root) as log:
            with served():
                pass
            self.assertEqual(log.lines(), [])

    def test_can_call_an_auth_api(self):
        """The library that it opens for this is there, with all that it depends on."""
        done = subprocess.run(
            inside(self.root, self.program(), "check", "--in-memory", "--frontend-api-url", "http://127.0.0.1:9"),
            env=ENVIRONMENT | {"ROOT": str(self.root)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertIn("nothing listens at 127.0.0.1:9", done.stdout)

    def program(self):
        return "/usr/bin/vestibule"

    LICENCE_FILES = ("copyright", "NOTICES")

    def licences(self):
        """The folders of these files and of the common texts, which this system's base-files brings."""
        return self.root / "usr/share/doc/vestibule", Path("/usr/share/common-licenses")

    def test_has_the_licences_of_what_is_linked_in(self):
        """Each is there, as a text or in Debian's folder of common texts, together with the packages' own notices."""
        folder, common = self.licences()
        copyright, notices = ((folder / name).read_text() for name in self.LICENCE_FILES)
        self.assertIn((PROJECT / "LICENSE").read_text().split("Copyright (c) ")[1].split("\n")[0], copyright)
        for linked in ("GRDB.swift", "jwt-kit", "BoringSSL", "swift-runtime", "ICU", "XKCP", "brg_endian.h", "musl", "fiat"):
            self.assertRegex(copyright, rf"(?m)^Files: .*\b{re.escape(linked)}$")
        self.assertIn("Brian Gladman, Worcester", copyright)
        for name in set(re.findall(r"(?m)^License: (\S+)$", copyright)):
            text = re.search(rf"(?ms)^License: {re.escape(name)}\n (.+?)(?=^$|\Z)", copyright)
            self.assertIsNotNone(text, name)
            for path in re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", text[1]):
                self.assertGreater((common / path).stat().st_size, 5000)
        self.assertIn("derived from musl libc", notices)

    @unittest.skipUnless(CHECKOUTS.is_dir(), "no packages were fetched")
    def test_has_the_notices_of_every_package(self):
        """The packages are those fetched for the build, since newer ones may differ. White space does not count."""
        folder, _ = self.licences()
        copyright, notices = ((folder / name).read_text() for name in self.LICENCE_FILES)
        for package in CHECKOUTS.iterdir():
            self.assertRegex(copyright, rf"(?m)^Files: (.* )?{re.escape(package.name)}( |$)")
            for notice in package.glob("NOTICE*"):
                with self.subTest(package=package.name):
                    self.assertIn(" ".join(notice.read_text().split()), " ".join(notices.split()),
                                  "its words are not in .packaging/NOTICES")

    def test_made_twice(self):
        again = make(self.kind, self.folder / "again")
        self.assertEqual(again.name, self.made.name)
        self.assertEqual(digest(again), digest(self.made))

    if IS_RELEASE:

        def test_size(self):
            self.assertLessEqual(self.made.stat().st_size, LIMITS[self.kind])


class Documented:
    """What the tests of those packages share that contain README and the documents that it links to."""

    def documents(self):
        """Texts without their blocks of code, by their files."""
        found = {path: path.read_text() for path in self.reading().rglob("*.md")}
        found |= {path: gzip.decompress(path.read_bytes()).decode() for path in self.reading().glob("changelog.gz")}
        return {path: re.sub("(?ms)^```.*?^```", "", text) for path, text in found.items()}

    def test_no_link_is_dead(self):
        documents = self.documents()
        count = 0
        for path, text in documents.items():
            for link in re.findall(r"\]\(([^)\s]+)\)", text):
                if "://" in link or link.startswith("mailto:"):
                    continue
                name, _, fragment = link.partition("#")
                target = (path.parent / name).resolve() if name else path
                with self.subTest(document=path.name, link=link):
                    self.assertTrue(target.exists())
                    self.assertTrue(target.is_relative_to(self.reading()))
                    if fragment:
                        self.assertIn(fragment, anchors(documents[target]))
                count += 1
        self.assertGreater(count, 100, "the links were not found")

    def test_readme_brings_its_articles(self):
        """README has as many links as in the project, and none has become plain text."""
        source = re.findall(r"\]\([^)\s]+\.md[^)\s]*\)", (PROJECT / "README.md").read_text())
        packed = re.findall(r"\]\([^)\s]+\.(?:md|gz)[^)\s]*\)", (self.reading() / "README.md").read_text())
        self.assertEqual(len(packed), len(source))
        for path, text in self.documents().items():
            if path.parent.name == "reference":
                self.assertNotIn("<doc:", re.sub("`[^`\n]+`", "", text), path.name)
                self.assertNotRegex(text, "(?<!`)``(?!`)", path.name)

    def test_brands(self):
        """The program accepts each of them as it is in the package."""
        brands = self.reading() / "examples/brands"
        files = {path.relative_to(PROJECT / "templates/brands") for path in (PROJECT / "templates/brands").rglob("*.*")}
        self.assertEqual({path.relative_to(brands) for path in brands.rglob("*.*")}, files)
        for brand in sorted(brands.glob("*/brand.json")):
            run(PROGRAM, "check", "--port", "0", "--brand", brand)

    def test_readmes_command_for_a_brand(self):
        """It is run as it is, in the folder of the README, by a user who may not write there."""
        readme = (self.reading() / "README.md").read_text()
        options = re.search("`vestibule (--in-memory --brand [^`]+)`", readme)[1]
        run(PROGRAM, "check", *options.split(), cwd=self.reading())
        self.assertNotIn("templates/brands", readme)


def anchors(text):
    """The anchor of each heading, as repositories' web pages make them."""
    headings = re.findall(r"(?m)^#+ (.+)$", text)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


class DebTests(Package, Documented, unittest.TestCase):
    kind = "deb"

    @classmethod
    def install(cls):
        """With dpkg itself, whose list of packages has only those that ours depends on."""
        add_libraries(cls.root)
        database = cls.root / "var/lib/dpkg"
        for name in ("info", "updates", "triggers"):
            (database / name).mkdir(parents=True)
        depends = run("dpkg-deb", "--field", cls.made, "Depends")
        names = re.findall(r"(?:^|, )([\w.+-]+)", depends)
        (database / "status").write_text("".join(run("dpkg-query", "--status", name) + "\n" for name in names))
        cls.dpkg("--install", cls.made)

    @classmethod
    def dpkg(cls, *command):
        return run(*AS_ROOT, "dpkg", f"--root={cls.root}", "--force-script-chrootless", "--force-confnew", *command)

    def reading(self):
        return (self.root / "usr/share/doc/vestibule").resolve()

    def user(self):
        return re.search(r"^vestibule:\w*:(\d+):.*:/var/lib/vestibule:", (self.root / "etc/passwd").read_text(), re.M)[1]

    def test_signs_in(self):
        self.assert_signs_in(Served(
            self.root, self.program(), "serve", "--port", "0", "--in-memory", user=self.user()))

    def service(self, **more):
        """The program, started with the unit's own line and variables."""
        unit = (self.root / "lib/systemd/system/vestibule.service").read_text()
        line = re.search(r"^ExecStart=(.+)$", unit, re.M)[1].split()
        variables = dict(each.split("=", 1) for each in re.findall(r"^Environment=(.+)$", unit, re.M))
        return Served(self.root, *line, user=self.user(), **variables, VESTIBULE_PORT="0", **more)

    def test_service_says_nothing_to_the_systems_log(self):
        self.assert_says_nothing_to_the_systems_log(lambda: self.service(VESTIBULE_IN_MEMORY="on"))

    def test_service_keeps_its_data(self):
        """The data are in the folder that systemd would make for it."""
        unit = (self.root / "lib/systemd/system/vestibule.service").read_text()
        data = self.root / "var/lib" / re.search(r"^StateDirectory=(.+)$", unit, re.M)[1]
        data.mkdir(mode=0o700)
        if not AS_ROOT:
            shutil.chown(data, int(self.user()), int(self.user()))
        self.assert_signs_in(self.service())
        self.assertTrue(any(data.iterdir()))

        self.dpkg("--install", self.made)
        self.assertTrue(any(data.iterdir()), "an upgrade took the data")
        self.dpkg("--remove", "vestibule")
        self.assertTrue(any(data.iterdir()), "a removal took the data")
        self.dpkg("--purge", "vestibule")
        self.assertFalse(data.exists(), "a purge left the data")
        self.assertFalse((self.root / "usr/bin/vestibule").exists())
        self.dpkg("--install", self.made)
        self.assertEqual(len(re.findall("(?m)^vestibule:", (self.root / "etc/passwd").read_text())), 1)

    def systemctl(self, *command):
        done = subprocess.run([*AS_ROOT, "systemctl", f"--root={self.root}", *command, "vestibule.service"],
                              env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.stdout.strip()

    def test_purge_takes_what_systemctl_made(self):
        """A service that was enabled or masked is neither after the next installation; a unit of one's own stays."""
        self.assertEqual(self.systemctl("is-enabled"), "disabled")
        target = self.root / "etc/systemd/system/own.target"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("[Unit]\n")
        for made, told in ((["enable"], "enabled"), (["add-requires", "own.target"], "enabled"), (["mask"], "masked")):
            with self.subTest(made):
                self.systemctl(*made)
                self.dpkg("--remove", "vestibule")
                self.dpkg("--install", self.made)
                self.assertEqual(self.systemctl("is-enabled"), told)
                self.dpkg("--purge", "vestibule")
                self.dpkg("--install", self.made)
                self.assertEqual(self.systemctl("is-enabled"), "disabled")
        own = self.root / "etc/systemd/system/vestibule.service"
        own.write_text("[Service]\n")
        self.dpkg("--purge", "vestibule")
        self.assertTrue(own.exists())
        own.unlink()
        self.dpkg("--install", self.made)

    def test_lintian(self):
        # A debug program finds Swift's runtime where the compiler has it.
        more = [] if IS_RELEASE else ["--suppress-tags", "custom-library-search-path"]
        said = run("lintian", "--allow-root", "--display-info", "--fail-on", "error", *more, self.made)
        self.assertNotRegex(said, "(?m)^[EW]: ")
        self.assertNotIn("binary-has-unneeded-section", said)

    def test_service_is_hardened(self):
        """Exposure of at most 1.5; systemd-analyze takes tenths."""
        run("systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager",
            self.root / "lib/systemd/system/vestibule.service")

    def test_manual_has_every_command(self):
        page = self.root / "usr/share/man/man1/vestibule.1.gz"
        text = gzip.decompress(page.read_bytes()).decode()
        described = json.loads(run(PROGRAM, "--experimental-dump-help"))["command"]["subcommands"]
        for command in described:
            if command["commandName"] == "help":
                continue
            # Its section, up to the next of any kind.
            section = re.search(rf"(?ms)^\.SS {command['commandName']}( \(default\))?$(.*?)(?=^\.S[SH] )", text)
            self.assertIsNotNone(section, command["commandName"])
            for argument in command.get("arguments", []):
                name = argument["preferredName"]["name"] if "names" in argument else "help"
                if name not in ("help", "version"):
                    self.assertIn("\\-\\-" + name.replace("-", "\\-"), section[2])

    def test_manual_says_what_a_command_needs(self):
        text = gzip.decompress((self.root / "usr/share/man/man1/vestibule.1.gz").read_bytes()).decode()
        for needed in ("\\-\\- \\fICOMMAND\\fR...", "[\\fISTORY\\fR...]", "[\\fINAME\\fR...]"):
            self.assertIn(f"[\\fIoptions\\fR] {needed}\n", text)

    def completed(self, *words):
        """What bash offers for the last of the words."""
        return run("bash", "--norc", "-c", """
            . "$0"
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=$((${#COMP_LINE}))
            _vestibule "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """, self.root / "usr/share/bash-completion/completions/vestibule", *words, cwd=self.root).split()

    def test_completions(self):
        """Of commands and options, even if the default command is left out, and of values, files and folders."""
        self.assertEqual(self.completed("vestibule", "em"), ["emulate"])
        for command in ([], ["serve"], ["check"]):
            self.assertEqual(self.completed("vestibule", *command, "--po"), ["--port"])
            self.assertEqual(self.completed("vestibule", *command, "--port", "1", "--api", ""), ["clerk", "entra"])
            self.assertEqual(self.completed("vestibule", *command, "--templates", "us"), ["usr"])
            self.assertEqual(self.completed("vestibule", *command, "--users", "usr/bin/vest"), ["usr/bin/vestibule"])
        self.assertIn("--version", self.completed("vestibule", "--v"))
        self.assertEqual(self.completed("vestibule", "atlas", "--own"), [])
        self.assertEqual(self.completed(PROGRAM, "story", "locked-out-on"), ["locked-out-on-a-friday"])
        self.assertEqual(self.completed(PROGRAM, "eject", "--out", "x", "sign-in-pass"), ["sign-in-password"])


class TarballTests(Package, Documented, unittest.TestCase):
    kind = "tarball"

    @classmethod
    def install(cls):
        add_libraries(cls.root)
        run("tar", "--extract", "--no-same-owner", "--file", cls.made, "--directory", cls.root)
        cls.name = cls.made.name.removesuffix(".tar.gz")

    def program(self):
        return f"/{self.name}/bin/vestibule"

    LICENCE_FILES = ("COPYRIGHT", "NOTICES")

    def licences(self):
        return self.reading(), self.reading() / "licenses"

    def reading(self):
        return (self.root / self.name).resolve()

    def test_signs_in(self):
        self.assertEqual([each.name for each in self.root.glob("vestibule-*")], [self.name])
        self.assert_signs_in(Served(self.root, self.program(), "--port", "0", "--in-memory"))

    def in_root(self, *beginnings):
        """Runs the steps of INSTALL that begin with these commands, as root in the empty root; returns all steps."""
        steps = re.findall(r"(?m)^  (\S.+)$", (self.root / self.name / "INSTALL").read_text())
        for step in steps:
            if not step.startswith(beginnings):
                continue
            step = re.sub(r"(?<= )/(?=opt|etc|var)", f"{self.root}/", step)
            step = step.replace("systemd-sysusers ", f"systemd-sysusers --root={self.root} ")
            run(*AS_ROOT, "sh", "-ec", step, cwd=self.root / self.name)
        return steps

    def test_installs_a_service_as_it_says(self):
        """It comes with manual, README and options, and all of it can be removed again."""
        before = set(self.root.rglob("*"))
        for _ in ("new", "newer"):
            steps = self.in_root("mkdir", "cp", "systemd-sysusers")
        self.assertIn("ca-certificates", steps[0])
        unit = (self.root / "etc/systemd/system/vestibule.service").read_text()
        line = re.search(r"^ExecStart=(.+)$", unit, re.M)[1].split()
        self.assertTrue((self.root / re.search("EnvironmentFile=-/(.+)", unit)[1]).exists())
        user = re.search(r"(?m)^vestibule:\w*:(\d+):", (self.root / "etc/passwd").read_text())[1]
        self.assertTrue(line[0].startswith("/opt/"))
        with Served(self.root, *line, user=user, VESTIBULE_PORT="0", VESTIBULE_IN_MEMORY="on") as served:
            self.assertEqual(sign_in(served.base)[0], "/account")
        manual = gzip.decompress((self.root / "opt/vestibule/share/man/man1/vestibule.1.gz").read_bytes()).decode()
        readme = re.search(r"(?m)^\.I (/.+/README\.md)$", manual)[1]
        self.assertTrue((self.root / readme.lstrip("/")).exists(), readme)

        (self.root / "var/lib/vestibule").mkdir(parents=True)
        self.in_root("rm")
        left = {path.name for path in set(self.root.rglob("*")) - before if not path.is_dir()}
        self.assertLessEqual(left, {"passwd", "group", "shadow", "gshadow", ".pwd.lock", "passwd-", "group-", "shadow-", "gshadow-"})

    def test_keeps_options_when_it_is_installed_again(self):
        self.in_root("mkdir", "cp")
        options = self.root / "etc/default/vestibule"
        options.write_text("VESTIBULE_PORT=8081\n")
        self.in_root("mkdir", "cp")
        self.assertEqual(options.read_text(), "VESTIBULE_PORT=8081\n")
        (self.root / "var/lib/vestibule").mkdir(parents=True, exist_ok=True)
        self.in_root("rm")

    def test_has_no_sum_over_its_build(self):
        """Such a sum would differ for each folder in which the same commit is built."""
        program = self.root / self.name / "bin/vestibule"
        sums = re.findall(r"(?m)^  0x[0-9a-f]+ ([0-9a-f]+) ", run("readelf", "--hex-dump=.swift_modhash", program))
        self.assertEqual(set(sums), {"00000000"})
        told = re.search(r"Build ID: ([0-9a-f]{40})", run("readelf", "--notes", program))[1]
        content = program.read_bytes()
        self.assertEqual(content.count(bytes.fromhex(told)), 1)
        self.assertEqual(hashlib.sha1(content.replace(bytes.fromhex(told), bytes(20))).hexdigest(), told)

    def test_gives_free_memory_back_soon(self):
        """jemalloc is there, and has read the program's own settings."""
        program = self.root / self.name / "bin/vestibule"
        report = run("env", "MALLOC_CONF=confirm_conf:true", program, "--version")
        settings = dict(re.findall(r"Set conf value: (\w+):(\S+)", report))
        self.assertEqual({name: settings.get(name) for name in ("narenas", "dirty_decay_ms", "muzzy_decay_ms")},
                         {"narenas": "2", "dirty_decay_ms": "300", "muzzy_decay_ms": "0"})

    if IS_RELEASE:

        def test_is_linked_with_few_libraries(self):
            """Apart from those of C and C++, which every Debian system has; libcurl is opened when it is needed."""
            needed = set(re.findall(r"NEEDED.*\[(.+)\]", run("readelf", "-d", self.root / self.name / "bin/vestibule")))
            everywhere = {each for each in needed if re.match(r"lib(c|m|gcc_s|stdc\+\+)\.so|ld-linux", each)}
            self.assertEqual(needed - everywhere, LINKED | BROUGHT)
            depends = run("dpkg-query", "--show", "--showformat", "${Depends}", "libmicrohttpd12")
            self.assertIn("libgnutls30", depends)

        def test_does_not_know_where_it_was_built(self):
            program = (self.root / self.name / "bin/vestibule").read_bytes()
            self.assertNotIn(str(PROJECT).encode(), program)


class ImageTests(Package, unittest.TestCase):
    kind = "image"

    @classmethod
    def install(cls):
        """As an engine does it: index, manifest, layers, each by its digest."""
        with tarfile.open(cls.made) as archive:
            archive.extractall(cls.folder / "layout")
        index = json.loads((cls.folder / "layout/index.json").read_bytes())
        cls.manifest = json.loads(cls.blob(index["manifests"][0]))
        config = json.loads(cls.blob(cls.manifest["config"]))
        cls.config = config["config"]
        plain = []
        for layer in cls.manifest["layers"]:
            tar = gzip.decompress(cls.blob(layer))
            plain.append("sha256:" + hashlib.sha256(tar).hexdigest())
            run_tar = [*AS_ROOT, "tar", "--extract", "--numeric-owner", "--preserve-permissions", "--directory", cls.root]
            subprocess.run(run_tar + (["--no-same-owner"] if AS_ROOT else []), input=tar, check=True, env=ENVIRONMENT)
        assert plain == config["rootfs"]["diff_ids"], plain

    @classmethod
    def blob(cls, described):
        data = (cls.folder / "layout/blobs" / described["digest"].replace(":", "/")).read_bytes()
        assert len(data) == described["size"] and "sha256:" + hashlib.sha256(data).hexdigest() == described["digest"]
        return data

    def serve(self, **more):
        variables = dict(each.split("=", 1) for each in self.config["Env"])
        command = self.config["Entrypoint"] + self.config["Cmd"]
        user = self.config["User"].split(":")[0]
        self.assertNotEqual(user, "0")
        return Served(self.root, *command, user=user, **variables, VESTIBULE_PORT="0", **more)

    def test_signs_in(self):
        self.assert_signs_in(self.serve(VESTIBULE_IN_MEMORY="on"))

    def test_says_nothing_to_the_systems_log(self):
        self.assert_says_nothing_to_the_systems_log(lambda: self.serve(VESTIBULE_IN_MEMORY="on"))

    def test_writes_to_its_volume(self):
        with self.serve() as served:
            self.assertEqual(sign_in(served.base)[0], "/account")
        self.assertTrue(any((self.root / next(iter(self.config["Volumes"])).lstrip("/")).iterdir()))

    def licences(self):
        return self.root / "usr/share/doc/vestibule", self.root / "usr/share/common-licenses"

    def test_label_has_every_licence(self):
        copyright = (self.root / "usr/share/doc/vestibule/copyright").read_text()
        names = set(re.findall(r"(?m)^License: (\S+)$", copyright)) - {"Expat", "Gladman"} | {"MIT", "LicenseRef-Gladman"}
        for labels in (self.config["Labels"], self.manifest["annotations"]):
            self.assertEqual(set(labels["org.opencontainers.image.licenses"].split(" AND ")), names)

    def test_folder_and_tar_are_the_same(self):
        folder = self.made.with_suffix("")
        for file in (self.folder / "layout").rglob("*"):
            if file.is_file():
                self.assertEqual((folder / file.relative_to(self.folder / "layout")).read_bytes(), file.read_bytes())

    def test_names_the_version(self):
        self.assertIn(self.config["Labels"]["org.opencontainers.image.version"], run(PROGRAM, "--version"))
        self.assertEqual(list(self.config["ExposedPorts"]), ["8080/tcp"])

    def test_names_the_commit(self):
        name = commit_of(PROJECT, "", PROGRAM).hash
        for labels in (self.config["Labels"], self.manifest["annotations"]):
            self.assertEqual(labels.get("org.opencontainers.image.revision"), name)


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


if __name__ == "__main__":
    unittest.main()
