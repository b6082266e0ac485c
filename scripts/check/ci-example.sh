#!/bin/sh
# A CI run from an empty folder, with what goes wrong in one: of twelve clips one is looked at with a wrong dictionary, one is
# cut off, one shows its marker too seldom. Shows exit status, JUnit file (as junitparser reads it) and log.
#
# usage: ci-example.sh [PROGRAM]      installs junitparser into .venv/ci
set -eu

# shellcheck source=scripts/check/checks.sh
. "$(dirname "$0")/checks.sh"
environment=$root/.venv/ci

if [ ! -x "$environment/bin/junitparser" ]; then
    echo "ci-example: installing junitparser into $environment" >&2
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet junitparser
fi

cd "$folder"
mkdir bin clips
ln -s "$program" bin/annotate-batch
PATH=$folder/bin:$PATH

# usage: render NAME SECONDS   six seconds, of which the marker 24 is there for so many
render() {
    cat >scene.json <<SCENE
{ "version": 1, "size": [320, 240], "frames": 150, "objects": [
    { "kind": "marker", "dictionary": "aruco-4x4-50", "id": 24, "size": 0.25, "to": $2,
      "sway": { "position": [0.1, 0.05, 0.05], "rotation": [5, 10, 20], "period": 3 } } ] }
SCENE
    annotate-batch synth scene.json -o rendered.mp4 >/dev/null
    # A camera brings no truth along.
    mv rendered.mp4 "clips/$1.mp4"
}

# usage: manifest DICTIONARY   the one that the clip `other` is looked at with
manifest() {
    cat >lab.json <<MANIFEST
{
  "version": 1,
  "graphs": {
    "lab": { "stages": [ { "id": "found", "type": "markers", "dictionary": "aruco-4x4-50" } ] },
    "other": { "stages": [ { "id": "found", "type": "markers", "dictionary": "$1" } ] }
  },
  "jobs": [
    { "input": "clips/good*.mp4", "graph": "lab",
      "expect": [ { "stage": "found", "id": 24, "frames": { "min": 100 } }, { "stage": "found", "seen": { "min": 0.8 } } ] },
    { "input": "clips/cut.mp4", "graph": "lab",
      "expect": [ { "stage": "found", "id": 24, "frames": { "min": 100 } } ] },
    { "input": "clips/seldom.mp4", "graph": "lab",
      "expect": [ { "stage": "found", "id": 24, "frames": { "min": 100 } }, { "stage": "found", "seen": { "min": 0.8 } } ] },
    { "input": "clips/other.mp4", "graph": "other",
      "expect": [ { "stage": "found", "id": 24, "frames": { "min": 100 } } ] }
  ]
}
MANIFEST
}

# usage: ci   what a CI's script does; its exit status is in $code
ci() {
    code=0
    annotate-batch run lab.json --progress plain --junit junit.xml >results.txt 2>log.txt || code=$?
}

# usage: junit   the jobs and tests of the JUnit file (one a job, one an expectation), and the jobs that are not well
junit() {
    "$environment/bin/python" - <<'PYTHON'
import junitparser
found = junitparser.JUnitXml.fromfile("junit.xml")
suites = [found] if isinstance(found, junitparser.TestSuite) else list(found)
cases = [case for suite in suites for case in suite]
jobs = {case.name.partition(":")[0] for case in cases}
bad = {case.name.partition(":")[0] for case in cases if not case.is_passed}
print(f"{len(jobs)} jobs, {len(cases)} tests, not well:", *sorted(bad))
PYTHON
}

for number in 1 2 3 4 5 6 7 8 9; do render good$number 6; done
render other 6
render seldom 2
render cut 6
cp clips/cut.mp4 whole.mp4
head --bytes=20000 whole.mp4 >clips/cut.mp4

manifest aruco-6x6-250
echo '--- three clips are not well'
ci
cat log.txt
expect $code 1 'exit status'
expect "$(junit)" '12 jobs, 34 tests, not well: cut other seldom' 'JUnit'
"$environment/bin/python" -c '
import junitparser
for suite in junitparser.JUnitXml.fromfile("junit.xml"):
    for case in suite:
        for result in case.result:
            print(f"      {case.name}: {type(result).__name__}: {result.message}")'
lines=$(wc -l <log.txt)
expect "$([ "$lines" -le 40 ] && echo yes || echo "no, $lines")" yes "a log of at most 40 lines ($lines)"

echo '--- the clip that was cut off is whole again'
cp whole.mp4 clips/cut.mp4
ci
cat log.txt
expect $code 2 'exit status'
expect "$(junit)" '12 jobs, 34 tests, not well: other seldom' 'JUnit'

echo '--- dictionary and clip are put right'
manifest aruco-4x4-50
render seldom 6
ci
expect $code 0 'exit status'
expect "$(junit)" '12 jobs, 34 tests, not well:' 'JUnit'
annotate-batch verify out >/dev/null && code=0 || code=$?
expect "$code" 0 'verify ends with'

[ $failures = 0 ] || { echo "ci-example: $failures FAILED"; exit 1; }
echo 'ci-example: all passed'
