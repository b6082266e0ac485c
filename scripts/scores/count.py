#!/usr/bin/env python3
"""Scores `count`: things on ways that are known, at even and uneven rates, against supervision's LineZone and PolygonZone."""
import pathlib
import subprocess
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from common import enter, report, scratch, table, track  # noqa: E402

enter("scores-count", ["numpy==2.4.6", "supervision==0.31.2"])

import numpy as np  # noqa: E402
import supervision as sv  # noqa: E402

warnings.simplefilter("ignore")
THINGS = int(sys.argv[1]) if len(sys.argv) > 1 else 100
SIZE, BOX, SECONDS = (640, 480), (40, 100), 12
GATE = [(0, 300), (640, 300)]
ZONE = [(200, 200), (440, 200), (440, 400), (200, 400)]
RATES = ("30", "10", "10 and 15, gaps of 0.3 s")


def times(rate):
    """Milliseconds of the frames."""
    if rate in ("30", "10"):
        return [round(1000 * index / int(rate)) for index in range(SECONDS * int(rate))]
    found, now = [], 0
    while now < SECONDS * 1000:
        found.append(now)
        now += 300 if len(found) % 40 == 0 else 100 if len(found) // 7 % 2 == 0 else 67
    return found


class Scene:
    """What things do.

    ways: for each thing its anchors, [x, y] in a frame, NaN where it isn't seen; ids: for each its number in each frame.
    truth: (thing, line or zone, word, frame or None where trembling moves it) of all that happens.
    """

    def __init__(self, lines=(), zones=()):
        self.lines, self.zones, self.ways, self.ids, self.truth = list(lines), list(zones), [], [], []
        self.isGrowing = False

    def add(self, way, truth, ids=None):
        self.truth += [(len(self.ways), *event) for event in truth]
        self.ids.append(np.full(len(way), len(self.ways) + 1) if ids is None else ids)
        self.ways.append(np.round(way, 2))

    def box(self, anchor):
        if self.isGrowing:  # what of it is in the picture
            return 0.0, anchor[1] - BOX[1], 2 * anchor[0], float(BOX[1])
        return anchor[0] - BOX[0] / 2, anchor[1] - BOX[1], float(BOX[0]), float(BOX[1])


def after(seconds, moment):
    return int(np.argmax(seconds > moment))


def leaning(frames, random):
    """Trembling by 1–3 px that leans to one side for some frames, as real detectors' does: first-order autoregressive."""
    share, found = random.uniform(.8, .9), [random.normal(0, 1, 2)]
    for _ in range(frames - 1):
        found.append(share * found[-1] + np.sqrt(1 - share ** 2) * random.normal(0, 1, 2))
    return random.uniform(1, 3) * np.array(found)


def straight(seconds, at, moment, velocity):
    return np.array(at) + np.outer(seconds - moment, velocity)


def scenes(seconds, random):
    """Name: scene."""
    made = {}

    def scene(name, **gates):
        made[name] = Scene(**gates)
        return made[name]

    def moment(low=2.0, high=10.0):
        return random.uniform(low, high)

    plain = scene("straight on", lines=[GATE])
    still = scene("trembling by 1–3 px on its way", lines=[GATE])
    on = scene("standing on the line, trembling", lines=[GATE])
    back = scene("back after 0.05–0.15 s", lines=[GATE])
    there = scene("back after 1 s", lines=[GATE])
    two = scene("two lines in one step", lines=[GATE, [(640, 306), (0, 306)]])
    joints = [(0, 300), (160, 290), (320, 300), (480, 310), (640, 300)]
    joined = scene("joined lines, through a joint", lines=list(zip(joints, joints[1:])))
    edge = scene("a line 10 px from the edge", lines=[[(10, 0), (10, 480)]])
    edge.isGrowing = True
    swap = scene("ids that change near the line", lines=[GATE])
    past = scene("past the line's end", lines=[[(100, 300), (300, 300)]])
    for _ in range(THINGS):
        sign, speed, now = random.choice([-1, 1]), random.uniform(20, 120), moment()
        x, word = random.uniform(60, 580), {1: "forward", -1: "backward"}
        frame = after(seconds, now)
        plain.add(straight(seconds, (x, 300), now, (0, sign * speed)), [(0, word[sign], frame)])
        noise = random.normal(0, random.uniform(1, 3), (len(seconds), 2))
        still.add(straight(seconds, (x, 300), now, (0, sign * speed)) + noise, [(0, word[sign], None)])
        on.add(np.array((x, 300.0)) + noise, [])
        beyond = random.uniform(.05, .15)
        turn = np.abs(seconds - now - beyond / 2) - beyond / 2
        back.add(np.stack([np.full(len(seconds), x), 300 - sign * 80 * turn], 1), [])
        turn = np.abs(seconds - now - .5) - .5
        there.add(np.stack([np.full(len(seconds), x), 300 - sign * 80 * turn], 1),
                  [(0, word[sign], frame), (0, word[-sign], after(seconds, now + 1))])
        fast = sign * random.uniform(400, 900)
        two.add(straight(seconds, (x, 300), now, (0, fast)),
                [(0, word[sign], frame), (1, word[-sign], after(seconds, now + 6 / fast))])
        place = joints[random.integers(1, 4)]
        joined.add(straight(seconds, place, now, (0, sign * speed)), [(None, word[sign], frame)])
        way = straight(seconds, (10, 350), now, (sign * random.uniform(20, 45), 0))
        way[(way[:, 0] < 1)] = np.nan
        edge.add(way, [(0, word[-sign], frame)] if (way[~np.isnan(way[:, 0]), 0] < 10).any() else [])
        change = frame + int(random.choice([-4, -3, -2, -1, 1, 2, 3, 4]))
        number = 2 * len(swap.ways) + 1
        swap.add(straight(seconds, (x, 300), now, (0, sign * speed)), [(0, word[sign], frame)],
                 ids=np.where(np.arange(len(seconds)) < change, number, number + 1))
        beside = random.choice([random.uniform(30, 95), random.uniform(305, 380)])
        past.add(straight(seconds, (beside, 300), now, (0, sign * speed)), [])

    # By chance of their own, so that the others stay as they are.
    apart = np.random.default_rng([90210, len(seconds)])
    lean = scene("leaning to a side for some frames on its way", lines=[GATE])
    stand = scene("standing on the line, leaning", lines=[GATE])
    for _ in range(THINGS):
        sign, x = apart.choice([-1, 1]), apart.uniform(60, 580)
        way = straight(seconds, (x, 300), apart.uniform(2, 10), (0, sign * apart.uniform(20, 120)))
        lean.add(way + leaning(len(seconds), apart), [(0, {1: "forward", -1: "backward"}[sign], None)])
        stand.add(np.array((x, 300.0)) + leaning(len(seconds), apart), [])

    visit = scene("through a zone", zones=[ZONE])
    edgy = scene("trembling on a zone's edge", zones=[ZONE])
    band = scene("over a band of 4 px in one step", zones=[[(0, 300), (640, 300), (640, 304), (0, 304)]])
    for _ in range(THINGS):
        sign, speed, now = random.choice([-1, 1]), random.uniform(60, 160), moment(2, 6)
        frame = after(seconds, now)
        visit.add(straight(seconds, (320 - sign * 120, random.uniform(210, 390)), now, (sign * speed, 0)),
                  [(0, "entered", frame), (0, "left", after(seconds, now + 240 / speed))])
        edgy.add(np.array((320, 200.0)) + random.normal(0, random.uniform(1, 3), (len(seconds), 2)), [])
        fast = sign * random.uniform(500, 900)
        band.add(straight(seconds, (320, 300 if sign > 0 else 304), now, (0, fast)),
                 [(0, "entered", frame), (0, "left", after(seconds, now + 4 / abs(fast)))])
    return made


def clip(folder, name, stamps):
    """A black video with these times, milliseconds."""
    path, lines = folder / f"{name}.mkv", ["ffconcat version 1.0"]
    picture = folder / "black.png"
    if not picture.exists():
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"color=black:s={SIZE[0]}x{SIZE[1]}", "-frames:v",
                        "1", picture], check=True)
    for now, later in zip(stamps, [*stamps[1:], stamps[-1] + 100]):
        # A picture's clock has 25 ticks a second if nothing is said.
        lines += [f"file {picture.name}", "option framerate 1000", f"duration {(later - now) / 1000:.3f}"]
    listing = folder / f"{name}.ffconcat"
    listing.write_text("\n".join(lines) + "\n")
    subprocess.run(["ffmpeg", "-v", "error", "-f", "concat", "-safe", "0", "-i", listing, "-fps_mode", "passthrough", "-frames:v",
                    str(len(stamps)), "-enc_time_base", "1:1000", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "0",
                    path], check=True)
    return path


def ours(rate, made, folder):
    """By scene: the events, as truth has them."""
    stamps = times(rate)
    media = clip(folder, f"rate{RATES.index(rate)}", stamps)
    inputs, more = {}, {}
    for number, (name, scene) in enumerate(made.items()):
        key = f"s{number}-{RATES.index(rate)}"
        rows = [f"{frame + 1},{scene.ids[thing][frame]},{box[0] + 1:.2f},{box[1] + 1:.2f},{box[2]:.2f},{box[3]:.2f},1"
                for thing, way in enumerate(scene.ways) for frame, anchor in enumerate(way) if not np.isnan(anchor[0])
                for box in [scene.box(anchor)]]
        link = folder / f"{key}.mkv"
        link.hardlink_to(media)
        (folder / f"{key}.txt").write_text("\n".join(rows) + "\n")
        inputs[key] = link
        more[key] = {
            "lines": [{"id": str(index), "from": list(map(float, line[0])), "to": list(map(float, line[1]))}
                      for index, line in enumerate(scene.lines)],
            "zones": [{"id": str(index), "polygon": [list(map(float, point)) for point in zone]}
                      for index, zone in enumerate(scene.zones)]}
    graph = {"stages": [{"id": "seen", "type": "import", "format": "mot", "file": str(folder / "{name}.txt")},
                        {"id": "flow", "type": "count", "inputs": ["seen"]}]}
    found, _ = track(graph, inputs, folder, more=more)
    events = {}
    for key, (name, scene) in zip(inputs, made.items()):
        if [round(1000 * record["time"]) for record in found[key]] != stamps:
            sys.exit(f"scores: the clip of “{name}” has other times than it should")
        thing_of = {int(number): thing for thing, ids in enumerate(scene.ids) for number in ids}
        events[name] = [
            (thing_of[one["of"]], int(one.get("line", one.get("zone"))),
             one["direction"] if one["event"] == "crossed" else one["event"], record["frame"])
            for record in found[key] for one in record["observations"]
            if one["kind"] == "event" and not one.get("lost")]
    return events


def theirs(scene, anchors, threshold=1):
    """The same by supervision."""
    lines = [sv.LineZone(sv.Point(*line[0]), sv.Point(*line[1]), **({"triggering_anchors": anchors} if anchors else {}),
                         minimum_crossing_threshold=threshold) for line in scene.lines]
    zones = [sv.PolygonZone(np.array(zone)) for zone in scene.zones]
    thing_of = {int(number): thing for thing, ids in enumerate(scene.ids) for number in ids}
    inside, events = [{} for _ in zones], []
    for frame in range(len(scene.ways[0])):
        seen = [thing for thing, way in enumerate(scene.ways) if not np.isnan(way[frame][0])]
        boxes = np.array([scene.box(scene.ways[thing][frame]) for thing in seen]).reshape(-1, 4)
        numbers = np.array([scene.ids[thing][frame] for thing in seen], int)
        detections = sv.Detections(np.hstack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]]), tracker_id=numbers)
        for index, line in enumerate(lines):
            came, went = line.trigger(detections)
            for word, marks in (("backward", came), ("forward", went)):
                events += [(thing_of[number], index, word, frame) for number in numbers[marks]]
        for index, zone in enumerate(zones):
            for number, now in zip(numbers, zone.trigger(detections)):
                before = inside[index].get(number)
                if before is not None and before != now:
                    events.append((thing_of[number], index, "entered" if now else "left", frame))
                inside[index][number] = now
    return events


def judge(scene, events):
    """Things all of whose events are right; events missed; events invented."""
    right = missed = invented = 0
    for thing in range(len(scene.ways)):
        wanted = [event[1:] for event in scene.truth if event[0] == thing]
        left = [event[1:] for event in events if event[0] == thing]
        lacking = 0
        for gate, word, frame in wanted:
            fit = next((one for one in left if one[1] == word and gate in (None, one[0]) and frame in (None, one[2])), None)
            if fit is None:
                lacking += 1
            else:
                left.remove(fit)
        right += not lacking and not left
        missed += lacking
        invented += len(left)
    return right, missed, invented


def main():
    rows, totals = [], {}
    with scratch() as folder:
        for rate in RATES:
            stamps = times(rate)
            made = scenes(np.array(stamps) / 1000, np.random.default_rng([31337, RATES.index(rate)]))
            own = ours(rate, made, pathlib.Path(folder))
            hold = {"30": 6, "10": 2}.get(rate, 2)
            for name, scene in made.items():
                bottom = [sv.Position.BOTTOM_CENTER]
                results = [own[name], theirs(scene, None), theirs(scene, bottom), theirs(scene, bottom, hold)]
                if not scene.lines:
                    results = [own[name], None, theirs(scene, bottom), None]
                cells = []
                for number, events in enumerate(results):
                    if events is None:
                        cells.append("–")
                        continue
                    right, missed, invented = judge(scene, events)
                    sums = totals.setdefault(number, [0, 0, 0, 0])
                    for place, value in enumerate((right, missed, invented, len(scene.ways))):
                        sums[place] += value
                    cells.append(f"{'**' * (number == 0)}{right}{'**' * (number == 0)} · {missed} · {invented}")
                rows.append([name, rate, *cells])
    rows.append(["all", "", *(f"{right} of {all_} · {missed} · {invented}"
                              for right, missed, invented, all_ in (totals[number] for number in range(4)))])
    report("count", "Counting", f"""
{THINGS} things a row on ways that are known, with boxes of {BOX[0]} × {BOX[1]} pixels in pictures of {SIZE[0]} × {SIZE[1]}, as a
file that is imported: those all of whose events are right in number, direction and frame (where they tremble: in number and
direction) · events missed · events invented. Beside it supervision {sv.__version__}: `LineZone` as it is, with the middle of the
lower edge as its anchor, the same with a threshold of as many frames as `hold` has; and `PolygonZone`.

{table(["what things do", "frames a second", "count", "LineZone", "LineZone, bottom centre", "LineZone, bottom centre, threshold"], rows)}
""")


main()
