"""Strategies: move for move against a slow player, and the figures of the literature."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.backends import load_game
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.experiments.simulate import simulate
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.games import mastermind
from gpu_wordle.game.objective import Objective
from gpu_wordle.strategies import strategy as strategy_module
from gpu_wordle.strategies.named import STRATEGIES, fixed_openings, make_strategy
from gpu_wordle.strategies.play import NEVER, expand, play
from gpu_wordle.strategies.strategy import Choice, Greedy, Pool, Ties
from gpu_wordle.verify import Verifier
from support import naive_player
from support.small_game import ANSWERS, GUESSES
from support.solver_games import family_game
from support.solving import solve
from support.strategies import answers_first, start_of, with_naive_umpire
from support.word_lists import make_game, make_words, random_words

SLOW_RULES = {
    "entropy": naive_player.entropy,
    "parts": naive_player.parts,
    "max-part": naive_player.max_part,
    "expected-part": naive_player.expected_part,
    "standard-deviation": naive_player.expected_part,
    "places": naive_player.greens,
    "glaiel": naive_player.glaiel,
    "shrinkage": naive_player.shrinkage,
    "colour-bias:0.3": naive_player.colour_bias(0.3),
}
"""Rules that look at the answers left alone."""

SLOW_RULES_OF_ALL_ANSWERS = {
    "common-characters": partial(naive_player.in_rounds, rounds=3, in_place=False),
    "common-characters:1": partial(naive_player.in_rounds, rounds=1, in_place=False),
    "right-places:2": partial(naive_player.in_rounds, rounds=2, in_place=True),
    "places-entropy": naive_player.places_entropy,
    "places-entropy:0.25": partial(naive_player.places_entropy, weight=0.25),
}
"""Rules that also look at all answers of the game."""

GREEDY = [
    name for name in STRATEGIES
    if name not in ("optimal", "beam", "rollout", "random", "opening", "q-learning",
                    "value-iteration")
]  # fmt: skip


@pytest.fixture(scope="module")
def ordered(original):
    """The original game in the order that the literature's figures need."""
    return answers_first(original)


def only(strategy, game, opener=None):
    """The games from one opener."""
    guess = None if opener is None else game.words.guesses.find(opener)
    (simulated,) = simulate(strategy, start_of(game), [guess])
    return simulated


AS_PRINTED = Choice(ties=Ties.WORDS)
WITHOUT_PAIRS = Choice(ties=Ties.WORDS, survivors=1)


# Against a slow and obvious player.


@pytest.mark.parametrize("name", [*SLOW_RULES, *SLOW_RULES_OF_ALL_ANSWERS])
@given(data=st.data())
@settings(max_examples=12)
def test_games_are_those_of_a_slow_player(name, data):
    words = data.draw(random_words(lengths=(2, 5), most_guesses=25, most_answers=18))
    choice = Choice(
        pool=data.draw(st.sampled_from(Pool)),
        survivors=data.draw(st.sampled_from([1, 2, 3])),
        ties=data.draw(st.sampled_from([Ties.WORDS, Ties.CANDIDATES])),
    )
    game = make_game(words)
    opener = data.draw(st.sampled_from([None, *words.guesses.words]))
    simulated = only(make_strategy(name, game, choice), game, opener)
    guesses, answers = list(words.guesses.words), list(words.answers.words)
    rule = SLOW_RULES.get(name) or SLOW_RULES_OF_ALL_ANSWERS[name](answers)
    slow = naive_player.games(
        guesses, answers, rule, opening=[opener] if opener else [],
        survivors=choice.survivors, pool=choice.pool.value, ties=choice.ties.value,
    )  # fmt: skip
    check_games(simulated, slow)


def check_games(simulated, slow):
    """The games are these, and those that these never end are never found."""
    game, words = simulated.game, simulated.game.words
    for answer, word in enumerate(words.answers.words):
        if simulated.turns[answer] == NEVER:
            assert slow[word][-1] != word
        else:
            assert game.spell(simulated.guesses(answer)) == slow[word]
            assert simulated.turns[answer] == len(slow[word])


def test_real_games_are_those_of_a_slow_player(ordered):
    """By letter frequency, against every hundredth answer."""
    some, answers = ordered.words.answers.words[::100], list(ordered.words.answers.words)
    simulated = only(make_strategy("letter-frequency", ordered, WITHOUT_PAIRS), ordered)
    for word, made in naive_player.by_place(some, answers).items():
        answer = ordered.words.answers.find(word)
        assert ordered.spell(simulated.guesses(answer)) == made


@given(data=st.data())
@settings(max_examples=12)
def test_fixed_words_come_first_whatever_they_show(data):
    words = data.draw(random_words(lengths=(2, 4), most_guesses=20, most_answers=15))
    fixed = data.draw(st.lists(st.sampled_from(words.guesses.words), min_size=1, max_size=3))
    game = make_game(words)
    simulated = only(make_strategy(f"opening:{'+'.join(fixed)}:parts", game, AS_PRINTED), game)
    slow = naive_player.games(
        list(words.guesses.words), list(words.answers.words), naive_player.parts, opening=fixed
    )
    check_games(simulated, slow)


REAL = {
    "common-characters:2": lambda answers: naive_player.in_rounds(answers, 2, in_place=False),
    "right-places": lambda answers: naive_player.in_rounds(answers, 3, in_place=True),
    "refine": lambda answers: naive_player.in_rounds(answers, 0, in_place=False),
    "opening:crane+spilt:places-entropy": naive_player.places_entropy,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_a_real_game_is_that_of_a_slow_player(ordered, name):
    """Against some answers, with guesses from the answers that are left."""
    answers = list(ordered.words.answers.words)
    choice = Choice(pool=Pool.CANDIDATES, ties=Ties.WORDS)
    simulated = only(make_strategy(name, ordered, choice), ordered)
    opening = ["crane", "spilt"] if name.startswith("opening") else []
    for word in answers[7::100]:
        slow = naive_player.game(
            list(ordered.words.guesses.words), answers, word, REAL[name](answers),
            opening=opening, pool="candidates", survivors=1 if name == "refine" else 2,
        )  # fmt: skip
        assert ordered.spell(simulated.guesses(ordered.words.answers.find(word))) == slow


def test_openers_of_several_words_are_openings():
    spread = fixed_openings(["parts", "beam:2"], ["crane spilt", "salet courd nymph"])
    assert spread == (
        ["opening:crane+spilt:parts", "opening:salet+courd+nymph:parts",
         "opening:crane+spilt:beam:2", "opening:salet+courd+nymph:beam:2"],
        None,
    )  # fmt: skip
    assert fixed_openings(["parts"], ["crane", "salet"]) == (["parts"], ["crane", "salet"])
    assert fixed_openings(["parts"], None) == (["parts"], None)
    with pytest.raises(UserError, match="openers of one word and of several"):
        fixed_openings(["parts"], ["crane", "salet courd"])


# The figures of the literature; see the definitions in their sources.

PUBLISHED = [  # Hayes, "Words for the Wordle-Weary", and "Optimal Wordle strategies"
    ("entropy", AS_PRINTED, None, "soare", 8162, [31, 1105, 1111, 67, 1]),
    ("entropy", WITHOUT_PAIRS, None, "soare", 8418, [22, 901, 1291, 99, 2]),
    ("entropy", AS_PRINTED, "reast", "reast", 8073, [51, 1143, 1063, 58]),
    ("entropy", WITHOUT_PAIRS, "reast", "reast", 8333, [35, 954, 1229, 97]),
    ("standard-deviation", AS_PRINTED, None, "roate", 8204, [40, 1016, 1219, 40]),
    ("parts", AS_PRINTED, None, "trace", 8074, [1, 55, 1153, 1027, 78, 1]),
    ("parts", Choice(), None, "trace", 7951, [1, 75, 1232, 932, 74, 1]),
    ("greens-naive-yellows", WITHOUT_PAIRS, None, "saree", 9006,
     [94, 703, 1023, 386, 83, 20, 5, 1]),
    ("letter-frequency", WITHOUT_PAIRS, None, "slate", 8816, [1, 146, 776, 914, 354, 102, 19, 3]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "choice", "opener", "first", "total", "found"), PUBLISHED)
def test_published_totals(ordered, name, choice, opener, first, total, found):
    simulated = only(make_strategy(name, ordered, choice), ordered, opener)
    assert ordered.spell([simulated.opener]) == [first]
    assert simulated.total == total
    distribution = simulated.distribution
    assert distribution[len(distribution) - len(found) :] == found
    assert sum(found) == 2315


@pytest.mark.parametrize(("opener", "mean"), [("salet", 3.428), ("reast", 3.434), ("crane", 3.434)])
def test_published_means_of_parts_with_candidates_first(ordered, opener, mean):
    simulated = only(make_strategy("parts", ordered), ordered, opener)
    assert round(simulated.total / 2315, 3) == mean


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "opener", "mean"),
    [("entropy", "salet", 3.492), ("entropy", "trace", 3.494),
     ("standard-deviation", "trace", 3.498), ("standard-deviation", "crate", 3.503),
     ("standard-deviation", "reast", 3.503)],
)  # fmt: skip
def test_published_means_lie_within_what_ties_allow(ordered, name, opener, mean):
    """The source does not say how it broke ties here."""
    choices = [Choice(ties=ties, seed=seed) for ties in Ties for seed in (1, 2)]
    totals = [only(make_strategy(name, ordered, c), ordered, opener).total for c in choices]
    assert min(totals) / 2315 - 0.0005 <= mean <= max(totals) / 2315 + 0.0005


@pytest.mark.slow
def test_the_naive_umpire_costs_sixty_guesses(ordered):
    game = with_naive_umpire(ordered)
    simulated = only(make_strategy("letter-frequency", game, WITHOUT_PAIRS), game)
    assert (simulated.total, int(simulated.lost.sum())) == (8876, 28)


@pytest.mark.slow
def test_two_rules_of_the_list_of_wordle_ai():
    """Most information, and most green tiles, over 2,309 answers ("Wordle AI")."""
    game = answers_first(load_game("wordle-ai-2022"))
    information = only(make_strategy("entropy", game, WITHOUT_PAIRS), game)
    assert len(information.turns) == 2309
    assert round(information.total / 2309, 3) == 3.636
    assert not information.lost.any()
    assert round(100 * sum(information.distribution[:2]) / 2309, 3) == 0.953
    green = only(make_strategy("places", game, WITHOUT_PAIRS), game)
    assert round(green.total / 2309, 3) == 3.866
    assert int(green.lost.sum()) == 23
    assert round(100 * sum(green.distribution[:3]) / 2309, 1) == 35.3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "pool", "rounds"),
    [("common-characters", Pool.ANSWERS, ["alert", "scion", "pudgy"]),
     ("common-characters", Pool.ALL, ["oater", "lysin", "chump"]),
     ("right-places", Pool.ANSWERS, ["slate", "crony", "build"])],
)  # fmt: skip
def test_disjoint_rounds(original, name, pool, rounds):
    """Erkin, "Solving Wordle": the first of the words that it names for each round."""
    strategy = make_strategy(name, original, Choice(pool=pool, ties=Ties.WORDS))
    simulated = only(strategy, original)
    longest = [simulated.guesses(answer) for answer in simulated.hardest(50)]
    assert {tuple(original.spell(made[:3])) for made in longest} == {tuple(rounds)}


@pytest.mark.slow
def test_mixtures_begin_and_end_with_their_parts(ordered):
    """Hayes says besides that even tiny amounts of bias are detrimental."""
    names = ("entropy", "colour-bias:0", "places-entropy:0", "places", "places-entropy:1")
    pure = {name: only(make_strategy(name, ordered), ordered) for name in names}
    for mixed, part in (("colour-bias:0", "entropy"), ("places-entropy:0", "entropy"),
                        ("places-entropy:1", "places")):  # fmt: skip
        np.testing.assert_array_equal(pure[mixed].turns, pure[part].turns)
    biased = [
        only(make_strategy(f"colour-bias:{bits}", ordered), ordered).total for bits in (0.01, 0.5)
    ]
    assert pure["entropy"].total < biased[0] < biased[1]


# The optimum and the others.


@pytest.mark.slow
def test_two_fixed_words_then_the_optimum(original):
    """The best of the pairs that "Optimal Wordle strategies" tried but one: CRANE SPILT 8336."""
    simulated = only(make_strategy("opening:crane+spilt:optimal", original), original)
    assert (simulated.total, simulated.distribution[:2]) == (8336, [1, 1])


@pytest.mark.slow
def test_the_optimum_is_that_of_the_solver(original):
    simulated = only(make_strategy("optimal", original), original, "salet")
    assert simulated.total == 7920
    verdict = Verifier(original.words, original.objective).check(simulated.tree)
    assert (verdict.total, verdict.worst) == (7920, simulated.worst)


@pytest.mark.parametrize(("spec", "most"), [("beam:parts:5", 7930), ("rollout:parts:20", 7925)])
def test_looking_ahead_comes_close(original, spec, most):
    simulated = only(make_strategy(spec, original), original, "salet")
    assert 7920 <= simulated.total <= most


EVERYWHERE = [*GREEDY, "random", "beam:2", "rollout:parts:4", "optimal"]


@pytest.mark.parametrize(
    ("spec", "rule"),
    [*product(EVERYWHERE, Rule),
     *product(["q-learning:500", "value-iteration", "refine:flawed"], [Rule.NORMAL])],
)  # fmt: skip
def test_no_strategy_beats_the_exact_value(spec, rule):
    rng = np.random.default_rng([sum(map(ord, spec)), list(Rule).index(rule)])
    for _ in range(2):
        drawn = family_game(rng, rule=rule, answers=9, guesses=20)
        game = Game(drawn.words, drawn.patterns, rule, Objective(max_guesses=None))
        strategy = make_strategy(spec, game, Choice(seed=int(rng.integers(100))))
        for simulated in simulate(strategy, start_of(game), range(0, game.guess_count, 4)):
            exact = solve(game.start(), simulated.opener)
            if simulated.total is None:
                continue
            assert simulated.total >= exact.upper
            assert spec != "optimal" or simulated.total == exact.upper
            verdict = Verifier(game.words, game.objective).check(simulated.tree, rule=rule)
            assert (verdict.total, verdict.worst) == (simulated.total, simulated.worst)


@pytest.mark.parametrize("objective", ["mean", "fewest-failures", "within:2"])
@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("spec", ["optimal", "opening:rat:optimal", "rollout:parts:4", "beam:2"])
def test_lost_games_are_played_on_to_their_end(spec, rule, objective):
    """Three guesses are too few for eight words in ``at``, and the limit is a count of losses."""
    words = make_words(sorted(GUESSES), ANSWERS)
    patterns = make_game(words).patterns
    game = Game(words, patterns, rule, Objective.parse(objective, 3))
    certain = Game(words, patterns, rule, Objective(3))
    strategy = make_strategy(spec, game)
    for simulated in simulate(strategy, start_of(game), range(game.guess_count)):
        assert sum(simulated.distribution) == len(ANSWERS)
        assert np.array_equal(simulated.lost, simulated.turns > 3)
        is_lost = solve(certain.start(), simulated.opener).is_infeasible
        assert simulated.lost.any() or not is_lost


def test_many_openers_are_played_as_each_alone(original):
    game = original
    strategy = make_strategy("entropy", game)
    openers = [game.words.guesses.find(word) for word in ("salet", "fuzzy", "qajaq", "crane")]
    together = list(simulate(strategy, start_of(game), openers))
    for opener, simulated in zip(openers, together, strict=True):
        (alone,) = simulate(strategy, start_of(game), [opener])
        np.testing.assert_array_equal(simulated.turns, alone.turns)
        assert simulated.tree == alone.tree


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["beam:parts:3", "places"])
def test_positions_looked_at_one_by_one_get_the_same_guesses(original, monkeypatch, spec):
    together = only(make_strategy(spec, original), original, "crate")
    monkeypatch.setattr(strategy_module, "SCORED_PAIRS", 1)
    assert only(make_strategy(spec, original), original, "crate").tree == together.tree


@pytest.mark.parametrize("rule", list(Rule))
def test_a_guess_is_allowed_just_if_it_is_among_the_legal_ones(rule):
    rng = np.random.default_rng(list(Rule).index(rule))
    for _ in range(5):
        drawn = family_game(rng, rule=rule, answers=9, guesses=20)
        game = Game(drawn.words, drawn.patterns, rule, Objective(max_guesses=None))
        everyone = np.arange(game.guess_count, dtype=np.int32)
        start = start_of(game).take(np.zeros(len(everyone), np.int64))
        _, following, _ = expand(start, everyone, is_merged=False)
        for guess in everyone:
            allowed = following.allows(np.full(len(following), guess))
            legal = following.legal()
            expected = allowed | True if legal is None else legal[:, guess]
            np.testing.assert_array_equal(allowed, expected)


# Choices.


def test_random_play_depends_on_the_seed_alone(original):
    games = [
        only(make_strategy("random", original, Choice(seed=seed)), original) for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(games[0].turns, games[1].turns)
    assert (games[0].turns != games[2].turns).any()
    assert 3.95 < games[0].total / 2315 < 4.25


def test_ties_at_random_depend_on_the_seed(original):
    choices = [Choice(ties=Ties.RANDOM, seed=seed) for seed in (3, 3, 4)]
    one, again, other = (only(make_strategy("parts", original, c), original) for c in choices)
    assert one.tree == again.tree
    assert one.tree != other.tree


def test_the_last_turn_is_not_wasted(original):
    """With two guesses a game, only a candidate can still win on the last one."""
    game = Game(original.words, original.patterns, objective=Objective(max_guesses=2))
    found = [
        int(
            (
                ~only(
                    make_strategy("entropy", game, Choice(last_candidate=last)), game, "crate"
                ).lost
            ).sum()
        )
        for last in (False, True)
    ]
    assert found[0] < found[1] == 148


def test_scores_are_told_on_request(original):
    """A greedy rule tells what it holds of every guess, and plays one of the best."""
    start = start_of(original)
    for name in ("parts", "glaiel", "places-entropy", "right-places"):
        strategy = make_strategy(name, original)
        assert isinstance(strategy, Greedy)
        scores = strategy.scores(start)
        assert scores.shape == (1, original.guess_count)
        assert scores[0, strategy.choose(start)[0]] == scores.max()


def test_a_strategy_of_ones_own():
    class MostParts:
        name = "mine"
        recalls_turns = False

        def choose(self, positions):
            stats = positions.statistics()
            return (2 * stats.parts + stats.is_candidate).argmax(axis=1)

    game = mastermind(2, 4)
    mine = only(MostParts(), game, "12")
    built_in = make_strategy("parts", game, Choice(survivors=0))
    assert mine.total is not None
    np.testing.assert_array_equal(mine.turns, only(built_in, game, "12").turns)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.array([0]), r"gave int64\[1\] for 4 positions"),
        (np.full(4, 99), "gave a guess out of range"),
        (np.array([0.5] * 4), "returns the index"),
    ],
)
def test_a_strategy_that_answers_nonsense_is_named(answer, message):
    class Odd:
        name = "odd"
        recalls_turns = False

        def choose(self, positions):
            return answer

    game = mastermind(1, 4)
    start = start_of(game)
    with pytest.raises(JobError, match=f"the strategy odd .*{message}"):
        play(Odd(), start.take(np.zeros(4, np.int64)))


def test_an_illegal_guess_is_named(original):
    class Stubborn:
        name = "stubborn"
        recalls_turns = False

        def choose(self, positions):
            return np.zeros(len(positions), np.int32)

    game = Game(original.words, original.patterns, Rule.HARD)
    with pytest.raises(JobError, match="stubborn played AAHED, which is illegal under the hard"):
        play(Stubborn(), start_of(game), np.array([5000], np.int32))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nonsense", "no strategy 'nonsense'; choose one of random"),
        ("entropy:5", "nothing follows entropy"),
        ("beam:0", "a width from 1 to 1,000"),
        ("beam:optimal", "a greedy rule"),
        ("letter-frequency:now", "':updated'"),
        ("beam:right-places", "a greedy rule without rounds"),
        ("common-characters:0", "rounds, 1 to 26, as in common-characters:1"),
        ("right-places:1:2", "rounds, 1 to 26"),
        ("colour-bias:-1", "after colour-bias there may be a number from 0 to 100"),
        ("places-entropy:2", "a number from 0 to 1"),
        ("refine:mended", "':flawed'"),
        ("shrinkage:1", "nothing follows shrinkage"),
        ("opening", "followed by words and a rule"),
        ("opening:xyzzy:parts", "'xyzzy' is not one of"),
    ],
)
def test_names_that_cannot_be_understood(original, spec, message):
    with pytest.raises(UserError, match=message):
        make_strategy(spec, original)


def test_letters_need_words():
    with pytest.raises(UserError, match="needs letters"):
        make_strategy("greens", mastermind(2, 3))
    assert only(make_strategy("entropy", mastermind(2, 3)), mastermind(2, 3)).total > 0
