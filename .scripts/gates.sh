#!/usr/bin/env bash
# Takes the figures that have a limit in Tests/Benchmarks/gates.json, and fails when one is exceeded.
#
# Rows of the benchmarks are run here; rows of other programs are JSON lines that they print, one
# a row (or {"name": "…", "skipped": "reason"}). CACHEASIDE_TRACES names the folder of traces.
set -euo pipefail
cd "$(dirname "$0")/.."

rows=$(mktemp)
trap 'rm -f "$rows"' EXIT

# Other programs, one line each.
.scripts/instructions.sh >> "$rows"

traces=()
if [ -n "${CACHEASIDE_TRACES:-}" ]; then traces=(--traces "$CACHEASIDE_TRACES"); fi
swift run -c release --package-path Tests/Benchmarks benchmarks \
  --gates Tests/Benchmarks/gates.json --rows "$rows" ${traces[@]+"${traces[@]}"} "$@"
