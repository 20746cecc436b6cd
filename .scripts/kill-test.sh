#!/usr/bin/env bash
# Kills two processes at random moments while they write to one folder, and checks what is left.
#
#   .scripts/kill-test.sh [rounds] [seed]
#
# First the whole test against the store as it is; then a few rounds over a file system that
# overwrites in place, whose fault must be found, else the test shows nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-50}
seed=${2:-1}

swift build -c release --product killtest
killtest="$(swift build -c release --show-bin-path)/killtest"

"$killtest" drive --rounds "$rounds" --seed "$seed"

# Two processes of two stores remove by tag at once; then the cost of such a removal, which must not grow.
"$killtest" ledger --seconds 5
"$killtest" ledger-cost --removals 10000

status=0
planted=$("$killtest" drive --rounds 4 --seed "$seed" --naive) || status=$?
tail -n 2 <<<"$planted"
if [ "$status" -ne 1 ]; then
  echo "the kill test did not find the planted fault (status $status)"
  exit 1
fi
echo "the planted fault was found"
