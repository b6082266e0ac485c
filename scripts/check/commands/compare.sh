# One folder of results in the parts of before and after, accepted and truth.
annotate-batch synth manifests/scenes/wall.scene.json -o a.mp4 --frames 20
cp a.mp4 street.mp4
annotate-batch init a.mp4 street.mp4 --stage rectangles -o lab.json
annotate-batch run lab.json
for name in out-before out-after accepted old new truth; do
    mkdir $name
    cp out/*.tracks.jsonl $name
done
annotate-batch export out/street.tracks.jsonl --format mot -o gt.txt
cp quoted/1.json tolerances.json
cat >bounds.json <<'END'
{ "version": 1, "bounds": [{ "recall": { "min": 0.5 } }] }
END
