#!/usr/bin/env bash
# Runs the suites with several threads under ThreadSanitizer (the flight state machine, a pure value, has
# none), then shows that it would have told of a race.
#
#   .scripts/sanitize.sh [build]     with `build`: builds only, so that it can go on beside other steps
set -euo pipefail
cd "$(dirname "$0")/.."

suites='SanitizerStress|FlightStress|MemoryStoreConcurrency|DiskStoreSharing'
options=(--sanitize thread --scratch-path .build/tsan -Xswiftc -DSANITIZE_THREAD)
suppressions="$PWD/.ci/tsan-suppressions"
export TSAN_OPTIONS="halt_on_error=0 exitcode=66 suppressions=$suppressions ${TSAN_OPTIONS:-}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

reports() { grep -c 'WARNING: ThreadSanitizer' "$log" || true; }

if [ "${1:-}" = build ]; then exec swift build --build-tests "${options[@]}"; fi
swift build --build-tests "${options[@]}"

status=0
swift test --skip-build "${options[@]}" --filter "$suites" >"$log" 2>&1 || status=$?
grep -E '^(. Test run with|. Suite .* (passed|failed))' "$log" || true
if [ "$status" -ne 0 ] || [ "$(reports)" -ne 0 ]; then
  cat "$log"
  echo "the sanitizer run ended with $status and $(reports) reports"
  exit 1
fi
grep -q 'SanitizerStressTests passed' "$log" || { echo "the stress suite did not run"; exit 1; }

CACHE_ASIDE_PLANTED_RACE=1 swift test --skip-build "${options[@]}" --filter PlantedRaceTests \
  >"$log" 2>&1 || status=$?
if [ "$(reports)" -eq 0 ] || [ "$status" -eq 0 ]; then
  cat "$log"
  echo "the planted race was not reported"
  exit 1
fi
echo "no race in the suites; the planted one was reported"
