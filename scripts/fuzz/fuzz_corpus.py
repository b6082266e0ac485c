"""Short clips in every codec and container that this ffmpeg makes, for the fuzzers to damage."""
import concurrent.futures
import os
import subprocess
import sys

import fuzz_mutations as mutations

# Marker 0 of aruco-4x4-50 before a test picture.
CELLS = ("1011", "0101", "0011", "0010")
MARKER = ",".join(["drawbox=8:4:52:52:white:fill", "drawbox=16:12:36:36:black:fill"] + [
    f"drawbox={22 + 6 * x}:{18 + 6 * y}:6:6:white:fill" for y, row in enumerate(CELLS) for x, bit in enumerate(row)
    if bit == "1"])
PICTURE = f"testsrc=size=96x64:rate=10:duration=0.6,{MARKER}"
SOUND = ["-f", "lavfi", "-i", "sine=frequency=440:duration=0.6"]
X264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
CORPUS = {  # name: (with sound, ffmpeg's options, filter)
    "b-frames.mp4": (True, "-c:v libx264 -preset veryfast -bf 2 -pix_fmt yuv420p -c:a aac -b:a 32k", ""),
    "fragmented.mp4": (True, X264 + " -g 3 -c:a aac -b:a 32k -movflags frag_keyframe+empty_moov", ""),
    "cfr.mp4": (False, X264 + " -movflags +faststart", ""),
    "odd.mp4": (False, "-c:v libx264 -preset ultrafast -pix_fmt yuv444p", "crop=75:49"),
    "full.mp4": (False, "-c:v libx264 -preset ultrafast -pix_fmt yuvj420p", ""),
    "vfr.mp4": (False, X264 + " -fps_mode vfr", "select=not(eq(n\\,2))"),
    "10-bit.mp4": (False, "-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1:frame-threads=1 "
                          "-pix_fmt yuv420p10le -tag:v hvc1", ""),
    "prores.mov": (False, "-c:v prores_ks -profile:v 0", ""),
    "prores-alpha.mov": (False, "-c:v prores_ks -profile:v 4 -pix_fmt yuva444p10le", "scale=48:32"),
    "qtrle.mov": (False, "-c:v qtrle", "scale=48:32"),
    "rgb.mp4": (False, "-c:v libx264rgb -preset ultrafast -pix_fmt rgb24", ""),
    "dnxhr.mov": (False, "-c:v dnxhd -profile:v dnxhr_lb -pix_fmt yuv422p", "scale=256:120"),
    "mpeg2.mxf": (False, "-c:v mpeg2video -r 25 -g 3", ""),
    "hevc.mkv": (True, "-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1:frame-threads=1 -c:a flac", ""),
    "av1.mkv": (False, "-c:v libaom-av1 -cpu-used 8 -row-mt 0 -usage realtime", "scale=64:48"),
    "ffv1.mkv": (False, "-c:v ffv1 -level 3 -pix_fmt yuv422p", ""),
    "vp8.webm": (True, "-c:v libvpx -deadline realtime -c:a libopus", ""),
    "vp9.webm": (False, "-c:v libvpx-vp9 -deadline realtime -cpu-used 8", ""),
    "mpeg4.avi": (True, "-c:v mpeg4 -bf 1 -c:a mp2", ""),
    "mjpeg.avi": (False, "-c:v mjpeg -pix_fmt yuvj420p", ""),
    "cinepak.avi": (False, "-c:v cinepak", "scale=48:32"),
    "raw.avi": (False, "-c:v rawvideo -pix_fmt bgr24", "scale=32:24"),
    "palette.avi": (False, "-c:v rawvideo -pix_fmt pal8", "scale=32:24,format=rgb8,format=pal8"),
    "h264.ts": (True, X264 + " -c:a aac", ""), "mpeg2.ts": (True, "-c:v mpeg2video -bf 2 -r 25 -c:a mp2", ""),
    "mpeg1.mpg": (False, "-c:v mpeg1video -r 25", ""), "mpeg2.mpg": (True, "-c:v mpeg2video -r 25 -f vob -c:a mp2", ""),
    "h264.flv": (True, X264 + " -c:a aac", ""), "flv1.flv": (False, "-c:v flv1", ""),
    "theora.ogg": (True, "-c:v libtheora -c:a libvorbis", ""),
    "wmv2.asf": (False, "-c:v wmv2", ""), "rv10.rm": (False, "-c:v rv10", ""),
    "h264.264": (False, X264 + " -f h264", ""), "vp9.ivf": (False, "-c:v libvpx-vp9 -deadline realtime -cpu-used 8", ""),
    "anim.gif": (False, "-c:v gif", "scale=48:32"), "still.gif": (False, "-c:v gif -frames:v 1", ""),
    "anim.apng": (False, "-c:v apng -f apng", "scale=48:32"), "rgb.png": (False, "-frames:v 1 -c:v png", ""),
    "palette.png": (False, "-frames:v 1 -c:v png -pix_fmt pal8", "format=rgb8,format=pal8"),
    "16-bit.png": (False, "-frames:v 1 -c:v png -pix_fmt rgba64be", "scale=32:24"),
    "still.jpg": (False, "-frames:v 1 -c:v mjpeg -pix_fmt yuvj444p", "crop=75:49"),
    "still.webp": (False, "-frames:v 1 -c:v libwebp", ""), "still.bmp": (False, "-frames:v 1 -c:v bmp", ""),
    "still.tiff": (False, "-frames:v 1 -c:v tiff", ""), "still.pgm": (False, "-frames:v 1 -c:v pgm", "scale=32:24"),
    "raw.y4m": (False, "-pix_fmt yuv420p", "scale=48:32"), "raw.nut": (False, "-c:v rawvideo -pix_fmt gray", "scale=48:32"),
    "ffvhuff.nut": (False, "-c:v ffvhuff -pix_fmt yuv440p", "scale=48:32"),
}


def make(folder, name):
    """One clip's bytes; None where this ffmpeg can't encode it."""
    sound, arguments, change = CORPUS[name]
    path = os.path.join(folder, name)
    command = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", PICTURE + ("," + change if change else "")]
    command += (SOUND if sound else []) + ["-threads", "1", *arguments.split(), "-flags", "+bitexact", "-fflags", "+bitexact",
                                           "-map_metadata", "-1", path]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    return read(path) if ended.returncode == 0 and os.path.getsize(path) > 0 else None


def read(path):
    with open(path, "rb") as file:
        return file.read()


def clips(folder, jobs, more=()):
    """The corpus by names, `more` files among it; they are made in the folder."""
    os.makedirs(folder, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        made = dict(zip(CORPUS, pool.map(lambda name: make(folder, name), CORPUS)))
    missing = [name for name, data in made.items() if data is None]
    if missing:
        print(f"fuzz: this ffmpeg can't make {', '.join(missing)}", file=sys.stderr)
    made = {name: data for name, data in made.items() if data}
    if "cfr.mp4" not in made:
        sys.exit("fuzz: ffmpeg with libx264 is needed")
    made["turned.mp4"] = mutations.turned(made["cfr.mp4"])
    cut = os.path.join(folder, "edits.mp4")
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-ss", "0.25", "-i", os.path.join(folder, "b-frames.mp4"), "-c", "copy",
                    "-fflags", "+bitexact", cut], stdin=subprocess.DEVNULL, check=True)
    made["edits.mp4"] = read(cut)
    made.update((os.path.basename(path), read(path)) for path in more)
    return made
