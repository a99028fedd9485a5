"""States that cannot be won in three guesses or four, by the search and by trying everything."""

from functools import cache

import numpy as np
import pytest

from gpu_wordle.game.game import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.plain import PlainSolver
from support.seeds import seeds
from support.solver_games import family_game, random_game, small_solver


class Winning:
    """Whether answers can surely be found in so many guesses, by trying everything."""

    def __init__(self, game):
        self.patterns = game.patterns.values.T
        self.own = game.words.guess_of_answer.tolist()
        self.candidates_only = game.rule is Rule.CANDIDATES
        self.state = cache(self.state)

    def parts(self, guess, answers):
        """The answers with the same feedback; the one that is guessed is found."""
        together = {}
        for answer in answers:
            if self.own[answer] != guess:
                together.setdefault(self.patterns[guess, answer], []).append(answer)
        return [tuple(part) for part in together.values()]

    def guess(self, guess, answers, left):
        return all(self.state(part, left - 1) for part in self.parts(guess, answers))

    def state(self, answers, left):
        if len(answers) == 1:
            return True
        legal = [self.own[a] for a in answers] if self.candidates_only else slice(None)
        patterns = np.sort(self.patterns[legal][:, answers])
        is_new = patterns[:, 1:] != patterns[:, :-1]
        if is_new.all(axis=1).any():
            return True
        guesses = np.arange(len(self.patterns))[legal][is_new.any(axis=1)].tolist()
        return left > 2 and any(self.guess(g, answers, left) for g in guesses)


def large_game(rng):
    """A game of random words, or of words that differ in one or two places."""
    if rng.integers(2):
        return random_game(rng, most_answers=70, most_guesses=90, lengths=(3, 5), max_guesses=4)
    rule = (Rule.NORMAL, Rule.CANDIDATES)[rng.integers(2)]
    answers = int(rng.integers(18, 22))
    return family_game(rng, rule=rule, max_guesses=4, answers=answers, guesses=2 * answers)


@pytest.mark.parametrize("seed", seeds(5))
def test_three_guesses_for_a_large_part(seed):
    rng = np.random.default_rng(seed)
    verdicts = []
    while len(verdicts) < 40:
        game = large_game(rng)
        winning = Winning(game)
        solver = small_solver(game)
        answers = tuple(range(game.answer_count))
        for guess in rng.permutation(game.guess_count)[:4].tolist():
            parts = winning.parts(guess, answers)
            if 16 <= max(map(len, parts), default=0) <= 45:
                result = solver.solve(game.start(), guess)
                assert result.is_infeasible != winning.guess(guess, answers, 4)
                verdicts.append(result.is_infeasible)
    assert 6 < sum(verdicts) < len(verdicts) - 6


@pytest.mark.parametrize("seed", seeds(3))
def test_four_guesses_for_a_large_state(seed):
    """What nogoods refute is lost; what is not lost has the value that the plain search finds."""
    rng = np.random.default_rng(1000 + seed)
    verdicts, learned = [], 0
    while len(verdicts) < 24:
        answers = int(rng.integers(18, 24))
        game = family_game(
            rng, rule=Rule.NORMAL, max_guesses=4, answers=answers, guesses=answers + 4
        )
        solver = small_solver(game, few=-1)  # with compact matrices for all
        everything = tuple(range(game.answer_count))
        result = solver.solve(game.start())
        assert result.is_infeasible != Winning(game).state(everything, 4)
        if not result.is_infeasible:
            assert result.lower == PlainSolver(game).value(everything, INFEASIBLE, 4)[0]
        verdicts.append(result.is_infeasible)
        workspace = solver.machine.thread.workspace
        learned += int(workspace.nogoods_made[3])
    assert 3 < sum(verdicts) < len(verdicts) - 3
    assert learned > 0


@pytest.mark.parametrize("seed", seeds(3))
def test_parts_that_are_lost_refute_guesses_and_no_value_differs(seed):
    """Of states and of guesses: values are those of a search that looks into no parts."""
    rng = np.random.default_rng(2000 + seed)
    learned = saved = lost = 0
    for _ in range(12):
        answers, turns = int(rng.integers(13, 18)), int(rng.integers(4, 6))
        game = family_game(
            rng, rule=Rule.NORMAL, max_guesses=turns, answers=answers, guesses=answers + 4
        )
        solver, plain = small_solver(game, few=-1, least_lost=3), PlainSolver(game)
        result = solver.solve(game.start())
        assert result.lower == plain.value(tuple(range(answers)), INFEASIBLE, turns)[0]
        for guess in rng.permutation(game.guess_count)[:3].tolist():
            found = solver.solve(game.start(), guess)
            assert found.lower == small_solver(game).solve(game.start(), guess).lower
        learned += int(solver.machine.thread.workspace.nogoods_made[4])
        saved += plain.expanded - result.stats.expanded
        lost += result.is_infeasible
    assert learned > 0
    assert saved > 0
    assert 0 < lost < 12
