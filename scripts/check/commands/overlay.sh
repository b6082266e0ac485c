# Nobody watches the player.
printf '#!/bin/sh\n' >bin/ffplay
chmod +x bin/ffplay
annotate-batch synth manifests/scenes/wall.scene.json -o lab.mp4 --frames 20
annotate-batch init lab.mp4 --stage rectangles -o lab.json
annotate-batch run lab.json
