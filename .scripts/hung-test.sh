#!/usr/bin/env bash
# Gives up ten thousand hung loads, ten times, and checks that the process does not grow.
#
#   .scripts/hung-test.sh [keys] [rounds]
#
# First as it is; then with what the producers captured kept alive, which must be found, else the
# test shows nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
# One arena of glibc's allocator: else each thread that ever ran a load keeps what was freed in one of
# its own, and that looks like growth.
export MALLOC_ARENA_MAX=1
keys=${1:-10000}
rounds=${2:-10}

swift build -c release --product hungtest
hungtest="$(swift build -c release --show-bin-path)/hungtest"

"$hungtest" --keys "$keys" --rounds "$rounds"

[ "$(uname)" = Linux ] || exit 0
status=0
planted=$("$hungtest" --keys "$keys" --rounds "$rounds" --keep) || status=$?
tail -n 1 <<<"$planted"
if [ "$status" -ne 1 ]; then
  echo "the hung test did not find the planted fault (status $status)"
  exit 1
fi
echo "the planted fault was found"
