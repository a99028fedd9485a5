(* The checker, as functions that Coq extracts. sound.v proves what holds if it accepts. *)
Require Import List ZArith Uint63 PArray Bool String Ascii Orders Mergesort.
Require Import game.
Import ListNotations.
Local Open Scope uint63_scope.

Inductive result A := Good (a : A) | Refused (why : list word).
Arguments Good {A} a.
Arguments Refused {A} why.

Notation "'let*' x := r 'in' e" := (match r with Good x => e | Refused why => Refused why end)
  (at level 200, x pattern, e at level 200).
Notation "'require' b 'else' why 'in' e" := (if b then e else Refused why)
  (at level 200, e at level 200).

(* Texts. A byte is the number that it is. *)
Definition of_ascii (c : ascii) : int :=
  let 'Ascii a b c d e f g h := c in
  let bit (x : bool) (n : int) := if x then n else 0 in
  bit a 1 + bit b 2 + bit c 4 + bit d 8 + bit e 16 + bit f 32 + bit g 64 + bit h 128.
Fixpoint text (s : string) : word :=
  match s with EmptyString => [] | String c s => of_ascii c :: text s end.

(* The lines of a text, each a list of words with one blank between; None if there are others. *)
Fixpoint lines_of (t : list int) (w : word) (ws : list word) (ls : list (list word))
  : option (list (list word)) :=
  match t with
  | [] => match w, ws with [], [] => Some (rev' ls) | _, _ => None end
  | c :: t =>
      if c =? 10 then
        match w with [] => None | _ => lines_of t [] [] (rev' (rev' w :: ws) :: ls) end
      else if c =? 32 then match w with [] => None | _ => lines_of t [] (rev' w :: ws) ls end
      else if (33 <=? c) && (c <=? 126) then lines_of t (c :: w) ws ls
      else None
  end.
Definition lines (t : list int) := lines_of t [] [] [].

Definition same_words (v w : list word) : bool :=
  (fix same v w := match v, w with
   | [], [] => true | x :: v, y :: w => same_word x y && same v w | _, _ => false end) v w.
Definition words (s : string) : list word :=
  match lines (text s ++ [10]) with Some [l] => l | _ => [] end.

Definition digit (c : int) : option Z :=
  if (48 <=? c) && (c <=? 57) then Some (to_Z (c - 48)) else None.
Fixpoint digits_of (w : word) (n : Z) : option Z :=
  match w with
  | [] => Some n
  | c :: w => match digit c with Some d => digits_of w (10 * n + d)%Z | None => None end
  end.
Definition number (w : word) : result Z :=
  let no := Refused [text "no"; text "number:"; w] in
  match w with
  | [] => no
  | [c] => match digits_of w 0 with Some n => Good n | None => no end
  | c :: _ =>
      if (c =? 48) || Nat.ltb 13 (List.length w) then no
      else match digits_of w 0 with
           | Some n => if (n <? 2 ^ 40)%Z then Good n else no
           | None => no
           end
  end.

Fixpoint distinct (l : list word) : bool :=
  match l with [] => true | w :: l => negb (existsb (same_word w) l) && distinct l end.

(* A list of words: one a line, of one length. *)
Definition word_list (t : list int) : result (list word) :=
  match lines t with
  | Some (((first :: _) :: _) as ls) =>
      let size := List.length first in
      let plain (l : list word) :=
        match l with [w] => Nat.eqb (List.length w) size | _ => false end in
      require forallb plain ls && Nat.leb 2 size && Nat.leb size 15 &&
        (Z.of_nat (List.length ls) <? 65536)%Z else words "not a list of plain words" in
      Good (map (fun l => hd [] l) ls)
  | _ => Refused (words "not a list of words")
  end.

(* Feedback has a code of 8 bits, and codes are packed by seven.
  A table says what a code stands for. *)
Definition eq_colour (a b : colour) : bool :=
  match a, b with Grey, Grey | Yellow, Yellow | Green, Green => true | _, _ => false end.
Fixpoint eq_colours (a b : list colour) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => eq_colour x y && eq_colours a b
  | _, _ => false
  end.
Definition eq_pattern (p q : pattern) : bool :=
  match p, q with
  | Colours a, Colours b => eq_colours a b
  | Counts a b, Counts c d => Nat.eqb a c && Nat.eqb b d
  | _, _ => false
  end.
Definition eq_feedback (p q : option pattern) : bool :=
  match p, q with None, None => true | Some p, Some q => eq_pattern p q | _, _ => false end.

Definition found_code : int := 247.
Fixpoint of_nat (n : nat) : int := match n with O => 0 | S n => 1 + of_nat n end.
Definition of_colour (c : colour) : int := match c with Grey => 0 | Yellow => 1 | Green => 2 end.
Definition encode (p : option pattern) : int :=
  match p with
  | None => found_code
  | Some (Colours l) => fold_left (fun n c => 3 * n + of_colour c) l 0
  | Some (Counts a b) => 16 * of_nat a + of_nat b
  end.
Fixpoint all_colours (n : nat) : list (list colour) :=
  match n with
  | O => [[]]
  | S n => flat_map (fun l => [Grey :: l; Yellow :: l; Green :: l]) (all_colours n)
  end.
Definition all_patterns (k : kind) (size : nat) : list (option pattern) :=
  match k with
  | Letters => map (fun l => Some (Colours l)) (all_colours size)
  | Pegs => flat_map (fun a => map (fun b => Some (Counts a b)) (seq 0 (S size))) (seq 0 (S size))
  end.
Definition table_of (k : kind) (size : nat) : array (option pattern) :=
  fold_left (fun t p => t.[encode p <- p]) (all_patterns k size) (make 256 None).

(* [cells] has eight numbers for each answer, from its index on. Each number has the codes of seven
   guesses: [place] tells the number of a guess, and [shift] its code in it.
   [most]: no more feedbacks than these does the guess give to all answers. *)
Record guess := Guess { gword : word; cells : array int; place : int; shift : int; most : int }.
Record answer := Answer { aword : word; index : int; own : guess }.

Definition code (g : guess) (a : answer) : int :=
  ((cells g).[index a + place g] >> shift g) land 255.

(* Guesses with the same cells and place, and the list of all guesses. *)
Definition block := (array int * int * list guess)%type.
Definition with_cells (t : array int * int) (g : guess) : guess :=
  Guess (gword g) (fst t) (snd t) (shift g) (most g).
Definition flat (bs : list block) : list guess :=
  flat_map (fun b => map (with_cells (fst b)) (snd b)) bs.

Fixpoint count (l : list answer) (n : int) : int :=
  match l with [] => n | _ :: l => count l (n + 1) end.

(* Of each answer, the seven codes. *)
Definition column (t : array int) (p : int) (l : list int) : list int := map (fun i => t.[i + p]) l.

(* How many answers receive a feedback from a guess that an earlier answer receives; from [stop] on
   counting may end. The feedbacks met are bits of four numbers. *)
Fixpoint repeats (s stop : int) (l : list int) (w0 w1 w2 w3 n : int) : int :=
  match l with
  | [] => n
  | x :: l =>
      let c := (x >> s) land 255 in
      if c <? 62 then
        if bit w0 c then
          let n := n + 1 in if stop <=? n then n else repeats s stop l w0 w1 w2 w3 n
        else repeats s stop l (w0 lor (1 << c)) w1 w2 w3 n
      else if c <? 124 then
        let d := c - 62 in
        if bit w1 d then
          let n := n + 1 in if stop <=? n then n else repeats s stop l w0 w1 w2 w3 n
        else repeats s stop l w0 (w1 lor (1 << d)) w2 w3 n
      else if c <? 186 then
        let d := c - 124 in
        if bit w2 d then
          let n := n + 1 in if stop <=? n then n else repeats s stop l w0 w1 w2 w3 n
        else repeats s stop l w0 w1 (w2 lor (1 << d)) w3 n
      else
        let d := c - 186 in
        if bit w3 d then
          let n := n + 1 in if stop <=? n then n else repeats s stop l w0 w1 w2 w3 n
        else repeats s stop l w0 w1 w2 (w3 lor (1 << d)) n
  end.
Definition repeated (g : guess) (stop : int) (l : list answer) : int :=
  repeats (shift g) stop (column (cells g) (place g) (map index l)) 0 0 0 0 0.

(* One ply (lemma 4): a guess costs 2n and its repeats, less 1 if it finds an answer. Returns the
   least, less 2n - 1: first of answers of the state, then of all guesses. *)
Fixpoint least_of_own (l state : list answer) (v : int) : int :=
  match l with
  | [] => v
  | a :: l =>
      let r := repeated (own a) v state in least_of_own l state (if r <? v then r else v)
  end.
Definition skips (n v : int) (g : guess) : bool :=
  (v <=? 1) || (most g <=? n) && (v - 1 <=? n - most g).
Fixpoint least_of_block (gs : list guess) (col : list int) (n v : int) : int :=
  match gs with
  | [] => v
  | g :: gs =>
      if skips n v g then least_of_block gs col n v
      else let r := repeats (shift g) (v - 1) col 0 0 0 0 0 + 1 in
           least_of_block gs col n (if r <? v then r else v)
  end.
Fixpoint least_of_all (bs : list block) (state : list int) (n v : int) : int :=
  match bs with
  | [] => v
  | (t, gs) :: bs =>
      if v <=? 1 then v
      else if forallb (skips n v) gs then least_of_all bs state n v
      else least_of_all bs state n (least_of_block gs (column (fst t) (snd t) state) n v)
  end.
Definition ply (bs : list block) (state : list answer) : Z :=
  let n := count state 0 in
  let v := least_of_all bs (map index state) n (least_of_own state state n) in
  (2 * to_Z n + to_Z v - 1)%Z.

(* What belongs to words, by a hash of the words. *)
Definition seat (w : word) : int :=
  fold_left (fun h c => ((h lxor c) * 1181783497276652981) >> 1) w 0 land 65535.
Definition seated {A} (of : A -> word) (l : list A) : array (list A) :=
  fold_left (fun t x => let h := seat (of x) in t.[h <- x :: t.[h]]) l (make 65536 []).
Definition at_word {A} (of : A -> word) (t : array (list A)) (w : word) : option A :=
  find (fun x => same_word w (of x)) t.[seat w].

(* Renamings: exchanges of neighbouring places and of symbols, one after another (lemma 8). *)
Inductive exchange := Places (i : nat) | Symbols (c d : int).
Fixpoint exchanged_at (i : nat) (w : word) : word :=
  match i, w with
  | O, x :: y :: w => y :: x :: w
  | S i, x :: w => x :: exchanged_at i w
  | _, _ => w
  end.
Definition other (c d x : int) : int := if x =? c then d else if x =? d then c else x.
Definition exchanged (e : exchange) (w : word) : word :=
  match e with Places i => exchanged_at i w | Symbols c d => map (other c d) w end.
Definition renamed (r : list exchange) (w : word) : word :=
  fold_left (fun w e => exchanged e w) r w.

(* An order of places: the exchanges that make it, and how far to shift a packed word for each. *)
Record order := Order { makes : list exchange; shifts : list int }.
Record renamings := Renamings
  { long : nat; symbols : list int; orders : list order; by_word : array (list answer) }.
Definition is_allowed (s : renamings) (e : exchange) : bool :=
  match e with
  | Places i => Nat.ltb (S i) (long s)
  | Symbols c d => holds c (symbols s) && holds d (symbols s)
  end.
Definition all_exchanges (s : renamings) : list exchange :=
  map Places (seq 0 (long s)) ++ flat_map (fun c => map (Symbols c) (symbols s)) (symbols s).
(* Each exchange maps a list of words to itself. *)
Definition is_closed (s : renamings) (l : list word) : bool :=
  let t := seated (fun w => w) l in
  let is_in w := match at_word (fun w => w) t w with Some _ => true | None => false end in
  forallb (fun w => Nat.eqb (List.length w) (long s)) l &&
  forallb (fun e => forallb (fun w => is_in (exchanged e w)) l) (all_exchanges s).

(* Exchanges of symbols that rename the first symbols to the second. *)
Fixpoint naming (xs ys : list int) : list exchange :=
  match xs, ys with
  | x :: xs, y :: ys =>
      if x =? y then naming xs ys else Symbols x y :: naming (map (other x y) xs) ys
  | _, _ => []
  end.

(* The form of a state, as FORMAT.md defines it; but it holds answers, sorted by their index. *)
Module By_index <: TotalLeBool.
  Definition t := answer.
  Definition leb (a b : t) := index a <=? index b.
  Lemma leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof.
    intros a b. unfold leb. rewrite !leb_spec. apply Z.le_ge_cases.
  Qed.
End By_index.
Module Answers := Sort By_index.
Module By_value <: TotalLeBool.
  Definition t := int.
  Definition leb (a b : t) := a <=? b.
  Lemma leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof.
    intros a b. unfold leb. rewrite !leb_spec. apply Z.le_ge_cases.
  Qed.
End By_value.
Module Numbers := Sort By_value.
Fixpoint is_less (v w : list int) : bool :=
  match v, w with
  | x :: v, y :: w => if x =? y then is_less v w else x <? y
  | _, _ => false
  end.

(* How often each symbol is in each place: ten bits or more of a number for each place. *)
Definition packed (w : word) : int := fold_left (fun n c => (n << 8) lor c) w 0.
Fixpoint tallied (x step : int) (n : nat) (one : int) (t : array int) : array int :=
  match n with
  | O => t
  | S n => let c := x land 255 in tallied (x >> 8) step n (one << step) t.[c <- t.[c] + one]
  end.
Fixpoint ranked (c key : int) (l : list (int * int)) : list (int * int) :=
  match l with
  | [] => [(c, key)]
  | (d, other) :: l' => if other <? key then (c, key) :: l else (d, other) :: ranked c key l'
  end.
Definition frequency (step : int) (o : order) (n : int) : int :=
  let mask := (1 << step) - 1 in
  fold_left (fun key s => (key << step) lor ((n >> ((s >> 3) * step)) land mask)) (shifts o) 0.
Definition by_frequency (s : renamings) (step : int) (o : order) (t : array int) : list int :=
  map fst (fold_left (fun l c => ranked c (frequency step o t.[c]) l) (symbols s) []).
Fixpoint numbered (l : list int) (n : int) (t : array int) : array int :=
  match l with [] => t | c :: l => numbered l (n + 1) t.[c <- n] end.
Fixpoint least_form (s : renamings) (step : int) (xs : list int) (t names : array int)
    (os : list order) (best : list int) (r : list exchange) : list exchange :=
  match os with
  | [] => r
  | o :: os =>
      let by_rank := by_frequency s step o t in
      let names := numbered by_rank 0 names in
      let mine := Numbers.sort
        (map (fun x => fold_left (fun n s => (n << 8) lor names.[(x >> s) land 255]) (shifts o) 0)
           xs) in
      match best with
      | [] => least_form s step xs t names os mine (makes o ++ naming by_rank (symbols s))
      | _ => if is_less mine best
             then least_form s step xs t names os mine (makes o ++ naming by_rank (symbols s))
             else least_form s step xs t names os best r
      end
  end.
Definition to_form (s : renamings) (p : list answer) : list exchange :=
  let xs := map (fun a => packed (aword a)) p in
  let step := if Nat.leb (long s) 4 then 15 else if Nat.leb (long s) 5 then 12 else 10 in
  let t := fold_left (fun t x => tallied x step (long s) 1 t) xs (make 256 0) in
  least_form s step xs t (make 256 0) (orders s) [] [].
Fixpoint images (t : array (list answer)) (r : list exchange) (p : list answer)
  : option (list answer) :=
  match p with
  | [] => Some []
  | a :: p =>
      match at_word aword t (renamed r (aword a)), images t r p with
      | Some b, Some q => Some (b :: q)
      | _, _ => None
      end
  end.
Definition form (s : option renamings) (p : list answer) : list answer :=
  match s with
  | None => p
  | Some s =>
      let r := to_form s p in
      match images (by_word s) r p with
      | Some q => if forallb (is_allowed s) r then Answers.sort q else p
      | None => p
      end
  end.

(* Whether a renaming that keeps some words maps a guess to a lesser one, with no lesser goal. *)
Definition keeps (s : renamings) (made : list word) (r : list exchange) : bool :=
  forallb (is_allowed s) r &&
  forallb (fun w => Nat.eqb (List.length w) (long s) && same_word (renamed r w) w) made.
Definition keeping (s : renamings) (made : list word) : list (list exchange) :=
  filter (keeps s made)
    (map (fun o =>
       makes o ++ naming (List.concat (map (renamed (makes o)) made)) (List.concat made))
      (orders s)).
Fixpoint completed (fuel w : word) (named free : list int) : list exchange :=
  match fuel, w, free with
  | _ :: fuel, x :: w, y :: free' =>
      if holds x named then completed fuel w named free
      else if x =? y then completed fuel w (y :: named) free'
      else Symbols x y :: completed fuel (map (other x y) w) (y :: named) free'
  | _, _, _ => []
  end.
Definition value (w : word) : int := fold_left (fun n c => 128 * n + c) w 0.
Definition stands_for (s : renamings) (made : list word) (goal : word -> Z) (w : word)
    (r : list exchange) : bool :=
  let v := renamed r w in
  (value v <? value w) && (goal w <=? goal v)%Z && keeps s made r.
Definition is_passed (s : option renamings) (made : list word) (goal : word -> Z) : word -> bool :=
  match s with
  | None => fun _ => false
  | Some s =>
      let rs := keeping s made in
      let named := List.concat made in
      let free := filter (fun c => negb (holds c named)) (symbols s) in
      fun w => existsb (fun r =>
        stands_for s made goal w (r ++ completed w (renamed r w) named free)) rs
  end.
Definition not_passed (s : option renamings) (made : list word) (goal : word -> Z) (l : list guess)
  : list guess :=
  let passed := is_passed s made goal in filter (fun g => negb (passed (gword g))) l.

(* Known bounds of states, by a hash of their answers. *)
Record entry := Entry { state_of : list answer; known : Z; told : Z }.
Definition memo := array (list entry).
Fixpoint same_state (p q : list answer) : bool :=
  match p, q with
  | [], [] => true
  | a :: p, b :: q => (index a =? index b) && same_state p q
  | _, _ => false
  end.
Fixpoint find_entry (p : list answer) (l : list entry) : option entry :=
  match l with
  | [] => None
  | e :: l => if same_state p (state_of e) then Some e else find_entry p l
  end.
Fixpoint hash (p : list answer) (h : int) : int :=
  match p with [] => h >> 42 | a :: p => hash p ((h lxor index a) * 1181783497276652981) end.
Definition seats : int := 2097152.
Definition keep (m : memo) (e : entry) : memo :=
  let h := hash (state_of e) 0 in m.[h <- e :: m.[h]].
Definition known_of (r : option renamings) (bs : list block) (m : memo) (p : list answer)
  : memo * Z :=
  let p := form r p in
  match find_entry p m.[hash p 0] with
  | Some e => (m, known e)
  | None => let b := ply bs p in (keep m (Entry p b 0), b)
  end.

(* The parts of a state, each with 2k - 1 for its k answers; the largest first. *)
Definition part := (Z * list answer)%type.
Fixpoint parts (fuel : list answer) (g : guess) (state : list answer) : list part :=
  match fuel, state with
  | _ :: fuel, a :: _ =>
      let c := code g a in
      let '(same, other) := partition (fun b => code g b =? c) state in
      if c =? found_code then parts fuel g other
      else ((2 * to_Z (count same 0) - 1)%Z, same) :: parts fuel g other
  | _, _ => []
  end.
Fixpoint insert (p : part) (l : list part) : list part :=
  match l with
  | [] => [p]
  | q :: r => if (fst p <? fst q)%Z then q :: insert p r else p :: l
  end.
Definition sorted (l : list part) : list part := fold_right insert [] l.

(* The sum of a guess (lemma 1), until it reaches the goal. *)
Fixpoint raised (r : option renamings) (bs : list block) (m : memo) (ps : list part)
    (sum goal : Z) : memo * Z :=
  match ps with
  | [] => (m, sum)
  | (by_size, p) :: ps =>
      if (goal <=? sum)%Z then (m, sum)
      else if (by_size <=? 3)%Z then raised r bs m ps sum goal
      else let '(m, b) := known_of r bs m p in raised r bs m ps (sum + (b - by_size))%Z goal
  end.
Definition is_useless (g : guess) (state : list answer) : bool :=
  match state with
  | [] => false
  | a :: _ =>
      let c := code g a in
      negb (c =? found_code) && forallb (fun b => code g b =? c) state
  end.

(* Repeats from which a guess surely reaches the goal: one more than this number. *)
Definition enough (state : list answer) (goal : Z) : int :=
  let n := to_Z (count state 0) in
  let need := of_Z (Z.max 0 (goal - 2 * n)) in
  if (goal <=? 2 * n + to_Z need)%Z then need else max_int.
Definition proves (r : option renamings) (bs : list block) (m : memo) (state : list answer)
    (n need : int) (goal : Z) (or_useless : bool) (g : guess) : result memo :=
  if (most g <=? n) && (need <? n - most g) then Good m
  else if need <? repeated g (need + 1) state then Good m
  else if or_useless && is_useless g state then Good m
  else
    let ps := sorted (parts state g state) in
    let base := fold_left (fun s p => s + fst p)%Z ps (to_Z n) in
    let '(m, sum) := raised r bs m ps base goal in
    require (goal <=? sum)%Z else words "too high a bound for the guess" ++ [gword g] in Good m.
Fixpoint proves_all (r : option renamings) (bs : list block) (m : memo) (state : list answer)
    (n need : int) (goal : Z) (some : list guess) : result memo :=
  match some with
  | [] => Good m
  | g :: some =>
      let* m := proves r bs m state n need goal true g in
      proves_all r bs m state n need goal some
  end.

(* An entry of the ledger. *)
Definition at_hand (dictionary : array (list guess)) (w : word) : result guess :=
  match at_word gword dictionary w with
  | Some g => Good g
  | None => Refused (words "not in the list:" ++ [w])
  end.
Fixpoint path (dictionary : array (list guess)) (l : list word) : result (list guess) :=
  match l with
  | [] => Good []
  | w :: l => let* g := at_hand dictionary w in let* gs := path dictionary l in Good (g :: gs)
  end.

Record session := Session
  { blocks : list block; all_guesses : list guess; all_answers : list answer;
    dictionary : array (list guess) }.

Definition max_turns : nat := 30.
Definition entered (k : kind) (r : option renamings) (s : session) (m : memo) (line : list word)
  : result memo :=
  match line with
  | b :: kind :: ((_ :: _ :: _) as ws) =>
      let* goal := number b in
      require same_word kind (text "path") && Nat.leb (List.length ws) max_turns
        else words "no path to an answer:" ++ line in
      let* made := path (dictionary s) (removelast ws) in
      match find (fun a => same_word (aword a) (last ws [])) (all_answers s) with
      | None => Refused (words "no answer:" ++ [last ws []])
      | Some hidden =>
          let made := map gword made in
          let like a g := eq_feedback (feedback k g (aword a)) (feedback k g (aword hidden)) in
          let state := filter (fun a => forallb (like a) made) (all_answers s) in
          let same := form r state in
          let before := match find_entry same m.[hash same 0] with
                        | Some e => told e | None => 0%Z end in
          let n := count state 0 in
          require (Z.max before (2 * to_Z n - 1) <? goal)%Z
            else words "an entry that tells nothing new:" ++ line in
          let '(m, b) := known_of r (blocks s) m state in
          let* m := proves_all r (blocks s) m state n (enough state goal) goal
                      (not_passed r made (fun _ => goal) (all_guesses s)) in
          Good (keep m (Entry same (Z.max goal b) goal))
      end
  | _ => Refused (words "no entry:" ++ line)
  end.
Fixpoint ledger (k : kind) (r : option renamings) (s : session) (m : memo)
    (ls : list (list word)) : result memo :=
  match ls with
  | [] => Good m
  | l :: ls => let* m := entered k r s m l in ledger k r s m ls
  end.

(* The strategy that the lines tell: the first line tells the guess. *)
Section Strategy.
Variable k : kind.
Fixpoint told_by (turns : nat) (ls : list (word * list word)) : strategy :=
  match turns, ls with
  | S turns, (_, g :: _) :: _ =>
      Play g (fun p => told_by turns
        (map (fun l => (fst l, tl (snd l)))
             (filter (fun l => eq_feedback (feedback k g (fst l)) (Some p)) ls)))
  | _, _ => mean.Stuck word pattern
  end.
Fixpoint played (s : strategy) (a : word) : option (list word) :=
  match s with
  | mean.Stuck _ _ => None
  | mean.Play _ _ g next =>
      match feedback k g a with
      | None => Some [g]
      | Some p => match played (next p) a with Some l => Some (g :: l) | None => None end
      end
  end.
(* The sum of turns, if each answer has one line, which is what is played. *)
Fixpoint costs (s : strategy) (ls : list (word * list word)) (answers : list word) (sum : Z)
  : result Z :=
  match answers with
  | [] => Good sum
  | a :: answers =>
      match filter (fun l => same_word (fst l) a) ls, played s a with
      | [(_, l)], Some l' =>
          require same_words l l' else words "another guess after the same feedback:" ++ l in
          costs s ls answers (sum + Z.of_nat (List.length l'))%Z
      | _, _ => Refused (words "not one line of the strategy for" ++ [a])
      end
  end.
Definition strategy_cost (ls : list (list word)) (guesses answers : list word) (g : word)
  : result Z :=
  require Nat.eqb (List.length ls) (List.length answers) else words "not a line for each answer" in
  require forallb (fun l => Nat.leb (List.length l) max_turns) ls else words "too long a line" in
  require forallb (forallb (fun w => existsb (same_word w) guesses)) ls
    else words "a guess of the strategy that is not in the list" in
  require forallb (fun l => same_word (hd [] l) g) ls else words "another opener is played" in
  let ls := map (fun l => (last l [], l)) ls in
  costs (told_by max_turns ls) ls answers 0.
End Strategy.

(* Builds the tables, with which everything above counts, and then checks that they are right. *)
Definition cells_of (k : kind) (gss : list (list guess)) (answers : list word) (size : int)
  : array int :=
  snd (fold_left (fun '(i, t) a =>
    (i + 8, snd (fold_left (fun '(p, t) gs =>
      (p + 1, t.[i + p <-
        fold_left (fun x g => x lor (encode (feedback k (gword g) a) << shift g)) gs 0]))
      gss (0, t))))
    answers (0, make size 0)).
Fixpoint by_eight (l part : list (list guess)) : list (list (list guess)) :=
  match l with
  | [] => [rev part]
  | gs :: l =>
      if Nat.eqb (List.length part) 8 then rev part :: by_eight l [gs] else by_eight l (gs :: part)
  end.
Fixpoint placed (t : array int) (p : int) (gss : list (list guess)) : list block :=
  match gss with [] => [] | gs :: gss => (t, p, gs) :: placed t (p + 1) gss end.
Fixpoint by_seven (ws : list word) (gs : list guess) : list (list guess) :=
  match ws with
  | [] => [gs]
  | w :: ws =>
      match gs with
      | [] => by_seven ws [Guess w (make 1 0) 0 0 max_int]
      | h :: _ =>
          if shift h =? 48 then gs :: by_seven ws [Guess w (make 1 0) 0 0 max_int]
          else by_seven ws (Guess w (make 1 0) 0 (shift h + 8) max_int :: gs)
      end
  end.
Fixpoint with_own (d : array (list guess)) (ws : list word) (i : int) : result (list answer) :=
  match ws with
  | [] => Good []
  | w :: ws =>
      let* g := at_hand d w in
      let* l := with_own d ws (i + 8) in
      Good (Answer w i g :: l)
  end.
Fixpoint counted (bs : list block) (l : list answer) (n : int) : list block :=
  match bs with
  | [] => []
  | (t, gs) :: bs =>
      (t, map (fun g => let g := with_cells t g in
                        Guess (gword g) (fst t) (snd t) (shift g) (n - repeated g max_int l)) gs)
      :: counted bs l n
  end.
Definition session_of (k : kind) (guesses answers : list word) : result session :=
  let size := fold_left (fun n _ => n + 8) answers 8 in
  let bs := flat_map (fun gss => placed (cells_of k gss answers size) 0 gss)
    (by_eight (map (@rev guess) (by_seven guesses [])) []) in
  let d := seated gword (flat bs) in
  let* l := with_own d answers 0 in
  let bs := counted bs l (count l 0) in
  Good (Session bs (flat bs) l d).

Section Merge.
(* Guesses with the most parts first: a merge sort by rounds. *)
Fixpoint merge (l : list guess) : list guess -> list guess :=
  match l with
  | [] => fun r => r
  | x :: l' => fix with_ r :=
      match r with
      | [] => l
      | y :: r' => if most y <=? most x then x :: merge l' r else y :: with_ r'
      end
  end.
Fixpoint pairs (l : list (list guess)) : list (list guess) :=
  match l with x :: y :: l => merge x y :: pairs l | _ => l end.
Definition by_most (l : list guess) : list guess :=
  match Nat.iter 17 pairs (map (fun g => [g]) l) with [l] => l | _ => l end.
End Merge.

Definition fits (k : kind) (table : array (option pattern)) (g : guess) (a : answer) : bool :=
  let c := code g a in
  let p := feedback k (gword g) (aword a) in
  eq_feedback table.[c] p && Bool.eqb (c =? found_code) (eq_feedback p None).
Definition right (k : kind) (table : array (option pattern)) (s : session)
    (guesses answers : list word) : bool :=
  let gs := all_guesses s in
  let l := all_answers s in
  let by_index := fold_left (fun t a => t.[index a <- aword a]) l (make 524288 []) in
  let n := Z.of_nat (List.length l) in
  same_words (map aword l) answers && distinct answers &&
  forallb (fun w => existsb (fun g => same_word w (gword g)) gs) guesses &&
  forallb (fun a => forallb (fun g => fits k table g a) gs) l &&
  forallb (fun a => same_word (gword (own a)) (aword a) &&
                    same_word by_index.[index a] (aword a) &&
                    forallb (fits k table (own a)) l) l &&
  forallb (fun g => (n <=? to_Z (most g) + to_Z (repeated g max_int l))%Z) gs.

(* Those from one place of a list to another, or to the end. *)
Definition share {A} (from : nat) (until : option nat) (l : list A) : list A :=
  match until with
  | Some u => firstn (u - from) (skipn from l)
  | None => skipn from l
  end.
Fixpoint proves_openers (r : option renamings) (bs : list block) (m : memo) (state : list answer)
    (n : int) (goal_of : word -> Z) (some : list guess) : result memo :=
  match some with
  | [] => Good m
  | g :: some =>
      let goal := goal_of (gword g) in
      let* m := proves r bs m state n (enough state goal) goal false g in
      proves_openers r bs m state n goal_of some
  end.
Definition goal_of (c : claim) (w : word) : Z :=
  if same_word w (opener c) then bound c
  else match others c with Some b => b | None => 0%Z end.

(* `symmetries all`: every exchange maps guesses to guesses and answers to answers. *)
Fixpoint put (x : int) (l : list int) : list int :=
  match l with
  | [] => [x]
  | y :: l' => if x =? y then l else if x <? y then x :: l else y :: put x l'
  end.
Fixpoint at_each (x : nat) (l : list nat) : list (list nat) :=
  match l with [] => [[x]] | y :: l' => (x :: l) :: map (cons y) (at_each x l') end.
Fixpoint permutations (l : list nat) : list (list nat) :=
  match l with [] => [[]] | x :: l => flat_map (at_each x) (permutations l) end.
Fixpoint position (x : nat) (l : list nat) : nat :=
  match l with [] => O | y :: l => if Nat.eqb x y then O else S (position x l) end.
Fixpoint ordering (from : nat) (now wanted : list nat) : list exchange :=
  match wanted with
  | [] => []
  | x :: wanted =>
      let n := position x now in
      map (fun i => Places (from + (n - 1 - i))) (seq 0 n) ++
      ordering (S from) (filter (fun y => negb (Nat.eqb x y)) now) wanted
  end.
Definition order_of (size : nat) (l : list nat) : order :=
  Order (ordering 0 (seq 0 size) l) (map (fun i => 8 * of_nat (size - 1 - i)) l).
Fixpoint ascending (l : list word) : bool :=
  match l with v :: ((w :: _) as l) => (value v <? value w) && ascending l | _ => true end.
Definition may_rename (k : kind) (r : option renamings) (guesses answers : list word) : bool :=
  match r with
  | None => true
  | Some r => match k with Pegs => is_closed r guesses && is_closed r answers | _ => false end
  end.
Definition renamings_of (k : kind) (all : bool) (guesses answers : list word) (l : list answer)
  : result (option renamings) :=
  let size := List.length (hd [] guesses) in
  let r := if all
    then Some (Renamings size (fold_left (fun l w => fold_left (fun l c => put c l) w l) guesses [])
                 (map (order_of size) (permutations (seq 0 size))) (seated aword l))
    else None in
  require negb all || Nat.leb size 6 && ascending guesses
    else words "too many places for symmetries, or guesses that do not ascend" in
  require may_rename k r guesses answers else words "not every renaming is a symmetry" in
  Good r.

Definition is_line (s : string) (l : list word) : bool := same_words l (words s).
Definition kind_named (l : list word) : result kind :=
  if is_line "feedback letters" l then Good Letters
  else if is_line "feedback pegs" l then Good Pegs
  else Refused (words "feedback is letters or pegs").

(* Some answers tell well enough which guesses make most parts. *)
Fixpoint one_of (n : nat) (passed : nat) (l : list word) : list word :=
  match l, passed with
  | [], _ => []
  | w :: l, O => w :: one_of n n l
  | _ :: l, S m => one_of n m l
  end.
Definition longest (k : kind) : nat := match k with Letters => 5 | Pegs => 14 end.
Definition ready (k : kind) (guesses answers : list word) : result session :=
  require Nat.leb (List.length (hd [] guesses)) (longest k) else words "too long words" in
  let* s := session_of k guesses (one_of 7 0 answers) in
  let* s := session_of k (map gword (by_most (all_guesses s))) answers in
  require right k (table_of k (List.length (hd [] guesses))) s guesses answers
    else words "answers twice, or feedback of too many kinds" in
  Good s.
(* The guesses in the order of the work: those with most parts come first. *)
Definition in_order (k : kind) (guesses answers : list word) : result (list word) :=
  let* s := ready k guesses answers in
  Good (map gword (all_guesses s)).

Definition is_header (lines : list (list word)) (guesses answers : list word)
    (guesses_hash answers_hash : word) : bool :=
  match lines with
  | [l0; [g; gn; gh]; [a; an; ah]; l4; l5; l6] =>
      is_line "gpu_wordle certificate 1" l0 &&
      same_word g (text "guesses") && same_word gh guesses_hash &&
      same_word a (text "answers") && same_word ah answers_hash &&
      is_line "rule normal" l4 && is_line "prices 1 then +1" l5 && is_line "weights equal" l6 &&
      match number gn, number an with
      | Good x, Good y => (x =? Z.of_nat (List.length guesses))%Z &&
                          (y =? Z.of_nat (List.length answers))%Z
      | _, _ => false
      end
  | _ => false
  end.

(* What a certificate claims; the lines of its strategy; those of its ledger. *)
Definition read (certificate : list int) (guesses answers : list word)
    (guesses_hash answers_hash : word)
  : result (claim * bool * list (list word) * list (list word)) :=
  match lines certificate with
  | Some (l0 :: l1 :: l2 :: l3 :: l4 :: l5 :: l6 :: l7 :: ls) =>
  let all := is_line "symmetries all" l7 in
  match (if all then ls else l7 :: ls) with
  | [o; w; b] :: [r; rest] :: [st; u] :: ls =>
      require is_header [l0; l1; l2; l4; l5; l6] guesses answers guesses_hash answers_hash
        else words "another game, other lists, or a kind of certificate that is not read here" in
      let* k := kind_named l3 in
      require same_words [o; r; st] (words "opener others strategy")
        else words "expected opener, others, strategy" in
      let* bound := number b in
      let* cost := number u in
      require (bound =? cost)%Z else words "the strategy costs something else" in
      let* others := if same_word rest (text "none") then Good None
                     else let* n := number rest in Good (Some n) in
      let size := List.length answers in
      match skipn size ls with
      | [le; n] :: more =>
          let* entries := number n in
          let kept := removelast more in
          require same_word le (text "ledger") && (Z.of_nat (List.length kept) =? entries)%Z &&
            is_line "end" (last more []) else words "no ledger, or not the end after it" in
          Good (Claim k w bound others, all, firstn size ls, kept)
      | _ => Refused (words "no ledger after the strategy")
      end
  | _ => Refused (words "expected opener, others, strategy")
  end
  | _ => Refused (words "not the lines of a certificate of the mean")
  end.

Definition check (certificate guess_file answer_file : list int)
    (guesses_hash answers_hash : word) (from : nat) (until : option nat) : result claim :=
  let* guesses := word_list guess_file in
  let* answers := word_list answer_file in
  let* (c, all, strategy, entries) := read certificate guesses answers guesses_hash answers_hash in
  let* _ := if distinct guesses then Good tt else Refused (words "a guess twice") in
  let* cost := strategy_cost (kind_of c) strategy guesses answers (opener c) in
  require (cost =? bound c)%Z else words "the strategy costs something else" in
  require forallb (fun w => existsb (same_word w) guesses) answers
    else words "an answer that is no guess" in
  let* s := ready (kind_of c) guesses answers in
  let* r := renamings_of (kind_of c) all guesses answers (all_answers s) in
  require negb all || Nat.eqb from 0 && match until with None => true | _ => false end
    else words "no shares with symmetries" in
  let* m := ledger (kind_of c) r s (make seats []) entries in
  let some := not_passed r [] (goal_of c) (share from until (all_guesses s)) in
  let* m := proves_openers r (blocks s) m (all_answers s) (count (all_answers s) 0) (goal_of c)
              some in
  Good c.
