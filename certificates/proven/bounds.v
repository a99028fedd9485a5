(* Lower bounds of states, by the lemmas of mean.v, for strategies that make legal guesses only. *)
Require Import List Arith ZArith Lia Permutation Bool.
Require Import mean.
Import ListNotations.
Local Open Scope nat_scope.

Section Game.

Variables word pattern : Type.
Variable feedback : word -> word -> option pattern.
Variable guesses : list word.
Hypothesis finds_one : forall g a b, feedback g a = None -> feedback g b = None -> a = b.

Notation strategy := (mean.strategy word pattern).
Notation Play := (@mean.Play word pattern).
Notation turns := (mean.turns word word pattern feedback).
Notation turn := (mean.turn word word pattern feedback).
Notation finds := (mean.finds word word pattern feedback).
Notation cost := (mean.cost word word pattern feedback).
Notation soon := (mean.soon word word pattern feedback).

Fixpoint legal (s : strategy) : Prop :=
  match s with
  | mean.Stuck _ _ => True
  | mean.Play _ _ g next => In g guesses /\ forall p, legal (next p)
  end.

(* b bounds what the state S costs, or what it costs to guess g and go on. *)
Definition bounds (S : list word) (b : Z) :=
  forall s, legal s -> finds s S -> (b <= Z.of_nat (cost s S))%Z.
Definition guess_bounds g (S : list word) (b : Z) :=
  forall next, (forall p, legal (next p)) -> finds (Play g next) S ->
    (b <= Z.of_nat (cost (Play g next) S))%Z.

Lemma cost_perm : forall s S T, Permutation S T -> cost s S = cost s T.
Proof. intros s S T P. unfold mean.cost. induction P; cbn; lia. Qed.

Lemma finds_incl : forall s S T, incl T S -> finds s S -> finds s T.
Proof. intros s S T I F a A. apply F, I, A. Qed.

Lemma turn_pos : forall s a, turns s a <> None -> 1 <= turn s a.
Proof.
  intros s a F. unfold mean.turn. destruct s as [|g next]; cbn in *; [congruence|].
  destruct (feedback g a) as [p|]; [|lia].
  destruct (mean.turns word word pattern feedback (next p) a); cbn in *; [lia | congruence].
Qed.

Lemma cost_ge_length : forall s S, finds s S -> length S <= cost s S.
Proof.
  intros s S F. unfold mean.cost. induction S as [|a S IH]; cbn; [lia|].
  assert (1 <= turn s a) by (apply turn_pos, F; cbn; auto).
  assert (length S <= total (map (turn s) S)) by (apply IH; intros b B; apply F; cbn; auto). lia.
Qed.

(* Answers that are found on the first k turns. *)
Definition is_early k s a := match turns s a with Some t => t <=? k | None => false end.

Lemma soon_length : forall k s S, soon k s S = length (filter (is_early k s) S).
Proof.
  intros k s S. unfold mean.soon. induction S as [|a S IH]; cbn; [reflexivity|].
  rewrite IH. unfold mean.early, is_early.
  destruct (mean.turns word word pattern feedback s a) as [t|]; [destruct (t <=? k)|]; reflexivity.
Qed.

Lemma early_one : forall g next a, is_early 1 (Play g next) a = true -> feedback g a = None.
Proof.
  intros g next a E. unfold is_early in E. cbn in E. destruct (feedback g a) as [p|];
    [|reflexivity].
  destruct (next p) as [|h n]; cbn in E; [discriminate|].
  destruct (feedback h a) as [q|]; cbn in E; [|discriminate].
  destruct (mean.turns word word pattern feedback (n q) a) as [t|]; cbn in E; discriminate.
Qed.

(* On two turns a guess finds one answer for each feedback at most. *)
Lemma early_two : forall g next a b,
  is_early 2 (Play g next) a = true -> is_early 2 (Play g next) b = true ->
  feedback g a = feedback g b -> a = b.
Proof.
  intros g next a b A B E. unfold is_early in *. cbn in A, B. rewrite <- E in B.
  destruct (feedback g a) as [p|] eqn:F; [|apply (finds_one g); congruence].
  destruct (next p) as [|h n]; cbn in A, B; [discriminate|].
  assert (X : forall c, match option_map S match feedback h c with
              | Some q => option_map S (mean.turns word word pattern feedback (n q) c)
              | None => Some 1 end with Some t => t <=? 2 | None => false end = true ->
            feedback h c = None).
  { intros c C. destruct (feedback h c) as [q|]; [|reflexivity].
    destruct (n q) as [|i m]; cbn in C; [discriminate|].
    destruct (feedback i c) as [r|]; cbn in C; [|discriminate].
    destruct (mean.turns word word pattern feedback (m r) c); cbn in C; discriminate. }
  apply (finds_one h); apply X; assumption.
Qed.

Lemma soon_one : forall g next S, NoDup S ->
  soon 1 (Play g next) S <= 1 /\
  ((forall a, In a S -> feedback g a <> None) -> soon 1 (Play g next) S = 0).
Proof.
  intros g next S D. rewrite soon_length.
  assert (E : forall a, In a (filter (is_early 1 (Play g next)) S) ->
              In a S /\ feedback g a = None).
  { intros a A. apply filter_In in A. destruct A. split; [assumption|]. eapply early_one; eauto. }
  assert (N := NoDup_filter (is_early 1 (Play g next)) D).
  destruct (filter (is_early 1 (Play g next)) S) as [|a [|b l]]; cbn; split; intros;
    try lia; exfalso.
  - destruct (E a); cbn; auto. eapply H; eauto.
  - inversion N as [|? ? X _]; subst. apply X. left. symmetry.
    apply (finds_one g); apply E; cbn; auto.
  - destruct (E a); cbn; auto. eapply H; eauto.
Qed.

(* Lemma 3: n answers cost 2n - 1. *)
Lemma by_size : forall S, NoDup S -> bounds S (2 * Z.of_nat (length S) - 1).
Proof.
  intros S D s L F. destruct (mean.cost_and_soon word word pattern feedback s S F) as [A _].
  destruct s as [|g next].
  - destruct S as [|a S]; cbn; [lia|]. exfalso. apply (F a); cbn; auto.
  - assert (X := proj1 (soon_one g next S D)). lia.
Qed.

Lemma filter_map : forall (A B : Type) (f : B -> bool) (h : A -> B) l,
  filter f (map h l) = map h (filter (fun x => f (h x)) l).
Proof.
  intros A B f h l. induction l as [|x l IH]; cbn; [reflexivity|].
  rewrite IH. destruct (f (h x)); reflexivity.
Qed.

(* Lemmas 1 and 3: a guess that gives at most m feedbacks. Answers are words of some items, and each
   item has a code: items of one code have one feedback. *)
Lemma by_feedbacks : forall (item code : Type) (of : item -> code) (is : item -> word) g P m,
  NoDup (map is P) ->
  (forall a b, In a P -> In b P -> of a = of b -> feedback g (is a) = feedback g (is b)) ->
  (forall L, NoDup L -> incl L (map of P) -> length L <= m) ->
  guess_bounds g (map is P) (3 * Z.of_nat (length P) - Z.of_nat m - 1) /\
  ((forall a, In a P -> feedback g (is a) <> None) ->
   guess_bounds g (map is P) (3 * Z.of_nat (length P) - Z.of_nat m)).
Proof.
  intros item code of is g P m D T M.
  assert (X : forall next, finds (Play g next) (map is P) ->
    3 * length P <= cost (Play g next) (map is P) + soon 1 (Play g next) (map is P) + m).
  { intros next F.
    destruct (mean.cost_and_soon word word pattern feedback _ _ F) as [_ B].
    rewrite map_length in B.
    assert (soon 2 (Play g next) (map is P) <= m); [|lia].
    rewrite soon_length, filter_map, map_length. rewrite <- (map_length of). apply M.
    - set (early := filter (fun x => is_early 2 (Play g next) (is x)) P).
      assert (N : NoDup (map is early)).
      { unfold early. rewrite <- filter_map. apply NoDup_filter, D. }
      assert (I : forall a, In a early -> In a P /\ is_early 2 (Play g next) (is a) = true)
        by (intros a A; apply filter_In in A; exact A).
      clearbody early. induction early as [|a l IH]; cbn in *; [constructor|].
      inversion N as [|? ? N1 N2]; subst. constructor.
      + intros Y. apply in_map_iff in Y. destruct Y as [b [Y Z]]. apply N1.
        assert (is a = is b) as ->; [|apply in_map; exact Z].
        destruct (I a), (I b); auto. eapply early_two; eauto.
      + apply IH; [assumption|]. intros b Y. apply I. auto.
    - intros c Y. apply in_map_iff in Y. destruct Y as [a [<- Y]]. apply filter_In in Y.
      apply in_map, Y. }
  split.
  - intros next _ F. specialize (X next F).
    assert (Y := proj1 (soon_one g next (map is P) D)). lia.
  - intros N next _ F. specialize (X next F). rewrite (proj2 (soon_one g next (map is P) D)) in X.
    + lia.
    + intros a A. apply in_map_iff in A. destruct A as [x [<- A]]. apply N, A.
Qed.

(* Lemma 1: what is left after a guess, in parts of one feedback each. Parts may be left out. *)
Lemma by_parts : forall g parts bs S rest,
  Permutation S (concat parts ++ rest) ->
  Forall2 (fun P b => (exists p, forall a, In a P -> feedback g a = Some p) /\
    bounds P b) parts bs ->
  guess_bounds g S (Z.of_nat (length S) + fold_right Z.add 0%Z bs).
Proof.
  intros g parts bs S rest E B next L F.
  rewrite (cost_perm _ _ _ E), (Permutation_length E), mean.cost_app, app_length.
  assert (FR : finds (Play g next) rest).
  { eapply finds_incl; [|exact F]. intros a A. eapply Permutation_in; [symmetry; exact E|].
    apply in_or_app. auto. }
  assert (FP : finds (Play g next) (concat parts)).
  { eapply finds_incl; [|exact F]. intros a A. eapply Permutation_in; [symmetry; exact E|].
    apply in_or_app. auto. }
  apply cost_ge_length in FR.
  enough (Z.of_nat (length (concat parts)) + fold_right Z.add 0%Z bs <=
          Z.of_nat (cost (Play g next) (concat parts)))%Z by lia.
  clear - B FP L. induction B as [|P b parts bs [[p U] B] _ IH]; cbn [concat fold_right] in *.
  - cbn. lia.
  - rewrite mean.cost_app, app_length.
    assert (IH' := IH (finds_incl _ _ _ (incl_appr P (incl_refl (concat parts))) FP)).
    assert (FQ := finds_incl _ _ _ (incl_appl (concat parts) (incl_refl P)) FP).
    assert (C : cost (Play g next) P = length P + cost (next p) P /\ finds (next p) P).
    { clear - U FQ. unfold mean.cost. induction P as [|a P IHP]; cbn [map total length].
      - split; [reflexivity | intros a []].
      - destruct IHP as [C D]; [intros; apply U; cbn; auto | intros x X; apply FQ; cbn; auto |].
        assert (FA : turns (Play g next) a <> None) by (apply FQ; cbn; auto).
        assert (T : turn (Play g next) a = 1 + turn (next p) a /\ turns (next p) a <> None).
        { unfold mean.turn. cbn in *. rewrite (U a) in * by (cbn; auto).
          destruct (mean.turns word word pattern feedback (next p) a); cbn in *;
            [split; [reflexivity|discriminate] | congruence]. }
        split; [lia|]. intros x [<-|X]; [apply T | apply D, X]. }
    destruct C as [C D]. specialize (B (next p) (L p) D). lia.
Qed.

Definition useless g S := exists p, forall a, In a S -> feedback g a = Some p.

(* Lemmas 1 and 2: a bound holds if it holds for every useful guess. *)
Lemma by_useful : forall S b, S <> [] ->
  (forall g, In g guesses -> useless g S \/ guess_bounds g S b) -> bounds S b.
Proof.
  intros S b N H s. induction s as [|g next IH]; intros L F.
  - destruct S as [|a S]; [congruence|]. exfalso. apply (F a); cbn; auto.
  - cbn in L. destruct L as [G L]. destruct (H g G) as [[p U] | B]; [|apply B; assumption].
    assert (C : cost (Play g next) S = length S + cost (next p) S /\ finds (next p) S).
    { clear - U F. unfold mean.cost. induction S as [|a S IHS]; cbn [map total length].
      - split; [reflexivity | intros a []].
      - destruct IHS as [C D]; [intros x X; apply F; cbn; auto | intros; apply U; cbn; auto |].
        assert (FA : turns (Play g next) a <> None) by (apply F; cbn; auto).
        assert (T : turn (Play g next) a = 1 + turn (next p) a /\ turns (next p) a <> None).
        { unfold mean.turn. cbn in *. rewrite (U a) in * by (cbn; auto).
          destruct (mean.turns word word pattern feedback (next p) a); cbn in *;
            [split; [reflexivity|discriminate] | congruence]. }
        split; [lia|]. intros x [<-|X]; [apply T | apply D, X]. }
    destruct C as [C D]. specialize (IH p (L p) D). lia.
Qed.

Lemma bounds_perm : forall S T b, Permutation S T -> bounds S b -> bounds T b.
Proof.
  intros S T b P B s L F. rewrite <- (cost_perm s S T P). apply B; [exact L|].
  eapply finds_incl; [|exact F]. intros a A. eapply Permutation_in; [exact P | exact A].
Qed.

Lemma guess_bounds_perm : forall g S T b, Permutation S T ->
  guess_bounds g S b -> guess_bounds g T b.
Proof.
  intros g S T b P B next L F. rewrite <- (cost_perm (Play g next) S T P). apply B; [exact L|].
  eapply finds_incl; [|exact F]. intros a A. eapply Permutation_in; [exact P | exact A].
Qed.

(* Lemma 8: q maps guesses so that they receive for answers what these receive for images. *)
Section Carried.
Variables q r : word -> word.
Variable S : list word.
Hypothesis legal_q : forall g, In g guesses -> In (q g) guesses.
Hypothesis same : forall g a, In g guesses -> In a S -> feedback (q g) a = feedback g (r a).

Fixpoint carried (s : strategy) : strategy :=
  match s with
  | mean.Stuck _ _ => mean.Stuck word pattern
  | mean.Play _ _ g next => Play (q g) (fun p => carried (next p))
  end.

Lemma legal_carried : forall s, legal s -> legal (carried s).
Proof.
  induction s as [|g next IH]; cbn; [auto|]. intros [G L].
  split; [apply legal_q, G | intros p; apply IH, L].
Qed.

Lemma turns_carried : forall s a, legal s -> In a S -> turns (carried s) a = turns s (r a).
Proof.
  induction s as [|g next IH]; intros a L A; cbn in *; [reflexivity|]. destruct L as [G L].
  rewrite same by assumption. destruct (feedback g (r a)) as [p|]; [|reflexivity].
  rewrite IH; auto.
Qed.

Lemma cost_carried : forall s, legal s -> finds s (map r S) ->
  finds (carried s) S /\ cost (carried s) S = cost s (map r S).
Proof.
  intros s L F. split.
  - intros a A. rewrite turns_carried by assumption. apply F, in_map, A.
  - unfold mean.cost. rewrite map_map. f_equal. apply map_ext_in. intros a A.
    unfold mean.turn. rewrite turns_carried by assumption. reflexivity.
Qed.

Lemma bounds_carried : forall b, bounds S b -> bounds (map r S) b.
Proof.
  intros b B s L F. destruct (cost_carried s L F) as [G E]. rewrite <- E.
  apply B; [apply legal_carried, L | exact G].
Qed.

Lemma guess_bounds_carried : forall g b, In g guesses ->
  guess_bounds (q g) S b -> guess_bounds g (map r S) b.
Proof.
  intros g b G B next L F.
  destruct (cost_carried (Play g next)) as [H E]; [cbn; auto | exact F|]. rewrite <- E.
  apply (B (fun p => carried (next p))); [intros p; apply legal_carried, L | exact H].
Qed.
End Carried.

End Game.
