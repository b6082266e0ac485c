"""Turns MP4s by the display matrix of their track, whatever ffmpeg is there: 5.1 has it written by a tag, later ones by an option."""

import struct


def turn(source, target, degrees):
    """Writes an MP4 that is shown turned clockwise.

    source: has one video track of no rotation, the first of its tracks; degrees: 90, 180 or 270."""
    with open(source, "rb") as file:
        data = bytearray(file.read())
    header = data.index(b"tkhd")
    if data[header + 4] != 0:
        raise ValueError(f"{source}: a track header of version {data[header + 4]}; expected 0")
    at = header + 44
    plain = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
    if data[at:at + 36] != plain:
        raise ValueError(f"{source}: the first track is turned already, or no video's")
    width, height = (value >> 16 for value in struct.unpack(">2I", data[at + 36:at + 44]))
    a, b, c, d, x, y = {90: (0, 1, -1, 0, height, 0), 180: (-1, 0, 0, -1, width, height), 270: (0, -1, 1, 0, 0, width)}[degrees]
    data[at:at + 36] = struct.pack(">9i", a << 16, b << 16, 0, c << 16, d << 16, 0, x << 16, y << 16, 1 << 30)
    with open(target, "wb") as file:
        file.write(data)
