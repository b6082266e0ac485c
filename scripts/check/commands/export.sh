# A clip, seen by a stage of the name that the page has; a ground truth's folder, as its evaluator wants it.
annotate-batch synth manifests/scenes/wall.scene.json -o clip.mp4 --frames 20
cat >lab.json <<'END'
{ "version": 1, "graphs": { "lab": { "stages": [{ "id": "found", "type": "rectangles", "maximumObservations": 0 }] } },
  "jobs": [{ "id": "clip", "input": "clip.mp4", "graph": "lab" }] }
END
annotate-batch run lab.json
echo rectangle >classes.txt
mkdir -p gt/MOT-train/clip/gt
