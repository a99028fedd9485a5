"""Histories of players: their figures by plain arithmetic over the games, and who tells them."""

import json
import random
import statistics
from fractions import Fraction

import pytest

import gpu_wordle as gw
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.kept_games import read_kept_games, record_of
from gpu_wordle.experiments.records import read_games
from gpu_wordle.game.words import load_words
from support.small_game import ANSWERS, GUESSES

LIMIT = 4
FAULTY = 12
"""Number of the game whose second turn is impossible; its first one has a value."""


@pytest.fixture(scope="module")
def game():
    return gw.load_game(GUESSES, ANSWERS, max_guesses=LIMIT)


def played(game, rng, answer):
    """The guesses of a game played at random, which may be lost, or given up."""
    guesses = []
    while len(guesses) < LIMIT and answer not in guesses:
        guesses.append(rng.choice(GUESSES if rng.random() < 0.4 else ANSWERS))
        if rng.random() < 0.06:
            break
    return guesses


@pytest.fixture(scope="module")
def games(game):
    """Games as records; some are share grids, and one cannot be read to its end."""
    rng, found = random.Random(7), []
    for number in range(40):
        answer = rng.choice(ANSWERS)
        guesses = played(game, rng, answer)
        colours = [game.feedback(guess, answer) for guess in guesses]
        if number % 9 == 4:
            found.append({"patterns": colours})
        elif number + 1 == FAULTY:
            found.append({"guesses": ["bat", "bat"], "patterns": ["BGG", "GGG"]})
        else:
            found.append({"guesses": guesses, "patterns": colours})
    return found


@pytest.fixture(scope="module")
def file(games, tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in games))
    return path


@pytest.fixture(scope="module")
def row(game, file):
    (found,) = gw.analyse(game, games=file, report=True, threads=1)
    return found


@pytest.fixture(scope="module")
def turns(game, games):
    """The turns of each game with words, by its number, with exact regret and luck."""
    found = {}
    for number, record in enumerate(games, start=1):
        if "guesses" not in record:
            continue
        read = 1 if number == FAULTY else None
        guesses, colours = record["guesses"][:read], record["patterns"][:read]
        rows = gw.analyse(game, guesses, patterns=colours, threads=1)
        found[number] = [
            {key: Fraction(row[f"{key}_fraction"]) for key in ("regret", "luck")}
            | {"guess": guess, "pattern": seen, "first": place == 0}
            for place, (guess, seen, row) in enumerate(zip(guesses, colours, rows, strict=True))
        ]
    return found


def mean_and_error(values):
    values = [float(value) for value in values]
    return statistics.fmean(values), statistics.stdev(values) / len(values) ** 0.5


def test_turns_and_streaks_are_counted(games, row):
    letters, on_turn = "", [0] * LIMIT
    for number, record in enumerate(games, start=1):
        if record["patterns"][-1] == "GGG" and number != FAULTY:
            on_turn[len(record["patterns"]) - 1] += 1
            letters += "s"
        elif len(record["patterns"]) == LIMIT:
            letters += "l"
    assert row["played_games"] == len(games)
    assert row["faulty_games"] == 1
    assert row["unfinished_games"] == len(games) - 1 - len(letters) > 0
    assert row["solved_on_turn"] == on_turn
    assert row["lost_games"] == letters.count("l") > 0
    assert row["streak"] == len(letters) - len(letters.rstrip("s"))
    assert row["longest_streak"] == max(map(len, letters.split("l"))) > row["streak"]


def test_skill_luck_and_their_errors_are_those_of_the_games(games, turns, row):
    skills = [1 - sum(t["regret"] for t in each) / len(each) for each in turns.values()]
    lucks = [sum(t["luck"] for t in each) for each in turns.values()]
    assert row["valued_games"] == len(turns)
    assert (row["skill_mean"], row["skill_error"]) == pytest.approx(mean_and_error(skills))
    assert (row["luck_mean"], row["luck_error"]) == pytest.approx(mean_and_error(lucks))
    of = dict(zip(row["game_numbers"], row["skill_by_game"], strict=True))
    assert [of[number] for number in turns] == pytest.approx([float(each) for each in skills])
    of = dict(zip(row["game_numbers"], row["luck_by_game"], strict=True))
    luckiest = [of[number] for number in row["luckiest_games"]]
    ended = [n for n in turns if n != FAULTY
             and (games[n - 1]["patterns"][-1] == "GGG" or len(turns[n]) == LIMIT)]  # fmt: skip
    assert luckiest == sorted((of[n] for n in ended), reverse=True)[:5]
    solved = [n for n in ended if games[n - 1]["patterns"][-1] == "GGG"]
    best = sorted(solved, key=lambda n: (sum(t["regret"] for t in turns[n]) / len(turns[n]),
                                         len(turns[n])))  # fmt: skip
    assert row["best_games"] == best[:5]


def test_habits_are_those_of_the_turns(game, turns, row):
    every = []
    for whole in turns.values():
        left = list(ANSWERS)
        for turn in whole:
            alike = [{word[:i] + "?" + word[i + 1 :] for word in left} for i in range(3)]
            frame = [names for names in alike if len(names) == 1]
            own = [turn["guess"][:i] + "?" + turn["guess"][i + 1 :] for i in range(3)]
            fits = any(set(own) & names for names in frame)
            turn["trap"] = len(left) >= 3 and bool(fits) and turn["regret"] > 0
            every.append(turn)
            left = [a for a in left if game.feedback(turn["guess"], a) == turn["pattern"]]

    def cost(chosen, among):
        mine = [turn["regret"] for turn in among if chosen(turn)]
        others = [turn["regret"] for turn in among if not chosen(turn)]
        mean, error = mean_and_error(mine) if len(mine) > 1 else (float(mine[0]), None)
        told = {"turns": len(mine), "regret": float(sum(mine)), "mean_regret": mean,
                "regret_error": error,
                "others_regret": statistics.fmean(map(float, others))}  # fmt: skip
        return pytest.approx(told)

    first = [turn for turn in every if turn["first"]]
    found = row["habits"]
    assert "hard-mode trap" in found
    assert found["hard-mode trap"] == cost(lambda turn: turn["trap"], every)
    repeats = [turn for turn in every if len(set(turn["guess"])) < 3]
    assert ("repeated letters" in found) == bool(repeats)
    openers = [name.split()[1] for name in found if name.startswith("opener")]
    assert len(openers) == 5
    for word in openers:
        assert found[f"opener {word}"] == cost(lambda turn, word=word: turn["guess"] == word, first)
    costs = [habit["regret"] for habit in found.values()]
    assert costs == sorted(costs, reverse=True)


def test_a_letter_twice_is_a_habit(tmp_path):
    """SLASS has one; its cost is told beside that of the other turns."""
    words = ["salsa", "silks", "light", "might"]
    game = gw.load_game(words, max_guesses=0)
    path = tmp_path / "games.jsonl"
    path.write_text('{"guesses": "salsa light might", "answer": "might"}\n')
    (row,) = gw.analyse(game, games=path, report=True, threads=1)
    assert row["habits"]["repeated letters"]["turns"] == 1
    assert row["skill_error"] is None
    assert row["lost_games"] == 0


def test_a_file_of_turns_is_read_again(game, file, games, row, tmp_path):
    """What analyse writes of games with words gives the same history."""
    for name in ("turns.csv", "turns.jsonl"):
        gw.analyse(game, games=file, out=tmp_path / name, threads=1)
        (again,) = gw.analyse(game, games=tmp_path / name, report=True, threads=1)
        for key in (
            "valued_games",
            "skill_mean",
            "skill_error",
            "luck_mean",
            "luck_error",
            "habits",
        ):
            assert again[key] == row[key], key


def test_the_terminal_and_a_report_tell_the_history(game, file, run, tmp_path):
    (tmp_path / "g.txt").write_text("\n".join(GUESSES))
    (tmp_path / "a.txt").write_text("\n".join(ANSWERS))
    lists = (
        "--guesses",
        tmp_path / "g.txt",
        "--answers",
        tmp_path / "a.txt",
        "--max-guesses",
        LIMIT,
    )
    said = run("analyse", "--games", file, "--report", *lists)
    assert "hard-mode trap" in said
    assert "Best and luckiest games" in said
    assert " ± " in said
    run("analyse", "--games", file, "--out", tmp_path / "turns.h5", *lists)
    gw.write_report(tmp_path / "turns.h5", tmp_path / "turns.md")
    told = (tmp_path / "turns.md").read_text()
    assert "### History of (not named)" in told
    assert "hard-mode trap" in told
    with pytest.raises(UserError, match="--report needs --games|report needs games"):
        gw.analyse(game, ["bat"], "cat", report=True)


WORDS = load_words("original")

MANY = """Ann
Wordle 1,234 3/6

⬛🟨⬛⬛🟩
⬛⬛🟨⬛⬛
🟩🟩🟩🟩🟩

Wordle 1,235 X/6
⬛🟨⬛⬛🟩
⬛⬛🟨⬛⬛
⬛⬛🟨⬛⬛
⬛⬛🟨⬛⬛
⬛⬛🟨⬛⬛
⬛⬛🟨⬛⬛
salet BYBBG
crony BBYBB
abbot GGGGG
salet BYBBG crony BBYBB abbot GGGGG
salet crony abbot
BYBBG
GGGGG
salet
abbot

salet BYBB
"""


def test_many_pasted_games_are_told_apart():
    found = read_kept_games(MANY, "", WORDS)
    told = [record_of(each, WORDS) for each in found.games]
    whole = {"guesses": ["salet", "crony", "abbot"], "patterns": ["BYBBG", "BBYBB", "GGGGG"]}
    assert told == [
        {"title": "Ann Wordle 1,234 3/6", "patterns": whole["patterns"]},
        {"title": "Wordle 1,235 X/6", "patterns": ["BYBBG", *["BBYBB"] * 5]},
        whole,
        whole,
        {"guesses": ["salet", "abbot"], "patterns": ["BYBBG", "GGGGG"]},
    ]
    assert [line.split(": ")[0] for line in found.refused] == ["line 19", "line 25"]
    again = read_kept_games(MANY, "", WORDS, last_is_answer=True)
    assert len(again.games) == 6
    assert record_of(again.games[4], WORDS) == {"guesses": whole["guesses"], "answer": "abbot"}
    grid = {"patterns": whole["patterns"], "player": "ann"}
    (game,) = read_kept_games(json.dumps(grid), "g.jsonl", WORDS).games
    assert record_of(game, WORDS) == grid


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("turns.h5", "", "this file is no text; write the turns with --out"),
        ("game.json", "[]", "not the JSON of a game"),
        ("games.csv", "guesses\nsalet\n", "neither answer nor patterns"),
        ("games.jsonl", "", "holds no games"),
        ("games.jsonl", '{"patterns": "BYBB"}', "has 4 colours"),
    ],
)
def test_what_cannot_be_read_is_refused(name, text, said):
    with pytest.raises(UserError, match=said):
        read_kept_games(text, name, WORDS)


def test_a_game_that_is_printed_is_kept():
    game = gw.load_game()
    text = json.dumps({"rows": gw.analyse(game, ["salet", "abbot"], "abbot", threads=1)})
    (given,) = read_kept_games(text, "game.json", WORDS).games
    assert given.turns == (("salet", "BYBBG"), ("abbot", "GGGGG"))


def test_a_share_grid_is_a_game_of_a_file(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text('{"patterns": ["BYBBG", "GGGGG"], "player": "ann"}\n')
    (grid,) = read_games(path, WORDS)
    assert (grid.player, len(grid.patterns)) == ("ann", 2)
    (row,) = gw.analyse(gw.load_game(), games=path, report=True)
    assert (row["player"], row["solved_on_turn"][:2], row["skill_mean"]) == ("ann", [0, 1], None)
