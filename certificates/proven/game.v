(* The game and what a certificate claims of it. The main theorem speaks of nothing else. *)
Require Import List ZArith Uint63 Bool.
Require Import mean.
Import ListNotations.

(* A word is the list of the codes of its characters. *)
Definition word := list int.

Fixpoint same_word (v w : word) : bool :=
  match v, w with
  | [], [] => true
  | x :: v, y :: w => (x =? y)%uint63 && same_word v w
  | _, _ => false
  end.

Fixpoint holds (x : int) (w : word) : bool :=
  match w with [] => false | y :: w => (x =? y)%uint63 || holds x w end.

(* The word without the first x in it. *)
Fixpoint without (x : int) (w : word) : word :=
  match w with [] => [] | y :: w => if (x =? y)%uint63 then w else y :: without x w end.

(* Feedback by letters: green for a letter in its place. The others are taken from the left: yellow
   while the answer holds a copy that is neither green nor claimed by an earlier yellow; else
   grey. *)
Inductive colour := Grey | Yellow | Green.

Fixpoint not_green (guess answer : word) : word :=
  match guess, answer with
  | x :: guess, y :: answer =>
      if (x =? y)%uint63 then not_green guess answer else y :: not_green guess answer
  | _, _ => []
  end.

Fixpoint colours (guess answer unclaimed : word) : list colour :=
  match guess, answer with
  | x :: guess, y :: answer =>
      if (x =? y)%uint63 then Green :: colours guess answer unclaimed
      else if holds x unclaimed then Yellow :: colours guess answer (without x unclaimed)
      else Grey :: colours guess answer unclaimed
  | _, _ => []
  end.

(* Feedback by pegs: how many places agree, and how many symbols both hold, copies counted. *)
Fixpoint places (guess answer : word) : nat :=
  match guess, answer with
  | x :: guess, y :: answer =>
      if (x =? y)%uint63 then S (places guess answer) else places guess answer
  | _, _ => 0
  end.

Fixpoint shared (guess answer : word) : nat :=
  match guess with
  | [] => 0
  | x :: guess =>
      if holds x answer then S (shared guess (without x answer)) else shared guess answer
  end.

Inductive kind := Letters | Pegs.
Inductive pattern := Colours (each : list colour) | Counts (in_place in_both : nat).

(* None: the answer is found. *)
Definition feedback (k : kind) (guess answer : word) : option pattern :=
  if same_word guess answer then None
  else Some match k with
            | Letters => Colours (colours guess answer (not_green guess answer))
            | Pegs => Counts (places guess answer) (shared guess answer)
            end.

(* A strategy makes a guess, and goes on as the feedback tells. [turns], [finds] and [cost] are
   those of mean.v: the turn on which an answer is found; whether all answers are; the sum of
   turns. *)
Definition strategy := mean.strategy word pattern.
Definition Play : word -> (pattern -> strategy) -> strategy := @mean.Play word pattern.
Definition turns (k : kind) := mean.turns word word pattern (feedback k).
Definition finds (k : kind) := mean.finds word word pattern (feedback k).
Definition cost (k : kind) := mean.cost word word pattern (feedback k).

(* All its guesses are in the list. *)
Fixpoint legal (guesses : list word) (s : strategy) : Prop :=
  match s with
  | mean.Stuck _ _ => True
  | mean.Play _ _ g next => In g guesses /\ forall p, legal guesses (next p)
  end.

Definition opens (s : strategy) (g : word) := exists next, s = Play g next.

(* [least k G A g b]: each strategy that opens with g and finds all answers costs b or more. *)
Definition least k (guesses answers : list word) (g : word) (b : Z) :=
  forall s, legal guesses s -> finds k s answers -> opens s g ->
    (b <= Z.of_nat (cost k s answers))%Z.

Record claim := Claim { kind_of : kind; opener : word; bound : Z; others : option Z }.

(* The strategy that is claimed: it opens with the opener, and costs its bound. *)
Definition reached (guesses answers : list word) (c : claim) :=
  exists s, legal guesses s /\ finds (kind_of c) s answers /\ opens s (opener c) /\
    Z.of_nat (cost (kind_of c) s answers) = bound c.

(* What is claimed of one opener, the named one or another. *)
Definition holds_for (guesses answers : list word) (c : claim) (g : word) :=
  (g = opener c -> least (kind_of c) guesses answers g (bound c)) /\
  (g <> opener c -> forall b, others c = Some b -> least (kind_of c) guesses answers g b).

Definition theorem (guesses answers : list word) (c : claim) :=
  NoDup answers /\ incl answers guesses /\ In (opener c) guesses /\
  reached guesses answers c /\ forall g, In g guesses -> holds_for guesses answers c g.
