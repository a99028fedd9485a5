(* Why the checker is right: what it counts are bounds, and so what it accepts is a theorem. *)
Require Import List Arith ZArith Lia Permutation Uint63 PArray Bool.
Require Import mean game bounds checker renaming.
Import ListNotations.
Local Open Scope Z_scope.

Notation "'phi' x" := (to_Z x) (at level 9).

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
  intros x y c H. apply (f_equal to_Z) in H. rewrite !sub_spec in H. apply to_Z_inj.
  apply (f_equal (fun n => (n + phi c) mod wB)) in H. rewrite !Zplus_mod_idemp_l in H.
  rewrite !Z.sub_add in H. rewrite !Z.mod_small in H by apply to_Z_bounded. exact H.
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
Lemma repeats_right : forall s stop l w0 w1 w2 w3 n L, NoDup L ->
  (forall x, In x L ->
     In x (map (fun x => (x >> s) land 255)%uint63 l) /\ has w0 w1 w2 w3 x = false) ->
  Z.of_nat (length L) + phi (repeats s stop l w0 w1 w2 w3 n) <= Z.of_nat (length l) + phi n.
Proof.
  intros s stop. induction l as [|a l IH]; intros w0 w1 w2 w3 n L D H.
  - destruct L as [|x L]; [cbn; lia|]. destruct (H x); cbn in *; [auto | contradiction].
  - assert (Old : forall v0 v1 v2 v3,
      has w0 w1 w2 w3 ((a >> s) land 255)%uint63 = true -> v0 = w0 -> v1 = w1 -> v2 = w2 ->
        v3 = w3 ->
      Z.of_nat (length L) +
        phi (if (stop <=? n + 1)%uint63 then (n + 1)%uint63
             else repeats s stop l v0 v1 v2 v3 (n + 1)) <= Z.of_nat (length (a :: l)) + phi n).
    { intros v0 v1 v2 v3 O -> -> -> ->.
      assert (I : forall x, In x L ->
        In x (map (fun x => (x >> s) land 255)%uint63 l) /\ has w0 w1 w2 w3 x = false).
      { intros x X. destruct (H x X) as [[E|Y] N]; [|auto]. rewrite <- E in N.
        exfalso. exact (eq_true_false_abs _ O N). }
      assert (A := add_one n). cbn [length]. destruct (stop <=? n + 1)%uint63.
      - assert (length L <= length (map (fun x => (x >> s) land 255)%uint63 l))%nat.
        { apply NoDup_incl_length; [exact D|]. intros x X. apply I, X. }
        rewrite map_length in *. lia.
      - specialize (IH w0 w1 w2 w3 (n + 1)%uint63 L D I). lia. }
    assert (New : forall v0 v1 v2 v3,
      (forall x, has v0 v1 v2 v3 x = true ->
         has w0 w1 w2 w3 x = true \/ ((a >> s) land 255)%uint63 = x) ->
      Z.of_nat (length L) + phi (repeats s stop l v0 v1 v2 v3 n)
        <= Z.of_nat (length (a :: l)) + phi n).
    { intros v0 v1 v2 v3 N. set (c := ((a >> s) land 255)%uint63) in *.
      set (L' := filter (fun x => negb (x =? c)%uint63) L).
      assert (R := one_removed c L D). fold L' in R.
      assert (D' : NoDup L') by apply (NoDup_filter _ D).
      specialize (IH v0 v1 v2 v3 n L' D'). cbn [length].
      assert (Z.of_nat (length L') + phi (repeats s stop l v0 v1 v2 v3 n)
              <= Z.of_nat (length l) + phi n); [|lia].
      apply IH. intros x X. apply filter_In in X. destruct X as [X E].
      apply negb_true_iff in E. destruct (H x X) as [Y Z].
      assert (x <> c) by (intros ->; rewrite Uint63.eqb_refl in E; discriminate).
      split.
      - destruct Y as [Y|Y]; [|exact Y]. exfalso. apply H0. symmetry. exact Y.
      - destruct (has v0 v1 v2 v3 x) eqn:F; [|reflexivity]. destruct (N x F); congruence. }
    cbn [repeats].
    remember ((a >> s) land 255)%uint63 as c eqn:Ec. unfold has in *.
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
  assert (X :=
    repeats_right (shift g) stop (column (cells g) (place g) (map index l)) 0 0 0 0 0 L D).
  change (phi 0%uint63) with 0 in X. rewrite Z.add_0_r in X.
  unfold column in *. rewrite map_length in X. rewrite !map_map, map_length in X.
  rewrite map_map. apply X.
  intros x Y. split; [apply I, Y | apply has_none].
Qed.

Lemma count_right : forall l n, phi (count l n) <= Z.of_nat (length l) + phi n.
Proof.
  induction l as [|a l IH]; intros n; cbn [count length]; [lia|].
  specialize (IH (n + 1)%uint63). assert (A := add_one n). lia.
Qed.

Section Sound.

Variable k : kind.
Variable table : array (option pattern).
Variable s : session.
Variables guesses answers : list word.
Hypothesis is_flat : all_guesses s = flat (blocks s).
Hypothesis is_right : right k table s guesses answers = true.
Variable sym : option renamings.
Hypothesis may : forall n, sym = Some n ->
  k = Pegs /\ is_closed n guesses = true /\ is_closed n answers = true /\
  by_word n = seated aword (all_answers s).

Notation gs := (all_guesses s).
Notation bs := (blocks s).
Notation all := (all_answers s).
Notation legal := (bounds.legal word pattern guesses).
Notation bounds := (bounds.bounds word pattern (feedback k) guesses).
Notation guess_bounds := (bounds.guess_bounds word pattern (feedback k) guesses).

(* The words of a state, and the states that can be. *)
Definition ws (p : list answer) := map aword p.
Definition is_state (p : list answer) := incl p all /\ NoDup (ws p).

(* The codes of a guess tell its feedback. *)
Definition fit (g : guess) := forall a, In a all ->
  table.[code g a] = feedback k (gword g) (aword a) /\
  ((code g a =? found_code)%uint63 = true <-> feedback k (gword g) (aword a) = None).

Lemma fits_fit : forall g, forallb (fits k table g) all = true -> fit g.
Proof.
  intros g H a A. rewrite forallb_forall in H. specialize (H a A). unfold fits in H.
  apply andb_prop in H. destruct H as [E F]. apply eq_feedback_iff in E. split; [exact E|].
  apply Bool.eqb_prop in F. rewrite F. split.
  - apply eq_feedback_iff.
  - intros ->. reflexivity.
Qed.

Lemma facts :
  ws all = answers /\ NoDup answers /\
  (forall w, In w guesses -> exists g, In g gs /\ gword g = w) /\
  (forall g, In g gs -> fit g) /\
  (forall a, In a all -> gword (own a) = aword a /\ fit (own a)) /\
  (exists by_index : array word, forall a, In a all -> by_index.[index a] = aword a) /\
  (forall g p r, In g gs -> incl p all -> r <= Z.of_nat (length p) ->
     phi (most g) <= r -> repeats_of g p (r - phi (most g))).
Proof.
  pose proof is_right as H. unfold right in H.
  repeat (apply andb_prop in H; destruct H as [H ?]).
  apply same_words_iff in H. rewrite forallb_forall in *.
  split; [exact H|]. split; [apply distinct_iff; assumption|].
  split; [|split; [|split; [|split]]].
  - intros w W. specialize (H3 w W). apply existsb_exists in H3. destruct H3 as [g [G E]].
    apply same_word_iff in E. eauto.
  - intros g G. apply fits_fit. apply forallb_forall. intros a A.
    specialize (H2 a A). rewrite forallb_forall in H2. apply H2, G.
  - intros a A. specialize (H1 a A). apply andb_prop in H1. destruct H1 as [H1 F].
    apply andb_prop in H1. destruct H1 as [O _]. apply same_word_iff in O.
    split; [exact O | apply fits_fit, F].
  - eexists. intros a A. specialize (H1 a A). apply andb_prop in H1. destruct H1 as [H1 _].
    apply andb_prop in H1. destruct H1 as [_ O]. apply same_word_iff in O. exact O.
  - intros g p r G I R M L D J. specialize (H0 g G). apply Z.leb_le in H0.
    assert (X := repeated_right g max_int all L D).
    assert (incl L (map (code g) all)).
    { intros x Y. specialize (J x Y). apply in_map_iff in J. destruct J as [a [<- A]].
      apply in_map, I, A. }
    specialize (X H5). lia.
Qed.

(* What repeats cost. *)
Lemma by_repeats : forall g p r, fit g -> is_state p -> repeats_of g p r ->
  guess_bounds (gword g) (ws p) (2 * Z.of_nat (length p) + r - 1) /\
  ((forall a, In a p -> aword a <> gword g) ->
   guess_bounds (gword g) (ws p) (2 * Z.of_nat (length p) + r)).
Proof.
  intros g p r F [I D] R. unfold ws in *.
  assert (r <= Z.of_nat (length p)).
  { specialize (R [] (NoDup_nil _) (incl_nil_l _)). cbn in R. lia. }
  destruct (by_feedbacks word pattern (feedback k) guesses (finds_one k) answer int (code g) aword
              (gword g) p (Z.to_nat (Z.of_nat (length p) - r))) as [A B].
  - exact D.
  - intros a b X Y E. destruct (F a (I a X)) as [<- _], (F b (I b Y)) as [<- _]. congruence.
  - intros L X Y. specialize (R L X Y). lia.
  - split.
    + intros next X Y. specialize (A next X Y). lia.
    + intros N next X Y.
      assert (Z : forall a, In a p -> feedback k (gword g) (aword a) <> None).
      { intros a P E. apply feedback_none in E. apply (N a P). congruence. }
      specialize (B Z next X Y). lia.
Qed.

Lemma size_bounds : forall p, is_state p -> bounds (ws p) (2 * Z.of_nat (length p) - 1).
Proof.
  intros p [_ D]. unfold ws in *. rewrite <- (map_length aword p).
  apply by_size; [apply finds_one | exact D].
Qed.

(* One ply. *)
Lemma less_or_not : forall r v : int,
  phi (if (r <? v)%uint63 then r else v) <= phi r /\
    phi (if (r <? v)%uint63 then r else v) <= phi v.
Proof.
  intros r v. destruct (r <? v)%uint63 eqn:E.
  - apply ltb_spec in E. lia.
  - destruct (Z_lt_le_dec (phi r) (phi v)); [|lia]. apply ltb_spec in l. congruence.
Qed.

Lemma repeats_less : forall g p r t, repeats_of g p r -> t <= r -> repeats_of g p t.
Proof. intros g p r t R L M D I. specialize (R M D I). lia. Qed.

Lemma least_of_own_right : forall p l v,
  phi (least_of_own l p v) <= phi v /\
  forall a, In a l -> repeats_of (own a) p (phi (least_of_own l p v)).
Proof.
  intros p. induction l as [|a l IH]; intros v; cbn [least_of_own In]; [split; [lia | tauto]|].
  set (r := repeated (own a) v p). destruct (less_or_not r v) as [A B].
  destruct (IH (if (r <? v)%uint63 then r else v)) as [C D]. split; [lia|].
  intros b [<-|X]; [|apply D, X]. eapply repeats_less; [apply (repeated_right _ v) | fold r; lia].
Qed.

Lemma codes_at_most : forall g p, repeats_of g p 0.
Proof.
  intros g p L D I. apply NoDup_incl_length in I; [|exact D]. rewrite map_length in I. lia.
Qed.

Lemma skips_right : forall p n v g, In g gs -> incl p all -> phi n <= Z.of_nat (length p) ->
  skips n v g = true -> repeats_of g p (phi v - 1).
Proof.
  intros p n v g G I N S. destruct facts as (_ & _ & _ & _ & _ & _ & M). unfold skips in S.
  destruct (v <=? 1)%uint63 eqn:V.
  - apply leb_spec in V. change (phi 1%uint63) with 1 in V.
    eapply repeats_less; [apply codes_at_most | lia].
  - cbn [orb] in S. apply andb_prop in S. destruct S as [S T].
    assert (1 < phi v).
    { destruct (Z_lt_le_dec 1 (phi v)); [lia|]. exfalso.
      change 1 with (phi 1%uint63) in l. apply leb_spec in l. congruence. }
    apply leb_spec in S, T. rewrite sub_exact in T by (change (phi 1%uint63) with 1; lia).
    rewrite sub_exact in T by exact S. change (phi 1%uint63) with 1 in T.
    eapply repeats_less; [apply (M g p (phi n) G I N S)|]. lia.
Qed.

Lemma least_of_block_right : forall p n t, incl p all -> phi n <= Z.of_nat (length p) -> forall l v,
  incl (map (with_cells t) l) gs ->
  phi (least_of_block l (column (fst t) (snd t) (map index p)) n v) <= phi v /\
  forall g, In g (map (with_cells t) l) ->
    repeats_of g p (phi (least_of_block l (column (fst t) (snd t) (map index p)) n v) - 1).
Proof.
  intros p n t I N.
  induction l as [|g l IH]; intros v J; cbn [least_of_block In map]; [split; [lia | tauto]|].
  assert (J' : incl (map (with_cells t) l) gs) by (intros x X; apply J; cbn; auto).
  destruct (skips n v g) eqn:S.
  - destruct (IH v J') as [A B]. split; [exact A|]. intros h [<-|X]; [|apply B, X].
    eapply repeats_less; [apply (skips_right p n v); auto; apply J; cbn; auto | lia].
  - change (repeats (shift g) (v - 1) (column (fst t) (snd t) (map index p)) 0 0 0 0 0)
      with (repeated (with_cells t g) (v - 1) p).
    set (r := (repeated (with_cells t g) (v - 1) p + 1)%uint63).
    destruct (less_or_not r v) as [A B].
    destruct (IH (if (r <? v)%uint63 then r else v) J') as [C D]. split; [lia|].
    intros h [<-|X]; [|apply D, X].
    eapply repeats_less; [apply (repeated_right _ (v - 1)%uint63)|]. unfold r in *.
    assert (E := add_one (repeated (with_cells t g) (v - 1) p)). apply Z.le_sub_le_add_r.
    eapply Z.le_trans; [exact C|]. eapply Z.le_trans; [exact A|]. exact E.
Qed.

Lemma least_of_all_right : forall p n, incl p all -> phi n <= Z.of_nat (length p) -> forall l v,
  incl (flat l) gs -> phi (least_of_all l (map index p) n v) <= phi v /\
  forall g, In g (flat l) -> repeats_of g p (phi (least_of_all l (map index p) n v) - 1).
Proof.
  intros p n I N.
  induction l as [|[t ms] l IH]; intros v J; cbn [least_of_all flat flat_map fst snd];
    [split; [lia | intros g []]|]. fold (flat l).
  assert (Jm : incl (map (with_cells t) ms) gs).
  { intros x X. apply J. cbn. apply in_or_app. auto. }
  assert (Jl : incl (flat l) gs).
  { intros x X. apply J. cbn. apply in_or_app. auto. }
  destruct (v <=? 1)%uint63 eqn:V.
  - split; [lia|]. intros g _. apply leb_spec in V. change (phi 1%uint63) with 1 in V.
    eapply repeats_less; [apply codes_at_most | lia].
  - destruct (forallb (skips n v) ms) eqn:S.
    + destruct (IH v Jl) as [A B]. split; [exact A|]. intros g X. apply in_app_or in X.
      destruct X as [X|X]; [|apply B, X]. eapply repeats_less; [|apply Z.sub_le_mono_r, A].
      apply (skips_right p n v); auto. apply in_map_iff in X. destruct X as [m [<- X]].
      rewrite forallb_forall in S. apply (S m X).
    + destruct (least_of_block_right p n t I N ms v Jm) as [A B].
      destruct (IH (least_of_block ms (column (fst t) (snd t) (map index p)) n v) Jl) as [C D].
      split; [lia|]. intros g X. apply in_app_or in X.
      destruct X as [X|X]; [|apply D, X]. eapply repeats_less; [apply B, X | lia].
Qed.

Lemma bounds_less : forall S b c, bounds S b -> c <= b -> bounds S c.
Proof. intros S b c B L t T F. specialize (B t T F). lia. Qed.
Lemma guess_bounds_less : forall g S b c, guess_bounds g S b -> c <= b -> guess_bounds g S c.
Proof. intros g S b c B L t T F. specialize (B t T F). lia. Qed.

Lemma ply_right : forall p, is_state p -> bounds (ws p) (ply bs p).
Proof.
  intros p P. destruct facts as (_ & _ & G & FG & FA & _ & _). unfold ply.
  set (n := count p 0).
  assert (N : phi n <= Z.of_nat (length p)).
  { assert (X := count_right p 0). change (phi 0%uint63) with 0 in X. unfold n. lia. }
  destruct (least_of_own_right p p n) as [A B].
  destruct (least_of_all_right p n (proj1 P) N bs (least_of_own p p n)) as [C D].
  { rewrite is_flat. apply incl_refl. }
  rewrite <- is_flat in D. set (v := least_of_all bs (map index p) n (least_of_own p p n)) in *.
  destruct p as [|x p'] eqn:Ep.
  - intros t _ _. change (phi n) with 0 in *. lia.
  - rewrite <- Ep in *. apply by_useful; [rewrite Ep; discriminate|].
    intros w W. right.
    destruct (existsb (fun a => same_word (aword a) w) p) eqn:E.
    + apply existsb_exists in E. destruct E as [a [Y E]]. apply same_word_iff in E. subst w.
      destruct (FA a (proj1 P a Y)) as [O F]. rewrite <- O.
      eapply guess_bounds_less; [apply (proj1 (by_repeats _ _ _ F P (B a Y)))|]. lia.
    + destruct (G w W) as [g [Y <-]].
      eapply guess_bounds_less; [apply (proj2 (by_repeats _ _ _ (FG g Y) P (D g Y)))|]; [|lia].
      intros a X F. rewrite <- not_true_iff_false in E. apply E. apply existsb_exists.
      exists a. split; [exact X|]. apply same_word_iff. exact F.
Qed.

(* The memo holds bounds. *)
Definition holds_bounds (m : memo) := forall i e, In e m.[i] ->
  incl (state_of e) all /\ bounds (ws (state_of e)) (known e).

Lemma same_state_right : forall p q, incl p all -> incl q all -> same_state p q = true ->
  ws p = ws q.
Proof.
  destruct facts as (_ & _ & _ & _ & _ & [t T] & _).
  induction p as [|a p IH]; destruct q as [|b q]; cbn; intros I J H; try congruence.
  apply andb_prop in H. destruct H as [E H]. apply Uint63.eqb_correct in E. f_equal.
  - rewrite <- (T a), <- (T b); [congruence | apply J; cbn; auto | apply I; cbn; auto].
  - apply IH; [intros x X; apply I; cbn; auto | intros x X; apply J; cbn; auto | exact H].
Qed.

Lemma find_entry_right : forall p l e, find_entry p l = Some e ->
  In e l /\ same_state p (state_of e) = true.
Proof.
  intros p. induction l as [|x l IH]; cbn; intros e H; [discriminate|].
  destruct (same_state p (state_of x)) eqn:E.
  - inversion H; subst. auto.
  - destruct (IH e H). auto.
Qed.

Lemma keep_right : forall m e, holds_bounds m -> incl (state_of e) all ->
  bounds (ws (state_of e)) (known e) -> holds_bounds (keep m e).
Proof.
  intros m e H I B i x X. unfold keep in X. set (h := hash (state_of e) 0) in *.
  destruct (i =? h)%uint63 eqn:E.
  - apply Uint63.eqb_correct in E. subst i. destruct (h <? PArray.length m)%uint63 eqn:L.
    + rewrite get_set_same in X by exact L. destruct X as [<-|X]; [auto | eapply H; eauto].
    + rewrite get_out_of_bounds in X by (rewrite length_set; exact L). rewrite default_set in X.
      rewrite <- (get_out_of_bounds _ m h L) in X. eapply H; eauto.
  - rewrite get_set_other in X; [eapply H; eauto|]. intros ->.
    rewrite Uint63.eqb_refl in E. discriminate.
Qed.

(* Renamings. *)
Lemma all_or_none : sym = None \/ exists n, sym = Some n.
Proof. clear. destruct sym; eauto. Qed.

Lemma renamed_bounds : forall n c S b, sym = Some n -> forallb (is_allowed n) c = true ->
  (forall a, In a S -> length a = long n) -> bounds S b -> bounds (map (renamed c) S) b.
Proof.
  intros n c S b R A L B. destruct (may n R) as (K & G & _).
  apply (bounds_carried word pattern (feedback k) guesses (renamed (rev c)));
    [| |exact B].
  - intros g I. apply (closed_renamed n guesses G); [apply allowed_back, A | exact I].
  - intros g a I J. rewrite K.
    rewrite <- (renamed_feedback c (renamed (rev c) g) a).
    + rewrite renamed_forth. reflexivity.
    + rewrite renamed_length, (closed_length n guesses G g I). symmetry. apply L, J.
Qed.

Lemma images_right : forall c p q, images (seated aword all) c p = Some q ->
  incl q all /\ ws q = map (renamed c) (ws p).
Proof.
  intros c. induction p as [|a p IH]; cbn [images]; intros q E.
  - inversion E; subst. split; [apply incl_nil_l | reflexivity].
  - destruct (at_word _ _ _) as [b|] eqn:X; [|discriminate].
    destruct (images _ c p) as [q'|]; [|discriminate]. inversion E; subst q.
    apply at_word_right in X. destruct X as [I X]. destruct (IH q' eq_refl) as [J Y]. split.
    + intros x [<-|Z]; [exact I | apply J, Z].
    + unfold ws in *. cbn [map]. rewrite X, Y. reflexivity.
Qed.

Lemma state_length : forall n p a, sym = Some n -> is_state p -> In a (ws p) -> length a = long n.
Proof.
  intros n p a R [I _] A. destruct (may n R) as (_ & _ & C & _). destruct facts as (E & _).
  apply (closed_length n answers C). rewrite <- E. unfold ws in *. apply in_map_iff in A.
  destruct A as [x [<- X]]. apply in_map, I, X.
Qed.

Lemma form_right : forall p, is_state p ->
  is_state (form sym p) /\ forall b, bounds (ws p) b <-> bounds (ws (form sym p)) b.
Proof.
  intros p P. destruct all_or_none as [R|[n R]]; rewrite R; cbn [form];
    [split; [exact P | reflexivity]|].
  destruct (may n R) as (K & G & A & T). rewrite T. set (c := to_form n p).
  destruct (images (seated aword all) c p) as [q|] eqn:I; [|split; [exact P | reflexivity]].
  destruct (forallb (is_allowed n) c) eqn:C; [|split; [exact P | reflexivity]].
  apply images_right in I. destruct I as [I E].
  assert (S := Answers.Permuted_sort q). assert (Q := Permutation_map aword S).
  fold (ws q) in Q. fold (ws (Answers.sort q)) in Q.
  split.
  - split.
    + intros x X. apply I. eapply Permutation_in; [symmetry; exact S | exact X].
    + apply (Permutation_NoDup Q). rewrite E. apply FinFun.Injective_map_NoDup; [|apply P].
      intros v w V. apply (f_equal (renamed (rev c))) in V. rewrite !renamed_back in V. exact V.
  - intros b. split; intros B.
    + apply (bounds_perm word pattern (feedback k) guesses _ _ b Q). rewrite E.
      apply (renamed_bounds n); auto. intros a X. apply (state_length n p); auto.
    + apply (bounds_perm word pattern (feedback k) guesses _ _ b (Permutation_sym Q)) in B.
      rewrite E in B. apply (renamed_bounds n (rev c)) in B; auto.
      * rewrite map_map in B. rewrite (map_ext _ (fun w => w)) in B by (intros; apply renamed_back).
        rewrite map_id in B. exact B.
      * apply allowed_back, C.
      * intros a X. apply in_map_iff in X. destruct X as [x [<- X]]. rewrite renamed_length.
        apply (state_length n p); auto.
Qed.

Lemma known_of_right : forall m p, holds_bounds m -> is_state p ->
  holds_bounds (fst (known_of sym bs m p)) /\ bounds (ws p) (snd (known_of sym bs m p)).
Proof.
  intros m p H P. destruct (form_right p P) as [F B]. unfold known_of.
  set (q := form sym p) in *. destruct (find_entry q m.[hash q 0]) as [e|] eqn:E; cbn [fst snd].
  - apply find_entry_right in E. destruct E as [I E]. destruct (H _ _ I) as [J C].
    split; [exact H|]. apply B. rewrite (same_state_right q (state_of e));
      [exact C | apply F | exact J | exact E].
  - split; [|apply B, ply_right, F].
    apply (keep_right m (Entry q (ply bs q) 0)); [exact H | apply F | apply ply_right, F].
Qed.

(* Parts. *)
Lemma partition_perm : forall (A : Type) (f : A -> bool) l,
  Permutation l (fst (partition f l) ++ snd (partition f l)) /\
  forall x, In x (fst (partition f l)) -> f x = true.
Proof.
  intros A f. induction l as [|x l [IH T]]; cbn; [split; [constructor | tauto]|].
  destruct (partition f l) as [a b]. cbn in *. destruct (f x) eqn:E; cbn.
  - split; [constructor; exact IH|]. intros y [<-|Y]; auto.
  - split; [|exact T]. eapply perm_trans; [constructor; exact IH|]. apply Permutation_middle.
Qed.

Definition is_part (g : guess) (p : part) :=
  fst p <= 2 * Z.of_nat (length (snd p)) - 1 /\
  exists c, (c =? found_code)%uint63 = false /\ forall a, In a (snd p) -> code g a = c.

Lemma parts_right : forall g fuel p, exists rest,
  Permutation p (concat (map snd (parts fuel g p)) ++ rest) /\ Forall (is_part g) (parts fuel g p).
Proof.
  intros g. induction fuel as [|f fuel IH]; intros p.
  - exists p. split; [reflexivity | constructor].
  - destruct p as [|a p].
    + exists []. split; [reflexivity | constructor].
    + cbn [parts]. set (c := code g a).
      destruct (partition_perm answer (fun b => code g b =? c)%uint63 (a :: p)) as [P S].
      destruct (partition (fun b => code g b =? c)%uint63 (a :: p)) as [same other].
      cbn [fst snd] in P, S. destruct (IH other) as [rest [Q F]].
      destruct (c =? found_code)%uint63 eqn:E.
      * exists (rest ++ same). split; [|exact F]. rewrite app_assoc.
        eapply perm_trans; [exact P|]. eapply perm_trans; [apply Permutation_app_comm|].
        apply Permutation_app_tail, Q.
      * exists rest. cbn [map concat snd]. split.
        -- rewrite <- app_assoc. eapply perm_trans; [exact P|]. apply Permutation_app_head, Q.
        -- constructor; [|exact F]. split; cbn [fst snd].
           ++ assert (X := count_right same 0). change (phi 0%uint63) with 0 in X. lia.
           ++ exists c. split; [exact E|]. intros b B. apply Uint63.eqb_correct, S, B.
Qed.

Lemma insert_perm : forall p l, Permutation (p :: l) (insert p l).
Proof.
  intros p. induction l as [|q l IH]; cbn; [reflexivity|].
  destruct (fst p <? fst q); [|reflexivity].
  eapply perm_trans; [apply perm_swap|]. constructor. exact IH.
Qed.

Lemma sorted_perm : forall l, Permutation l (sorted l).
Proof.
  induction l as [|p l IH]; cbn; [reflexivity|].
  eapply perm_trans; [constructor; exact IH | apply insert_perm].
Qed.

Lemma state_of_part : forall p q rest, is_state p -> Permutation p (q ++ rest) -> is_state q.
Proof.
  intros p q rest [I D] P. split.
  - intros x X. apply I. eapply Permutation_in; [symmetry; exact P|]. apply in_or_app. auto.
  - assert (E : Permutation (ws p) (ws q ++ ws rest)).
    { unfold ws. rewrite <- map_app. apply Permutation_map, P. }
    apply (Permutation_NoDup E) in D. clear - D.
    induction (ws q) as [|x l IH]; [constructor|]. cbn in D. inversion D; subst. constructor.
    + intros X. apply H1. apply in_or_app. auto.
    + apply IH. assumption.
Qed.

Lemma raised_right : forall goal ps m sum x, holds_bounds m ->
  Forall (fun p => is_state (snd p) /\ fst p <= 2 * Z.of_nat (length (snd p)) - 1) ps ->
  sum = x + fold_right Z.add 0 (map fst ps) ->
  holds_bounds (fst (raised sym bs m ps sum goal)) /\
  exists l, Forall2 (fun p b => bounds (ws (snd p)) b) ps l /\
    snd (raised sym bs m ps sum goal) = x + fold_right Z.add 0 l.
Proof.
  intros goal. induction ps as [|[z p] ps IH]; intros m sum x H F E.
  - cbn in *. split; [exact H|]. exists []. split; [constructor | exact E].
  - assert (Sizes : forall l, Forall (fun p => is_state (snd p) /\
        fst p <= 2 * Z.of_nat (length (snd p)) - 1) l ->
      Forall2 (fun (p : part) b => bounds (ws (snd p)) b) l (map fst l)).
    { clear. induction l as [|[z p] l IH]; intros F; cbn; constructor;
      inversion F as [|? ? [A B]]; subst.
      - eapply bounds_less; [apply size_bounds, A | exact B].
      - apply IH. assumption. }
    cbn [raised]. destruct (goal <=? sum).
    + cbn [fst snd]. split; [exact H|]. exists (map fst ((z, p) :: ps)).
      split; [apply Sizes, F | exact E].
    + inversion F as [|? ? [P Q] F']; subst. cbn [fst snd map fold_right] in *.
      destruct (z <=? 3).
      * destruct (IH m (x + (z + fold_right Z.add 0 (map fst ps))) (x + z) H F' ltac:(lia))
          as [A [zs [B C]]].
        split; [exact A|]. exists (z :: zs). split.
        -- constructor; [|exact B]. cbn [snd]. eapply bounds_less; [apply size_bounds, P | exact Q].
        -- cbn [fold_right]. rewrite C. lia.
      * destruct (known_of_right m p H P) as [K L]. destruct (known_of sym bs m p) as [m' b].
        cbn [fst snd] in K, L.
        destruct
          (IH m' (x + (z + fold_right Z.add 0 (map fst ps)) + (b - z)) (x + b) K F' ltac:(lia))
          as [A [zs [B C]]].
        split; [exact A|]. exists (b :: zs). split.
        -- constructor; [exact L | exact B].
        -- cbn [fold_right]. rewrite C. lia.
Qed.

Definition needed (p : list answer) (need : int) (goal : Z) :=
  goal <= 2 * Z.of_nat (length p) + phi need \/ need = max_int.

Lemma enough_right : forall p goal, needed p (enough p goal) goal.
Proof.
  intros p goal. unfold needed, enough.
  set (need := of_Z (Z.max 0 (goal - 2 * phi (count p 0)))).
  destruct (goal <=? 2 * phi (count p 0) + phi need) eqn:E; [left | auto].
  apply Z.leb_le in E. assert (X := count_right p 0). change (phi 0%uint63) with 0 in X. lia.
Qed.

Lemma more_than_needed : forall p need goal x, needed p need goal ->
  (need <? x)%uint63 = true -> goal <= 2 * Z.of_nat (length p) + phi x - 1.
Proof.
  intros p need goal x N L. apply ltb_spec in L. destruct N as [N| ->]; [lia|].
  exfalso. pose proof (to_Z_bounded x). change (phi max_int) with (wB - 1) in L. lia.
Qed.

Lemma fold_sizes : forall ps x,
  fold_left (fun t (p : part) => t + fst p) ps x = x + fold_right Z.add 0 (map fst ps).
Proof. induction ps as [|p ps IH]; intros x; cbn; [lia|]. rewrite IH. lia. Qed.

Definition is_goal (p : list answer) (goal : Z) (or_useless : bool) (w : word) :=
  or_useless = true /\ useless word pattern (feedback k) w (ws p) \/ guess_bounds w (ws p) goal.

Lemma proves_right : forall m p n need goal or_useless g m', holds_bounds m -> is_state p ->
  In g gs -> phi n <= Z.of_nat (length p) -> needed p need goal ->
  proves sym bs m p n need goal or_useless g = Good m' ->
  holds_bounds m' /\ is_goal p goal or_useless (gword g).
Proof.
  intros m p n need goal or_useless g m' H P G N D.
  destruct facts as (_ & _ & _ & FG & _ & _ & M). specialize (FG g G).
  unfold proves, is_goal.
  destruct ((most g <=? n) && (need <? n - most g))%uint63 eqn:E.
  { intros X. inversion X; subst. split; [exact H|]. right.
    apply andb_prop in E. destruct E as [E F]. apply leb_spec in E.
    apply (more_than_needed p need goal _ D) in F. rewrite sub_exact in F by exact E.
    eapply guess_bounds_less; [apply (proj1 (by_repeats g p (phi n - phi (most g)) FG P
      (M g p (phi n) G (proj1 P) N E)))|]. lia. }
  clear E. destruct (need <? repeated g (need + 1) p)%uint63 eqn:E.
  { intros X. inversion X; subst. split; [exact H|]. right.
    apply (more_than_needed p need goal _ D) in E.
    eapply guess_bounds_less;
      [apply (proj1 (by_repeats g p _ FG P (repeated_right g (need + 1) p)))|].
    lia. }
  clear E. destruct (or_useless && is_useless g p) eqn:E.
  { intros X. inversion X; subst. split; [exact H|]. left.
    apply andb_prop in E. destruct E as [-> U]. split; [reflexivity|].
    unfold is_useless in U. destruct p as [|a p]; [discriminate|].
    apply andb_prop in U. destruct U as [V U]. apply negb_true_iff in V.
    rewrite forallb_forall in U.
    destruct (FG a (proj1 P a (or_introl eq_refl))) as [T1 T2].
    destruct (feedback k (gword g) (aword a)) as [q|] eqn:Fq.
    - exists q. intros w W. unfold ws in W. apply in_map_iff in W. destruct W as [b [<- B]].
      specialize (U b B). apply Uint63.eqb_correct in U.
      rewrite <- (proj1 (FG b (proj1 P b B))). rewrite U. exact T1.
    - rewrite (proj2 T2 eq_refl) in V. discriminate. }
  clear E. destruct (parts_right g p p) as [rest [Q F]].
  set (ps := sorted (parts p g p)).
  assert (S := sorted_perm (parts p g p)). fold ps in S.
  assert (Q' : Permutation p (concat (map snd ps) ++ rest)).
  { eapply perm_trans; [exact Q|]. apply Permutation_app_tail. clear - S.
    induction S; cbn; [constructor | apply Permutation_app_head; assumption | |
                       eapply perm_trans; eassumption].
    rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm. }
  assert (F' : Forall (fun q => is_part g q /\ is_state (snd q)) ps).
  { apply Forall_forall. intros q I. split.
    - rewrite Forall_forall in F. apply F. eapply Permutation_in; [symmetry; exact S | exact I].
    - apply in_split in I. destruct I as [l1 [l2 I]]. rewrite I in Q'.
      rewrite map_app, concat_app in Q'. cbn [map concat] in Q'.
      apply (state_of_part p (snd q) (concat (map snd l1) ++ concat (map snd l2) ++ rest) P).
      rewrite <- !app_assoc in Q'. eapply perm_trans; [exact Q'|]. apply Permutation_app_swap_app. }
  assert (Sizes : Forall (fun q => is_state (snd q) /\
    fst q <= 2 * Z.of_nat (length (snd q)) - 1) ps).
  { eapply Forall_impl; [|exact F']. intros q [[A _] B]. auto. }
  rewrite fold_sizes.
  destruct
    (raised_right goal ps m (phi n + fold_right Z.add 0 (map fst ps)) (phi n) H Sizes eq_refl)
    as [H' [zs [B T]]].
  destruct (raised sym bs m ps (phi n + fold_right Z.add 0 (map fst ps)) goal) as [m2 sum].
  cbn [fst snd] in H', T. destruct (goal <=? sum) eqn:E; [|discriminate].
  intros X. inversion X; subst m'. split; [exact H'|]. right. apply Z.leb_le in E.
  eapply guess_bounds_less.
  - apply
      (by_parts word pattern (feedback k) guesses (gword g) (map ws (map snd ps)) zs (ws p)
        (ws rest)).
    + unfold ws at 1. eapply Permutation_trans; [apply Permutation_map, Q'|].
      rewrite map_app. apply Permutation_app_tail. rewrite concat_map. reflexivity.
    + rewrite map_map. clear - B F' FG. induction B as [|q b l zs B _ IH]; cbn; constructor.
      * inversion F' as [|? ? [[_ [c [C D]]] [I _]]]; subst. split; [|exact B].
        destruct (snd q) as [|a r] eqn:Eq; [exists (Colours []); intros w []|].
        destruct (FG a (I a (or_introl eq_refl))) as [T1 T2].
        rewrite (D a (or_introl eq_refl)) in T1, T2.
        destruct (feedback k (gword g) (aword a)) as [pt|] eqn:Fq.
        -- exists pt. intros w W. unfold ws in W. apply in_map_iff in W. destruct W as [x [<- W]].
           rewrite <- (proj1 (FG x (I x W))). rewrite (D x W). exact T1.
        -- rewrite (proj2 T2 eq_refl) in C. discriminate.
      * apply IH. inversion F'; assumption.
  - unfold ws. rewrite map_length. lia.
Qed.

Lemma proves_all_right : forall p n need goal, is_state p -> phi n <= Z.of_nat (length p) ->
  needed p need goal -> forall some m m', incl some gs -> holds_bounds m ->
  proves_all sym bs m p n need goal some = Good m' ->
  holds_bounds m' /\ forall g, In g some -> is_goal p goal true (gword g).
Proof.
  intros p n need goal P N D. induction some as [|g some IH]; cbn; intros m m' I H E.
  - inversion E; subst. split; [exact H | tauto].
  - destruct (proves sym bs m p n need goal true g) as [m1|] eqn:X; [|discriminate].
    destruct (proves_right _ _ _ _ _ _ _ _ H P (I g (or_introl eq_refl)) N D X) as [H1 G].
    destruct (IH m1 m' (fun x Y => I x (or_intror Y)) H1 E) as [H2 A].
    split; [exact H2|]. intros h [<-|Y]; [exact G | apply A, Y].
Qed.

Lemma is_all : is_state all.
Proof.
  destruct facts as (E & D & _). split; [apply incl_refl|]. rewrite E. exact D.
Qed.

Lemma filter_state : forall f, is_state (filter f all).
Proof.
  intros f. destruct is_all as [_ D]. split.
  - intros x X. apply filter_In in X. apply X.
  - unfold ws in *. clear - D. induction all as [|a l IH]; cbn in *; [constructor|].
    inversion D; subst. destruct (f a); cbn; [|apply IH; assumption].
    constructor; [|apply IH; assumption]. intros X. apply H1.
    apply in_map_iff in X. destruct X as [x [<- X]]. apply filter_In in X. apply in_map, X.
Qed.

(* Guesses that are passed over. *)
Lemma passed_right : forall made goal w, is_passed sym made goal w = true ->
  exists n c, sym = Some n /\ keeps n made c = true /\
    phi (value (renamed c w)) < phi (value w) /\ goal w <= goal (renamed c w).
Proof.
  intros made goal w H. destruct all_or_none as [R|[n R]]; rewrite R in H; [discriminate|].
  cbn [is_passed] in H.
  apply existsb_exists in H. destruct H as [c0 [_ H]]. unfold stands_for in H.
  set (c := c0 ++ completed _ _ _ _) in H. exists n, c.
  apply andb_prop in H. destruct H as [H K]. apply andb_prop in H. destruct H as [V G].
  apply ltb_spec in V. apply Z.leb_le in G. auto.
Qed.

Lemma stands_right : forall p n c w b b' or_useless, is_state p -> sym = Some n ->
  forallb (is_allowed n) c = true -> (forall x, In x (ws p) -> In (renamed c x) (ws p)) ->
  In w guesses -> b <= b' ->
  is_goal p b' or_useless (renamed c w) -> is_goal p b or_useless w.
Proof.
  intros p n c w b b' u P R A C W L [[U [t T]]|B]; destruct (may n R) as (K & G & _).
  - left. split; [exact U|]. exists t. intros a X. rewrite K.
    rewrite <- (renamed_feedback c w a); [rewrite <- K; apply T, C, X|].
    rewrite (closed_length n guesses G w W). symmetry. apply (state_length n p); auto.
  - right. apply (guess_bounds_less _ _ b'); [|exact L].
    apply (guess_bounds_perm word pattern (feedback k) guesses w (map (renamed (rev c)) (ws p))).
    + assert (Q : Permutation (map (renamed c) (ws p)) (ws p)).
      { apply NoDup_Permutation_bis.
        - apply FinFun.Injective_map_NoDup; [|apply P]. intros v x V.
          apply (f_equal (renamed (rev c))) in V. rewrite !renamed_back in V. exact V.
        - rewrite map_length. reflexivity.
        - intros x X. apply in_map_iff in X. destruct X as [y [<- Y]]. apply C, Y. }
      apply (Permutation_map (renamed (rev c))) in Q. rewrite map_map in Q.
      rewrite (map_ext _ (fun x => x)) in Q by (intros; apply renamed_back).
      rewrite map_id in Q. symmetry. exact Q.
    + apply (guess_bounds_carried word pattern (feedback k) guesses (renamed c));
        [| |exact W | exact B].
      * intros g I. apply (closed_renamed n guesses G); assumption.
      * intros g a I X. rewrite K. rewrite <- (renamed_feedback c g (renamed (rev c) a)).
        -- rewrite renamed_forth. reflexivity.
        -- rewrite renamed_length, (closed_length n guesses G g I). symmetry.
           apply (state_length n p); auto.
Qed.

Lemma not_passed_right : forall p made goal or_useless, is_state p ->
  (forall n c x, sym = Some n -> keeps n made c = true -> In x (ws p) -> In (renamed c x) (ws p)) ->
  (forall g, In g (not_passed sym made goal gs) ->
     is_goal p (goal (gword g)) or_useless (gword g)) ->
  forall w, In w guesses -> is_goal p (goal w) or_useless w.
Proof.
  intros p made goal u P K H.
  assert (X : forall m w, In w guesses -> phi (value w) < Z.of_nat m -> is_goal p (goal w) u w).
  { induction m as [|m IH]; intros w W L.
    - pose proof (to_Z_bounded (value w)). lia.
    - destruct (is_passed sym made goal w) eqn:E.
      + apply passed_right in E. destruct E as (n & c & R & C & V & G).
        assert (A : forallb (is_allowed n) c = true) by (apply andb_prop in C; apply C).
        destruct (may n R) as (_ & CG & _).
        apply (stands_right p n c w (goal w) (goal (renamed c w))); auto.
        * intros x X. apply (K n c); auto.
        * apply IH; [apply (closed_renamed n guesses CG); assumption | lia].
      + destruct facts as (_ & _ & F & _). destruct (F w W) as [g [I <-]]. apply H.
        unfold not_passed. apply filter_In. rewrite E. auto. }
  intros w W. apply (X (S (Z.to_nat (phi (value w)))) w W).
  pose proof (to_Z_bounded (value w)). lia.
Qed.

Lemma entered_right : forall m line m', holds_bounds m -> entered k sym s m line = Good m' ->
  holds_bounds m'.
Proof.
  intros m line m' H E. unfold entered in E.
  destruct line as [|b [|kd [|w1 [|w2 wl]]]]; try discriminate.
  destruct (number b) as [goal|]; [|discriminate].
  destruct (same_word kd _ && _); [|discriminate].
  destruct (path _ _) as [gs'|]; [|discriminate].
  destruct (find _ all) as [hidden|] eqn:F; [|discriminate].
  apply find_some in F. destruct F as [F _]. set (made := map gword gs') in *.
  set (f := fun a => forallb
    (fun g => eq_feedback (feedback k g (aword a)) (feedback k g (aword hidden))) made) in *.
  set (state := filter f all) in *.
  assert (P : is_state state) by apply filter_state.
  assert (N : phi (count state 0) <= Z.of_nat (length state)).
  { assert (X := count_right state 0). change (phi 0%uint63) with 0 in X. lia. }
  assert (X : In hidden state).
  { apply filter_In. split; [exact F|]. apply forallb_forall. intros g _. apply eq_feedback_refl. }
  assert (C : forall n c x, sym = Some n -> keeps n made c = true ->
    In x (ws state) -> In (renamed c x) (ws state)).
  { intros n c x R K Y. assert (L := state_length n state x R P Y).
    destruct (may n R) as (Kp & _ & CA & _). destruct facts as (EA & _).
    apply andb_prop in K. destruct K as [A K]. rewrite forallb_forall in K.
    unfold ws in Y. apply in_map_iff in Y. destruct Y as [a [<- Y]]. apply filter_In in Y.
    destruct Y as [I Y]. unfold f in Y. rewrite forallb_forall in Y.
    assert (I2 : In (renamed c (aword a)) answers).
    { apply (closed_renamed n answers CA); [exact A|]. rewrite <- EA. apply in_map, I. }
    rewrite <- EA in I2. unfold ws in I2. apply in_map_iff in I2. destruct I2 as [a2 [E2 I2]].
    rewrite <- E2. apply in_map, filter_In. split; [exact I2|]. apply forallb_forall.
    intros g J. specialize (K g J). specialize (Y g J). apply andb_prop in K.
    destruct K as [Lg K]. apply Nat.eqb_eq in Lg. apply same_word_iff in K.
    apply eq_feedback_iff in Y. rewrite <- Y, E2. rewrite <- K at 1. rewrite Kp.
    rewrite renamed_feedback by congruence. apply eq_feedback_refl. }
  destruct (_ <? goal); [|discriminate].
  destruct (known_of_right m state H P) as [H1 K].
  destruct (known_of sym bs m state) as [m1 b1]. cbn [fst snd] in H1, K.
  destruct (proves_all _ _ _ _ _ _ _ _) as [m2|] eqn:A; [|discriminate].
  assert (In_all : incl (not_passed sym made (fun _ => goal) gs) gs).
  { intros g I. apply filter_In in I. apply I. }
  destruct (proves_all_right _ _ _ _ P N (enough_right state goal) _ _ _ In_all H1 A)
    as [H2 G].
  destruct (form_right state P) as [Q FB].
  inversion E; subst m'. apply keep_right; [exact H2 | apply Q |]. cbn [state_of known].
  apply FB.
  assert (B : bounds (ws state) goal).
  { apply by_useful.
    - intros Z. destruct state; [contradiction | discriminate].
    - intros w W.
      destruct (not_passed_right state made (fun _ => goal) true P C G w W) as [[_ U]|Z]; auto. }
  intros t T Y. specialize (B t T Y). specialize (K t T Y). lia.
Qed.

Lemma ledger_right : forall ls m m', holds_bounds m -> ledger k sym s m ls = Good m' ->
  holds_bounds m'.
Proof.
  induction ls as [|l ls IH]; cbn; intros m m' H E; [inversion E; subst; exact H|].
  destruct (entered k sym s m l) as [m1|] eqn:X; [|discriminate].
  eapply IH; [eapply entered_right; eauto | exact E].
Qed.

Lemma nothing_known : holds_bounds (make seats []).
Proof. intros i e I. rewrite get_make in I. contradiction. Qed.

Lemma proves_openers_right : forall n goal, phi n <= Z.of_nat (length all) ->
  forall some m m', incl some gs -> holds_bounds m ->
  proves_openers sym bs m all n goal some = Good m' ->
  forall g, In g some -> is_goal all (goal (gword g)) false (gword g).
Proof.
  intros n goal N. induction some as [|g some IH]; cbn; intros m m' I H E; [tauto|].
  destruct (proves sym bs m all n (enough all (goal (gword g))) (goal (gword g)) false g)
    as [m1|] eqn:X; [|discriminate].
  destruct (proves_right _ _ _ _ _ _ _ _ H is_all (I g (or_introl eq_refl)) N
              (enough_right all (goal (gword g))) X) as [H1 G].
  intros h [<-|Y]; [exact G|]. eapply IH; eauto. intros x Z. apply I. right. exact Z.
Qed.

(* With symmetries all openers have to be there; others may stand for some of them. *)
Lemma openers_right : forall n goal some m m', phi n <= Z.of_nat (length all) ->
  incl some gs -> (sym <> None -> some = gs) -> holds_bounds m ->
  proves_openers sym bs m all n goal (not_passed sym [] goal some) = Good m' ->
  forall g, In g some -> In (gword g) guesses ->
    guess_bounds (gword g) answers (goal (gword g)).
Proof.
  intros n goal some m m' N I All H E g G W.
  assert (J : incl (not_passed sym [] goal some) gs).
  { intros x X. apply I. apply filter_In in X. apply X. }
  assert (B := proves_openers_right n goal N _ m m' J H E).
  assert (X : is_goal all (goal (gword g)) false (gword g)).
  { destruct (is_passed sym [] goal (gword g)) eqn:Q.
    - assert (R : sym <> None).
      { destruct (passed_right _ _ _ Q) as (x & _ & R & _). congruence. }
      rewrite (All R) in *. apply (not_passed_right all [] goal false is_all); auto.
      intros x c w Rx K X. destruct (may x Rx) as (_ & _ & CA & _). destruct facts as (EA & _).
      rewrite EA in *. apply (closed_renamed x answers CA); [|exact X].
      apply andb_prop in K. apply K.
    - apply B. unfold not_passed. apply filter_In. rewrite Q. auto. }
  destruct X as [[F _]|X]; [discriminate|]. destruct facts as (EA & _). rewrite <- EA. exact X.
Qed.

End Sound.
