# Twenty shards of three jobs, of which the fourth to the last are run before; a manifest without jobs of its own for `work`.
for name in bench-1 monday tuesday; do annotate-batch synth manifests/scenes/wall.scene.json -o $name.mp4 --frames 10; done
annotate-batch init bench-1.mp4 monday.mp4 tuesday.mp4 --stage rectangles -o lab.json
for shard in $(seq 1 20); do
    [ "$shard" = 3 ] || annotate-batch run lab.json --shard "$shard/20" --output out --progress none
done
