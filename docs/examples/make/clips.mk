# A target a clip: make -f clips.mk -j2
clips := $(patsubst videos/%.mp4,%,$(wildcard videos/*.mp4))

all: $(clips:%=out/%.tracks.jsonl)

out/%.tracks.jsonl: videos/%.mp4 lab.json
	annotate-batch run lab.json --only $* --output out --depfile out/$*.d

# What else each one depends on: models, dictionaries, regions' files, as its last run found them.
-include $(clips:%=out/%.d)
