# The first manifest, as quoted, on a rendered clip.
cp quoted/1.json lab.json
annotate-batch synth manifests/scenes/desk.scene.json -o bench-1.mp4 --frames 40
