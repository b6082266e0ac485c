#!/usr/bin/env python3
"""Runs docs/examples/dask_batch.py and ray_batch.py on clusters of two nodes on this machine, on which things die.

usage: check-streams.py [--program PATH] [--only dask|ray]

While clips are annotated, a worker process of the program is killed, then a whole node with all that runs on it. All clips
must come out whole, with the same bytes as one plain run makes. Dask and Ray are installed into .venv/streams where they are
missing. Exit status 1 where something isn't as it should be.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "docs/examples"
ENVIRONMENT = ROOT / ".venv/streams"
PACKAGES = ["dask>=2024.1", "distributed>=2024.1", "ray>=2.9"]
CLIPS = 16

failures = []


def tell(is_well, what):
    if not is_well:
        failures.append(what)
    print(f"{'PASS' if is_well else 'FAIL'}  {what}", flush=True)


def enter_environment():
    try:
        import distributed  # noqa: F401
        import ray  # noqa: F401
    except ImportError:
        if pathlib.Path(sys.prefix) == ENVIRONMENT:
            sys.exit("check-streams: Dask and Ray could not be installed")
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([ENVIRONMENT / "bin/pip", "install", "--quiet", *PACKAGES], check=True)
        os.execv(ENVIRONMENT / "bin/python", [ENVIRONMENT / "bin/python", *sys.argv])


def descendants(process):
    """Numbers of the processes that came of one."""
    found, left = [], [process]
    while left:
        now = left.pop()
        try:
            for task in pathlib.Path(f"/proc/{now}/task").iterdir():
                children = [int(word) for word in (task / "children").read_text().split()]
                found += children
                left += children
        except OSError:
            continue
    return found


def words(process):
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def kill(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


class DaskCluster:
    name, example = "Dask", EXAMPLES / "dask_batch.py"

    def __init__(self, folder, environment):
        self.environment, file = environment, folder / "scheduler.json"
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                   "--no-dashboard", "--scheduler-file", str(file)]
        self.log = open(folder / "dask.log", "w")
        self.scheduler = self.start(command)
        while not file.exists() or not file.read_text().strip():
            time.sleep(0.1)
        self.address = json.loads(file.read_text())["address"]
        self.nodes = [self.start([sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1",
                                  "--no-nanny", "--no-dashboard", "--name", name]) for name in ("one", "two")]

    def start(self, command):
        return subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log)

    def replace(self):
        """The other node has all to do."""

    def node(self, index):
        return [self.nodes[index].pid] + descendants(self.nodes[index].pid)

    def close(self):
        kill([one for node in self.nodes for one in [node.pid] + descendants(node.pid)] + [self.scheduler.pid])


class RayCluster:
    name, example = "Ray", EXAMPLES / "ray_batch.py"

    def __init__(self, folder, environment):
        from ray.cluster_utils import Cluster

        os.environ.update(environment)
        # The first node coordinates, and runs nothing.
        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        self.nodes = [self.cluster.add_node(num_cpus=1) for _ in range(2)]
        self.cluster.wait_for_nodes()
        self.address = self.cluster.address

    def replace(self):
        """Another node comes, as where a cluster grows by itself: an actor has its core for as long as it lives."""
        self.cluster.add_node(num_cpus=1)

    def node(self, index):
        raylet = self.nodes[index].all_processes["raylet"][0].process.pid
        return [raylet] + descendants(raylet)

    def close(self):
        self.cluster.shutdown()


def program_workers(processes):
    return [process for process in processes if b"worker" in words(process)[1:2]]


def check(kind, folder, program, clips, expected):
    output, manifest = folder / kind.name.lower(), folder / "lab.json"
    shared = json.loads((folder / "lab.json").read_text())
    manifest = folder / f"{kind.name.lower()}.json"
    manifest.write_text(json.dumps({**shared, "output": {"directory": str(output)}}))
    bin_folder = folder / "bin"
    environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
                   "RAY_worker_niceness": "0"}
    cluster = kind(folder, environment)
    try:
        batch = subprocess.Popen([sys.executable, kind.example, cluster.address, manifest, *clips], env=environment,
                                 stdout=subprocess.PIPE, stderr=open(folder / f"{kind.name}.log", "w"), text=True)
        results, deeds = [], []
        for line in batch.stdout:
            try:
                results.append(json.loads(line))
            except ValueError:
                continue  # Ray speaks on standard output too
            if len(results) == 2:
                workers = program_workers(cluster.node(0))
                kill(workers)
                deeds.append(f"{len(workers)} worker processes")
            if len(results) == 5:
                node = cluster.node(1)
                kill(node)
                cluster.replace()
                deeds.append(f"a node with {len(node)} processes")
        status = batch.wait()
    finally:
        cluster.close()
    tell(len(deeds) == 2 and not deeds[0].startswith("0"), f"{kind.name}: killed {' and '.join(deeds)}")
    tell(status == 0, f"{kind.name}: {kind.example.name} ended with {status}")
    whole = sum(result["status"] in ("done", "up-to-date") for result in results)
    tell(whole == len(results) == CLIPS, f"{kind.name}: {whole} of {CLIPS} clips are whole")
    same = sum((output / f"{name}.tracks.jsonl").exists() and
               (output / f"{name}.tracks.jsonl").read_bytes() == content for name, content in expected.items())
    tell(same == CLIPS, f"{kind.name}: {same} of {CLIPS} track files have the bytes of a plain run")
    verified = subprocess.run([program, "verify", output], capture_output=True, text=True)
    tell(verified.returncode == 0, f"{kind.name}: verify ends with {verified.returncode}")
    if failures:
        print((folder / f"{kind.name}.log").read_text()[-3000:], file=sys.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=ROOT / ".build/release/annotate-batch")
    parser.add_argument("--only", choices=["dask", "ray"])
    options = parser.parse_args()
    enter_environment()
    program = pathlib.Path(options.program).resolve()
    with tempfile.TemporaryDirectory(prefix="check-streams-") as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/annotate-batch").symlink_to(program)
        clips = [str(folder / f"clip{number:02}.mp4") for number in range(CLIPS)]
        for number, clip in enumerate(clips):
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                            f"testsrc2=s=640x360:r=25,hue=h={number * 20}", "-frames:v", "40", "-c:v", "libx264",
                            "-preset", "ultrafast", "-pix_fmt", "yuv420p", clip], check=True)
        manifest = {"version": 1, "output": {"directory": str(folder / "plain")},
                    "graphs": {"g": {"stages": [{"id": "cards", "type": "rectangles"}]}},
                    "defaults": {"graph": "g", "encode": {"codec": "none"}}}
        (folder / "lab.json").write_text(json.dumps(manifest))
        (folder / "plain.json").write_text(json.dumps({**manifest, "jobs": [{"input": str(folder / "*.mp4")}]}))
        subprocess.run([program, "run", folder / "plain.json", "--progress", "none"], check=True, capture_output=True)
        expected = {path.name.removesuffix(".tracks.jsonl"): path.read_bytes() for path in (folder / "plain").glob("*.jsonl")}
        for kind in (DaskCluster, RayCluster):
            if options.only in (None, kind.name.lower()):
                check(kind, folder, program, clips, expected)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
