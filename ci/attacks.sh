#!/bin/sh
# Runs the hostile-input corpus against the programs of target/debug, or of $CORTEX_BIN.
# usage: ci/attacks.sh RUNNER [ARGUMENT...], such as: ci/attacks.sh path/to/run_attacks.py --only '^fs-'
set -eu
ci=$(cd "$(dirname "$0")" && pwd)
runner=$1
shift
commands=$(mktemp)
trap 'rm -f "$commands"' EXIT
sed "s|@CI@|$ci|g" "$ci/attacks.json" >"$commands"
PATH="${CORTEX_BIN:-$ci/../target/debug}:$PATH" python3 "$runner" --commands "$commands" "$@"
