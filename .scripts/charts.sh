#!/usr/bin/env bash
# Runs the benchmarks and draws their charts into Documentation/Benchmarks, with the figures beside.
#
#   .scripts/charts.sh [DIR]            DIR has the traces; $CACHEASIDE_TRACES without it
#   .scripts/charts.sh --from LINES     draws the lines of an earlier run, which `--json` printed
set -euo pipefail
cd "$(dirname "$0")/.."
folder=Documentation/Benchmarks
mkdir -p "$folder"
swift build -c release --package-path Tests/Benchmarks
benchmarks="$(swift build -c release --package-path Tests/Benchmarks --show-bin-path)/benchmarks"

if [ "${1:-}" = --from ]; then
  [ "$2" -ef "$folder/results.jsonl" ] || cp "$2" "$folder/results.jsonl"
else
  traces=${1:-${CACHEASIDE_TRACES:-}}
  "$benchmarks" --json ${traces:+--traces "$traces"} >"$folder/results.jsonl.new"
  mv "$folder/results.jsonl.new" "$folder/results.jsonl"
fi
"$benchmarks" --charts "$folder" <"$folder/results.jsonl"
