(* Why the checker is right: what it counts are bounds, and so what it accepts is a theorem. *)
Require Import List Arith ZArith Lia Permutation Uint63 Ring63 PArray Bool.
Require Import mean game bounds checker.
Import ListNotations.
Local Open Scope Z_scope.

Notation length := List.length.
Notation "'phi' x" := (to_Z x) (at level 9).

(* Equality of words and of feedback, as the checker decides it. *)
Lemma same_word_iff : forall v w, same_word v w = true <-> v = w.
Proof.
  induction v as [|x v IH]; destruct w as [|y w]; cbn; split; intros H; try congruence.
  - apply andb_prop in H. destruct H as [E H]. apply eqb_correct in E. apply IH in H. congruence.
  - inversion H; subst. rewrite Uint63.eqb_refl. apply IH. reflexivity.
Qed.

Lemma same_word_refl : forall w, same_word w w = true.
Proof. intros. apply same_word_iff. reflexivity. Qed.

Lemma same_words_iff : forall v w, same_words v w = true -> v = w.
Proof.
  induction v as [|x v IH]; destruct w as [|y w]; cbn; intros H; try congruence.
  apply andb_prop in H. destruct H as [E H]. apply same_word_iff in E. apply IH in H. congruence.
Qed.

Lemma eq_colours_iff : forall a b, eq_colours a b = true -> a = b.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; cbn; intros H; try congruence.
  apply andb_prop in H. destruct H as [E H]. apply IH in H. destruct x, y; cbn in E; congruence.
Qed.

Lemma eq_pattern_iff : forall p q, eq_pattern p q = true -> p = q.
Proof.
  destruct p, q; cbn; intros H; try discriminate.
  - apply eq_colours_iff in H. congruence.
  - apply andb_prop in H. destruct H as [A B]. apply Nat.eqb_eq in A, B. congruence.
Qed.

Lemma eq_feedback_iff : forall p q, eq_feedback p q = true -> p = q.
Proof.
  destruct p, q; cbn; intros H; try congruence. apply eq_pattern_iff in H. congruence.
Qed.

Lemma feedback_none : forall k g a, feedback k g a = None -> g = a.
Proof.
  intros k g a H. unfold feedback in H. destruct (same_word g a) eqn:E; [|discriminate].
  apply same_word_iff, E.
Qed.

Lemma finds_one : forall k g a b, feedback k g a = None -> feedback k g b = None -> a = b.
Proof. intros k g a b A B. apply feedback_none in A, B. congruence. Qed.

Lemma distinct_iff : forall l, distinct l = true -> NoDup l.
Proof.
  induction l as [|w l IH]; cbn; intros H; constructor; apply andb_prop in H; destruct H as [A B].
  - intros I. apply negb_true_iff in A. rewrite <- not_true_iff_false in A. apply A.
    apply existsb_exists. exists w. split; [exact I | apply same_word_refl].
  - apply IH, B.
Qed.

(* Numbers of 63 bits. *)
Lemma add_one : forall n, phi (n + 1)%uint63 <= phi n + 1.
Proof.
  intros n. rewrite add_spec. change (phi 1%uint63) with 1.
  apply Z.mod_le; [|unfold wB; cbn; lia]. pose proof (to_Z_bounded n). lia.
Qed.

Lemma sub_exact : forall x y, phi y <= phi x -> phi (x - y)%uint63 = phi x - phi y.
Proof.
  intros x y L. rewrite sub_spec. apply Z.mod_small.
  pose proof (to_Z_bounded x). pose proof (to_Z_bounded y). lia.
Qed.

Lemma bit_set : forall w i j, bit (w lor (1 << i)) j = true -> bit w j = true \/ i = j.
Proof.
  intros w i j H. rewrite lor_spec, bit_lsl, bit_1 in H. apply orb_prop in H.
  destruct H as [H|H]; [auto|right].
  destruct (j <? i)%uint63 eqn:L; cbn [orb] in H; [discriminate H|].
  destruct (digits <=? j)%uint63; [discriminate H|].
  apply eqb_correct in H. apply to_Z_inj.
  assert (phi i <= phi j).
  { destruct (Z_lt_le_dec (phi j) (phi i)); [|lia]. apply ltb_spec in l. congruence. }
  apply (f_equal to_Z) in H. rewrite sub_exact in H by assumption.
  change (phi 0%uint63) with 0 in H. lia.
Qed.

Lemma sub_inj : forall x y c, (x - c = y - c)%uint63 -> x = y.
Proof.
  intros x y c H. replace x with ((x - c) + c)%uint63 by ring. rewrite H. ring.
Qed.

(* Feedbacks that were met. *)
Definition has (w0 w1 w2 w3 c : int) : bool :=
  if (c <? 62)%uint63 then bit w0 c
  else if (c <? 124)%uint63 then bit w1 (c - 62)
  else if (c <? 186)%uint63 then bit w2 (c - 124) else bit w3 (c - 186).

Lemma has_none : forall c, has 0 0 0 0 c = false.
Proof.
  intros c. unfold has. destruct (c <? 62)%uint63, (c <? 124)%uint63, (c <? 186)%uint63;
    apply bit_0.
Qed.

Lemma one_removed : forall (c : int) L, NoDup L ->
  (length L <= S (length (filter (fun x => negb (x =? c)%uint63) L)))%nat.
Proof.
  intros c L D. induction D as [|x L N D IH]; cbn; [lia|].
  destruct (x =? c)%uint63 eqn:E; cbn; [|lia]. apply eqb_correct in E. subst.
  enough (filter (fun x => negb (x =? c)%uint63) L = L) as -> by lia.
  clear - N. induction L as [|y L IH]; cbn; [reflexivity|].
  destruct (y =? c)%uint63 eqn:E; cbn.
  - apply eqb_correct in E. subst. exfalso. apply N. cbn. auto.
  - rewrite IH; [reflexivity|]. intros I. apply N. cbn. auto.
Qed.

(* The repeats and the feedbacks, each counted once, are no more than the answers. *)
Lemma repeats_right : forall b s stop l w0 w1 w2 w3 n L, NoDup L ->
  (forall x, In x L ->
     In x (map (fun a => ((row a).[b] >> s) land 255)%uint63 l) /\ has w0 w1 w2 w3 x = false) ->
  Z.of_nat (length L) + phi (repeats b s stop l w0 w1 w2 w3 n) <= Z.of_nat (length l) + phi n.
Proof.
  intros b s stop. induction l as [|a l IH]; intros w0 w1 w2 w3 n L D H.
  - destruct L as [|x L]; [cbn; lia|]. destruct (H x); cbn in *; [auto | contradiction].
  - assert (Old : forall v0 v1 v2 v3,
      has w0 w1 w2 w3 (((row a).[b] >> s) land 255)%uint63 = true -> v0 = w0 -> v1 = w1 -> v2 = w2 -> v3 = w3 ->
      Z.of_nat (length L) +
        phi (if (stop <=? n + 1)%uint63 then (n + 1)%uint63
             else repeats b s stop l v0 v1 v2 v3 (n + 1)) <= Z.of_nat (length (a :: l)) + phi n).
    { intros v0 v1 v2 v3 O -> -> -> ->.
      assert (I : forall x, In x L ->
        In x (map (fun a => ((row a).[b] >> s) land 255)%uint63 l) /\ has w0 w1 w2 w3 x = false).
      { intros x X. destruct (H x X) as [[E|Y] N]; [|auto]. rewrite <- E in N.
        exfalso. exact (eq_true_false_abs _ O N). }
      assert (A := add_one n). cbn [length]. destruct (stop <=? n + 1)%uint63.
      - assert (length L <= length (map (fun a => ((row a).[b] >> s) land 255)%uint63 l))%nat.
        { apply NoDup_incl_length; [exact D|]. intros x X. apply I, X. }
        rewrite map_length in *. lia.
      - specialize (IH w0 w1 w2 w3 (n + 1)%uint63 L D I). lia. }
    assert (New : forall v0 v1 v2 v3,
      (forall x, has v0 v1 v2 v3 x = true ->
         has w0 w1 w2 w3 x = true \/ (((row a).[b] >> s) land 255)%uint63 = x) ->
      Z.of_nat (length L) + phi (repeats b s stop l v0 v1 v2 v3 n)
        <= Z.of_nat (length (a :: l)) + phi n).
    { intros v0 v1 v2 v3 N. set (c := (((row a).[b] >> s) land 255)%uint63) in *.
      set (L' := filter (fun x => negb (x =? c)%uint63) L).
      assert (R := one_removed c L D). fold L' in R.
      assert (D' : NoDup L') by apply (NoDup_filter _ D).
      specialize (IH v0 v1 v2 v3 n L' D'). cbn [length].
      assert (Z.of_nat (length L') + phi (repeats b s stop l v0 v1 v2 v3 n)
              <= Z.of_nat (length l) + phi n); [|lia].
      apply IH. intros x X. apply filter_In in X. destruct X as [X E].
      apply negb_true_iff in E. destruct (H x X) as [Y Z].
      assert (x <> c) by (intros ->; rewrite Uint63.eqb_refl in E; discriminate).
      split.
      - destruct Y as [Y|Y]; [|exact Y]. exfalso. apply H0. symmetry. exact Y.
      - destruct (has v0 v1 v2 v3 x) eqn:F; [|reflexivity]. destruct (N x F); congruence. }
    cbn [repeats].
    remember (((row a).[b] >> s) land 255)%uint63 as c eqn:Ec. unfold has in *.
    destruct (c <? 62)%uint63 eqn:C0.
    + destruct (bit w0 c) eqn:B; [apply Old; auto|]. apply New. intros x X.
      destruct (x <? 62)%uint63; [apply bit_set in X|]; tauto.
    + destruct (c <? 124)%uint63 eqn:C1.
      * destruct (bit w1 (c - 62)) eqn:B; [apply Old; auto|]. apply New. intros x X.
        destruct (x <? 62)%uint63; [tauto|]. destruct (x <? 124)%uint63; [|tauto].
        apply bit_set in X. destruct X as [X|X]; [tauto|]. right. eapply sub_inj; eauto.
      * destruct (c <? 186)%uint63 eqn:C2.
        -- destruct (bit w2 (c - 124)) eqn:B; [apply Old; auto|]. apply New. intros x X.
           destruct (x <? 62)%uint63; [tauto|]. destruct (x <? 124)%uint63; [tauto|].
           destruct (x <? 186)%uint63; [|tauto].
           apply bit_set in X. destruct X as [X|X]; [tauto|]. right. eapply sub_inj; eauto.
        -- destruct (bit w3 (c - 186)) eqn:B; [apply Old; auto|]. apply New. intros x X.
           destruct (x <? 62)%uint63; [tauto|]. destruct (x <? 124)%uint63; [tauto|].
           destruct (x <? 186)%uint63; [tauto|].
           apply bit_set in X. destruct X as [X|X]; [tauto|]. right. eapply sub_inj; eauto.
Qed.

(* r answers receive a feedback that an earlier one receives. *)
Definition repeats_of (g : guess) (l : list answer) (r : Z) :=
  forall L, NoDup L -> incl L (map (code g) l) -> Z.of_nat (length L) + r <= Z.of_nat (length l).

Lemma repeated_right : forall g stop l, repeats_of g l (phi (repeated g stop l)).
Proof.
  intros g stop l L D I. unfold repeated.
  assert (X := repeats_right (block g) (shift g) stop l 0 0 0 0 0 L D).
  change (phi 0%uint63) with 0 in X. rewrite Z.add_0_r in X. apply X.
  intros x Y. split; [apply I, Y | apply has_none].
Qed.

Lemma count_right : forall l n, phi (count l n) <= Z.of_nat (length l) + phi n.
Proof.
  induction l as [|a l IH]; intros n; cbn [count length]; [lia|].
  specialize (IH (n + 1)%uint63). assert (A := add_one n). lia.
Qed.
