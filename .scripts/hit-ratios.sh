#!/usr/bin/env bash
# Replays the traces through the core of the eviction policy, with the reference simulator's hash,
# and compares every hit ratio with the recorded one, to the last digit.
#
#   .scripts/hit-ratios.sh [DIR]   DIR has the traces, NAME.txt.gz; $CACHEASIDE_TRACES without it
#
# Each cell is taken twice: under a count limit, and under a cost limit with entries that cost one.
set -euo pipefail
cd "$(dirname "$0")/.."
traces=${1:-${CACHEASIDE_TRACES:-}}
if [ -z "$traces" ]; then
  echo "skipped: no folder of traces is named" >&2
  exit 0
fi
reference=Tests/Benchmarks/hit-ratios.tsv

swift build -c release --product policy-core
core="$(swift build -c release --show-bin-path)/policy-core"

# The names of the traces, or the sizes of one, in the order of the reference.
column() { awk -F'\t' -v trace="${1:-}" '
  /^#/ || $1 == "trace" { next }
  trace == "" && !seen[$1]++ { print $1 }
  $1 == trace { print $2 }' "$reference"; }

for limit in "" --cost-limit; do
  for trace in $(column); do
    # shellcheck disable=SC2046,SC2086
    gzip -dc "$traces/$trace.txt.gz" | "$core" --name "$trace" $limit $(column "$trace")
  done | awk -v limit="${limit:---count-limit}" -v reference="$reference" '
    BEGIN {
      FS = "\t"
      while ((getline < reference) > 0)
        if (!/^#/ && $1 != "trace") expected["policycore." $1 "." $2] = sprintf("%.6f", $4 / 100)
      FS = " "
    }
    {
      count++
      sum += $2
      ratio = sprintf("%.6f", $3 / $4)
      if (ratio == expected[$1]) next
      print $1 " is " ratio ", the reference has " expected[$1]
      wrong++
    }
    END {
      if (count != 75) { print "only " count + 0 " of 75 cells"; exit 1 }
      # Every trace has five sizes, so the mean of all is that of the means.
      printf "%s: %d of 75 cells equal the reference, mean %.4f\n", limit, count - wrong, sum / 75
      exit wrong > 0
    }'
done
