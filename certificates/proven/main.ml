(* Reads the files, and prints what the proven function says of them.
     sha256sum GUESSES ANSWERS | ./proven CERTIFICATE GUESSES ANSWERS [FROM [UNTIL]] *)
open Checked

let bytes path =
  let file = open_in_bin path in
  let text = really_input_string file (in_channel_length file) in
  close_in file;
  List.rev (Seq.fold_left (fun l c -> Char.code c :: l) [] (String.to_seq text))

let word text = List.map Char.code (List.of_seq (String.to_seq text))
let text word = String.of_seq (Seq.map Char.chr (List.to_seq word))

let fail why =
  prerr_endline (String.sub why 0 (min (String.length why) 200));
  exit 1

let rec nat n = if n <= 0 then O else S (nat (n - 1))

let rec positive = function
  | XH -> 1
  | XO p -> 2 * positive p
  | XI p -> (2 * positive p) + 1

let number = function Z0 -> 0 | Zpos p -> positive p | Zneg p -> -positive p

let () =
  Gc.set { (Gc.get ()) with space_overhead = 200; minor_heap_size = 1 lsl 20 };
  let arguments = Array.length Sys.argv in
  if arguments < 4 || arguments > 6 then
    fail "sha256sum LISTS | proven CERTIFICATE GUESSES ANSWERS [FROM [UNTIL]]";
  try
    let hash () = word (List.hd (String.split_on_char ' ' (input_line stdin))) in
    let guesses_hash = hash () in
    let answers_hash = hash () in
    let file i = bytes Sys.argv.(i) in
    let from = if arguments > 4 then int_of_string Sys.argv.(4) else 0 in
    let until =
      if arguments > 5 then Some (nat (int_of_string Sys.argv.(5))) else None
    in
    match
      check (file 1) (file 2) (file 3) guesses_hash answers_hash (nat from) until
    with
    | Refused why -> fail (String.concat " " (List.map text why))
    | Good c ->
        if arguments > 4 then
          Printf.printf "Openers from %d to %s: " from
            (if arguments > 5 then Sys.argv.(5) else "the end");
        Printf.printf "Proved: %s takes %d guesses in all" (text c.opener) (number c.bound);
        (match c.others with
        | None -> print_newline ()
        | Some b -> Printf.printf ", and every other opener takes at least %d\n" (number b))
  with
  | Sys_error why -> fail why
  | End_of_file -> fail "no hashes from sha256sum"
  | Failure why -> fail why
  | Stack_overflow -> fail "the stack is too small: ulimit -s unlimited"
  | Out_of_memory -> fail "out of memory"
