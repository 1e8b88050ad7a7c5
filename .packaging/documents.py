"""What README sends its readers to, as it lies in a package: files that lead to one another by plain links.

Nothing is listed here by name. From the documents that one begins with, links are followed, and theirs in turn: so an
article that README begins to link comes along by itself. Links of DocC become links to files, and a link to what no
package has (the source) becomes its text. A command that names an example gets the example's path in the package.
"""

import posixpath
import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
# Where in the project something may lie that is read, and where in a package; the first that matches. A link to
# anything else is for who has the source.
PLACES = (
    (r"Sources/\w+/\w+\.docc/([\w.@~-]+)", r"reference/\1"),
    (r"([A-Z]+(?:\.md)?)", r"\1"),
    (r"\.github/([\w.-]+\.(?:png|svg|jpg|webp))", r"pictures/\1"),
    (r"templates/(brands(?:/.+)?)", r"examples/\1"),
    (r"Tests/Examples/(.+)", r"examples/\1"),
    (r"\.packaging/(haproxy\.cfg)", r"examples/\1"),
)
# What a build or a test leaves in a folder that is tracked.
LEFT_BEHIND = ("Package.resolved", "__pycache__")
FENCED = re.compile(r"^(```.*?^```)[^\n]*$", re.MULTILINE | re.DOTALL)
# Code comes first: what looks like a link there is none. The last is the end of a link around a picture.
MARKS = re.compile(
    r"(?P<ticks>(?<!`)`+(?!`))(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|<doc:(?P<doc>[^>]+)>"
    r"|!?\[(?P<text>[^][]*)\]\((?P<target>[^)\s]+)\)"
    r"|\]\((?P<outer>[^)\s]+)\)",
    re.DOTALL)


# Paths in code; a name without a folder could be any word.
PATHS = re.compile(r"(?<![\w./])[\w.-]+(?:/[\w.-]+)+(?![\w/])")


def place(path, renamed):
    """Where a path of the project lies in a package; None where it does not."""
    if path in renamed:
        return renamed[path]
    for pattern, found in PLACES:
        if matched := re.fullmatch(pattern, path):
            return matched.expand(found)
    return None


def anchor(heading):
    """As web pages of repositories call a heading."""
    return "".join(each for each in heading.lower() if each.isalnum() or each in " -_").replace(" ", "-")


def outside_of_code(text, change):
    """A text with each of its paragraphs changed, and its fenced code as it is."""
    pieces = re.split(FENCED, text)
    return "".join(
        piece if number % 2 else "\n\n".join(change(each) for each in piece.split("\n\n"))
        for number, piece in enumerate(pieces))


class Articles:
    """Those of all catalogs, by their names, of which no two are the same."""

    def __init__(self):
        self.paths = {path.stem: path.relative_to(PROJECT).as_posix() for path in PROJECT.glob("Sources/*/*.docc/*.md")}

    def title(self, name):
        first = re.search(r"^# (.+)$", (PROJECT / self.paths[name]).read_text(), re.MULTILINE)
        return first[1].replace("`", "")

    def heading(self, name, dashed):
        """A heading as it is written, by how links of DocC write it."""
        for heading in re.findall(r"^###? (.+)$", (PROJECT / self.paths[name]).read_text(), re.MULTILINE):
            if "".join(each for each in heading if each.isalnum() or each in " -").replace(" ", "-") == dashed:
                return heading
        raise SystemExit(f"{self.paths[name]} has no heading {dashed}")

    def link(self, target, origin):
        """Of DocC's `ARTICLE#Heading`: the words, and the path with an anchor."""
        name, _, dashed = target.partition("#")
        name = name or Path(origin).stem
        if name not in self.paths:
            raise SystemExit(f"{origin} links to the article {name}, which there is not")
        if not dashed:
            return self.title(name), self.paths[name]
        heading = self.heading(name, dashed)
        return f"{self.title(name)}, {heading}", f"{self.paths[name]}#{anchor(heading)}"


class Reading:
    """Documents with those that they lead to, by their places in a package."""

    def __init__(self, begin, renamed):
        self.articles = Articles()
        self.renamed = renamed
        self.files = {}
        self.waiting = list(begin)
        while self.waiting:
            self.take(self.waiting.pop())

    def take(self, path):
        """A file with what it leads to, or all files of a folder."""
        source = PROJECT / path
        if source.is_dir():
            self.waiting += [
                f"{path}/{each.name}" for each in sorted(source.iterdir())
                if not each.name.startswith(".") and each.name not in LEFT_BEHIND]
        elif (target := place(path, self.renamed)) not in self.files:
            self.files[target] = b""
            content = source.read_bytes()
            self.files[target] = self.plain(content.decode(), path).encode() if path.endswith(".md") else content

    def plain(self, text, path):
        """A document with links that lead to where things lie in a package."""
        return outside_of_code(text, lambda paragraph: MARKS.sub(lambda mark: self.rewritten(mark, path), paragraph))

    def rewritten(self, mark, path):
        if mark["code"] is not None:
            # Two backticks name a symbol of DocC's, be it a catalog, and anything else in other documents.
            if ".docc/" not in path or mark["ticks"] != "``":
                return self.with_moved_paths(mark[0], path)
            if mark["code"] not in self.articles.paths or mark["code"] == Path(path).stem:
                return f"`{mark['code']}`"
            return self.linked(f"`{mark['code']}`", self.articles.paths[mark["code"]], path)
        if mark["doc"]:
            return self.linked(*self.articles.link(mark["doc"], path), path)
        target = mark["target"] or mark["outer"]
        if "://" in target or target.startswith(("#", "mailto:")):
            return mark[0]
        file, hash_mark, fragment = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if not (PROJECT / file).exists():
            raise SystemExit(f"{path} links to {target}, which there is not")
        if place(file, self.renamed) is None:
            if mark["text"] is None:
                raise SystemExit(f"{path} has a picture that links to {target}, which no package has")
            return mark["text"]
        words = re.sub("`[^`]+`", lambda code: self.with_moved_paths(code[0], path), mark[0].removesuffix(f"({target})"))
        return words + self.address(file, path, hash_mark + fragment)

    def linked(self, words, target, origin):
        file, hash_mark, fragment = target.partition("#")
        return f"[{words}]" + self.address(file, origin, hash_mark + fragment)

    def with_moved_paths(self, code, origin):
        """Code, such as a command, with paths of examples as they are in a package; other paths are the source's."""
        def moved(found):
            there = place(found[0], self.renamed)
            if there is None or not there.startswith("examples/") or not (PROJECT / found[0]).exists():
                return found[0]
            self.waiting.append(found[0])
            return self.relative(there, origin)

        return PATHS.sub(moved, code)

    def relative(self, there, origin):
        return posixpath.relpath(there, posixpath.dirname(place(origin, self.renamed)) or ".")

    def address(self, file, origin, fragment):
        """In brackets, from one file's place to another's, which comes along."""
        self.waiting.append(file)
        return f"({self.relative(place(file, self.renamed), origin)}{fragment})"


def documents(renamed):
    """README and the changelog, and all that they lead to: bytes by their places in a package.

    `renamed` says which files of the top folder have another name there.
    """
    return Reading(["README.md", "CHANGELOG.md"], renamed).files
