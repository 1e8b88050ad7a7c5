"""The licences of the program and of everything linked into it, which have to be passed on with a package."""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
# SPDX's identifiers for licences that Debian calls by another name, or that have no name.
SPDX = {"Expat": "MIT", "Gladman": "LicenseRef-Gladman"}
COMMON = Path("/usr/share/common-licenses")


def licences():
    """Licence texts and notices, by their file names in a package's folder of documents on Debian."""
    return {"copyright": (HERE / "debian/copyright").read_bytes(), "NOTICES": (HERE / "NOTICES").read_bytes()}


def common_licences():
    """The texts for which they refer to Debian's common ones, by name."""
    names = re.findall(rf"{COMMON}/([\w.-]*\w)", (HERE / "debian/copyright").read_text())
    return {name: (COMMON / name).read_bytes() for name in names}


def expression():
    """All of them as an SPDX expression."""
    names = dict.fromkeys(re.findall(r"(?m)^License: (\S+)$", (HERE / "debian/copyright").read_text()))
    return " AND ".join(SPDX.get(name, name) for name in names)
