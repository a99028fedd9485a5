#!/usr/bin/env bash
# Lets Coq check the proofs, extracts the checker, and compiles it as the program `proven` in a
# folder, here if none is given (Debian: apt-get install coq ocaml-nox). Prints the assumptions of
# the two theorems; fails if one of them is not in the list below.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
into=$(cd "${1:-.}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Coq's numbers of 63 bits and its arrays are built in: these are their types, their operations,
# and what Coq's library states of the operations.
allowed='int lsl lsr land lor lxor add sub mul eqb ltb leb
  of_to_Z lsl_spec lsr_spec lor_spec add_spec sub_spec eqb_correct eqb_refl ltb_spec leb_spec
  array make get default set length
  get_out_of_bounds get_set_same get_set_other default_set get_make length_set'

cp "$here"/*.v "$here"/*.ml "$here/../proofs/mean.v" "$scratch"
cd "$scratch"
for file in mean game bounds checker renaming sound; do coqc -q "$file.v" > /dev/null; done
coqc -q theorem.v | tee assumptions
[[ $(grep -c '^Axioms:$' assumptions) == 2 ]]
for name in $(grep -oE '^[A-Za-z][A-Za-z0-9_.]*' assumptions | grep -vx Axioms | sort -u); do
  grep -qw -- "${name##*.}" <<< "$allowed" || { echo "not allowed: $name" >&2; exit 1; }
done
coqc -q extract.v > /dev/null
rm checked.mli
ocamlopt -inline 200 -o proven uint63.ml parray.ml checked.ml main.ml
cp proven "$into"
