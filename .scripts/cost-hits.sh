#!/usr/bin/env bash
# Replays traces through the core of the eviction policy under cost limits, with four distributions of
# costs, and compares every count of hits and every saved cost with the recorded one.
#
#   .scripts/cost-hits.sh [DIR]            DIR has the traces, NAME.txt.gz; $CACHEASIDE_TRACES without it
#   .scripts/cost-hits.sh --record [DIR]   makes the record anew by the simulator, which needs Rust
#
# The record is the reference simulator's (Tests/PolicyCore/simulator), so the core must equal it.
# Prints for each distribution the mean hit ratios, of requests and of costs, beside those of LRU.
set -euo pipefail
cd "$(dirname "$0")/.."
record=false
if [ "${1:-}" = --record ]; then
  record=true
  shift
fi
traces=${1:-${CACHEASIDE_TRACES:-}}
if [ -z "$traces" ]; then
  echo "skipped: no folder of traces is named" >&2
  exit 0
fi
reference=Tests/Benchmarks/cost-hits.tsv

if $record; then
  cargo build --release --offline --quiet --manifest-path Tests/PolicyCore/simulator/Cargo.toml \
    --target-dir .build/policy-sim
  for trace in web12 multi3 cloudphysics adaptsize glimpse oltp; do
    .build/policy-sim/release/policy-sim --policies lru,lazy-tinylfu,clairvoyant \
      --costs uniform,pareto,two,rank "$traces/$trace.txt.gz"
  done | awk -F'\t' -v reference="$reference" '
    BEGIN {
      while ((getline line < reference) > 0) if (line ~ /^(#|trace)/) head = head line "\n"
      printf "%s", head
      OFS = FS
    }
    $1 == "trace" { next }
    $5 == "lru" { row = $1 OFS $2 OFS $3 OFS $4 OFS $7 OFS $9 }
    { row = row OFS $6 OFS $8 }
    $5 == "clairvoyant" { print row }' >"$reference.new"
  mv "$reference.new" "$reference"
fi

swift build -c release --product policy-core
core="$(swift build -c release --show-bin-path)/policy-core"

grep -vE '^(#|trace)' "$reference" | cut -f 1,2 | uniq | while IFS=$'\t' read -r trace costs; do
  # shellcheck disable=SC2046
  gzip -dc "$traces/$trace.txt.gz" | "$core" --name "$trace" --costs "$costs" $(awk -F'\t' \
    -v trace="$trace" -v costs="$costs" '$1 == trace && $2 == costs { print $3 }' "$reference")
done | awk -v reference="$reference" '
  BEGIN {
    FS = "\t"
    while ((getline < reference) > 0) {
      if (/^#/ || $1 == "trace") continue
      expected[$1 " " $2 " " $3] = $4 " " $9 " " $5 " " $10 " " $6
      lru[$2] += $7 / $5
      lruSaved[$2] += $8 / $6
      cells++
    }
    FS = " "
  }
  {
    count++
    cell = $1 " " $2 " " $3
    found = $4 " " $5 " " $6 " " $7 " " $8
    cellsOf[$2]++
    hits[$2] += $5 / $6
    saved[$2] += $7 / $8
    if (found == expected[cell]) next
    print cell " is " found ", the reference has " expected[cell]
    wrong++
  }
  END {
    if (count != cells || cells == 0) { print "only " count + 0 " of " cells + 0 " cells"; exit 1 }
    for (costs in hits) {
      printf "%s: %.2f %% of requests (LRU %.2f), %.2f %% of costs (LRU %.2f)\n", costs,
        100 * hits[costs] / cellsOf[costs], 100 * lru[costs] / cellsOf[costs],
        100 * saved[costs] / cellsOf[costs], 100 * lruSaved[costs] / cellsOf[costs]
    }
    printf "%d of %d cells equal the reference\n", count - wrong, cells
    exit wrong > 0
  }'
