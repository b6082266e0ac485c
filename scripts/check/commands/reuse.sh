# A saved track file, and styles as quoted.
mkdir videos
annotate-batch synth manifests/scenes/wall.scene.json -o videos/a.mp4 --frames 20
annotate-batch init videos/a.mp4 --stage rectangles -o lab.json
annotate-batch run lab.json
cp quoted/1.json style.json
