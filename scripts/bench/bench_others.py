#!/usr/bin/env python3
"""What somebody would write in Python instead, to be timed: 4×4 ArUco markers of every picture of a clip.

usage: bench_others.py cv2|pyav|supervision CLIP [OUT.mp4]

With OUT.mp4 they are drawn, and the pictures go through a pipe to ffmpeg, with x264 at veryfast, crf 23. Prints how many
markers there are.
"""
import subprocess
import sys

import cv2


def pictures(way, clip):
    """Pictures of a clip in BGR."""
    if way == "pyav":
        import av
        with av.open(clip) as container:
            container.streams.video[0].thread_type = "AUTO"
            for frame in container.decode(video=0):
                yield frame.to_ndarray(format="bgr24")
    elif way == "supervision":
        import supervision
        yield from supervision.get_video_frames_generator(clip)
    else:
        capture = cv2.VideoCapture(clip)
        while True:
            is_there, picture = capture.read()
            if not is_there:
                return
            yield picture


def drawer(way):
    if way != "supervision":
        return lambda picture, corners, ids: cv2.aruco.drawDetectedMarkers(picture, corners, ids)
    import numpy
    import supervision
    annotator = supervision.BoxAnnotator()

    def draw(picture, corners, ids):
        if ids is None:
            return picture
        places = numpy.array([[*c.reshape(4, 2).min(0), *c.reshape(4, 2).max(0)] for c in corners])
        found = supervision.Detections(xyxy=places, class_id=ids.flatten())
        return annotator.annotate(picture, found)
    return draw


def main():
    way, clip = sys.argv[1:3]
    out = sys.argv[3] if len(sys.argv) > 3 else None
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    draw, pipe, count = drawer(way) if out else None, None, 0
    for picture in pictures(way, clip):
        corners, ids, _ = detector.detectMarkers(picture)
        count += 0 if ids is None else len(ids)
        if out:
            picture = draw(picture, corners, ids)
            if pipe is None:
                height, width = picture.shape[:2]
                pipe = subprocess.Popen(
                    ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}", "-r",
                     "30", "-i", "-", "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p", out],
                    stdin=subprocess.PIPE)
            pipe.stdin.write(picture.tobytes())
    if pipe:
        pipe.stdin.close()
        pipe.wait()
    print(count)


if __name__ == "__main__":
    main()
