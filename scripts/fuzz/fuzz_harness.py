"""Runs the program for fuzz.py, and holds how it went and what it left against its promises."""
import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time

STATUSES = (0, 1, 2, 64, 65, 75)
# What waits for something, and not for a processor that others have too, may do so for so many times the limit.
PATIENCE = 10
ALARMS = (b"AddressSanitizer", b"runtime error:", b"UndefinedBehaviorSanitizer", b"ThreadSanitizer", b"LeakSanitizer",
          b"Fatal error", b"Assertion", b"terminate called", b"Segmentation")


class Case:
    """What one case did and what came of it."""

    def __init__(self, number, kind):
        self.number, self.kind, self.source, self.done = number, kind, "", []
        self.problems, self.statuses, self.commands, self.said, self.peak = [], [], [], b"", 0


class Harness:
    """The program in folders below `work`.

    The options that count here: `program`, `limit` (seconds of a processor), `memory` (MiB; 0 for no limit), and `case`, not None where
    one is looked at alone.
    """

    def __init__(self, options, work):
        self.options, self.work = options, work

    def folder(self, *names):
        path = os.path.join(self.work, *names)
        os.makedirs(path, exist_ok=True)
        return path

    def make_batch(self):
        """A batch that was run well, for the cases that change its results."""
        folder = self.folder("batch")
        for name in ("b-frames.mp4", "vfr.mp4", "raw.nut"):
            if name in self.clips:
                open(os.path.join(folder, name), "wb").write(self.clips[name])
        stages = [{"id": "markers", "type": "markers"}, {"id": "frames", "type": "rectangles"},
                  {"id": "objects", "type": "track", "level": "fast"}]
        region = {"id": "r", "time": 0, "box": [16, 12, 36, 36]}
        encode = {"preset": "ultrafast", "threads": 1}
        jobs = [{"id": "a", "input": "b-frames.mp4", "graph": "g", "regions": [region], "encode": encode},
                {"id": "b", "input": "vfr.mp4", "graph": {"stages": stages[:1]}, "encode": encode},
                {"id": "c", "input": "vfr.mp4", "graph": {"stages": stages[:2]}, "encode": {"codec": "none"}}]
        self.write(folder, "m.json", json.dumps({"version": 1, "graphs": {"g": {"stages": stages}}, "jobs": jobs}).encode())
        manifest = os.path.join(folder, "m.json")
        for command in (["run", manifest, "--progress", "none", "--threads", "1"], ["verify", os.path.join(folder, "out")]):
            ended = subprocess.run([self.options.program, *command], stdin=subprocess.DEVNULL, capture_output=True)
            if ended.returncode != 0:
                sys.exit(f"fuzz: {' '.join(command)} ended with {ended.returncode}: {ended.stderr.decode()[-800:]}")
        self.results = {}
        for name in sorted(os.listdir(os.path.join(folder, "out"))):
            self.results[name] = open(os.path.join(folder, "out", name), "rb").read()
        # How long it took is not the same twice.
        report = json.loads(self.results["report.json"])
        for job in report["jobs"]:
            job["seconds"] = 0.01
        self.results["report.json"] = json.dumps(report, ensure_ascii=False, indent=2).encode() + b"\n"

    @staticmethod
    def write(folder, name, data):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)

    def call(self, case, folder, *arguments):
        """Runs the program in a folder to its end or the limit; what is wrong with how it went is noted."""
        command = [self.options.program, *arguments]
        case.commands.append(" ".join(command))
        environment = dict(os.environ, LC_ALL="C.UTF-8")
        if self.options.case is None:
            environment.setdefault("SWIFT_BACKTRACE", "enable=no")
        start = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
                                       env=environment, start_new_session=True)
            ended = select.poll()
            descriptor = os.pidfd_open(process.pid)
            ended.register(descriptor, select.POLLIN)
            while not ended.poll(50):
                passed = time.monotonic() - start
                late = passed > self.options.limit and (
                    passed > PATIENCE * self.options.limit or consumed(process.pid) > self.options.limit)
                if late or self.options.memory and resident(process.pid) > self.options.memory:
                    if late:
                        case.problems.append(f"took longer than {self.options.limit:g} s")
                    os.killpg(process.pid, signal.SIGKILL)
            os.close(descriptor)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            for name in left_behind(process.pid):
                case.problems.append(f"left a process “{name}”")
            errors.seek(0)
            said = errors.read(1 << 22)
            out.seek(0)
            printed = out.read(1 << 22)
        case.peak = max(case.peak, usage.ru_maxrss / 1024)
        status = process.returncode
        if self.options.memory and usage.ru_maxrss / 1024 > self.options.memory:
            case.problems.append(f"took {usage.ru_maxrss / 1024:.0f} MiB of memory")
        elif status not in STATUSES and not case.problems:
            case.problems.append(f"ended by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}")
        for alarm in ALARMS:
            if alarm in said or alarm in printed:
                case.problems.append(f"said “{alarm.decode()}”")
        # What verify finds is its result.
        words = said + printed if arguments[0] == "verify" else said
        if status != 0 and status in STATUSES and not words.strip():
            case.problems.append(f"exit status {status} without a word")
        try:
            words.decode()
        except UnicodeDecodeError:
            case.problems.append("what it says is not UTF-8")
        case.said += words if status == 0 else words + f"[{arguments[0]}: {status}]\n".encode()
        case.statuses.append(f"{arguments[0]} {status}")
        return status

    def check_results(self, case, status, out, inputs):
        """Holds an output folder against what its batch says of itself."""
        for path, data in inputs.items():
            if not os.path.exists(path) or open(path, "rb").read() != data:
                case.problems.append(f"its input {os.path.basename(path)} was changed or removed")
        # What a broken or killed program leaves is no fault of its own.
        if status not in STATUSES:
            return
        listed = sorted(os.listdir(out)) if os.path.isdir(out) else []
        mine = {os.path.realpath(path) for path in inputs}
        listed = [name for name in listed if os.path.realpath(os.path.join(out, name)) not in mine]
        for name in listed:
            if name.startswith(".") or ".partial-" in name:
                case.problems.append(f"left {name}")
        results = [name for name in listed if name.endswith((".mp4", ".mkv", ".tracks.jsonl"))]
        if status in (64, 65) and results:
            case.problems.append(f"exit status {status} with {results[0]}")
        if status not in (0, 1):
            return
        try:
            report = json.load(open(os.path.join(out, "report.json"), encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            if status == 0:
                case.problems.append(f"no report that can be read: {error}")
            return
        for job in report["jobs"]:
            for suffix in (".mp4", ".mkv", ".tracks.jsonl"):
                if job["status"] in ("failed", "interrupted") and job["id"] + suffix in results:
                    case.problems.append(f"{job['id']}{suffix} of a job that failed")
            if job["status"] == "failed" and not job.get("error"):
                case.problems.append(f"job {job['id']} failed without a reason")
            if status == 0 and job["status"] not in ("done", "up-to-date"):
                case.problems.append(f"exit status 0, job {job['id']} is {job['status']}")
            for output in job.get("outputs", []):
                path = os.path.join(out, output["file"])
                if job["status"] == "done" and (not os.path.exists(path) or os.path.getsize(path) != output["bytes"]):
                    case.problems.append(f"{output['file']} is not as the report says")
        # What is up to date is told by size and time; verify looks inside.
        for job in report["jobs"] if status == 0 else []:
            name = job["id"] + ".tracks.jsonl"
            if job["status"] == "done" and os.path.exists(os.path.join(out, name)):
                lines = open(os.path.join(out, name), "rb").read().rstrip(b"\n").split(b"\n")
                if not lines[-1].startswith(b'{"summary"'):
                    case.problems.append(f"{name} has no summary line")


def members(group):
    """The processes of a group: each one's name, and what /proc says of it from its state on."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
                head, _, rest = file.read().rpartition(")")
        except OSError:
            continue
        if int(rest.split()[2]) == group:
            yield head.partition("(")[2], rest.split()


def consumed(group):
    """Seconds of processors that a group's processes have taken, and those that ended and were waited for."""
    ticks = sum(int(ticks) for _, fields in members(group) for ticks in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def left_behind(group):
    """The names of the processes of a group that live on a moment after its first one has ended; they are ended."""
    names = []
    for moment in (0, 0.05, 0.2, 0.5):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return []
        time.sleep(moment)
        names = [name for name, (state, *_) in members(group) if state not in "ZX"]
        if not names:
            return []
    os.killpg(group, signal.SIGKILL)
    return names


def outside(folder):
    """What lies in a folder, but for what is under “out”."""
    found = {}
    for parent, folders, files in os.walk(folder):
        if parent == folder and "out" in folders:
            folders.remove("out")
        for name in folders + files:
            path = os.path.join(parent, name)
            content = os.lstat(path).st_mode
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    content = file.read()
            found[os.path.relpath(path, folder)] = content
    return found


def resident(process):
    """MiB of memory that a process has."""
    try:
        return int(open(f"/proc/{process}/statm").read().split()[1]) * resource.getpagesize() / (1 << 20)
    except (OSError, IndexError):
        return 0
