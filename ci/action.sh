#!/usr/bin/env bash
# What action.yml runs: installs the program, scans, and hands the results on. Every input comes through the
# environment; none of them is ever part of a command's text. INPUT_PROGRAM names a program that is there already.
set -euo pipefail

temporary="${RUNNER_TEMP:-$(mktemp -d)}"
program="${INPUT_PROGRAM:-}"
if [ -z "$program" ]; then
    action="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
    cargo install --quiet --locked --path "$action" --bin cortex-scan --root "$temporary/cortex-program"
    program="$temporary/cortex-program/bin/cortex-scan"
fi

bundle="$temporary/cortex-bundle"
arguments=(--out "$bundle" --fail-on "${INPUT_FAIL_ON:-warning}" --format github)
[ -z "${INPUT_BASE:-}" ] || arguments+=("--base=$INPUT_BASE")
[ -z "${INPUT_RULES:-}" ] || arguments+=("--rules=$INPUT_RULES")

status=0
"$program" "${arguments[@]}" -- "${INPUT_PATH:-.}" || status=$?
case "$status" in
0) verdict=clean ;;
1) verdict=findings ;;
3) verdict=incomplete ;;
4) verdict=refused ;;
*) verdict=error ;;
esac

findings=0
if [ -f "$bundle/findings.jsonl" ]; then
    findings="$(wc -l <"$bundle/findings.jsonl" | tr -d ' ')"
    cat "$bundle/report.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
{
    printf 'verdict=%s\n' "$verdict"
    printf 'findings=%s\n' "$findings"
    printf 'bundle=%s\n' "$bundle"
    printf 'sarif=%s\n' "$bundle/results.sarif"
} >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$status"
