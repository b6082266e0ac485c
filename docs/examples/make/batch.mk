# A target for the whole batch: make -f batch.mk
out/report.json: lab.json $(wildcard videos/*.mp4)
	annotate-batch run lab.json --output out --depfile out/lab.d

# What else it depends on, as the last run found it.
-include out/lab.d
