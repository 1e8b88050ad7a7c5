"""How many instructions a program executes for what it is asked, counted by qemu-user: a figure that is the same on
every machine, however busy, and differs by less than a hundredth from run to run."""

import platform
import shutil
from pathlib import Path

from program import Program
from subjects import Missing, compiled


# A processor of qemu's that clears and copies memory by more than single bytes: each byte of a string instruction would
# count as one, and the HTTP library clears 144 KiB per request, which the machine itself does in 4 µs.
PROCESSOR = "max,-erms"


class CountedProgram(Program):
    """A running program whose instructions are counted. It takes some thirty times as long for everything."""

    def __init__(self, folder: Path, path, *options):
        emulator = shutil.which(f"qemu-{platform.machine()}")
        if not emulator:
            raise Missing("qemu-user (Debian: qemu-user)")
        plugin = compiled("instructions.c", folder / "instructions.so", "-shared", "-fPIC")
        self.sum = folder / "instructions"
        try:
            super().__init__(path, *options, under=(emulator, "-cpu", PROCESSOR, "-plugin", f"file={plugin},sum={self.sum}"))
        except SystemExit as failure:
            # A later QEMU may accept only plugins of a later interface, which it says itself.
            raise Missing(f"a qemu-user that runs the program with a plugin ({failure})") from None

    def instructions(self) -> int:
        """How many since it was started, by all its threads."""
        return int.from_bytes(self.sum.read_bytes(), "little")
