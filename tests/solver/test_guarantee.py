"""Whether a game can surely be won: by brute force, by replay, and without searching for more."""

from dataclasses import replace

import numpy as np
import pytest

from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.solver import Solver, Stop, TranspositionTable, open_solver
from gpu_wordle.solver.wide import WideEngine
from gpu_wordle.verify import Verifier
from support import naive, small_game
from support.naive_rules import IMPOSSIBLE, rules_of
from support.output import rows_of
from support.seeds import seeds
from support.solver_games import family_game, random_game, small_solver

RULES = list(Rule)


def can_be_won(guesses, rule, answers, turns, guess, left):
    """Brute force over words: whether every answer is found with ``left`` guesses."""
    oracle = rules_of(tuple(guesses), rule)
    return oracle.guess_value(answers, oracle.after(turns), guess, left) < IMPOSSIBLE


def legal_words(guesses, rule, answers, turns):
    """Which words may be guessed, in their order."""
    if rule is Rule.CANDIDATES and turns:
        return sorted(answers)
    return sorted(rules_of(tuple(guesses), rule).after(turns))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", seeds(4))
def test_yes_and_no_are_those_of_brute_force(rule, seed):
    rng = np.random.default_rng([seed, RULES.index(rule)])
    said = {True: 0, False: 0}
    for _ in range(150):
        limit = [2, 3, 3, 4, 5, 6, None][rng.integers(7)]
        if rng.random() < 0.7:
            drawn = family_game(rng, rule=rule, answers=int(rng.integers(4, 11)), guesses=16)
        else:
            drawn = random_game(rng, most_answers=10, most_guesses=16, rule=rule)
        game = replace(drawn, objective=Objective.to_win(limit))
        answers, guesses = game.words.answers.words, game.words.guesses.words
        hidden = str(rng.choice(answers))
        made = int(rng.integers(0, min(limit or 3, 3)))
        turns = [
            (g, naive.feedback(g, hidden))
            for g in rng.choice(guesses, made).tolist()
            if g != hidden
        ]
        position = game.position_after(" ".join(f"{g} {c}" for g, c in turns))
        state = tuple(answers[a] for a in position.state)
        left = position.guesses_left
        if rng.random() < 0.2:  # states of more than four parts in Python, as of long words
            solver = Solver(WideEngine(game, TranspositionTable(1 << 16), Stop(), labels=4))
        else:
            solver = small_solver(game, in_slices=rule.is_constrained and bool(rng.integers(2)))
        words = legal_words(guesses, rule, state, turns)
        for word in rng.choice(words, min(3, len(words)), replace=False).tolist():
            turns_left = len(state) + 1 if limit is None else left
            want = can_be_won(guesses, rule, state, turns, word, turns_left)
            result = solver.solve(
                position, game.words.guesses.find(word), tree=True, least_worst=False
            )
            assert result.is_exact
            assert (not result.is_infeasible) == (result.tree is not None) == want
            said[want] += 1
            if result.tree is not None:  # under the plain objective, which is charged for turns
                Verifier(game.words, Objective(limit)).check(
                    result.tree, position.state, rule=rule, turns=position.turns
                )
    assert min(said.values()) > 20


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("limit", [2, 3, 4, 0])
def test_the_command_says_what_brute_force_says(run, rule, limit):
    guesses, answers = small_game.GUESSES, tuple(small_game.ANSWERS)
    asked = [*guesses, "--rule", rule, "--max-guesses", limit]
    rows = rows_of(run("guarantee", *asked, "--json"))
    sentences = run("guarantee", *asked).splitlines()
    within = f"within {limit} guesses" if limit else "without a guess limit"
    for word, row, sentence in zip(guesses, rows, sentences, strict=True):
        want = can_be_won(guesses, rule, answers, [], word, limit or len(answers) + 1)
        assert row.pop("seconds") >= 0
        assert row == {
            "opener": word, "guaranteed": want, "answers": 10, "max_guesses": limit or None,
        }  # fmt: skip
        yes_or_no = "yes, a strategy" if want else "no, no strategy"
        assert sentence == f"{word.upper()}: {yes_or_no} finds all 10 answers {within}"


@pytest.mark.parametrize("rule", RULES)
def test_the_command_knows_the_turns_made(run, rule):
    turns = [("chf", "BBY")]
    state = ("fat", "fit")
    place = ["--state", "chf BBY", "--rule", rule, "--max-guesses", 2]
    for word in legal_words(small_game.GUESSES, rule, state, turns):
        (row,) = rows_of(run("guarantee", word, *place, "--json"))
        want = can_be_won(small_game.GUESSES, rule, state, turns, word, 1)
        assert (row["guaranteed"], row["answers"], row["max_guesses"]) == (want, 2, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "state", "word", "can_win"),
    [
        (Rule.HARD, "lieus BBYBY", "fiefs", False),
        (Rule.HARD, "shams BBBBB", "kamas", True),
        (Rule.ULTRA_HARD, "sissy BBBBB", "hudud", True),
        (Rule.HARD, "", "slate", False),
        (Rule.HARD, "", "salet", True),
        (Rule.HARD, "", "qajaq", True),
        (Rule.NORMAL, "", "qajaq", True),
    ],
)
def test_no_more_is_searched_than_it_takes_to_decide(original, rule, state, word, can_win):
    """Among the dearest questions known. The value of QAJAQ takes a multiple of the work."""

    def ask(objective, budget=None):
        game = Game(original.words, original.patterns, rule, objective)
        solver = open_solver(game, TranspositionTable(1 << 24))
        return solver.solve(
            game.position_after(state),
            game.words.guesses.find(word),
            budget=budget,
            tree=True,
            least_worst=False,
        )

    decided = ask(Objective.to_win(6))
    assert decided.is_exact
    assert decided.is_infeasible != can_win
    assert decided.stats.seconds < 3  # 0.1 to 0.9 where this was written
    if word == "qajaq":
        assert not ask(Objective(6), budget=3 * decided.stats.expanded).is_exact
    else:
        solved = ask(Objective(6))
        assert solved.is_exact
        assert solved.is_infeasible != can_win
        assert decided.stats.expanded < solved.stats.expanded
