#!/usr/bin/env python3
"""Attacks annotate-batch with what it finds in its output folders.

usage: folders.py [--program PATH] [--only WORD] [--keep]

Each attack plants something in a finished batch's output folder: reports that name files elsewhere or of other jobs, links,
hard links, pipes, ids that are paths, numbers without end, and what becomes something else while the program works. Then every
command that reads such a folder runs. Nothing outside of it may change or go, nothing that lies outside may come to stand in a
result, nothing may crash or wait, and “removed” is said only of what went. Exit status 1 where that doesn't hold.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SECRET = "SECRET-7f3a"
LIMIT = 120
FORMATS = ["csv", "yolo", "vtt"]
OUT = "../out"
FORMS = ("csv", "tracks.jsonl", "vtt", "mp4")


def ffmpeg(*arguments):
    return subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)], check=True,
                          capture_output=True).stdout


def clip(path, picture, more=""):
    ffmpeg("-f", "lavfi", "-i", f"{picture}s=96x64:r=10{more}", "-frames:v", 6, "-c:v", "libx264", "-preset", "ultrafast",
           "-pix_fmt", "yuv420p", path)


class World:
    """home/ is the victim's, home/batch/out the folder that somebody else may write in."""

    def __init__(self, program, folder):
        self.program, self.home = program, folder
        self.batch, self.out, self.docs = folder / "batch", folder / "batch/out", folder / "docs"

    def make(self):
        self.batch.mkdir(parents=True)
        self.docs.mkdir()
        for name in "ab":
            clip(self.batch / f"{name}.mp4", "testsrc2=")
        self.manifest("a", "b", "gone")
        shutil.copy(self.batch / "b.mp4", self.batch / "gone.mp4")
        self.must("run", "m.json")
        (self.batch / "gone.mp4").unlink()
        self.manifest("a", "b")
        # Another batch of the victim's, of which nobody knows.
        clip(self.docs / "secret.mp4", "color=c=magenta:", ",drawbox=20:15:40:30:white:fill")
        private = {"version": 1, "output": {"directory": "private"}, "jobs": [
            {"id": SECRET, "input": "secret.mp4", "graph": {"stages": [{"id": SECRET, "type": "rectangles"}]}}]}
        (self.docs / "private.json").write_text(json.dumps(private))
        self.must("run", str(self.docs / "private.json"))
        for name in ("a", "gone"):
            for form in ("csv", "mp4", "vtt"):
                (self.docs / f"{name}.{form}").write_text(f"{SECRET} {name}\n")
            shutil.copy(self.docs / f"private/{SECRET}.tracks.jsonl", self.docs / f"{name}.tracks.jsonl")
            (self.docs / f"{name}.yolo/labels").mkdir(parents=True)
            (self.docs / f"{name}.yolo/labels/000000.txt").write_text(SECRET)
        (self.docs / "labels").mkdir()
        (self.docs / "labels/mine.txt").write_text(SECRET)

    def manifest(self, *names):
        jobs = [{"input": f"{name}.mp4", "graph": {"stages": [{"id": "r", "type": "rectangles"}]}} for name in names]
        (self.batch / "m.json").write_text(json.dumps({"version": 1, "output": {"formats": FORMATS}, "jobs": jobs}))

    def call(self, *arguments):
        return subprocess.run([self.program, *arguments], cwd=self.batch, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=LIMIT)

    def must(self, *arguments):
        ended = self.call(*arguments, "--progress", "none")
        if ended.returncode:
            sys.exit(f"folders.py: {arguments}: {ended.stderr.decode()}")

    def report(self, change):
        path = self.out / "report.json"
        report = json.loads(path.read_text())
        change(report, {job["id"]: job for job in report["jobs"]})
        path.write_text(json.dumps(report))

    def link(self, name, target):
        path = self.out / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.symlink_to(target)


def outputs(world, job, place, size=None):
    """A job's files are said to be one elsewhere."""
    there = world.out / place if "\0" not in place else world.out / "x"
    size = size if size is not None else there.stat().st_size if there.is_file() else 5

    def change(report, jobs):
        jobs[job]["outputs"] = [{"file": place, "bytes": size}]
        jobs[job]["replaces"] = [place]
        jobs[job]["fingerprint"] = "0" * 64
    world.report(change)


def entry(world, id_, places):
    """A job that the manifest hasn't, with files."""
    def change(report, jobs):
        files = [{"file": place, "bytes": (world.out / place).stat().st_size if (world.out / place).is_file() else 5}
                 for place in places]
        report["jobs"].append({**jobs["gone"], "id": id_, "outputs": files, "replaces": list(places)})
    world.report(change)


def number(world, key, value):
    def change(report, jobs):
        for job in jobs.values():
            job[key] = value
            for output in job["outputs"]:
                output["bytes"] = value
    world.report(change)


def foreign_source(world):
    """The report says that a job's source is another file, and its track file says so too."""
    def change(report, jobs):
        jobs["a"]["source"] = "../../docs/secret.mp4"
        jobs["a"]["outputs"] = [file for file in jobs["a"]["outputs"] if not file["file"].endswith(".mp4")]
    world.report(change)
    path = world.out / "a.tracks.jsonl"
    path.write_text(path.read_text().replace('"a.mp4"', '"secret.mp4"', 1))
    (world.out / "a.mp4").unlink()


def pipe(world, name):
    (world.out / name).unlink(missing_ok=True)
    os.mkfifo(world.out / name)


def hard_link(world, name, target):
    (world.out / name).unlink(missing_ok=True)
    os.link(target, world.out / name)


def partial_folder(world):
    folder = world.out / ".a.yolo.partial-1"
    folder.mkdir()
    (folder / "labels").symlink_to(world.docs)


def deep(world):
    folder = world.out / "gone.yolo/labels"
    for _ in range(200):
        folder = folder / "d"
    folder.mkdir(parents=True)


def attacks():
    """Names, what plants them, and what changes while the program works, if anything does."""
    elsewhere = ["../../docs/{0}", "{docs}/{0}", "x/../../../docs/{0}", "./../../docs/{0}", "../../docs/{0}/",
                 "../../docs//{0}", "..", ".", "", "/", "{0}\0/../../docs/{0}", "b.csv", "b.tracks.jsonl", "report.json",
                 "../m.json", "../a.mp4", "../b.mp4"]
    for form in FORMS:
        for job in ("a", "gone"):
            for place in elsewhere:
                def plant(world, job=job, place=place, form=form):
                    outputs(world, job, place.format(f"{job}.{form}", docs=world.docs))
                if form == "csv" or "{0}" in place:
                    yield f"outputs {job}.{form} {place!r}", plant, None
    for id_ in ("../../docs/a", "a/../../../docs/a", "../../docs/gone", ".x", "", "b", "x" * 300, "gone\n", "~", "*",
                "../b", "a.yolo/labels/../../b"):
        yield f"id {id_!r:.40}", lambda world, id_=id_: entry(
            world, id_, [f"{id_}.{form}"[:250] for form in FORMS] + ["b.mp4", "../a.mp4"]), None
    for key in ("frames", "tracks", "concealed", "seconds"):
        for value in (2**63 - 1, -2**63, 1e308, -1, 0.5, "1", None, [[]], 10**30):
            yield f"{key} {value!r:.20}", lambda world, key=key, value=value: number(world, key, value), None
    for name, target in (("gone.csv", "docs/gone.csv"), ("gone.yolo", "docs/gone.yolo"), ("gone.yolo", "docs"),
                         ("a.csv", "docs/a.csv"), ("a.yolo", "docs/a.yolo"), ("a.mp4", "docs/secret.mp4"),
                         ("a.tracks.jsonl", f"docs/private/{SECRET}.tracks.jsonl"), ("a.tracks.jsonl", "docs/a.tracks.jsonl"),
                         ("report.json", "docs/private/report.json"), ("report.1-of-2.json", "docs/private/report.json"),
                         (".a.mp4.partial-1", "docs/a.csv"), (".b.yolo.partial-7", "docs"), ("review.html", "docs/a.csv"),
                         ("review.data", "docs"), ("a.labelstudio.json", "docs/a.csv"), ("gone.mp4", "docs")):
        yield f"link {name} → {target}", lambda world, name=name, target=target: world.link(name, world.home / target), None
    yield "link in a folder of results", lambda world: (
        shutil.rmtree(world.out / "gone.yolo/labels"), world.link("gone.yolo/labels", world.docs)), None
    yield "link in a partial folder", partial_folder, None
    yield "folders without end", deep, None
    for name in ("gone.csv", "a.csv", "a.mp4", "a.vtt"):
        yield f"hard link {name}", lambda world, name=name: hard_link(world, name, world.docs / "a.csv"), None
    for name in ("report.json", "report.1-of-2.json", "a.tracks.jsonl", "gone.csv", "gone.tracks.jsonl", ".a.mp4.partial-1",
                 "b.mp4"):
        yield f"pipe {name}", lambda world, name=name: pipe(world, name), None
    yield "another source", foreign_source, None
    for name in ("gone.yolo", "a.yolo", "b.csv", "report.json", ".a.yolo.partial-1"):
        yield f"swapped {name}", lambda world: None, name
    yield "swapped output folder", lambda world: None, OUT


def swap(world, name, stop):
    """A name is a result, and then a link to the victim's, again and again."""
    beside = world.batch if name == OUT else world.out
    path, other, link = beside / os.path.basename(name), beside / ".other", beside / ".link"
    target = world.docs if "yolo" in name or name == OUT else world.docs / "a.csv"
    while not stop.is_set():
        try:
            link.symlink_to(target)
            if path.exists() and not path.is_symlink():
                os.rename(path, other)
            os.rename(link, path)
            path.unlink()
            if other.exists():
                os.rename(other, path)
        except OSError:
            link.unlink(missing_ok=True)


def snapshot(world):
    """All outside of the output folder: what is there, and what it holds."""
    found = {}
    for folder, folders, files in os.walk(world.home):
        if pathlib.Path(folder) == world.batch:
            # What swaps them ends at any moment.
            folders[:] = [name for name in folders if name not in ("out", ".other")]
            files = [name for name in files if name not in ("out", ".link")]
        for name in folders + files:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            content = b""
            if stat.S_ISREG(status.st_mode):
                with open(path, "rb") as file:
                    content = file.read()
            found[path] = (status.st_mode, status.st_size, status.st_mtime_ns, hashlib.sha256(content).hexdigest())
    return found


def commands(swapped, is_root_first):
    """Those that read come first: the others mend what is planted."""
    if swapped == OUT:
        # Without a root whoever names the folder means where it leads.
        for more in 10 * ([], ["--force"], ["--isolation", "none", "--force"], ["--prune"]):
            yield "run", "m.json", "--root", ".", "--progress", "none", *more
        return
    runs = [("run", "m.json", "--prune", "--progress", "none"), ("run", "m.json", "--root", ".", "--prune", "--progress", "none")]
    yield "run", "m.json", "--dry-run", "--prune", "--progress", "none"
    yield "status", "m.json", "--shards", "2"
    yield "verify", "out"
    yield "export", "out", "--format", "csv", "-o", "out/exported"
    yield "export", "out", "--format", "yolo", "--frames", "png", "-o", "out/pictures"
    yield "compare", "out", "out"
    yield "review", "out", "--embed"
    yield "merge", "out/report.json", "-o", "out/merged/report.json", "--junit", "out/merged/junit.xml"
    yield from reversed(runs) if is_root_first else runs
    yield "run", "m.json", "--isolation", "none", "--only", "a", "--force", "--progress", "none"
    yield "run", "m.json", "--force", "--progress", "none"
    yield "run", "m.json", "--shard", "1/2", "--progress", "none"
    yield "verify", "out"
    yield "review", "out", "-o", "out/review.html"


def magenta(path):
    """True for a picture that is the secret video's."""
    pixel = ffmpeg("-i", path, "-vf", "scale=1:1", "-frames:v", 1, "-f", "rawvideo", "-pix_fmt", "rgb24", "-")[:3]
    return len(pixel) == 3 and pixel[0] > 180 and pixel[1] < 80 and pixel[2] > 180


def leaks(world):
    """What lies in the folder as plain files now, and tells of what lies outside."""
    for folder, _, files in os.walk(world.out):
        for name in files:
            path = pathlib.Path(folder, name)
            if path.is_symlink() or not path.is_file() or path.stat().st_nlink > 1:
                continue
            if SECRET.encode() in path.read_bytes():
                yield f"{path.relative_to(world.out)} has what lies outside"
            elif path.suffix in (".png", ".jpg", ".mp4") and magenta(path):
                yield f"{path.relative_to(world.out)} shows what lies outside"


def faults(world, plant, swapped, is_root_first):
    plant(world)
    before = snapshot(world)
    stop = threading.Event()
    thread = threading.Thread(target=swap, args=(world, swapped, stop)) if swapped else None
    if thread:
        thread.start()
    try:
        for command in commands(swapped, is_root_first):
            names = set() if swapped == OUT else set(os.listdir(world.out))
            try:
                ended = world.call(*command)
            except subprocess.TimeoutExpired:
                yield f"{' '.join(command)}: no end after {LIMIT} s"
                continue
            if ended.returncode < 0 or ended.returncode > 75:
                yield f"{' '.join(command)}: status {ended.returncode}: {ended.stderr.decode(errors='replace')[-400:]}"
            for line in ended.stderr.decode(errors="replace").splitlines():
                if line.startswith("annotate-batch: removed ") and not swapped:
                    for name in line.removeprefix("annotate-batch: removed ").split(": there is no job")[0].split(", "):
                        if name not in names or os.path.lexists(world.out / name):
                            yield f"{' '.join(command)}: “{line}”, which isn't so"
    finally:
        stop.set()
        if thread:
            thread.join()
    after = snapshot(world)
    for path in sorted((set(before) | set(after)) - ({str(world.batch)} if swapped == OUT else set())):
        if before.get(path) != after.get(path):
            what = "is new" if path not in before else "is gone" if path not in after else "was changed"
            yield f"{os.path.relpath(path, world.home)} {what}"
    if not swapped:
        yield from leaks(world)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/annotate-batch"))
    parser.add_argument("--only", default="", help="attacks whose names hold this")
    parser.add_argument("--keep", action="store_true", help="leave the folders of those that succeed")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    count, broken = 0, 0
    work = pathlib.Path(tempfile.mkdtemp(prefix="annotate-attack-"))
    try:
        template = World(program, work / "template")
        template.make()
        for name, plant, swapped in attacks():
            if options.only not in name:
                continue
            count += 1
            world = World(program, work / f"case-{count}")
            shutil.copytree(template.home, world.home, symlinks=True)
            found = list(faults(world, plant, swapped, count % 2 == 0))
            for fault in found:
                print(f"{name}: {fault}", flush=True)
            broken += bool(found)
            if not (found and options.keep):
                shutil.rmtree(world.home)
        print(f"folders.py: {count} attacks, {broken} succeed", flush=True)
    finally:
        if not options.keep:
            shutil.rmtree(work, ignore_errors=True)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
