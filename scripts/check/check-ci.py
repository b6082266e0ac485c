#!/usr/bin/env python3
"""Runs the steps of docs/examples/ci as their systems would: each file's lines of shell, one after another, until one fails.

usage: check-ci.py [--program FILE]      installs PyYAML into .venv/ci-files

Twice a file: with clips that are as expected, where every step ends well; and with one of which an expectation fails, where the
run ends with 2 and nothing after it is run. What a file keeps in any case has to be there each time. Only `apt-get` is another: it
looks whether the package that it is to install was named. Exit status 1 where a step ends otherwise.
"""
import argparse
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import environments

environments.enter("ci-files", ["pyyaml"])
import yaml  # noqa: E402

ROOT = environments.ROOT
APT = """#!/bin/sh
case "$*" in update | *packages/annotate-batch_*.deb*) exit 0 ;; esac
echo "apt-get $*: no package of annotate-batch" >&2
exit 1
"""
SCENE = {"version": 1, "size": [320, 240], "frames": 50, "objects": [
    {"kind": "marker", "dictionary": "aruco-4x4-50", "id": 24, "size": 0.25}]}


def github(file):
    """The steps' lines, what is kept whatever comes, and what of it is JUnit."""
    steps = [step for job in yaml.safe_load(file.read_text())["jobs"].values() for step in job["steps"]]
    kept = [step for step in steps if "upload-artifact" in step.get("uses", "")]
    assert all(step["if"] == "always()" for step in kept), f"{file.name} keeps nothing of a run that fails"
    return [step["run"] for step in steps if "run" in step], " ".join(step["with"]["path"] for step in kept).split()


def gitlab(file):
    job = yaml.safe_load(file.read_text())["annotate"]
    artifacts = job["artifacts"]
    assert artifacts["when"] == "always", f"{file.name} keeps nothing of a run that fails"
    reports = artifacts["reports"]["junit"]
    return job.get("before_script", []) + job["script"], artifacts["paths"] + ([reports] if isinstance(reports, str) else reports)


def jenkins(file):
    text = file.read_text()
    always = text[text.index("always {"):]
    names = re.findall(r"(?:testResults|artifacts): '([^']*)'", always)
    return re.findall(r"\bsh '([^']*)'", text), [name.removesuffix("/**") for name in re.split(r", ?", ", ".join(names))]


def manifest(folder, frames):
    (folder / "lab.json").write_text(json.dumps({
        "version": 1,
        "graphs": {"lab": {"stages": [{"id": "found", "type": "markers", "dictionary": "aruco-4x4-50"}]}},
        "jobs": [{"id": "clip", "input": "clip.mp4", "graph": "lab",
                  "expect": [{"stage": "found", "id": 24, "frames": {"min": frames}}]}]}))


def run(steps, folder, environment):
    """The exit status of each step that was run."""
    statuses = []
    for step in steps:
        done = subprocess.run(["sh", "-e", "-c", step], cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        statuses.append(done.returncode)
        if done.returncode:
            print("      " + "\n      ".join(done.stderr.strip().splitlines()[-4:]))
            break
    return statuses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/release/annotate-batch")
    program = parser.parse_args().program.resolve()
    failures = 0

    def expect(is_so, what):
        nonlocal failures
        print(f"{'PASS' if is_so else 'FAIL'}  {what}")
        failures += not is_so

    with tempfile.TemporaryDirectory(prefix="check-ci.") as work:
        work = pathlib.Path(work)
        (work / "bin").mkdir()
        (work / "bin/annotate-batch").symlink_to(program)
        (work / "bin/apt-get").write_text(APT)
        (work / "bin/apt-get").chmod(0o755)
        environment = {**os.environ, "PATH": f"{work / 'bin'}:{os.environ['PATH']}"}

        def annotate(folder, *arguments):
            subprocess.run([program, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        first = work / "first"
        (first / "packages").mkdir(parents=True)
        (first / "packages/annotate-batch_0.1.0_amd64.deb").touch()
        (first / "scene.json").write_text(json.dumps(SCENE))
        (first / "tolerances.json").write_text(json.dumps({"tolerances": []}))
        annotate(first, "synth", "scene.json", "-o", "clip.mp4")
        manifest(first, 40)
        annotate(first, "run", "lab.json")
        annotate(first, "accept", "out")
        shutil.rmtree(first / "out")
        for file in sorted((ROOT / "docs/examples/ci").iterdir()):
            read = jenkins if file.name == "Jenkinsfile" else gitlab if file.name.startswith("gitlab") else github
            steps, kept = read(file)
            for name, frames in (("as expected", 40), ("an expectation fails", 60)):
                folder = work / f"{file.name} {name}"
                shutil.copytree(first, folder)
                manifest(folder, frames)
                statuses = run(steps, folder, environment)
                wanted = [0] * len(steps)
                if frames > 50:
                    wanted = [0] * next(index for index, step in enumerate(steps) if " run " in step) + [2]
                expect(statuses == wanted, f"{file.name}, {name}: its steps end with {statuses}")
                there = [one for one in kept if glob.glob(str(folder / one))]
                whole = kept if frames < 50 else [one for one in kept if "compare" not in one]
                expect(set(whole) <= set(there), f"{file.name}, {name}: keeps {', '.join(there)}")
    print(f"check-ci: {failures} FAILED" if failures else "check-ci: all passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
