(* Coq's numbers of 63 bits, without sign, as OCaml's int, which has 63 bits, too. *)
type t = int

let[@inline] of_int (x : int) : t = x
let[@inline] equal (x : t) (y : t) = x = y
let[@inline] less (x : t) (y : t) = x lxor min_int < y lxor min_int
let[@inline] at_most (x : t) (y : t) = x lxor min_int <= y lxor min_int
let[@inline] left (x : t) (n : t) = if n lsr 6 = 0 then if n < 63 then x lsl n else 0 else 0
let[@inline] right (x : t) (n : t) = if n lsr 6 = 0 then if n < 63 then x lsr n else 0 else 0

(* By long division, bit by bit; a division by zero gives zero. *)
let div (x : t) (y : t) =
  if y = 0 then 0
  else
    let quotient = ref 0 and rest = ref 0 in
    for i = 62 downto 0 do
      let carry = !rest < 0 in
      rest := (!rest lsl 1) lor ((x lsr i) land 1);
      if carry || at_most y !rest then (
        rest := !rest - y;
        quotient := !quotient lor (1 lsl i))
    done;
    !quotient
