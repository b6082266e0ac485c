# make demo     installs what is missing, builds, runs the main job on manifests/demo.json
# make test     installs what is missing, runs the quick tests; test-all runs the slow ones of Tests/slow.txt too
# make help     lists the rest

SWIFT ?= swift
PREFIX ?= /usr/local
# The program is built as the tests need it, so that they compile nothing anew; it is as fast.
PKG_CONFIG = --pkg-config-path support/pkgconfig
# Package.swift has what of it is a definition.
HARDENING = $(foreach language,-Xcc -Xcxx,$(language) -fstack-protector-strong) \
	$(foreach keyword,relro now,-Xlinker -z -Xlinker $(keyword))
SWIFT_FLAGS = -c release $(PKG_CONFIG) $(HARDENING) -Xswiftc -enable-testing
# Modules without loops over pixels are compiled without optimising, but for what is installed: Package.swift.
export ANNOTATE_COLD = 1
# With Swift's own libraries linked in, where the toolchain has them so: every process starts the quicker, and
# a run starts three.
TOOLCHAIN = $(abspath $(dir $(realpath $(shell command -v $(SWIFT))))/../..)
export ANNOTATE_STATIC := $(if $(wildcard $(TOOLCHAIN)/usr/lib/swift_static/linux/static-stdlib-args.lnk),1)
BINARY = .build/release/annotate-batch
# When the program was built last. Its own time is left alone: with another, Swift would link it anew.
BUILT = .build/built
SOURCES := Package.swift $(shell find Sources support/pkgconfig -type f 2>/dev/null) $(wildcard .deps/zxing/VERSION)
MEDIA = out/media/desk.mp4 out/media/wall.mp4
# One manifest an ability, each on a rendered clip of its own name.
EXAMPLES = pose overlay images alter labels classify faces text barcodes horizon import follow count detect
# `follow` follows what `import` takes, in the same clip.
EXAMPLE_MEDIA = $(patsubst %,out/media/%.mp4,$(filter-out follow,$(EXAMPLES)))

.DELETE_ON_ERROR:
.PHONY: help setup build demo examples test test-build test-fuzz test-all test-whole test-docc test-fast fuzz fuzz-threads fuzz-parsers kills attack soak cluster-test \
	check-examples check-reuse check-ranges check-exchange check-overlay check-pages check-pick check-review check-streams check-fetch sanitize matrix lint format bench scores schemas docs late docc check-docs manual install install-libraries \
	check-install package image docs-site check-package check-systems check-headers clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile
	@echo 'make build    builds in release: $(BINARY)'
	@echo 'make test-all  every test, as .ci/run does; the slow ones: $(SLOW_TESTS)'
	@echo 'make examples  renders a clip for each example manifest and runs it: results in out/'
	@echo 'make lint     checks the style of Swift, C++, shell and JSON, and the order of the rooms'
	@echo 'make format   applies the style'
	@echo 'make fuzz     thousands of damaged and hostile files against the program: FUZZ_COUNT=3000 FUZZ_FILES=4000'
	@echo 'make fuzz-threads  damaged files on one thread and on several, all results held against each other: FUZZ_THREADS=3000'
	@echo 'make kills    ends runs, and shards of runs, at random moments and looks at what is left: KILL_COUNT=500'
	@echo 'make attack   every system call and door from inside a worker, hostile output folders, every file that is opened'
	@echo 'make soak     thousands of jobs, pictures of many sizes and a long clip, with the memory of all processes'
	@echo 'make cluster-test  docs/examples/slurm on a Slurm of three nodes that die: needs slurm-wlm and munge; some minutes'
	@echo 'make check-examples  runs what docs quote for make, Snakemake, Nextflow, Kubernetes and CI: needs pip'
	@echo 'make check-streams  Ray and Dask hand out jobs while workers and nodes die: needs pip; a few minutes'
	@echo 'make check-fetch  inputs on a server of S3: needs pip'
	@echo 'make check-docs  runs every command of README.md and docs as it stands, and follows every link; some minutes'
	@echo 'make check-reuse  runs every example twice, what is known taken over and not, and compares: some minutes'
	@echo 'make check-ranges  runs every example and clips of many sorts in one piece and in parts, and compares: half an hour'
	@echo 'make check-exchange  reads every export with the programs that it is for: needs pip; some minutes'
	@echo 'make check-overlay  overlays against the pictures with the same burned in: needs pip'
	@echo 'make check-pages  both pages in a browser: check-review, which holds what review shows against its clips, and check-pick'
	@echo 'make check-pick  draws in the page of pick and runs what comes out: needs pip, chromium, chromium-driver'
	@echo 'make fuzz-parsers  what reads files against inputs made from its own branches: FUZZ_SECONDS=600'
	@echo 'make sanitize every test, and some fuzzing, with address and undefined-behaviour sanitizers'
	@echo 'make matrix   every codec, container, pixel format, rotation and timing: writes docs/matrix.md'
	@echo 'make bench    speed and accuracy as ratios to ffmpeg and to Python scripts: writes docs/benchmarks.md; fails at a missed bound'
	@echo 'make scores   accuracy on rendered sets and real data against what pip installs of others: writes docs/accuracy.md;'
	@echo '              SCORES="barcodes text …" for some of it; needs pip, ../shared/data for what is real; a while'
	@echo 'make schemas  writes manifests/schema anew from the contracts'
	@echo 'make docs     writes the tables of docs/tracks.md anew from the declarations'
	@echo 'make late     writes the list of functions whose libraries are opened when one is called, after a build with a new one'
	@echo 'make docc     what the comments in the source say as a web site, in out/docc; by DocC, which comes with Swift'
	@echo 'make manual   writes man pages and shell completions'
	@echo 'make install  PREFIX=$(PREFIX): the program, its libraries, man pages, completions: a folder that can be moved,'
	@echo '              for machines without Swift; says which Debian packages it needs; DESTDIR goes before PREFIX'
	@echo 'make install-libraries  PREFIX=$(PREFIX): what packages that depend on this one build and run with'
	@echo 'make check-install  runs an installed program in a fresh Debian: needs root, debootstrap, a mirror, 2 GB'
	@echo 'make setup    installs what the build needs and the machine lacks, and builds nothing'
	@echo 'make package  a Debian package for the suite of this machine, in out/package; looked at by lintian where that is'
	@echo 'make image    a container image of the program, by podman, docker or buildah: Containerfile'
	@echo 'make docs-site  README.md and docs/ as a web site with search, in out/docs-site; by MkDocs, from PyPI'
	@echo 'make check-package  installs it on a fresh change root, runs every example, removes it: needs root, debootstrap'
	@echo 'make check-systems  builds and tests in fresh change roots: SUITES="$(SUITES)"; needs root, debootstrap; an hour'
	@echo 'make check-headers  compiles against the headers of HEADERS="$(HEADERS)", which needs no such system'
	@echo 'make clean    removes what was built and written'

setup:
	@scripts/setup/setup.sh

# What the program runs with comes while it is compiled, and its lowest module is compiled while packages come.
BESIDE = @scripts/setup/setup.sh --early '$(SWIFT) build $(SWIFT_FLAGS) --target Base' --beside

# Where nothing is to be compiled, what is missing is fetched all the same.
build: $(BUILT)
	@scripts/setup/setup.sh

# A build that has nothing to do takes no time: make looks at the files itself.
$(BUILT): $(SOURCES)
	$(BESIDE) $(SWIFT) build $(SWIFT_FLAGS) --product annotate-batch
	@touch $@

out/media/%.mp4: manifests/scenes/%.scene.json $(BUILT)
	@mkdir -p out/media
	$(BINARY) synth $< -o $@

demo: build $(MEDIA)
	$(BINARY) run manifests/demo.json
	$(BINARY) verify out/demo
	$(BINARY) review out/demo
	@echo
	@echo 'To look at it all: out/demo/review.html, in a browser'
	@echo 'Annotated videos:  out/demo/*.mp4 (they play in a browser)'
	@echo 'Tracks:            out/demo/*.tracks.jsonl (one line a frame)'
	@echo 'Report:            out/demo/report.json'

examples: build $(EXAMPLE_MEDIA)
	@for name in $(EXAMPLES); do $(BINARY) run manifests/$$name.json && $(BINARY) verify out/$$name || exit 1; done

# Every test, and a bounded run of the fuzzer; both within limits of time, seconds. A test that hangs is named.
# A job whose worker does nothing is tried again after a minute: a case may have to wait for that, twice.
TEST_LIMIT = 2400
CASE_LIMIT = 300
RUN_TESTS = timeout --kill-after=60 $(TEST_LIMIT) scripts/test.py --case-limit $(CASE_LIMIT)
BUNDLE = annotate-batchPackageTests.xctest
FUZZ = timeout --kill-after=60 $(TEST_LIMIT) scripts/fuzz/fuzz.py --program $(BINARY) --jobs 2

# Some fuzzing of the program goes on while the tests are compiled, most of the time on one core; both are told of.
test: build
	@$(FUZZ) --count 50 >.build/fuzz.log 2>&1 & fuzz=$$!; trap 'kill $$fuzz' INT TERM; \
	$(MAKE) --no-print-directory test-build || { kill $$fuzz 2>/dev/null; exit 1; }; \
	wait $$fuzz; status=$$?; cat .build/fuzz.log; \
	$(MAKE) --no-print-directory test-fast || status=$$?; exit $$status

test-all: test-fuzz test-whole test-docc

# Without an index, which only those who look for tests in the sources need: Tests/XCTMain.swift.
test-build:
	$(BESIDE) $(SWIFT) build $(SWIFT_FLAGS) --disable-index-store --build-tests
	@touch $(BUILT)

test-fuzz: test-build
	$(FUZZ) --count 200

test-whole: test-build
	$(RUN_TESTS) .build/release/$(BUNDLE)

# Not where this Swift has no DocC.
test-docc: test-build
	$(DOCC) --if-there

test-fast: test-build
	$(RUN_TESTS) --without Tests/slow.txt .build/release/$(BUNDLE)

FUZZ_COUNT = 3000
FUZZ_SEED = 1

# Damaged videos beside those, in batches: less is asked of each.
FUZZ_FILES = 4000

fuzz: build
	scripts/fuzz/fuzz.py --program $(BINARY) --seed $(FUZZ_SEED) --count $(FUZZ_COUNT) --jobs 2 --keep out/fuzz
	scripts/fuzz/fuzz_batches.py --program $(BINARY) --seed $(FUZZ_SEED) --files $(FUZZ_FILES) --jobs 2 --keep out/fuzz

# Damaged videos on one thread and on several.
FUZZ_THREADS = 3000

fuzz-threads: build
	scripts/fuzz/fuzz_threads.py --program $(BINARY) --seed $(FUZZ_SEED) --files $(FUZZ_THREADS) --keep out/fuzz-threads

KILL_COUNT = 500

kills: build
	scripts/stress/kills.py --program $(BINARY) --count $(KILL_COUNT)
	scripts/stress/shard_kills.py --program $(BINARY) --count $(KILL_COUNT)

# What a hostile file, folder or working directory could do: from inside a worker, in results, and by what is opened.
attack: build $(MEDIA) $(EXAMPLE_MEDIA)
	scripts/attack/calls.py --program $(BINARY)
	scripts/attack/folders.py --program $(BINARY)
	scripts/attack/opens.py --program $(BINARY)
	scripts/attack/threads.py --program $(BINARY)

soak: build
	scripts/stress/soak.py --program $(BINARY)

cluster-test: build
	scripts/stress/cluster-test.py --program $(BINARY)

check-reuse: build $(MEDIA) $(EXAMPLE_MEDIA)
	scripts/check/check-reuse.py $(BINARY)

check-ranges: build $(MEDIA) $(EXAMPLE_MEDIA)
	scripts/check/check-ranges.py $(BINARY)

check-examples: build
	scripts/check/check-examples.py
	scripts/check/check-library.sh
	scripts/check/check-ci.py --program $(BINARY)
	scripts/check/check-make.sh $(BINARY)
	scripts/check/check-workflows.sh $(BINARY)
	scripts/check/ci-example.sh $(BINARY)
	scripts/check/check-kubernetes.py --program $(BINARY)

# Dask and Ray hand jobs to `work` while things die: installs both by pip; a few minutes.
check-streams: build
	scripts/check/check-streams.py --program $(BINARY)

# Inputs on a server of S3, fetched by the aws command: installs both by pip.
check-fetch: build
	scripts/check/check-fetch.py --program $(BINARY)

# What pages say to run, run as it stands, and every link.
check-docs: build
	scripts/check/check-docs.py --program $(BINARY)

check-exchange: test-build
	scripts/check/check-exchange.py --program $(BINARY) --tests .build/release/$(BUNDLE)
check-overlay: build
	scripts/check/check-overlay.py --program $(BINARY)
check-pages: check-review check-pick

check-review: build
	scripts/check/check-review.py --program $(BINARY)

check-pick: build
	scripts/check/check-pick.py --program $(BINARY)

FUZZ_SECONDS = 600

# libFuzzer and the address sanitizer come with Swift.
fuzz-parsers: build
	ANNOTATE_FUZZ=1 $(SWIFT) build --scratch-path .build-fuzz $(SWIFT_FLAGS) --sanitize fuzzer --sanitize address \
		--product fuzz-parsers
	scripts/fuzz/fuzz_parsers.py --program $(BINARY) --seconds $(FUZZ_SECONDS)

# Swift's compiler takes the address sanitizer; C and C++ take the one for undefined behaviour too. Leaks are not looked for:
# fontconfig and the test library keep what they have until the end. OpenVINO loads a library in a way that the sanitizer
# forbids, so inference is left out.
SANITIZE = --scratch-path .build-sanitize --sanitize address $(PKG_CONFIG) $(HARDENING)
UNDEFINED = $(foreach flag,-fsanitize=undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined,-Xcc $(flag) -Xcxx $(flag))
sanitize: export ASAN_OPTIONS = detect_leaks=0
sanitize: export UBSAN_OPTIONS = print_stacktrace=1
sanitize: TEST_LIMIT = 7200
sanitize: CASE_LIMIT = 900
sanitize: setup
	ANNOTATE_STATIC= $(SWIFT) build --build-tests $(SANITIZE) $(UNDEFINED)
	ANNOTATE_OPENVINO=none $(RUN_TESTS) .build-sanitize/debug/$(BUNDLE) \
		--skip ClassificationTests --skip FacesTests --skip AlterModelTests
	ANNOTATE_OPENVINO=none scripts/fuzz/fuzz.py --program .build-sanitize/debug/annotate-batch --count 300 --jobs 2 \
		--memory 0 --limit 120

matrix: build
	scripts/matrix/matrix.py --program $(BINARY) --write

# C and C++ are checked where this clang-format is installed: each version lays out some lines in its own way.
CLANG_FORMAT = 21.1.8
C_FILES = $(shell find Sources -name '*.[ch]' -o -name '*.[ch]pp')

lint:
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Package.swift
	@if clang-format --version 2>/dev/null | grep -qF 'version $(CLANG_FORMAT)'; then \
		clang-format --dry-run -Werror $(C_FILES); \
	else echo 'no clang-format (pip install clang-format==$(CLANG_FORMAT)): C and C++ not checked'; fi
	@for file in manifests/*.json manifests/scenes/*.json manifests/schema/*.json; do \
		python3 -m json.tool "$$file" >/dev/null || exit 1; done
	@if command -v shellcheck >/dev/null; then shellcheck scripts/*/*.sh .ci/run \
		docs/examples/*.sh docs/examples/slurm/*; else echo 'shellcheck is not installed: scripts not checked'; fi
	scripts/check/rooms.py
	scripts/check/imports.py
	scripts/check/docs.py
	scripts/check/check-docs.py --links
	scripts/check/check-examples.py

format:
	$(SWIFT) format --in-place --recursive --parallel Sources Tests Package.swift
	@if command -v clang-format >/dev/null; then clang-format -i $(C_FILES); fi

bench: build out/media/bench.mp4 $(MEDIA) $(EXAMPLE_MEDIA)
	scripts/bench/bench_stages.py
	scripts/bench/bench.py --write docs/benchmarks.md

# One scoreboard a part of the project; each writes its place in docs/accuracy.md.
SCORES = barcodes rectangles text faces detect track follow horizon labels geometry count covers readability confidence

scores: build
	@for name in $(SCORES); do scripts/scores/$$name.py || exit 1; done

schemas: build
	@for name in manifest tracks report scene progress; do $(BINARY) schema $$name >manifests/schema/$$name.schema.json; done

# What the declarations say goes behind the line in docs/tracks.md that says so.
docs: build
	@sed -i '/written by `make docs`/q' docs/tracks.md
	@{ echo; $(BINARY) kinds --markdown; } >>docs/tracks.md
	@sed -i '/written by `make docs`/q' docs/models.md
	@{ echo; $(BINARY) networks --markdown; } >>docs/models.md

# Functions of the libraries that are opened when one is called, after a build with a new one.
late: build
	scripts/setup/late-names.py

# What the source's comments say, as a web site; what DocC warns of fails it.
DOCC = scripts/package/docc.py --swift $(SWIFT)
docc: build
	$(DOCC)

# Man pages and completions come from the commands' own declarations, by swift-argument-parser's tools.
SHELLS = bash zsh fish
SHARE = .build/share
$(SHARE)/built: $(BUILT)
	$(SWIFT) build $(SWIFT_FLAGS) --product generate-manual
	@rm -rf $(SHARE) && mkdir -p $(SHARE)/man1 $(addprefix $(SHARE)/,$(SHELLS))
	.build/release/generate-manual $(BINARY) --output-directory $(SHARE)/man1 --multi-page \
		--date "$$(date -u -r CHANGELOG.md +%Y-%m-%d)"
	scripts/package/man-pages.py $(SHARE)/man1
	@for shell in $(SHELLS); do $(BINARY) --generate-completion-script $$shell >$(SHARE)/$$shell/annotate-batch; done
	@touch $@

manual: build $(SHARE)/built
	@ls $(SHARE)/man1

# With Swift's own libraries in any case, and every module optimised. It lies in place of the other until that is built again.
INSTALLED = .build/installed
$(INSTALLED)/annotate-batch: export ANNOTATE_COLD =
$(INSTALLED)/annotate-batch: $(SHARE)/built
	ANNOTATE_STATIC=1 $(SWIFT) build $(SWIFT_FLAGS) --product annotate-batch
	@mkdir -p $(@D)
	scripts/setup/runtime-packages.sh $(BINARY) >$(@D)/debian-packages.txt
	install -s -m 755 $(BINARY) $@

install: TARGET = $(DESTDIR)$(PREFIX)
install: build $(INSTALLED)/annotate-batch
	install -D -m 755 -t $(TARGET)/bin $(INSTALLED)/annotate-batch
	install -D -m 644 -t $(TARGET)/share/doc/annotate-batch $(INSTALLED)/debian-packages.txt
	install -D -m 644 -t $(TARGET)/share/doc/annotate-batch/zxing .deps/zxing/LICENSE .deps/zxing/LICENSE.zint
	install -D -m 644 $(TOOLCHAIN)/usr/share/swift/LICENSE.txt $(TARGET)/share/doc/annotate-batch/licences/swift.txt
	install -D -m 644 -t $(TARGET)/share/doc/annotate-batch/licences scripts/package/licences/*.txt
	install -D -m 644 -t $(TARGET)/share/man/man1 $(SHARE)/man1/*.1
	install -D -m 644 -t $(TARGET)/share/bash-completion/completions $(SHARE)/bash/annotate-batch
	install -D -m 644 $(SHARE)/zsh/annotate-batch $(TARGET)/share/zsh/site-functions/_annotate-batch
	install -D -m 644 $(SHARE)/fish/annotate-batch $(TARGET)/share/fish/vendor_completions.d/annotate-batch.fish
	mkdir -p $(TARGET)/lib/annotate-batch/openvino $(TARGET)/lib/annotate-batch/networks
	cp -dR .deps/openvino/. $(TARGET)/lib/annotate-batch/openvino/
	cp -dR .deps/networks/. $(TARGET)/lib/annotate-batch/networks/
	@echo 'What it needs on this Debian (also in $(PREFIX)/share/doc/annotate-batch/debian-packages.txt):'
	@echo "apt-get install --no-install-recommends $$(tr '\n' ' ' <$(INSTALLED)/debian-packages.txt)"

# What a package that depends on this one finds without being told where: libraries by pkg-config, OpenVINO and networks when
# it runs. With another PREFIX pkg-config and the program are told by PKG_CONFIG_PATH, ANNOTATE_OPENVINO and ANNOTATE_NETWORKS.
install-libraries: LIBRARIES = $(PREFIX)/lib/annotate-batch
install-libraries: setup
	mkdir -p $(DESTDIR)$(LIBRARIES)/zxing $(DESTDIR)$(LIBRARIES)/openvino $(DESTDIR)$(LIBRARIES)/networks \
		$(DESTDIR)$(PREFIX)/lib/pkgconfig
	cp -dR .deps/zxing/. $(DESTDIR)$(LIBRARIES)/zxing/
	cp -dR .deps/openvino/. $(DESTDIR)$(LIBRARIES)/openvino/
	cp -dR .deps/networks/. $(DESTDIR)$(LIBRARIES)/networks/
	install -m 644 -t $(DESTDIR)$(PREFIX)/lib/pkgconfig support/pkgconfig/*.pc support/pkgconfig/libannotate-late.so
	sed -i 's|^prefix=.*|prefix=$(LIBRARIES)/zxing|' $(DESTDIR)$(PREFIX)/lib/pkgconfig/annotate-zxing.pc

# A package for the suite that this machine runs. What `make install` wrote is its tree.
package:
	@rm -rf out/package/tree
	$(MAKE) install DESTDIR=out/package/tree PREFIX=/usr
	scripts/package/package.sh out/package/tree out/package

# An image of that on a slim Debian, by whichever engine is there and answers: a client alone may have none to talk to. Its second
# tag is what docs/examples/kubernetes names.
ENGINE = podman docker buildah
image: VERSION = $(shell sed -n 's/.*version: String = "annotate-batch \(.*\)"$$/\1/p' Sources/Commands/AnnotateCommand.swift)
image:
	@for engine in $(ENGINE); do \
		if $$engine info >/dev/null 2>&1; then \
			exec $$engine build --tag annotate-batch --tag annotate-batch:$(VERSION) --file Containerfile .; \
		fi; \
	done; echo 'make image: none of these is installed and answers: $(ENGINE)' >&2; exit 1

# README.md and docs/ as a web site with search.
docs-site:
	scripts/package/docs-site.py

check-package: package
	scripts/package/check-package.sh $$(ls -t out/package/*.deb | head -n 1)

# From nothing, in change roots.
SUITES = bookworm trixie
check-systems:
	scripts/systems/check-systems.sh $(SUITES)

HEADERS = forky
check-headers:
	scripts/systems/check-headers.sh $(HEADERS)

check-install:
	@rm -rf out/installed
	$(MAKE) install DESTDIR=$(CURDIR)/out/installed PREFIX=/usr/local
	scripts/check/check-install.sh out/installed/usr/local

clean:
	rm -rf .build .build-* out
