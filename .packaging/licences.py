"""What whoever passes on a package has to pass on with it: the licences of the program and of all that is linked into it."""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
# As SPDX calls them, where Debian has a name of its own, or the licence none.
SPDX = {"Expat": "MIT", "Gladman": "LicenseRef-Gladman"}
COMMON = Path("/usr/share/common-licenses")


def licences():
    """By the file's name in Debian's folder of a package."""
    return {"copyright": (HERE / "debian/copyright").read_bytes(), "NOTICES": (HERE / "NOTICES").read_bytes()}


def common_licences():
    """The texts that these leave to Debian, by their names."""
    names = re.findall(rf"{COMMON}/([\w.-]*\w)", (HERE / "debian/copyright").read_text())
    return {name: (COMMON / name).read_bytes() for name in names}


def expression():
    """All of them in SPDX's form."""
    names = dict.fromkeys(re.findall(r"(?m)^License: (\S+)$", (HERE / "debian/copyright").read_text()))
    return " AND ".join(SPDX.get(name, name) for name in names)
