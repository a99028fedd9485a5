"""The environments keep the protocol of Gymnasium, and agree with an umpire in plain Python."""

from __future__ import annotations

import functools
import math
import os
import subprocess
import sys
import types
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.wrappers.vector import DictInfoToList

import gpu_wordle as gw
from support import ROOT
from support.missing import without
from support.plain_umpire import PlainUmpire
from support.small_game import ANSWERS, GUESSES, WEIGHTS

RULES = ("normal", "hard", "ultra-hard", "candidates")
REWARDS = ("solved", "turns", "regret", "information")
GREY, YELLOW, GREEN = 1, 2, 3
MADE = "gpu_wordle/Wordle-v0"


def small(**asked):
    return gw.load_game(GUESSES, ANSWERS, **asked)


@pytest.fixture(scope="module", autouse=True)
def cache(_private_cache):
    """Matrices of these tests are kept apart, and the environments are registered by their load."""
    assert gw.Environment.__mro__[1] is gymnasium.Env


@pytest.mark.parametrize(("rule", "reward"), [*zip(RULES, REWARDS, strict=True)])
def test_the_checker_of_the_protocol_has_nothing_to_say(rule, reward):
    env = gymnasium.make(MADE, game=small(rule=rule), reward=reward)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_games_of_other_kinds_keep_the_protocol_too():
    moons = ["io", "europa", "ganymede"]
    feedback = [[0, 1, 1], [9, 1, 1], [0, 9, 1], [0, 0, 9]]
    named = gw.Game.from_feedback(["has-ice?", *moons], moons, feedback, solved=9)
    games = [
        named,
        gw.load_game("mastermind:2x2"),
        small(max_guesses=0),
        small(objective="within:3"),
    ]
    games += [
        small(objective="cost:1,2,3,4,5,9"),
        small(weights=dict(zip(ANSWERS, WEIGHTS, strict=True))),
    ]
    for game in games:
        check_env(gymnasium.make(MADE, game=game).unwrapped)


def test_lists_and_rules_are_named_in_words_too():
    env = gymnasium.make(MADE, guesses=GUESSES, answers=ANSWERS, rule="hard", reward="turns")
    assert env.unwrapped.game == small(rule="hard")
    many = gymnasium.make_vec(
        MADE, 3, "vector_entry_point", game=small(), reward="information", mask=True
    )
    assert (type(many), many.num_envs, many.game) == (gw.VectorEnvironment, 3, small())
    listed = DictInfoToList(many)
    _, infos = listed.reset(seed=3)
    assert [each["candidates"] for each in infos] == [10, 10, 10]


def test_words_and_numbers_are_the_same_actions():
    one, two = gw.Environment(small()), gw.Environment(small())
    one.reset(seed=5), two.reset(seed=5)
    for word in ("chf", "MPS"):
        seen, other = one.step(word), two.step(np.int64(GUESSES.index(word.lower())))
        assert data_equivalence(seen, other)


def test_what_is_seen_is_the_board():
    env = gw.Environment(small(), "turns", render_mode="ansi")
    env.reset(options={"answer": "bit"})
    seen, reward, is_over, is_cut, info = env.step("tab")
    letters = sorted({*"".join(GUESSES)})
    assert [letters[number - 1] for number in seen["board"][0]] == ["t", "a", "b"]
    assert seen["colours"][0].tolist() == [YELLOW, GREY, YELLOW]
    assert not seen["board"][1:].any()
    assert not seen["colours"][1:].any()
    pressed = dict(zip(letters, seen["keyboard"].tolist(), strict=True))
    assert {key: best for key, best in pressed.items() if best} == {"t": 2, "a": 1, "b": 2}
    assert (reward, is_over, is_cut, info["candidates"]) == (-1.0, False, False, 1)
    assert GUESSES[info["optimal"]] == "bit"
    seen, _, is_over, _, info = env.step(info["optimal"])
    assert (is_over, info["answer"], info["value"]) == (True, GUESSES.index("bit"), 0.0)
    assert env.render() == "TAB 🟨⬛🟨\nBIT 🟩🟩🟩"


def test_the_mask_and_an_illegal_guess():
    env = gw.Environment(small(rule="hard"), "turns")
    env.reset(options={"answer": "bat"})
    seen, *_ = env.step("cat")
    legal = [word for word, is_legal in zip(GUESSES, seen["mask"], strict=True) if is_legal]
    assert legal == [word for word in GUESSES if word[1:] == "at"]
    assert env.action_masks().tolist() == (seen["mask"] == 1).tolist()
    for refused in range(1, 7):
        after, reward, is_over, is_cut, info = env.step("chf")
        assert (reward, is_over, is_cut, info["illegal"]) == (-1.0, False, refused == 6, True)
        assert (info["regret"], info["luck"]) == (None, None)
        assert (after["board"] == seen["board"]).all()
    with pytest.raises(gw.UserError, match="call reset"):
        env.step("bat")


@pytest.mark.parametrize("reward", REWARDS)
def test_every_last_turn_is_scored_and_every_win_is_paid(reward):
    """A lost game costs more than one that is won at its last turn."""
    sums = {}
    for answer in ("sat", "mat"):
        env = gw.Environment(small(max_guesses=3), reward)
        env.reset(options={"answer": answer})
        turns = [env.step(word) for word in ("cat", "pat", "mat")]
        sums[answer] = sum(turn[1] for turn in turns)
        assert turns[-1][0]["colours"][2].tolist() == [GREEN if answer == "mat" else GREY, 3, 3]
        assert [turn[2] for turn in turns] == [False, False, True]
    wanted = {
        "solved": (0, 1),
        "turns": (-4, -3),
        "information": (math.log2(10 / 5), math.log2(10)),
    }
    if reward in wanted:
        assert (sums["sat"], sums["mat"]) == pytest.approx(wanted[reward])
    else:
        assert sums["sat"] == sums["mat"] < 0  # the guesses were the same


def test_secrets_are_drawn_by_weight_and_by_nothing_else():
    weights = dict(zip(ANSWERS, [0, 0, 3, 1, 0, 0, 0, 0, 0, 0], strict=True))
    many = gw.VectorEnvironment(small(weights=weights), 4000)
    before = np.random.get_state()[1].tolist()
    _, _ = many.reset(seed=9)
    *_, infos = many.step(["fat"] * 4000)
    assert 0.7 < infos["_answer"].mean() < 0.8
    *_, infos = many.step(["hat"] * 4000)
    assert np.random.get_state()[1].tolist() == before


def test_equal_seeds_give_equal_games_beside_others():
    def play(env, other):
        found = []
        env.reset(seed=11)
        for _ in range(6):
            env.step("chf")
            other.reset()
            found.append(env.step("mps")[0]["colours"].tolist())
            env.reset()
        return found

    game = small()
    one = play(gw.Environment(game), gw.Environment(game))
    assert one == play(gw.Environment(game), gw.Environment(game))
    assert len({str(each) for each in one}) > 1


GAMES, STEPS = 4000, {"normal": 240, "hard": 40, "ultra-hard": 20, "candidates": 20}
"""More than a million turns together."""


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_random_turns_agree_with_a_plain_umpire(rule):
    game = small(rule=rule, max_guesses=4)
    many = gw.VectorEnvironment(game, GAMES, mask=True)
    random = np.random.default_rng(7)
    secrets = [ANSWERS[i] for i in random.integers(len(ANSWERS), size=GAMES)]
    seen, _ = many.reset(seed=1, options={"answers": secrets})
    umpires = [PlainUmpire(secret, ANSWERS, rule, 4) for secret in secrets]
    over, cut = np.zeros(GAMES, bool), np.zeros(GAMES, bool)
    tiles = {c: i for i, c in enumerate(sorted({*"".join(GUESSES)}), start=1)}
    numbers = {word: [tiles[c] for c in word] for word in GUESSES}
    for step in range(STEPS[rule]):
        actions = random.integers(len(GUESSES), size=GAMES)
        allowed = seen["mask"][np.arange(GAMES), actions] == 1
        begun = over | cut
        seen, rewards, over, cut, infos = many.step(actions)
        heard = [
            "begun" if anew else umpire.hear(GUESSES[action])
            for umpire, action, anew in zip(umpires, actions.tolist(), begun.tolist(), strict=True)
        ]
        said = np.array(heard)
        refused = (said == "illegal") | (said == "stuck")
        assert (rewards == (said == "solved")).all()
        assert (over == ((said == "solved") | (said == "lost"))).all()
        assert (cut == (said == "stuck")).all()
        assert (infos["illegal"] == refused).all()
        assert (allowed == ~refused)[~begun].all()
        secrets = many.secrets.tolist()
        for n in np.flatnonzero(begun).tolist():
            umpires[n] = PlainUmpire(GUESSES[secrets[n]], ANSWERS, rule, 4)
        if step % 10 == 0:
            for n in range(0, GAMES, 40):
                check_board(seen, n, umpires[n], numbers, tiles)


def check_board(seen, n, umpire, numbers, tiles):
    turns = umpire.turns
    assert seen["board"][n, : len(turns)].tolist() == [numbers[word] for word, _ in turns]
    told = [["BYG".index(colour) + 1 for colour in row] for _, row in turns]
    assert seen["colours"][n, : len(turns)].tolist() == told
    assert not seen["board"][n, len(turns) :].any()
    best = umpire.keyboard()
    wanted = {letter: "BYG".index(colour) + 1 for letter, colour in best.items()}
    pressed = seen["keyboard"][n].tolist()
    assert {letter: pressed[at - 1] for letter, at in tiles.items() if pressed[at - 1]} == wanted
    assert [bool(m) for m in seen["mask"][n]] == [umpire.allows(word) for word in GUESSES]


@pytest.mark.parametrize("rule", RULES)
def test_regret_less_luck_is_the_length_less_the_value_of_the_start(rule):
    game = small(rule=rule, max_guesses=0, weights=dict(zip(ANSWERS, WEIGHTS, strict=True)))
    count = 40
    many = gw.VectorEnvironment(game, count, "regret", mask=True)
    seen, infos = many.reset(seed=4)
    start, random = infos["value"][0], np.random.default_rng(4)
    total, turns, is_playing = np.zeros(count), np.zeros(count), np.ones(count, bool)
    while is_playing.any():
        drawn = random.random(seen["mask"].shape) * seen["mask"]
        seen, rewards, over, cut, infos = many.step(drawn.argmax(axis=1))
        assert not cut.any()
        turns += is_playing
        total += np.where(is_playing, infos["regret"] - infos["luck"], 0)
        assert (rewards[is_playing] == -infos["regret"][is_playing]).all()
        assert (infos["regret"][is_playing] >= 0).all()
        is_playing &= ~over
    assert start == pytest.approx(float(gw.value(game)))
    assert total == pytest.approx(turns - start)


def test_an_optimal_player_has_no_regret():
    game = small()
    many = gw.VectorEnvironment(game, len(ANSWERS), "regret")
    _, infos = many.reset(options={"answers": ANSWERS})
    turns, is_playing = 0, np.ones(len(ANSWERS), bool)
    while is_playing.any():
        turns += is_playing.sum()
        action = np.maximum(infos["optimal"], 0)
        _, rewards, over, _, infos = many.step(action)
        assert not rewards.any()
        is_playing &= ~over
    assert turns / len(ANSWERS) == pytest.approx(float(gw.value(game)))


def test_rewards_are_numbers_where_no_guess_has_a_value():
    game, guesses = small(objective="cost:1,2,3,4"), ("bat", "cat", "fat", "hat")
    one, many = gw.Environment(game, "regret"), gw.VectorEnvironment(game, 1, "regret")
    one.reset(options={"answer": "sat"}), many.reset(options={"answers": ["sat"]})
    beside = [many.step([word])[1][0] for word in guesses]
    rewards = [one.step(word)[1] for word in guesses]
    assert rewards == beside == [pytest.approx(-0.2), -math.inf, 0, 0]


def test_infos_are_those_of_one_game():
    game = small(rule="hard", max_guesses=5)
    one, many = gw.Environment(game, "regret"), gw.VectorEnvironment(game, 1, "regret", mask=True)
    for answer in ANSWERS[:4]:
        seen, info = one.reset(options={"answer": answer})
        beside, infos = many.reset(options={"answers": [answer]})
        is_over, random = False, np.random.default_rng(1)
        while not is_over:
            assert all((seen[key] == beside[key][0]).all() for key in seen)
            for key in ("value", "candidates", "optimal"):
                assert info[key] == (None if infos[key][0] in (-1,) else infos[key][0])
            action = int(random.choice(np.flatnonzero(seen["mask"])))
            seen, reward, is_over, _, info = one.step(action)
            beside, rewards, over, _, infos = many.step([action])
            assert (reward, is_over) == (rewards[0], over[0])
            assert (info["regret"], info["luck"]) == (infos["regret"][0], infos["luck"][0])
        assert info["answer"] == infos["answer"][0]


COUNT = 20


class OfDevice(np.ndarray):
    """An array as on a device: it does not mix with arrays of the host."""

    def get(self):
        return np.array(self)

    def __setitem__(self, place, value):
        check_device((*(place if isinstance(place, tuple) else (place,)), value))
        super().__setitem__(place, value)

    def __array_ufunc__(self, ufunc, method, *inputs, **named):
        check_device(inputs)
        own = [np.asarray(each) if isinstance(each, np.ndarray) else each for each in inputs]
        return of_device(getattr(ufunc, method)(*own, **named))

    def __array_function__(self, function, types_, given, named):
        check_device(given)
        return of_device(super().__array_function__(function, types_, given, named))


def check_device(given):
    for each in given:
        assert not (type(each) is np.ndarray and each.ndim), "an array of the host is mixed in"


def of_device(found):
    return (
        found.view(OfDevice) if isinstance(found, np.ndarray) else np.asarray(found).view(OfDevice)
    )


def made(own, *given):
    return of_device(own(*given))


def device():
    """A module of arrays that has what cupy has."""
    found = types.ModuleType("device")
    for own in (np.arange, np.array, np.ones, np.zeros):
        setattr(found, own.__name__, functools.partial(made, own))
    found.asarray = found.array
    for name in (
        "concatenate",
        "count_nonzero",
        "log2",
        "maximum",
        "minimum",
        "nonzero",
        "take",
        "where",
    ):
        setattr(found, name, getattr(np, name))
    return found


@pytest.mark.parametrize(
    ("rule", "reward"),
    [("normal", "turns"), ("hard", "regret"), ("candidates", "information"), ("normal", "solved")],
)
def test_arrays_of_a_device_play_the_same_games(rule, reward):
    game = small(rule=rule, weights=dict(zip(ANSWERS, WEIGHTS, strict=True)))
    here = gw.VectorEnvironment(game, COUNT, reward, mask=True)
    there = gw.VectorEnvironment(game, COUNT, reward, mask=True, arrays=device())
    seen, beside = here.reset(seed=6)[0], there.reset(seed=6)[0]
    random = np.random.default_rng(6)
    for _ in range(12):
        actions = random.integers(len(GUESSES), size=COUNT)
        kept = {key: each.copy() for key, each in seen.items()}, seen
        seen, *told, infos = here.step(actions)
        beside, *told_there, infos_there = there.step(of_device(actions))
        assert all(isinstance(each, OfDevice) for each in (*beside.values(), *told_there))
        assert all((seen[key] == beside[key].get()).all() for key in seen)
        assert all((a == b.get()).all() for a, b in zip(told, told_there, strict=True))
        assert infos.keys() == infos_there.keys()
        assert all((each == kept[1][key]).all() for key, each in kept[0].items()), "not reused"


def test_forgotten_turns_are_found_again(monkeypatch):
    monkeypatch.setattr("gpu_wordle.experiments.valued_turns.MAX_KEPT_TURNS", 10)
    game, random = small(max_guesses=0), np.random.default_rng(8)
    few, all_kept = (gw.VectorEnvironment(game, 20, "regret") for _ in range(2))
    few.reset(seed=2), all_kept.reset(seed=2)
    for _ in range(10):
        actions = random.integers(len(GUESSES), size=20)
        told = few.step(actions)
        monkeypatch.setattr("gpu_wordle.experiments.valued_turns.MAX_KEPT_TURNS", 10**6)
        wanted = all_kept.step(actions)
        monkeypatch.setattr("gpu_wordle.experiments.valued_turns.MAX_KEPT_TURNS", 10)
        assert (told[1] == wanted[1]).all()
        for key in ("value", "luck", "optimal"):
            assert np.array_equal(told[4][key], wanted[4][key], equal_nan=True)


def test_what_does_not_fit_is_said_in_one_line():
    game = small()
    env, many = gw.Environment(game), gw.VectorEnvironment(game, 2)
    env.reset(seed=1), many.reset(seed=1)
    for ask, said in [
        (lambda: env.step("zzz"), "is not one of the 15 words"),
        (lambda: env.step(15), "numbers 0 to 14"),
        (lambda: env.step(True), "give a word of the game, or its number"),
        (lambda: many.step(["bat"]), "1 actions for 2 games"),
        (lambda: many.step([1, -1]), "action -1: guesses have the numbers 0 to 14"),
        (lambda: many.step([[1, 2]]), "one for each"),
        (lambda: env.reset(options={"word": "bat"}), "'word' is no option; give 'answer'"),
        (lambda: many.reset(options={"answers": ["bat"]}), "a word for each of 2 games"),
        (lambda: gw.VectorEnvironment(game, 2).step([1, 2]), "call reset"),
        (lambda: gw.Environment(small(objective="worst"), "regret"), "mean,worst, or cost:PRICE"),
    ]:
        with pytest.raises(gw.UserError, match="\\A.*\\Z") as caught:
            ask()
        assert said in str(caught.value)


def test_without_gymnasium_one_line_says_what_to_install(tmp_path):
    code = (
        "import gpu_wordle as gw; game = gw.load_game(['ab', 'ba'])\n"
        "for ask in (lambda: gw.Environment(game), lambda: gw.VectorEnvironment(game, 2)):\n"
        "    try: ask()\n"
        "    except gw.UserError as error: print(error)"
    )
    hidden = str(without(tmp_path / "site", "gymnasium"))
    paths = os.pathsep.join([hidden, str(ROOT), os.environ.get("PYTHONPATH", "")])
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    said = "environments need gymnasium; pip install '.[gym]' in the checkout"
    assert run.stdout.splitlines() == [said] * 2
