#!/usr/bin/env python3
"""Every codec, container, pixel format, rotation and timing that this machine's FFmpeg can make, annotated.

usage: matrix.py [--only GLOB] [--list] [--program PATH] [--jobs N] [--keep DIR] [--clips DIR]... [--write]

One small clip with moving markers is rendered and converted by ffmpeg into each case. annotate-batch annotates it, and
what comes out is held against what ffprobe and ffmpeg see in the source, and against the markers found in the plain
twin: the same pictures as lossless 4:2:0. Exit status 1 where a case is red that matrix_cases.KNOWN doesn't list.
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from matrix_case import TURNS
from matrix_cases import CASES, KNOWN
from matrix_checks import (Cell, Media, Tracks, check_audio, check_colour, check_durations, check_frames, check_light,
                           check_markers, check_psnr, check_pts, check_size)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "docs/matrix.md")
COLUMNS = ("case", "source as ffprobe sees it", "frames", "pts", "durations", "size", "colour tags", "PSNR", "markers",
           "verdict")
SCENE = {
    "version": 1, "size": [352, 288], "frameRate": [25, 1], "frames": 32, "seed": 7, "camera": {"focalLength": 320},
    "background": {"kind": "structured", "contrast": 0.4}, "blur": {"gaussian": 0.6},
    "objects": [
        {"kind": "marker", "name": name, "dictionary": "aruco-4x4-50", "id": number, "size": size, "position": place,
         "rotation": [0, 0, angle], "orbit": {"radius": 0.02, "period": period},
         "sway": {"rotation": [12, 16, 20], "period": abs(period) + 1}}
        for name, number, size, place, angle, period in (
            ("a", 7, 0.19, [-0.28, -0.2, 1], 0, 3), ("b", 23, 0.2, [0.27, -0.18, 1], 0, -4),
            ("c", 11, 0.18, [-0.2, 0.2, 1], 30, 3.5), ("d", 42, 0.2, [0.26, 0.21, 1], 75, 4.5))]}
MARKERS = {"id": "markers", "type": "markers", "dictionary": "aruco-4x4-50"}
# The undrawn run, which is compared with the source: as good as the encoder makes it.
FINE = {"h264": {"preset": "ultrafast", "crf": 4}, "hevc": {"preset": "ultrafast", "crf": 4},
        "av1": {"preset": "10", "crf": 4}}


class NotProduced(Exception):
    """This machine's FFmpeg can't make the case."""


def call(command, folder):
    """Runs a command and returns what it complains of; nothing where all is well."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    text = (done.stderr or done.stdout).decode(errors="replace").strip()
    return "" if done.returncode == 0 else text or f"ended with {done.returncode}"


def ffmpeg(arguments, folder):
    problem = call(["ffmpeg", "-v", "error", "-y", *arguments], folder)
    if problem:
        lines = problem.splitlines()
        named = [line for line in lines if "rror" in line or "not " in line] or lines
        raise NotProduced(named[0].split("] ", 1)[-1][:150])


class Matrix:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.base = os.path.join(folder, "base.mkv")
        self.twins = {}

    def prepare(self, cases):
        """Renders the base clip, without colour tags, and what the plain twins of the cases show."""
        with open(os.path.join(self.folder, "base.scene.json"), "w", encoding="utf-8") as file:
            json.dump(SCENE, file)
        problem = call([self.program, "synth", "base.scene.json", "--output", "base.mp4", "--crf", "0"], self.folder)
        if problem:
            sys.exit(f"matrix: the base clip can't be rendered: {problem}")
        untagged = "setparams=range=unknown:color_primaries=unknown:color_trc=unknown:colorspace=unknown"
        ffmpeg(["-i", "base.mp4", "-vf", untagged, "-c:v", "ffv1", "-bitexact", self.base], self.folder)
        jobs = []
        for index, picture in enumerate(sorted({case.shown for case in cases})):
            name = f"twin-{index}"
            self.twins[picture] = os.path.join(self.folder, f"twins/{name}.tracks.jsonl")
            filters = ",".join(filter(None, [picture, "format=yuv420p"]))
            file = f"{name}.mkv"
            ffmpeg(["-i", self.base, "-vf", filters, "-fps_mode", "passthrough", "-c:v", "ffv1", file], self.folder)
            jobs.append({"id": name, "input": file, "graph": {"stages": [MARKERS]}, "encode": {"codec": "none"}})
        problem = self.annotate(self.folder, jobs, "twins")
        if problem:
            sys.exit(f"matrix: the twins can't be annotated: {problem}")

    def annotate(self, folder, jobs, output):
        path = os.path.join(folder, f"{output}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "output": {"directory": output}, "jobs": jobs}, file, indent=1)
        return call([self.program, "run", path, "--force", "--progress", "none"], folder)

    def make(self, case, folder):
        """Makes the case's clip and returns its path, as the tool and ffmpeg are told it."""
        def encode(picture, file):
            filters = ",".join(filter(None, [picture, TURNS[case.turn][1], case.filters]))
            ffmpeg([*case.before.split(), "-i", self.base, *case.inputs.split(), *(["-vf", filters] if filters else []),
                    *case.arguments.split(), file], folder)
        extension = os.path.splitext(case.file)[1]
        names = [f"pass-{index}{extension}" for index in range(len(case.then))] + [case.file]
        path = os.path.join(folder, case.file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        encode(case.picture, names[0])
        for command, before, after in zip(case.then, names, names[1:]):
            ffmpeg([before if word == "IN" else word for word in command.split()] + [after], folder)
        if case.joined:
            second = os.path.join(folder, "second" + extension)
            encode(case.joined, second)
            with open(second, "rb") as more, open(path, "ab") as file:
                file.write(more.read())
        if case.patch:
            with open(path, "rb") as file:
                data = case.patch(file.read())
            with open(path, "wb") as file:
                file.write(data)
        return path

    def run(self, case, folder):
        """The table's cells, or the reason why the case can't be made."""
        os.makedirs(folder)
        path = self.make(case, folder)
        cells = {"case": Cell(case.name)}
        source = Media(path, case.probe)
        if case.stored and source.pixels != case.stored:
            raise NotProduced(f"it comes out as {source.pixels}")
        cells["source as ffprobe sees it"] = Cell(str(source))
        codec = case.encode.get("codec", "h264")
        fine = {key: value for key, value in case.encode.items() if key != "bitrate"} | FINE.get(codec, {})
        jobs = [{"id": name, "input": case.file, "encode": encode, **case.job,
                 "graph": {"stages": [MARKERS | {"draw": draw}]}}
                for name, draw, encode in (("drawn", True, {"codec": codec} | case.encode), ("plain", False, {"codec": codec} | fine))]
        problem = self.annotate(folder, jobs, "out")
        if not os.path.exists(os.path.join(folder, "out/report.json")):
            cells["verdict"] = Cell("", [problem.splitlines()[0] if problem else "no report"])
            return cells
        with open(os.path.join(folder, "out/report.json"), encoding="utf-8") as file:
            reports = {job["id"]: job for job in json.load(file)["jobs"]}
        cells |= self.verdict(case, folder, source, path, reports)
        return cells

    def verdict(self, case, folder, source, path, reports):
        failed = next((job.get("error", job["status"]) for job in reports.values() if job["status"] != "done"), None)
        if case.fails:
            missing = [text for text in case.fails if not failed or text not in failed]
            return {"verdict": Cell(f"fails as it must: {failed}",
                                    [f"the error doesn't name {', '.join(missing)}: {failed}"] if missing else [])}
        if failed:
            return {"verdict": Cell("", [f"failed: {failed}"])}
        videos = {name: next((os.path.join(folder, "out", output["file"]) for output in job["outputs"]
                              if not output["file"].endswith(".jsonl")), None) for name, job in reports.items()}
        if (case.encode.get("codec") == "none") != (videos["drawn"] is None):
            return {"verdict": Cell("", [f"outputs: {reports['drawn']['outputs']}"])}
        video = Media(videos["drawn"]) if videos["drawn"] else None
        tracks = Tracks(os.path.join(folder, "out/drawn.tracks.jsonl"))
        cells = {
            "frames": check_frames(source, tracks, video), "pts": check_pts(source, tracks, video),
            "durations": check_durations(source, tracks, video), "size": check_size(source, tracks, video, case.turn),
            "colour tags": check_colour(source, video, case.pixels),
            "PSNR": check_psnr(source, video, (path, videos["plain"]), case),
            "markers": check_markers(tracks, Tracks(self.twins[case.shown]), case)}
        problems, remarks = [], []
        if case.audio is not None and video:
            problems += check_audio(source, video, case.audio)
            remarks.append(f"{len(video.sounds)} × audio: {', '.join(s.codec for s in video.sounds)}")
        if case.light:
            problems += check_light(video, reports["drawn"].get("notes", []))
        verified = call([self.program, "verify", "out"], folder)
        if verified:
            problems.append(f"verify: {' '.join(verified.split())[:160]}")
        remarks += reports["drawn"].get("notes", [])
        return cells | {"verdict": Cell("; ".join(["ok"] + remarks), problems)}

    def row(self, case):
        """(cells, problems, reason why it wasn't made)"""
        folder = os.path.join(self.folder, case.name.replace("/", "-"))
        try:
            cells = self.run(case, folder)
        except NotProduced as reason:
            return {}, [], str(reason)
        except (ValueError, KeyError, OSError, subprocess.TimeoutExpired) as error:
            cells = {"case": Cell(case.name), "verdict": Cell("", [f"{type(error).__name__}: {error}"])}
        for cell in cells.values():
            cell.text = cell.text.replace(folder + "/", "")
            cell.problems = [problem.replace(folder + "/", "") for problem in cell.problems]
        return cells, [problem for cell in cells.values() for problem in cell.problems], None


def real_clips(matrix, folders):
    """The clips of folders with a probe beside each: (name, frames, verdict, problems)."""
    paths = sorted(path for folder in folders for path in glob.glob(os.path.join(folder, "**/*.mp4"), recursive=True)
                   if os.path.exists(path[:-4] + ".probe.json"))
    jobs = [{"id": f"clip-{index}", "input": os.path.abspath(path), "encode": {"codec": "none"},
             "graph": {"stages": [MARKERS]}} for index, path in enumerate(paths)]
    told = matrix.annotate(matrix.folder, jobs, "clips") if jobs else ""
    for index, path in enumerate(paths):
        with open(path[:-4] + ".probe.json", encoding="utf-8") as file:
            wanted = json.load(file)["pts"]
        tracks_path = os.path.join(matrix.folder, f"clips/clip-{index}.tracks.jsonl")
        problems, found = [], []
        if not os.path.exists(tracks_path):
            problems.append(told.splitlines()[0] if told else "no track file")
        else:
            tracks = Tracks(tracks_path)
            found = [float(f["pts"] * tracks.time_base) for f in tracks.frames]
            if len(found) != len(wanted):
                problems.append(f"{len(found)} frames, expected {len(wanted)}")
            # The probe has six decimals.
            far = [i for i, (a, b) in enumerate(zip(found, wanted)) if abs(a - b) > 1e-6]
            if far:
                first = far[0]
                problems.append(f"{len(far)} times differ, the first at frame {first}: {found[first]}, {wanted[first]}")
        yield os.path.basename(path), len(found), problems


def markdown(rows, missing, clips, version):
    lines = ["# What goes in, and what comes out", "",
             "Made by `make matrix`: one clip of 32 frames with four moving markers, converted by FFmpeg "
             f"{version} into every case, annotated, and compared.", "",
             "- **frames**: pictures that ffprobe decodes = lines of the track file = pictures of the output.",
             "- **pts**, **durations**: the track file's ticks are the source's, and the output's times equal them.",
             "- **PSNR**: the worst frame of the undrawn output against the source as ffmpeg converts it, dB.",
             "- **markers**: found of those in the plain twin (the same pictures in lossless 4:2:0), farthest corner.",
             "", "| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    if clips:
        lines += ["", "## The real clips", "", "| clip | frames | pts |", "|---|---|---|"]
        lines += [f"| {name} | {frames} | {'; '.join(problems) or 'exact'} |" for name, frames, problems in clips]
    if missing:
        lines += ["", "## Not produced here", "", *(f"- {name}: {reason}" for name, reason in missing)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="GLOB", help="cases whose name matches")
    parser.add_argument("--list", action="store_true", help="print the cases' names")
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/annotate-batch"))
    parser.add_argument("--jobs", type=int, default=2, help="cases at once (default 2)")
    parser.add_argument("--keep", metavar="DIR", help="keep everything that was made in this new folder")
    parser.add_argument("--clips", action="append", default=[], metavar="DIR", help="real clips with their probes")
    parser.add_argument("--write", action="store_true", help="write docs/matrix.md")
    a = parser.parse_args()
    cases = [case for case in CASES if not a.only or any(fnmatch.fnmatch(case.name, name) for name in a.only)]
    if a.list:
        print("\n".join(case.name for case in cases))
        return 0
    begin = time.monotonic()
    folder = os.path.abspath(a.keep) if a.keep else tempfile.mkdtemp(prefix="matrix-")
    os.makedirs(folder, exist_ok=True)
    rows, missing, red = [], [], []
    try:
        matrix = Matrix(os.path.abspath(a.program), folder)
        matrix.prepare(cases)
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            for case, (cells, problems, reason) in zip(cases, pool.map(matrix.row, cases)):
                if reason:
                    missing.append((case.name, reason))
                    continue
                if problems and case.name in KNOWN:
                    cells["verdict"] = Cell(f"known: {KNOWN[case.name]}")
                elif problems:
                    cells["verdict"] = Cell("RED: " + "; ".join(problems))
                    red.append(case.name)
                rows.append([cells[column].text if column in cells else "" for column in COLUMNS])
                print(" | ".join(rows[-1]), flush=True)
        clips = list(real_clips(matrix, a.clips))
    finally:
        if not a.keep:
            shutil.rmtree(folder)
    for name, frames, problems in clips:
        print(f"real clip {name} | {frames} | {'RED: ' + '; '.join(problems) if problems else 'ok'}")
    for name, reason in missing:
        print(f"not produced here: {name}: {reason}")
    red += [name for name, _, problems in clips if problems]
    print(f"{len(rows)} cases in {time.monotonic() - begin:.0f} s, {len(missing)} not produced here, {len(red)} red"
          + "".join(f"\n  {name}" for name in red))
    if a.write:
        version = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True, check=True).stdout.split()[2]
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(markdown(rows, missing, clips, version))
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
