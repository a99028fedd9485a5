"""Leagues: who plays which secrets, what a game costs, and intervals that cover the truth."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import gpu_wordle as gw
from gpu_wordle.api import session
from gpu_wordle.api.files import game_of
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.experiments.compare import NO_GUESS
from gpu_wordle.experiments.league import SCORED, Secrets, draw
from gpu_wordle.experiments.splits import LEAGUE_SPLITS, tenth_of
from gpu_wordle.store import load, read_league
from support.forging import forge
from support.output import rows_of
from support.small_game import ANSWERS, GUESSES

ALL = ["--split", "all", "--games", len(ANSWERS)]
BOT = """
import sys

words = {words!r}
for number, line in enumerate(sys.stdin):
    turns, _, remark = line.rstrip("\\n").partition("\\t")
    guess = words[len(turns.split()) // 2]
    {each}
    print(guess, flush=True)
"""


@pytest.fixture(scope="module")
def words(original):
    """Words of the original game that are few enough to be solved at once."""
    return original.words.answers.words[::16]


@pytest.fixture
def bot(tmp_path):
    """Write a program that plays certain words whatever it is told, and return its command."""

    def write(words=("cat", "bat", "rat", "fit", "pat", "mat"), each="", name="bot.py"):
        (tmp_path / name).write_text(BOT.format(words=words, each=each))
        return f"{sys.executable} {name}"

    return write


def read(path):
    """The league in a file."""
    contents = load(Path(path))
    return read_league(Path(path), contents, game_of(contents, Path(path)))


def play(run, *players):
    """Play a league over all secrets of the small game and return its rows by player."""
    return {row["player"]: row for row in rows_of(run("league", *players, *ALL, "--json"))}


def test_the_split_is_fixed(original):
    """These tenths are part of the protocol: others rely on them."""
    words = {"salet": 3, "crony": 7, "quote": 4, "ёлка": 9, "λογος": 7}
    assert {word: tenth_of(word) for word in words} == words
    sizes = np.bincount([tenth_of(word) for word in original.words.answers.words])
    assert (sizes[:2].sum(), sizes.sum()) == (463, 2315)
    assert sorted([*LEAGUE_SPLITS["dev"], *LEAGUE_SPLITS["test"]]) == list(LEAGUE_SPLITS["all"])


def test_secrets_do_not_depend_on_the_order_of_the_list(words):
    depth = dict(zip(words, np.arange(len(words)) % 4 + 2, strict=True))
    drawn = []
    for listed in (words, words[::-1]):
        game = session.game_of(session.read_words(listed))
        secrets = draw(game, np.array([depth[word] for word in listed]), "dev", 30, 5)
        drawn.append([listed[answer] for answer in secrets.answer])
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 30
    assert all(tenth_of(word) in LEAGUE_SPLITS["dev"] for word in drawn[0])


def test_each_depth_has_its_share_of_the_secrets(words):
    game = session.game_of(session.read_words(words))
    depth = np.array([2] * 3 + [3] * 60 + [4] * (len(words) - 64) + [7])
    secrets = draw(game, depth, "all", 50, 0)
    assert secrets.population.tolist() == [63, len(words) - 63]  # too few are found on turn 2 and 7
    shares = 50 * secrets.population / len(words)
    assert (np.abs(np.bincount(secrets.stratum) - shares) < 1).all()
    assert (np.bincount(secrets.stratum) >= 2).all()


def test_too_many_games_are_refused(run):
    with pytest.raises(UserError, match="11 games; the split all of this list has 10 answers"):
        run("league", "parts", "--split", "all", "--games", 11)


def test_the_optimum_costs_nothing_and_others_what_they_waste(words):
    game = gw.load_game(words)
    players = ["optimal", "random", "parts"]
    told = gw.league(game, players, split="all", games=len(words))
    rows = {row["player"]: row for row in told}
    assert (rows["optimal"]["mean_regret"], rows["optimal"]["mean_regret_upper"]) == (0, 0)
    assert told.facts["start_value"] == float(gw.value(game))
    for name in players:
        row = rows[name]
        (games,) = gw.simulate(game, name)
        assert row["mean"] == pytest.approx(games["mean"])  # no luck is left over all answers
        assert row["luckless_mean"] == pytest.approx(games["mean"])
        assert row["mean_luck"] == pytest.approx(0)
        assert row["mean_regret_error"] == 0
        assert (row["lost"], row["illegal"]) == (games["lost"], 0)
    assert [row["player"] for row in told] == sorted(rows, key=lambda n: rows[n]["mean_regret"])


def test_regret_less_luck_is_the_length_less_the_value_of_the_start(words, tmp_path):
    game, path = gw.load_game(words, rule="hard"), tmp_path / "l.h5"
    gw.league(game, ["random", "greens"], games=40, out=path)
    held = read(path)
    wanted = held.length - float(gw.value(game))
    assert held.is_won.any()
    assert (held.regret_of_game - held.luck)[held.is_won] == pytest.approx(wanted[held.is_won])


def test_intervals_cover_the_truth_in_about_95_of_100_draws(words, tmp_path):
    game, path = gw.load_game(words), tmp_path / "l.h5"
    gw.league(game, "random", split="all", games=len(words), out=path)
    held = read(path)
    regret, depth = np.empty(len(words)), np.empty(len(words), np.int64)
    regret[held.secrets.answer], depth[held.secrets.answer] = (
        held.regret_of_game[0],
        held.secrets.depth,
    )
    covered = 0
    for seed in range(400):
        drawn = draw(held.game, depth, "all", 40, seed)
        mean, error = drawn.estimate(regret[drawn.answer])
        covered += abs(mean - regret.mean()) <= drawn.margin * error
    assert 0.92 <= covered / 400 <= 0.98


@pytest.mark.parametrize(
    ("freedom", "wanted"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (10, 2.2281), (120, 1.9799), (10**5, 1.9600)],
)
def test_intervals_go_by_students_t(freedom, wanted):
    """The figures are those of printed tables."""
    none = np.zeros(freedom + 1, np.int32)
    secrets = Secrets("dev", 0, none, none, none, np.array([9], np.int32), 0)
    assert secrets.margin == pytest.approx(wanted, abs=5e-5)


def test_progress_names_a_player_before_its_first_game_ends():
    told = []
    game = gw.load_game(GUESSES, ANSWERS)
    gw.league(game, ["optimal", "parts"], split="all", games=10, progress=told.append)
    playing = [(each.note, each.done) for each in told if each.phase == "playing"]
    assert {("optimal", 0), ("parts", 10), ("parts", 20)} <= {*playing}


def test_a_program_and_a_file_of_the_same_guesses_have_the_same_score(run, bot):
    guesses = ["chf", "mps", "bat", "rat", "cat", "fit"]
    games = []
    for answer in ANSWERS:
        made = guesses[: guesses.index(answer) + 1] if answer in guesses else guesses
        games.append({"guesses": made, "answer": answer, "player": "file"})
    games.append({"guesses": ["cat"], "answer": "zzz"})
    Path("more.jsonl").write_text("\n".join(map(json.dumps, games)))
    with pytest.raises(UserError, match="more.jsonl, game 11: 'zzz' is not"):
        play(run, "more.jsonl")
    Path("games.jsonl").write_text("\n".join(map(json.dumps, games[:-1])))
    rows = play(run, f"bot={bot(guesses)}", "games.jsonl")
    program, file = rows.pop("bot"), rows.pop("file")
    assert program | {"player": ""} == file | {"player": ""}
    assert (program["lost"], program["illegal"]) == (6, 0)
    scores = [gw.score(gw.load_game(GUESSES, ANSWERS), game)[0] for game in games[:-1]]
    assert program["mean_regret"] == pytest.approx(np.mean([s["total_regret"] for s in scores]))
    assert program["contradictions"] == sum(score["contradictions"] for score in scores)


def test_guesses_without_a_turn_and_turns_that_are_left_cost_one_each(run, bot):
    given = [{"guesses": [], "messages": [], "answer": answer} for answer in ANSWERS]
    Path("nothing.jsonl").write_text("\n".join(map(json.dumps, given)))
    with pytest.raises(UserError, match="it has no guesses"):
        play(run, "nothing.jsonl")
    given = [{"guesses": ["dog", "chf"], "answer": answer} for answer in ANSWERS]
    Path("few.jsonl").write_text("\n".join(map(json.dumps, given)))
    rows = play(run, "few.jsonl", f"rubbish={bot(['well', 'well'])}")
    few, rubbish = rows["few"], rows["rubbish"]
    first = gw.regret(gw.load_game(GUESSES, ANSWERS), "chf")
    assert few["mean_regret"] == pytest.approx(first + 1 + 5)
    assert (few["illegal"], few["lost"], few["mean"]) == (10, 10, 7)
    assert rubbish["mean_regret"] == 6 + 6  # six replies are refused, and no turn is made
    assert rubbish["illegal"] == 60


def test_a_program_is_told_why_a_guess_took_no_turn(run, bot):
    each = "guess = 'cat' if 'dog' in remark.lower() else guess"
    row = play(run, f"bot={bot(['dog', 'bat', 'fat', 'hat', 'mat', 'pat'], each)}")["bot"]
    assert row["illegal"] == len(ANSWERS)


FAULTS = {
    "ended with exit code 3 in place of a reply to 'cat ": "if number == 1: sys.exit(3)",
    "no reply to '' within 0.3 seconds; a longer --move-limit": "import time; time.sleep(9)",
    "wrote a line of more than 65,536 bytes": "guess = 70_000 * 'a'",
    "wrote '(Hello|cat)' without being asked": "if not number: print('Hello')",
    "wrote 'cat' without being asked": "print(guess)",
}


@pytest.mark.parametrize("said", FAULTS)
def test_a_program_that_fails_is_said_and_the_others_play(run, bot, said):
    failing = bot(each=FAULTS[said])
    with pytest.raises(JobError, match=f"bot: .*{said}.*(0 games kept)"):
        run("league", f"bot={failing}", "parts", *ALL, "--move-limit", 0.3, "--out", "l.h5")
    held = read("l.h5")
    assert held.players == ("bot", "parts")
    assert [held.players[player] for player in held.whole] == ["parts"]


def test_a_program_that_speaks_late_loses_all_games_of_the_call(run, bot):
    """Then its replies may all be those to the questions before."""
    late = f"bot={bot(each='import atexit; number or atexit.register(print, 9)')}"
    with pytest.raises(JobError, match=r"wrote '9' without being asked.*\(0 games kept\)"):
        run("league", late, *ALL, "--out", "l.h5")


def test_games_of_a_program_that_has_ended_are_kept_and_gone_on_from(run, bot, capsys):
    log = "open('asked', 'a').write(f'{number}\\n')"
    dying = bot(each=f"{log}\n    if number == 9: sys.exit()")
    with pytest.raises(JobError, match=r"exit code 0 .*\([1-9] games? kept\)"):
        run("league", f"bot={dying}", *ALL, "--out", "l.h5")
    capsys.readouterr()
    kept = int((read("l.h5").status[0] == SCORED).sum())
    assert 0 < kept < len(ANSWERS)
    (row,) = rows_of(run("league", f"bot={bot(each=log)}", *ALL, "--out", "l.h5", "--json"))
    whole = play(run, f"bot={bot()}")["bot"]
    assert row == whole
    again = Path("asked").read_text().split("0\n1\n")[2].splitlines()
    assert len(again) + 2 == int(read("l.h5").length[0, kept:].sum())
    assert rows_of(run("league", "parts", *ALL, "--out", "l.h5", "--json"))[1] == row


def test_a_league_of_other_secrets_is_refused(run):
    run("league", "parts", *ALL, "--out", "l.h5")
    with pytest.raises(UserError, match="l.h5: made with seed 0, this job has 1"):
        run("league", "entropy", *ALL, "--seed", 1, "--out", "l.h5")
    forge(Path("l.h5"), lambda file: file["league/regret"].__setitem__((0, 0, 5), 0.5))
    with pytest.raises(UserError, match="l.h5: malformed .its regrets and luck are not of scored"):
        run("league", "entropy", *ALL, "--out", "l.h5")


RECORDS = {
    "lacks the games of 9 secrets, such as": {"guesses": ["cat"], "answer": "cat"},
    "game 1: CAT BGG is not the feedback of CAT": {
        "guesses": ["cat"], "patterns": ["BGG"], "answer": "cat",
    },
    "game 1: it has no answer and is not won": {"guesses": ["cat"], "patterns": ["BGG"]},
    "game 1: a share grid has no words": {"patterns": ["BGG", "GGG"]},
}  # fmt: skip


@pytest.mark.parametrize("said", RECORDS)
def test_files_that_do_not_hold_the_games_are_refused(run, said):
    others = [{"guesses": [a], "patterns": ["GGG"]} for a in ANSWERS if a != "cat"]
    others = [] if "lacks" in said else others
    Path("g.jsonl").write_text("\n".join(map(json.dumps, [RECORDS[said], *others])))
    with pytest.raises(UserError, match=f"g.jsonl.*{said}"):
        play(run, "g.jsonl")


def test_a_game_that_is_there_twice_is_refused(run):
    Path("g.csv").write_text("guesses,answer\ncat,cat\nbat cat,cat\n")
    with pytest.raises(UserError, match="g.csv, game 2: g has played CAT in game 1; leave one out"):
        play(run, "g.csv")


OWN = """
class Last:
    name = "last"
    recalls_turns = False

    def choose(self, positions):
        return positions.first_guesses

class Worse(Last):
    name = "worse"

    def choose(self, positions):
        return 1 / 0

class Leaving(Last):
    name = "leaving"

    def choose(self, positions):
        raise SystemExit(3)
"""


def test_strategies_of_ones_own_are_named_by_file_and_name(run):
    Path("own.py").write_text(OWN)
    players = "own.py:Leaving", "own.py:Last", "own.py:Worse"
    with pytest.raises(JobError, match=r"worse: choose\(\) failed \(ZeroDivisionError: .*0 games"):
        run("league", *players[1:], *ALL, "--out", "l.h5")
    held = read("l.h5")
    assert [held.players[player] for player in held.whole] == ["last"]
    assert (held.guesses[0, :, 0] == held.guesses[0, 0, 0]).all()
    assert held.guesses[1].max() == NO_GUESS
    with pytest.raises(JobError, match=r"leaving: choose\(\) failed \(SystemExit: 3\)"):
        run("league", *players[:2], *ALL, "--out", "m.h5")
    assert read("m.h5").whole == [1]
    Path("bots.py").write_text("def guess(turns): ...\n\n\nclass Bot: ...\n")
    Path("leaves.py").write_text("import sys\n\nsys.exit(3)\n")
    for given, said in [
        ("own.py:Lost", "own.py: Lost cannot be loaded .AttributeError"),
        ("leaves.py:Any", "leaves.py: Any cannot be loaded .SystemExit: 3"),
        ("none.py:Any", "none.py: no such file; give FILE.py:NAME"),
        ("none.py", "none.py: no such file; give FILE.py:NAME"),
        ("mine=own.py", "own.py: say which player .*; give own.py:NAME .* 'python own.py' in quo"),
        ("bots.py:guess", "bots.py: guess is no strategy; give an object or a class with name"),
        ("bots.py:Bot", "bots.py: Bot is no strategy; give an object or a class with name"),
    ]:
        with pytest.raises(UserError, match=said):
            play(run, given)
    Path("bots.py").chmod(0o755)
    with pytest.raises(JobError, match="bots.py"):  # it can be run, and ends without a guess
        play(run, "./bots.py")


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (["parts", "parts"], "two players are called 'parts'; leave one out, or give it another"),
        (["a=parts", "a=entropy"], "two players are called 'a'"),
        (["bot"], "no strategy 'bot'; choose one of"),
        (["./bot"], "there is no program ./bot that can be run; give a command"),
        (["nobody at all"], "there is no program nobody that can be run"),
        (["x='cat"], "no strategy"),
        (["no.jsonl"], "no.jsonl: no such file"),
        (["x=y.csv"], "x=y.csv is a file, and a player called x; write ./x=y.csv for the file"),
    ],
)
def test_players_that_are_none(run, players, said):
    Path("x=y.csv").write_text("")
    with pytest.raises(UserError, match=said):
        play(run, *players)


def test_games_without_a_guaranteed_win_are_scored_without_the_limit(run):
    for limit in (2, 0):
        rows = play(run, "optimal", "parts", "--max-guesses", limit)
        assert rows["optimal"]["mean_regret"] == 0
        assert (rows["optimal"]["lost"] > 0) == (limit == 2)


def test_a_report_shows_the_league(run, tmp_path):
    shown = run("league", "parts", "random", *ALL, "--out", "l.h5")
    assert "10 secrets of 10 answers of the split all, by seed 0" in shown
    run("report", "l.h5", "--out", "l.md")
    text = Path("l.md").read_text()
    assert "| parts | 10 | " in text
    assert "Mean regret of a game of each player, with its interval" in text
    assert "Every game" in text
    run("plot", "league", "l.h5", "--out", "l.svg")


def test_other_games_have_leagues():
    (row,) = gw.league(gw.load_game("mastermind:3x3"), "optimal", games=5)
    assert (row["games"], row["mean_regret"]) == (5, 0)
