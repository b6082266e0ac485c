#!/usr/bin/env python3
"""Checks docs/examples/kubernetes without a cluster: against Kubernetes' own schemas, and by running the commands.

usage: check-kubernetes.py [--program PATH]

The schemas are those of kubernetes-validate, which is installed into .venv/kubernetes where it is missing. Then the Job's
command runs here once for each index, with /data in a temporary folder, and is begun again as its podFailurePolicy and
backoffLimitPerIndex say; pods are killed and interrupted on the way, one is out of space, one clip is broken. Exit status 1
where something isn't as it should be.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "docs/examples/kubernetes"
VERSIONS = ("1.29", "1.31", "1.33", "1.35", "1.37")
ENVIRONMENT = ROOT / ".venv/kubernetes"

try:
    import kubernetes_validate
    import yaml
except ImportError:
    if pathlib.Path(sys.prefix) == ENVIRONMENT:
        sys.exit("check-kubernetes: kubernetes-validate could not be installed")
    subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
    subprocess.run([ENVIRONMENT / "bin/pip", "install", "--quiet", "kubernetes-validate==1.37.0", "pyyaml"], check=True)
    os.execv(ENVIRONMENT / "bin/python", [ENVIRONMENT / "bin/python", *sys.argv])

failures = []


def tell(is_well, what):
    if not is_well:
        failures.append(what)
    print(f"{'PASS' if is_well else 'FAIL'}  {what}", flush=True)


def check_schema(name):
    document = yaml.safe_load((EXAMPLES / name).read_text())
    for version in VERSIONS:
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            tell(False, f"{name}, Kubernetes {version}: {'.'.join(map(str, error.path))}: {error.message}")
            return document
    tell(True, f"{name} fits the schemas of Kubernetes {', '.join(VERSIONS)}")
    return document


def check_rules(spec):
    """What the server checks beyond the schema: validation.go of the batch API."""
    containers = {container["name"] for container in spec["template"]["spec"]["containers"]}
    rules = spec["podFailurePolicy"]["rules"]
    is_well = spec["completionMode"] == "Indexed" and spec["template"]["spec"]["restartPolicy"] == "Never"
    is_well = is_well and spec.get("podReplacementPolicy", "Failed") == "Failed" and len(rules) <= 20
    for rule in rules:
        is_well = is_well and rule["action"] in ("Count", "FailIndex", "FailJob", "Ignore")
        is_well = is_well and ("onExitCodes" in rule) != ("onPodConditions" in rule)
        if "onExitCodes" in rule:
            codes = rule["onExitCodes"]
            values = codes["values"]
            is_well = is_well and codes["containerName"] in containers and codes["operator"] in ("In", "NotIn")
            is_well = is_well and values == sorted(set(values)) and 0 not in values
    tell(is_well, "job.yaml keeps the rules that the server has beyond its schema")
    command = " ".join(spec["template"]["spec"]["containers"][0]["args"])
    tell(f"--shard auto/{spec['completions']} " in command, "job.yaml has one number of shards")


class Cluster:
    """Runs an Indexed Job's command as Kubernetes would: pods are processes here."""

    def __init__(self, job, program, folder):
        self.spec = job["spec"]
        self.container = self.spec["template"]["spec"]["containers"][0]
        self.folder = folder
        (folder / "bin").mkdir(exist_ok=True)
        link = folder / "bin/annotate-batch"
        if not link.exists():
            link.symlink_to(program)

    def start(self, index=None):
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        if index is not None:
            environment["JOB_COMPLETION_INDEX"] = str(index)
        words = self.container["command"] + self.container["args"]
        words = [word.replace("/data/", f"{self.folder}/data/") for word in words]
        return subprocess.Popen(
            words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True)

    def action(self, code):
        for rule in self.spec["podFailurePolicy"]["rules"]:
            codes = rule.get("onExitCodes")
            if codes and (code in codes["values"]) == (codes["operator"] == "In"):
                return rule["action"]
        return "Count"

    def run(self, disturbed):
        """Tells what became of each index, and the exit statuses on the way there. `disturbed` has signals by index."""
        ends, codes = {}, {}
        for index in range(self.spec["completions"]):
            counted, signals = 0, list(disturbed.get(index, ()))
            while index not in ends:
                pod = self.start(index)
                if signals:
                    time.sleep(0.15)
                    os.kill(pod.pid, signals.pop(0))
                pod.communicate()
                code = pod.returncode if pod.returncode >= 0 else 128 - pod.returncode
                codes.setdefault(index, []).append(code)
                action = "Succeed" if code == 0 else self.action(code)
                counted += action == "Count"
                if action in ("Succeed", "FailIndex") or counted > self.spec["backoffLimitPerIndex"]:
                    ends[index] = "succeeded" if code == 0 else "failed"
                if action == "FailJob":
                    return {**ends, index: "failed the job"}, codes
        return ends, codes


def check_run(job, merge, program, folder):
    data = folder / "data"
    (data / "clips").mkdir(parents=True)
    for index in range(60):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s=320x240:r=25:d=1.2,hue=h={index * 6}",
             "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", data / f"clips/clip{index:02}.mp4"], check=True)
    clip = data / "clips/clip07.mp4"
    clip.write_bytes(clip.read_bytes()[:4000])
    stages = [{"id": "quads", "type": "rectangles"}, {"id": "found", "type": "markers"}]
    jobs = [{"input": "clips/*.mp4", "graph": {"stages": stages}}]
    manifest = {"version": 1, "output": {"directory": "out"}, "jobs": jobs}
    (data / "lab.json").write_text(json.dumps(manifest))
    cluster = Cluster(job, program, folder)
    shards = cluster.spec["completions"]

    disturbed = {2: [signal.SIGKILL, signal.SIGTERM], 5: [signal.SIGTERM] * 6, 8: [signal.SIGKILL] * 3}
    ends, codes = cluster.run(disturbed)
    print(f"      exit statuses by index: { {index: said for index, said in codes.items() if said != [0]} }")
    failed = [index for index, end in ends.items() if end != "succeeded"]
    is_well = len(ends) == shards and len(failed) == 1 and codes[failed[0]][-1] == 1
    tell(is_well, f"one index failed, that of the broken clip: {failed}")
    merged = Cluster(merge, program, folder).start()
    said = merged.communicate()
    is_listed = any(re.fullmatch(r"[\d,]+", line) for line in said[0].split())
    what = "merge.yaml ends with 1 (a job failed for good), and nothing to submit"
    tell(merged.returncode == 1 and not is_listed, f"{what}: {said[1].strip()[-300:]}")
    jobs = json.loads((data / "out/report.json").read_text())["jobs"]
    failed = [job["id"] for job in jobs if job["status"] == "failed"]
    tell(len(jobs) == 60 and failed == ["clip07"], "the merged report has all 60 jobs")
    tell((data / "out/junit.xml").exists(), "a JUnit file is there")

    before = {path.name: path.stat().st_mtime_ns for path in (data / "out").glob("*.tracks.jsonl")}
    ends, codes = cluster.run({})
    after = {path.name: path.stat().st_mtime_ns for path in (data / "out").glob("*.tracks.jsonl")}
    tell(len(before) == 59 and before == after, "the Job applied again runs nothing anew")

    (data / "lab.json").write_text("{}")
    ends, codes = cluster.run({})
    tell(ends == {0: "failed the job"} and codes == {0: [65]}, f"an invalid manifest fails the Job at once: {codes}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/annotate-batch"))
    chosen = parser.parse_args()
    job, merge = check_schema("job.yaml"), check_schema("merge.yaml")
    check_rules(job["spec"])
    with tempfile.TemporaryDirectory(prefix="check-kubernetes-") as name:
        check_run(job, merge, pathlib.Path(chosen.program).resolve(), pathlib.Path(name))
    print("check-kubernetes: " + (f"{len(failures)} FAILED" if failures else "all passed"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
