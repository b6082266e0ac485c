# A clip that is long enough for the moments that the page names, a region of it and its track; nobody looks at the picture.
printf '#!/bin/sh\nexec cat >/dev/null\n' >bin/display
chmod +x bin/display
annotate-batch synth manifests/scenes/desk.scene.json -o desk.mp4 --frames 125
cat >desk.regions.json <<'END'
{ "regions": [{ "id": "star", "time": 0, "box": [455, 93, 140, 133] }] }
END
cat >lab.json <<'END'
{ "version": 1, "graphs": { "desk": { "stages": [{ "id": "objects", "type": "track" }] } },
  "jobs": [{ "id": "desk", "input": "desk.mp4", "graph": "desk", "regions": "desk.regions.json" }] }
END
annotate-batch run lab.json
