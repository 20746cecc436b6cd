#!/usr/bin/env bash
# Formatting and documentation lint, line caps, and what the top level may hold.
set -euo pipefail
cd "$(dirname "$0")/.."
swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples
.scripts/line-cap.sh
.scripts/int-width.py
extra=$(ls -A | grep -vxE 'Package\.swift|Package\.resolved|Sources|Tests|Examples|Documentation|README\.md|LICENSE|\..*' || true)
[ -z "$extra" ] || { echo "the top level holds more than it may: $extra"; exit 1; }
