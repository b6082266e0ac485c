# A target for the whole batch: make -f batch.mk
# The stamp is there only after a run in which all went well: until then make fails each time.
out/lab.ok: lab.json $(wildcard videos/*.mp4)
	annotate-batch run lab.json --output out --depfile out/lab.d --stamp $@

# What else it depends on, as the last run found it.
-include out/lab.d
