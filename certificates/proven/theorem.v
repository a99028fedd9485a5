(* The main theorem: what the checker accepts is true. *)
Require Import List Arith ZArith Lia Uint63 PArray Bool.
Require Import mean game bounds checker renaming sound.
Import ListNotations.
Local Open Scope Z_scope.

(* The strategy that the lines tell. *)
Lemma told_legal : forall k guesses n ls,
  (forall l, In l ls -> forall w, In w (snd l) -> In w guesses) ->
  game.legal guesses (told_by k n ls).
Proof.
  intros k guesses. induction n as [|n IH]; intros ls H; cbn; [exact I|].
  destruct ls as [|[a [|g l]] ls]; cbn; [exact I | exact I |]. split.
  - apply (H (a, g :: l)); cbn; auto.
  - intros p. apply IH. intros x X w W. apply in_map_iff in X. destruct X as [y [<- Y]].
    change (In y (filter (fun l => eq_feedback (feedback k g (fst l)) (Some p)) ((a,
      g :: l) :: ls)))
      in Y.
    apply filter_In in Y. destruct Y as [Y _]. cbn [snd] in W.
    apply (H y Y). destruct (snd y); cbn in *; [contradiction | auto].
Qed.

Lemma played_turns : forall k s a l, played k s a = Some l -> turns k s a = Some (length l).
Proof.
  intros k. induction s as [|g next IH]; intros a l; cbn; [discriminate|].
  unfold turns in *. cbn. destruct (feedback k g a) as [p|].
  - destruct (played k (next p) a) as [l'|] eqn:E; [|discriminate].
    intros X. inversion X; subst. rewrite (IH p a l' E). reflexivity.
  - intros X. inversion X; subst. reflexivity.
Qed.

Lemma costs_right : forall k s ls answers x y, costs k s ls answers x = Good y ->
  finds k s answers /\ Z.of_nat (cost k s answers) = y - x.
Proof.
  intros k s ls. induction answers as [|a answers IH]; intros x y E; cbn in E.
  - inversion E; subst. split; [intros b [] | cbn; lia].
  - destruct (filter _ ls) as [|[b l] [|? ?]]; try discriminate.
    destruct (played k s a) as [l'|] eqn:P; [|discriminate].
    destruct (same_words l l'); [|discriminate]. apply played_turns in P.
    destruct (IH _ _ E) as [F C]. split.
    + intros b' [<-|B]; [unfold turns in P; congruence | apply F, B].
    + unfold cost, mean.cost in *. cbn [map mean.total]. unfold mean.turn at 1.
      unfold turns in P. rewrite P. lia.
Qed.

Lemma strategy_right : forall k ls guesses answers g y, answers <> [] ->
  strategy_cost k ls guesses answers g = Good y ->
  exists s, game.legal guesses s /\ finds k s answers /\ opens s g /\
    Z.of_nat (cost k s answers) = y.
Proof.
  intros k ls guesses answers g y N E. unfold strategy_cost in E.
  do 2 match type of E with (if ?b then _ else _) = _ => destruct b; [|discriminate];
    cbv iota in E end.
  match type of E with (if ?b then _ else _) = _ => destruct b eqn:L; [|discriminate] end.
  match type of E with (if ?b then _ else _) = _ => destruct b eqn:O; [|discriminate] end.
  set (lines := map (fun l => (last l [], l)) ls) in *.
  exists (told_by k max_turns lines). destruct (costs_right _ _ _ _ _ _ E) as [F C].
  split; [|split; [exact F | split; [|lia]]].
  - apply told_legal. intros l I w W. unfold lines in I. apply in_map_iff in I.
    destruct I as [x [<- I]]. cbn [snd] in W. rewrite forallb_forall in L. specialize (L x I).
    rewrite forallb_forall in L. specialize (L w W). apply existsb_exists in L.
    destruct L as [v [V S]]. apply same_word_iff in S. congruence.
  - unfold opens. destruct ls as [|[|w l] ls]; cbn in *.
    + destruct answers as [|a answers]; [congruence|]. exfalso. apply (F a); cbn; auto.
    + destruct answers as [|a answers]; [congruence|]. exfalso. apply (F a); cbn; auto.
    + apply andb_prop in O. destruct O as [O _]. apply same_word_iff in O. subst w.
      eexists. reflexivity.
Qed.

(* Both ways to say that guesses are legal agree. *)
Lemma legal_iff : forall guesses s,
  game.legal guesses s <-> bounds.legal word pattern guesses s.
Proof.
  intros guesses. induction s as [|g next IH]; cbn; [tauto|].
  split; intros [A B]; (split; [exact A | intros p; apply IH, B]).
Qed.

Lemma bound_least : forall k guesses answers g b,
  (In g guesses -> guess_bounds word pattern (feedback k) guesses g answers b) ->
  least k guesses answers g b.
Proof.
  intros k guesses answers g b B s L F [next ->]. apply legal_iff in L. cbn in L.
  apply (B (proj1 L) next); [apply L | exact F].
Qed.

Lemma renamings_right : forall k all guesses answers l r,
  renamings_of k all guesses answers l = Good r ->
  (r <> None -> all = true) /\
  forall n, r = Some n -> k = Pegs /\ is_closed n guesses = true /\ is_closed n answers = true /\
    by_word n = seated aword l.
Proof.
  intros k all guesses answers l r E. unfold renamings_of in E.
  match type of E with (if ?b then _ else _) = _ => destruct b; [|discriminate E] end.
  match type of E with (if ?b then _ else _) = _ => destruct b eqn:M; [|discriminate E] end.
  injection E as E. destruct all; [|subst r; split; [congruence | discriminate]].
  split; [reflexivity|]. intros n R. subst r. injection R as R. rewrite R in M.
  rewrite <- R at 3. destruct k; [discriminate M|]. apply andb_prop in M. destruct M as [A B]. auto.
Qed.

(* What holds if a share of the openers is proved: all but the claims of the other openers. *)
Definition theorem_of_share (guesses answers : list word) (c : claim) (openers : list word) :=
  NoDup answers /\ incl answers guesses /\ In (opener c) guesses /\
  reached guesses answers c /\
  forall g, In g openers -> holds_for guesses answers c g.

Lemma share_map : forall (A B : Type) (f : A -> B) from until l,
  share from until (map f l) = map f (share from until l).
Proof.
  intros A B f from until l. unfold share.
  destruct until; rewrite skipn_map; [apply firstn_map | reflexivity].
Qed.

Lemma share_incl : forall (A : Type) from until (l : list A) x, In x (share from until l) -> In x l.
Proof.
  intros A from until l x X. rewrite <- (firstn_skipn from l). apply in_or_app. right.
  destruct until as [u|]; cbn in X; [|exact X].
  rewrite <- (firstn_skipn (u - from) (skipn from l)). apply in_or_app. left. exact X.
Qed.

Lemma skipn_skipn : forall (A : Type) (l : list A) x y, skipn x (skipn y l) = skipn (x + y) l.
Proof.
  induction l as [|a l IH]; intros x y; [rewrite !skipn_nil; reflexivity|].
  destruct y as [|y]; [rewrite Nat.add_0_r; reflexivity|].
  rewrite Nat.add_succ_r. cbn. apply IH.
Qed.

(* What is from a place on is in the share up to the next place, or from there on. *)
Lemma share_or_later : forall (A : Type) from u (l : list A) x,
  In x (skipn from l) -> In x (share from (Some u) l) \/ In x (skipn u l).
Proof.
  intros A from u l x X. cbn. destruct (Nat.le_gt_cases from u).
  - rewrite <- (firstn_skipn (u - from) (skipn from l)) in X. apply in_app_or in X.
    destruct X as [X|X]; [auto|right]. rewrite skipn_skipn in X.
    replace (u - from + from)%nat with u in X by lia. exact X.
  - right. replace from with ((from - u) + u)%nat in X by lia. rewrite <- skipn_skipn in X.
    rewrite <- (firstn_skipn (from - u) (skipn u l)). apply in_or_app. auto.
Qed.

Lemma session_flat : forall k guesses answers s, session_of k guesses answers = Good s ->
  all_guesses s = flat (blocks s).
Proof.
  intros k guesses answers s. unfold session_of.
  match goal with |- context [with_own ?d ?a ?i] => destruct (with_own d a i) as [l|] end;
    [|intros E; discriminate E].
  match goal with |- context [Session ?b (flat ?b) _ _] => generalize b end.
  intros b E. injection E as E. subst s. reflexivity.
Qed.

Lemma ready_right : forall k guesses answers s, ready k guesses answers = Good s ->
  all_guesses s = flat (blocks s) /\
  right k (table_of k (length (hd [] guesses))) s guesses answers = true.
Proof.
  intros k guesses answers s E. unfold ready in E.
  match type of E with (if ?b then _ else _) = _ => destruct b; [|discriminate E] end.
  destruct (session_of k guesses _) as [s1|]; [|discriminate E].
  destruct (session_of k _ answers) as [s2|] eqn:S; [|discriminate E]. apply session_flat in S.
  match type of E with (if ?b then _ else _) = _ => destruct b eqn:R; [|discriminate E] end.
  injection E as E. subst s2. split; [exact S | exact R].
Qed.

Theorem share_is_sound :
  forall certificate guess_file answer_file guesses_hash answers_hash from until c,
  check certificate guess_file answer_file guesses_hash answers_hash from until = Good c ->
  exists guesses answers order,
    word_list guess_file = Good guesses /\ word_list answer_file = Good answers /\
    in_order (kind_of c) guesses answers = Good order /\ incl guesses order /\
    theorem_of_share guesses answers c (share from until order).
Proof.
  intros certificate guess_file answer_file gh ah from until c E. unfold check in E.
  destruct (word_list guess_file) as [guesses|] eqn:G; [|discriminate].
  destruct (word_list answer_file) as [answers|] eqn:A; [|discriminate].
  destruct (read _ _ _ _ _) as [[[[c' every] strategy] entries]|]; [|discriminate].
  destruct (distinct guesses); [|discriminate].
  destruct (strategy_cost _ _ _ _ _) as [y|] eqn:S; [|discriminate].
  destruct (y =? bound c') eqn:Y; [|discriminate]. apply Z.eqb_eq in Y. subst y.
  destruct (forallb _ answers) eqn:I; [|discriminate].
  destruct (ready _ _ _) as [s|] eqn:Y; [|discriminate].
  set (order := map gword (all_guesses s)).
  assert (O : in_order (kind_of c') guesses answers = Good order).
  { unfold in_order. rewrite Y. reflexivity. }
  destruct (ready_right _ _ _ _ Y) as [F R].
  destruct (renamings_of _ _ _ _ _) as [r|] eqn:M; [|discriminate].
  destruct (renamings_right _ _ _ _ _ _ M) as [Some_all May].
  destruct (negb every || _) eqn:Z; [|discriminate].
  destruct (ledger _ _ _ _ _) as [m|] eqn:L; [|discriminate].
  destruct (proves_openers _ _ _ _ _ _ _) as [m'|] eqn:P; [|discriminate].
  inversion E; subst c'. exists guesses, answers, order.
  split; [reflexivity|]. split; [reflexivity|]. split; [exact O|]. split.
  { intros w W. destruct (facts _ _ _ _ _ R) as (_ & _ & X & _). destruct (X w W) as [g [W2 <-]].
    unfold order. apply in_map, W2. }
  assert (N : answers <> []).
  { intros ->. unfold word_list in A. destruct (lines answer_file) as [[|[|f l] ls]|];
    try discriminate.
    destruct (_ && _); discriminate. }
  destruct (facts _ _ _ _ _ R) as (_ & D & _).
  destruct (strategy_right _ _ _ _ _ _ N S) as [t T].
  split; [exact D|]. split.
  { intros a X. rewrite forallb_forall in I. specialize (I a X). apply existsb_exists in I.
    destruct I as [w [W I]]. apply same_word_iff in I. congruence. }
  split.
  { destruct T as [T [_ [[next X] _]]]. subst t. apply T. }
  split; [exists t; exact T|].
  intros g J. unfold order in J.
  rewrite share_map in J. apply in_map_iff in J. destruct J as [h [<- J]].
  assert (In_all : incl (share from until (all_guesses s)) (all_guesses s)).
  { intros x X. apply (share_incl _ _ _ _ _ X). }
  assert (Whole : r <> None -> share from until (all_guesses s) = all_guesses s).
  { intros X. rewrite (Some_all X) in Z. apply andb_prop in Z. destruct Z as [W1 W2].
    apply Nat.eqb_eq in W1. subst from. destruct until; [discriminate | reflexivity]. }
  assert (B := openers_right _ _ _ _ _ F R r May (count (all_answers s) 0) (goal_of c) _ m m'
    ltac:(assert (X := count_right (all_answers s) 0); change (to_Z 0%uint63) with 0 in X; lia)
    In_all Whole (ledger_right _ _ _ _ _ F R r May _ _ _ (nothing_known _ _ _) L) P h J).
  unfold goal_of in B. split.
  - intros X. apply bound_least. rewrite X, same_word_refl in B. rewrite X. exact B.
  - intros X b V. apply bound_least. rewrite V in B.
    destruct (same_word (gword h) (opener c)) eqn:Y2; [|exact B].
    apply same_word_iff in Y2. congruence.
Qed.

(* The main theorem: if the checker accepts, the certificate is true. *)
Theorem sound : forall certificate guess_file answer_file guesses_hash answers_hash c,
  check certificate guess_file answer_file guesses_hash answers_hash 0 None = Good c ->
  exists guesses answers,
    word_list guess_file = Good guesses /\ word_list answer_file = Good answers /\
    theorem guesses answers c.
Proof.
  intros certificate guess_file answer_file gh ah c E. apply share_is_sound in E.
  destruct E as [guesses [answers [order (G & A & _ & I & D & J & O & T & C)]]].
  exists guesses, answers. repeat (split; [assumption|]).
  intros g X. apply C. cbn. apply I, X.
Qed.

(* Shares of the work make the whole: from 0 to the first cut, and so on to the end. *)
Fixpoint accepted certificate guess_file answer_file guesses_hash answers_hash c
    (from : nat) (cuts : list nat) : Prop :=
  match cuts with
  | [] => check certificate guess_file answer_file guesses_hash answers_hash from None = Good c
  | u :: cuts =>
      check certificate guess_file answer_file guesses_hash answers_hash from (Some u) = Good c /\
      accepted certificate guess_file answer_file guesses_hash answers_hash c u cuts
  end.

Theorem shares_are_sound :
  forall certificate guess_file answer_file guesses_hash answers_hash c cuts,
  accepted certificate guess_file answer_file guesses_hash answers_hash c 0 cuts ->
  exists guesses answers,
    word_list guess_file = Good guesses /\ word_list answer_file = Good answers /\
    theorem guesses answers c.
Proof.
  intros certificate guess_file answer_file gh ah c cuts.
  assert (X : forall cuts from,
    accepted certificate guess_file answer_file gh ah c from cuts ->
    exists guesses answers order,
      word_list guess_file = Good guesses /\ word_list answer_file = Good answers /\
      in_order (kind_of c) guesses answers = Good order /\ incl guesses order /\
      theorem_of_share guesses answers c (skipn from order)).
  { clear. induction cuts as [|u cuts IH]; intros from E; cbn [accepted] in E.
    - apply share_is_sound in E. exact E.
    - destruct E as [E F]. apply share_is_sound in E. specialize (IH u F).
      destruct E as [guesses [answers [order (G & A & O & I & D & J & N & T & C)]]].
      destruct IH as [guesses' [answers' [order' (G' & A' & O' & _ & _ & _ & _ & _ & C')]]].
      rewrite G in G'. rewrite A in A'. inversion G'; subst guesses'. inversion A'; subst answers'.
      rewrite O in O'. inversion O'; subst order'.
      exists guesses, answers, order. repeat (split; [assumption|]).
      intros g Y. apply (share_or_later _ from u) in Y. destruct Y as [Y|Y];
        [apply C | apply C']; exact Y. }
  intros E. apply X in E.
  destruct E as [guesses [answers [order (G & A & _ & I & D & J & O & T & C)]]].
  exists guesses, answers. repeat (split; [assumption|]).
  intros g Y. apply C. cbn. apply I, Y.
Qed.

Print Assumptions sound.
Print Assumptions shares_are_sound.
