#!/bin/sh
# Whether make runs what is to be run, and nothing else, by the rules of docs/examples/make, and by README's.
#
# usage: check-make.sh [PROGRAM]      needs ffmpeg; takes half a minute, in a temporary folder
set -eu

# shellcheck source=scripts/check/checks.sh
. "$(dirname "$0")/checks.sh"

# A shim that counts what is run.
mkdir "$folder/bin"
cat >"$folder/bin/annotate-batch" <<SHIM
#!/bin/sh
echo "\$*" >>"$folder/calls"
exec "$program" "\$@" --progress none
SHIM
chmod +x "$folder/bin/annotate-batch"
PATH=$folder/bin:$PATH

# usage: runs CALLS WHAT   makes twice: so many calls of the program, then none
runs() {
    for calls in "$1" 0; do
        : >"$folder/calls"
        what=$2
        [ "$calls" = "$1" ] || what="$2, and again"
        if ! make --file rules.mk -j2 >"$folder/log" 2>&1; then
            count=failed
        else
            count=$(wc -l <"$folder/calls")
        fi
        expect "$count" "$calls" "$what"
        [ "$calls" != 0 ] || break
    done
}

# Time stamps of a file system may be as coarse as the kernel's clock.
touched() {
    sleep 0.1
    touch "$@"
}

batch() {
    rm -rf "$folder/work"
    mkdir -p "$folder/work/videos"
    cd "$folder/work"
    for clip in ${1:-a b c d}; do
        ffmpeg -v error -f lavfi -i "testsrc2=s=256x192:r=25:d=0.6" -c:v libx264 -preset ultrafast -pix_fmt yuv420p \
            "videos/$clip.mp4"
    done
    printf '%%YAML:1.0\n---\nnmarkers: 1\nmarkersize: 4\nmaxCorrectionBits: 1\nmarker_0: "1011010100110010"\n' >own.yml
    cat >lab.json <<'MANIFEST'
{ "version": 1, "graphs": { "lab": { "stages": [
    { "id": "found", "type": "markers", "dictionaryFile": "own.yml" },
    { "id": "cup", "type": "track" } ] } },
  "jobs": [ { "input": "videos/*.mp4", "graph": "lab", "regions": [ { "id": "cup", "time": 0, "box": [40, 40, 60, 60] } ] } ] }
MANIFEST
}

batch
# shellcheck disable=SC2016 # the backquotes are Markdown's
# The rule as README has it.
{ echo 'all: out/a.ok out/b.ok out/c.ok out/d.ok'
  sed -n '/^```make$/,/^```$/p' "$root/README.md" | grep -v '^```'; } >rules.mk
runs 4 'README, make -j2'
touched videos/b.mp4
runs 1 'README, one clip touched'
touched lab.json
runs 4 'README, the manifest touched'

batch
cp "$root/docs/examples/make/clips.mk" rules.mk
runs 4 'clips.mk, make -j2'
touched videos/b.mp4
runs 1 'clips.mk, one clip touched'
touched lab.json
runs 4 'clips.mk, the manifest touched'
touched own.yml
runs 4 'clips.mk, the dictionary that all use touched'
rm -f out/c.ok
runs 1 'clips.mk, one stamp removed'

batch
cp "$root/docs/examples/make/batch.mk" rules.mk
runs 1 'batch.mk, make -j2'
touched videos/b.mp4
runs 1 'batch.mk, one clip touched'
# Of four clips only one was run: the others are older than the touch.
newer=$(find out -name '*.tracks.jsonl' -newer videos/b.mp4 -size +0 | wc -l)
echo "      $newer track files are newer than the clip that was touched"
touched own.yml
runs 1 'batch.mk, the dictionary touched'
touched lab.json
runs 1 'batch.mk, the manifest touched'

# usage: ends STATUS WHAT   makes, which has to end well (green) or not (red)
ends() {
    if make --file rules.mk >"$folder/log" 2>&1; then colour=green; else colour=red; fi
    expect "$colour" "$1" "$2"
}

# Red until it is right, however often it is made: a job that fails, then one that isn't as expected.
for rules in batch clips; do
    batch 'a b'
    cp "$root/docs/examples/make/$rules.mk" rules.mk
    cp videos/b.mp4 whole.mp4
    head -c 3000 whole.mp4 >videos/b.mp4
    ends red "$rules.mk, a clip that is cut off"
    ends red "$rules.mk, again"
    cp whole.mp4 videos/b.mp4
    ends green "$rules.mk, put right"
    sed 's/"graph": "lab"/"graph": "lab", "expect": [{"stage": "cup", "frames": {"min": 1000}}]/' lab.json >other.json
    cp lab.json right.json
    touched other.json
    cp other.json lab.json
    ends red "$rules.mk, an expectation that doesn't hold"
    ends red "$rules.mk, again"
    cp right.json lab.json
    ends green "$rules.mk, put right"
done

[ $failures = 0 ] || { echo "check-make: $failures FAILED"; exit 1; }
echo 'check-make: all passed'
