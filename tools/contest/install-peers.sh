#!/bin/sh
# Installs the servers that ours is compared with: install-peers.sh [DIR], target/peers by default.
# Needs cargo, a C compiler and npm. Then: cargo run --release -p monotable-contest -- --peers DIR
set -eu
directory=${1:-target/peers}
mkdir -p "$directory/npm"

if [ ! -x "$directory/dynoxide/bin/dynoxide" ]; then
    cargo install dynoxide-rs --version 3.2.0 --locked --root "$directory/dynoxide" \
        --no-default-features --features native-sqlite,http-server,cli
fi
npm install --prefix "$directory/npm" --no-fund --no-audit --save-exact dynalite@4.0.0 @extenddb/linux-x64@0.1.10
chmod +x "$directory/npm/node_modules/@extenddb/linux-x64/extenddb"
