"""Clips whose frames carry their number, with boxes that say all that a review page shows, and a batch of them."""
import csv
import json
import math
import pathlib
import subprocess

import numpy
from turn import turn

SIZE = (640, 360)
FRAMES = 120
# Of a job with a range.
PART = range(30, 75)
BITS = 10
# Bits of the number in two rows, the second the other way round, so that a wrong reading is seen.
CELL, LEFT, TOP = 48, 80, 12
HOSTILE = "</script><img src=x onerror=window.hacked=1>\u202e\"'&"


def number_cells():
    """Middle of each cell: (x, y, bit, inverted), pixels of the picture as shown."""
    return [(LEFT + bit * CELL + CELL / 2, TOP + row * CELL / 2 + CELL / 4, bit, row == 1)
            for row in (0, 1) for bit in range(BITS)]


def picture(index):
    """One frame, grey: the number above, and what moves under the boxes."""
    width, height = SIZE
    image = numpy.full((height, width), 96, numpy.uint8)
    image[::40] = 110
    for x, y, bit, inverted in number_cells():
        bright = bool(index >> bit & 1) != inverted
        left, top = int(x - CELL / 2), int(y - CELL / 4)
        image[top:top + CELL // 2, left:left + CELL] = 235 if bright else 16
    for left, top, wide, tall in (mover(index), (460, 220, 80, 60)):
        image[int(top):int(top + tall), int(left):int(left + wide)] = 40
    return image


def mover(index):
    return 30.4 + 2.3 * index, 120.3, 91.4, 70.7


def rows(count):
    """Boxes of every frame: (frame, track, label, confidence, state, box or None)."""
    for index in range(count):
        phase = index % FRAMES
        doubt = 0.3 + 0.01 * (phase - 20) if 20 <= phase <= 25 else 0.93
        yield index, 1, "mover", doubt, "tracked", mover(phase)
        place = (460.0, 220.0, 80.0, 60.0)
        if 30 <= phase < 40:
            yield index, 2, "blinker", 0, "lost", None
        elif phase == 40:
            yield index, 2, "blinker", 0.8, "recovered", place
        elif phase < 61 or 71 <= phase < 90:
            yield index, 2, "blinker", 0.88, "tracked", place
        if phase >= 92:
            yield index, 3, HOSTILE, 0.77, "tracked", (464.0, 224.0, 78.0, 58.0)
        if 50 <= phase <= 58:
            left, top, wide, tall = mover(phase)
            yield index, 4, "hitter", 0.9, "tracked", (left + 12, top + 8, wide, tall)


def write_boxes(path, found):
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow("frame track label confidence state left top width height".split())
        for index, track, label, confidence, state, box in found:
            table.writerow([index, track, label, round(confidence, 3), state, *(
                [round(value, 2) for value in box] if box else [""] * 4)])


def encode(path, frames, size, *words, before=()):
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "%dx%d" % size, "-r", "25", "-i", "-",
               *before, *words, "-pix_fmt", "yuv420p", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        for frame in frames:
            process.stdin.write(numpy.ascontiguousarray(frame).tobytes())
        process.stdin.close()
    if process.returncode:
        raise SystemExit(f"ffmpeg ended with {process.returncode}: {' '.join(command)}")


def clips(folder):
    """Paths by name: constant rate, 30000/1001 with sound, variable with sound, turned; all with B-frames."""
    x264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "12", "-g", "50", "-bf", "3"]
    sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=30"]
    mapped = ["-map", "0:v", "-map", "1:a", "-c:a", "aac", "-shortest"]
    made = {name: folder / f"{name}.mp4" for name in ("constant", "ntsc", "variable", "turned")}
    frames = [picture(index) for index in range(FRAMES)]
    encode(made["constant"], frames, SIZE, *x264)
    encode(made["ntsc"], frames, SIZE, *mapped, "-vf", "setpts=N*1001/30000/TB", "-r", "30000/1001", *x264, before=sound)
    encode(made["variable"], frames, SIZE, *mapped, "-vf",
           "settb=1/90000,setpts='90000*(N*0.05+0.02*sin(N*1.3)+if(gt(N,30),0.6,0))'", "-fps_mode", "vfr",
           "-enc_time_base", "1/90000", "-video_track_timescale", "90000", *x264, before=sound)
    stored = folder / "stored.mp4"
    encode(stored, [numpy.rot90(frame) for frame in frames], (SIZE[1], SIZE[0]), *x264)
    turn(stored, made["turned"], 90)
    return made


def long_clip(path, frames=15000):
    """Ten minutes, small, and twenty tracks that move in it."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=size=320x180:rate=25:duration={frames / 25}",
                    "-c:v", "libx264", "-preset", "ultrafast", "-crf", "30", "-g", "50", "-pix_fmt", "yuv420p", path], check=True)
    def found():
        for index in range(frames):
            for track in range(1, 21):
                # Some come and go.
                if (index // 500 + track) % 7 == 0:
                    continue
                turn = index / 100 + track
                yield (index, track, f"thing {track}", 0.7 + 0.29 * math.sin(turn * 3), "tracked",
                       (140 + 100 * math.cos(turn), 70 + 50 * math.sin(turn * 1.3), 30, 24))
    write_boxes(path.with_suffix(".csv"), found())


def batch(folder, program, jobs=50):
    """Runs a batch of so many jobs, two of ten minutes and one that fails; gives its output folder."""
    folder = pathlib.Path(folder)
    made = clips(folder)
    for path in made.values():
        write_boxes(path.with_suffix(".csv"), rows(FRAMES))
    for name in ("long-1", "long-2"):
        made[name] = folder / f"{name}.mp4"
        long_clip(made[name])
    (folder / "broken.mp4").write_bytes(b"no video")
    entries = [{"id": name, "input": path.name, "graph": "boxes", "encode": {"crf": 10}} for name, path in made.items()]
    entries += [{"id": "part", "input": "constant.mp4", "graph": "boxes", "range": {"start": PART[0] / 25, "end": PART[-1] / 25 + 0.02}}]
    entries += [{"id": "broken", "input": "broken.mp4", "graph": "none"}]
    entries += [{"id": f"job-{number:02}", "input": "constant.mp4", "graph": "boxes"} for number in range(jobs - len(entries))]
    # The mover's foot goes over one line before frame 12 and over one before frame 76.
    entries[-1].update(id="zz-counted", graph="counted", lines=[{"id": name, "from": [x, 240], "to": [x, 130], "of": SIZE}
                                                                for name, x in (("early", 102), ("late", 249))])
    expect = [{"stage": "boxes", "label": "mover", "tracks": {"min": least}} for least in (1, 2)]
    next(entry for entry in entries if entry["id"] == "ntsc")["expect"] = expect
    boxes = {"id": "boxes", "type": "import", "format": "csv", "file": "{name}.csv", "draw": {"label": False, "trail": 0}}
    manifest = {
        "version": 1, "output": {"directory": "out"},
        "graphs": {
            "boxes": {"stages": [boxes]},
            "counted": {"stages": [boxes, {"id": "flow", "type": "count", "inputs": ["boxes"], "draw": False}]},
            "none": {"stages": [{"id": "frames", "type": "rectangles"}]}},
        "jobs": entries}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1))
    result = subprocess.run([program, "run", folder / "manifest.json", "--progress", "none"], capture_output=True, text=True)
    # 1: the broken one.
    if result.returncode != 1:
        raise SystemExit(f"run ended with {result.returncode}: {result.stdout[-2000:]}{result.stderr[-2000:]}")
    return folder / "out"
