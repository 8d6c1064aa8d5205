#!/usr/bin/env bash
# The real indexers that the tests run, of exactly these versions, as one program each in the folder that is named: it
# indexes the folder that it is started in and writes `index.scip` there. Beside them lies `NAME.left-out` for each that
# this machine cannot run. Usage: indexers.sh FOLDER TY_SCIP
set -euo pipefail
sources="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
folder="$1" ty_scip="$2"

# The tests start a program with no variables, so that it brings its own.
program() {
    local name="$1" variable
    shift
    {
        printf '#!/usr/bin/env bash\nset -euo pipefail\n'
        for variable in PATH HOME CARGO_HOME RUSTUP_HOME GOPATH GOCACHE; do
            [ -z "${!variable:-}" ] || printf 'export %s=%q\n' "$variable" "${!variable}"
        done
        # What an indexer might want from elsewhere is not in the fixtures.
        printf 'export CARGO_NET_OFFLINE=true GOPROXY=off GOTOOLCHAIN=local\n'
        printf 'exec'
        printf ' %q' "$@"
        printf '\n'
    } >"$folder/$name"
    chmod +x "$folder/$name"
}

left_out() {
    printf '%s\n' "$2" >"$folder/$1.left-out"
    echo "$1: left out: $2"
}

# Made anew when what it must hold changes.
if ! cat "$sources/indexers.sh" "$sources"/indexers/* | cmp -s - "$folder/made-of"; then
    rm -rf "$folder"
    mkdir -p "$folder"
    cp "$sources"/indexers/package*.json "$folder"
    npm ci --silent --ignore-scripts --no-audit --no-fund --prefix "$folder"
    if command -v go >/dev/null; then
        GOBIN="$folder/go" go install github.com/scip-code/scip-go/cmd/scip-go@v0.2.9
    fi
    cat "$sources/indexers.sh" "$sources"/indexers/* >"$folder/made-of"
fi

rm -f "$folder"/*.left-out
echo '[]' >"$folder/no-packages.json"
program scip-typescript "$folder/node_modules/.bin/scip-typescript" index
# With a relative --cwd it writes an empty index and ends with 0, so that it has none.
program scip-python "$folder/node_modules/.bin/scip-python" index --quiet --project-name demo --project-version 1.0.0 \
    --environment "$folder/no-packages.json"
program ty-scip "$ty_scip" index --quiet --project-name demo --project-version 1.0.0 . index.scip
if [ -x "$folder/go/scip-go" ]; then
    program scip-go "$folder/go/scip-go" index
else
    left_out scip-go "there is no Go to build it with"
fi
# Rustup has a stand-in of that name that only says how to get the real one.
if ! rust-analyzer --version >/dev/null 2>&1 && command -v rustup >/dev/null; then
    rustup component add rust-analyzer >/dev/null 2>&1 || true
fi
if rust-analyzer --version 2>/dev/null | grep -q '^rust-analyzer 1\.95\.0 '; then
    program rust-analyzer rust-analyzer scip .
else
    left_out rust-analyzer "rust-analyzer 1.95.0 is not here; \`rustup component add rust-analyzer\` brings it"
fi
