# Results with covers, and a folder to hand out.
mkdir material
annotate-batch synth manifests/scenes/text.scene.json -o material/a.mp4 --frames 12
annotate-batch init --release text material/a.mp4 -o first.json
annotate-batch run first.json --output out
cat >released.remarks.json <<'END'
[]
END
