"""The published files are whole, agree with each other, and hold the published figures."""

import csv
import json
from hashlib import sha256

import numpy as np
import pyarrow.parquet as pq
import pytest

import gpu_wordle as gw
from gpu_wordle import store
from gpu_wordle.api.files import open_results
from gpu_wordle.backends import load_game
from gpu_wordle.experiments.simulate import simulate
from gpu_wordle.game.game import Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.ranking.openers import Status, check_openers
from gpu_wordle.report.documents import read_document
from gpu_wordle.strategies.named import make_strategy
from support import ROOT, naive
from support.naive_solve import IMPOSSIBLE, NaiveGame
from support.strategies import start_of

RESULTS = ROOT / "results"
RANKINGS = {
    "original-normal": {
        "exact": 12972,
        "best": {
            "salet": 7920, "reast": 7923, "trace": 7926, "crate": 7926, "slate": 7928,
            "crane": 7930, "carle": 7937, "slane": 7943, "carte": 7949, "torse": 7950,
        },
    },
    "original-hard": {
        "exact": 10950,
        "best": {
            "salet": 8122, "least": 8127, "reast": 8134, "crate": 8143, "trape": 8144,
            "slane": 8149, "prate": 8151, "crane": 8155, "teals": 8160, "train": 8160,
        },
    },
    "nyt-2023": {
        "exact": 14855,
        "best": {
            "tarse": 11219, "salet": 11235, "caret": 11252, "sater": 11261, "torse": 11265,
            "carte": 11268, "carle": 11270, "reast": 11270, "tared": 11272, "trace": 11275,
        },
    },
}  # fmt: skip


def read_ranking(name):
    """A published ranking and its game."""
    lists, _, rule = name.partition("-") if name.startswith("original") else (name, "", "normal")
    game = load_game(lists, rule=Rule(rule))
    return game, store.read_openers(store.load(RESULTS / f"openers-{name}.h5"))


@pytest.mark.parametrize("name", RANKINGS)
def test_a_ranking_is_sound_and_holds_the_published_figures(name):
    game, openers = read_ranking(name)
    check_openers(openers, game, game.position_after())
    assert openers.is_solved.all()
    assert (openers.status == Status.EXACT).sum() == RANKINGS[name]["exact"]
    words = game.words.guesses.words
    best = {words[g]: int(openers.upper[g]) for g in openers.order()[: len(RANKINGS[name]["best"])]}
    assert best == RANKINGS[name]["best"]
    (least,) = openers.lower[openers.lower == openers.lower.min()]
    assert least == next(iter(best.values()))  # each other one is refuted, solved or not


def test_the_csv_of_a_ranking_says_the_same():
    game, openers = read_ranking("original-normal")
    with (RESULTS / "openers-original-normal.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    order = [game.words.guesses.find(row["guess"]) for row in rows]
    assert sorted(order) == list(range(game.guess_count))
    for row, guess in zip(rows, order, strict=True):
        assert row["status"].upper() == Status(openers.status[guess]).name
        if openers.status[guess] == Status.EXACT:
            worst = int(openers.worst[guess])
            found = np.array(row["distribution"].split(), int)
            assert (int(row["total"]), int(row["worst"])) == (openers.upper[guess], worst)
            assert found.tolist() == openers.distribution[guess, :worst].tolist()
            assert (found * np.arange(1, worst + 1)).sum() == openers.upper[guess]
            assert found.sum() == game.answer_count


def test_an_adversary_is_found_out_in_five_turns_after_every_opener():
    """With the usual total where the usual strategy takes five, and with a dearer one elsewhere."""
    usual = store.read_openers(store.load(RESULTS / "openers-original-normal.h5"))
    found = store.read_openers(store.load(RESULTS / "openers-original-worst.h5"))
    game = load_game(objective=Objective.parse("worst"))
    check_openers(found, game, game.position_after())
    assert (found.status == Status.EXACT).all()
    assert (found.worst == 5).all()
    games = found.distribution[:, :5]
    totals = games @ np.arange(1, 6)
    assert (games.sum(axis=1) == game.answer_count).all()
    assert (found.upper == 5 * game.prices.scale + totals).all()
    assert (totals >= usual.upper).all()
    assert ((totals == usual.upper) == (usual.worst == 5)).all()
    assert totals.min() == 7920
    dearer = totals - usual.upper
    assert (usual.height == usual.worst).all()
    assert ((dearer == 0).sum(), dearer[dearer > 0].min(), dearer.max()) == (7278, 1, 125)
    assert game.words.guesses.words[dearer.argmax()] == "susus"
    text = (RESULTS / "README.md").read_text("utf-8")
    assert "**7,278 openers take as many guesses within five as within six**" in text
    assert "The other 5,694 take 1 to 125 guesses more within five" in text


def test_all_words_as_answers_have_a_best_known_opener_and_a_proven_bound():
    found = store.read_openers(store.load(RESULTS / "openers-all-words.h5"))
    words = load_game().words.guesses.words
    exact = np.flatnonzero(found.status == Status.EXACT)
    ranked = exact[np.argsort(found.upper[exact])]
    assert len(ranked) == 10
    assert (words[ranked[0]], words[ranked[-1]]) == ("tares", "aeros")
    assert (found.distribution[ranked].sum(axis=1) == len(words)).all()
    assert found.upper.min() == found.lower[ranked[0]] == 52602
    assert found.lower.min() == 50748
    text = (RESULTS / "README.md").read_text("utf-8")
    assert "**The best opener of all takes from 50,748 to 52,602 guesses**" in text


def test_within_four_in_hard_mode_has_one_best_opener_and_all_others_are_refuted():
    found = store.read_openers(store.load(RESULTS / "openers-original-hard-within-4.h5"))
    game = load_game("original", rule=Rule.HARD, objective=Objective.parse("within:4"))
    best = int(found.upper.argmin())
    assert (game.words.guesses.words[best], found.status[best]) == ("clast", Status.EXACT)
    score = game.prices.score(int(found.upper[best]), game.answer_count, 0)
    assert (game.answer_count - score.late, score.total) == (2224, 8238)
    assert found.distribution[best][:4].sum() == 2224
    assert (np.delete(found.lower, best) > found.upper[best]).all()
    text = (RESULTS / "README.md").read_text("utf-8")
    most = "2,224 answers within four guesses is the most that\nany strategy finds"
    assert f"**{most} under the hard rule**" in text


@pytest.mark.parametrize(
    ("name", "value", "best", "openers"),
    [
        ("prove-worst", (5, 7920), "salet", 1),
        ("priors/prove-frequency", 269382, "trace", 1),
        ("games/mastermind-2x6", 132, "12", 30),
        ("games/mastermind-3x6", 854, "123", 120),
        ("games/mastermind-4x4", 905, "1123", 144),
        ("games/mastermind-4x5", 2463, "1123", 360),
        ("games/bulls-and-cows-2x10", 451, "01", 90),
        ("games/bulls-and-cows-3x6", 436, "012", 120),
        ("games/bulls-and-cows-3x8", 1449, "012", 336),
    ],
)
def test_a_published_proof_is_read_and_holds_the_published_figures(name, value, best, openers):
    proof = read_document(RESULTS / f"{name}.json")
    said = proof.answer
    assert (proof.envelope["verb"], said["complete"]) == ("prove", True)
    assert (said["best"][0], len(said["best"])) == (best, openers)
    fates = said["fates"]
    assert fates["optimal"] == openers
    assert fates["open"] == 0
    assert sum(fates.values()) == proof.envelope["game"]["guess_count"]
    worst_too = (said.get("worst"), said["total"])
    assert value == (worst_too if isinstance(value, tuple) else said["total"])


@pytest.fixture(scope="module")
def simulated():
    """The published games of strategies from all openers."""
    return open_results(RESULTS / "simulations/original-strategies.h5")


def test_thirteen_strategies_are_simulated(simulated):
    assert len(simulated.strategies) == 13
    assert len(simulated) == 13 * 12972


def test_no_strategy_beats_the_exact_values(simulated):
    game, openers = read_ranking("original-normal")
    index = game.words.guesses.index
    for row in simulated:
        found = np.array(row["distribution"])
        assert row["total"] == (found * np.arange(1, len(found) + 1)).sum()
        assert row["lost"] == found[6:].sum()
        assert found.sum() == game.answer_count
        assert row["exact_total"] == openers.upper[index[row["opener"]]]
        assert row["gap"] >= 0


def test_simulated_openers_come_out_again(simulated):
    game = load_game("original")
    some = ["salet", "qajaq", "crane", game.words.guesses.words[6000]]
    order = [game.words.guesses.find(word) for word in some]
    for name in simulated.strategies:
        games = simulate(make_strategy(name, game), start_of(game), order)
        assert [each.total for each in games] == [simulated[name, w]["total"] for w in some], name


def test_noise_costs_nothing_before_a_run_leaves_the_optimum():
    with (RESULTS / "noise/salet-depth-3.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12 * 25
    for row in rows:
        turns = [int(count) for count in row["distribution"].split()]
        total = sum(turn * count for turn, count in enumerate(turns, 1))
        assert sum(turns) == 2315
        assert total == int(row["total"]) == 7920 + int(row["gap"])
        departed = float(row["level_percent"]) > float(row["first_departure_percent"])
        assert (int(row["gap"]) > 0) == departed
        assert float(row["first_departure_percent"]) > 0.2976


NOISY = sorted(path.name for path in (RESULTS / "noise").glob("*.h5"))


@pytest.mark.parametrize("name", NOISY)
def test_noise_files_agree_with_the_ranking_and_with_themselves(name):
    """The optimum is that of the opener in the published ranking of its rule."""
    file = store.load(RESULTS / "noise" / name)
    assert file.attributes["filetype"] == "gpu-wordle noise"
    game, openers = read_ranking(f"original-{file.attributes['rule']}")
    optimum = openers.upper[game.words.guesses.find(file.attributes["opener"])]
    assert file.attributes["exact_total"] == optimum
    asked = ("status", "distribution", "total", "level", "first_departure")
    columns = {name: file.datasets[f"noise/{name}"].values for name in asked}
    done = columns["status"] == 1
    assert done.sum() >= min(25, done.size)
    turns, loss = columns["distribution"][done], columns["total"][done] - optimum
    assert (turns.sum(axis=2) == 2315).all()
    assert (turns @ np.arange(1, turns.shape[2] + 1) == columns["total"][done]).all()
    departure = columns["first_departure"][done, np.newaxis]
    departed = columns["level"] / 1e4 > np.where(np.isnan(departure), 50, departure)
    assert ((loss > 0) == departed).all()
    assert (loss >= 0).all()


@pytest.mark.slow
def test_published_positions_are_made_again_and_hold_what_brute_force_finds(tmp_path):
    rows = pq.read_table(RESULTS / "positions/original.parquet").to_pylist()
    gw.positions(gw.load_game(), count=30, seed=1, out=tmp_path / "x.parquet")
    assert pq.read_table(tmp_path / "x.parquet").to_pylist() == rows[:30]
    guesses = gw.load_game().guesses
    few = [row for row in rows if row["answers_before"] == 5][:4]
    for row in few:
        left = row["remaining"]
        patterns = [[naive.pattern(guess, word) for guess in guesses] for word in left]
        plain = NaiveGame(patterns, [guesses.index(word) for word in left])
        everyone, turns = tuple(range(len(left))), 7 - row["turn"]
        least = plain.value(everyone, turns)
        assert row["value_before"] == least / len(left)
        for word, regret in zip(row["valued_guesses"], row["regrets"], strict=True):
            value = plain.guess_value(everyone, guesses.index(word), turns)
            assert regret == (None if value >= IMPOSSIBLE else (value - least) / len(left))


def test_the_secrets_of_the_published_league_follow_the_protocol():
    told = json.loads((RESULTS / "league/original-test.json").read_text())
    secrets, rows = told["secrets"], told["rows"]

    def number(text):
        return int.from_bytes(sha256(text.encode()).digest(), "big")

    assert len(set(secrets)) == 200
    assert all(number(word) % 10 < 2 for word in secrets)
    assert secrets == sorted(secrets, key=lambda word: number(f"0 {word}"))
    assert told["start_value"] == 7920 / 2315
    assert (rows[0]["player"], rows[0]["mean_regret"], rows[0]["lost"]) == ("optimal", 0, 0)
    for row in rows:
        assert row["mean_regret_lower"] <= row["mean_regret"] <= row["mean_regret_upper"]
        assert row["luckless_mean"] == pytest.approx(told["start_value"] + row["mean_regret"])
