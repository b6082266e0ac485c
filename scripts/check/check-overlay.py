#!/usr/bin/env python3
"""Holds overlays against the pictures with the same burned in, as ffmpeg's `subtitles` filter shows them.

usage: check-overlay.py [--program PATH] [--keep DIR] [--frames N] [--cpu-runs N]

Renders a clip of markers, rectangles and tracked objects and makes several of it: 25 frames a second, 30000/1001, variable,
turned, with sound that begins before zero and subtitles (MP4, Matroska, a transport stream). Of each, the program makes an
annotated video without loss, a copy with an overlay (`"codec": "copy"`) and an .ass. Then

- in every frame, what the filter draws over the copy, and over the untouched source from the .ass, is held against what is
  burned in: the masks of what differs from the source have an intersection over union of 0.9 at the least;
- every packet of every stream of the source is in the copy, as it is;
- pysubs2 reads the .ass: as many events as lines, their times in order;
- `verify` finds nothing wrong;
- what drawing and copying cost is a tenth of an ffmpeg transcode at the most, in CPU time.

The comparison has to see what is wrong: an overlay of the frame before, and one two pixels off, must fail it.

Installs numpy and pysubs2 (pip) in a folder of its own; needs ffmpeg and ffprobe. Exit status 1 where something doesn't hold.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import environments

environments.enter("overlay", ["numpy", "pysubs2"])

import numpy  # noqa: E402
import pysubs2  # noqa: E402
from turn import turn  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEAST = 0.9
# Of 255, the largest difference of a pixel's components. Nothing else differs: burned in is without loss.
THRESHOLD = 12
failures = 0


def expect(holds, what):
    global failures
    failures += not holds
    print("PASS " if holds else "FAIL ", what, flush=True)


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"check-overlay: {' '.join(map(str, command))}\nended with {result.returncode}: {result.stderr[-2000:]}")
    return result.stdout


def pictures(path, filters, size):
    """Frames as ffmpeg shows them, as they come: the planes of 4:2:0, so that nothing is resampled."""
    command = ["ffmpeg", "-v", "fatal", "-copyts", "-i", str(path), "-map", "0:v:0", "-vf", filters, "-fps_mode", "passthrough",
               "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"]
    width, height = size
    luma = width * height
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        while len(data := process.stdout.read(luma * 3 // 2)) == luma * 3 // 2:
            data = numpy.frombuffer(data, numpy.uint8)
            yield data[:luma].reshape(height, width), data[luma:].reshape(2, height // 2, width // 2)
        if data:
            sys.exit(f"check-overlay: {path} has pictures of another size than {size}")
    if process.returncode != 0:
        sys.exit(f"check-overlay: ffmpeg on {path} ended with {process.returncode}")


def mask(drawn, plain):
    """Where two pictures differ, in brightness or colour."""
    luma, chroma = (numpy.abs(a.astype(numpy.int16) - b) > THRESHOLD for a, b in zip(drawn, plain))
    return luma | chroma.any(axis=0).repeat(2, axis=0).repeat(2, axis=1)


def overlap(a, b):
    union = numpy.count_nonzero(a | b)
    return numpy.count_nonzero(a & b) / union if union else 1.0


def compare(name, source, burned, overlaid, before, subtitles, size):
    """Holds every frame's masks against each other; gives the least overlap of wrong ones: two pixels off, a frame late.

    before: filters that come before the one that draws.
    """
    quoted = str(subtitles).replace("\\", "\\\\").replace(":", "\\:").replace("'", "\\'")
    plain = pictures(source, "null", size)
    ours = pictures(burned, "null", size)
    theirs = pictures(overlaid, f"{before}subtitles='{quoted}'", size)
    figures, last = [], None
    shifted, late = [], []
    for index, frames in enumerate(zip(plain, ours, theirs, strict=True)):
        still, drawn, shown = frames
        ours_mask, shown_mask = mask(drawn, still), mask(shown, still)
        figures.append(overlap(ours_mask, shown_mask))
        shifted.append(overlap(numpy.roll(ours_mask, 2, axis=1), shown_mask))
        if last is not None:
            late.append(overlap(last, shown_mask))
        last = ours_mask
    worst = int(numpy.argmin(figures))
    expect(
        min(figures) >= LEAST,
        f"{name}: IoU {min(figures):.3f} at the least (frame {worst}), {statistics.mean(figures):.3f} on average, "
        f"{len(figures)} frames")
    return min(shifted), min(late)


def clock(path):
    """Seconds at which a player's clock starts."""
    return float(json.loads(run("ffprobe", "-v", "error", "-of", "json", "-show_format", path))["format"]["start_time"])


def packets(path):
    """MD5 of each packet's bytes by the stream's kind and number, in order."""
    data = json.loads(run(
        "ffprobe", "-v", "error", "-of", "json", "-show_packets", "-show_streams", "-show_data_hash", "md5", path))
    kinds = {stream["index"]: stream["codec_type"] for stream in data["streams"]}
    titles = {stream["index"]: stream.get("tags", {}).get("title") for stream in data["streams"]}
    streams = {index: [] for index, kind in kinds.items() if kind != "data" and titles[index] != "annotate-batch"}
    for packet in data["packets"]:
        if packet["stream_index"] in streams:
            streams[packet["stream_index"]].append(packet["data_hash"])
    return [(kinds[index], sums) for index, sums in streams.items()]


# MARK: Clips


def render(program, folder, frames):
    """A clip with much to draw, and its sound and subtitles."""
    scene = json.loads((ROOT / "manifests/scenes/desk.scene.json").read_text())
    scene["frames"] = frames
    scene.pop("$schema", None)
    silent = folder / "desk.mp4"
    scene_file = ROOT / "manifests/scenes" / f".check-overlay-{os.getpid()}.scene.json"
    try:
        scene_file.write_text(json.dumps(scene))
        run(program, "synth", scene_file, "-o", silent)
    finally:
        scene_file.unlink(missing_ok=True)
    (folder / "words.srt").write_text("1\n00:00:00,000 --> 00:00:01,000\nspoken words\n\n2\n00:01:00,000 --> 00:01:01,000\nand more\n")
    return silent


def clips(silent, folder):
    """Clips by name."""
    encode = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-pix_fmt", "yuv420p", "-g", "48"]
    quiet = ["ffmpeg", "-v", "error", "-y"]
    made = {}

    def make(name, *words, suffix=".mp4"):
        path = folder / (name + suffix)
        run(*quiet, *words, path)
        made[name] = path

    make("25", "-i", silent, "-vf", "setpts=N/25/TB", "-r", "25", *encode)
    make("29.97", "-i", silent, "-vf", "setpts=N*1001/30000/TB", "-r", "30000/1001", *encode)
    # From 7 to 113 ms a frame, and a gap.
    make(
        "variable", "-i", silent, "-vf", "settb=1/90000,setpts='90000*(N*0.05+0.022*sin(N*1.3)+if(gt(N,30),0.7,0))'",
        "-fps_mode", "vfr", "-enc_time_base", "1/90000", "-video_track_timescale", "90000", *encode)
    made["turned"] = folder / "turned.mp4"
    turn(made["25"], made["turned"], 270)
    # B-frames, an AAC encoder's lead-in before zero, chapters, subtitles of two kinds and an attachment.
    make(
        "sound", "-i", silent, "-f", "lavfi", "-i", "sine=frequency=440:duration=20", "-i", folder / "words.srt",
        "-map", "0:v", "-map", "1:a", "-map", "2:s", "-vf", "setpts=N/25/TB", "-r", "25", *encode, "-bf", "3",
        "-c:a", "aac", "-c:s", "mov_text", "-shortest")
    make(
        "matroska", "-i", made["sound"], "-map", "0", "-c", "copy", "-c:s", "srt", "-attach", folder / "words.srt",
        "-metadata:s:t", "mimetype=text/plain", suffix=".mkv")
    make("stream", "-i", made["sound"], "-map", "0:v", "-map", "0:a", "-c", "copy", suffix=".ts")
    return made


def manifest(made, folder):
    """Three ways for each clip and each style."""
    def graph(style):
        def draw(more=None):
            return {"label": False, "trail": 0} | (more or {}) if style == "outlines" else (
                {"trail": 1.5, "track": True} | (more or {}))
        return {"stages": [
            {"id": "markers", "type": "markers", "dictionary": "aruco-4x4-50", "size": 0.05,
             "draw": draw() if style == "outlines" else draw({"axes": True, "cube": "wire", "smoothing": 0.1})},
            {"id": "frames", "type": "rectangles", "rate": 10, "maximumObservations": 3, "minimumAspectRatio": 0.6,
             "minimumConfidence": 0.9, "draw": draw({"color": "#ff4020"})},
            {"id": "objects", "type": "track", "draw": draw()}]}
    regions = [
        {"id": "star", "label": "a {\\b1}star\\N", "time": 0, "box": [455, 93, 140, 133]},
        {"id": "ball", "label": "ball", "time": 0, "box": [142, 334, 115, 115]}]
    turned = [dict(region, box=[720 - box[1] - box[3], box[0], box[3], box[2]])
              for region in regions for box in [region["box"]]]
    codecs = {"burned": "ffv1", "copy": "copy"}
    return {
        "version": 1, "output": {"directory": str(folder / "out"), "formats": ["ass"]},
        "graphs": {style: graph(style) for style in ("outlines", "everything")},
        "jobs": [
            {"id": f"{name}-{style}-{way}", "input": str(path), "graph": style, "encode": {"codec": codec},
             "regions": turned if name == "turned" else regions}
            for name, path in made.items() for style in ("outlines", "everything") for way, codec in codecs.items()]}


def check_events(name, path):
    lines = [line for line in path.read_text().splitlines() if line.startswith("Dialogue:")]
    events = pysubs2.load(str(path))
    starts = [event.start for event in events]
    expect(
        len(events) == len(lines) > 0 and starts == sorted(starts)
        and all(event.end > event.start >= 0 for event in events),
        f"{name}: pysubs2 reads {len(events)} events of {len(lines)} in the .ass, in order, "
        f"{path.stat().st_size / len(lines):.0f} bytes each")
    widest = max((event.end - event.start for event in events), default=0)
    expect(widest <= 2200, f"{name}: no event lasts over two seconds ({widest} ms)")


def check_packets(name, source, copy):
    theirs, ours = packets(source), packets(copy)
    if name == "sound":
        # An MP4's own subtitles become plain text, without their length.
        expect(len(theirs) == len(ours), f"{name}: {len(ours)} streams in the copy besides the overlay")
        theirs, ours = theirs[:-1], ours[:-1]
    if name == "stream":
        # A transport stream's video begins each unit with a start code, Matroska with its length, and its sound has headers.
        unit = ["-bsf:v", "h264_mp4toannexb", "-f", "h264", "-"]
        sums = [subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:v:0", "-c", "copy", *(
            unit if path == copy else unit[2:])], capture_output=True, check=True).stdout for path in (source, copy)]
        # Parameters and delimiters are for the containers.
        units = [[unit for unit in re.split(rb"\x00?\x00\x00\x01", data) if unit and unit[0] & 31 not in (7, 8, 9)]
                 for data in sums]
        expect(units[0] == units[1], f"{name}: {len(units[0])} units of the video as they are")
        return
    expect(
        theirs == ours,
        f"{name}: " + ", ".join(f"{len(sums)} packets of {kind}" for kind, sums in ours) + " as they are")


def cpu(command):
    with open(os.devnull, "w") as null:
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"check-overlay: {' '.join(map(str, command))} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def check_cost(program, source, folder, runs):
    document = manifest({"cost": source}, folder)
    base = next(job for job in document["jobs"] if job["id"] == "cost-everything-copy")
    document["jobs"] = [dict(base, id=codec, encode={"codec": codec}) for codec in ("copy", "none")]
    document["output"] = {"directory": str(folder / "cost")}
    path = folder / "cost.json"
    path.write_text(json.dumps(document))
    ours = lambda codec: cpu([program, "run", path, "--only", codec, "--force", "--jobs", 1, "--progress", "none"])
    transcode = lambda: cpu(["ffmpeg", "-v", "error", "-y", "-i", source, "-c:v", "libx264", "-preset", "veryfast", "-crf",
                             "20", folder / "transcoded.mp4"])
    figures = [(ours("copy"), ours("none"), transcode()) for _ in range(runs)]
    # What else the machine does only adds: the least of each is the nearest.
    copy, none, plain = (min(column) for column in zip(*figures))
    share = (copy - none) / plain
    expect(
        share <= 0.1,
        f"CPU: drawing and copying {share:.3f} of a transcode: copy {copy:.2f} s, none {none:.2f} s, ffmpeg {plain:.2f} s, "
        f"the least of {runs} each")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/release/annotate-batch")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for all that is made")
    parser.add_argument("--frames", type=int, default=75)
    parser.add_argument("--cpu-runs", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        check(options, folder.resolve())
    print(f"{failures} failed" if failures else "all hold")
    return 1 if failures else 0


def check(options, folder):
    program = options.program.resolve()
    silent = render(program, folder, options.frames)
    made = clips(silent, folder)
    document = manifest(made, folder)
    (folder / "manifest.json").write_text(json.dumps(document, indent=1))
    run(program, "run", folder / "manifest.json", "--progress", "none")
    blind = []
    for name, source in made.items():
        size = (720, 1280) if name == "turned" else (1280, 720)
        for style in ("outlines", "everything"):
            copy = folder / f"out/{name}-{style}-copy.mkv"
            burned = folder / f"out/{name}-{style}-burned.mkv"
            script = folder / f"out/{name}-{style}-copy.ass"
            blind.append(compare(f"{name}, {style}, copy", source, burned, copy, "", copy, size))
            # Players' clocks start with the first stream; ffmpeg's filter wants to be told.
            start = clock(source)
            before = f"setpts=PTS-{start}/TB," if start else ""
            blind.append(compare(f"{name}, {style}, .ass", source, burned, source, before, script, size))
            check_events(f"{name}, {style}", script)
            check_packets(name, source, copy)
    expect(max(pair[0] for pair in blind) < LEAST, f"two pixels off is seen: {max(pair[0] for pair in blind):.3f}")
    expect(max(pair[1] for pair in blind) < LEAST, f"a frame late is seen: {max(pair[1] for pair in blind):.3f}")
    verified = subprocess.run([program, "verify", folder / "out"], capture_output=True, text=True)
    expect(verified.returncode == 0, "verify: " + (verified.stdout + verified.stderr).strip().splitlines()[-1])
    check_cost(program, made["25"], folder, options.cpu_runs)


if __name__ == "__main__":
    sys.exit(main())
