"""Files as they will lie in a package: the same tree gives the same bytes, wherever and whenever it is packed."""

import gzip
import io
import os
import tarfile
from pathlib import Path
from typing import NamedTuple


class Entry(NamedTuple):
    """A file (its bytes), a link (where it leads) or a folder (None)."""

    content: bytes | str | None
    mode: int
    owner: int = 0


class Tree(dict):
    """Entries by their path, which does not begin with a slash."""

    def add(self, path, content, mode=0o644):
        self[path] = Entry(content.encode() if isinstance(content, str) else content, mode)

    def link(self, path, target):
        self[path] = Entry(str(target), 0o777)

    def folder(self, path, mode=0o755, owner=0):
        self[path] = Entry(None, mode, owner)

    def below(self, prefix):
        return Tree({f"{prefix}/{path}": entry for path, entry in self.items()})

    def sorted(self):
        """Every entry with the folders above it, each before what it holds."""
        whole = {str(parent): Entry(None, 0o755)
                 for path in self for parent in Path(path).parents if str(parent) != "."} | self
        return sorted(whole.items(), key=lambda item: Path(item[0]).parts)

    def write(self, folder, moment):
        """To a disk, with every time the same."""
        for path, entry in self.sorted():
            target = Path(folder, path)
            match entry.content:
                case None:
                    target.mkdir(parents=True, exist_ok=True)
                case bytes():
                    target.write_bytes(entry.content)
                case str():
                    target.symlink_to(entry.content)
            if not target.is_symlink():
                target.chmod(entry.mode)
        for path, _ in reversed(self.sorted()):
            os.utime(Path(folder, path), (moment, moment), follow_symlinks=False)

    def tar(self, moment):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for path, entry in self.sorted():
                member = tarfile.TarInfo(path)
                member.mode, member.mtime = entry.mode, moment
                member.uid = member.gid = entry.owner
                match entry.content:
                    case None:
                        member.type = tarfile.DIRTYPE
                        archive.addfile(member)
                    case bytes():
                        member.size = len(entry.content)
                        archive.addfile(member, io.BytesIO(entry.content))
                    case str():
                        member.type, member.linkname = tarfile.SYMTYPE, entry.content
                        archive.addfile(member)
        return packed.getvalue()


def zipped(data, level):
    return gzip.compress(data, level, mtime=0)
