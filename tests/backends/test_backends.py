"""Backends against the oracle and against each other, with ``==``."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.backends import BACKEND_NAMES, choose, load_game
from gpu_wordle.backends.check import checked, compare
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.reference import ReferenceBackend
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game import feedback
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import Criterion
from gpu_wordle.tunables import MAX_PAIRWISE_CPU
from support import naive
from support.word_lists import make_words, random_words


def open_game(words, backend):
    return Game(words, PatternMatrix(backend.build_patterns(words), words.feedback))


def draw_batch(data, answer_count):
    sets = st.sets(st.integers(0, answer_count - 1), min_size=1)
    return StateBatch.from_sets(
        [sorted(s) for s in data.draw(st.lists(sets, min_size=1, max_size=4))], answer_count
    )


@given(random_words(lengths=(2, 9)))
@settings(max_examples=60)
def test_patterns_match_oracle(words):
    for backend in (CpuBackend(2), ReferenceBackend()):
        values = backend.build_patterns(words)
        expected = [[naive.pattern(g, a) for g in words.guesses.words] for a in words.answers.words]
        assert values.tolist() == expected
        assert values.dtype == (np.uint8 if words.length <= 5 else np.uint16)


@given(random_words(), st.data())
@settings(max_examples=40)
def test_statistics_match_oracle(words, data):
    batch = draw_batch(data, len(words.answers))
    for backend in (CpuBackend(1), ReferenceBackend()):
        stats = backend.open(open_game(words, backend)).stats(batch)
        for b in range(len(batch)):
            answers = [words.answers.words[a] for a in batch.state(b)]
            for g, guess in enumerate(words.guesses.words):
                sizes = naive.partition(guess, answers)
                assert stats.parts[b, g] == len(sizes)
                assert stats.max_part[b, g] == max(sizes)
                assert stats.sum_squares[b, g] == sum(n * n for n in sizes)
                assert stats.is_candidate[b, g] == (guess in answers)
                bound = 3 * len(answers) - len(sizes) - (guess in answers)
                assert stats.lower_bound[b, g] == bound
                entropy = naive.entropy_bits(guess, answers)
                assert stats.entropy_bits[b, g] == pytest.approx(entropy, abs=1e-5)


@pytest.mark.slow
@given(random_words(most_guesses=120, least_answers=50, most_answers=120), st.data())
@settings(max_examples=40)
def test_cpu_equals_reference(words, data):
    """Sizes on both sides of every switch of method, through the checking backend."""
    check = checked(CpuBackend(2), ReferenceBackend())
    evaluator = check.open(open_game(words, check))
    batch = draw_batch(data, len(words.answers))
    evaluator.stats(batch)
    for by in Criterion:
        evaluator.best(batch, by)
    evaluator.spectrum(batch.state(0), 0)


@pytest.mark.parametrize(
    "n", [1, 2, MAX_PAIRWISE_CPU, MAX_PAIRWISE_CPU + 1, 242, 243, 244, 1000, 2315]
)
def test_backends_agree_on_the_real_game(original, n):
    rng = np.random.default_rng(n)
    state = np.sort(rng.choice(2315, n, replace=False))
    some = np.sort(rng.choice(12972, 700, replace=False))
    words = original.words
    guesses = sorted({words.guesses.words[g] for g in some} | set(words.answers.words))
    game = open_game(make_words(guesses, list(words.answers.words)), CpuBackend(2))
    check = checked(CpuBackend(2), ReferenceBackend()).open(game)
    check.stats(StateBatch.from_sets([state], 2315))


def test_the_real_matrix_matches_the_definition(original):
    words = original.words
    for g in np.random.default_rng(2).choice(12972, 300, replace=False):
        row = feedback.pattern_row(words.guesses.codes[g], words.answers.codes)
        assert np.array_equal(original.patterns.values[:, g], row)


def check_best(game, batch):
    """The best guesses are those that the statistics of all guesses name."""
    evaluator = CpuBackend(2).open(game)
    stats = evaluator.stats(batch)
    least = stats.lower_bound.min(axis=1)
    for by in Criterion:
        best = evaluator.best(batch, by)
        values = stats.criterion(by)
        np.testing.assert_array_equal(best.lower_bound, least)
        for b in range(len(batch)):
            tied = np.flatnonzero(values[b] == values[b].min())
            candidates = tied[stats.is_candidate[b, tied]]
            assert best.guess[b] == (candidates if len(candidates) else tied)[0]
            assert best.value[b] == values[b].min()


def test_best_is_the_first_of_the_best(original):
    """In states of all sizes, parts of other states or drawn: each size is counted in its way."""
    rng = np.random.default_rng(5)
    sizes = (2, 3, 5, 9, 17, 50, 60, 61, 130, 242, 243, 300, 2315)
    drawn = [rng.choice(2315, n, replace=False) for n in sizes]
    columns = original.patterns.values[:, rng.choice(12972, 4)].T
    parts = [np.flatnonzero(column == p) for column in columns for p in np.unique(column)]
    few = [part for part in parts if len(part) < 20][::10]
    batch = StateBatch.from_sets([*drawn, *few, *(p for p in parts if len(p) >= 20)], 2315)
    check_best(original, batch)


@given(
    words=random_words(lengths=(1, 6), most_guesses=300, most_answers=120),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=25)
def test_best_of_any_game_is_the_first_of_the_best(words, seed):
    game = open_game(words, CpuBackend(1))
    rng = np.random.default_rng(seed)
    count = game.answer_count
    drawn = [rng.choice(count, rng.integers(1, count + 1), replace=False) for _ in range(4)]
    check_best(game, StateBatch.from_sets([*drawn, range(count)], count))


def test_threads_do_not_change_results(original):
    batch = StateBatch.from_sets([range(2315), range(100), range(7)], 2315)
    one, two = (CpuBackend(n).open(original).stats(batch) for n in (1, 3))
    for name in ("parts", "is_candidate", "max_part", "sum_squares", "sum_nlog2n"):
        assert np.array_equal(getattr(one, name), getattr(two, name))


def test_spectrum_counts_every_answer(original, backend):
    evaluator = backend.open(original)
    guess = original.words.guesses.find("trace")
    counts = evaluator.spectrum(original.root(), guess)
    assert counts.shape == (243,)
    assert counts.sum() == 2315
    assert np.count_nonzero(counts) == 150


def test_compare_names_the_first_difference():
    left = np.arange(6).reshape(2, 3)
    right = left.copy()
    right[1, 0] = 7
    with pytest.raises(JobError, match=r"parts\[1, 0\]: 3 against 7 \(1 of 6"):
        compare("parts", left, right)
    with pytest.raises(JobError, match="parts"):
        compare("parts", left, right[:1])


def test_choice_of_backend():
    for name in BACKEND_NAMES:
        if name != "cuda" or device.unavailable() is None:
            assert choose(name, 1).reason
    with pytest.raises(UserError, match="no backend 'gpu'; choose one of auto, cpu"):
        choose("gpu")


@pytest.mark.skipif(device.unavailable() is None, reason="a CUDA device answers here")
def test_cuda_without_a_device_says_why_and_never_falls_back():
    with pytest.raises(JobError) as caught:
        choose("cuda")
    assert "\n" not in str(caught.value)
    assert choose("auto").backend.name == "cpu"
    assert choose("auto").reason.startswith("auto: ")


def test_nyt_lists_load(tmp_path):
    game = load_game("nyt-2023")
    assert game.patterns.values.shape == (3158, 14855)
