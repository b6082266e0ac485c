#!/usr/bin/env python3
"""Runs a batch in shards on a Slurm cluster that dies now and then, and holds the results against one plain run.

usage: cluster-test.py [--program PATH] [--clips N] [--shards N] [--keep]

Slurm with three nodes on the loopback, in a temporary folder, runs docs/examples/slurm as it is. Tasks, workers, nodes and
the controller are killed in the middle; one task is frozen with its node, so that two copies of it run at once. What is
missing is submitted again until `status` says that nothing is. Then the track files must be those of a plain run, byte for
byte, and the merged report the same but for times. Exit status 1 where something differs. Needs slurm-wlm and munge.
"""
import argparse
import concurrent.futures
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

from slurm_cluster import NODES, Cluster, started, wait_for

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "docs/examples/slurm"
SET_CHILD_SUBREAPER = 36


def tasks(node=None):
    """The shards' processes that run now: of each task the first, its workers not."""
    running = {process.number: process for process in started() if process.shard}
    return [process for process in running.values() if process.parent not in running and node in (None, process.node)]


def stopped(tasks):
    """The first of them, made to stand still before it could end."""
    for task in tasks:
        task.send(signal.SIGSTOP)
        if any(other.number == task.number for other in started()):
            return task
    return None


class Test:
    def __init__(self, program, folder, clips, shards):
        self.program, self.folder, self.clips, self.shards = program, folder, clips, shards
        self.cluster = Cluster(folder)
        self.failures = 0
        (folder / "bin").mkdir()
        (folder / "bin/annotate-batch").symlink_to(program)

    def tell(self, is_well, what):
        self.failures += not is_well
        print(f"{'PASS' if is_well else 'FAIL'}  {what}", flush=True)

    def note(self, what):
        print(f"      {what}", flush=True)

    def call(self, *words, check=True):
        called = subprocess.run(
            [str(word) for word in words], cwd=self.folder, env=self.cluster.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True)
        if check and called.returncode != 0:
            raise RuntimeError(f"{words} ended with {called.returncode}: {called.stderr[-2000:]}")
        return called

    def make_batch(self):
        (self.folder / "clips").mkdir()
        (self.folder / "scenes").mkdir()

        def render(index):
            marker = {"kind": "marker", "dictionary": "aruco-4x4-50", "id": index % 50, "size": 0.25,
                      "sway": {"position": [0.1, 0.05, 0.1], "rotation": [10, 20, 30], "period": 1 + index % 7}}
            scene = {"version": 1, "size": [256, 192], "frames": 10 + index % 15, "seed": index, "objects": [marker]}
            path = self.folder / f"scenes/clip{index:03}.scene.json"
            path.write_text(json.dumps(scene))
            self.call(self.program, "synth", path, "-o", self.folder / f"clips/clip{index:03}.mp4")

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(render, range(self.clips)))
        stages = [{"id": "found", "type": "markers", "dictionary": "aruco-4x4-50"}, {"id": "quads", "type": "rectangles"}]
        (self.folder / "batch.json").write_text(json.dumps({
            "version": 1, "output": {"directory": "plain"}, "graphs": {"g": {"stages": stages}},
            "jobs": [{"input": "clips/*.mp4", "graph": "g"}]}))

    def log(self, shard):
        path = self.folder / f"out/log/{shard.partition('/')[0]}.txt"
        return path.read_text() if path.exists() else ""

    def is_in_the_middle(self, task):
        """Whether some of its jobs are done, and most are not."""
        done = re.findall(r"^\[\d+/(\d+)\].* done", self.log(task.shard), re.MULTILINE)
        return 0 < len(done) < int(done[0]) / 2 if done else False

    def submit(self):
        return self.call(EXAMPLES / "submit.sh", "batch.json", self.shards, "out", check=False)

    def disturb(self):
        """Kills what can be killed while the first submission runs; tells the shards of a frozen node and of a lost one, one
        that was cancelled and one that was killed."""
        cluster = self.cluster
        wait_for("a task on each node", lambda: all(map(tasks, NODES)))
        cluster.kill("slurmctld")
        self.note("slurmctld killed")
        time.sleep(2)
        cluster.start("slurmctld")
        wait_for("the controller", lambda: cluster.ask("squeue"))
        # One that is in the middle: the restarted controller may have forgotten that another was done, and start it again.
        task = wait_for("a task in the middle", lambda: stopped(filter(self.is_in_the_middle, tasks("node1"))))
        hit = [task.shard]
        # Slurm lets it go on before it asks it to end.
        cluster.ask("scancel", "{SLURM_ARRAY_JOB_ID}_{SLURM_ARRAY_TASK_ID}".format(**task.environment))
        self.note(f"scancel to shard {task.shard}")
        task = wait_for("a task on node1", lambda: stopped(task for task in tasks("node1") if task.shard not in hit))
        hit.append(task.shard)
        task.send(signal.SIGKILL)
        self.note(f"SIGKILL to shard {task.shard}")

        def workers():
            running = [process for process in started() if process.shard is None or process.shard not in hit]
            mains = {task.number: task for task in tasks("node1") if task.shard not in hit}
            return [(mains[process.parent].shard, process) for process in running if process.parent in mains]
        shard, worker = wait_for("a worker on node1", workers)[-1]
        hit.append(shard)
        worker.send(signal.SIGKILL)
        self.note(f"SIGKILL to a worker of shard {shard}")
        # A frozen node: its task stands still and its daemon is gone, so that the task is given to another node.
        frozen = wait_for("a task on node2", lambda: stopped(tasks("node2")))
        family = [process for process in started() if process.node == "node2"]
        for process in family:
            process.send(signal.SIGSTOP)
        cluster.kill("node2")
        self.note(f"node2 frozen with shard {frozen.shard}")
        lost = wait_for("a task on node3", lambda: stopped(tasks("node3")))
        cluster.kill_node("node3")
        self.note(f"node3 killed with shard {lost.shard}")
        wait_for("both nodes to be given up", lambda: cluster.is_down("node2") and cluster.is_down("node3"))
        cluster.start("node3")
        wait_for(f"shard {frozen.shard} elsewhere", lambda: [
            task for task in tasks() if task.shard == frozen.shard and task.node != "node2"])
        for process in family:
            process.send(signal.SIGCONT)
        both = [task for task in tasks() if task.shard == frozen.shard]
        self.tell(len(both) == 2, f"shard {frozen.shard} ran on {' and '.join(sorted(task.node for task in both))} at once")
        cluster.start("node2")
        return frozen.shard, lost.shard, *hit[:2]

    def compare(self):
        def tracks(folder):
            return {path.name: path.read_bytes() for path in (self.folder / folder).glob("*.tracks.jsonl")}
        plain, sharded = tracks("plain"), tracks("out")
        same = sum(plain[name] == sharded.get(name) for name in plain)
        is_well = same == len(plain) == len(sharded) == self.clips
        self.tell(is_well, f"{same} of {self.clips} track files are those of a plain run")
        plain, merged = (json.loads((self.folder / name / "report.json").read_text()) for name in ("plain", "out"))
        differences = list(differing(comparable(plain), comparable(merged)))
        said = "".join(f"\n      {difference}" for difference in differences[:20])
        self.tell(not differences, f"the merged report is that of a plain run, but for times{said}")
        tests = xml.etree.ElementTree.parse(self.folder / "out/junit.xml").getroot()
        bad = [*tests.iter("failure"), *tests.iter("error"), *tests.iter("skipped")]
        count = len(list(tests.iter("testcase")))
        self.tell(count == self.clips and not bad, f"JUnit: {count} tests, {len(bad)} failed")
        partial = [name for name in os.listdir(self.folder / "out") if name.startswith(".")]
        self.tell(not partial, "nothing partial is left" + (f": {partial[:5]}" if partial else ""))
        verified = self.call("annotate-batch", "verify", "out", check=False)
        self.tell(verified.returncode == 0, f"verify ends with {verified.returncode} {verified.stderr[-500:]}".rstrip())

    def run(self):
        self.make_batch()
        self.call("annotate-batch", "run", "batch.json", "--jobs", "2", "--progress", "none")
        self.note(f"{self.clips} clips rendered and run without Slurm")
        self.cluster.set_up()
        submissions = 0
        while True:
            submitted = self.submit()
            if submitted.returncode != 0 or "," not in submitted.stdout and not re.search("^shards ", submitted.stdout):
                break
            submissions += 1
            self.note(submitted.stdout.strip())
            if submissions == 1:
                frozen, lost, cancelled, killed = self.disturb()
            try:
                wait_for("the queue to empty", self.cluster.is_idle, 240)
            except TimeoutError as error:
                raise TimeoutError(f"{error}:\n{self.cluster.ask('squeue')}") from error
            status = self.call(
                "annotate-batch", "status", "batch.json", "--shards", self.shards, "--output", "out", check=False)
            self.note(f"status ends with {status.returncode}, prints “{status.stdout.strip()}”: {status.stderr.strip()}")
            if submissions == 1:
                array = re.search(r"job (\d+);", submitted.stdout)[1]
                for shard in (frozen, lost):
                    end = self.cluster.end(array, shard)
                    self.tell(end == (["COMPLETED"], ["1"]), f"shard {shard} of a lost node was begun again by Slurm: {end}")
                end = self.cluster.end(array, killed)
                self.tell(end == (["FAILED"], ["0"]), f"shard {killed}, which was killed, was not: {end}")
                end, said = self.cluster.end(array, cancelled), self.log(cancelled)
                # Its last jobs may have been done before it heard.
                is_well = end[0] == ["CANCELLED"] and ("interrupted" in said or "\nout/" in said)
                self.tell(is_well, f"shard {cancelled}, which was cancelled, ended by itself: {end}")
                self.tell(status.returncode == 75 and status.stdout.strip(), "killed tasks are to be submitted again")
            if submissions > 4:
                break
        is_well = submitted.returncode == 0 and not submitted.stdout
        self.tell(is_well, f"after {submissions} submissions nothing is left: {submitted.stderr.strip()}")
        self.compare()


def comparable(report):
    """A report without what is another's time, and without the sizes of MP4s: x264 may vary a few bits."""
    if isinstance(report, list):
        return [comparable(value) for value in report]
    if not isinstance(report, dict):
        return "done" if report == "up-to-date" else report
    is_video = report.get("file", "").endswith(".mp4")
    left_out = {"seconds", "started", "ended", "shard", "shards"} | ({"bytes"} if is_video else set())
    return {name: comparable(value) for name, value in report.items() if name not in left_out}


def differing(plain, merged, where=""):
    if isinstance(plain, dict) and isinstance(merged, dict):
        for name in sorted(plain.keys() | merged.keys()):
            yield from differing(plain.get(name), merged.get(name), f"{where}/{name}")
    elif isinstance(plain, list) and isinstance(merged, list) and len(plain) == len(merged):
        for index, (one, other) in enumerate(zip(plain, merged)):
            yield from differing(one, other, f"{where}/{index}")
    elif plain != merged:
        yield f"{where}: {json.dumps(plain)[:80]}, merged {json.dumps(merged)[:80]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/annotate-batch"))
    parser.add_argument("--clips", type=int, default=200)
    parser.add_argument("--shards", type=int, default=20)
    parser.add_argument("--keep", action="store_true", help="leave the temporary folder")
    chosen = parser.parse_args()
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(name)]
    if missing:
        packages = "apt-get install --no-install-recommends slurm-wlm munge"
        print(f"cluster-test: {', '.join(missing)} not found: {packages}", file=sys.stderr)
        return 1
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda number, _: sys.exit(128 + number))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="cluster-test-"))
    folder.chmod(0o755)
    test = Test(pathlib.Path(chosen.program).resolve(), folder, chosen.clips, chosen.shards)
    try:
        test.run()
    except (TimeoutError, RuntimeError) as error:
        test.tell(False, str(error))
    finally:
        test.cluster.tear_down()
        if chosen.keep or test.failures:
            print(f"      everything is in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print("cluster-test: " + (f"{test.failures} FAILED" if test.failures else "all passed"))
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
