#!/usr/bin/env bash
# Lets Coq check mean.v (Debian: apt-get install coq). It ends with three lines "Closed under the
# global context": nothing is assumed beyond what the section states of a game.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here/mean.v" "$scratch"
cd "$scratch" && coqc -q mean.v
