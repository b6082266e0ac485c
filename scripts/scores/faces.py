#!/usr/bin/env python3
"""Faces: without a model and with YuNet, against OpenCV's FaceDetectorYN and frontal cascade.

Photos and clips of others, with OpenCV's FaceDetectorYN as the reference; pictures without faces; faces of those photos
pasted into them at known places; and clips that pan and zoom over photos, where every face's way is known.
"""
import math
import pathlib
import subprocess
import sys
import tarfile

from common import DATA, ROOT, enter, report, scratch, table, track

enter("faces", ["numpy==1.26.4", "opencv-python-headless==4.11.0.86", "scikit-image==0.24.0"])

import cv2  # noqa: E402
import numpy  # noqa: E402
import skimage  # noqa: E402

OVERLAP = 0.5
CASES = int(sys.argv[1]) if len(sys.argv) > 1 else 60
SIZE = (1280, 720)
YUNET = DATA / "models/yunet_n_640_640.onnx"
PHOTOS = ["cvface_227943776_1", "group_24", "messi5", "winrt_group1"]
# Others with faces: what FaceDetectorYN finds in them is the reference as well.
MORE = ["detect/000000001000.jpg", "detect/000000002299.jpg", "detect/000000000872.jpg", "detect/000000007816.jpg",
        "aruco/tag_01_d7_14cm.png", "style/DefaultImage.jpg"]
EMPTY = ["faces/person.jpg", "classify/cat.jpg", "classify/fish.png", "classify/goldfish.jpg", "classify/hummingbird.jpg",
         "rectangles/pic1.png", "rectangles/pic2.png", "rectangles/pic5.png", "aruco/choriginal.jpg",
         "aruco/gboriginal.jpg", "aruco/singlemarkersoriginal.jpg"]
# Sample photos of Python packages: scikit-image's lie in its wheel, the others in a source distribution.
SAMPLES = pathlib.Path(skimage.__file__).parent / "data"
SAMPLES_WITH = ["astronaut.png", "camera.png"]
SAMPLES_WITHOUT = ["brick.png", "chelsea.png", "coffee.png", "coins.png", "grass.png", "gravel.png", "hubble_deep_field.jpg",
                   "ihc.png", "moon.png", "motorcycle_left.png", "page.png", "retina.jpg", "rocket.jpg", "text.png"]
PORTRAITS = "face_recognition==1.3.0 --hash=sha256:5e5efdd1686aa566af0d3cc1313b131e4b197657a8ffd03669e6d3fad92705ec"
EMPTY_CLIPS = ["video/car-detection.mp4", "tracking/motorrolling/motorrolling.mp4", "tracking/crossing/crossing.mp4"]
OURS = {"ours": {"type": "faces"}, "ours, YuNet": {"type": "faces", "model": str(YUNET)}}


def iou(a, b):
    across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    down = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    both = max(across, 0) * max(down, 0)
    return both / (a[2] * a[3] + b[2] * b[3] - both)


def boxes(record):
    return [o["box"] for o in record["observations"] if "box" in o]


def yunet(picture, longest=640):
    """Boxes (x, y, width, height) and five points of each face, by OpenCV."""
    scale = min(1, longest / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    detector = cv2.FaceDetectorYN.create(str(YUNET), "", small.shape[1::-1], 0.6, 0.3, 5000)
    _, faces = detector.detect(small)
    return [] if faces is None else [face[:14] / scale for face in faces]


def cascade(picture):
    finder = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_frontalface_default.xml")
    return list(finder.detectMultiScale(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), 1.1, 3))


def portraits(folder):
    """Photos of the tests of the package face_recognition: {name: path}."""
    folder = pathlib.Path(folder)
    (folder / "pinned.txt").write_text(PORTRAITS)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--no-binary", ":all:", "--require-hashes", "--dest", folder, "-r", folder / "pinned.txt"], check=True)
    with tarfile.open(next(folder.glob("face_recognition*.tar.gz"))) as archive:
        inside = [one for one in archive.getmembers() if "/test_images/" in one.name and one.isfile()]
        archive.extractall(folder, inside, filter="data")
    return {f"face_recognition {pathlib.Path(one.name).stem}": folder / one.name for one in inside}


def reference(name):
    """Rows of FaceDetectorYN's reference: box, five points, score (a clip's with the frame before)."""
    with open(DATA / f"faces/{name}.yunet.csv", encoding="utf-8") as lines:
        return numpy.array([list(map(float, line.split(","))) for line in lines if line[0].isdigit() or line[0] == "-"])


def run(inputs, folder, stage, jobs="auto"):
    return track({"stages": [{"id": "f", **stage}]}, inputs, folder, jobs=jobs)


def found(truth, boxes):
    """How many of the true boxes were found, and how many of the found ones are none."""
    hits = sum(any(iou(one, box) >= OVERLAP for box in boxes) for one in truth)
    return hits, sum(all(iou(one, box) < 0.3 for one in truth) for box in boxes)


def everyone(inputs, folder):
    """Boxes by who found them and input: {who: {id: [box]}}."""
    result = {who: {name: [b for f in frames[:1] for b in boxes(f)] for name, frames in run(inputs, folder, stage)[0].items()}
              for who, stage in OURS.items()}
    pictures = {name: cv2.imread(str(path)) for name, path in inputs.items()}
    result["FaceDetectorYN, 640"] = {name: [f[:4] for f in yunet(picture)] for name, picture in pictures.items()}
    result["cascade"] = {name: cascade(picture) for name, picture in pictures.items()}
    return result


def photos(folder):
    inputs = {name: DATA / f"faces/{name}.jpg" for name in PHOTOS}
    inputs |= {path.replace("/", "-").split(".")[0]: DATA / path for path in MORE if (DATA / path).exists()}
    inputs |= {f"scikit-image {path.split('.')[0]}": SAMPLES / path for path in SAMPLES_WITH} | portraits(folder)
    # Ids of jobs are plain.
    ids = {f"p{index}": path for index, path in enumerate(inputs.values())}
    seen = everyone(ids, folder)
    truth = {one: [face[:4] for face in yunet(cv2.imread(str(path)))] for one, path in ids.items()}
    del seen["FaceDetectorYN, 640"]
    rows = []
    for one, name in zip(ids, inputs):
        cells = []
        for who in seen:
            hits, false = found(truth[one], seen[who][one])
            cells.append(f"{hits}" + (f" (+{false})" if false else ""))
        rows.append([name, len(truth[one]), *cells])
    overlaps = [max((iou(one, box) for box in seen["ours"][name]), default=0) for name in ids for one in truth[name]]
    total = [sum(found(truth[name], seen[who][name])[0] for name in ids) for who in seen]
    rows.append(["all", sum(map(len, truth.values())), *total])
    return table(["photo", "FaceDetectorYN", *seen], rows), numpy.median([o for o in overlaps if o >= OVERLAP])


def empty(folder):
    inputs = [DATA / path for path in EMPTY if (DATA / path).exists()] + [SAMPLES / path for path in SAMPLES_WITHOUT]
    inputs = {f"e{n}": path for n, path in enumerate(inputs)}
    seen = everyone(inputs, folder)
    clips = {f"c{n}": DATA / path for n, path in enumerate(EMPTY_CLIPS) if (DATA / path).exists()}
    rows = []
    for who in seen:
        still = sum(len(b) for b in seen[who].values())
        if who in OURS:
            runs, _ = run(clips, folder, OURS[who])
            moving = sum(len(boxes(record)) for frames in runs.values() for record in frames)
            count = sum(len(frames) for frames in runs.values())
            rows.append([who, f"{still} in {len(inputs)}", f"{moving} in {count}"])
        else:
            rows.append([who, f"{still} in {len(inputs)}", "–"])
    return table(["", "false faces in photos", "in frames of clips"], rows)


def cuttings():
    """Faces of the photos with room around them: picture, box and eyes within it."""
    result = []
    for name in PHOTOS:
        picture = cv2.imread(str(DATA / f"faces/{name}.jpg"))
        for row in reference(name):
            x, y, w, h = row[:4]
            left, top, right, bottom = int(x - 0.45 * w), int(y - 0.35 * h), int(x + 1.45 * w), int(y + 1.25 * h)
            if left < 0 or top < 0 or right > picture.shape[1] or bottom > picture.shape[0] or row[14] < 0.9 or h < 50:
                continue
            result.append((picture[top:bottom, left:right], row[:4] - (left, top, 0, 0), row[4:8] - (left, top, left, top)))
    return result


def backgrounds():
    pictures = []
    for path in ["rectangles/pic2.png", "classify/hummingbird.jpg", "classify/goldfish.jpg", "aruco/choriginal.jpg",
                 "aruco/gboriginal.jpg", "video/bottle-detection.mp4", "video/car-detection.mp4"]:
        if path.endswith("mp4"):
            _, picture = cv2.VideoCapture(str(DATA / path)).read()
        else:
            picture = cv2.imread(str(DATA / path))
        if picture is not None:
            pictures.append(cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA))
    return pictures


def paste(canvas, cutting, height, center, degrees):
    """Pastes a face with a soft rim. Returns its box, upright around the turned one's ellipse, and its roll."""
    picture, (x, y, w, h), eyes = cutting
    scale = height / h
    middle = (x + w / 2, y + h / 2)
    turn = cv2.getRotationMatrix2D(middle, -degrees, scale)
    turn[:, 2] += numpy.array(center) - middle
    mask = numpy.zeros(picture.shape[:2], numpy.float32)
    half = (picture.shape[1] / 2, picture.shape[0] / 2)
    cv2.ellipse(mask, (int(half[0]), int(half[1])), (int(half[0] * 0.86), int(half[1] * 0.88)), 0, 0, 360, 1, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), max(half) * 0.05)
    if scale < 0.7:
        picture, mask = (cv2.GaussianBlur(p, (0, 0), 0.42 / scale) for p in (picture, mask))
    face = cv2.warpAffine(picture, turn, SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    weight = cv2.warpAffine(mask, turn, SIZE, flags=cv2.INTER_LINEAR)[..., None]
    canvas[:] = numpy.clip(canvas * (1 - weight) + face * weight, 0, 255).astype(numpy.uint8)
    angle = math.radians(degrees)
    a, b = w * scale / 2, h * scale / 2
    width = math.hypot(a * math.cos(angle), b * math.sin(angle))
    tall = math.hypot(a * math.sin(angle), b * math.cos(angle))
    own = math.degrees(math.atan2(eyes[3] - eyes[1], eyes[2] - eyes[0]))
    return [center[0] - width, center[1] - tall, 2 * width, 2 * tall], own + degrees


def rendered(folder):
    cuts, grounds = cuttings(), backgrounds()
    kinds = {
        "14…28 px high": dict(height=(14, 28)), "28…60 px high": dict(height=(28, 60)), "60…360 px": dict(height=(60, 360)),
        "turned by up to 30°": dict(height=(40, 200), turn=30), "dark or bright": dict(height=(40, 200), light=True),
        "blurred, noisy": dict(height=(40, 200), blur=True),
    }
    rows, rolls = [], {who: [] for who in OURS}
    for index, (kind, how) in enumerate(kinds.items()):
        random = numpy.random.default_rng(6999 + index)
        inputs, truth = {}, {}
        for case in range(CASES):
            canvas = grounds[random.integers(len(grounds))].copy()
            name = f"k{index}-{case}"
            truth[name] = []
            for _ in range(random.integers(1, 4)):
                height = math.exp(random.uniform(*map(math.log, how["height"])))
                for _ in range(50):
                    center = (random.uniform(height * 0.6, SIZE[0] - height * 0.6),
                              random.uniform(height * 0.6, SIZE[1] - height * 0.6))
                    if all(math.dist(center, (b[0] + b[2] / 2, b[1] + b[3] / 2)) > height + b[3] for b, _ in truth[name]):
                        degrees = random.uniform(-1, 1) * how.get("turn", 0)
                        truth[name].append(paste(canvas, cuts[random.integers(len(cuts))], height, center, degrees))
                        break
            if "light" in how:
                gain = random.choice([random.uniform(0.15, 0.35), random.uniform(1.8, 2.6)])
                canvas = numpy.clip(canvas * gain, 0, 255).astype(numpy.uint8)
            if "blur" in how:
                canvas = cv2.GaussianBlur(canvas, (0, 0), random.uniform(0.8, 2.5))
                noise = random.normal(0, random.uniform(2, 12), canvas.shape)
                canvas = numpy.clip(canvas + noise, 0, 255).astype(numpy.uint8)
            inputs[name] = f"{folder}/{name}.png"
            cv2.imwrite(inputs[name], canvas)
        seen = {}
        for who, stage in OURS.items():
            runs, _ = run(inputs, folder, stage)
            seen[who] = {name: [b for f in frames for b in boxes(f)] for name, frames in runs.items()}
            for name, frames in runs.items():
                for box, roll in truth[name]:
                    for o in frames[0]["observations"] if frames and "turn" in how else []:
                        if "angles" in o and iou(o["box"], box) >= OVERLAP:
                            rolls[who].append(abs(o["angles"]["roll"] - roll))
        pictures = {name: cv2.imread(path) for name, path in inputs.items()}
        seen["FaceDetectorYN, 640"] = {name: [f[:4] for f in yunet(p)] for name, p in pictures.items()}
        seen["cascade"] = {name: cascade(p) for name, p in pictures.items()}
        cells = []
        for who in seen:
            each = [found([b for b, _ in truth[name]], seen[who][name]) for name in inputs]
            cells.append(f"{sum(h for h, _ in each)} (+{sum(f for _, f in each)})")
        rows.append([kind, sum(map(len, truth.values())), *cells])
    text = table(["faces pasted", "", *seen], rows)
    return text, {who: numpy.median(r) if r else math.nan for who, r in rolls.items()}


def clip(path, name, seed, count=60):
    """A clip of 30 pictures a second that pans and zooms over a photo. Returns each frame's true boxes by face."""
    random = numpy.random.default_rng(seed)
    picture = cv2.imread(str(DATA / f"faces/{name}.jpg"))
    faces = [row[:4] for row in reference(name) if row[14] > 0.8]
    # From one face to another, and from near to far or back.
    ends = [faces[n] for n in random.integers(len(faces), size=2)]
    places = [(x + w * random.uniform(-0.5, 1.5), y + h * random.uniform(0, 1)) for x, y, w, h in ends]
    shown = [h * random.uniform(4, 14) for _, _, _, h in ends]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 30, SIZE)
    truth = []
    for frame in range(count):
        t = 0.5 - 0.5 * math.cos(math.pi * frame / (count - 1))
        center = [a + (b - a) * t for a, b in zip(*places)]
        scale = SIZE[0] / (shown[0] + (shown[1] - shown[0]) * t)
        move = numpy.array([[scale, 0, SIZE[0] / 2 - scale * center[0]], [0, scale, SIZE[1] / 2 - scale * center[1]]])
        writer.write(cv2.warpAffine(picture, move, SIZE, flags=cv2.INTER_LINEAR, borderValue=(90, 90, 90)))
        here = {}
        for index, row in enumerate(faces):
            x, y, w, h = row * scale + (move[0, 2], move[1, 2], 0, 0)
            if x >= 0 and y >= 0 and x + w <= SIZE[0] and y + h <= SIZE[1]:
                here[index] = [x, y, w, h]
        truth.append(here)
    writer.release()
    return truth


def clips(folder):
    inputs, truth = {}, {}
    for index, name in enumerate(["cvface_227943776_1", "group_24", "messi5", "winrt_group1"]):
        inputs[f"v{index}"] = f"{folder}/v{index}.avi"
        truth[f"v{index}"] = clip(inputs[f"v{index}"], name, 900 + index)
    clip(f"{folder}/first.avi", PHOTOS[0], 900, count=2)
    video = DATA / "faces/asl_book.mkv"
    inputs["asl"] = video
    rows_of = reference("asl_book")
    truth["asl"] = [{0: list(row[1:5])} for row in rows_of]
    rows = []
    for who, stage in OURS.items():
        runs, _ = run(inputs, folder, stage)
        hits = count = 0
        tracks, people = 0, 0
        for name, frames in runs.items():
            ids = {}
            for record, faces in zip(frames, truth[name]):
                seen = [o for o in record["observations"] if "box" in o]
                for person, box in faces.items():
                    count += 1
                    best = max(seen, key=lambda o: iou(o["box"], box), default=None)
                    if best and iou(best["box"], box) >= OVERLAP:
                        hits += 1
                        ids.setdefault(person, set()).add(best["track"])
            people += len(ids)
            tracks += sum(map(len, ids.values()))
        # Loading the networks costs the same whatever the clip's length.
        start = run({"first": f"{folder}/first.avi"}, folder, stage)[1] - run(
            {"first": f"{folder}/first.avi"}, folder, {"type": "horizon", "rate": 0.01})[1]

        def cost(clips, frames):
            busy = run(clips, folder, stage, 1)[1] - run(clips, folder, {"type": "horizon", "rate": 0.01}, 1)[1]
            return f"{1000 * (busy - start) / frames:.1f}"

        bare = DATA / "video/car-detection.mp4"
        slow = "model" in stage
        rows.append([who, f"{hits / count:.3f} of {count}", f"{tracks} of {people}", cost({"v0": inputs["v0"]}, 60),
                     "–" if slow else cost({"bare": bare}, 377), "–" if slow else cost({"v1": inputs["v1"]}, 60), f"{start:.1f}"])
    return table(["", "boxes found", "tracks of people", "ms a frame, one face", "no face (12.5 a second)", "up to 23 faces", "start, s"], rows)


if not (DATA / "faces").exists():
    report("faces", "Faces", "Not measured: `../shared/data` with photos of faces is absent.")
    sys.exit()
with scratch() as folder:
    photo_table, overlap = photos(folder)
    empty_table = empty(folder)
    rendered_table, rolls = rendered(folder)
    clip_table = clips(folder)
report("faces", "Faces", f"""
`faces` without a model (“ours”) and with YuNet's (“ours, YuNet”), both at `inputSize` 640; OpenCV's `FaceDetectorYN` with
the same YuNet at a longest side of 640, and OpenCV's frontal-face cascade. Found means an overlap (IoU) of {OVERLAP} and
more; +n are boxes where no face is. MediaPipe's package brings no networks, so it has no column.

Photos; the reference is what FaceDetectorYN finds at 640 (median overlap of ours: {overlap:.2f}). It takes
a fist (in winrt_group1) and a dog (style-DefaultImage) for faces:

{photo_table}

Nothing to find (photos of the data and of scikit-image, three clips):

{empty_table}

{CASES} pictures a kind of 1280×720, with one to three faces of the photos pasted on pictures without any:

{rendered_table}

Of those that are turned, roll is off by {rolls["ours"]:.1f}° (median) without a model, {rolls["ours, YuNet"]:.1f}° with YuNet.

Four clips that pan and zoom over the photos, and one of a person who signs; times are CPU time of the stage alone, without
its start:

{clip_table}

Still bad: profiles and faces under some 20 pixels have no mesh, so no landmarks; of profiles half are found, of faces under
some 12 pixels in blurred pictures half; the spots of a starry sky, balls and small things in photos of people pass for faces
now and then, and faces in the dark or upside down are given up where the mesh fits them barely. A face
that comes into a running video is found up to 0.3 s later, one under some 20 pixels (at a longest side of 640) up to 1.8 s.
The search goes by time: at few pictures a second each costs more. Each face costs some 1.5 ms a frame, so crowds are dearer
than with YuNet. Yaw and pitch have no truth here.
""")
