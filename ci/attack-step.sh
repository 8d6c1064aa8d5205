#!/bin/sh
# The steps of the hostile-input corpus that need more than one command.
set -u
step=$1 root=$2 out=$3
shift 3
rules=$(dirname "$0")/attack-rules
XDG_STATE_HOME="$out/state"
export XDG_STATE_HOME

scan() {
    name=$1
    shift
    cortex-scan "$root" --fail-on none --out "$out/$name" "$@"
}

# A comparison may be refused, where there is nothing to compare with; it must not crash.
side() {
    scan "$@"
    code=$?
    [ "$code" -le 4 ] || exit "$code"
}

case $step in
scan_git)
    side against-head --rules "$rules" --base HEAD
    side staged --rules "$rules" --staged
    scan bundle --rules "$rules"
    ;;
preview)
    scan bundle "--pattern=$1" "--language=$2" "--rewrite=$3" --preview >&2 || exit
    for kept in "$XDG_STATE_HOME"/cortex/previews/pv_*.json; do
        printf '{"preview_id": "%s"}\n' "$(basename "$kept" .json)"
    done
    ;;
docs)
    # Whoever runs the program agrees where the case has a provider of its own; one that a repository names is not asked.
    if [ -n "${CODECORTEX_DEPENDENCY_DOCS_URL:-}" ]; then
        CODECORTEX_DEPENDENCY_DOCS=1
        export CODECORTEX_DEPENDENCY_DOCS
    fi
    cortex deps docs "$1" "how is it used" --path "$root"
    ;;
validate)
    python3 - "$out/config.json" "$@" <<'PYTHON'
import json, sys
check = {"name": "given", "argv": sys.argv[2:], "timeout_seconds": 5}
json.dump({"validation": {"commands": [check]}}, open(sys.argv[1], "w"))
PYTHON
    scan bundle '--pattern=old_api($X)' --language=ts '--rewrite=new_api($X)' --preview --validate \
        --config "$out/config.json"
    ;;
esac
