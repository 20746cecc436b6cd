#!/usr/bin/env bash
# Reads objects of two seconds at the end of their lives, by the system's clock: none may be late.
#
#   .scripts/late-test.sh [rounds]
set -euo pipefail
cd "$(dirname "$0")/.."
swift build -c release --product latetest
"$(swift build -c release --show-bin-path)/latetest" --rounds "${1:-2}"
