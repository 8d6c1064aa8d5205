#!/usr/bin/env bash
# Packages of exactly these versions as the real tools install them, for the tests of what installed packages say: each
# below a folder of its own in the folder that is named. Usage: packages.sh FOLDER
set -euo pipefail
sources="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
folder="$1"

# Made anew when what it must hold changes.
if cmp -s "$sources/packages.sh" "$folder/made-of"; then
    exit
fi
rm -rf "$folder"
mkdir -p "$folder"

# `decodeStrict`: not marked in 1.1.2, deprecated in 4.5.0, gone in 9.0.0.
for version in 1.1.2 4.5.0 9.0.0; do
    npm install --silent --ignore-scripts --no-audit --no-fund --no-save --prefix "$folder/npm-$version" "entities@$version"
done

# `LegacyVersion`: not marked in 19.2, deprecated in 21.3, gone in 22.0.
for version in 19.2 21.3 22.0; do
    python3 -m venv --without-pip "$folder/python-$version"
    python3 -m pip --python "$folder/python-$version/bin/python" install --quiet --disable-pip-version-check --no-deps \
        "packaging==$version"
done

# `encode`: not marked in 0.13.1, deprecated in 0.21.7.
for version in 0.13.1 0.21.7; do
    mkdir -p "$folder/cargo-$version/src"
    printf '[package]\nname = "fetch"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n[dependencies]\nbase64 = "=%s"\n' \
        "$version" >"$folder/cargo-$version/Cargo.toml"
    : >"$folder/cargo-$version/src/lib.rs"
    (cd "$folder/cargo-$version" && CARGO_HOME="$folder/cargo-home" cargo fetch --quiet)
done

cp "$sources/packages.sh" "$folder/made-of"
