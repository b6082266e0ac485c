#!/usr/bin/env python3
"""Whether public declarations, and types and functions of the package, have a doc comment.

Without one are let be: what answers a protocol's requirement, which has the comment (`description`, `fields` of a
`Record`), what compares (`==`, `<`), and a command's options, whose help says it; of the package's own also an
initialiser that only sets members of its type, and what is named as a requirement, whatever its parameters.
`--count` prints how many there are of each access, and how many lack a comment.

Prints a sentence for each fault, and ends with 1 where there is one.
"""
import argparse
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TYPES = {"struct", "class", "enum", "protocol", "actor", "extension"}
# What a name of a package's own must have, beside what is public.
PACKAGE = {"struct", "class", "enum", "protocol", "actor", "func"}
ATTRIBUTE = r"@\w+(?:\((?:[^()]|\([^()]*\))*\))?"
DECLARATION = re.compile(
    rf"^( *)((?:{ATTRIBUTE} +)*)((?:(?:public|open|package|internal|private|fileprivate"
    r"|(?:private|fileprivate|package|internal)\(set\)|final|static|mutating|nonmutating|lazy|weak|override|indirect"
    r"|nonisolated(?:\(unsafe\))?|required|convenience|consuming|borrowing|prefix|postfix"
    r"|class(?= +(?:func|var)))\s+)*)"
    r"(struct|class|enum|protocol|actor|extension|typealias|associatedtype|func|var|let|init|subscript)\b(.*)$")
CASE = re.compile(r"^( *)(?:indirect )?case +`?(\w+)`?")
OPTION = re.compile(r"@(?:Option|Flag|Argument|OptionGroup)\b")
ACCESS = ("public", "open", "package", "internal", "private", "fileprivate")
# Requirements of protocols that aren't declared here.
OUTSIDE = {
    "description", "debugDescription", "errorDescription", "hash", "encode", "rawValue", "makeIterator", "next",
    "Iterator", "Element", "startIndex", "endIndex", "index", "allCases", "CodingKeys", "configuration", "run",
    "validate",
}
# The same, with the labels of what is called.
OUTSIDE_CALLS = OUTSIDE - {"hash", "encode", "makeIterator", "next", "index", "run", "validate"} | {
    "hash(into)", "encode(to)", "init(from)", "makeIterator()", "next()", "index(after)", "index(before)", "run()",
    "validate()", "==", "<",
}


class Declaration:
    def __init__(self, path, line, kind, name, text, access, within, documented, helped):
        self.path, self.line, self.kind, self.name, self.text, self.access = path, line, kind, name, text, access
        # The kind and the name of what it is in.
        self.within, self.owner = within
        self.documented, self.helped = documented, helped

    @property
    def call(self):
        """Its name and, of what is called, its parameters' labels: what answers a requirement has the same."""
        if self.kind not in ("func", "init", "subscript") or not re.match(r"\w", self.name):
            return self.name
        return f"{self.name}({':'.join(first for first, _ in parameters(self.text))})"

    def __str__(self):
        whole = ".".join(part for part in (self.owner, self.name) if part)
        what = f"{self.access} {self.kind} {whole}"
        return f"{self.path}:{self.line}: {what} has no doc comment; expected what it is, in a line"


def lines_of_code(text):
    """Numbered lines outside of strings that go over several."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if not inside:
            yield number, line
        if line.count('"""') % 2:
            inside = not inside


def name_of(kind, rest):
    if kind in ("init", "subscript"):
        return kind
    found = re.match(r"\s*`?([\w.]+)`?|\s*([^\s\w(]+?)(?=[\s(]|<\w)", rest)
    return (found[1] or found[2]) if found else "?"


def signature(text, line):
    """A declaration's text up to the end of its parameters: it may go over lines."""
    rest, depth, begun = "\n".join(text.split("\n")[line - 1:line + 25]), 0, False
    for at, letter in enumerate(rest):
        depth += (letter in "([") - (letter in ")]")
        begun = begun or letter == "("
        if begun and depth == 0:
            return rest[:at + 1] + rest[at + 1:].split("{")[0].split("\n")[0]
    return rest.split("\n")[0]


def parameters(text):
    """The label and the name of each parameter of what is called."""
    start = end = text.find("(") + 1
    depth = start and 1
    while depth and end < len(text):
        depth += (text[end] in "([") - (text[end] in ")]")
        end += 1
    inside = text[start:end - 1]
    for _ in range(3):
        inside = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>", "", inside)
    return [(first, second or first) for first, second in re.findall(
        r"(?:^|,)\s*(?:@\w+ )*`?(\w+)`?(?: `?(\w+)`?)?\s*:", inside)]


def declarations(path, text):
    """What a file declares, but for what is local; its layout, which swift-format keeps, tells what is in what."""
    stack, documented, helped, depth = [], None, False, 0
    for number, line in lines_of_code(text):
        stripped = line.strip()
        if stripped.startswith("///"):
            # Of parameters alone nobody learns what it is.
            documented = not stripped.startswith("/// - ") if documented is None else documented
            continue
        if not stripped or stripped.startswith(("//", "#")):
            documented = documented if stripped else None
            continue
        indent = len(line) - len(line.lstrip())
        while stack and stack[-1][0] >= indent and not stripped.startswith(("}", ")")):
            stack.pop()
        found = DECLARATION.match(line)
        case = CASE.match(line) if stack and stack[-1][1] == "enum" and indent == stack[-1][0] + 4 else None
        if case:
            parent = stack[-1]
            yield Declaration(
                path, number, "case", case[2], line, parent[3], parent[1:3], bool(documented), False)
            documented, helped, depth = None, False, 0
            continue
        if not found:
            # An attribute may have a line, or several, of its own before what it belongs to.
            if stripped.startswith("@") or depth > 0:
                helped = helped or bool(OPTION.match(stripped))
                depth = max(0, depth + stripped.count("(") - stripped.count(")"))
            else:
                documented, helped = None, False
            continue
        _, attributes, words, kind, rest = found.groups()
        parent = stack[-1] if stack else (-4, "file", "", "internal")
        if indent == parent[0] + 4 and parent[1] in TYPES | {"file"}:
            # A requirement has its protocol's access, a member of an extension with one that extension's.
            given = parent[3] if parent[1] in ("protocol", "extension") else "internal"
            access = next((word for word in words.split() if word in ACCESS), given)
            if kind == "extension":
                access = next((word for word in words.split() if word in ACCESS), "internal")
            name = name_of(kind, rest)
            whole = ".".join(part for part in (parent[2], name) if part)
            yield Declaration(
                path, number, kind, name, signature(text, number), access, parent[1:3], bool(documented),
                helped or bool(OPTION.search(attributes)) or "override" in words.split())
            stack.append((indent, kind, whole, access))
        else:
            stack.append((indent, "local", "", "internal"))
        documented, helped, depth = None, False, 0


def conformances(all_declared):
    """{type: what stands behind its colon, with what those stand on}, by the last part of the names."""
    direct = defaultdict(set)
    for one in all_declared:
        if one.kind in TYPES:
            head = re.sub(r"<[^<>]*>", "", one.text.split("{")[0].split(" where ")[0])
            head = head.split(one.name, 1)[-1]
            if ":" in head:
                direct[one.name.split(".")[-1]].update(re.findall(r"[A-Z]\w*", head.split(":", 1)[1]))
    for _ in range(4):
        for name in list(direct):
            direct[name] |= {further for one in direct[name] for further in direct.get(one, ())}
    return direct


def sets_members(one, members):
    """Whether an initialiser's parameters are the members of its type, by name."""
    return "throws" not in one.text and all(name in members for _, name in parameters(one.text))


def faults(all_declared):
    known = conformances(all_declared)
    required, members = defaultdict(list), defaultdict(set)
    for one in all_declared:
        members[one.owner.split(".")[-1]].add(one.name)
        if one.within == "protocol":
            required[one.owner].append(one)
    for one in all_declared:
        short = one.owner.split(".")[-1]
        named = [other for above in known[short] for other in required[above] if other.name == one.name]
        if one.kind == "extension" or one.access not in ("public", "open", "package"):
            continue
        if one.access == "package":
            if one.kind not in PACKAGE:
                continue
            answers = bool(named) or one.name in OUTSIDE and one.owner
            plain = one.kind == "init" and (sets_members(one, members[short]) or one.call == "init(from)")
        else:
            # A type of a required name is one of its own.
            answers = one.kind not in TYPES and any(other.call == one.call and other.documented for other in named) \
                or one.call in OUTSIDE_CALLS and one.owner
            plain = False
        one.fault = not (one.documented or one.helped or answers or plain)
        yield one


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", action="store_true", help="how many there are, and how many lack a comment")
    parser.add_argument("--public", action="store_true", help="of public declarations alone")
    arguments = parser.parse_args()
    declared = []
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        declared += declarations(path.relative_to(ROOT), path.read_text())
    looked_at = [one for one in faults(declared) if not arguments.public or one.access != "package"]
    if arguments.count:
        kinds = Counter(
            (one.path.parts[1], "package" if one.access == "package" else "public", one.fault) for one in looked_at)
        for module, access in sorted({key[:2] for key in kinds}):
            lacking = kinds[module, access, True]
            print(f"{module} {access}: {lacking + kinds[module, access, False]}, {lacking} without a comment")
        return 0
    for one in looked_at:
        if one.fault:
            print(one)
    return 1 if any(one.fault for one in looked_at) else 0


if __name__ == "__main__":
    sys.exit(main())
