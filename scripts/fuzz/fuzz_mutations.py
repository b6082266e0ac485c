"""What the fuzzers do to files' bytes: every function takes a random.Random and is fully determined by it and its other
arguments.

They know little of formats: where box and chunk names lie, and what an EBML id looks like.
"""
import re
import struct

EDGES = {
    1: (0, 1, 0x0A, 0x20, 0x40, 0x7F, 0x80, 0xFE, 0xFF),
    2: (0, 1, 2, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF),
    4: (0, 1, 2, 7, 8, 16, 0xFFFF, 0x10000, 1000000, 0xFFFFFF, 0x40000000, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000,
        0x80000001, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF),
    8: (0, 1, 1 << 31, 1 << 32, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 0x7FF0000000000000, 0x7FF8000000000000,
        0x7FEFFFFFFFFFFFFF),
}
NAMES = [name.encode() for name in (
    "ftyp moov mvhd trak tkhd edts elst mdia mdhd hdlr minf stbl stsd stts stss stsc stsz stz2 stco co64 ctts sgpd sbgp "
    "avcC hvcC av1C vpcC esds colr pasp fiel mdat moof mfhd traf tfhd tfdt trun sidx mfra tfra mvex trex udta meta avc1 "
    "apcn mp4a dref vmhd wave RIFF AVI  LIST hdrl avih strl strh strf movi idx1 indx 00dc 01wb dmlh vids auds WEBP VP8  "
    "VP8X VP8L ANIM ANMF IHDR PLTE IDAT acTL fcTL fdAT tRNS IEND gAMA cHRM pHYs eXIf OggS YUV4MPEG2 FRAME FLV onMetaData "
    "JFIF Exif GIF89a NETSCAPE2.0 DKIF BM II* MM theora vorbis").split(" ") if name]
EBML = [bytes.fromhex(name) for name in (
    "1A45DFA3 4282 18538067 114D9B74 4DBB 1549A966 2AD7B1 4489 1654AE6B AE D7 73C5 83 86 63A2 23E383 23314F E0 B0 BA 54B0 "
    "54BA 54AA 54BB 55B0 9A E1 B5 9F 1F43B675 E7 A3 A0 A1 9B FB 1C53BB6B BB B3 B7 F1 9C 6DE7 6D80 7671 7672 EC").split()]
SUFFIXES = (".mp4 .mov .mkv .webm .avi .ts .mpg .flv .ogg .gif .png .jpg .webp .bmp .tif .y4m .nut .mxf .h264 .m3u8 .txt "
            ".yuv .mp3 .MP4 .mjpeg .ivf .dv .raw").split()


def number(rng, size):
    """An integer's bytes: an extreme one, one near an extreme one or any."""
    pick = rng.random()
    value = rng.choice(EDGES[size]) if pick < 0.7 else rng.getrandbits(8 * size)
    if pick > 0.9:
        value = rng.choice(EDGES[size]) + rng.randint(-9, 9)
    value &= (1 << 8 * size) - 1
    return value.to_bytes(size, rng.choice(("big", "little")))


def places(data, names):
    """Where any of the names lies."""
    found = []
    for name in names:
        at = data.find(name)
        while at >= 0 and len(found) < 4000:
            found.append((at, name))
            at = data.find(name, at + 1)
    return sorted(found)


def span(rng, data, longest=4096):
    if not data:
        return 0, 0
    start = rng.randrange(len(data))
    return start, min(len(data), start + 1 + int(rng.random() ** 3 * longest))


def put(data, at, piece):
    at = max(0, min(at, len(data)))
    data[at:at + len(piece)] = piece


def flip(rng, data, _):
    count = rng.choice((1, 1, 2, 8, 64))
    for _ in range(count):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return f"flip {count} bits"


def edge_byte(rng, data, _):
    at = rng.randrange(len(data))
    data[at] = rng.choice(EDGES[1])
    return f"byte {at} = {data[at]}"


def edge_integer(rng, data, _):
    size = rng.choice((2, 4, 4, 8))
    near = rng.random() < 0.6
    at = rng.randrange(min(len(data), 512) if near else len(data))
    piece = number(rng, size)
    put(data, at, piece)
    return f"at {at} write {piece.hex()}"


def truncate(rng, data, _):
    length = rng.choice((0, 1, rng.randrange(len(data)), rng.randrange(len(data)), max(0, len(data) - rng.randint(1, 64))))
    del data[length:]
    return f"truncate to {length}"


def delete(rng, data, _):
    start, end = span(rng, data)
    del data[start:end]
    return f"delete {start}…{end}"


def duplicate(rng, data, _):
    start, end = span(rng, data)
    times = rng.choice((1, 1, 1, 5, 100))
    data[end:end] = data[start:end] * times
    return f"duplicate {start}…{end} {times} times"


def swap(rng, data, _):
    (a, b), (c, d) = sorted((span(rng, data), span(rng, data)))
    b = min(b, c)
    data[a:d] = data[c:d] + data[b:c] + data[a:b]
    return f"swap {a}…{b} with {c}…{d}"


def noise(rng, data, _):
    start, end = span(rng, data, 512)
    piece = rng.randbytes(end - start) if rng.random() < 0.7 else bytes([rng.choice(EDGES[1])]) * (end - start)
    if rng.random() < 0.5:
        data[start:start] = piece
        return f"insert {len(piece)} bytes at {start}"
    data[start:end] = piece
    return f"overwrite {start}…{end}"


def splice(rng, data, others):
    name, other = rng.choice(others)
    mine, theirs = rng.randrange(len(data)), rng.randrange(len(other))
    data[mine:] = other[theirs:] if rng.random() < 0.7 else other
    return f"from {mine} on: {name} from {theirs} on"


def box(rng, data, others):
    """Attacks a box or chunk of MP4, MOV, AVI, RIFF or PNG by its name."""
    found = places(data, NAMES)
    if not found:
        return edge_integer(rng, data, others)
    # Each name alike, however often it is there.
    wanted = rng.choice(sorted({name for _, name in found}))
    at = rng.choice([place for place, name in found if name == wanted])
    kind = rng.randrange(6)
    if kind == 0:
        piece = number(rng, 4)
        put(data, at - 4, piece)
        return f"{wanted.decode()} at {at}: size before it {piece.hex()}"
    if kind == 1:
        piece = rng.choice((b"free", b"skip", b"uuid", b"JUNK", rng.choice(NAMES)[:4]))
        put(data, at, piece)
        return f"{wanted.decode()} at {at}: name {piece!r}"
    if kind == 2:
        size = int.from_bytes(data[max(0, at - 4):at], "big")
        end = min(len(data), at - 4 + size) if 8 <= size <= len(data) else min(len(data), at + rng.randint(4, 64))
        piece = bytes(data[max(0, at - 4):end])
        if rng.random() < 0.5:
            data[end:end] = piece
            return f"{wanted.decode()} at {at}: twice"
        del data[max(0, at - 4):end]
        return f"{wanted.decode()} at {at}: deleted"
    # Most fields lie at multiples of 2 or 4 behind the name.
    changes = []
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = at + len(wanted) + rng.choice((0, 4, 4, 8, 8, 12, 12, 16, 20, 24, 28, 32, 2 * rng.randrange(48)))
        piece = number(rng, rng.choice((2, 4, 4, 4, 8)))
        put(data, place, piece)
        changes.append(f"+{place - at} {piece.hex()}")
    return f"{wanted.decode()} at {at}: {', '.join(changes)}"


def ebml(rng, data, others):
    """Attacks an element of Matroska or WebM: its size, then what is in it."""
    if not data.startswith(EBML[0]):
        return box(rng, data, others)
    found = places(data[:4096], EBML) or [(0, EBML[0])]
    wanted = rng.choice(sorted({name for _, name in found}))
    at = rng.choice([place for place, name in found if name == wanted])
    body = at + len(wanted)
    kind = rng.randrange(4)
    if kind == 0:
        piece = rng.choice((b"\x80", b"\xff", b"\x01" + b"\xff" * 7, b"\x01\x7f" + b"\xff" * 6, b"\x1f\xff\xff\xff",
                            b"\x08\x7f\xff\xff\xff", b"\x00", bytes([0x80 | rng.randrange(128)])))
        put(data, body, piece)
        return f"EBML {wanted.hex()} at {at}: size {piece.hex()}"
    if kind == 1:
        piece = rng.choice(EBML)
        data[at:body] = piece
        return f"EBML {wanted.hex()} at {at}: id {piece.hex()}"
    # What is in a small element: one byte of size, then a number.
    length = data[body] & 0x7F if body < len(data) and data[body] & 0x80 else 4
    piece = number(rng, 8)[:max(1, min(8, length))] if kind == 2 else rng.choice(
        (b"\xff", b"\x00", b"\x7f")) * max(1, min(8, length))
    put(data, body + 1, piece)
    return f"EBML {wanted.hex()} at {at}: value {piece.hex()}"


def digits(rng, data, others):
    """Attacks a number that is written out, as in the headers of Y4M and PGM."""
    found = list(re.finditer(rb"[0-9]+", data[:65536]))
    if not found:
        return edge_byte(rng, data, others)
    match = rng.choice(found[:8] if rng.random() < 0.7 else found)
    piece = rng.choice((b"0", b"1", b"-1", b"65535", b"65536", b"16384", b"2147483647", b"2147483648", b"4294967297",
                        b"99999999999999999999", b"", b"1e9", b"0x10", b" ", b"9" * 300))
    data[match.start():match.end()] = piece
    return f"{match.group()[:20].decode()} at {match.start()} = {piece[:20].decode()}"


def dimensions(rng, data, others):
    """Gives pictures another size, wherever it stands as two numbers one behind the other."""
    width, height = rng.choice(((65535, 65535), (65535, 1), (1, 65535), (32767, 32767), (16384, 16384), (30000, 20000),
                                (8192, 4096), (4096, 4096), (1, 1), (0, 0), (3, 5), (97, 65), (200, 10)))
    done = []
    for form in (">II", "<II", ">HH", "<HH", "<HxxH"):
        for size in ((96, 64), (64, 48), (48, 32), (32, 24), (75, 49), (256, 120)):
            at = data.find(struct.pack(form, *size))
            while at >= 0 and len(done) < 4:
                put(data, at, struct.pack(form, width, height))
                done.append(f"{size[0]}×{size[1]} at {at} = {width}×{height}")
                at = data.find(struct.pack(form, *size), at + 1)
    return ", ".join(done) if done else edge_integer(rng, data, others)


BYTE_LEVEL = (flip, flip, edge_byte, edge_integer, edge_integer, truncate, delete, duplicate, swap, noise, splice, digits)


def mutate_bytes(rng, data, others, structured=True):
    """A mutated copy and what was done to it."""
    data, done = bytearray(data), []
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        if not data:
            break
        action = rng.choice((box, box, ebml, ebml, dimensions) if structured and rng.random() < 0.5 else BYTE_LEVEL)
        done.append(action(rng, data, others))
        del data[4 << 20:]
    return bytes(data), done


def playlist(rng, clip, folder):
    """A file that names others, to be taken for a video; a reader of videos opens none of them."""
    target = rng.choice((clip, f"file:{clip}", f"file://{folder}/{clip}", f"{folder}/{clip}", "http://127.0.0.1:9/a.mp4",
                         f"concat:{clip}|{clip}", "data:video/mp4;base64,AAAAHGZ0eXBpc29t", f"subfile,,start,0,end,0,,:{clip}",
                         f"crypto:{clip}", "pipe:0", "/dev/zero", f"async:{clip}", f"cache:{clip}", "/etc/passwd"))
    texts = {
        "HLS": f"#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\n{target}\n"
               "#EXT-X-ENDLIST\n",
        "HLS with a key": f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=AES-128,URI=\"{target}\"\n"
                          f"#EXT-X-MAP:URI=\"{target}\"\n#EXTINF:1,\n{target}\n",
        "HLS master": f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{target}\n",
        "ffconcat": f"ffconcat version 1.0\nfile '{target}'\nduration 1\n" * rng.choice((1, 50)),
        "DASH": f"<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" "
                f"mediaPresentationDuration=\"PT1S\"><Period><AdaptationSet mimeType=\"video/mp4\"><Representation id=\"1\" "
                f"bandwidth=\"1\"><BaseURL>{target}</BaseURL></Representation></AdaptationSet></Period></MPD>\n",
        "SDP": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\n"
               "a=rtpmap:96 H264/90000\n",
        "SMIL": f"<smil><body><video src=\"{target}\"/></body></smil>\n",
        "rtsp": f"[Reference]\nRef1={target}\n", "IMF": f"<AssetMap><Path>{target}</Path></AssetMap>\n",
        "AviSynth": f"AVISource(\"{target}\")\n", "VapourSynth": f"# -*- vpy -*-\nimport vapoursynth\n# {target}\n",
        "ffmetadata": ";FFMETADATA1\ntitle=x\n[CHAPTER]\nTIMEBASE=1/0\nSTART=0\nEND=9223372036854775807\n",
        "sequence": "x\n",
        "SVG": f"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"48\">"
               f"<image href=\"{target}\"/></svg>",
    }
    name = rng.choice(sorted(texts))
    text = texts[name].encode()
    if rng.random() < 0.15:
        text = b"\xef\xbb\xbf" + text
    if rng.random() < 0.15:
        text = text.replace(b"\n", b"\r\n")
    suffix = rng.choice((".mp4", ".mp4", ".m3u8", ".mov", ".txt", ".jpg", ".mpd", ".sdp", ".mkv"))
    return text, suffix, [f"{name} of {target}"]


def turned(mp4):
    """An MP4 whose first track is shown turned by 90°."""
    at = mp4.find(b"tkhd")
    matrix = struct.pack(">9i", 0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000)
    return mp4[:at + 44] + matrix + mp4[at + 80:] if at > 0 else mp4
