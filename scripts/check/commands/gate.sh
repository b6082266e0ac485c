# A manifest whose results are held against accepted ones.
annotate-batch synth manifests/scenes/wall.scene.json -o a.mp4 --frames 20
cat >lab.json <<'END'
{ "version": 1, "graphs": { "lab": { "stages": [{ "id": "frames", "type": "rectangles" }] } },
  "defaults": { "expect": [{ "against": "accepted/", "tolerances": [{ "px": 0.5 }] }] },
  "jobs": [{ "id": "a", "input": "a.mp4", "graph": "lab" }] }
END
