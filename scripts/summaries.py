#!/usr/bin/env python3
"""Whether the summaries of track files are what their frames' lines add up to, computed anew.

    scripts/summaries.py FILE-OR-FOLDER…

Prints each difference, and ends with 1 where there is one.
"""
import json
import sys
from pathlib import Path

OUT_OF_SIGHT = ("lost", "ended")


def in_sight(observation):
    return observation.get("state") not in OUT_OF_SIGHT


def measured(observation):
    return in_sight(observation) and observation.get("state") != "predicted" and not observation.get("held")


def track_sums(frames, number):
    """What the frames say of one track."""
    lines = [(f, o) for f in frames for o in f["observations"] if o.get("track") == number]
    seen = [f["frame"] for f, o in lines if in_sight(o)]
    times = {f["frame"]: f["time"] for f in frames}
    spans = []
    for frame in seen:
        if spans and spans[-1][1] == frame - 1:
            spans[-1][1] = frame
        else:
            spans.append([frame, frame])
    first = lines[0][0]["frame"]
    ended = sum(o.get("state") == "ended" for _, o in lines)
    confidences = [o["confidence"] for _, o in lines if measured(o) and "confidence" in o]
    sums = {
        "track": number, "stage": lines[0][1]["stage"], "kind": lines[0][1]["kind"],
        "first": first, "last": seen[-1] if seen else first, "observations": len(seen),
        "seen": sum(measured(o) for _, o in lines),
        "lost": lines[-1][0]["frame"] - first + 1 - len(seen) - ended,
        "predicted": sum(o.get("state") == "predicted" for _, o in lines), "spans": spans,
        "longestGap": max((times[b[0]] - times[a[1] + 1] for a, b in zip(spans, spans[1:])), default=0),
    }
    label = next((o["label"] for _, o in lines if "label" in o), None)
    if label is not None:
        sums["label"] = label
    if confidences:
        sums["minConfidence"] = min(confidences)
        sums["meanConfidence"] = sum(confidences) / len(confidences)
    return sums


def stage_sums(frames, stage):
    seen = [[o for o in f["observations"] if o["stage"] == stage and in_sight(o)] for f in frames]
    tracks = {o["track"] for f in frames for o in f["observations"] if o["stage"] == stage and "track" in o}
    return {
        "stage": stage, "observations": sum(map(len, seen)), "tracks": len(tracks),
        "framesWithNothing": sum(not s for s in seen),
    }


def is_same(said, found):
    # Lines are rounded, and the mean is not that of the rounded.
    if isinstance(said, float) or isinstance(found, float):
        return abs(said - found) < 1.1e-3
    return said == found


def differences(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    header, frames, summary = lines[0], lines[1:-1], lines[-1]["summary"]
    if "stages" not in summary:
        yield "its summary is of before there were stages in it"
        return
    pairs = [(said, stage_sums(frames, said["stage"])) for said in summary["stages"]]
    pairs += [(said, track_sums(frames, said["track"])) for said in summary["tracks"]]
    if [said["stage"] for said in summary["stages"]] != [stage["id"] for stage in header["stages"]]:
        yield "the stages are not the header's"
    if summary["frames"] != len(frames):
        yield f"{summary['frames']} frames, and {len(frames)} lines"
    numbers = {o["track"] for f in frames for o in f["observations"] if "track" in o}
    if numbers != {said["track"] for said in summary["tracks"]}:
        yield "the tracks are not the ones in the frames"
    for said, found in pairs:
        for key in sorted(said.keys() | found.keys()):
            if key not in said or key not in found or not is_same(said[key], found[key]):
                yield f"{said}: {key} is {found.get(key)} in the frames"


def main(places):
    paths = [p for place in map(Path, places) for p in (sorted(place.glob("*.tracks.jsonl")) if place.is_dir() else [place])]
    if not paths:
        sys.exit("no track files")
    wrong = 0
    for path in paths:
        for difference in differences(path):
            print(f"{path}: {difference}")
            wrong += 1
    print(f"{len(paths)} track files, {wrong} differences")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
