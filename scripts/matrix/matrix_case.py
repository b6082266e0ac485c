"""What a case of matrix.py is, and what cases are made of: encoders' options, turns, stamps."""
import dataclasses
import struct
import typing


@dataclasses.dataclass(frozen=True)
class Case:
    """One clip of the base clip: `ffmpeg BEFORE -i base INPUTS -vf PICTURE,FILTERS ARGUMENTS FILE`."""
    name: str
    file: str
    arguments: str
    picture: str = ""                   # filters that change what is to be seen, the plain twin's too
    filters: str = ""                   # filters of the case alone
    twin: str = ""                      # filters of the twin instead of `picture`
    before: str = ""                    # options of the base clip as an input
    inputs: str = ""                    # further inputs
    then: tuple[str, ...] = ()          # further passes over the file; "IN" stands for what the one before made
    joined: str = ""                    # the bytes of a second clip follow, made with this picture
    patch: typing.Callable[[bytes], bytes] | None = None
    probe: str = ""                     # options with which ffmpeg and ffprobe read the clip
    job: dict = dataclasses.field(default_factory=dict)
    encode: dict = dataclasses.field(default_factory=dict)
    turn: str = ""                      # how the picture is turned to be shown: a key of TURNS
    reference: str = ""                 # filters that the source goes through before its pictures are compared
    first: int = 0                      # the twin's frame that is shown first
    audio: tuple[str, ...] | None = None    # codecs of the output's tracks
    pixels: str = ""                    # the output's pixel format
    light: bool = False                 # mastering display and content light: kept, or named as dropped
    stored: str = ""                    # the source's pixel format, where the case is about it
    fails: tuple[str, ...] = ()         # the job fails, and its error says all this
    recall: float = 1.0                 # least share of the twin's markers; less where the codec destroys some
    corner: float = 0.5                 # farthest distance of a corner from the twin's, px
    psnr: float = 38.0                  # lowest of a frame, dB

    @property
    def shown(self):
        """Filters of the plain twin."""
        return self.twin or self.picture


H264 = "-c:v libx264 -preset veryfast -crf 4"
HEVC = "-c:v libx265 -preset ultrafast -x265-params log-level=error:lossless=1"
VP9 = "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -lossless 1"
AV1 = "-c:v libaom-av1 -cpu-used 8 -usage realtime -crf 4 -b:v 0"
FFV1 = "-c:v ffv1"
MPEG2 = "-c:v mpeg2video -q:v 1 -qmin 1"
PHOTO = "-frames:v 1 -update 1"
STAMPS = "-fps_mode passthrough -enc_time_base 1/90000"
RGB = "flags=bicubic+accurate_rnd+full_chroma_int"
PALETTE = "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none"
LOSSY = {"recall": 0.97}
# Finer, the codecs of H.263's kin clip their largest coefficients.
OLD = "-q:v 3"


def stamps(seconds):
    """Sets every frame's time by an expression of its number."""
    return f"settb=1/90000,setpts='round(({seconds})*90000)'"


def rate(frames):
    """Sets the frames' time by another rate."""
    return {"filters": f"settb=1/240000,setpts=N*240000/({frames}),fps={frames}"}


def tone(codec, seconds=1.28, options="", video=H264):
    return {"inputs": f"-f lavfi -i sine=frequency=440:sample_rate=48000:duration={seconds}",
            "arguments": f"{video} -map 0:v -map 1:a -c:a {codec} {options}"}


def tags(primaries, transfer, matrix, pixel_range="tv"):
    text = f"color_primaries={primaries}:color_trc={transfer}:colorspace={matrix}:range={pixel_range}"
    options = f"-color_primaries {primaries} -color_trc {transfer} -colorspace {matrix} -color_range {pixel_range}"
    return {"filters": f"setparams={text}", "arguments": options}


# How a stored picture is turned to be shown, and how one is stored so that it is shown upright, like the twin's.
TURNS = {
    "": ("", ""), "180": ("hflip,vflip", "hflip,vflip"), "hflip": ("hflip", "hflip"), "vflip": ("vflip", "vflip"),
    "90": ("transpose=clock", "transpose=cclock"), "270": ("transpose=cclock", "transpose=clock"),
    "transpose": ("transpose=cclock_flip", "transpose=cclock_flip"),
    "transverse": ("transpose=clock_flip", "transpose=clock_flip"),
}
TRANSPOSED = ("90", "270", "transpose", "transverse")


def matrix(a, b, c, d, x, y):
    """Replaces the display matrix in an MP4's track header."""
    def patch(data):
        plain = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
        at = data.index(plain, data.index(b"tkhd"))
        turned = struct.pack(">9i", a << 16, b << 16, 0, c << 16, d << 16, 0, x << 16, y << 16, 1 << 30)
        return data[:at] + turned + data[at + len(plain):]
    return patch


def rotate(angle, stored):
    """States a rotation, clockwise.

    stored: the picture's size as it is stored."""
    width, height = stored
    members = {90: (0, 1, -1, 0, height, 0), 180: (-1, 0, 0, -1, width, height), 270: (0, -1, 1, 0, 0, width)}[angle]
    return {"turn": str(angle), "patch": matrix(*members)}


def exif(orientation):
    """Puts an Exif orientation into a JPEG."""
    tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    segment = b"\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\0\0" + tiff
    return lambda data: data[:2] + segment + data[2:]


def orientation(bits):
    """Puts a display orientation message before every key picture of a raw H.264 stream."""
    payload = int(bits + "0100" + "1", 2).to_bytes(3, "big")    # holds until the next key picture
    message = b"\0\0\1\x06\x2f\x03" + payload + b"\x80"

    def patch(data):
        parts = data.split(b"\0\0\1")
        return parts[0] + b"".join((message if part[0] & 31 == 5 else b"") + b"\0\0\1" + part for part in parts[1:])
    return patch
