"""What kills.py and shard_kills.py share: a batch, its programs and their processes, signals at random moments, and what must
hold of the folder that is left."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def make_batch(folder):
    """Clips of several lengths, and a manifest for them; a second codec, so that results change their names."""
    for index, frames in enumerate((2, 30, 5, 60, 12, 3, 40, 8)):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s=256x128:r=25:d={frames / 25}", "-c:v", "libx264",
             "-preset", "ultrafast", "-pix_fmt", "yuv420p", folder / f"clip{index}.mp4"], check=True)
    for name, codec in (("a", "h264"), ("b", "ffv1")):
        job = {"input": "clip*.mp4", "graph": {"stages": [{"id": "quads", "type": "rectangles"}]},
               "encode": {"codec": codec}}
        # A form that is kept in files of its own until its end, and a folder.
        formats = ["cvat", "yolo"] if name == "a" else []
        (folder / f"{name}.json").write_text(json.dumps({"version": 1, "output": {"formats": formats}, "jobs": [job]}))


def size(path):
    """Bytes of a file, or of a folder's files."""
    return sum(size(inner) for inner in path.iterdir()) if path.is_dir() else path.stat().st_size


def descendants(process):
    """A process's children that live, as /proc knows them."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == process and words[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def is_living(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Clock:
    """Seconds in which some processes might have gone on: those in which they waited for a core, since others had them all,
    don't count. On a busy machine a program that stands still is told from one that is slow by it."""

    def __init__(self, *processes):
        self.processes, self.delays = processes, {}
        self.before = self.delay()
        self.start = time.monotonic()

    def delay(self):
        for process in [*self.processes, *(child for parent in self.processes for child in descendants(parent))]:
            try:
                tasks = list(pathlib.Path(f"/proc/{process}/task").glob("*/schedstat"))
            except OSError:  # it has ended meanwhile
                continue
            for task in tasks:
                try:
                    self.delays[task] = int(task.read_text().split()[1]) / 1e9
                except (OSError, IndexError):
                    continue
        return sum(self.delays.values())

    def seconds(self):
        return time.monotonic() - self.start - (self.delay() - self.before)


class Program:
    """The program, running a batch; `process` is as in `subprocess`."""

    def __init__(self, command):
        self.words = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.words,
            start_new_session=True)

    def end(self, limit):
        """Waits for its end, and ends it where that takes longer than `limit` of its own seconds: how long it took; None
        where it had to be ended, with where its threads stood in `standing`."""
        clock = Clock(self.process.pid)
        while self.process.poll() is None:
            if (seconds := clock.seconds()) > limit:
                self.standing = standing(self.process.pid)
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
                return None
            time.sleep(0.01 if seconds < 3 else 0.2)
        return clock.seconds()

    @property
    def said(self):
        self.words.seek(0)
        return self.words.read().decode(errors="replace")

    def hit(self, chance):
        """Sends one signal to it, one of its workers, or its whole group: to which, the signal, and its workers."""
        target, sent = chance.choice(("parent", "worker", "group")), chance.choice(SIGNALS)
        workers = descendants(self.process.pid)
        try:
            if target == "group":
                os.killpg(self.process.pid, sent)
            elif target == "worker" and workers:
                os.kill(chance.choice(workers), sent)
            elif target == "parent":
                self.process.send_signal(sent)
        except ProcessLookupError:
            pass
        return target, sent, workers


def standing(process):
    """Where the threads of a program and its workers are, for whoever looks into why it doesn't end."""
    lines = []
    for one in [process, *descendants(process)]:
        for task in sorted(pathlib.Path(f"/proc/{one}/task").glob("*")):
            try:
                state = (task / "stat").read_text().rpartition(")")[2].split()
                lines.append(f"{one}/{task.name} {(task / 'comm').read_text().strip()}: {state[0]}, "
                             f"{(task / 'wchan').read_text()}, {int(state[11]) + int(state[12])} ticks, "
                             f"call {(task / 'syscall').read_text().split()[0]}")
            except OSError:
                continue
    return "; ".join(lines)


def await_end(processes, limit=1):
    """Those that live on after `limit` of their own seconds."""
    clock = Clock(*processes)
    while any(map(is_living, processes)) and clock.seconds() < limit:
        time.sleep(0.01)
    return list(filter(is_living, processes))


def false_claims(out, report):
    """Sentences about what a report says that isn't so."""
    for job in json.loads(report.read_text())["jobs"]:
        for output in job.get("outputs", []) if job["status"] in ("done", "up-to-date") else []:
            path = out / output["file"]
            if not path.exists() or size(path) != output["bytes"]:
                yield f"{report.name} says {job['status']}, and {output['file']} isn't so"
        if job["status"] == "failed" and (out / f"{job['id']}.tracks.jsonl").exists():
            yield f"{job['id']} failed, and has a track file"
