#!/usr/bin/env python3
"""Results that are taken from the track file of the run before, held against those of a full run.

    scripts/check/check-reuse.py PROGRAM [EXAMPLE ...]

Each example manifest is run, changed in one thing, and run again: in the folder of the first run, where what can be is taken from
its track file, and in a fresh one. Track files, tables, decoded pictures and what the report says of the job must be the same.
"""
import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = "demo import pose overlay images alter labels classify faces text barcodes horizon".split()
# Of a job's entry: what must be the same whichever way it was made.
SAME = ("status", "frames", "tracks", "found", "summary", "concealed", "skipped", "fingerprint", "stages", "trackFile")


def absolute(node, folder):
    """Paths that lead somewhere from the manifest's folder, as absolute ones."""
    if isinstance(node, dict):
        return {key: absolute(value, folder) for key, value in node.items()}
    if isinstance(node, list):
        return [absolute(value, folder) for value in node]
    if isinstance(node, str) and ("/" in node or "." in node):
        path = os.path.join(folder, node)
        if os.path.exists(path) or "{name}" in node and os.path.isdir(os.path.dirname(path)):
            return os.path.abspath(path)
    return node


def stages(manifest):
    graphs = list(manifest.get("graphs", {}).values())
    graphs += [job["graph"] for job in manifest["jobs"] if isinstance(job.get("graph"), dict)]
    for graph in graphs:
        yield graph["stages"]


def drawing(manifest):
    for graph in stages(manifest):
        for stage in graph:
            if stage.get("draw", True) is not False:
                style = stage.get("draw") if isinstance(stage.get("draw"), dict) else {}
                stage["draw"] = {**style, "thickness": 5, "opacity": 0.75}


def encoding(manifest):
    for job in manifest["jobs"]:
        job["encode"]["pixelFormat"] = "yuv444p"


def formats(manifest):
    manifest["output"]["formats"] = ["csv"]


def last_stage(manifest):
    """Another rate of the last stage, of which the others know nothing."""
    for graph in stages(manifest):
        graph[-1]["rate"] = 3


def first_stage(manifest):
    """Another rate of the first stage; those behind it see other things."""
    for graph in stages(manifest):
        graph[0]["rate"] = 6


CHANGES = [drawing, encoding, formats, last_stage, first_stage]


def run(program, manifest, path):
    with open(path, "w") as file:
        json.dump(manifest, file)
    done = subprocess.run([program, "run", path, "--progress", "none"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}: status {done.returncode}\n{done.stderr}")
    with open(os.path.join(manifest["output"]["directory"], "report.json")) as file:
        return json.load(file)["jobs"]


def pictures(path):
    return subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"], check=True, capture_output=True).stdout


def contents(path):
    if path.endswith((".mkv", ".mp4")):
        return pictures(path)
    with open(path, "rb") as file:
        return file.read()


def main():
    program = os.path.abspath(sys.argv[1])
    names = sys.argv[2:] or EXAMPLES
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            source = os.path.join(ROOT, "manifests", name + ".json")
            with open(source) as file:
                manifest = absolute(json.load(file), os.path.dirname(source))
            manifest.pop("$schema", None)
            for job in manifest["jobs"]:
                job["encode"] = {"codec": "ffv1"}
                job.setdefault("range", {"end": 2.5})
            base = os.path.join(folder, name)
            manifest["output"] = {"directory": base}
            run(program, manifest, base + ".json")
            for change in CHANGES:
                changed = copy.deepcopy(manifest)
                change(changed)
                # The first run's folder, and one in which nothing is.
                again, fresh = base + "-again", base + "-fresh"
                shutil.copytree(base, again)
                entries = []
                for place in (again, fresh):
                    changed["output"]["directory"] = place
                    entries.append(run(program, changed, place + ".json"))
                reused = {entry["id"]: entry.get("reused", []) for entry in entries[0]}
                wrong = []
                for one, other in zip(*entries):
                    wrong += [f"{one['id']}: {key}" for key in SAME if one.get(key) != other.get(key)]
                    if sorted(one.get("notes", [])) != sorted(other.get("notes", [])):
                        wrong.append(f"{one['id']}: notes")
                    if [o["file"] for o in one["outputs"]] != [o["file"] for o in other["outputs"]]:
                        wrong.append(f"{one['id']}: outputs")
                    if other.get("reused"):
                        wrong.append(f"{one['id']}: a first run can't take anything over")
                files = sorted(set(os.listdir(again)) | set(os.listdir(fresh)))
                for file in files:
                    if file == "report.json":
                        continue
                    paths = [os.path.join(place, file) for place in (again, fresh)]
                    if not all(map(os.path.exists, paths)):
                        wrong.append(f"{file} is only in one of them")
                    elif contents(paths[0]) != contents(paths[1]):
                        wrong.append(f"{file} differs")
                if change in (drawing, encoding, formats) and not any(reused.values()):
                    wrong.append("nothing was taken over")
                problems += len(wrong)
                taken = "; ".join(f"{job}: {', '.join(ids) or 'nothing'}" for job, ids in reused.items())
                print(f"{'FAILED' if wrong else 'ok':6} {name}, {change.__name__}: took over {taken}", flush=True)
                for sentence in wrong:
                    print(f"       {sentence}")
                for place in (again, fresh):
                    shutil.rmtree(place)
            shutil.rmtree(base)
    print(f"{problems} problems" if problems else "all equal")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
