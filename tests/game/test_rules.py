"""Constrained rules: legality by three definitions, values and trees by brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_wordle.errors import UserError
from gpu_wordle.game.feedback import format_pattern, parse_pattern, pattern
from gpu_wordle.game.game import Rule
from gpu_wordle.game.legality import Traits
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import breach
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import Fate, SolverPool, TranspositionTable, prove
from gpu_wordle.solver.constrained import workspace
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.verify import VerificationError, Verifier
from support import naive
from support.naive_rules import IMPOSSIBLE, NaiveRules, is_legal
from support.seeds import seeds
from support.solver_games import family_game, random_game, small_solver
from support.word_lists import make_words, random_words

CONSTRAINED = [Rule.HARD, Rule.ULTRA_HARD]
SMALLEST_TABLE = 16 * 32


def spelled(game):
    return tuple(game.words.answers.words), game.words.guesses.words


def brute_force(naive_rules, answers, legal, guess, left):
    if guess is None:
        value = naive_rules.value(answers, legal, left)
    else:
        value = naive_rules.guess_value(answers, legal, guess, left)
    return INFEASIBLE if value >= IMPOSSIBLE else value


@pytest.mark.parametrize("rule", CONSTRAINED)
@given(random_words(lengths=(2, 10)), st.integers(0, 2**32))
def test_three_definitions_of_legality_agree(rule, words, seed):
    rng = np.random.default_rng(seed)
    traits = Traits.of(words.guesses)
    spelling = words.guesses.words
    hidden = int(rng.integers(len(spelling)))
    turns, revealed = [], traits.nothing()
    for guess in rng.integers(len(spelling), size=3).tolist():
        turns.append((spelling[guess], pattern(spelling[guess], spelling[hidden])))
        revealed |= traits.revealed_by(rule, guess, hidden)
    by_traits = traits.agree(hidden, revealed)
    assert by_traits[hidden]  # the hidden word is always legal
    for word, legal in zip(spelling, by_traits, strict=True):
        by_letters = all(
            is_legal(rule, word, guess, format_pattern(seen, len(word))) for guess, seen in turns
        )
        assert legal == by_letters == (breach(rule, word, turns) is None)


@pytest.mark.parametrize("rule", CONSTRAINED)
def test_legality_on_all_pairs_of_real_words(original, rule):
    rng = np.random.default_rng(3)
    words = [original.words.guesses.words[g] for g in rng.choice(12972, 200, replace=False)]
    words += ["geese", "eerie", "emcee", "esses", "mamma", "salet", "slate", "nanna", "natal"]
    words = list(dict.fromkeys(words))
    traits = Traits.of(make_words(words, words).guesses)
    for g, guess in enumerate(words):
        hidden = int(rng.integers(len(words)))
        legal = traits.agree(hidden, traits.revealed_by(rule, g, hidden))
        colours = naive.feedback(guess, words[hidden])
        assert legal.tolist() == [is_legal(rule, word, guess, colours) for word in words]


@given(random_words(lengths=(2, 8)), st.integers(0, 2**32))
def test_what_is_legal_in_ultra_hard_is_legal_in_hard(words, seed):
    rng = np.random.default_rng(seed)
    traits = Traits.of(words.guesses)
    guess, hidden = rng.integers(len(words.guesses), size=2).tolist()
    hard, ultra = (
        traits.agree(hidden, traits.revealed_by(rule, guess, hidden)) for rule in CONSTRAINED
    )
    assert (hard | ~ultra).all()


@pytest.mark.parametrize(
    ("rule", "guess", "why"),
    [
        (Rule.HARD, "crony", "T of SALET is green in place 5"),
        (Rule.HARD, "scout", "SALET has shown that it holds A"),
        (Rule.HARD, "sabot", None),  # grey letters may be repeated, and yellow ones in place
        (Rule.ULTRA_HARD, "sabot", "it would not have given SALET BYBBG"),
        (Rule.NORMAL, "crony", None),
        (Rule.CANDIDATES, "crony", None),
    ],
)
def test_a_breach_is_explained(rule, guess, why):
    turns = [("salet", parse_pattern("BYBBG", 5))]
    assert breach(rule, guess, turns) == why


def test_copies_of_a_letter_count():
    turns = [("geese", parse_pattern("BYYBB", 5))]
    assert breach(Rule.HARD, "crane", turns) == "GEESE has shown that it holds E 2 times"
    assert breach(Rule.HARD, "melee", turns) is None
    assert breach(Rule.ULTRA_HARD, "melee", turns) is not None


@pytest.mark.parametrize("rule", CONSTRAINED)
@pytest.mark.parametrize("seed", seeds(3))
def test_value_feasibility_and_tree(rule, seed):
    rng = np.random.default_rng(seed)
    infeasible = 0
    for _ in range(200):
        limit = None if rng.integers(8) == 0 else int(rng.integers(1, 7))
        game = random_game(rng, rule=rule, max_guesses=limit, most_answers=12, lengths=(2, 7))
        answers, guesses = spelled(game)
        oracle = NaiveRules(guesses, rule)
        table = int(rng.choice([SMALLEST_TABLE, 1 << 16]))
        solver = small_solver(game, table, in_slices=bool(rng.integers(2)))
        guess = None if rng.integers(2) else int(rng.integers(game.guess_count))
        word = None if guess is None else guesses[guess]

        def value(k, answers=answers, oracle=oracle, word=word):
            return brute_force(oracle, answers, oracle.guesses, word, k)

        left = limit or len(answers) + 1
        want = value(left)
        result = solver.solve(game.start(), guess, tree=True)
        assert result.lower == result.upper == want
        assert result.is_infeasible == (want == INFEASIBLE) == (result.tree is None)
        if result.tree is None:
            infeasible += 1
            continue
        verdict = Verifier(game.words, game.objective).check(result.tree, rule=rule)
        assert verdict.total == want
        assert verdict.worst == result.worst
        assert result.worst == min(k for k in range(1, left + 1) if value(k) == want)
    assert infeasible > 20


@pytest.mark.slow
@pytest.mark.parametrize("rule", CONSTRAINED)
@pytest.mark.parametrize("seed", seeds(2))
def test_families_of_words_are_searched_exactly(rule, seed):
    rng = np.random.default_rng(200 + seed)
    infeasible = searched = 0
    for _ in range(60):
        game = family_game(rng, rule=rule, max_guesses=int(rng.integers(3, 8)))
        answers, guesses = spelled(game)
        oracle = NaiveRules(guesses, rule)
        solver = small_solver(game, in_slices=bool(rng.integers(2)))
        left = game.objective.guesses_left
        for guess in (None, int(rng.integers(game.guess_count))):
            word = None if guess is None else guesses[guess]
            want = brute_force(oracle, answers, oracle.guesses, word, left)
            cutoff = int(rng.integers(20, 45))
            bounded = solver.solve(game.start(), guess, cutoff=cutoff)
            assert bounded.lower == want if want < cutoff else cutoff <= bounded.lower <= want
            result = solver.solve(game.start(), guess, tree=True)
            assert result.lower == result.upper == want
            searched += result.stats.generated
            infeasible += result.is_infeasible
            if result.tree is not None:
                verdict = Verifier(game.words, game.objective).check(result.tree, rule=rule)
                assert (verdict.total, verdict.worst) == (want, result.worst)
    assert infeasible > 10
    assert searched > 700


@pytest.mark.parametrize("rule", CONSTRAINED)
@pytest.mark.parametrize("seed", seeds(2))
def test_states_carry_what_was_revealed(rule, seed):
    rng = np.random.default_rng(50 + seed)
    restricted = 0
    for _ in range(100):
        game = random_game(rng, rule=rule, most_answers=16, most_guesses=40, lengths=(3, 6))
        answers, guesses = spelled(game)
        hidden = str(rng.choice(answers))
        turns = [(g, naive.feedback(g, hidden)) for g in rng.choice(guesses, size=2).tolist()]
        history = " ".join(f"{g} {colours}" for g, colours in turns)
        if hidden in dict(turns):
            with pytest.raises(UserError, match=f"{hidden.upper()} was the answer, so the game is"):
                game.position_after(history)
            continue
        position = game.position_after(history)
        left = position.guesses_left
        remaining = tuple(
            a for a in answers if all(naive.feedback(g, a) == colours for g, colours in turns)
        )
        oracle = NaiveRules(guesses, rule)
        legal = oracle.after(turns)
        restricted += len(legal) < len(guesses)
        allowed = position.choices
        assert {guesses[g] for g in np.flatnonzero(allowed)} == legal
        want = brute_force(oracle, remaining, legal, None, left)
        result = small_solver(game).solve(position, tree=True)
        assert result.lower == result.upper == want
        for g in range(game.guess_count):
            if allowed[g]:
                position.check_legal(g)
            else:
                with pytest.raises(UserError, match=f"illegal under the {rule} rule"):
                    position.check_legal(g)
        if result.tree is not None:
            verdict = Verifier(game.words, game.objective).check(
                result.tree, position.state, rule=rule, turns=position.turns
            )
            assert verdict.total == want
        values = [
            brute_force(oracle, remaining, legal, guesses[g], left) for g in range(len(guesses))
        ]
        with SolverPool(game, 2, TranspositionTable(1 << 16)) as pool:
            proof = prove(pool, position)
        assert ((proof.fate == Fate.ILLEGAL) == ~allowed).all()
        assert proof.is_complete
        best = [g for g in np.flatnonzero(allowed) if values[g] == want < INFEASIBLE]
        assert sorted(proof.best) == best
    assert restricted > 30


@pytest.mark.slow
@pytest.mark.parametrize("rule", CONSTRAINED)
def test_cutoff_is_fail_soft_and_a_budget_honest(rule):
    rng = np.random.default_rng(7)
    for _ in range(100):
        game = random_game(rng, rule=rule, max_guesses=int(rng.integers(2, 7)), most_answers=14)
        answers, guesses = spelled(game)
        oracle = NaiveRules(guesses, rule)
        solver = small_solver(game, in_slices=bool(rng.integers(2)))
        for _ in range(4):
            guess = None if rng.integers(2) else int(rng.integers(game.guess_count))
            word = None if guess is None else guesses[guess]
            left = game.objective.guesses_left
            want = brute_force(oracle, answers, oracle.guesses, word, left)
            cutoff = int(rng.integers(1, 5 * len(answers) + 2))
            result = solver.solve(game.start(), guess, cutoff=cutoff)
            if want < cutoff:
                assert result.lower == result.upper == want
            else:
                assert cutoff <= result.lower <= want <= result.upper
            result = small_solver(game).solve(game.start(), guess, budget=int(rng.integers(1, 9)))
            assert result.lower <= want <= result.upper


@pytest.mark.parametrize("rule", CONSTRAINED)
def test_little_memory_for_legal_guesses_does_no_harm(rule, monkeypatch):
    rng = np.random.default_rng(8)
    emptied = 0
    for _ in range(60):
        game = family_game(rng, rule=rule, max_guesses=None, answers=20, guesses=60)
        plenty = small_solver(game).solve(game.start(), tree=True)
        with monkeypatch.context() as patch:
            patch.setattr(workspace, "MAX_LEGAL_SETS", 2)
            patch.setattr(workspace, "LINES_BYTES", 0)
            solver = small_solver(game)
            little = solver.solve(game.start(), tree=True)
        assert (plenty.lower, plenty.tree) == (little.lower, little.tree)
        emptied += int(solver.machine.thread.workspace.used[workspace.GENERATION])
    assert emptied > 1000


@pytest.mark.parametrize("rule", CONSTRAINED)
@given(st.integers(0, 2**32))
def test_trees_do_not_depend_on_history(rule, seed):
    rng = np.random.default_rng(seed)
    game = random_game(rng, rule=rule, most_answers=25, most_guesses=60)
    guess = int(rng.integers(game.guess_count))
    fresh = small_solver(game, 1 << 20).solve(game.start(), guess, tree=True)
    used = small_solver(game, SMALLEST_TABLE)
    for other in rng.integers(game.guess_count, size=5).tolist():
        used.solve(game.start(), other, cutoff=int(rng.integers(1, 100)), tree=True)
    again = used.solve(game.start(), guess, tree=True)
    assert (fresh.lower, fresh.worst) == (again.lower, again.worst)
    assert fresh.tree == again.tree


def test_the_checker_finds_illegal_guesses():
    words = make_words(["crane", "slate", "trace", "react"], ["crane", "trace", "react"])
    tree = DecisionTree.from_text(
        "crane GGGGG1\ncrane YGGBG1 slate BBGYG2 trace GGGGG3\ncrane YYGBY1 react GGGGG2\n", words
    )
    verifier = Verifier(words, Objective())
    assert verifier.check(tree).total == 6
    with pytest.raises(VerificationError, match="SLATE on turn 2 is illegal under the hard rule"):
        verifier.check(tree, rule=Rule.HARD)
    with pytest.raises(VerificationError, match="it would not have given CRANE YGGBG"):
        verifier.check(tree, rule=Rule.ULTRA_HARD)


def test_the_checker_knows_the_turns_before_the_tree(original):
    position = original.position_after("salet BYBBG")
    light = original.words.guesses.find("light")
    tree = DecisionTree(
        np.array([light], np.int32), np.array([-1], np.int32), np.array([0], np.uint16)
    )
    with pytest.raises(VerificationError, match="LIGHT on turn 1 is illegal under the hard rule"):
        Verifier(original.words, original.objective).check(
            tree, position.state, rule=Rule.HARD, turns=position.turns
        )
