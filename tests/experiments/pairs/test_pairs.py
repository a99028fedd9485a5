"""Fixed openings: joint parts, totals and proofs against brute force and published figures."""

import csv
import math
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.api.pairs import PairsWork, solve_fixed
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.backends import choose
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pairs.longer import Goal, OpeningSearch, singles
from gpu_wordle.experiments.pairs.openings import Opening, least_total
from gpu_wordle.experiments.pairs.survey import Measure, Pairs, Survey, joint_sizes, legal_pairs
from gpu_wordle.experiments.pairs.totals import Totals
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Status
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolverPool
from gpu_wordle.states.joint import by_parts, joined, joint_labels, labels_of
from gpu_wordle.store.kinds import PairFile
from support import ROOT, naive_openings, small_game
from support.naive_rules import IMPOSSIBLE, NaiveRules
from support.word_lists import make_game, make_words, random_words

PUBLISHED = {
    "parse clint": 8325, "crane spilt": 8336, "crine spalt": 8339, "slant price": 8344,
    "crane slipt": 8346, "slant cripe": 8346, "crise plant": 8350, "prase clint": 8351,
    "soare clint": 8351, "crine plast": 8351,
}  # fmt: skip
"""Totals of fixed pairs after Selby, "The best strategies for Wordle", 2022."""

RESULTS = ROOT / "results/pairs"

SPLITTERS = "catty frond rumba spill verge whack"
"""The six words that tell all answers apart."""


def game_of(words, rule=Rule.NORMAL, limit=6):
    return make_game(words, rule, Objective(max_guesses=limit))


def small(rule=Rule.NORMAL, limit=6):
    words = make_words(sorted(small_game.GUESSES), list(small_game.ANSWERS))
    return game_of(words, rule, limit)


def session_of(game):
    return open_session(game.start(), Machine("cpu", 1))


def solved(game, text):
    guesses = [game.words.guesses.find(word) for word in text.split()]
    return solve_fixed(session_of(game), guesses, StopToken())


def work_of(game, measure=Measure.PARTS, first=None):
    return PairsWork(session_of(game), measure, first, StopToken())


def brute_force(game, fixed):
    """Total of fixed guesses, by indices; None where the rule forbids one."""
    rules = NaiveRules(game.words.guesses.words, game.rule.value)
    answers = tuple(game.words.answers.words)
    limit = game.objective.max_guesses
    found = naive_openings.total(rules, answers, rules.guesses, game.spell(fixed), limit)
    if found == naive_openings.ILLEGAL:
        return None
    return INFEASIBLE if found >= IMPOSSIBLE else found


@given(random_words(lengths=(2, 7)), st.data())
@settings(max_examples=40)
def test_joint_parts_match_the_oracle(words, data):
    game = game_of(words)
    guess = st.integers(0, game.guess_count - 1)
    fixed = data.draw(st.lists(st.lists(guess, min_size=1, max_size=3), min_size=1, max_size=3))
    labels = np.concatenate([joint_labels(game.patterns, guesses) for guesses in fixed])
    order = np.array(data.draw(st.permutations(range(game.guess_count))), np.int32)
    start = data.draw(st.integers(0, game.guess_count - 1))
    for backend in (choose("cpu", 2).backend, choose("check", 1).backend):
        counter = backend.open_joint(game, order)
        parts, entropy = counter.parts(labels, start), counter.entropy(labels, start)
        assert parts.shape == entropy.shape == (len(fixed), game.guess_count - start)
        for w, guesses in enumerate(fixed):
            for c, last in enumerate(order[start:].tolist()):
                spelled = game.spell([*guesses, last])
                sizes = naive_openings.joint_parts(words.answers.words, spelled)
                assert parts[w, c] == len(sizes)
                expected = sum(round(n * math.log2(n) * 2**24) for n in sizes)
                assert entropy[w, c] == expected


def test_joint_parts_of_the_original_game_match_numpy(original):
    """There parts are large, and labels need up to three words of bits."""
    rng = np.random.default_rng(5)
    guesses = rng.permutation(original.guess_count).astype(np.int32)[:300]
    counter = choose("cpu", 1).backend.open_joint(original, guesses)
    qajaq, salet = (original.words.guesses.find(word) for word in ("qajaq", "salet"))
    labels = labels_of(original.patterns, [qajaq, salet])
    parts = counter.parts(labels, 37)
    for w, first in enumerate((qajaq, salet)):
        for c, second in enumerate(guesses[37:].tolist()):
            columns = original.patterns.values[:, [first, second]].astype(np.int64)
            assert parts[w, c] == len(np.unique(columns @ [256, 1]))


def test_partitions_are_numbered_without_gaps(original):
    labels = labels_of(original.patterns, [0, 5, 9])
    for row in (*labels, *joined(labels[:1], labels[1:2])):
        assert set(row.tolist()) == set(range(int(row.max()) + 1))
    answers, ends = by_parts(labels)
    for w in range(3):
        for p in range(int(labels[w].max()) + 1):
            part = answers[w, ends[w, p - 1] if p else 0 : ends[w, p]]
            assert part.tolist() == np.flatnonzero(labels[w] == p).tolist()


@pytest.mark.parametrize(
    "pair", ["parse clint", *(pytest.param(p, marks=pytest.mark.slow) for p in list(PUBLISHED)[1:])]
)
def test_published_pairs_have_their_totals(original, pair):
    found = solved(original, pair)
    assert found.result.lower == found.result.upper == PUBLISHED[pair]
    assert found.verdict.total == PUBLISHED[pair]
    assert found.verdict.distribution.sum() == 2315
    assert found.result.worst == len(found.verdict.distribution) <= 6


def test_the_second_word_is_played_even_where_the_answer_is_known(original):
    """So no answer but the two words themselves is found before the third turn."""
    found = solved(original, "parse crane")
    assert found.verdict.distribution[:2].tolist() == [1, 1]
    later = solved(original, "clint parse")
    assert later.verdict.distribution[:2].tolist() == [0, 1]
    assert later.result.upper == PUBLISHED["parse clint"] + 1


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD, Rule.ULTRA_HARD])
@pytest.mark.parametrize("limit", [3, 4, 6])
def test_fixed_openings_match_brute_force(rule, limit):
    game = small(rule, limit)
    rng = np.random.default_rng(limit)
    tried = [tuple(rng.choice(game.guess_count, length, replace=False)) for length in (2, 3) * 12]
    for fixed in [tuple(map(int, each)) for each in tried]:
        expected = brute_force(game, fixed)
        if expected is None:
            with pytest.raises(UserError, match="is illegal under the .* rule"):
                Opening.of(game.start(), fixed)
            continue
        if len(fixed) == limit and expected >= INFEASIBLE:
            continue
        result = solve_fixed(session_of(game), fixed, StopToken()).result
        assert (result.lower, result.upper) == (expected, expected)
        assert least_total(game, fixed, len(joint_sizes(game, fixed))) <= expected


def test_a_fixed_opening_of_other_objectives_is_replayed(original):
    words = original.words
    for objective in ("within:4", "fewest-failures", "cost:1,2,3,5,8,13"):
        game = Game(words, original.patterns, Rule.NORMAL, Objective.parse(objective))
        found = solved(game, "parse clint")
        assert found.verdict.value == found.result.upper
    game = Game(words, original.patterns, Rule.NORMAL, Objective.parse("worst"))
    with pytest.raises(UserError, match="no sum over parts"):
        solved(game, "parse clint")


def test_an_illegal_second_word_is_named_with_the_feedback(original):
    hard = Game(original.words, original.patterns, Rule.HARD)
    with pytest.raises(UserError, match="after SALET YBBBB: COURD is illegal"):
        solved(hard, "salet courd")
    with pytest.raises(UserError, match="CRANE is fixed twice"):
        solved(original, "crane salet crane")


@given(random_words(lengths=(3, 4), most_guesses=14), st.sampled_from(["hard", "ultra-hard"]))
@settings(max_examples=40)
def test_the_pairs_that_a_rule_allows_match_brute_force(words, rule):
    game = game_of(words, Rule(rule))
    expected = [
        pair
        for pair in permutations(range(game.guess_count), 2)
        if brute_force(game, pair) is not None
    ]
    assert [tuple(pair) for pair in legal_pairs(game).tolist()] == expected


@pytest.mark.parametrize(
    ("rule", "limit"), [(Rule.NORMAL, 6), (Rule.NORMAL, 4), (Rule.NORMAL, 3), (Rule.HARD, 6)]
)
def test_the_best_pairs_are_proven_as_brute_force_has_them(rule, limit):
    game = small(rule, limit)
    work = work_of(game)
    work.run(None, fresh=False, solve=7, prove=True, on_progress=lambda _: None)
    totals = work.table.totals
    every = permutations(range(game.guess_count), 2)
    exact = {pair: brute_force(game, pair) for pair in every}
    best = sorted(total for total in best_orders(exact, rule) if total < INFEASIBLE)
    assert totals.is_proven(7)
    found = np.sort(totals.upper[totals.is_exact])
    assert found[:7].tolist() == best[:7]
    ties = best.count(best[6]) if len(best) > 6 else 0
    assert (found == best[6]).sum() == ties if ties else len(found) == len(best)
    for first, second, lower, upper in zip(
        totals.pairs.first.tolist(), totals.pairs.second.tolist(), totals.lower, totals.upper,
        strict=True,
    ):  # fmt: skip
        assert lower <= exact[first, second] <= upper


def best_orders(exact, rule):
    """The totals of pairs: under the normal rule of the better order, else of every legal order."""
    if rule is not Rule.NORMAL:
        return [total for total in exact.values() if total is not None]
    return [min(exact[a, b], exact[b, a]) for a, b in exact if a < b]


@pytest.mark.parametrize("measure", Measure)
@pytest.mark.parametrize("first", [None, "rat"])
def test_a_survey_counts_every_pair_once(measure, first):
    game = small()
    begin = None if first is None else game.words.guesses.find(first)
    work = work_of(game, measure, begin)
    work.run(None, fresh=False, solve=0, prove=False, on_progress=lambda _: None)
    survey, words = work.table.survey, game.words.guesses.words
    pairs = [pair for pair in combinations(range(len(words)), 2) if first is None or begin in pair]
    kept = list(zip(survey.kept.first.tolist(), survey.kept.second.tolist(), strict=True))
    assert sorted(tuple(sorted(pair)) for pair in kept) == sorted(pairs)
    assert survey.pair_count == len(pairs)
    sizes = {
        pair: naive_openings.joint_parts(small_game.ANSWERS, game.spell(pair)) for pair in kept
    }
    if measure is Measure.PARTS:
        counts = np.bincount([len(each) for each in sizes.values()])
        assert survey.histogram[: len(counts)].tolist() == counts.tolist()
        assert [least_total(game, pair, len(sizes[pair])) for pair in kept] == list(survey.kept.key)
    else:
        keys = [sum(round(n * math.log2(n) * 2**24) for n in sizes[pair]) for pair in kept]
        assert keys == survey.kept.key.tolist() == sorted(keys)


def test_what_is_not_kept_is_known_to_be_no_better(monkeypatch):
    game = small()
    whole = work_of(game)
    whole.run(None, fresh=False, solve=0, prove=False, on_progress=lambda _: None)
    keys = whole.table.survey.kept.key.tolist()
    monkeypatch.setitem(__import__("gpu_wordle").experiments.pairs.survey.MAX_KEPT, "parts", 9)
    work = work_of(game)
    work.run(None, fresh=False, solve=3, prove=True, on_progress=lambda _: None)
    assert work.table.survey.kept.key.tolist() == keys[:9]
    assert work.table.survey.others == keys[9]
    assert work.table.totals.is_proven(3) == (work.table.totals.cutoff(3) <= keys[9])


def test_greedy_extension_with_room_for_all_finds_the_best():
    game = small()
    counter = choose("cpu", 1).backend.open_joint(game, np.arange(game.guess_count, dtype=np.int32))
    pairs = [(a, b) for a, b in combinations(range(game.guess_count), 2)]
    found = OpeningSearch(game, counter).extend(pairs, 10_000)
    every = combinations(range(game.guess_count), 3)
    assert {tuple(sorted(guesses)) for guesses in found} == set(every)
    parts = [len(joint_sizes(game, guesses)) for guesses in found]
    assert parts == sorted(parts, reverse=True)


@pytest.mark.parametrize("goal", Goal)
def test_replacing_guesses_never_makes_an_opening_worse(goal):
    game = small()
    counter = choose("cpu", 1).backend.open_joint(game, np.arange(game.guess_count, dtype=np.int32))
    search = OpeningSearch(game, counter, goal)
    figure = {
        Goal.PARTS: len,
        Goal.ENTROPY: lambda sizes: -sum(n * math.log2(n) for n in sizes),
        Goal.SINGLES: lambda sizes: sizes.count(1),
    }[goal]

    def value(guesses):
        return figure(naive_openings.joint_parts(small_game.ANSWERS, game.spell(guesses)))

    for opening in [(0, 1, 2), (3, 4, 5), (2, 9, 1)]:
        (better,) = search.improve([opening])
        assert value(better) >= value(opening)
        for place in range(3):  # no guess has a better one beside the others
            others = better[:place] + better[place + 1 :]
            every = set(range(game.guess_count)) - set(others)
            assert max(value((*others, guess)) for guess in every) <= value(better) + 1e-9
        (held,) = replace(search, first=opening[0]).improve([opening])
        assert held[0] == opening[0]


@given(random_words(lengths=(2, 5)), st.data())
@settings(max_examples=30)
def test_answers_alone_match_the_oracle(words, data):
    game = game_of(words)
    named = data.draw(st.lists(st.sampled_from(words.guesses.words), min_size=1, max_size=3))
    labels = joint_labels(game.patterns, [words.guesses.find(word) for word in named])
    expected = [
        naive_openings.joint_parts(words.answers.words, [*named, word]).count(1)
        for word in words.guesses.words
    ]
    assert singles(game.patterns, labels, np.arange(game.guess_count)).tolist() == expected


def test_six_words_split_all_answers(original):
    guesses = [original.words.guesses.find(word) for word in SPLITTERS.split()]
    assert joint_sizes(original, guesses).tolist() == [1] * 2315


def test_the_published_file_is_sound_and_its_csv_says_the_same(original):
    file = PairFile(RESULTS / "original-normal.h5", Survey(original), "cpu", "")
    known = file.load()
    survey, totals = known.survey, known.totals
    assert survey.is_complete
    assert survey.pair_count == 84_129_906
    assert totals.is_proven(1015)
    assert not totals.is_proven(1518)
    best = totals.order()[:1015]
    assert original.spell(totals.best[:2]) == ["parse", "clint"]
    assert totals.upper[best[1]] > totals.best[2] == PUBLISHED["parse clint"]
    with (RESULTS / "original-normal.csv").open(newline="") as csv_file:
        rows = list(csv.DictReader(csv_file))
    found = [(*original.spell([int(totals.pairs.first[p]), int(totals.pairs.second[p])]),
              totals.parts[p], totals.upper[p]) for p in best]  # fmt: skip
    assert [(r["first"], r["second"], int(r["parts"]), int(r["total"])) for r in rows] == found
    total_of = {frozenset(each[:2]): each[3] for each in found}
    for pair, total in PUBLISHED.items():
        assert total_of[frozenset(pair.split())] in (total, total - 1)
    for p in np.random.default_rng(2).choice(len(totals.pairs), 60):
        pair = int(totals.pairs.first[p]), int(totals.pairs.second[p])
        assert totals.parts[p] == len(joint_sizes(original, pair))
        assert totals.lower[p] >= survey.kept.key[p] == least_total(original, pair, totals.parts[p])


@pytest.mark.slow
def test_the_published_entropies_are_those_of_their_pairs(original):
    survey = Survey(original, Measure.ENTROPY)
    table = PairFile(RESULTS / "original-entropy.h5", survey, "cpu", "").load()
    survey, totals = table.survey, table.totals
    assert survey.is_complete
    assert survey.pair_count == 84_129_906
    assert original.spell([survey.kept.first[0], survey.kept.second[0]]) == ["clint", "soare"]
    with (RESULTS / "original-entropy.csv").open(newline="") as csv_file:
        rows = list(csv.DictReader(csv_file))
    assert [original.spell(pair) for pair in list(survey.kept)[:1000]] == [
        [row["first"], row["second"]] for row in rows
    ]
    for place in [0, 1, 500, 999]:
        pair = [row[key] for row in [rows[place]] for key in ("first", "second")]
        sizes = naive_openings.joint_parts(original.words.answers.words, pair)
        bits = sum(n / 2315 * math.log2(2315 / n) for n in sizes)
        assert float(rows[place]["entropy_bits"]) == pytest.approx(bits)
        assert int(rows[place]["parts"]) == totals.parts[place] == len(sizes)


def test_pairs_are_refuted_by_search_against_the_best(original):
    """Of a few pairs around the best; the others are in the published file."""
    named = ["parse clint", "crane spilt", "soare clint", "slant price", "salet courd"]
    both = np.array([[original.words.guesses.find(w) for w in n.split()] for n in named], np.int32)
    pairs = Pairs(both[:, 0], both[:, 1], np.zeros(len(both), np.int64))
    parts = np.array([len(joint_sizes(original, pair)) for pair in both.tolist()])
    totals = Totals.of(original, pairs, parts)
    with SolverPool(original, 1) as pool:
        assert len(list(totals.solve(1, pool, prove=True))) > 0
    assert totals.best == (*both[0].tolist(), PUBLISHED["parse clint"])
    assert totals.status.tolist()[:1] == [Status.EXACT]
    assert totals.is_proven(1)
    assert (totals.lower[1:] >= PUBLISHED["parse clint"]).all()
    assert totals.open_count(1) == 0


def test_the_candidates_rule_fixes_no_second_guess():
    with pytest.raises(UserError, match="use --rule normal or hard"):
        work_of(small(Rule.CANDIDATES))


def test_a_survey_says_how_far_it_is():
    game = small()
    survey = Survey(game)
    assert (survey.rows, survey.is_complete, survey.pair_count) == (game.guess_count, False, 0)
    counter = choose("cpu", 1).backend.open_joint(game, survey.columns)
    assert list(survey.run(counter)) == [game.guess_count]
    assert survey.is_complete
