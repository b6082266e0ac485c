#!/bin/sh
# Submits what a batch still needs, and a job that merges the reports: submit.sh MANIFEST SHARDS OUTPUT [RANGES]
# With RANGES each video is looked at in so many parts, which are divided among the shards.
# Call it again, with the same words, when all has ended: it submits what is missing, until nothing is.
set -u
manifest=$1 shards=$2 output=$3 ranges=${4:-1}
here=$(dirname "$0")

missing=$(annotate-batch status "$manifest" --shards "$shards" --ranges "$ranges" --output "$output")
code=$?
[ $code -eq 75 ] || exit $code  # 75: shards should be submitted; else nothing is left to submit, or a sentence said why

mkdir -p "$output/log"
array=$(sbatch --parsable --array="$missing" --output="$output/log/%a.txt" \
    "$here/array.sbatch" "$manifest" "$shards" "$output" "$ranges") || exit
merge=$(sbatch --parsable --dependency="afterany:${array%%;*}" --output="$output/log/merge.txt" \
    "$here/merge.sbatch" "$manifest" "$shards" "$output" "$ranges") || exit
echo "shards $missing are job ${array%%;*}; job ${merge%%;*} then merges the reports"
