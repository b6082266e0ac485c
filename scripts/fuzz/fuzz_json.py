"""What the fuzzers do to JSON: every function takes a random.Random and is fully determined by it and its other arguments.

They work on a tree that can also hold what no JSON library writes: repeated keys, 1e400, lone surrogates, invalid UTF-8.
"""
import json

import fuzz_mutations as mutations


class Members(list):
    """An object as a list of [key, value], so that a key can be there twice."""


class Raw(bytes):
    """Bytes to stand in a JSON text as they are."""


NUMBERS = [Raw(text.encode()) for text in (
    "1e400 -1e400 -0 -0.0 1e-400 4.9e-324 1.7976931348623157e308 -1.7976931348623157e308 9223372036854775807 "
    "9223372036854775808 -9223372036854775808 18446744073709551616 2147483647 2147483648 -2147483648 4294967295 4294967296 "
    "9007199254740991 9007199254740992 9007199254740993 1e19 1e-9 0.5 0 1 -1 2 64 65 255 256 8192 65535 65536 NaN Infinity "
    "-Infinity nan inf 0x10 01 1. .5 +1 1e 1e+ - 1e999999999999 1_000 123456789012345678901234567890").split()]
STRINGS = [Raw(text) for text in (
    b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\ud83d\\ude00"', b'"\xff\xfe"', b'"\xc0\xaf"',
    b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"',
    b'"\\u0000"', b'"a\\u0000b"', b'"a\x00b"', b'"../../x"', b'"/"', b'"."', b'".."', b'""', b'" "', b'".hidden"', b'"a/b"',
    b'"a\\nb"', b'"a\nb"', b'"a\\r\\u001b[31mb"', b'"-rf"', b'"%d"', b'"%s%n%s%n"', b'"*"', b'"["', b'"[a-"', b'"[!"',
    b'"{a,b}"',
    b'"~"', b'"\\\\"', b'"\\x"', b'"\\u12"', b'"\\u+123"', b'"unclosed', b'"file:a.mp4"', b'"http://127.0.0.1:9/x"', b'"a*.mp4"',
    b'"a?b[c].mp4"', b'"in*"', b'"null"', b'"frame"', b'"markers"', b'"none"', b'"auto"', b'"#FFFFFF"', b'"#00000g"', b'"1"',
    b'"/dev/zero"', b'"/dev/null"', b'"/proc/self/mem"', b'"/etc/passwd"', b'"in.mp4/x"', b'"in.mp4/"', b'"./in.mp4"',
    b'"out/in.mp4"', "\"\u00e9\"".encode(), "\"e\u0301\"".encode(),
    "\"\u202e\u200b\ufeff\"".encode(), "\"\U0001f600\"".encode())]
REPEATED = (b"a", b"0", b" ", b"../", b"/", b"\\n", b"\\u0000", "\u00e9".encode(), "e\u0301".encode(), "\U0001f600".encode(), b"*",
            b"[")


def tree(value):
    """A JSON value as a tree of Members, lists and the rest."""
    if isinstance(value, dict):
        return Members([key, tree(item)] for key, item in value.items())
    return [tree(item) for item in value] if isinstance(value, list) else value


def dump(value):
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, Members):
        return b"{" + b", ".join(dump(key) + b": " + dump(item) for key, item in value) + b"}"
    if isinstance(value, list):
        return b"[" + b", ".join(dump(item) for item in value) + b"]"
    if isinstance(value, str):
        text = value.replace("\\", "\\\\").replace('"', '\\"')
        text = "".join(c if c >= " " else f"\\u{ord(c):04x}" for c in text)
        return b'"' + text.encode("utf-8", "surrogatepass") + b'"'
    return {True: b"true", False: b"false", None: b"null"}[value] if value is None or isinstance(value, bool) \
        else repr(value).encode()


def slots(value, path=""):
    """Every place of a value in a tree, as (container, index, path)."""
    found = []
    if isinstance(value, Members):
        for index, (key, item) in enumerate(value):
            inner = f"{path}/{key if isinstance(key, str) else '?'}"
            found.append((value, index, inner))
            found += slots(item, inner)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found.append((value, index, f"{path}/{index}"))
            found += slots(item, f"{path}/{index}")
    return found


def strange(rng):
    """A value of any kind."""
    pick = rng.randrange(12)
    if pick < 4:
        return rng.choice(NUMBERS)
    if pick < 8:
        return rng.choice(STRINGS)
    if pick == 8:
        piece, count = rng.choice(REPEATED), rng.choice((64, 128, 129, 200, 201, 255, 256, 4096, 100000, 1000000))
        return Raw(b'"' + piece * count + b'"')
    if pick == 9:
        depth = rng.choice((10, 63, 64, 65, 1000, 100000))
        opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"[", b""), (b'[{"a":', b"}]")))
        return Raw(opening * depth + b"1" + closing * depth)
    if pick == 10:
        return [rng.choice(NUMBERS[:24]) for _ in range(rng.choice((0, 1, 3, 4, 5, 9, 1000)))]
    return rng.choice((None, True, False, Members(), [], [[]], Members([["a", 1]]), [None], [Members()], 0, 1.5, ""))


def sample(rng, schema, key=""):
    """A value that fits a schema, often at one of its edges."""
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return sample(rng, rng.choice(schema[choice]), key)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "boolean":
        return rng.random() < 0.5
    if kind in ("number", "integer"):
        least = schema.get("minimum", schema.get("exclusiveMinimum", -1e6))
        most = schema.get("maximum", rng.choice((1, 10, 1e6, 1e15)))
        value = rng.choice((least, most, rng.uniform(least, most), least + 1, schema.get("default", 1)))
        if isinstance(value, list):
            value = 1
        return int(value) if kind == "integer" else (value or 1e-3 * ("exclusiveMinimum" in schema))
    if kind == "array":
        least, most = schema.get("minItems", 0), schema.get("maxItems", rng.choice((1, 2, 8)))
        # What is in a list isn't said everywhere.
        one = (lambda: sample(rng, schema["items"], key)) if "items" in schema else (lambda: strange(rng))
        return [one() for _ in range(rng.randint(least, max(least, most)))]
    if kind == "object":
        names = sorted(schema.get("properties", {}))
        required = schema.get("required", [])
        return Members([name, sample(rng, schema["properties"][name], name)] for name in names
                       if name in required or rng.random() < 0.4)
    return {"color": "#12abEF", "inputs": "frame"}.get(key, rng.choice(("a", "in.mp4", "in*", "frame", "x")))


def mutate_tree(rng, root, schemas):
    """Changes a tree in place and says how. `schemas`: (key, schema) of members to put in."""
    places = slots(root)
    if not places:
        return "nothing to change"
    container, index, path = rng.choice(places)
    member = isinstance(container, Members)
    kind = rng.randrange(9)
    if kind == 0:
        del container[index]
        return f"delete {path}"
    if kind == 1:
        item = container[index]
        for _ in range(rng.choice((1, 1, 2, 1000))):
            container.insert(rng.randint(0, len(container)), list(item) if member else item)
        return f"repeat {path}"
    if kind == 2 and member:
        key = container[index][0]
        new = rng.choice((rng.choice(STRINGS), key.upper() if isinstance(key, str) else "a", f"{key}s",
                          rng.choice(schemas)[0]))
        container[index][0] = new
        return f"rename {path} to {new[:40]!r}"
    if kind == 3 and schemas:
        key, schema = rng.choice(schemas)
        targets = [c[i][1] if isinstance(c, Members) else c[i] for c, i, _ in places]
        target = rng.choice([t for t in targets if isinstance(t, Members)] or [Members()])
        numeric = schema.get("type") in ("number", "integer") and rng.random() < 0.5
        value = rng.choice(NUMBERS) if numeric else sample(rng, schema, key) if rng.random() < 0.6 else strange(rng)
        target[:] = [item for item in target if item[0] != key] + [[key, value]]
        return f"set {key} to {dump(value)[:60]!r}"
    if kind == 4:
        source = rng.choice(places)
        value = source[0][source[1]][1] if isinstance(source[0], Members) else source[0][source[1]]
        text = dump(value)
        value = Raw(text[:1 << 20])
        what = f"copy {source[2]} to {path}"
    else:
        numbers = [place for place in places if isinstance(
            place[0][place[1]][1] if isinstance(place[0], Members) else place[0][place[1]], (int, float))]
        if kind == 5 and numbers:
            container, index, path = rng.choice(numbers)
            member, value = isinstance(container, Members), rng.choice(NUMBERS)
        else:
            value = strange(rng)
        what = f"{path} = {dump(value)[:60]!r}"
    if member:
        container[index][1] = value
    else:
        container[index] = value
    return what


def mutate_text(rng, text, others):
    """Changes a JSON text as text."""
    kind = rng.randrange(9)
    if kind == 0:
        return b"\xef\xbb\xbf" + text, "byte order mark"
    if kind == 1:
        return text.replace(b", ", b",\r\n").replace(b"{", b"{\r"), "CRLF"
    if kind == 2:
        codec = rng.choice(("utf-16", "utf-16-le", "utf-32"))
        return text.decode("utf-8", "replace").encode(codec), codec
    if kind == 3:
        tail = rng.choice((b"\x00", b"}", b"{}", b"// x", b"\xff", b" \n\t", b"\x1a", text))
        return text + tail, f"add {tail[:20]!r}"
    if kind == 4:
        depth = rng.choice((100, 10000, 100000, 1000000))
        return rng.choice((b"[", b'{"a":', b"[[],", b'{"version":1,"jobs":[')) * depth, f"{depth} brackets"
    if kind == 5:
        old, new = rng.choice(((b'"', b"'"), (b",", b",,"), (b":", b"="), (b"]", b",]"), (b"}", b",}"), (b"1", b"\xd9\xa1"),
                               (b" ", b"\xc2\xa0"), (b" ", b"/**/"), (b"{", b"["), (b"true", b"True")))
        return text.replace(old, new, rng.choice((1, -1))), f"{old!r} to {new!r}"
    if kind == 6:
        return b"", "empty"
    data, done = mutations.mutate_bytes(rng, text, others, structured=False)
    return data, "; ".join(done)


def mutate_lines(rng, data, others):
    """Changes a file of JSON Lines."""
    done = []
    lines = data.split(b"\n")
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.choice((0, max(0, len(lines) - 2), rng.randrange(len(lines))))
        kind = rng.randrange(10)
        if kind == 0:
            del lines[at]
            done.append(f"delete line {at + 1}")
        elif kind == 1:
            times = rng.choice((1, 1, 300))
            lines[at:at] = [lines[at]] * times
            done.append(f"repeat line {at + 1} {times} times")
        elif kind == 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
            done.append(f"swap lines {at + 1} and {other + 1}")
        elif kind == 3:
            lines[at], what = mutate_text(rng, lines[at] or b" ", others)
            done.append(f"line {at + 1}: {what}")
        elif kind == 4:
            lines[at] = rng.choice((b"", b"null", b"[]", b"{}", b" ", b"\x00", b'{"summary":{}}', b'{"frame":0}',
                                    b'{"a":"' + b"x" * (8 << 20)))
            done.append(f"line {at + 1} = {lines[at][:20]!r}")
        else:
            try:
                root = tree(json.loads(lines[at]))
            except (ValueError, RecursionError):
                continue
            for _ in range(rng.choice((1, 1, 2))):
                done.append(f"line {at + 1}: {mutate_tree(rng, root, [('frame', {'type': 'integer'})])}")
            lines[at] = dump(root)
        if not lines:
            break
    return b"\n".join(lines), done


def mutate_report(rng, data, folder, others):
    """Changes a report: names that lead elsewhere, sizes of anything, texts that are none."""
    if rng.random() < 0.2:
        data, what = mutate_text(rng, data, others)
        return data, [what]
    report, done = json.loads(data), []
    names = ("../victim", "../victim.mp4", folder + "/victim", "../pipe", "/etc/passwd", "/dev/zero", "/dev/stdin", "/dev/full",
             "..", ".", "", "/", "../out/../victim", "a.mp4/../../victim", "report.json", "a\x00/../../victim", "x" * 5000,
             "../m.json", "-", "%d", "http://localhost/", "concat:../victim|../vfr.mp4", "file:../victim")
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        job = rng.choice(report["jobs"])
        target, key = rng.choice(((job, "source"), (job, "source"), (job, "id"), (job, "input"), (job, "fingerprint"),
                                  (job, "status"), (job, "bytes"), (job, "outputs")) + tuple(
                                      (output, key) for output in job.get("outputs", []) if isinstance(output, dict)
                                      for key in ("file", "file", "bytes")))
        if key == "status":
            value = rng.choice(("done", "up-to-date", "failed", "interrupted", "not-run", "x", 1, None))
        elif key == "bytes":
            value = rng.choice((0, -1, 9, 1 << 63, 1e300, "9", None, [9]))
        elif key == "outputs":
            value = rng.choice(([], None, {}, [{"file": rng.choice(names), "bytes": 9}], [{"file": None}], ["../victim"],
                                [{"file": "../victim", "bytes": 9}] * 1000))
        else:
            value = rng.choice(names if rng.random() < 0.9 else (None, 1, [], {}, True))
        target[key] = value
        done.append(f"{key} = {str(value)[:40]!r}")
        if not isinstance(job.get("outputs"), list):
            job["outputs"] = [{"file": "../victim", "bytes": 9}]
    if rng.random() < 0.2:
        root = tree(report)
        done.append(mutate_tree(rng, root, [("id", {"type": "string"}), ("outputs", {"type": "array"})]))
        return dump(root), done
    return json.dumps(report).encode(), done


def spelled_out(schema, definitions):
    """A schema with what it defines once in every place that refers to it."""
    if isinstance(schema, list):
        return [spelled_out(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    schema = dict(schema)
    name = schema.pop("$ref", "").rpartition("/")[2]
    if name:
        schema = {**definitions[name], **schema}
    return {key: spelled_out(value, definitions) for key, value in schema.items()}


def vocabulary(schema):
    """The members that a schema knows, as (name, schema), and the stage types with theirs."""
    members, stages = [], {}
    for key, inner in schema.get("properties", {}).items():
        members.append((key, inner))
        below = vocabulary(inner)
        members += below[0]
        stages.update(below[1])
    for inner in (schema.get("items"), schema.get("additionalProperties"), *schema.get("anyOf", ()),
                  *schema.get("oneOf", ())):
        if isinstance(inner, dict):
            kind = inner.get("properties", {}).get("type", {}).get("const")
            if kind:
                stages[kind] = inner
            below = vocabulary(inner)
            members += below[0]
            stages.update(below[1])
    return members, stages
