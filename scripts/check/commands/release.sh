# Results with covers, and a folder to hand out.
mkdir material
annotate-batch synth manifests/scenes/faces.scene.json -o material/a.mp4 --frames 12
annotate-batch init --release faces material -o first.json
annotate-batch run first.json --output out
cat >released.remarks.json <<'END'
{"format": "annotate-review", "version": 1, "decisions": [{"job": "a", "decision": "release"}]}
END
