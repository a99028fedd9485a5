"""Certificates that are made: a slow checker accepts them, and no bound in them is too high."""

import json
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from gpu_wordle.api import session
from gpu_wordle.api.certifying import certify_opener
from gpu_wordle.certify import sharing
from gpu_wordle.certify.bounds import CheapBounds, Row, StoppedError
from gpu_wordle.certify.certificate import SetEntry
from gpu_wordle.certify.certified_state import CertifiedState
from gpu_wordle.certify.cores import Cores
from gpu_wordle.certify.ledger import Ledger, Losses, Searches
from gpu_wordle.certify.machine import count_keeping, fullest, least_one_ply
from gpu_wordle.certify.making import Found, certify, counting_game, value_of
from gpu_wordle.certify.raising import NotProvableError, adding_up, alone, choose
from gpu_wordle.certify.sharing import Sharing
from gpu_wordle.certify.turn_prices import TurnPrices
from gpu_wordle.errors import JobError, UnsavedError
from gpu_wordle.game import games
from gpu_wordle.game.game import Rule
from gpu_wordle.game.objective import Aim, Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from gpu_wordle.ranking.solving import unknown
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.tunables import MAX_PAIRWISE_FRONTIER
from support import ROOT
from support.commands import child
from support.found import pool_of, proved
from support.naive_certificate import NaiveCertificate
from support.objectives import random_objective, with_objective
from support.small_game import ANSWERS, GUESSES, WEIGHTS
from support.solver_games import family_game, random_game
from support.word_lists import make_game, make_words

RESULTS = ROOT / "results" / "certificates"


def checked(game, found):
    """The theorem of the certificate, and the states of its ledger, after all checks."""
    certificate = certify(game, found, pool_of)
    words = game.words
    naive = NaiveCertificate(certificate.to_text(), words.guesses.words, words.answers.words)
    theorem = naive.check()
    for line in naive.ledger:
        bound = INFEASIBLE if line[0] == "infeasible" else int(line[0])
        assert bound <= naive.value(*naive.state(line)), line
    return theorem, len(naive.ledger)


def drawn(rng, rule):
    draw = family_game if rng.integers(2) else random_game
    game = draw(rng, rule=rule)
    objective = random_objective(rng, game.answer_count)
    return with_objective(game, objective) if rng.random() < 0.7 else game


@pytest.fixture(params=["all bounds", "no one-ply bounds"])
def cheap_bounds(request, monkeypatch):
    """Games this small need a ledger only if the maker knows less than the checker."""
    if request.param == "no one-ply bounds":
        monkeypatch.setattr(CheapBounds, "count_one_ply", CheapBounds.by_size)
        monkeypatch.setattr(CheapBounds, "unrefuted", lambda self, spot, guesses, targets: guesses)
    return request.param


@pytest.mark.parametrize("rule", list(Rule))
def test_certificates_of_random_games_hold(rule, cheap_bounds):
    rng = np.random.default_rng(5)
    states = strategies = refused = 0
    for _ in range(25):
        game = drawn(rng, rule)
        found = proved(game)
        theorem, size = checked(game, found)
        states += size
        if found.tree is None:
            assert (theorem.opener, theorem.others, theorem.cost) == (None, INFEASIBLE, None)
            refused += 1
            continue
        strategies += 1
        assert theorem.opener == game.words.guesses.words[found.opener]
        late = game.prices.score(found.value, game.answer_count, 0).late
        is_plain = rule is Rule.NORMAL and game.objective.weights is None
        if game.objective.aim is Aim.WORST:
            assert theorem.bound == theorem.others == 1
        elif is_plain and game.objective.within == 4 and late:
            assert theorem.bound == theorem.others == theorem.cost == late
        else:
            assert theorem.bound == theorem.cost == found.value
            assert theorem.others == found.value + found.is_alone
    assert strategies > 3
    assert refused > 3
    assert states > (20 if cheap_bounds == "no one-ply bounds" else -1)


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD])
def test_the_value_of_any_opener_is_certified(rule):
    rng = np.random.default_rng(8)
    game = family_game(rng, rule=rule, answers=12, guesses=40, max_guesses=5)
    for guess in range(0, game.guess_count, 4):
        with pool_of(game) as pool:
            ((_, result),) = pool.solve_guesses(game.start(), [guess], tree=True)
        found = Found(guess, result.lower, others=False, is_alone=False, tree=result.tree)
        theorem, _ = checked(game, found)
        assert theorem.bound == result.lower
        assert theorem.others is None


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("size", [2, 17, MAX_PAIRWISE_FRONTIER, MAX_PAIRWISE_FRONTIER + 1, 150])
def test_one_ply_is_counted_alike_whether_answers_weigh_one_or_more(dtype, size):
    rng = np.random.default_rng(size)
    bins = 243 if dtype == np.uint8 else 729
    matrix = rng.integers(0, rng.integers(4, bins, 1100), (200, 1100)).astype(dtype)
    matrix[rng.integers(0, 200, 300), rng.choice(1100, 300, replace=False)] = bins - 1
    rows = rng.choice(200, size, replace=False).astype(np.uint16)
    steps = rng.integers(0, 5, 3)
    columns = matrix[rows].T.tolist()
    costs = [
        steps @ [size, size - ((bins - 1) in column), size - len(set(column))] for column in columns
    ]
    told_apart = [
        cost for cost, column in zip(costs, columns, strict=True) if len(set(column)) == size
    ]
    in_time = min(told_apart, default=INFEASIBLE)
    for guesses_left, least in ((9, min(costs)), (2, in_time), (1, INFEASIBLE)):
        for weight in (1, 3):
            weights = np.full(size, weight, np.int64)
            found = least_one_ply(matrix, bins, (rows, weights), steps, guesses_left, 0)
            assert found == (least if least == INFEASIBLE else weight * least)


def test_what_is_not_so_is_not_certified():
    game = family_game(np.random.default_rng(3), rule=Rule.NORMAL)
    found = proved(game)
    with pytest.raises(JobError, match="cannot be proved"):
        certify(game, replace(found, value=found.value + 1, tree=None), pool_of)


def rhymes(count, others=(), *, objective, rule=Rule.NORMAL):
    """A game of words that differ in their first letter, and of guesses that are no answers."""
    answers = tuple(f"{letter}at" for letter in "bcdefghij"[:count])
    words = make_words([*answers, *others], answers)
    return make_game(words, rule, Objective.parse(*objective))


@pytest.mark.parametrize(
    ("count", "others", "worst"), [(5, (), 5), (6, (), 6), (9, ("bcd", "efg"), 5)]
)
def test_that_turns_do_not_suffice_rests_on_few_answers(count, others, worst):
    game = rhymes(count, others, objective=("worst", 8))
    found = proved(game)
    certificate = certify(game, found, pool_of)
    assert certificate.tariff.listed == (0,) * (worst - 1) + (1,)
    assert {type(entry) for entry in certificate.ledger} == {SetEntry}
    theorem, _ = checked(game, found)
    assert theorem.bound == theorem.others == theorem.cost == 1
    if not others:  # each guess leaves all but one together, so one more than guesses is enough
        assert {len(entry.answers) + entry.turns for entry in certificate.ledger} == {worst}
    lost = rhymes(count, others, objective=("mean", worst - 1))
    certificate = certify(lost, proved(lost), pool_of)
    assert {type(entry) for entry in certificate.ledger} == {SetEntry}
    theorem, _ = checked(lost, proved(lost))
    assert theorem.others == INFEASIBLE


def test_the_worst_case_of_one_opener_rests_on_few_states():
    game = rhymes(9, ("bcd", "efg"), objective=("worst", 8))
    with pool_of(game) as pool:
        ((_, result),) = pool.solve_guesses(game.start(), [9], tree=True)
    found = Found(9, result.lower, others=False, is_alone=False, tree=result.tree)
    theorem, _ = checked(game, found)
    assert (theorem.opener, theorem.bound, theorem.others) == ("bcd", 1, None)


def test_random_worst_cases_are_certified_by_cores():
    rng = np.random.default_rng(2)
    by_cores = 0
    for _ in range(20):
        game = family_game(rng, rule=Rule.NORMAL, answers=12, guesses=16)
        game = with_objective(game, Objective.parse("worst", 8))
        found = proved(game)
        theorem, _ = checked(game, found)
        assert theorem.bound == theorem.others == 1
        assert theorem.cost >= 1  # answers found on the last turn
        by_cores += any(isinstance(e, SetEntry) for e in certify(game, found, pool_of).ledger)
    assert by_cores > 3


def test_how_many_are_late_is_proved_by_states_that_openers_share(monkeypatch):
    monkeypatch.setattr(sharing, "MIN_ALONE", 1)
    rng = np.random.default_rng(6)
    shared = several = 0
    for _ in range(12):
        game = family_game(rng, rule=Rule.NORMAL, answers=16, guesses=22)
        game = with_objective(game, Objective.parse("within:4", 10))
        found = proved(game)
        late = game.prices.score(found.value, game.answer_count, 0).late
        if not late:
            continue
        theorem, size = checked(game, found)
        assert theorem.bound == theorem.others == theorem.cost == late
        ledger = certify(game, found, pool_of).ledger
        shared += size < game.guess_count
        several += any(entry.bound < late for entry in ledger)
    assert shared > 1
    assert several > 1


def test_openers_that_are_not_so_late_are_not_refuted():
    game = rhymes(9, ("bcd", "efg"), objective=("within:4", 8))
    late = game.prices.score(proved(game).value, game.answer_count, 0).late
    counted = counting_game(game)
    openers = np.arange(game.guess_count)
    with pool_of(counted) as pool:
        value = partial(value_of, pool)
        assert Sharing(counted, value, openers, late).refuting(lambda done, total: None)
        with pytest.raises(NotProvableError):
            Sharing(counted, value, openers, late + 1).refuting(lambda done, total: None)
        pool.stop.set()
        with pytest.raises(StoppedError):
            Sharing(counted, value, openers, late).refuting(lambda done, total: None)


@pytest.mark.parametrize("change", ["rule", "weights", "turns", "symmetry"])
def test_states_are_shared_only_where_that_is_sound(change):
    game = rhymes(9, objective=("within:4", 8))
    assert counting_game(game) is not None
    weights = Weights(tuple(range(1, 10)))
    changed = {
        "rule": rhymes(9, objective=("within:4", 8), rule=Rule.HARD),
        "weights": with_objective(game, Objective.parse("within:4", 8, weights)),
        "turns": with_objective(game, Objective.parse("within:3", 8)),
        "symmetry": with_objective(games.mastermind(3, 4), Objective.parse("within:4", 8)),
    }
    assert counting_game(changed[change]) is None


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_what_guesses_leave_together_is_counted(dtype):
    rng = np.random.default_rng(3)
    patterns = rng.integers(0, 4, (60, 700)).astype(dtype)
    guesses = np.sort(rng.choice(700, 500, replace=False)).astype(np.int32)
    sizes, shown = np.empty((2, 500), np.int64)
    state = np.sort(rng.choice(60, 25, replace=False)).astype(np.uint16)
    fullest(patterns, 243, state, guesses, sizes, shown)
    states = np.zeros((5, 6), np.uint16)
    counts = np.empty(5, np.int64)
    lengths = np.array([1, 2, 3, 4, 6])
    for row in states:
        row[:] = rng.choice(60, 6, replace=False)
    count_keeping(patterns, states, lengths, guesses, counts)
    for guess, size, pattern in zip(guesses.tolist(), sizes, shown, strict=True):
        together = [(patterns[state, guess] == p).sum() for p in range(4)]
        assert (size, pattern) == (max(together), int(np.argmax(together)))
    for row, length, count in zip(states, lengths, counts, strict=True):
        alike = [len(set(patterns[row[:length], guess].tolist())) == 1 for guess in guesses]
        assert count == sum(alike)


def test_what_can_be_found_in_time_has_no_core():
    game = rhymes(6, objective=("worst", 8))
    cores = Cores(game, Stop())
    assert cores.of(game.root(), 6) is None
    core = cores.of(game.root(), 5)
    assert core.answers.tolist() == game.root().tolist()
    assert not core.keeping.any()
    with pytest.raises(NotProvableError):
        cores.refuting([0], 5, lambda done, total: None)
    stop = Stop()
    stop.set()
    with pytest.raises(StoppedError):
        Cores(game, stop).of(game.root(), 5)


def test_a_stop_ends_the_work():
    game = family_game(np.random.default_rng(3), rule=Rule.NORMAL)
    found = proved(game)

    @contextmanager
    def stopped(game):
        with pool_of(game) as pool:
            pool.stop.set()
            yield pool

    assert certify(game, found, stopped) is None


@pytest.mark.parametrize("reason", [None, *Reason])
def test_a_verb_tells_why_no_certificate_is_written(tmp_path, reason):
    position = family_game(np.random.default_rng(3), rule=Rule.NORMAL).start()
    ending = StopToken()
    ending.reason = reason
    ask = partial(
        certify_opener, session.open_session(position), unknown(position, 0), tmp_path / "c.txt"
    )
    if reason is None:
        with pytest.raises(UnsavedError, match="the value is not known, so .*c.txt is not written"):
            ask(ending, None)
    else:
        assert "starts it anew" in ask(ending, None)


def lists(folder):
    """The small game in files."""
    (folder / "g.txt").write_text("".join(f"{word}\n" for word in GUESSES))
    (folder / "a.txt").write_text("".join(f"{word}\n" for word in ANSWERS))
    rows = "".join(f"{word},{weight}\n" for word, weight in zip(ANSWERS, WEIGHTS, strict=True))
    (folder / "w.csv").write_text(rows)
    return ["--guesses", "g.txt", "--answers", "a.txt"]


def test_verbs_write_certificates(tmp_path):
    words = lists(tmp_path)
    asked = ["prove", *words, "--weights", "w.csv", "--json", "--certificate", "best.txt"]
    out, err = child(*asked, cwd=tmp_path)
    answer = json.loads(out)
    assert "certificate written to best.txt (a ledger of" in err
    theorem = NaiveCertificate((tmp_path / "best.txt").read_text(), GUESSES, ANSWERS).check()
    assert (theorem.opener, theorem.cost) == (answer["best"][0], answer["value"])
    assert theorem.others == answer["value"] + (len(answer["best"]) == 1)
    child("solve", "tab", *words, "--quiet", "--certificate", "best.txt", cwd=tmp_path)
    theorem = NaiveCertificate((tmp_path / "best.txt").read_text(), GUESSES, ANSWERS).check()
    assert (theorem.opener, theorem.others) == ("tab", None)
    child("prove", "--guesses", "mastermind:2x3", "--certificate", "pegs.txt", cwd=tmp_path)
    assert "feedback pegs\n" in (tmp_path / "pegs.txt").read_text()


REFUSED = {
    "a foreign file": (["prove", "--certificate", "g.txt"], "holds no certificate"),
    "no folder": (["prove", "--certificate", "x/y.txt"], "there is no folder"),
    "a state": (["prove", "--certificate", "c.txt", "--state", "bit BGG"], "leave --state out"),
    "many turns": (["prove", "--certificate", "c.txt", "--max-guesses", 31], "at most 30 turns"),
    "two openers": (["solve", "bat", "cat", "--certificate", "c.txt"], "is for one opener"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_certified_is_refused(tmp_path, name):
    arguments, line = REFUSED[name]
    _, err = child(*arguments, *lists(tmp_path), cwd=tmp_path, code=2)
    assert line in err
    assert not (tmp_path / "c.txt").exists()


PUBLISHED = {
    "original-normal-mean": ("original", ("salet", 7920), "7921"),
    "original-hard-mean": ("original", ("salet", 8122), "8123"),
    "original-hard-within-5": ("original", ("palet", 8206), "8207"),
    "nyt-2023-normal-mean": ("nyt-2023", ("tarse", 11219), "11220"),
    "original-frequency-mean": ("original", ("trace", 269382), "269383"),
    "original-worst": ("original", ("salet", 1), "1"),
    "original-within-4-tenor": ("original", ("tenor", 244_248), "none"),
    "original-within-4": ("original", ("tenor", 17), "17"),
    "mastermind-4x6-mean": ("mastermind:4x6", ("1123", 5625), "5625"),
    "mastermind-4x7-mean": ("mastermind:4x7", ("1123", 11_228), "11228"),
    "bulls-and-cows-4x9-mean": ("bulls-and-cows:4x9", ("0123", 14_914), "14914"),
    "bulls-and-cows-4x10-mean": ("bulls-and-cows:4x10", ("0123", 26_274), "26274"),
    "mastermind-4x8-mean": ("mastermind:4x8", ("1234", 20_471), "20471"),
    "french-normal-mean": ("french", ("tarie", 6731), "6731"),
    "spanish-normal-mean": ("spanish", ("terco", 6754), "6755"),
}
"""List, opener with its bound, and what all others cost at least."""
OTHER_LISTS = {
    "french": (
        "guesses 6094 0dae19e2f3ac15a25b128d37c9970fedc0081f43ab66a635bf6395e5ad219433",
        "answers 2000 cf6422340c1c4e48284ae4829a7ba3128eb870b21e3ffb9a9c7ea5778f612681",
    ),
    "spanish": (
        "guesses 4698 b04971f1fd174542cbbb0915716bf10b6b21a07e21ece9f8ed5c2c58cdd46be6",
        "answers 2000 0a732e19870b1e153831bfc4813109c54449c9f7fc4fde9767740c659e70abe8",
    ),
}
"""Lists that are not part of the program, as scripts/publish/make_words.py told of them."""
PRICED = {
    "original-worst": (0, 0, 0, 0, 1),
    "original-within-4-tenor": (1, 2, 3, 4, 13_896, 13_897),
    "original-within-4": (0, 0, 0, 0, 1),
}
"""Prices of turns where they are not 1, 2, 3 and so on."""
LAST_TURN = {
    "original-hard-within-5": 5,
    "bulls-and-cows-4x9-mean": 7,
    "bulls-and-cows-4x10-mean": 7,
    "mastermind-4x8-mean": 7,
}
"""On which an answer is found, if not on the sixth."""
LARGE = {
    "original-worst": 4_000_000,
    "original-within-4": 2_500_000,
    "original-hard-mean": 600_000,
    "original-hard-within-5": 2_500_000,
    "nyt-2023-normal-mean": 400_000,
}
"""Bytes that a file has less of, where it has more than others."""
LATER = {"original-within-4": "1"}
"""What later turns cost, if they are possible."""
SHOWN = {"original-worst": 79}
"""What a strategy costs where the bound is less: it finds so many answers on the last turn."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_certificates_say_what_their_names_say(name):
    """That they hold is for the checkers to see; here it is what they claim."""
    lists, (opener, value), others = PUBLISHED[name]
    path = RESULTS / f"{name}.txt"
    assert path.stat().st_size < LARGE.get(name, 300_000)
    lines = path.read_text("ascii").splitlines()
    if lists in OTHER_LISTS:
        told, answers = OTHER_LISTS[lists], 2000
    else:
        words = session.read_words(lists)
        each = {"guesses": words.guesses, "answers": words.answers}
        told = tuple(f"{kind} {len(of)} {of.sha256}" for kind, of in each.items())
        answers = len(words.answers)
    assert tuple(lines[1:3]) == told
    assert lines[4] == f"rule {'hard' if 'hard' in name else 'normal'}"
    prices = PRICED.get(name, range(1, LAST_TURN.get(name, 6) + 1))
    priced = f"prices {' '.join(map(str, prices))} then {LATER.get(name, 'infeasible')}"
    assert lines[5] in ([priced] if name in PRICED else ["prices 1 then +1", priced])
    cost = SHOWN.get(name, value)
    for line in (f"opener {opener} {value}", f"others {others}", f"strategy {cost}"):
        assert line in lines
    at = lines.index(f"strategy {cost}") + 1
    played = [line.split() for line in lines[at : at + answers]]
    found = {line[-1] for line in played}
    assert len(found) == answers
    if lists not in OTHER_LISTS:
        assert found == set(words.answers.words)
    weights = dict.fromkeys(found, 1)
    if "frequency" in name:
        weighed = map(int, lines[7 : 7 + answers])
        weights = dict(zip(words.answers.words, weighed, strict=True))
    assert {line[0] for line in played} == {opener}
    assert max(map(len, played)) <= len(prices)
    assert sum(weights[line[-1]] * prices[len(line) - 1] for line in played) == cost


def test_every_certificate_is_looked_at():
    assert {path.stem for path in RESULTS.iterdir()} == set(PUBLISHED)


def part_of(size):
    """A state that is known by its size."""
    return CertifiedState(
        np.arange(size, dtype=np.uint16), np.zeros(1, np.uint64), (0,), bytes([size])
    )


def test_of_a_guess_the_largest_parts_that_suffice_are_raised_or_the_smallest_that_does_alone():
    row = Row(0, 10, (part_of(9), part_of(6), part_of(4), part_of(3)))
    gaps = {9: 7, 6: 11, 4: INFEASIBLE, 3: 2}

    def gap(spot):
        return gaps[len(spot.answers)]

    def raises(*closers):
        return {len(spot.answers): by for spot, by in choose([row], closers)}

    assert raises(adding_up(gap)) in ({6: 10}, {9: 7, 6: 3})
    assert raises(alone(gap)) == {4: INFEASIBLE}  # in full, though ten would do
    gaps |= {6: 1, 4: 1}
    assert raises(alone(gap), adding_up(gap)) == {9: 7, 4: 1, 3: 2}
    gaps[3] = 0
    with pytest.raises(NotProvableError):
        choose([row], [alone(gap), adding_up(gap)])


@pytest.mark.parametrize(("seed", "limit"), [(3, 4), (11, 4)])
def test_where_the_limit_matters_smaller_states_refute(seed, limit):
    """By what openers cost without a limit, and by small parts that cannot be won."""
    game = family_game(
        np.random.default_rng(seed), rule=Rule.HARD, answers=14, guesses=50, max_guesses=limit
    )
    found = proved(game)
    checked(game, found)
    usual = certify(game, found, pool_of).ledger
    targets = np.full(game.guess_count, found.value + found.is_alone, np.int64)
    if found.opener is not None:
        targets[found.opener] = found.value
    with pool_of(game) as pool:
        ledger = Ledger(
            CheapBounds(game, TurnPrices.of(game), pool),
            Searches(lambda spot: value_of(pool, spot.position(game))),
        )
        ledger.prove_start(targets, lambda name, done, total: None)
    by_value = ledger.shrunk()
    small, large = (sum(len(each.spot.answers) for each in some) for some in (usual, by_value))
    assert 0 < small < large


def test_a_lost_state_stands_for_larger_ones_with_no_more_guesses():
    def spot(answers, revealed, stage=1):
        key = bytes([*answers, 99, *revealed, stage])
        bits = np.bitwise_or.reduce(1 << np.array([0, *revealed], np.uint64))
        return CertifiedState(np.array(answers, np.uint16), np.array([bits]), (0,), key)

    losses = Losses(9)
    few, fewer = spot([1, 3, 7], [4]), spot([3, 7], [4, 5])
    losses.add(few)
    whole = spot([1, 2, 3, 7], [4, 5, 6])
    assert losses.inside(whole) is few
    for other in (
        spot([1, 2, 3, 7], [5, 6]),  # more is legal
        spot([1, 2, 3], [4, 5, 6]),
        spot([1, 2, 3, 7], [4, 5, 6], stage=2),
    ):
        assert losses.inside(other) is None
    assert losses.inside(spot([3, 7, 8], [4, 5])) is None
    losses.add(fewer)
    assert losses.inside(spot([3, 7, 8], [4, 5])) is fewer
    assert losses.smallest_inside(whole) is fewer
    assert losses.smallest_inside(few) is few
