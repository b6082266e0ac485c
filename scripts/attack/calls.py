#!/usr/bin/env python3
"""Attacks from inside a worker: what a decoder could do that a hostile file has taken over.

usage: calls.py [--program PATH]

A library of ours (worker.c) goes before FFmpeg's and, in the middle of a job, tries every system call from 0 to 1,000 and
every way to the terminal, other processes, and files that aren't the job's. What gets through is held against the list that
`annotate-batch doctor --json` gives and docs/workers.md quotes. As root and as a user, with and without --root, with a worker
a job and one for all. Then a worker is stopped and the program killed: nothing may be left after a second.

Needs gcc, ffmpeg and libseccomp-dev; being root for the half of it that changes users.
"""

import argparse
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "stress"))
sys.dont_write_bytecode = True
import killing  # noqa: E402

USER = 1000
# Calls of which the attack's use is a refused one, or which it can't try on itself.
UNTRIED = set("""exit exit_group rt_sigreturn restart_syscall rt_sigtimedwait futex set_tid_address rseq close_range pause
    select pselect6 ppoll set_robust_list rt_sigprocmask rt_sigaction wait4 waitid umask close brk
    ioctl fcntl prctl prlimit64 sched_setaffinity tgkill sendmsg clone open openat""".split())


class Attack:
    def __init__(self, program, folder):
        self.program, self.folder, self.problems = program, folder, []
        self.library = folder / "worker.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-w", "-o", self.library, HERE / "worker.c", "-ldl", "-lseccomp",
                        "-lpthread"], check=True)
        known = json.loads(subprocess.run([program, "doctor", "--json"], check=True, capture_output=True).stdout)
        self.allowed = set(known["calls"])
        text = (HERE.parents[1] / "docs/workers.md").read_text()
        documented = set(re.search(r"```calls\n(.*?)```", text, re.S)[1].split())
        if os.uname().machine == "x86_64" and documented != self.allowed:
            self.say(f"docs/workers.md lists other calls: {sorted(documented ^ self.allowed)}")

    def workspace(self, name, user):
        place = self.folder / name
        (place / "out").mkdir(parents=True)
        for clip, frames in (("a.mp4", 12), ("b.mp4", 12)):
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v",
                            str(frames), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", place / clip],
                           check=True)
        stages = [{"id": "cards", "type": "rectangles"}]
        (place / "m.json").write_text(json.dumps({
            "version": 1, "graphs": {"g": {"stages": stages}},
            "jobs": [{"input": "a.mp4", "graph": "g"}, {"input": "b.mp4", "graph": "g"}]}))
        (place / "secret").write_text("precious")
        if user:
            for path in [place, *place.rglob("*")]:
                os.chown(path, user, user)
        return place

    def say(self, problem):
        self.problems.append(problem)
        print("  !", problem)

    def environment(self, deed, place, **more):
        # Workers get nothing of the environment but what is known: the attack's own words go by this program's names.
        return {**os.environ, "LD_PRELOAD": str(self.library), "ANNOTATE_DEED": deed, "HOME": str(place),
                "API_TOKEN": "precious", **{f"ANNOTATE_{key}": ":".join(map(str, value)) for key, value in more.items()}}

    def doors(self, name, user, arguments):
        """All doors, from the second job's worker."""
        place = self.workspace(name, user)
        out = place / "out"
        who = {"user": user, "group": user, "extra_groups": []} if user else {}
        first = subprocess.run([self.program, "run", place / "m.json", "--only", "a"], capture_output=True, text=True, **who)
        if first.returncode != 0:
            return self.say(f"{name}: the first run failed: {first.stderr}")
        kept = {path: path.read_bytes() for path in [*out.iterdir(), place / "secret", place / "m.json", place / "a.mp4"]
                if path.is_file() and path.name != "report.json"}
        closed = [place / "secret", place / "m.json", out / "a.mp4", out / "a.tracks.jsonl", out / "report.json"]
        environment = self.environment(
            "attack", place, READ=[*closed, place / "a.mp4", "/etc/shadow", "/etc/passwd", "/proc/1/cmdline"],
            WRITE=[*closed, place / "a.mp4", place / "b.mp4", "/tmp"], LIST=[place, out, "/tmp", "/", "/home"])
        leader, follower = pty.openpty()
        if user:
            os.fchown(follower, user, -1)
        run = subprocess.run(
            [self.program, "run", place / "m.json", "--log-level", "debug", "--progress", "plain", *arguments(place)],
            env=environment, stdin=follower, capture_output=True, text=True, cwd=place, start_new_session=True, **who)
        os.set_blocking(leader, False)
        try:
            typed = os.read(leader, 100)
        except BlockingIOError:
            typed = b""
        os.close(leader), os.close(follower)
        if typed:
            self.say(f"{name}: it typed {typed!r}")
        if run.returncode != 0:
            self.say(f"{name}: the run failed: {run.stderr[-2000:]}")
        lines = re.findall(r"ATTACK (\w+)(?: (.*))?", run.stderr)
        words = [word for word, _ in lines]
        if words.count("over") < 1:
            self.say(f"{name}: the attack did not come to its end: {run.stderr[-2000:]}")
        for word, what in lines:
            if word == "open":
                self.say(f"{name}: open: {what}")
            if word == "passed":
                passed = set(what.split())
                for call in sorted(passed - self.allowed):
                    self.say(f"{name}: “{call}” gets through and isn't listed")
                for call in sorted(self.allowed - passed - UNTRIED):
                    self.say(f"{name}: “{call}” is listed and doesn't get through")
        for path, contents in kept.items():
            if not path.is_file() or path.read_bytes() != contents and path.name != "b.mp4":
                self.say(f"{name}: {path.name} was changed")
        print(f"{name}: {words.count('held')} doors held, {words.count('open')} open")

    def reader(self, name, user, arguments):
        """All doors, from the process that reads the manifest, while it looks at a video's size."""
        place = self.workspace("reader " + name, user)
        out = place / "out"
        who = {"user": user, "group": user, "extra_groups": []} if user else {}
        manifest = json.loads((place / "m.json").read_text())
        manifest["graphs"]["g"]["stages"] = [{"id": "t", "type": "track"}]
        for job in manifest["jobs"]:
            job["regions"] = [{"id": "r", "box": [10, 10, 50, 50]}]
        (place / "m.json").write_text(json.dumps(manifest))
        (out / "report.json").write_text("{}")
        closed = [place / "secret", out / "report.json", "/etc/shadow", "/etc/passwd"]
        environment = self.environment("plan", place, READ=closed, WRITE=[place / "secret", place / "a.mp4", place / "m.json"],
                                       LIST=[out, "/tmp", "/", "/home"])
        run = subprocess.run([self.program, "run", place / "m.json", "--dry-run", "--log-level", "debug", *arguments(place)],
                             env=environment, capture_output=True, text=True, cwd=place, **who)
        lines = re.findall(r"ATTACK (\w+)(?: (.*))?", run.stderr)
        words = [word for word, _ in lines]
        if run.returncode != 0 or "over" not in words:
            self.say(f"reader, {name}: {run.returncode}, {run.stderr[-2000:]}")
        for what in (what for word, what in lines if word == "open"):
            self.say(f"reader, {name}: open: {what}")
        print(f"reader, {name}: {words.count('held')} doors held, {words.count('open')} open")

    def other_numbers(self, deed):
        """Calls by another architecture's numbers end the worker."""
        place = self.workspace(deed, None)
        run = subprocess.run([self.program, "run", place / "m.json", "--only", "a"], env=self.environment(deed, place),
                             capture_output=True, text=True)
        if run.returncode != 1 or "system call" not in run.stderr:
            self.say(f"{deed}: {run.returncode}, {run.stderr}")
        print(f"{deed}: the job failed, as it should")

    def orphans(self, deed):
        """The program is killed while one worker stands still and another works."""
        place = self.workspace("orphans-" + deed, None)
        run = subprocess.Popen([self.program, "run", place / "m.json", "--jobs", "2"], env=self.environment(deed, place),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=place)
        time.sleep(2)
        before = processes(place)
        run.send_signal(signal.SIGKILL)
        run.wait()
        clock = killing.Clock(*before)
        while (left := processes(place)) and clock.seconds() < 5:
            time.sleep(0.02)
        seconds = clock.seconds()
        if len(before) < 3:
            self.say(f"orphans, {deed}: there were {len(before)} processes only")
        if seconds > 1:
            self.say(f"orphans, {deed}: {len(left)} of {len(before)} processes left after {seconds:.1f} s")
        if hidden := [path.name for path in (place / "out").iterdir() if path.name.startswith(".")]:
            self.say(f"orphans, {deed}: {hidden} left")
        print(f"orphans, {deed}: {len(before)} processes gone after {seconds:.2f} s")
        for process in left:
            os.kill(process, signal.SIGKILL)


def processes(place):
    """Those that work in a folder."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if os.readlink(f"/proc/{entry}/cwd") == str(place) and open(f"/proc/{entry}/stat").read().split()[-50] != "Z":
                    found.append(int(entry))
            except OSError:
                continue
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=".build/release/annotate-batch", type=pathlib.Path)
    chosen = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="attack-")).resolve()
    folder.chmod(0o755)
    try:
        attack = Attack(chosen.program.resolve(), folder)
        users = [None] + ([USER] if os.getuid() == 0 else [])
        for user in users:
            who = "uid 1000" if user else "root" if os.getuid() == 0 else "this user"
            attack.doors(f"{who}", user, lambda place: [])
            attack.doors(f"{who}, --root", user, lambda place: ["--root", place])
            attack.reader(f"{who}", user, lambda place: [])
            attack.reader(f"{who}, --root", user, lambda place: ["--root", place])
            attack.doors(f"{who}, --isolation job --jobs 1", user, lambda place: ["--isolation", "job", "--jobs", "1"])
        if os.uname().machine == "x86_64":
            attack.other_numbers("x32")
            attack.other_numbers("i386")
        attack.orphans("stop")
        attack.orphans("wait")
    finally:
        shutil.rmtree(folder)
    print(f"{len(attack.problems)} problems")
    return 1 if attack.problems else 0


if __name__ == "__main__":
    sys.exit(main())
