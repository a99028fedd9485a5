"""A proof in rounds: interrupted anywhere its interval is true, and it goes on from its file."""

import itertools
import json
import os
import random
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gpu_wordle as gw
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.game import Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking import proving
from gpu_wordle.ranking.job import Job
from gpu_wordle.ranking.openers import Openers, Status
from gpu_wordle.ranking.proving import ProofInRounds, attempt_and_replay
from gpu_wordle.ranking.ranking import Ranking, rank
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolverPool, TranspositionTable, prove
from gpu_wordle.states.batch import StateBatch
from support.commands import COMMAND, ended, started
from support.naive import feedback
from support.shelves import Shelf
from support.word_lists import make_game, make_words


class RisingShelf(Shelf):
    """A file in memory, which sees that bounds never sink."""

    def save(self, openers: Openers):
        if self.kept is not None:
            assert (openers.lower >= self.kept.lower).all()
            was_exact = self.kept.status == Status.EXACT
            assert (openers.status[was_exact] == Status.EXACT).all()
        super().save(openers)


def random_words(rng, answers=24, guesses=30):
    """Words of two letters, which tell so little that sizes of parts refute hardly any."""
    words = rng.sample(["".join(w) for w in itertools.product("abcdefgh", repeat=2)], guesses)
    return sorted(words), sorted(rng.sample(words, answers))


def naive_totals(guesses, answers):
    """The least total after each first guess, without a limit; None where it tells nothing."""
    known = {}

    def after(guess, left):
        parts = {}
        for answer in left:
            parts.setdefault(feedback(guess, answer), []).append(answer)
        if len(parts) == 1 and guess not in left:
            return None
        return len(left) + sum(best(tuple(p)) for f, p in parts.items() if set(f) != {"G"})

    def best(left):
        if left not in known:
            known[left] = min(v for g in guesses if (v := after(g, left)) is not None)
        return known[left]

    late = len(answers) + best(tuple(answers))  # a wasted guess, and then the best strategy
    values = [after(guess, tuple(answers)) for guess in guesses]
    return [late if value is None else value for value in values]


def game_of(guesses, answers, objective=None, rule=Rule.NORMAL):
    return make_game(make_words(guesses, answers), rule, objective or Objective(None))


def begin(game):
    statistics = CpuBackend(1).open(game).stats(StateBatch.whole(game.answer_count))
    return Ranking.begin(game.start(), statistics)


def pool_of(game, threads=1):
    return SolverPool(game, threads, TranspositionTable(1 << 16))


def prove_in_rounds(game, shelf, stop_after=None):
    """One run, stopped after so many openers if asked for."""
    stop, heard = threading.Event(), []

    def hear(event):
        heard.append(event)
        if stop_after is not None and event.done >= stop_after:
            pool.stop.set()

    ranking, pool = begin(game), pool_of(game)
    proof = ProofInRounds(ranking)
    job = Job(ranking.openers, shelf, StopToken(event=stop), hear)
    with job.held():
        proof.prove(job, pool)
    return proof.proof(), heard


def rank_some(game, shelf, guesses, make_failures_pool=lambda lacking: None):
    """Rank some guesses; how many were solved before."""
    ranking = begin(game)
    job = Job(ranking.openers, shelf)
    with job.held():
        before = int(job.table.is_solved.sum())
        rank(job, ranking, guesses, lambda: pool_of(game), make_failures_pool)
    return before


@pytest.mark.parametrize("seed", range(4))
def test_the_interval_holds_whenever_a_proof_is_interrupted(seed):
    guesses, answers = random_words(random.Random(seed))
    truth = naive_totals(guesses, answers)
    least = min(truth)
    game, shelf = game_of(guesses, answers), RisingShelf()
    runs = 0
    while True:
        proof, heard = prove_in_rounds(game, shelf, stop_after=1)
        runs += 1
        assert proof.least <= least <= proof.total
        assert all(lower <= value for lower, value in zip(proof.lower, truth, strict=True))
        assert all(event.lower <= least for event in heard)
        if proof.is_complete:
            break
        assert runs < 500
    assert runs > 10
    assert proof.total == proof.least == least
    assert [guesses[g] for g in sorted(proof.best)] == [
        guess for guess, value in zip(guesses, truth, strict=True) if value == least
    ]
    exact = shelf.kept.status == Status.EXACT
    assert set(proof.best) <= set(np.flatnonzero(exact))
    assert (shelf.kept.upper[exact] == np.array(truth)[exact]).all()


OBJECTIVES = ["mean", "worst", "within:2", "fewest-failures", "mean,worst"]


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("text", OBJECTIVES)
def test_it_ends_with_what_a_proof_in_one_go_finds(rule, text):
    kinds = set()
    for seed in range(3):
        guesses, answers = random_words(random.Random(f"{seed}{text}"))
        for limit in (4, 9):
            game = game_of(guesses, answers, Objective.parse(text, limit), rule)
            with pool_of(game) as pool:
                expected = prove(pool, game.start())
            proof, _ = prove_in_rounds(game, RisingShelf())
            assert proof.is_complete
            assert (proof.total, proof.best) == (expected.total, expected.best)
            assert set(np.flatnonzero(proof.fate == 5)) == set(np.flatnonzero(expected.fate == 5))
            assert (proof.lower[list(proof.best)] == proof.total).all()
            kinds.add(bool(proof.best))
    assert True in kinds


def test_rankings_and_proofs_go_on_from_each_other():
    guesses, answers = random_words(random.Random(7))
    truth = naive_totals(guesses, answers)
    game, shelf = game_of(guesses, answers), RisingShelf()
    proof, _ = prove_in_rounds(game, shelf)
    every = np.arange(len(guesses))
    kept = rank_some(game, shelf, every, lambda lacking: pool_of(game.allowing_failures()))
    assert 0 < kept < len(guesses)
    assert shelf.kept.upper.tolist() == truth
    again, heard = prove_in_rounds(game, shelf)
    assert heard == []  # nothing is left to ask
    assert (again.total, again.best) == (proof.total, proof.best)


def test_an_exact_opener_of_a_ranking_is_the_incumbent():
    guesses, answers = random_words(random.Random(8))
    truth = naive_totals(guesses, answers)
    game, shelf = game_of(guesses, answers), RisingShelf()
    best = int(np.argmin(truth))
    rank_some(game, shelf, np.array([best]))
    proof, heard = prove_in_rounds(game, shelf)
    assert heard[0].best == ((guesses[best], truth[best]),)
    assert {event.target for event in heard} > {truth[best] + 1}  # rounds ask for less than all
    assert proof.total == min(truth)


@pytest.mark.parametrize("seed", [0, 3, 11])
def test_openers_that_reach_a_target_which_has_fallen_are_not_asked(seed, monkeypatch):
    """In these games a better opener is found in the middle of a round."""
    guesses, answers = random_words(random.Random(seed))
    game = game_of(guesses, answers)
    ranking = begin(game)
    proof = ProofInRounds(ranking)
    job = Job(ranking.openers, RisingShelf(), StopToken(event=threading.Event()))
    settled, targets = [], set()

    def ask(solver, position, guess, cutoff, **more):
        targets.add(cutoff)
        if ranking.openers.lower[guess] >= cutoff:
            settled.append(guess)
        return attempt_and_replay(solver, position, guess, cutoff, **more)

    monkeypatch.setattr(proving, "attempt_and_replay", ask)
    proof.prove(job, pool_of(game))
    assert proof.proof().total == min(naive_totals(guesses, answers))
    assert len(targets) > 1
    assert len(settled) <= 1  # one is on its way when the target falls


def test_without_any_strategy_nothing_is_best():
    guesses, answers = random_words(random.Random(9))
    proof, _ = prove_in_rounds(game_of(guesses, answers, Objective(1)), RisingShelf())
    assert proof.is_complete
    assert proof.best == ()
    assert (proof.lower >= INFEASIBLE).all()


def test_python_keeps_a_proof_by_threads_and_by_workers(tmp_path):
    guesses, answers = random_words(random.Random(3))
    least = min(naive_totals(guesses, answers))
    game = gw.load_game(guesses, answers, max_guesses=0)
    heard = []
    proof = gw.prove(game, out=tmp_path / "a.h5", progress=heard.append)
    assert (proof.lower, proof.upper, proof.total) == (least, least, least)
    assert heard[-1].best[0][1] == least
    assert gw.prove(game, out=tmp_path / "a.h5").best == proof.best
    assert gw.open_results(tmp_path / "a.h5").solved >= len(proof.best)
    with ThreadPoolExecutor(2) as workers:
        again = gw.prove(game, out=tmp_path / "b.h5", executor=workers)
    assert (again.best, again.total, again.is_complete) == (proof.best, least, True)
    stop = threading.Event()
    stop.set()
    stopped = gw.prove(game, out=tmp_path / "c.h5", stop=stop)
    assert not stopped.is_complete
    assert stopped.lower <= least
    assert stopped.upper is None


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    """Word lists on which a proof takes some seconds, and their options."""
    folder = tmp_path_factory.mktemp("lists")
    rng, letters = random.Random(1), "abcdefghijklmnopqrst"
    pairs = ["".join(pair) for pair in itertools.product(letters, repeat=2)]
    (folder / "words.txt").write_text("\n".join(pairs) + "\n")
    (folder / "some.txt").write_text("\n".join(rng.sample(pairs, 60)) + "\n")
    files = "--guesses", str(folder / "words.txt"), "--answers", str(folder / "some.txt")
    return [*files, "--max-guesses", "0"]


def command(*arguments):
    return [*COMMAND, *map(str, arguments)]


def call(*arguments):
    return ended(command(*arguments), capture_output=True, text=True)


@pytest.fixture(scope="module")
def once(lists):
    """What a proof in one go finds."""
    return json.loads(call("prove", *lists, "--threads", 1, "--json").stdout)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_it_goes_on_from_the_file_after_it_was_killed(lists, once, tmp_path, how):
    path = tmp_path / "proof.h5"
    run = ["prove", *lists, "--threads", 1, "--out", path, "--json"]
    environment = os.environ | {"GPU_WORDLE_CHECKPOINT_S": "0"}
    with started(
        command(*run), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        written = set()
        while process.poll() is None and len(written) < 20:
            time.sleep(0.005)
            if path.exists():
                written.add(path.stat().st_mtime_ns)
        assert process.poll() is None, "the proof takes long enough to be interrupted"
        process.send_signal(how)
        out, _ = process.communicate(timeout=60)
    if how is signal.SIGINT:
        assert process.returncode == 130
        answer = json.loads(out)
        assert not answer["complete"]
        assert answer["lower"] <= once["value"]
        assert answer["upper"] is None or answer["upper"] >= once["value"]
    done = call(*run)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["complete"]
    assert (answer["best"], answer["value"]) == (once["best"], once["value"])
    assert answer["lower"] == answer["upper"] == once["value"]
    assert answer["seconds"] > 0
    assert call("verify", path, *lists, "--sample", 2).returncode == 0


def test_files_of_other_jobs_and_damaged_ones_are_refused(lists, tmp_path):
    path = tmp_path / "proof.h5"
    run = ["prove", *lists, "--threads", 1, "--time-limit", "1s", "--out", path]
    assert call(*run).returncode == 0
    other = call(*run, "--rule", "hard")
    assert other.returncode == 2
    assert "rule" in other.stderr
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    damaged = call(*run)
    assert damaged.returncode == 2
    assert "damaged" in damaged.stderr
    assert path.read_bytes() == content
    assert call(*run, "--fresh").returncode == 0
