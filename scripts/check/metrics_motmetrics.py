#!/usr/bin/env python3
"""MOTA and IDF1 by motmetrics of sequences in a JSON file, which check-metrics.py writes; prints them as JSON."""
import json
import sys

import motmetrics
import numpy

scores = []
host = motmetrics.metrics.create()
for frames in json.load(open(sys.argv[1])):
    accumulator = motmetrics.MOTAccumulator(auto_id=True)
    for frame in frames:
        distance = numpy.array(frame["distance"], dtype=float).reshape(len(frame["truth"]), len(frame["found"]))
        distance[distance > 0.5] = numpy.nan
        accumulator.update(frame["truth"], frame["found"], distance)
    summary = host.compute(accumulator, metrics=["mota", "idf1"])
    scores.append([float(summary["mota"].iloc[0]), float(summary["idf1"].iloc[0])])
print(json.dumps(scores))
