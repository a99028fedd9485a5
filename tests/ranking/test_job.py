"""The ranking job without a command line: resume, checkpoints, early ends, progress."""

import logging
import os
import signal
import threading
import time

import pytest

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game.objective import Objective
from gpu_wordle.ranking.job import CHECKPOINT_VARIABLE, Job
from gpu_wordle.ranking.ranking import INFEASIBLE_PHASE, SOLVING, Ranking, promising_first, rank
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.solver import SolverPool, Stop
from gpu_wordle.states.batch import StateBatch
from support import small_game
from support.shelves import Shelf
from support.word_lists import make_game, make_words


def game_of(limit=4):
    lists = make_words(sorted(small_game.GUESSES), list(small_game.ANSWERS))
    return make_game(lists, objective=Objective(limit))


def run(game, shelf, count=None, stop_token=None, fresh=False, progress=lambda event: None, **more):
    statistics = CpuBackend(1).open(game).stats(StateBatch.whole(game.answer_count))
    ranking = Ranking.begin(game.start(), statistics)
    job = Job(ranking.openers, shelf, stop_token, progress, **more)
    todo = promising_first(ranking, statistics, count)
    made = []

    def pool(lossy):
        made.append(lossy)
        return SolverPool(game.allowing_failures() if lossy else game, 1)

    with job.held(fresh=fresh):
        rank(job, ranking, todo, lambda: pool(False), lambda lacking: pool(True))
    return ranking, made


def test_a_job_goes_on_from_what_is_kept():
    shelf, game = Shelf(), game_of()
    ranking, _ = run(game, shelf, 3)
    assert int(ranking.openers.is_solved.sum()) == 3
    heard = []
    whole, _ = run(game, shelf, progress=heard.append)
    assert whole.openers.is_solved.all()
    assert (heard[0].phase, heard[0].done, heard[0].total) == (SOLVING, 3, game.guess_count)
    assert heard[-1].done == heard[-1].total
    assert heard[-1].best
    assert shelf.kept.is_solved.all()
    _, made = run(game, shelf)
    assert made == []  # nothing is left to solve
    run(game, shelf, 1, fresh=True)
    assert int(shelf.kept.is_solved.sum()) == 1
    assert shelf.checked == ["load", "load", "load", "replaceable"]


def test_the_second_phase_tells_of_infeasible_guesses():
    heard = []
    ranking, made = run(game_of(1), None, progress=heard.append)
    assert made == [False, True]
    assert {event.phase for event in heard} == {SOLVING, INFEASIBLE_PHASE}
    assert not ranking.lacks_solvable.any()


def test_a_job_that_is_due_makes_no_pool():
    stop = threading.Event()
    stop.set()
    stop_token = StopToken(event=stop)
    shelf = Shelf()
    ranking, made = run(game_of(), shelf, stop_token=stop_token)
    assert made == []
    assert not ranking.openers.is_solved.any()
    assert stop_token.reason is Reason.STOPPED
    assert shelf.saves == 2  # at the beginning, to see that it can be written, and at the end


class Listener(logging.Handler):
    """Takes down what is said."""

    def __init__(self):
        super().__init__()
        self.said = []

    def emit(self, record):
        self.said.append(record.getMessage())


def test_a_checkpoint_that_fails_is_a_warning(monkeypatch):
    monkeypatch.setenv(CHECKPOINT_VARIABLE, "0")
    listener = Listener()
    monkeypatch.setattr(logging.getLogger("gpu_wordle"), "handlers", [listener])
    shelf = Shelf()

    seen = []

    def fill(event):
        seen.append(event.done)
        if seen.count(2) == 1 and event.done == 2:  # a guess may be told of more than once
            shelf.failures = 1

    ranking, _ = run(game_of(), shelf, 5, progress=fill)
    assert listener.said == ["the disk is full; the work goes on"]
    assert int(shelf.kept.is_solved.sum()) == int(ranking.openers.is_solved.sum()) == 5


def test_a_file_that_cannot_be_written_is_found_at_once():
    with pytest.raises(JobError, match="the disk is full"):
        run(game_of(), Shelf(failures=1))


@pytest.mark.parametrize("text", ["often", "nan", "inf", "-1", "1_0", ""])
def test_nonsense_between_checkpoints_is_refused(monkeypatch, text):
    monkeypatch.setenv(CHECKPOINT_VARIABLE, text)
    why = f"GPU_WORDLE_CHECKPOINT_S={text}: give a number of seconds"
    with pytest.raises(UserError, match=why):
        run(game_of(), None)


def until(stop, seconds=10):
    deadline = time.monotonic() + seconds
    while not stop.is_set() and time.monotonic() < deadline:
        time.sleep(0.005)
    return stop.is_set()


def test_a_time_limit_sets_the_stop():
    stop_token, stop = StopToken(time_limit=0.1), Stop()
    with stop_token.of(stop):
        assert not stop.is_set()
        assert until(stop)
    assert stop_token.reason is Reason.TIME_LIMIT


def test_work_that_is_done_in_time_has_no_reason():
    stop_token = StopToken(time_limit=60, event=threading.Event())
    with stop_token.of(Stop()):
        pass
    assert stop_token.reason is None
    assert not stop_token.is_due()


def test_an_event_sets_the_stop():
    event, stop = threading.Event(), Stop()
    stop_token = StopToken(event=event)
    with stop_token.of(stop):
        event.set()
        assert until(stop)
    assert stop_token.reason is Reason.STOPPED


def test_a_signal_sets_the_stop_and_a_second_one_is_raised():
    before = signal.getsignal(signal.SIGINT)
    stop_token, stop = StopToken(signals=[signal.SIGINT]), Stop()

    def work():
        with stop_token.of(stop):
            os.kill(os.getpid(), signal.SIGINT)
            assert until(stop)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert stop_token.reason is Reason.INTERRUPTED
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_time_limit_is_above_zero(seconds):
    with pytest.raises(UserError, match="give more than 0"):
        StopToken(seconds)
