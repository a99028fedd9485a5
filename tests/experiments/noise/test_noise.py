"""Noise on the value function: draws, exact policies, departures, and the theorem."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import floor

import numpy as np
import pytest

from gpu_wordle.api.session import open_game, read_words
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.noise import plan
from gpu_wordle.experiments.noise.machine.draws import (
    ONE,
    Kind,
    draw,
    extremes,
    gaussian_table,
)
from gpu_wordle.experiments.noise.machine.draws import philox as plain_philox
from gpu_wordle.experiments.noise.machine.philox import draw_runs
from gpu_wordle.experiments.noise.model import (
    LEVEL_UNITS,
    MAX_FOLLOWED,
    After,
    Draws,
    Lanes,
    Limit,
    NoiseModel,
    Per,
    Small,
    read_level,
)
from gpu_wordle.experiments.noise.study import NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.experiments.noise.theorem import PartBound
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.ranking.job import Job
from gpu_wordle.solver import SolverPool
from gpu_wordle.states.batch import zobrist
from support import naive_noise
from support.plain_noise import PlainNoise

KNOWN = [  # Salmon et al., the test vectors that come with their library
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((2**32 - 1,) * 4, (2**32 - 1,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
LEVELS = ("0", "3", "20", "60")
RUNS = 5


def make_game(seed, answers=9, guesses=14, rule=Rule.NORMAL, max_guesses=6):
    """A game of random words of three letters out of few."""
    chosen = random.Random(seed)
    words = sorted({"".join(chosen.choices("abcde", k=3)) for _ in range(4 * guesses)})
    listed = sorted(chosen.sample(words, guesses))
    hidden = sorted(chosen.sample(listed, answers))
    return open_game(read_words(listed, hidden), rule, Objective(max_guesses=max_guesses))


def make_study(game, model=None, opener=0, levels=LEVELS):
    return NoiseStudy(game, model or NoiseModel(), opener, tuple(map(read_level, levels)))


def searched(study, runs=RUNS, threads=1):
    """What runs are compared with, and a table of all of them."""
    job = Job(NoiseTable.begin(study, runs))
    plan.search(job, lambda: SolverPool(study.valued, threads))
    assert job.table.is_done.all()
    return job.table.optimum, job.table


def each_part(study, lanes):
    """A searcher, and the roots of the states that the opener leaves."""
    with SolverPool(study.valued, 1) as pool:
        for position, searcher in pool.map(
            lambda solver, position: study.searcher(solver, lanes), study.positions
        ):
            yield searcher, searcher.root(position)


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_philox_is_that_of_its_authors(counter, key, words):
    assert plain_philox(counter, key) == words
    assert tuple(naive_noise.philox(counter, key)) == words


@pytest.mark.parametrize("kind", Kind)
def test_draws_are_the_same_in_machine_code_and_lie_within_their_extremes(kind):
    keys = zobrist(200)
    drawn = np.empty((200, 6), np.int32)
    for row, (word_0, word_1) in zip(drawn, keys, strict=True):
        draw_runs.from_python(
            word_0, word_1, 11, 8, list(Kind).index(kind), gaussian_table(),
            np.empty(4, np.uint64), row,
        )  # fmt: skip
    plain = [[draw(tuple(map(int, key)), 11, run, kind) for run in range(8, 14)] for key in keys]
    assert drawn.tolist() == plain
    least, greatest = extremes(kind)
    assert least <= drawn.min() < drawn.max() <= greatest
    mean, deviation = drawn.mean() / ONE, drawn.std() / ONE
    middle, spread = (0.5, 12**-0.5) if kind is Kind.ONE_SIDED else (0, 3**-0.5)
    assert abs(mean - middle) < 0.05
    assert abs(deviation - spread) < 0.05


MODELS = {
    "as published": {},
    "depth 2": {"depth": 2},
    "depth 4": {"depth": 4},
    "gaussian": {"noise": Kind.GAUSSIAN, "seed": 3},
    "one-sided": {"noise": Kind.ONE_SIDED},
    "small exact": {"small": Small.EXACT},
    "singles exact": {"small": Small.SINGLES_EXACT},
    "no limit": {"limit": Limit.DROPPED},
    "visits": {"draws": Draws.VISIT},
    "deep visits": {"draws": Draws.VISIT, "depth": 4},
    "each answer": {"per": Per.ANSWER},
    "each state": {"per": Per.STATE, "depth": 4},
}


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD, Rule.ULTRA_HARD, Rule.CANDIDATES])
@pytest.mark.parametrize("name", MODELS)
def test_machine_code_finds_what_plain_python_finds(name, rule):
    """Values and guesses, ties among them; four guesses, so that the limit tells."""
    model = NoiseModel(**MODELS[name])
    sizes = (8, 10) if model.depth < 4 else (6, 7)
    game = make_game(5, *sizes, rule=rule, max_guesses=5 if model.depth < 4 else 6)
    levels = ("0", "7", "38")
    study = make_study(game, model, 1, levels)
    lanes = Lanes.of_levels(study.levels, 4, 2)
    for searcher, node in each_part(study, lanes):
        values, chosen = searcher.best(node)
        for level in range(len(levels)):
            for run in range(2):
                alpha, beta = int(lanes.alpha[level, run]), int(lanes.beta[level, run])
                best = PlainNoise(searcher, model, 4 + run, alpha, beta).best(node)
                if best is None:
                    assert chosen[level, run] == -1
                else:
                    assert (values[level, run], chosen[level, run]) == (best[0], best[2])


@pytest.mark.parametrize(
    ("depth", "answers", "guesses", "seed"),
    [(2, 9, 12, 1), (3, 7, 7, 2), (3, 6, 8, 3), (4, 5, 5, 4)],
)
def test_no_policy_is_better_where_all_are_written_down(depth, answers, guesses, seed):
    """True totals and departures, against every policy with its line."""
    game = make_game(seed, answers, guesses)
    study = make_study(game, NoiseModel(depth=depth, seed=seed))
    optimum, runs = searched(study)
    words, guesses = game.words.answers.words, tuple(game.words.guesses.words)
    place = {word: number for number, word in enumerate(words)}
    keys = zobrist(len(words))
    expected = np.zeros((RUNS, len(LEVELS)), int)
    departure = [Fraction(10**6)] * RUNS

    @lru_cache(None)
    def of_leaf(leaf, run):
        value = naive_noise.value(tuple(sorted(leaf)), guesses, 6 - depth)
        key = np.bitwise_xor.reduce(keys[[place[word] for word in leaf]]).tolist()
        return value, value * naive_noise.uniform(key, seed, run)

    def line(policy, run):
        sums = [of_leaf(leaf, run) for leaf in naive_noise.leaves(policy)]
        before = naive_noise.cost_before(policy)
        return before + sum(value for value, _ in sums), sum(drawn for _, drawn in sums)

    for part in naive_noise.parts(tuple(words), guesses[0]):
        policies = list(naive_noise.policies(part, guesses, depth - 1))
        for run in range(RUNS):
            lines = sorted({line(policy, run) for policy in policies})
            least, slope = lines[0]
            for level, x in enumerate(study.levels):
                expected[run, level] += min(lines, key=lambda each: each[0] + x * each[1] / ONE)[0]
            for total, drawn in lines:
                if total > least and drawn < slope:
                    crossing = Fraction(ONE * (total - least), slope - drawn)
                    departure[run] = min(departure[run], crossing)
    expected += len(words)
    assert (runs.total == expected).all()
    assert optimum.total == expected[0, 0]
    assert runs.departure == [d if d <= MAX_FOLLOWED else None for d in departure]


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD])
@pytest.mark.parametrize("name", MODELS)
def test_losses_stay_below_the_theorem_and_no_noise_costs_nothing(name, rule):
    model = NoiseModel(**MODELS[name])
    game = make_game(17, answers=24, guesses=40, rule=rule, max_guesses=8)
    levels = ("0", "1", "5", "15", "39.5")
    study = make_study(game, model, 3, levels)
    optimum, runs = searched(study)
    loss = runs.total - optimum.total
    assert (loss[:, 0] == 0).all()
    assert (loss >= 0).all()
    bounds = [optimum.greatest_loss(study, level) for level in study.levels]
    most = 8 * game.answer_count - optimum.total
    assert all(bound is None or bound < most for bound in bounds)
    assert (loss <= [most if bound is None else bound for bound in bounds]).all()
    assert bounds[0] == 0
    safe = optimum.safe_level(study)
    for run, departure in enumerate(runs.departure):
        left = departure or MAX_FOLLOWED
        assert safe is None or left >= min(safe, MAX_FOLLOWED)
        assert (loss[run][[level < left for level in study.levels]] == 0).all()
        beyond = [level > left for level in study.levels]
        assert departure is None or (loss[run][beyond] > 0).all()


def test_a_bound_that_says_nothing_is_not_shown():
    study = make_study(make_game(17, answers=24, guesses=40), levels=("0", "1", "39.5"))
    answers = study.game.answer_count
    optimum = Optimum(np.array([0, 1, 9, 14], np.int32), [PartBound(23, 300, 60)])
    assert optimum.greatest_loss(study, study.levels[0]) == 0
    least, most = (optimum.parts[0].loss(study.model, level) for level in study.levels[1:])
    assert optimum.greatest_loss(study, study.levels[1]) == least
    assert optimum.total + most >= 6 * answers
    assert optimum.greatest_loss(study, study.levels[2]) is None


@pytest.mark.parametrize(("name", "seed"), [("as published", 58), ("visits", 58), ("gaussian", 56)])
def test_a_run_is_the_same_however_it_is_asked_for(name, seed, monkeypatch):
    """Of threads, of blocks of runs, of the levels that are asked together, of how many runs."""
    model = NoiseModel(**MODELS[name])
    game = make_game(seed, answers=34, guesses=60, max_guesses=8)
    levels = ("2", "39")
    _, together = searched(make_study(game, model, levels=levels), 8)
    _, threaded = searched(make_study(game, model, levels=levels), 8, threads=2)
    assert (together.total > together.total.min()).any()
    assert np.array_equal(together.distribution, threaded.distribution)
    assert together.departure == threaded.departure
    for level, asked in enumerate(levels):
        single = searched(make_study(game, model, levels=(asked,)), 8)[1]
        assert np.array_equal(together.total[:, level], single.total[:, 0])
        assert together.departure == single.departure
    monkeypatch.setattr(plan, "RUNS_AT_ONCE", 4)
    _, later = searched(make_study(game, model, levels=levels), 6)
    assert np.array_equal(together.total[:6], later.total)
    assert together.departure[:6] == later.departure


def test_play_by_noisy_values_to_the_end_costs_more_and_ends():
    game = make_game(21, answers=40, guesses=60, max_guesses=None)
    optimal, noisy = (
        searched(make_study(game, NoiseModel(depth=1, after=after), levels=("0", "40")))[1]
        for after in After
    )
    assert np.array_equal(optimal.total[:, 0], noisy.total[:, 0])
    assert (noisy.total[:, 1] >= optimal.total[:, 1]).all()
    assert (noisy.total[:, 1] > optimal.total[:, 1]).any()
    assert noisy.distribution.sum(axis=2).tolist() == [[40, 40]] * RUNS


@pytest.mark.parametrize(
    ("depth", "per"),
    [(1, Per.VALUE), (3, Per.VALUE), (1, Per.ANSWER), (2, Per.STATE)],
)
def test_play_by_noisy_values_to_the_end_costs_nothing_below_its_level(depth, per):
    """It is the level of the choices before the noise, or lower; far above it there are losses."""
    game = make_game(21, answers=40, guesses=60, max_guesses=None)
    model = NoiseModel(depth=depth, per=per, after=After.NOISY)
    before = replace(model, after=After.OPTIMAL)
    study = make_study(game, model)
    safe = searched(study, 1)[0].safe_level(study)
    below = Fraction(floor(safe * LEVEL_UNITS), LEVEL_UNITS)
    levels = [str(100 * below), "60"]
    optimum, runs = searched(make_study(game, model, levels=levels), 40)
    assert (runs.total[:, 0] == optimum.total).all()
    assert (runs.total[:, 1] > optimum.total).any()
    known = [level for part in optimum.parts if (level := part.level(before)) is not None]
    assert 0 < safe <= min(known, default=safe)


@pytest.mark.parametrize("kind", list(Kind))
def test_runs_are_followed_as_far_as_values_stay_positive(kind):
    model = NoiseModel(noise=kind)
    assert 0 < model.horizon <= MAX_FOLLOWED
    model.check(model.horizon)
    with pytest.raises(UserError, match="give percentages from 0"):
        model.check(model.ceiling)


def test_departures_are_those_of_optimal_play_after_the_noise():
    game = make_game(21, answers=40, guesses=60, max_guesses=None)
    model = NoiseModel(depth=2, after=After.NOISY)
    assert searched(make_study(game, model, levels=("40",)))[1].departure == [None] * RUNS


def test_an_opener_that_may_lose_has_no_finite_values():
    game = make_game(30, answers=24, guesses=30, max_guesses=2)
    with pytest.raises(UserError, match="use --limit dropped"):
        searched(make_study(game))
    _, runs = searched(make_study(game, NoiseModel(limit=Limit.DROPPED)))
    assert (runs.distribution[:, :, 2:].sum(axis=2) > 0).all()


@pytest.mark.parametrize("level", ["x", "-1", "100", "1e3", "nan", "0.00001", "1/0", ""])
def test_levels_that_are_none_are_refused(level):
    with pytest.raises(UserError, match="level"):
        NoiseModel().check(read_level(level))
