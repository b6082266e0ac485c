#!/usr/bin/env python3
"""Prints MOTA and IDF1 of a MOT file against another one by motmetrics, and the first file's rows, as JSON.

usage: exchange_motmetrics.py RESULT TRUTH      where motmetrics is installed, which needs NumPy 1
"""
import json
import sys

import motmetrics

result, truth = (motmetrics.io.loadtxt(path, fmt="mot15-2D") for path in sys.argv[1:3])
sums = motmetrics.utils.compare_to_groundtruth(truth, result, "iou", distth=0.5)
metrics = motmetrics.metrics.create().compute(sums, metrics=["mota", "idf1"], name="clip")
rows = [[int(frame), int(track), [float(entry[name]) for name in ("X", "Y", "Width", "Height")]]
        for (frame, track), entry in result.iterrows()]
print(json.dumps({"scores": [float(metrics["mota"].iloc[0]), float(metrics["idf1"].iloc[0])], "rows": rows}))
