(* Writes the checker in OCaml. What stands here is trusted: it says what Coq's numbers, arrays,
   truth values, lists, pairs and options are in OCaml. *)
Require Import Extraction ExtrOcamlBasic Uint63 PArray.
Require Import checker.
Extract Inductive bool => "bool" ["true" "false"].
Extract Constant Uint63.int => "Uint63.t".
Extraction Inline Uint63.int.
Extract Inlined Constant Uint63.lsl => "Uint63.left".
Extract Inlined Constant Uint63.lsr => "Uint63.right".
Extract Inlined Constant Uint63.land => "(land)".
Extract Inlined Constant Uint63.lor => "(lor)".
Extract Inlined Constant Uint63.lxor => "(lxor)".
Extract Inlined Constant Uint63.add => "(+)".
Extract Inlined Constant Uint63.sub => "(-)".
Extract Inlined Constant Uint63.mul => "( * )".
Extract Inlined Constant Uint63.div => "Uint63.div".
Extract Inlined Constant Uint63.eqb => "Uint63.equal".
Extract Inlined Constant Uint63.ltb => "Uint63.less".
Extract Inlined Constant Uint63.leb => "Uint63.at_most".
Extract Constant PArray.array "'a" => "'a Parray.t".
Extract Inlined Constant PArray.make => "Parray.make".
Extract Inlined Constant PArray.get => "Parray.get".
Extract Inlined Constant PArray.set => "Parray.set".
Extraction Inline code.
Extraction "checked.ml" check in_order.
