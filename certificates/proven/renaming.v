(* Renamings keep feedback; and when the checker takes words for equal, or for those of a list. *)
Require Import List Arith ZArith Lia Permutation Uint63 PArray Bool.
Require Import mean game bounds checker.
Import ListNotations.

Notation length := List.length.

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

Lemma eq_feedback_refl : forall p, eq_feedback p p = true.
Proof.
  destruct p as [[l|a b]|]; cbn; [|rewrite !Nat.eqb_refl; reflexivity | reflexivity].
  induction l as [|[] l IH]; cbn; auto.
Qed.

Lemma same_word_injective : forall f, (forall v w, f v = f w -> v = w) ->
  forall v w, same_word (f v) (f w) = same_word v w.
Proof.
  intros f F v w. apply eq_true_iff_eq. rewrite !same_word_iff. split; [apply F | congruence].
Qed.

(* What is found in a table of words. *)
Lemma seated_in : forall A (of : A -> word) (P : A -> Prop) l t,
  (forall i x, In x t.[i] -> P x) -> (forall x, In x l -> P x) ->
  forall i x,
    In x (fold_left (fun t x => let h := seat (of x) in t.[h <- x :: t.[h]]) l t).[i] -> P x.
Proof.
  intros A of P. induction l as [|y l IH]; intros t T L i x; cbn [fold_left]; [apply T|].
  apply IH; [|intros z Z; apply L; cbn; auto]. clear i x. intros i x X. cbn zeta in X.
  set (h := seat (of y)) in *. destruct (i =? h)%uint63 eqn:E.
  - apply eqb_correct in E. subst i. destruct (h <? PArray.length t)%uint63 eqn:B.
    + rewrite get_set_same in X by exact B. destruct X as [<-|X]; [apply L; cbn; auto | eauto].
    + rewrite get_out_of_bounds in X by (rewrite length_set; exact B). rewrite default_set in X.
      rewrite <- (get_out_of_bounds _ t h B) in X. eauto.
  - rewrite get_set_other in X; [eauto|]. intros ->. rewrite Uint63.eqb_refl in E. discriminate.
Qed.

Lemma at_word_right : forall A (of : A -> word) l w x,
  at_word of (seated of l) w = Some x -> In x l /\ of x = w.
Proof.
  intros A of l w x H. unfold at_word in H. apply find_some in H. destruct H as [I E].
  apply same_word_iff in E. split; [|congruence].
  refine (seated_in A of (fun x => In x l) l (make 65536 []) _ (fun x X => X) _ x I).
  intros i y Y. rewrite get_make in Y. contradiction.
Qed.

(* Symbols that both words hold, in any order. *)
Lemma holds_in : forall x w, holds x w = true -> In x w.
Proof.
  intros x. induction w as [|y w IH]; cbn; intros H; [discriminate|].
  apply orb_prop in H. destruct H as [H|H]; [left; symmetry; apply eqb_correct, H | auto].
Qed.

Lemma holds_perm : forall x v w, Permutation v w -> holds x v = holds x w.
Proof.
  intros x v w P. induction P as [|a v w P IH|a b l|u v w P IH1 Q IH2]; cbn.
  - reflexivity.
  - rewrite IH. reflexivity.
  - destruct (x =? b)%uint63, (x =? a)%uint63; reflexivity.
  - congruence.
Qed.

Lemma without_perm : forall x v w, Permutation v w -> Permutation (without x v) (without x w).
Proof.
  intros x v w P. induction P as [|a v w P IH|a b l|u v w P IH1 Q IH2]; cbn.
  - constructor.
  - destruct (x =? a)%uint63; [exact P | constructor; exact IH].
  - destruct (x =? b)%uint63 eqn:B, (x =? a)%uint63 eqn:A; try reflexivity; [|apply perm_swap].
    apply eqb_correct in A, B. subst. reflexivity.
  - eapply perm_trans; eassumption.
Qed.

Lemma shared_right : forall g v w, Permutation v w -> shared g v = shared g w.
Proof.
  induction g as [|x g IH]; intros v w P; cbn; [reflexivity|].
  rewrite (holds_perm x v w P). destruct (holds x w); [f_equal|]; apply IH; [|exact P].
  apply without_perm, P.
Qed.

Lemma without_other : forall x y w, x <> y -> holds x (without y w) = holds x w.
Proof.
  intros x y w N. induction w as [|z w IH]; cbn; [reflexivity|].
  destruct (y =? z)%uint63 eqn:E; cbn; [|rewrite IH; reflexivity].
  apply eqb_correct in E. subst z. destruct (x =? y)%uint63 eqn:F; [|reflexivity].
  apply eqb_correct in F. congruence.
Qed.

Lemma without_twice : forall x y w, without x (without y w) = without y (without x w).
Proof.
  intros x y. induction w as [|z w IH]; cbn; [reflexivity|].
  destruct (y =? z)%uint63 eqn:Y, (x =? z)%uint63 eqn:X; cbn; rewrite ?Y, ?X; try reflexivity.
  - apply eqb_correct in X, Y. subst. reflexivity.
  - rewrite IH. reflexivity.
Qed.

Lemma shared_left : forall v w, Permutation v w -> forall a, shared v a = shared w a.
Proof.
  intros v w P. induction P as [|x v w P IH|x y l|u v w P IH1 Q IH2]; intros a; cbn [shared].
  - reflexivity.
  - rewrite !IH. reflexivity.
  - destruct (x =? y)%uint63 eqn:E; [apply eqb_correct in E; subst; reflexivity|].
    assert (N : x <> y) by (intros ->; rewrite Uint63.eqb_refl in E; discriminate).
    rewrite (without_other x y), (without_other y x), (without_twice x y) by auto.
    destruct (holds y a), (holds x a); reflexivity.
  - rewrite IH1. apply IH2.
Qed.

(* Exchanges of places. *)
Lemma at_perm : forall i w, Permutation w (exchanged_at i w).
Proof.
  induction i as [|i IH]; destruct w as [|x w]; cbn; try reflexivity.
  - destruct w as [|y w]; [reflexivity | apply perm_swap].
  - constructor. apply IH.
Qed.

Lemma at_twice : forall i w, exchanged_at i (exchanged_at i w) = w.
Proof.
  induction i as [|i IH]; destruct w as [|x w]; cbn; try reflexivity.
  - destruct w as [|y w]; reflexivity.
  - rewrite IH. reflexivity.
Qed.

Lemma places_at : forall i g a, length g = length a ->
  places (exchanged_at i g) (exchanged_at i a) = places g a.
Proof.
  induction i as [|i IH]; intros [|x g] [|y a] L; cbn in *; try discriminate; try reflexivity.
  - destruct g as [|x2 g], a as [|y2 a]; cbn in *; try discriminate; try reflexivity.
    destruct (x =? y)%uint63, (x2 =? y2)%uint63; reflexivity.
  - rewrite IH by lia. reflexivity.
Qed.

(* Exchanges of symbols. *)
Lemma other_twice : forall c d x, other c d (other c d x) = x.
Proof.
  intros c d x. unfold other. destruct (x =? c)%uint63 eqn:E.
  - apply eqb_correct in E. subst x. destruct (d =? c)%uint63 eqn:F.
    + apply eqb_correct in F. congruence.
    + rewrite Uint63.eqb_refl. reflexivity.
  - destruct (x =? d)%uint63 eqn:F.
    + apply eqb_correct in F. subst x. rewrite Uint63.eqb_refl. reflexivity.
    + rewrite E, F. reflexivity.
Qed.

Section Map.
Variable f : int -> int.
Hypothesis same : forall x y, (f x =? f y)%uint63 = (x =? y)%uint63.

Lemma holds_map : forall x w, holds (f x) (map f w) = holds x w.
Proof. intros x. induction w as [|y w IH]; cbn; [|rewrite same, IH]; reflexivity. Qed.

Lemma without_map : forall x w, without (f x) (map f w) = map f (without x w).
Proof.
  intros x. induction w as [|y w IH]; cbn; [reflexivity|]. rewrite same, IH.
  destruct (x =? y)%uint63; reflexivity.
Qed.

Lemma places_map : forall g a, places (map f g) (map f a) = places g a.
Proof.
  induction g as [|x g IH]; intros [|y a]; cbn; try reflexivity. rewrite same, IH. reflexivity.
Qed.

Lemma shared_map : forall g a, shared (map f g) (map f a) = shared g a.
Proof.
  induction g as [|x g IH]; intros a; cbn; [reflexivity|].
  rewrite holds_map, without_map, !IH. reflexivity.
Qed.
End Map.

Lemma other_same : forall c d x y, (other c d x =? other c d y)%uint63 = (x =? y)%uint63.
Proof.
  intros c d x y. apply eq_true_iff_eq. split; intros H; apply eqb_correct in H.
  - apply (f_equal (other c d)) in H. rewrite !other_twice in H. subst. apply Uint63.eqb_refl.
  - subst. apply Uint63.eqb_refl.
Qed.

(* One exchange, and one after another. *)
Lemma exchanged_twice : forall e w, exchanged e (exchanged e w) = w.
Proof.
  intros [i|c d] w; cbn; [apply at_twice|]. rewrite map_map. rewrite <- (map_id w) at 2.
  apply map_ext, other_twice.
Qed.

Lemma exchanged_length : forall e w, length (exchanged e w) = length w.
Proof.
  intros [i|c d] w; cbn; [|apply map_length]. symmetry. apply Permutation_length, at_perm.
Qed.

Lemma exchanged_feedback : forall e g a, length g = length a ->
  feedback Pegs (exchanged e g) (exchanged e a) = feedback Pegs g a.
Proof.
  intros e g a L. unfold feedback. rewrite same_word_injective.
  - destruct (same_word g a); [reflexivity|]. destruct e as [i|c d]; cbn [exchanged].
    + rewrite places_at by exact L. rewrite <- (shared_left g) by apply at_perm.
      rewrite <- (shared_right g a) by apply at_perm. reflexivity.
    + rewrite places_map, shared_map by apply other_same. reflexivity.
  - intros v w E. apply (f_equal (exchanged e)) in E. rewrite !exchanged_twice in E. exact E.
Qed.

Lemma renamed_length : forall r w, length (renamed r w) = length w.
Proof.
  unfold renamed. induction r as [|e r IH]; intros w; cbn; [reflexivity|].
  rewrite IH. apply exchanged_length.
Qed.

Lemma renamed_feedback : forall r g a, length g = length a ->
  feedback Pegs (renamed r g) (renamed r a) = feedback Pegs g a.
Proof.
  unfold renamed. induction r as [|e r IH]; intros g a L; cbn [fold_left]; [reflexivity|].
  rewrite IH; [apply exchanged_feedback, L | rewrite !exchanged_length; exact L].
Qed.

Lemma renamed_back : forall r w, renamed (rev r) (renamed r w) = w.
Proof.
  unfold renamed. induction r as [|e r IH]; intros w; cbn [rev fold_left]; [reflexivity|].
  rewrite fold_left_app, IH. apply exchanged_twice.
Qed.

Lemma renamed_forth : forall r w, renamed r (renamed (rev r) w) = w.
Proof. intros r w. rewrite <- (rev_involutive r) at 1. apply renamed_back. Qed.

(* Lists that each exchange maps to themselves. *)
Section Closed.
Variable s : renamings.
Variable l : list word.
Hypothesis closed : is_closed s l = true.

Lemma closed_length : forall w, In w l -> length w = long s.
Proof.
  intros w W. unfold is_closed in closed. apply andb_prop in closed. destruct closed as [L _].
  rewrite forallb_forall in L. apply Nat.eqb_eq, L, W.
Qed.

Lemma closed_exchanged : forall e w, is_allowed s e = true -> In w l -> In (exchanged e w) l.
Proof.
  intros e w A W. unfold is_closed in closed. apply andb_prop in closed. destruct closed as [_ C].
  rewrite forallb_forall in C. specialize (C e). rewrite forallb_forall in C.
  assert (E : In e (all_exchanges s)).
  { unfold all_exchanges. apply in_or_app. destruct e as [i|c d]; unfold is_allowed in A.
    - left. apply in_map, in_seq. apply Nat.ltb_lt in A. lia.
    - right. apply andb_prop in A. destruct A as [C1 C2]. apply in_flat_map. exists c.
      split; [apply holds_in, C1 | apply in_map, holds_in, C2]. }
  specialize (C E w W).
  destruct (at_word _ _ _) as [v|] eqn:F; [|discriminate].
  apply at_word_right in F. destruct F as [I <-]. exact I.
Qed.

Lemma closed_renamed : forall r w, forallb (is_allowed s) r = true -> In w l -> In (renamed r w) l.
Proof.
  unfold renamed. induction r as [|e r IH]; intros w A W; cbn in *; [exact W|].
  apply andb_prop in A. destruct A as [A B]. apply IH; [exact B|].
  apply closed_exchanged; assumption.
Qed.
End Closed.

Lemma allowed_back : forall s r, forallb (is_allowed s) r = true ->
  forallb (is_allowed s) (rev r) = true.
Proof.
  intros s r H. rewrite forallb_forall in *. intros e E. apply H. apply in_rev. exact E.
Qed.
