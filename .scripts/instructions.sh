#!/usr/bin/env bash
# Counts the instructions of a hit from a client module, with callgrind: one JSON line a form.
#
# The figures are exact but for the table's random seed, which moves them by a few tenths.
set -euo pipefail
cd "$(dirname "$0")/.."

forms=(hit.sync.int:mutex.int hit.sync.string:mutex.string hit.sync.ttl:hit.sync.int
  hit.sync.idle:hit.sync.ttl
  hit.async.method:hit.sync.int hit.async.cached:hit.sync.int hit.memoized.1:hit.sync.int
  hit.memoized.ambient:hit.memoized.1 hit.memoized.bound:hit.memoized.1
  hit.memoized.scopes:hit.memoized.1 hit.memoized.2:hit.sync.string
  hit.memoized.prebuilt:hit.sync.string hit.immediate.prebuilt:hit.sync.string
  hit.memoized.key:mutex.key hit.immediate.key:mutex.key
  hit.immediate.global:mutex.key
  insert.evict:mutex.insert)

# The limits are those of one instruction set.
if [ "$(uname -sm)" != "Linux x86_64" ]; then
  for form in "${forms[@]}"; do
    echo "{\"name\": \"instr.${form%%:*}\", \"skipped\": \"counted on Linux x86_64 only\"}"
  done
  exit 0
fi

if ! command -v valgrind >/dev/null 2>&1 || [ ! -e /usr/include/valgrind/callgrind.h ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "please install valgrind" >&2
    exit 1
  fi
  apt-get update -qq >&2
  apt-get install -y -qq --no-install-recommends valgrind >&2
fi

swift build -c release --package-path Tests/Benchmarks --product instructions >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Without what it says for debuggers: older versions of valgrind give up on the form it has.
program="$folder/instructions"
strip --strip-debug -o "$program" \
  "$(swift build -c release --package-path Tests/Benchmarks --show-bin-path)/instructions"

hits=$(valgrind --tool=callgrind --collect-atstart=no --callgrind-out-file="$folder/out" \
  --log-file="$folder/log" "$program") || { cat "$folder/log" >&2; exit 1; }

# Every stop writes a file of its own, with its name and its total.
figures=$(awk -v hits="$hits" '
  /^desc: Trigger: Client Request: / { name = $NF }
  /^totals: / && name != "" { printf "%s %.2f\n", name, $2 / hits; name = "" }
' "$folder"/out.*)

of() { awk -v name="$1" '$1 == name { print $2 }' <<<"$figures"; }
line() {
  local value baseline
  value=$(of "$1") baseline=$(of "$2")
  [ -n "$value" ] && [ -n "$baseline" ] || { echo "callgrind told nothing of $1" >&2; exit 1; }
  awk -v name="$1" -v value="$value" -v baseline="$baseline" 'BEGIN {
    printf "{\"name\": \"instr.%s\", \"value\": %s, \"unit\": \"instr\", \"baseline\": %s, \"ratio\": %.3f}\n",
      name, value, baseline, value / baseline
  }'
}

for form in "${forms[@]}"; do line "${form%%:*}" "${form##*:}"; done
