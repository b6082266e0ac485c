# A folder of results.
annotate-batch synth manifests/scenes/wall.scene.json -o a.mp4 --frames 20
annotate-batch init a.mp4 --stage rectangles -o lab.json
annotate-batch run lab.json
