# Nobody watches the player.
ln -s "$(command -v true)" bin/ffplay
annotate-batch synth manifests/scenes/wall.scene.json -o lab.mp4 --frames 20
annotate-batch init lab.mp4 --stage rectangles -o lab.json
annotate-batch run lab.json
