#!/usr/bin/env bash
# Drives caches over every kind of store with random sequences of all verbs, and compares what they
# return with a dictionary that has times.
#
#   .scripts/model-test.sh [steps] [seed]
#
# When something is wrong it prints the seed and the shortest failing sequence that it found.
set -euo pipefail
cd "$(dirname "$0")/.."
swift build -c release --product modeltest
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$(swift build -c release --show-bin-path)/modeltest" \
  --steps "${1:-200000}" --seed "${2:-1}" --folder "$folder"
