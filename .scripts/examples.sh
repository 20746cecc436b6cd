#!/usr/bin/env bash
# Runs every example on this checkout and checks what it prints.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME="$folder/cache" HOME="$folder"
cp -R Sources "$folder/sources"

swift build -c release --product quickstart
swift build -c release --product flaky-source
binaries=$(swift build -c release --show-bin-path)
quickstart="$binaries/quickstart"
flaky="$binaries/flaky-source"

field() { sed -E "s/.*\"$2\": ([0-9]+).*/\1/" <<<"$1"; }
expect() { [ "$2" = "$3" ] || { echo "$1 is $2, should be $3"; exit 1; }; }

first=$("$quickstart" --clear --json "$folder/sources"); echo "$first"
files=$(field "$first" files)
expect produced "$(field "$first" produced)" "$files"
expect calls "$(field "$first" calls)" $((8 * files))
expect failures "$(field "$first" failures)" 0

second=$("$quickstart" --json "$folder/sources"); echo "$second"
expect "produced by the second run" "$(field "$second" produced)" 0
expect "disk hits of the second run" "$(field "$second" diskHits)" "$files"

echo "// changed" >> "$(find "$folder/sources" -name '*.swift' | head -n 1)"
third=$("$quickstart" --json "$folder/sources"); echo "$third"
expect "produced after one change" "$(field "$third" produced)" 1

status=0
"$quickstart" "$folder/absent" 2>"$folder/message" || status=$?
expect "the exit status for a missing path" "$status" 1
grep -q "absent" "$folder/message" || { echo "quickstart does not name the missing path"; exit 1; }

ln -s sources "$folder/link"
linked=$("$quickstart" --json "$folder/link")
expect "files behind a link" "$(field "$linked" files)" "$files"
mkfifo "$folder/pipe"
status=0
"$quickstart" "$folder/pipe" 2>"$folder/message" || status=$?
expect "the exit status for a pipe" "$status" 1

# It checks itself. Outside the window errors are no broken promise.
"$flaky" --seconds 8
TMPDIR="$folder" "$flaky" --seconds 6 --window 1 >"$folder/table"
grep -q "error after it" "$folder/table" || { echo "flaky-source shows no error after the window"; exit 1; }
leftovers=$(find "$folder" -maxdepth 1 -name 'flaky-source-*')
[ -z "$leftovers" ] || { echo "flaky-source leaves files behind"; exit 1; }
"$flaky" --help | grep -q usage
status=0
"$flaky" --seconds none 2>"$folder/message" || status=$?
expect "the exit status of flaky-source for a bad number" "$status" 1
