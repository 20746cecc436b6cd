#!/usr/bin/env bash
# Uses caches in every way for minutes, and checks that the process does not grow.
#
#   .scripts/soak-test.sh [seconds]
#
# First as it is; then, shorter, with deadlines that outlive their loads, which must be found, else the
# test shows nothing. In less than three minutes the size of a process says little; its deadlines and
# sleepers are judged all the same.
set -euo pipefail
cd "$(dirname "$0")/.."
# One arena of glibc's allocator: else each thread that ever ran a load keeps what was freed in one of
# its own, and that looks like growth.
export MALLOC_ARENA_MAX=1
seconds=${1:-300}
every=20
if [ "$seconds" -lt 60 ]; then every=$(((seconds + 5) / 6)); fi

swift build -c release --product soaktest
soaktest="$(swift build -c release --show-bin-path)/soaktest"

"$soaktest" --seconds "$seconds" --every "$every"

[ "$(uname)" = Linux ] || exit 0
status=0
planted=$("$soaktest" --seconds 12 --every 2 --leak) || status=$?
tail -n 1 <<<"$planted"
if [ "$status" -ne 1 ]; then
  echo "the soak test did not find the planted fault (status $status)"
  exit 1
fi
echo "the planted fault was found"
