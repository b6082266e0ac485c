# A saved track file, and a style of its stage.
mkdir videos
annotate-batch synth manifests/scenes/wall.scene.json -o videos/a.mp4 --frames 20
annotate-batch init videos/a.mp4 --stage rectangles -o lab.json
annotate-batch run lab.json
echo '{ "rectangles": { "thickness": 3 } }' >style.json
