"""What matrix.py holds a source, its track file and its annotated video against."""
import dataclasses
import fractions
import json
import math
import re
import subprocess

from matrix_case import TRANSPOSED, TURNS


@dataclasses.dataclass
class Cell:
    """What the table says of one check, and what is wrong."""
    text: str
    problems: list[str] = dataclasses.field(default_factory=list)


class Media:
    """A file as ffprobe sees it, every picture decoded."""

    def __init__(self, path, options=""):
        command = ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-show_frames", "-of", "json",
                   *options.split(), path]
        told = subprocess.run(command, capture_output=True, timeout=60, check=False)
        probe = json.loads(told.stdout or "{}")
        self.streams = probe.get("streams", [])
        self.format = probe.get("format", {})
        self.video = next((s for s in self.streams if s["codec_type"] == "video"), None)
        if self.video is None or not self.format:
            raise ValueError(f"ffprobe reads no video: {told.stderr.decode()[-200:].strip()}")
        frames = probe.get("frames", [])
        self.frames = [f for f in frames if f.get("stream_index") == self.video["index"]]
        self.time_base = fractions.Fraction(self.video["time_base"])
        self.sounds = [Sound(s, [f for f in frames if f.get("stream_index") == s["index"]])
                       for s in self.streams if s["codec_type"] == "audio"]

    def tag(self, key):
        """A property of the first picture, else of the stream; nothing where it is unknown."""
        for holder in (self.frames[0] if self.frames else {}, self.video):
            value = holder.get(key, "unknown")
            if value not in ("unknown", "unspecified", "reserved", "N/A"):
                return value
        return ""

    @property
    def pixels(self):
        return self.frames[0]["pix_fmt"] if self.frames else self.video.get("pix_fmt", "unknown")

    @property
    def size(self):
        holder = self.frames[0] if self.frames else self.video
        return holder["width"], holder["height"]

    @property
    def aspect(self):
        text = self.tag("sample_aspect_ratio").replace(":", "/")
        return fractions.Fraction(text) if text and not text.startswith("0/") else fractions.Fraction(1)

    @property
    def is_rgb(self):
        return bool(re.match(r"(gb|rgb|bgr|argb|abgr|0rgb|0bgr|pal8|x2)", self.pixels))

    @property
    def is_gray(self):
        return bool(re.match(r"(gray|ya\d|mono)", self.pixels))

    def times(self):
        """Stamp and duration of every picture in ticks, and how many of the stamps are not the container's.

        A stamp that is missing or doesn't rise follows the picture before; a missing duration lasts to the next one.
        """
        times, repaired = [], 0
        stamps = [f.get("best_effort_timestamp") for f in self.frames]
        for index, (frame, stamp) in enumerate(zip(self.frames, stamps)):
            last = times[-1] if times else None
            if last and (stamp is None or stamp <= last[0]):
                stamp, repaired = sum(last), repaired + 1
            elif stamp is None:
                stamp = self.video.get("start_pts", 0)
            duration = int(frame.get("pkt_duration", 0))
            if duration <= 0:
                following = stamps[index + 1] if index + 1 < len(stamps) else None
                if following is not None and following > stamp:
                    duration = following - stamp
                else:
                    duration = last[1] if last else self.nominal
            times.append((stamp, duration))
        return times, repaired

    @property
    def nominal(self):
        rate = self.video.get("r_frame_rate", "0/0")
        return 1 if rate.startswith("0/") else max(1, round(1 / (fractions.Fraction(rate) * self.time_base)))

    def __str__(self):
        (width, height), container = self.size, self.format["format_name"]
        container = {"mov,mp4,m4a,3gp,3g2,mj2": "mp4/mov", "matroska,webm": "matroska"}.get(container, container)
        return f"{container}, {self.video['codec_name']}, {self.pixels}, {width}×{height}"


class Sound:
    """Where an audio track's samples begin and end, seconds."""

    def __init__(self, stream, frames):
        self.codec = stream["codec_name"]
        rate = int(stream.get("sample_rate", 0)) or 1
        spans = [(float(f["best_effort_timestamp_time"]), int(f["nb_samples"]) / rate)
                 for f in frames if "best_effort_timestamp_time" in f]
        self.start = spans[0][0] if spans else math.nan
        self.end = sum(spans[-1]) if spans else math.nan


class Tracks:
    """A track file."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.source = lines[0]["source"]
        self.frames = [line for line in lines if "frame" in line]
        self.time_base = fractions.Fraction(*self.source["timeBase"])
        self.offset = self.source.get("videoOffset", 0)

    def markers(self, frame):
        return [(o["id"], o["polygon"]) for o in self.frames[frame]["observations"] if o["kind"] == "marker"]


def check_frames(source, tracks, video):
    counts = {"source": len(source.frames), "track file": len(tracks.frames)}
    if video:
        counts["output"] = len(video.frames)
    same = len(set(counts.values())) == 1 and counts["source"] > 0
    return Cell(" / ".join(map(str, counts.values())) if not same else str(counts["source"]),
                [] if same else ["frames: " + ", ".join(f"{k} {v}" for k, v in counts.items())])


def first_difference(name, expected, found):
    for index, (left, right) in enumerate(zip(expected, found)):
        if left != right:
            return f"{name} of frame {index}: {right}, expected {left}"
    return None


def check_pts(source, tracks, video):
    times, repaired = source.times()
    found = [f["pts"] for f in tracks.frames]
    problems = [first_difference("pts", [t[0] for t in times], found)]
    if tracks.time_base != source.time_base:
        problems.append(f"time base {tracks.time_base}, expected {source.time_base}")
    if video:
        expected = [(pts + tracks.offset) * tracks.time_base for pts in found]
        shown = [f.get("best_effort_timestamp", 0) * video.time_base for f in video.frames]
        if "matroska" in video.format["format_name"]:
            expected = [round(t * 1000) / 1000 for t in expected]
            shown = [round(t * 1000) / 1000 for t in shown]
        difference = first_difference("output's time", expected, shown)
        problems.append(difference and difference + " s")
    text = "exact" + (f", {repaired} repaired" if repaired else "") + (f", + {tracks.offset}" if tracks.offset else "")
    problems = list(filter(None, problems))
    return Cell("wrong" if problems else text, problems)


def check_durations(source, tracks, video):
    times, _ = source.times()
    given = sum(int(f.get("pkt_duration", 0)) > 0 for f in source.frames)
    problems = [first_difference("duration", [t[1] for t in times], [f["duration"] for f in tracks.frames])]
    text = "exact" if given == len(times) else f"exact, {len(times) - given} not told"
    if video and times:
        total = (times[-1][0] + times[-1][1] - times[0][0]) * source.time_base
        if "matroska" in video.format["format_name"]:
            start = video.frames[0]["best_effort_timestamp"] * video.time_base
            length = fractions.Fraction(video.format["duration"]) - start
            if video.sounds:
                length = total      # the file's length is its longest track's
        else:
            length = video.video.get("duration_ts", 0) * video.time_base
        tick = max(video.time_base, source.time_base, fractions.Fraction(1, 1000))
        if abs(length - total) > tick:
            problems.append(f"output lasts {float(length):.4f} s, source {float(total):.4f} s")
    problems = list(filter(None, problems))
    return Cell("wrong" if problems else text, problems)


def check_size(source, tracks, video, turn):
    width, height = source.size
    aspect = source.aspect
    if turn in TRANSPOSED:
        width, height, aspect = height, width, 1 / aspect
    found = tracks.source["width"], tracks.source["height"]
    problems = []
    if found != (width, height):
        problems.append(f"track file {found[0]}×{found[1]}, expected {width}×{height}")
    text = f"{width}×{height}"
    if video:
        shown = video.size
        if shown[0] not in (width, width + width % 2) or shown[1] not in (height, height + height % 2):
            problems.append(f"output {shown[0]}×{shown[1]}, expected {width}×{height}")
        if video.aspect != aspect:
            problems.append(f"sample aspect ratio {video.aspect}, expected {aspect}")
        if shown != (width, height):
            text += f" → {shown[0]}×{shown[1]}"
        if aspect != 1:
            text += f", {aspect.numerator}:{aspect.denominator}"
    return Cell(text, problems)


def check_colour(source, video, pixels):
    if not video:
        return Cell("–")
    problems = []
    names = {"color_primaries": "primaries", "color_transfer": "transfer", "color_space": "matrix",
             "color_range": "range"}
    texts = []
    for key, name in names.items():
        wanted, found = source.tag(key), video.tag(key)
        if (source.is_rgb or source.is_gray) and name in ("matrix", "range"):
            wanted = found if found in ("", "smpte170m", "tv") else wanted
        if source.pixels.startswith("yuvj") and name == "range":
            wanted = "pc"
        # Untagged Y′CbCr is limited range.
        if wanted and wanted != found and (wanted, found) != ("tv", ""):
            problems.append(f"{name} {found or 'unknown'}, expected {wanted}")
        texts.append(found or "–")
    if pixels and video.pixels.replace("yuvj", "yuv") != pixels:
        problems.append(f"pixel format {video.pixels}, expected {pixels}")
    return Cell("–" if set(texts) == {"–"} else "/".join(texts), problems)


def check_light(video, notes):
    """Mastering display and content light are in the output, or a note says that they are gone."""
    told = json.dumps([video.video.get("side_data_list", []), video.frames[0].get("side_data_list", [])])
    lost = [name for name in ("Mastering display", "Content light level")
            if name.lower() not in told.lower() and name.split()[0].lower() not in " ".join(notes).lower()]
    return [f"{name} metadata: neither kept nor named in the report" for name in lost]


def check_audio(source, video, codecs):
    found = [sound.codec for sound in video.sounds]
    if found != list(codecs):
        return [f"audio: {found or 'none'}, expected {list(codecs)}"]
    shift = float(video.frames[0]["best_effort_timestamp"] * video.time_base
                  - source.frames[0]["best_effort_timestamp"] * source.time_base)
    problems = []
    for index, (before, after) in enumerate(zip(source.sounds, video.sounds)):
        for name, left, right in (("starts", before.start, after.start), ("ends", before.end, after.end)):
            if not abs(right - shift - left) <= 0.05:
                problems.append(f"audio {index} {name} at {right - shift:.3f} s, in the source at {left:.3f} s")
    return problems


MATRICES = {"smpte170m": "bt601", "bt470bg": "bt601", "bt709": "bt709", "bt2020nc": "bt2020"}


def check_psnr(source, video, paths, case):
    """The source's pictures, turned and converted by ffmpeg, against the output's: the worst frame's PSNR."""
    if not video:
        return Cell("–")
    width, height = source.size
    turn, _ = TURNS[case.turn]
    if case.turn in TRANSPOSED:
        width, height = height, width
    scale = "scale=out_range=" + ("pc" if video.tag("color_range") == "pc" else "tv")
    if source.is_rgb:
        scale += ":out_color_matrix=" + MATRICES.get(video.tag("color_space"), "bt601")
    pixels = video.pixels.replace("yuvj", "yuv") if video.tag("color_range") != "pc" else video.pixels
    crop = f"crop={max(width & ~1, 1)}:{max(height & ~1, 1)}:0:0:exact=1"
    before = ",".join(filter(None, [case.reference, turn, "settb=1/25,setpts=N", scale, f"format={pixels}", crop]))
    graph = f"[0:v:0]{before}[a];[1:v:0]settb=1/25,setpts=N,format={pixels},{crop}[b];[a][b]psnr"
    command = ["ffmpeg", "-v", "info", "-nostats", "-noautorotate", *case.probe.split(), "-i", paths[0], "-i", paths[1],
               "-lavfi", graph, "-an", "-fps_mode", "passthrough", "-f", "null", "-"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, errors="replace")
    # One for each time that the source's properties change.
    found = re.findall(r"PSNR .*min:(\S+)", told.stderr)
    if not found:
        return Cell("?", [f"no PSNR: {told.stderr.strip().splitlines()[-1:]}"])
    value = min(map(float, found))
    return Cell(f"{value:.1f}", [] if value >= case.psnr else [f"PSNR {value:.1f} dB, at least {case.psnr:g} expected"])


def check_markers(tracks, twin, case):
    """Every marker that the plain twin shows on the same frame, at the same place."""
    hits, total, worst = 0, 0, 0.0
    for index in range(len(tracks.frames)):
        if index + case.first >= len(twin.frames):
            return Cell("?", [f"the twin has {len(twin.frames)} frames, not enough"])
        found = tracks.markers(index)
        for number, corners in twin.markers(index + case.first):
            total += 1
            distances = [max(map(math.dist, polygon, corners)) for other, polygon in found if other == number]
            if distances and min(distances) <= 3:
                hits += 1
                worst = max(worst, min(distances))
    if total == 0:
        return Cell("none")
    problems = []
    if hits < case.recall * total:
        problems.append(f"{hits} of {total} markers")
    if worst > case.corner:
        problems.append(f"a corner {worst:.2f} px away")
    return Cell(f"{hits}/{total}, {worst:.2f} px", problems)
