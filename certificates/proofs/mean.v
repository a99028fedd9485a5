(* The lemmas of docs/theory/certificates.md for the mean: any number of guesses, all of them legal,
   every answer of weight one.  Checked by coqc 8.16; see check.sh. *)
Require Import List Arith Lia Permutation.
Import ListNotations.

Fixpoint total (l : list nat) := match l with [] => 0 | x :: l => x + total l end.

Section Game.

Variables answer guess pattern : Type.
Variable feedback : guess -> answer -> option pattern. (* None: the answer is found *)
Variable patterns : list pattern.
Hypothesis same_pattern : forall p q : pattern, {p = q} + {p <> q}.
Hypothesis patterns_differ : NoDup patterns.
Hypothesis patterns_all : forall g a p, feedback g a = Some p -> In p patterns.
Hypothesis finds_one : forall g a b, feedback g a = None -> feedback g b = None -> a = b.

Inductive strategy := Stuck | Play (g : guess) (next : pattern -> strategy).

Fixpoint turns (s : strategy) (a : answer) : option nat :=
  match s with
  | Stuck => None
  | Play g next =>
      match feedback g a with None => Some 1 | Some p => option_map S (turns (next p) a) end
  end.

Definition finds s S := forall a, In a S -> turns s a <> None.
Definition turn s a := match turns s a with Some t => t | None => 0 end.
Definition cost s S := total (map (turn s) S).
Definition bound S b := forall s, finds s S -> b <= cost s S.

Definition gives g p a :=
  match feedback g a with
  | Some q => if same_pattern p q then true else false
  | None => false
  end.
Definition part g S p := filter (gives g p) S.

Lemma gives_iff : forall g p a, gives g p a = true <-> feedback g a = Some p.
Proof.
  intros g p a. unfold gives. destruct (feedback g a) as [q|].
  - destruct (same_pattern p q); split; congruence.
  - split; discriminate.
Qed.

(* A sum over all patterns, when one term changes. *)
Lemma sum_same : forall (f h : pattern -> nat) ps,
  (forall p, In p ps -> h p = f p) -> total (map h ps) = total (map f ps).
Proof.
  induction ps as [|q ps IH]; intros E; cbn; [reflexivity|].
  rewrite (E q) by (cbn; auto). rewrite IH; [reflexivity|]. intros; apply E; cbn; auto.
Qed.

Lemma sum_one : forall (f h : pattern -> nat) p v ps,
  NoDup ps -> In p ps -> h p = v + f p -> (forall q, q <> p -> h q = f q) ->
  total (map h ps) = v + total (map f ps).
Proof.
  induction ps as [|q ps IH]; intros D I H E; [contradiction|].
  inversion D as [|? ? N D']; subst. destruct I as [->|I]; cbn.
  - rewrite H. rewrite (sum_same f h ps); [lia|]. intros r R. apply E. congruence.
  - rewrite IH by assumption. rewrite (E q); [lia|]. congruence.
Qed.

Lemma sum_zero : forall (f : pattern -> nat) ps, (forall p, f p = 0) -> total (map f ps) = 0.
Proof. induction ps; intros Z; cbn; [reflexivity|]. rewrite Z, IHps; auto. Qed.

(* A sum over answers is one over parts; an answer that is found adds [found]. *)
Lemma sum_over_parts : forall (f : answer -> nat) (h : pattern -> answer -> nat) g found S,
  (forall a p, feedback g a = Some p -> f a = h p a) ->
  (forall a, feedback g a = None -> f a = found) ->
  total (map f S) =
    found * length (filter (fun a => match feedback g a with None => true | _ => false end) S) +
    total (map (fun p => total (map (h p) (part g S p))) patterns).
Proof.
  intros f h g found S P F. induction S as [|a S IH].
  - rewrite sum_zero by reflexivity. cbn. lia.
  - cbn [map total]. rewrite IH. cbn [filter]. destruct (feedback g a) as [p|] eqn:E.
    + rewrite (P a p E).
      rewrite (sum_one (fun q => total (map (h q) (part g S q)))
                       (fun q => total (map (h q) (part g (a :: S) q))) p (h p a) patterns).
      * lia.
      * exact patterns_differ.
      * eapply patterns_all; eauto.
      * unfold part. cbn [filter]. rewrite (proj2 (gives_iff g p a) E). reflexivity.
      * intros q Q. unfold part. cbn [filter].
        destruct (gives g q a) eqn:G; [|reflexivity]. apply gives_iff in G. congruence.
    + rewrite (F a E). cbn [length].
      rewrite (sum_same (fun q => total (map (h q) (part g S q)))
                        (fun q => total (map (h q) (part g (a :: S) q)))).
      * lia.
      * intros q _. unfold part. cbn [filter].
        destruct (gives g q a) eqn:G; [|reflexivity]. apply gives_iff in G. congruence.
Qed.

Definition found g S :=
  length (filter (fun a => match feedback g a with None => true | _ => false end) S).

Lemma found_at_most_one : forall g S, NoDup S -> found g S <= 1.
Proof.
  intros g S D. unfold found.
  set (is := fun a => match feedback g a with None => true | _ => false end).
  assert (E : forall a b, In a (filter is S) -> In b (filter is S) -> a = b).
  { intros a b A B. apply filter_In in A, B. unfold is in *.
    apply (finds_one g); destruct A, B;
      [destruct (feedback g a) | destruct (feedback g b)]; congruence. }
  assert (N : NoDup (filter is S)) by (apply NoDup_filter; exact D).
  destruct (filter is S) as [|a [|b l]]; cbn; [lia | lia | exfalso].
  inversion N as [|? ? X _]; subst. apply X. rewrite (E a b); cbn; auto.
Qed.

Lemma part_in : forall g S p a, In a (part g S p) <-> In a S /\ feedback g a = Some p.
Proof.
  intros. unfold part. rewrite filter_In, gives_iff. reflexivity.
Qed.

Lemma finds_part : forall g next S p, finds (Play g next) S -> finds (next p) (part g S p).
Proof.
  intros g next S p F a A. apply part_in in A. destruct A as [A E].
  specialize (F a A). cbn in F. rewrite E in F. destruct (turns (next p) a); cbn in F; congruence.
Qed.

(* Lemma 1: every answer is charged for the turn, and then for what its part costs. *)
Lemma cost_of_play : forall g next S, finds (Play g next) S ->
  cost (Play g next) S = length S + total (map (fun p => cost (next p) (part g S p)) patterns).
Proof.
  intros g next S F. induction S as [|a S IH]; unfold cost in *.
  - rewrite sum_zero by reflexivity. reflexivity.
  - assert (FS : finds (Play g next) S) by (intros b B; apply F; cbn; auto).
    specialize (IH FS). cbn [map total length].
    assert (FA : turns (Play g next) a <> None) by (apply F; cbn; auto).
    assert (TA : turn (Play g next) a =
                 match feedback g a with None => 1 | Some p => 1 + turn (next p) a end).
    { unfold turn. cbn [turns] in *. destruct (feedback g a) as [p|]; [|reflexivity].
      destruct (turns (next p) a); cbn in *; [reflexivity | congruence]. }
    rewrite IH, TA. clear IH TA FA. destruct (feedback g a) as [p|] eqn:E.
    + rewrite (sum_one (fun q => total (map (turn (next q)) (part g S q)))
                       (fun q => total (map (turn (next q)) (part g (a :: S) q)))
                       p (turn (next p) a) patterns).
      * lia.
      * exact patterns_differ.
      * eapply patterns_all; eauto.
      * unfold part. cbn [filter]. rewrite (proj2 (gives_iff g p a) E). reflexivity.
      * intros q Q. unfold part. cbn [filter].
        destruct (gives g q a) eqn:G; [|reflexivity]. apply gives_iff in G. congruence.
    + rewrite (sum_same (fun q => total (map (turn (next q)) (part g S q)))
                        (fun q => total (map (turn (next q)) (part g (a :: S) q)))).
      * lia.
      * intros q _. unfold part. cbn [filter].
        destruct (gives g q a) eqn:G; [|reflexivity]. apply gives_iff in G. congruence.
Qed.

Lemma total_le : forall (f h : pattern -> nat) ps,
  (forall p, In p ps -> f p <= h p) -> total (map f ps) <= total (map h ps).
Proof.
  induction ps as [|p ps IH]; intros L; cbn; [lia|].
  assert (f p <= h p) by (apply L; cbn; auto).
  assert (total (map f ps) <= total (map h ps)) by (apply IH; intros; apply L; cbn; auto). lia.
Qed.

Definition useless g S := exists p, forall a, In a S -> feedback g a = Some p.

(* Lemmas 1 and 2: a bound holds if the sum of every useful guess reaches it. *)
Theorem every_useful_guess : forall S B, S <> [] ->
  (forall g, useless g S \/
     exists b, (forall p, bound (part g S p) (b p)) /\ B <= length S + total (map b patterns)) ->
  bound S B.
Proof.
  intros S B N H s. induction s as [|g next IH]; intros F.
  - destruct S as [|a S]; [congruence|]. exfalso. apply (F a); cbn; auto.
  - destruct (H g) as [[p U] | [b [P L]]].
    + assert (E : part g S p = S).
      { unfold part. clear - U same_pattern. induction S as [|a S IH]; cbn; [reflexivity|].
        rewrite (proj2 (gives_iff g p a)) by (apply U; cbn; auto).
        rewrite IH; [reflexivity|]. intros; apply U; cbn; auto. }
      assert (F' := finds_part g next S p F). rewrite E in F'. specialize (IH p F').
      unfold cost in *. clear - IH U F F'. revert IH.
      assert (total (map (turn (next p)) S) <= total (map (turn (Play g next)) S)).
      { clear F F'. induction S as [|a S IH]; cbn; [lia|].
        assert (turn (next p) a <= turn (Play g next) a).
        { unfold turn. cbn. rewrite (U a) by (cbn; auto).
          destruct (turns (next p) a); cbn; lia. }
        assert (total (map (turn (next p)) S) <= total (map (turn (Play g next)) S)).
        { apply IH. intros; apply U; cbn; auto. }
        lia. }
      lia.
    + rewrite cost_of_play by assumption.
      assert (total (map b patterns) <= total (map (fun p => cost (next p) (part g S p)) patterns)).
      { apply total_le. intros p _. apply P. apply finds_part. exact F. }
      lia.
Qed.

(* Lemma 5: bounds of two states bound the state of both. *)
Lemma cost_app : forall s Q R, cost s (Q ++ R) = cost s Q + cost s R.
Proof. unfold cost. induction Q; intros; cbn; [reflexivity|]. rewrite IHQ. lia. Qed.

Theorem of_both : forall Q R S b r,
  Permutation S (Q ++ R) -> bound Q b -> bound R r -> bound S (b + r).
Proof.
  intros Q R S b r P B C s F.
  assert (E : cost s S = cost s (Q ++ R)).
  { unfold cost. clear - P. induction P; cbn; lia. }
  assert (FQ : finds s Q).
  { intros a A. apply F. eapply Permutation_in; [symmetry; exact P|]. apply in_or_app; auto. }
  assert (FR : finds s R).
  { intros a A. apply F. eapply Permutation_in; [symmetry; exact P|]. apply in_or_app; auto. }
  specialize (B s FQ). specialize (C s FR). rewrite E, cost_app. lia.
Qed.

(* Lemma 3: at most M^(k-1) answers are found on k turns. *)
Definition early k s a := match turns s a with Some t => if t <=? k then 1 else 0 | None => 0 end.
Definition soon k s S := total (map (early k s) S).
Definition parts g S :=
  found g S + length (filter (fun p => match part g S p with [] => false | _ => true end) patterns).

Lemma soon_of_play : forall k g next S,
  soon (1 + k) (Play g next) S =
    found g S + total (map (fun p => soon k (next p) (part g S p)) patterns).
Proof.
  intros k g next S. unfold soon, found.
  rewrite (sum_over_parts (early (1 + k) (Play g next)) (fun p => early k (next p)) g 1 S).
  - lia.
  - intros a p E. unfold early. cbn [turns]. rewrite E.
    destruct (turns (next p) a) as [t|]; reflexivity.
  - intros a E. unfold early. cbn [turns]. rewrite E. reflexivity.
Qed.

Lemma part_of_part : forall g h S p q, part g (part h S q) p = part h (part g S p) q.
Proof.
  intros. unfold part. induction S as [|a S IH]; cbn; [reflexivity|].
  destruct (gives h q a) eqn:H, (gives g p a) eqn:G; cbn; rewrite ?H, ?G, IH; reflexivity.
Qed.

Lemma filter_length_le : forall (A : Type) (f h : A -> bool) l,
  (forall a, f a = true -> h a = true) -> length (filter f l) <= length (filter h l).
Proof.
  induction l as [|a l IH]; intros I; cbn; [lia|]. specialize (IH I). specialize (I a).
  destruct (f a); [rewrite I by reflexivity; cbn; lia | destruct (h a); cbn; lia].
Qed.

Lemma filter_filter_le : forall (A : Type) (f h : A -> bool) l,
  length (filter f (filter h l)) <= length (filter f l).
Proof.
  induction l as [|a l IH]; cbn; [lia|]. destruct (h a); cbn; destruct (f a); cbn; lia.
Qed.

Lemma parts_of_part : forall g h S q, parts g (part h S q) <= parts g S.
Proof.
  intros. unfold parts. apply Nat.add_le_mono.
  - unfold found, part. apply filter_filter_le.
  - apply filter_length_le. intros p. rewrite part_of_part.
    destruct (part g S p); [discriminate | reflexivity].
Qed.

Lemma total_nonempty : forall (f : pattern -> nat) (some : pattern -> bool) m ps,
  (forall p, some p = false -> f p = 0) -> (forall p, f p <= m) ->
  total (map f ps) <= length (filter some ps) * m.
Proof.
  induction ps as [|p ps IH]; intros Z L; cbn; [lia|]. specialize (IH Z L). specialize (L p).
  destruct (some p) eqn:E; cbn; [lia|]. rewrite (Z p E). lia.
Qed.

Lemma soon_stuck : forall k Q, soon k Stuck Q = 0.
Proof. intros. unfold soon. induction Q; cbn; auto. Qed.

Theorem found_soon : forall M k s Q, NoDup Q -> (forall g, parts g Q <= M) ->
  soon (1 + k) s Q <= M ^ k.
Proof.
  intros M k. induction k as [|k IH]; intros s Q D H.
  - destruct s as [|g next].
    + rewrite soon_stuck. apply Nat.le_0_l.
    + rewrite soon_of_play. rewrite (sum_zero (fun p => soon 0 (next p) (part g Q p))).
      * assert (X := found_at_most_one g Q D). cbn. lia.
      * intros p. unfold soon. induction (part g Q p) as [|a l IHl]; cbn; [reflexivity|].
        rewrite IHl. unfold early. destruct (turns (next p) a) as [t|] eqn:T; [|reflexivity].
        destruct t; [|reflexivity]. exfalso. clear - T. destruct (next p) as [|h n]; cbn in T.
        { discriminate. } destruct (feedback h a) as [q|]; [|discriminate].
        destruct (turns (n q) a); discriminate.
  - destruct s as [|g next].
    + rewrite soon_stuck. apply Nat.le_0_l.
    + rewrite soon_of_play.
      set (some := fun p => match part g Q p with [] => false | _ => true end).
      assert (T := total_nonempty
                     (fun p => soon (1 + k) (next p) (part g Q p)) some (M ^ k) patterns).
      assert (P : found g Q + length (filter some patterns) <= M) by exact (H g).
      assert (X := found_at_most_one g Q D).
      assert (T' : total (map (fun p => soon (1 + k) (next p) (part g Q p)) patterns)
                   <= length (filter some patterns) * M ^ k).
      { apply T.
        - intros p E. unfold some in E. destruct (part g Q p); [reflexivity | discriminate].
        - intros p. apply IH.
          + unfold part. apply NoDup_filter. exact D.
          + intros h. eapply Nat.le_trans; [apply parts_of_part | apply H]. }
      eapply Nat.le_trans; [apply Nat.add_le_mono_l; exact T' |].
      revert P X. generalize (length (filter some patterns)), (found g Q). intros m f P X.
      destruct (Nat.eq_dec M 0) as [Z|Z].
      * assert (f = 0) by lia. assert (m = 0) by lia. subst f m. apply Nat.le_0_l.
      * assert (1 <= M ^ k) by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; exact Z).
        cbn [Nat.pow]. nia.
Qed.

Lemma cost_and_soon : forall s S, finds s S ->
  2 * length S <= cost s S + soon 1 s S /\ 3 * length S <= cost s S + soon 1 s S + soon 2 s S.
Proof.
  intros s S F. unfold cost, soon. induction S as [|a S IH]; cbn [map total length]; [lia|].
  assert (F' : finds s S) by (intros b B; apply F; cbn; auto). specialize (IH F').
  assert (A : turns s a <> None) by (apply F; cbn; auto).
  assert (2 <= turn s a + early 1 s a /\ 3 <= turn s a + early 1 s a + early 2 s a).
  { unfold turn, early. destruct (turns s a) as [t|] eqn:T; [|congruence].
    assert (t <> 0).
    { intros ->. clear - T. destruct s as [|g n]; cbn in T; [discriminate|].
      destruct (feedback g a) as [q|]; [|discriminate]. destruct (turns (n q) a); discriminate. }
    destruct t as [|[|[|t]]]; cbn; lia. }
  lia.
Qed.

Theorem size : forall M S, NoDup S -> (forall g, parts g S <= M) ->
  bound S (2 * length S - 1) /\ bound S (3 * length S - M - 1).
Proof.
  intros M S D H.
  split; intros s F; destruct (cost_and_soon s S F) as [A B];
    assert (one := found_soon M 0 s S D H); assert (two := found_soon M 1 s S D H); cbn in *; lia.
Qed.

End Game.

Print Assumptions every_useful_guess.
Print Assumptions size.
Print Assumptions of_both.
