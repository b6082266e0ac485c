#!/bin/sh
# Runs a batch in shards, one at a time on each host: parallel.sh MANIFEST SHARDS OUTPUT [HOST,HOST…]
# Hosts share the folder; without any, shards run here. What failed for a passing reason is run again, twice at most.
set -u
manifest=$1 shards=$2 output=$3 hosts=${4:-:}

round=1
while missing=$(annotate-batch status "$manifest" --shards "$shards" --output "$output"); code=$?
    [ $code -eq 75 ] && [ $round -le 3 ]
do
    mkdir -p "$output/log"
    echo "$missing" | tr , '\n' |
        parallel --quote --sshlogin "$hosts" --workdir . --jobs 1 --joblog "$output/log/round-$round.txt" \
            annotate-batch run "$manifest" --shard "{}/$shards" --output "$output" --progress plain
    round=$((round + 1))
done
case $code in
    0 | 1 | 2 | 75)
        annotate-batch merge "$output"/report.*-of-"$shards".json -o "$output/report.json" --junit "$output/junit.xml"
        ;;
esac
exit $code
