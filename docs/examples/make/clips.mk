# A target a clip: make -f clips.mk -j2
clips := $(patsubst videos/%.mp4,%,$(wildcard videos/*.mp4))

all: $(clips:%=out/%.ok)

# The stamp is there only after a run in which all went well: what failed, or isn't as expected, is made again.
out/%.ok: videos/%.mp4 lab.json
	annotate-batch run lab.json --only $* --output out --depfile out/$*.d --stamp $@

# What else each one depends on: models, dictionaries, regions' files, as its last run found them.
-include $(clips:%=out/%.d)
