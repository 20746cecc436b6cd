#!/usr/bin/env bash
# Fails when a Swift file is longer than 400 lines, or README.md than 120.
set -euo pipefail
cd "$(dirname "$0")/.."
find Sources Tests Examples -name '*.swift' -not -path '*/.build/*' -print0 | xargs -0 wc -l \
  | awk '$2 != "total" && $1 > 400 { print "over 400 lines: " $0; bad = 1 } END { exit bad }'
lines=$(wc -l < README.md)
[ "$lines" -le 120 ] || { echo "README.md has $lines lines; 120 at most"; exit 1; }
