#!/usr/bin/env python3
"""Annotates clips that lie on a server of S3 on this machine, fetched by the aws command line, and stores results there.

usage: check-fetch.py [--program PATH]

The track files must have the bytes of a plain run on the same clips. A second run transfers them and runs nothing; one that is
gone and one that isn't allowed fail, with no secret in what is told. moto (the server) and awscli are installed into
.venv/fetch where they are missing. Exit status 1 where something isn't as it should be.
"""
import argparse
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = ROOT / ".venv/fetch"
PACKAGES = ["moto[server]>=5", "awscli"]
SECRET = "wJalrXUtnFEMIsecret"
CLIPS = 4

failures = []


def tell(is_well, what):
    if not is_well:
        failures.append(what)
    print(f"{'PASS' if is_well else 'FAIL'}  {what}", flush=True)


def enter_environment():
    tools = pathlib.Path(sys.prefix) / "bin"
    if (tools / "moto_server").exists() and (tools / "aws").exists():
        return tools
    if pathlib.Path(sys.prefix) == ENVIRONMENT:
        sys.exit("check-fetch: moto and awscli could not be installed")
    subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
    subprocess.run([ENVIRONMENT / "bin/pip", "install", "--quiet", *PACKAGES], check=True)
    os.execv(ENVIRONMENT / "bin/python", [ENVIRONMENT / "bin/python", *sys.argv])


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=ROOT / ".build/release/annotate-batch")
    program = pathlib.Path(parser.parse_args().program).resolve()
    tools = enter_environment()
    port = free_port()
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
                   "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_DEFAULT_REGION": "us-east-1",
                   "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_MAX_ATTEMPTS": "2", "XDG_CONFIG_HOME": "/nonexistent"}
    with tempfile.TemporaryDirectory(prefix="check-fetch-") as name:
        folder = pathlib.Path(name)
        log = open(folder / "server.log", "w+")
        server = subprocess.Popen([tools / "moto_server", "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log)
        try:
            check(program, folder, environment, log)
        finally:
            server.kill()
            server.wait()
    sys.exit(1 if failures else 0)


def check(program, folder, environment, log):
    def aws(*words):
        return subprocess.run(["aws", *words], env=environment, capture_output=True, text=True)

    for _ in range(100):
        if aws("s3", "mb", "s3://footage").returncode == 0:
            break
        time.sleep(0.2)
    for number in range(CLIPS):
        clip = folder / f"clip{number}.mp4"
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s=320x240:r=25,hue=h={number * 40}",
                        "-frames:v", "20", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", clip], check=True)
        aws("s3", "cp", str(clip), f"s3://footage/day-1/{clip.name}")
    graph = {"graphs": {"g": {"stages": [{"id": "cards", "type": "rectangles"}]}},
             "defaults": {"graph": "g", "encode": {"codec": "none"}}}
    (folder / "plain.json").write_text(json.dumps(
        {"version": 1, "output": {"directory": "plain"}, **graph, "jobs": [{"input": "clip*.mp4"}]}))
    subprocess.run([program, "run", folder / "plain.json"], check=True, capture_output=True)

    def manifest(names, **output):
        path = folder / "far.json"
        path.write_text(json.dumps({
            "version": 1, "output": {"directory": "far", **output}, **graph,
            "store": ["aws", "s3", "cp", "--only-show-errors", "{file}", "{url}"],
            "fetch": ["aws", "s3", "cp", "--only-show-errors", "{url}", "{file}"],
            "jobs": [{"input": f"s3://footage/day-1/{name}"} for name in names]}))
        return path

    names = [f"clip{number}.mp4" for number in range(CLIPS)]

    def run(path, *words):
        return subprocess.run([program, "run", path, *words], env=environment, capture_output=True, text=True)

    refused = run(manifest(names))
    tell(refused.returncode == 1 and "--allow-commands" in refused.stderr, "a manifest's command needs --allow-commands")
    first = run(manifest(names), "--allow-commands")
    tell(first.returncode == 0, f"{CLIPS} clips from S3: exit status {first.returncode}")
    same = sum((folder / f"far/{name[:-4]}.tracks.jsonl").read_bytes() == (folder / f"plain/{name[:-4]}.tracks.jsonl").read_bytes()
               for name in names if (folder / f"far/{name[:-4]}.tracks.jsonl").exists())
    tell(same == CLIPS, f"{same} of {CLIPS} track files have the bytes of a plain run")
    again = run(manifest(names), "--allow-commands")
    report = json.loads((folder / "far/report.json").read_text())
    tell([job["status"] for job in report["jobs"]] == ["up-to-date"] * CLIPS, "a second run finds them up to date")
    stored = run(manifest(names, address="s3://footage/results"), "--allow-commands")
    tell(stored.returncode == 0, f"results are stored: exit status {stored.returncode}")
    listing = aws("s3", "ls", "s3://footage/results/").stdout
    tell(all(f"{name[:-4]}.tracks.jsonl" in listing for name in names), "all track files lie on the server")
    aws("s3", "rm", "s3://footage/results/clip0.tracks.jsonl")
    run(manifest(names, address="s3://footage/results"), "--allow-commands")
    listing = aws("s3", "ls", "s3://footage/results/").stdout
    tell(listing.count(".tracks.jsonl") == CLIPS - 1, "nothing is stored twice")
    gone = run(manifest([*names, "gone.mp4"]), "--allow-commands")
    tell(gone.returncode == 75 and "could not fetch s3://footage/day-1/gone.mp4" in gone.stderr, "one that is gone fails alone")
    left = [path.name for path in (folder / "far").iterdir() if path.name.startswith(".")]
    tell(not left, f"nothing that was fetched is left: {left}")
    told = stored.stderr + refused.stderr + first.stderr + again.stderr + gone.stderr + "".join(
        path.read_text() for path in (folder / "far").iterdir() if path.is_file())
    tell(SECRET not in told and "AKIAEXAMPLE" not in told, "no secret is told")
    if failures:
        print(first.stderr[-2000:], gone.stderr[-2000:], file=sys.stderr)


if __name__ == "__main__":
    main()
