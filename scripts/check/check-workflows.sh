#!/bin/sh
# Whether Snakemake and Nextflow run what is to be run, and nothing else, by docs/examples.
#
# usage: check-workflows.sh [PROGRAM]      needs ffmpeg and Python; installs Snakemake into .venv/workflows
#
# Nextflow is run where it is on the PATH, or named by NEXTFLOW; elsewhere only its task's command is.
set -eu

# shellcheck source=scripts/check/checks.sh
. "$(dirname "$0")/checks.sh"
environment=$root/.venv/workflows

mkdir "$folder/bin"
cat >"$folder/bin/annotate-batch" <<SHIM
#!/bin/sh
echo "\$*" >>"$folder/calls"
exec "$program" "\$@"
SHIM
chmod +x "$folder/bin/annotate-batch"
PATH=$folder/bin:$PATH

render() {
    ffmpeg -y -v error -f lavfi -i "testsrc2=s=256x192:r=25:d=$2" -c:v libx264 -preset ultrafast -pix_fmt yuv420p \
        "videos/$1.mp4"
}

batch() {
    rm -rf "$folder/work"
    mkdir -p "$folder/work/videos"
    cd "$folder/work"
    for clip in a b c d; do render $clip 0.6; done
    cat >lab.json <<'MANIFEST'
{ "version": 1, "graphs": { "lab": { "stages": [ { "id": "found", "type": "markers", "dictionary": "aruco-4x4-50" } ] } },
  "jobs": [ { "input": "videos/*.mp4", "graph": "lab" } ] }
MANIFEST
}

calls() {
    wc -l <"$folder/calls"
}

if [ ! -x "$environment/bin/snakemake" ]; then
    echo "check-workflows: installing Snakemake into $environment" >&2
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet 'snakemake>=9,<10'
fi

# Runs Snakemake; its log holds what it would do, or did.
snake() {
    : >"$folder/calls"
    "$environment/bin/snakemake" --snakefile "$root/docs/examples/snakemake/Snakefile" --directory . --cores 2 "$@" \
        >"$folder/log" 2>&1 || { tail -n 30 "$folder/log"; echo "FAIL  snakemake $*"; failures=$((failures + 1)); }
}

# How many clips a dry run would annotate.
planned() {
    snake --dry-run "$@"
    grep -c '^rule annotate:' "$folder/log" || true
}

batch
snake
expect "$(calls)" 4 'Snakemake: four clips, calls'
expect "$(planned)" 0 'Snakemake: a second run would annotate'
expect "$(grep -c 'Nothing to be done' "$folder/log")" 1 'Snakemake: it says so'
sleep 0.1
render b 0.8
expect "$(planned)" 1 'Snakemake: one clip changed, it would annotate'
snake
expect "$(calls)" 1 'Snakemake: one clip changed, calls'
expect "$(planned)" 0 'Snakemake: then it would annotate'
# Of files of up to a megabyte Snakemake looks at the content; of none here.
sleep 0.1
touch videos/c.mp4
expect "$(planned --max-checksum-file-size 0)" 1 'Snakemake: one clip touched, it would annotate'
snake --max-checksum-file-size 0
expect "$(calls)" 1 'Snakemake: one clip touched, calls'
expect "$(planned --max-checksum-file-size 0)" 0 'Snakemake: then it would annotate'
annotate-batch verify out >"$folder/log" 2>&1 && code=0 || code=$?
expect "$code" 0 'Snakemake: verify ends with'

batch
nextflow=${NEXTFLOW:-$(command -v nextflow || true)}
flow() {
    : >"$folder/calls"
    "$nextflow" run "$root/docs/examples/nextflow/main.nf" -resume -ansi-log false >"$folder/log" 2>&1 ||
        { tail -n 30 "$folder/log"; echo 'FAIL  nextflow'; failures=$((failures + 1)); }
}
if [ -n "$nextflow" ] && NXF_OFFLINE=true "$nextflow" -version >/dev/null 2>&1; then
    flow
    expect "$(calls)" 4 'Nextflow: four clips, calls'
    flow
    expect "$(calls)" 0 'Nextflow: a second run, calls'
    sleep 0.1
    render b 0.8
    flow
    expect "$(calls)" 1 'Nextflow: one clip changed, calls'
else
    echo 'SKIP  Nextflow is not installed (its launcher fetches it from nextflow.io): only the command of its task is tried'
    # A task's folder as Nextflow makes it: links to what it takes.
    mkdir -p task/videos
    ln -s "$PWD/lab.json" task/lab.json
    ln -s "$PWD/videos/b.mp4" task/videos/b.mp4
    # shellcheck disable=SC2016 # they are Nextflow's variables
    sed -n '/^    """$/,/^    """$/p' "$root/docs/examples/nextflow/main.nf" | grep -v '"""' |
        sed 's/\${manifest}/lab.json/; s/\${task.cpus}/2/' >task/command
    (cd task && sh -eu command) >"$folder/log" 2>&1 && code=0 || code=$?
    expect "$code" 0 "Nextflow: its task's command ends with"
    expect "$(cd task && echo ./*.tracks.jsonl ./*.mp4)" './b.tracks.jsonl ./b.mp4' 'Nextflow: the task gives'
fi

[ $failures = 0 ] || { echo "check-workflows: $failures FAILED"; exit 1; }
echo 'check-workflows: all passed'
