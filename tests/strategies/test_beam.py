"""The search of the best guesses only, against a slow player; and strategies that hear a stop."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.experiments.compare import Pairs, compare
from gpu_wordle.experiments.simulate import simulate
from gpu_wordle.experiments.simulation_job import Playing
from gpu_wordle.ranking.job import Job
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.solver import Stop
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.positions import StoppedError
from gpu_wordle.strategies.strategy import Choice, Pool, Ties
from support import naive_player
from support.strategies import start_of
from support.word_lists import make_game, random_words

BASES = {
    "parts": naive_player.parts,
    "places": naive_player.greens,  # whose best guesses may leave everything as it was
    "max-part": naive_player.max_part,
}


def turns_after(spec, game, opener, choice=None):
    """The turn on which each answer is found."""
    strategy = make_strategy(spec, game, choice or Choice())
    guess = game.words.guesses.find(opener)
    (simulated,) = simulate(strategy, start_of(game), [guess])
    return simulated.turns.tolist()


@given(data=st.data())
@settings(max_examples=25)
def test_a_beam_is_that_of_a_slow_player(data):
    words = data.draw(random_words(lengths=(2, 4), most_guesses=16, most_answers=14))
    base, width = data.draw(st.sampled_from([*BASES])), data.draw(st.sampled_from([1, 2, 3, 30]))
    guesses, answers = list(words.guesses.words), list(words.answers.words)
    opener = data.draw(st.sampled_from(guesses))

    def rule(guesses, left, made):
        best = naive_player.beam(guesses, left, BASES[base], width)[1]
        return [guess == best for guess in guesses]

    slow = naive_player.games(guesses, answers, rule, opening=[opener])
    turns = [len(slow[word]) if slow[word][-1] == word else 0 for word in answers]
    choice = Choice(ties=Ties.WORDS)
    assert turns_after(f"beam:{base}:{width}", make_game(words), opener, choice) == turns


def test_a_beam_forgets_and_comes_to_the_same(original, monkeypatch):
    turns = turns_after("beam:parts:3", original, "crate")
    monkeypatch.setattr("gpu_wordle.strategies.beam.MAX_REMEMBERED", 50)
    monkeypatch.setattr("gpu_wordle.strategies.beam.SCORED_PAIRS", 5000)
    assert turns_after("beam:parts:3", original, "crate") == turns


def test_the_last_turn_counts_where_candidates_are_played_on_it(original):
    """The same answers left get another guess on the last turn, so they are remembered apart."""
    choice = Choice(pool=Pool.ALL, last_candidate=True)
    game = replace(original, objective=replace(original.objective, max_guesses=3))
    strategy = make_strategy("beam:parts:2", game, choice)
    opener = game.words.guesses.find("fuzzy")
    for _ in range(2):  # the second time all is remembered
        (simulated,) = simulate(strategy, start_of(game), [opener])
        on_turn_3 = {simulated.guesses(answer)[2] for answer in simulated.hardest(40)}
        assert (game.words.answer_of_guess[list(on_turn_3)] >= 0).all()


@pytest.mark.parametrize("spec", ["beam:parts:60", "rollout", "optimal", "q-learning:100000000"])
def test_a_stop_is_heard_within_one_opener(original, spec):
    stop = Stop()
    start = replace(start_of(original), stop=stop)
    strategy = make_strategy(spec, original)
    threading.Timer(0.2, stop.set).start()
    with pytest.raises(StoppedError):
        list(simulate(strategy, start, range(100)))
    assert spec != "q-learning:100000000" or strategy.table.played == 0


def test_a_time_limit_is_heard_before_a_strategy_has_its_own_opener(original):
    strategies = [make_strategy(spec, original) for spec in ("parts", "q-learning:100000000")]
    playing = Playing(strategies, start_of(original), [None])
    job = Job(playing.table, stop_token=StopToken(0.5))
    playing.begin(job)
    assert job.stop_token.reason is Reason.TIME_LIMIT
    playing.play(job)
    assert len(playing.table) == 1
    assert not playing.table.is_played.any()


def test_pairs_end_within_a_strategy(original):
    pairs = Pairs(np.array([7], np.int32), np.array([3]))
    stop = Stop()
    stop.set()
    strategies = [make_strategy(spec, original) for spec in ("parts", "beam:60")]
    assert compare(strategies, start_of(original), pairs, stop=stop).games == 0
